import type { ReactNode } from 'react'
import { useNavigate } from 'react-router'
import { tagsColumn } from '@headwater/pipelines/web'
import { visibleStatus } from '@headwater/statuses/contract'
import { runTime } from '@headwater/statuses/web'
import {
  Badge,
  type Column,
  DataTable,
  formatNumber,
  GroupLink,
  intervals,
  links,
  StatusBadge,
  TextLink,
  Time,
  useInfiniteList,
  useNow,
} from '@headwater/web-kit'
import { listRuns, type ListedRun } from '../../contract/index.ts'
import { triggerOfRun } from '../trigger-of-run.ts'
import styles from './Monitor.module.css'

/** Filters of the table; see the route `listRuns`. */
export interface RunsQuery {
  query?: string
  tag?: string | undefined
  pipelineId?: string | undefined
  status?: string | undefined
  startedFrom?: string | undefined
}

/**
 * Table of runs, newest first, or open failures and then paused runs first; refreshes every 5 s. The header Start switches between both orders. Its arrow marks the
 * newest first; open failures first is the order of no column.
 */
export function RunsTable({
  query,
  empty,
  isNewestFirst,
  onNewestFirst,
  isOfOnePipeline = false,
}: {
  query: RunsQuery
  empty: ReactNode
  isNewestFirst: boolean
  onNewestFirst: (isNewestFirst: boolean) => void
  /** Whether all runs belong to one pipeline, so that its columns are omitted. Default false. */
  isOfOnePipeline?: boolean
}) {
  const navigate = useNavigate()
  const now = useNow(1000)
  const list = useInfiniteList(
    listRuns,
    { query: { ...query, sortBy: isNewestFirst ? 'start' : 'failures' } },
    { intervalMs: intervals.statusMs },
  )
  const limit = list.totalCount === 10_000 ? list.totalCount : undefined
  return (
    <>
      <DataTable
        {...list}
        label="Runs"
        rowHeight={36}
        columns={columnsOf(now, isOfOnePipeline)}
        rowKey={({ jobId }) => jobId}
        empty={empty}
        {...(isNewestFirst ? { sort: { column: 'start', order: 'desc' } as const } : {})}
        onSortChange={() => onNewestFirst(!isNewestFirst)}
        opensOnClick
        onOpenRow={({ jobId }) => void navigate(links.run(jobId))}
      />
      {limit === undefined ? null : (
        <p className={styles.note} role="status">
          The list has the first {formatNumber(limit)} runs. Choose a shorter period or search to see others.
        </p>
      )}
    </>
  )
}

const succeededSince = 'A later run succeeded'

/** Returns the line of a message that fits into a row: of a run in progress the newest one, otherwise the first, which has the reason. */
function lineOf({ message, status }: ListedRun): string {
  const lines = message.split('\n')
  return (status === 'RUNNING' ? lines.findLast((line) => line.trim() !== '') : lines[0]) ?? ''
}

function messageText(run: ListedRun): string {
  return run.succeededSince ? `${succeededSince}. This run: ${run.message}` : run.message
}

function columnsOf(now: Date, isOfOnePipeline: boolean): Column<ListedRun>[] {
  const ofPipeline: Column<ListedRun>[] = [
    {
      id: 'name',
      header: 'Pipeline',
      width: 'minmax(170px, 2fr)',
      text: ({ name }) => name,
      cell: ({ jobId, name }) => <TextLink href={links.run(jobId)}>{name}</TextLink>,
    },
    {
      id: 'group',
      header: 'Group',
      width: 'minmax(100px, 1fr)',
      priority: 3,
      text: ({ groupName }) => groupName,
      cell: ({ groupName }) =>
        groupName === '' ? '—' : <GroupLink href={links.group(groupName)}>{groupName}</GroupLink>,
    },
    tagsColumn({ width: 'minmax(80px, 1fr)', priority: 6 }),
  ]
  return [
    {
      id: 'status',
      header: 'Status',
      width: 118,
      cell: (run) => <StatusBadge status={visibleStatus(run)} />,
    },
    ...(isOfOnePipeline ? [] : ofPipeline),
    {
      id: 'start',
      header: 'Start',
      width: 150,
      sortable: true,
      cell: ({ jobId, startTime }) =>
        isOfOnePipeline ? (
          <TextLink href={links.run(jobId)}>
            <Time value={startTime} show="datetime" />
          </TextLink>
        ) : (
          <Time value={startTime} show="datetime" />
        ),
    },
    {
      id: 'duration',
      header: 'Run time',
      width: 88,
      align: 'end',
      priority: 2,
      cell: ({ startTime, endTime }) => runTime(startTime, endTime ?? undefined, now),
    },
    {
      id: 'message',
      header: 'Message',
      width: 'minmax(140px, 3fr)',
      quiet: true,
      priority: 1,
      text: messageText,
      cell: (run) =>
        run.succeededSince ? (
          <>
            <Badge>{succeededSince}</Badge> {lineOf(run)}
          </>
        ) : (
          lineOf(run)
        ),
    },
    {
      id: 'trigger',
      header: 'Trigger',
      width: 140,
      quiet: true,
      priority: 5,
      text: triggerOfRun,
      cell: triggerOfRun,
    },
    {
      id: 'version',
      header: 'Version',
      width: 70,
      quiet: true,
      priority: 7,
      cell: ({ version }) => (version === null ? '—' : `v${version}`),
    },
    {
      id: 'owner',
      header: 'Runs as',
      width: 'minmax(100px, 1fr)',
      quiet: true,
      priority: 4,
      text: ({ owner }) => owner,
      cell: ({ owner }) => owner,
    },
  ]
}
