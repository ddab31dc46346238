import { useState } from 'react'
import IconCopy from '@tabler/icons-react/dist/esm/icons/IconCopy.mjs'
import IconWorld from '@tabler/icons-react/dist/esm/icons/IconWorld.mjs'
import {
  Badge,
  type Column,
  copyText,
  DataTable,
  EmptyState,
  GroupLink,
  IconButton,
  intervals,
  links,
  NothingFound,
  Page,
  PageHeader,
  SearchField,
  TextLink,
  Time,
  Toolbar,
  useInfiniteList,
} from '@headwater/web-kit'
import { searchInsights, type InsightSummary } from '@headwater/insights/contract'

/** Page with the public insights and the expiry of their public views. */
export default function PublicInsightsScreen() {
  const [text, setText] = useState('')
  const list = useInfiniteList(
    searchInsights,
    { query: { query: text, publicOnly: true, sortBy: 'name', sortOrder: 'asc' } },
    { intervalMs: intervals.listMs },
  )
  return (
    <Page>
      <PageHeader title="Public view" />
      <Toolbar>
        <SearchField label="Search public insights" width={300} value={text} onChange={setText} />
      </Toolbar>
      <DataTable
        label="Public insights"
        rowHeight={36}
        columns={columns}
        rowKey={({ groupName, insightName }) => `${groupName}/${insightName}`}
        {...list}
        empty={
          text === '' ? (
            <EmptyState icon={<IconWorld size={20} stroke={1.6} />} title="No insight is public">
              Open an insight, choose Share, then Public link. Anyone with the link can then view the insight.
            </EmptyState>
          ) : (
            <NothingFound>Try another search text.</NothingFound>
          )
        }
      />
    </Page>
  )
}

const columns: Column<InsightSummary>[] = [
  {
    id: 'name',
    header: 'Name',
    width: 'minmax(160px, 2fr)',
    text: ({ insightName }) => insightName,
    cell: ({ groupName, insightName }) => (
      <TextLink href={links.insight(groupName, insightName)}>{insightName}</TextLink>
    ),
  },
  {
    id: 'group',
    header: 'Group',
    width: 'minmax(110px, 1fr)',
    text: ({ groupName }) => groupName,
    cell: ({ groupName }) => <GroupLink href={links.insightGroup(groupName)}>{groupName}</GroupLink>,
  },
  {
    id: 'state',
    header: 'Expires',
    width: 'minmax(150px, 1fr)',
    cell: ({ isPublic, publicExpirationDate }) =>
      isPublic ? (
        publicExpirationDate === null ? (
          'Never'
        ) : (
          <Time value={publicExpirationDate} />
        )
      ) : (
        <Badge kind="warn">Expired</Badge>
      ),
  },
  {
    id: 'owner',
    header: 'Owner',
    width: 'minmax(110px, 1fr)',
    quiet: true,
    text: ({ owner }) => owner,
    cell: ({ owner }) => owner,
  },
  {
    id: 'link',
    header: <span className="visually-hidden">Link</span>,
    width: 28,
    cell: ({ groupName, insightName }) => (
      <IconButton
        label={`Copy the public link to ${insightName}`}
        icon={<IconCopy size={16} stroke={1.6} />}
        onClick={() =>
          void copyText(`${window.location.origin}${links.publicInsight(groupName, insightName)}`, 'Link')
        }
      />
    ),
  },
]
