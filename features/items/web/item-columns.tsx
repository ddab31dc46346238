import IconUser from '@tabler/icons-react/dist/esm/icons/IconUser.mjs'
import { useSession } from '@headwater/accounts/web'
import { type Job, visibleStatus } from '@headwater/statuses/contract'
import { runMessage } from '@headwater/statuses/web'
import { type Column, GroupLink, links, StatusBadge, TextLink, Time } from '@headwater/web-kit'
import styles from './item-columns.module.css'

/** A row of a list of items. */
export interface ItemRow {
  /** Id of the item. */
  id: string
  /** Name of the group. */
  groupName: string
  /** Number of the newest version. */
  version: number
  /** Date of the save; null for a built-in item. */
  modifyDate: string | null
}

/** Returns the columns that all lists of items share; each list inserts its own between them. */
export function itemColumns<Row extends ItemRow>({
  nameOf,
  hrefOf,
  authorOf,
  sortable,
}: {
  nameOf: (row: Row) => string
  /** Returns the URL of an item; undefined if the user cannot open items. */
  hrefOf: ((row: Row) => string) | undefined
  /** Returns the author of the newest version; null for a built-in item. */
  authorOf: (row: Row) => string | null
  /** Whether the list can be sorted by name and date. */
  sortable: boolean
}): Record<'name' | 'group' | 'version' | 'updated' | 'author', Column<Row>> {
  return {
    name: {
      id: 'name',
      header: 'Name',
      width: 'minmax(140px, 2fr)',
      sortable,
      text: nameOf,
      cell: (row) =>
        hrefOf === undefined ? nameOf(row) : <TextLink href={hrefOf(row)}>{nameOf(row)}</TextLink>,
    },
    group: {
      id: 'group',
      header: 'Group',
      width: 'minmax(108px, 1fr)',
      text: ({ groupName }) => groupName,
      cell: ({ groupName }) => <GroupLink href={links.group(groupName)}>{groupName}</GroupLink>,
    },
    version: {
      id: 'version',
      header: 'Version',
      width: 50,
      align: 'end',
      quiet: true,
      cell: ({ version }) => `v${version}`,
    },
    updated: {
      id: 'updated',
      header: 'Updated',
      width: 88,
      align: 'end',
      sortable,
      quiet: true,
      cell: ({ modifyDate }) => <Time value={modifyDate} />,
    },
    author: {
      id: 'by',
      header: 'By',
      width: 'minmax(76px, 1fr)',
      quiet: true,
      priority: 1,
      text: (row) => authorOf(row) ?? '',
      cell: (row) => authorOf(row) ?? '—',
    },
  }
}

/** Returns the column with the last run of each item; none if the user cannot see runs. */
export function lastRunColumns<Row extends { id: string }>(
  runs: ReadonlyMap<string, Job> | undefined,
): Column<Row>[] {
  if (runs === undefined) return []
  return [
    {
      id: 'run',
      header: 'Last run',
      width: 112,
      text: ({ id }) => {
        const job = runs.get(id)
        return job === undefined ? '' : `Run of ${job.owner}: ${runMessage(job)}`
      },
      cell: ({ id }) => {
        const job = runs.get(id)
        return job === undefined ? '—' : <LastRun job={job} />
      },
    },
  ]
}

/** The status of a run, with a mark if another user started it. */
function LastRun({ job }: { job: Job }) {
  const { userName } = useSession()
  return (
    <>
      <StatusBadge status={visibleStatus({ status: job.status, message: runMessage(job) })} />
      {job.owner === userName ? null : (
        <IconUser
          size={12}
          stroke={1.6}
          className={styles.other}
          role="img"
          aria-label={`Run of ${job.owner}`}
        />
      )}
    </>
  )
}
