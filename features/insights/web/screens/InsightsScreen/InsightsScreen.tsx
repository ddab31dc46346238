import { type ReactNode, useState } from 'react'
import { useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import IconLayoutDashboard from '@tabler/icons-react/dist/esm/icons/IconLayoutDashboard.mjs'
import IconPlus from '@tabler/icons-react/dist/esm/icons/IconPlus.mjs'
import { useCan } from '@headwater/accounts/web'
import {
  Button,
  Combobox,
  DataTable,
  EmptyState,
  HashTabs,
  intervals,
  links,
  NothingFound,
  Page,
  PageHeader,
  routeNames,
  SearchField,
  Toolbar,
  useHashTab,
  useInfiniteList,
} from '@headwater/web-kit'
import { searchInsights, type InsightSummary } from '../../../contract/index.ts'
import { DeleteInsightDialog } from '../../components/DeleteInsightDialog.tsx'
import { useInsightTags } from '../../insights-client.ts'
import { FavouritesTable } from './FavouritesTable.tsx'
import { insightColumns } from './insight-columns.tsx'
import styles from './InsightsScreen.module.css'

/** The insights that a user can read: visualisations and workflows, in all groups or in one. */
export default function InsightsScreen() {
  const { groupName } = useParams<{ groupName: string }>()
  const can = useCan()
  const tabs = [
    ...(can('Visualisations', 'R', 'Insight')
      ? [{ hash: routeNames.visualisations, label: 'Visualisations' }]
      : []),
    ...(can('Workflows', 'R', 'Insight') ? [{ hash: routeNames.workflows, label: 'Workflows' }] : []),
    { hash: favouritesHash, label: 'Favourites' },
  ]
  const tab = useHashTab(tabs)
  const isWorkflows = tab === routeNames.workflows
  const canCreate = can('Visualisations', 'RW', 'Insight')
  const { text, tag, setText, setTag, clear } = useFilters()
  const create = canCreate ? (
    <Button
      variant="primary"
      icon={<IconPlus size={16} stroke={1.6} />}
      href={links.insightCreator(groupName)}
    >
      New insight
    </Button>
  ) : undefined
  return (
    <Page>
      <PageHeader
        actions={
          <>
            {can('PublicView', 'RW', 'Insight') ? (
              <Button href={`${links.insightList()}/${routeNames.publicView}`}>Public view</Button>
            ) : null}
            {canCreate ? (
              <Button href={`${links.insightList()}/${routeNames.templates}`}>Templates</Button>
            ) : null}
            {create}
          </>
        }
      />
      <Toolbar>
        <HashTabs label="Insights" tabs={tabs} />
        <div className={styles.filters}>
          <TagFilter tag={tag} onChange={setTag} />
          <SearchField label="Search insights" width={300} value={text} onChange={setText} />
        </div>
      </Toolbar>
      {tab === favouritesHash ? (
        <FavouritesTable groupName={groupName} text={text} />
      ) : tabs.length === 1 ? (
        <EmptyState title="You do not have access to insights">
          Ask an administrator for read access to visualisations.
        </EmptyState>
      ) : (
        <InsightsTable
          key={tab}
          filter={{ text, tag, groupName, insightType: isWorkflows ? 'WORKFLOW' : 'VISUALISATION' }}
          onTag={setTag}
          empty={
            text !== '' || tag !== null ? (
              <NothingFound what="insights" onShowAll={clear}>
                Try other words or another tag.
              </NothingFound>
            ) : (
              <EmptyState
                icon={<IconLayoutDashboard size={20} stroke={1.6} />}
                title={isWorkflows ? 'No workflows yet' : 'No insights yet'}
                action={isWorkflows ? undefined : create}
              >
                {isWorkflows ? workflowsHint : canCreate ? createHint : readHint}
              </EmptyState>
            )
          }
        />
      )}
    </Page>
  )
}

const favouritesHash = 'Favourites'

const createHint =
  'An insight shows series from storage as charts, tables and text. Create your first insight: add a quick chart, pick its series, and save it in a group.'
const readHint =
  'Insights in groups you can read appear here. Ask the owner of a group for read access, or an administrator for permission to create insights.'
const workflowsHint =
  'An insight is a workflow if it has a status, a diagram, an auto pipeline or a tile with actions. All others are listed under Visualisations.'

/** Returns the filters in the URL. The hash of the tab does not change. */
function useFilters() {
  const [search] = useSearchParams()
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  function set(change: Record<string, string | null>) {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(change))
      if (value === null || value === '') next.delete(name)
      else next.set(name, value)
    void navigate({ pathname, search: next.toString(), hash }, { replace: true })
  }
  return {
    text: search.get('query') ?? '',
    tag: search.get('tag'),
    setText: (query: string) => set({ query }),
    setTag: (tag: string | null) => set({ tag }),
    clear: () => set({ query: null, tag: null }),
  }
}

function TagFilter({ tag, onChange }: { tag: string | null; onChange: (tag: string | null) => void }) {
  const [text, setText] = useState('')
  const tags = useInsightTags(text)
  const offered = [...new Set([...(tag === null ? [] : [tag]), ...(tags.data?.items ?? [])])]
  return (
    <div className={styles.tagFilter}>
      <Combobox
        label="Tag"
        hideLabel
        clearable
        placeholder="All tags"
        value={tag}
        options={offered.map((each) => ({ value: each, label: each }))}
        onSearch={setText}
        total={tags.data?.totalSize}
        onChange={onChange}
      />
    </div>
  )
}

function InsightsTable({
  filter,
  onTag,
  empty,
}: {
  filter: {
    text: string
    tag: string | null
    groupName: string | undefined
    insightType: 'WORKFLOW' | 'VISUALISATION'
  }
  onTag: (tag: string) => void
  empty: ReactNode
}) {
  const navigate = useNavigate()
  const [order, setOrder] = useState<{ column: string; order: 'asc' | 'desc' }>({
    column: 'modified',
    order: 'desc',
  })
  const [deleted, setDeleted] = useState<InsightSummary>()
  const list = useInfiniteList(
    searchInsights,
    {
      query: {
        query: filter.text,
        insightType: filter.insightType,
        groupName: filter.groupName,
        tag: filter.tag ?? undefined,
        sortBy: order.column === 'name' ? 'name' : 'modified',
        sortOrder: order.order,
      },
    },
    { intervalMs: intervals.listMs },
  )
  const columns = insightColumns({ groupName: filter.groupName, onTag, onDelete: setDeleted })
  return (
    <>
      <DataTable
        label="Insights"
        rowHeight={36}
        columns={columns}
        rowKey={({ groupName, insightName }) => `${groupName}/${insightName}`}
        {...list}
        sort={order}
        onSortChange={setOrder}
        empty={empty}
        onOpenRow={({ groupName, insightName }) => void navigate(links.insight(groupName, insightName))}
      />
      <DeleteInsightDialog name={deleted} onClose={() => setDeleted(undefined)} />
    </>
  )
}
