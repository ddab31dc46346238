import IconEdit from '@tabler/icons-react/dist/esm/icons/IconEdit.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import IconTrash from '@tabler/icons-react/dist/esm/icons/IconTrash.mjs'
import { ActionsButton, type Column, GroupLink, links, Menu, TextLink, Time } from '@headwater/web-kit'
import type { InsightSummary } from '../../../contract/index.ts'
import { InsightStar } from '../../components/InsightStar.tsx'
import styles from './InsightsScreen.module.css'

/** The columns of a list of insights; the group is omitted if there is only one. */
export function insightColumns({
  groupName: onlyGroup,
  onTag,
  onDelete,
}: {
  groupName: string | undefined
  /** Shows only insights with a tag; absent: tags are plain words. */
  onTag?: (tag: string) => void
  onDelete: (insight: InsightSummary) => void
}): Column<InsightSummary>[] {
  return [
    {
      id: 'favorite',
      header: <span className="visually-hidden">Favourite</span>,
      width: 28,
      cell: (insight) => <InsightStar name={insight} />,
    },
    {
      id: 'name',
      header: 'Name',
      width: 'minmax(180px, 3fr)',
      sortable: true,
      text: ({ insightName }) => insightName,
      cell: (insight) => <TextLink href={linkOf(insight)}>{insight.insightName}</TextLink>,
    },
    ...(onlyGroup === undefined
      ? [
          {
            id: 'group',
            header: 'Group',
            width: 'minmax(108px, 1fr)',
            text: ({ groupName }: InsightSummary) => groupName,
            cell: ({ groupName }: InsightSummary) => (
              <GroupLink href={links.insightGroup(groupName)}>{groupName}</GroupLink>
            ),
          },
        ]
      : []),
    {
      id: 'description',
      header: 'Description',
      width: 'minmax(150px, 2fr)',
      quiet: true,
      priority: 1,
      text: ({ description }) => description,
      shortText: ({ description }) => description,
      cell: ({ description }) => description,
    },
    {
      id: 'tags',
      header: 'Tags',
      width: 'minmax(84px, 1.2fr)',
      text: ({ tags }) => tags.join(', '),
      cell: ({ tags }) => (
        <span className={styles.tags}>
          {tags.map((tag) => (
            <button
              key={tag}
              type="button"
              className={styles.tag}
              title={`Only insights with ${tag}`}
              disabled={onTag === undefined}
              onClick={() => onTag?.(tag)}
            >
              {tag}
            </button>
          ))}
        </span>
      ),
    },
    {
      id: 'modified',
      header: 'Modified',
      width: 96,
      align: 'end',
      sortable: true,
      quiet: true,
      cell: ({ modified }) => <Time value={modified} show="compact" />,
    },
    {
      id: 'owner',
      header: 'Owner',
      width: 'minmax(84px, 1.8fr)',
      quiet: true,
      text: ({ owner }) => owner,
      cell: ({ owner }) => owner,
    },
    {
      id: 'actions',
      header: <span className="visually-hidden">Actions</span>,
      width: 28,
      cell: (insight) => (
        <Menu
          trigger={<ActionsButton name={insight.insightName} />}
          items={[
            { label: 'Open', icon: <IconExternalLink size={16} stroke={1.6} />, href: linkOf(insight) },
            ...(insight.writeAccess
              ? [
                  {
                    label: 'Edit',
                    icon: <IconEdit size={16} stroke={1.6} />,
                    href: `${linkOf(insight)}?edit=true`,
                  },
                  {
                    label: 'Delete',
                    icon: <IconTrash size={16} stroke={1.6} />,
                    danger: true,
                    onClick: () => onDelete(insight),
                  },
                ]
              : []),
          ]}
        />
      ),
    },
  ]
}

function linkOf({ groupName, insightName }: InsightSummary): string {
  return links.insight(groupName, insightName)
}
