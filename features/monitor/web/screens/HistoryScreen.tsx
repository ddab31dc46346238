import { useState } from 'react'
import { useQuery } from '@tanstack/react-query'
import { Link, useLocation, useNavigate, useParams, useSearchParams } from 'react-router'
import IconCalendarRepeat from '@tabler/icons-react/dist/esm/icons/IconCalendarRepeat.mjs'
import IconExternalLink from '@tabler/icons-react/dist/esm/icons/IconExternalLink.mjs'
import { useCan } from '@headwater/accounts/web'
import { countOf, utcDate } from '@headwater/contract'
import { pipelineQuery } from '@headwater/pipelines/web'
import {
  Button,
  EmptyState,
  ErrorState,
  links,
  Page,
  PageHeader,
  Select,
  Skeleton,
  statuses,
  statusLabel,
  statusOf,
  Toolbar,
  useNow,
  useTimeZone,
} from '@headwater/web-kit'
import { localDate } from '@headwater/zones'
import { BackfillDialog } from '../backfills/BackfillDialog.tsx'
import { BackfillsSection } from '../backfills/BackfillsSection.tsx'
import { type PipelineHistory, useHistory } from '../monitor-client.ts'
import styles from './Monitor.module.css'
import { RunsTable } from './RunsTable.tsx'

const dayMs = 86_400_000
const periods = [
  { value: '30', label: 'Last 30 days' },
  { value: '90', label: 'Last 90 days' },
  { value: '365', label: 'Last 365 days' },
]

/** Last runs of a pipeline: a grid of its tasks over dates, its backfills, and all its runs. */
export default function HistoryScreen() {
  const { groupName = '', name = '' } = useParams()
  const [search] = useSearchParams()
  const { pathname } = useLocation()
  const can = useCan()
  const [isBackfilling, setBackfilling] = useState(false)
  const [isNewestFirst, setNewestFirst] = useState(true)
  const navigate = useNavigate()
  const timeZone = useTimeZone()
  const now = useNow(60_000)
  const pipeline = useQuery(pipelineQuery({ groupName, name, version: 'latest' }))
  const days = periods.find(({ value }) => value === search.get('days'))?.value ?? '30'
  const id = pipeline.data?.pipeline.id
  const history = useHistory(id, { ...periodOf(now, timeZone, Number(days)), timeZone })
  /** Changes parameters of the URL. */
  const show = (change: Record<string, string>) => {
    const next = new URLSearchParams({ ...Object.fromEntries(search), ...change })
    void navigate({ pathname, search: `?${next.toString()}` }, { replace: true })
  }
  const error =
    pipeline.data === undefined ? pipeline.error : history.data === undefined ? history.error : null
  return (
    <Page>
      <PageHeader
        actions={
          <>
            {id !== undefined && can('Creator', 'RW', 'Science') ? (
              <Button
                icon={<IconCalendarRepeat size={16} stroke={1.6} />}
                onClick={() => setBackfilling(true)}
              >
                Backfill
              </Button>
            ) : null}
            <Button icon={<IconExternalLink size={16} stroke={1.6} />} href={links.pipeline(groupName, name)}>
              Open pipeline
            </Button>
          </>
        }
      />
      <Toolbar>
        <h2 className={styles.title}>Results by date</h2>
        <Select
          label="Period"
          hideLabel
          value={days}
          options={periods}
          onChange={(value) => show({ days: value ?? '30' })}
        />
      </Toolbar>
      {error === null ? null : (
        <ErrorState
          error={error}
          onRetry={() => void (pipeline.data === undefined ? pipeline : history).refetch()}
        />
      )}
      {history.data === undefined && error === null ? <Skeleton lines={6} /> : null}
      {history.data === undefined ? null : history.data.dates.length === 0 ? (
        <EmptyState title="No runs in this period">Choose a longer period to see earlier runs.</EmptyState>
      ) : (
        <HistoryGrid history={history.data} />
      )}
      {id === undefined ? null : (
        <>
          <BackfillsSection pipelineId={id} titleClass={styles.title} />
          <h2 className={styles.title}>Runs</h2>
          <div className={styles.runs}>
            <RunsTable
              query={{ pipelineId: id }}
              isOfOnePipeline
              isNewestFirst={isNewestFirst}
              onNewestFirst={setNewestFirst}
              empty={<EmptyState title="No runs yet">Runs of this pipeline appear here.</EmptyState>}
            />
          </div>
          {isBackfilling ? (
            <BackfillDialog
              pipelineId={id}
              onClose={() => setBackfilling(false)}
              onStarted={(backfill) => (backfill === null ? undefined : show({ backfill }))}
            />
          ) : null}
        </>
      )}
    </Page>
  )
}

/** Tasks over dates; each cell is the status of a task in the last run of a date and opens this run. */
function HistoryGrid({ history: { tasks, dates } }: { history: PipelineHistory }) {
  return (
    <div className={styles.grid}>
      <table aria-label="Results by date">
        <thead>
          <tr>
            <th scope="col">Task</th>
            {dates.map(({ date, jobId, status, isStopped, runs, failed, stopped }) => (
              <th key={date} scope="col" className={styles.date}>
                <Link
                  to={links.run(jobId)}
                  title={`${date}: ${countOf(runs, 'run')}, ${failed - stopped} failed${stopped === 0 ? '' : `, ${stopped} stopped`}. Last run: ${statusLabel(isStopped ? 'STOPPED' : status)}`}
                >
                  {date.slice(5)}
                </Link>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tasks.map(({ nodeId, name }, index) => (
            <tr key={nodeId}>
              <th scope="row" title={name}>
                {name}
              </th>
              {dates.map(({ date, jobId, cells, stoppedCells }) => (
                <HistoryCell
                  key={date}
                  name={name}
                  date={date}
                  jobId={jobId}
                  nodeId={nodeId}
                  status={stoppedCells[index] === true ? 'STOPPED' : cells[index]}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

function HistoryCell({
  name,
  date,
  jobId,
  nodeId,
  status,
}: {
  name: string
  date: string
  jobId: string
  nodeId: string
  status: PipelineHistory['dates'][number]['cells'][number] | 'STOPPED' | undefined
}) {
  if (status === null || status === undefined) return <td />
  const label = `${name}, ${date}: ${statusLabel(status)}`
  return (
    <td>
      <Link
        to={`${links.run(jobId)}?step=${encodeURIComponent(nodeId)}`}
        className={styles.cell}
        data-status={statusOf(status)}
        style={{ color: statuses[statusOf(status)].color }}
        aria-label={label}
        title={label}
      />
    </td>
  )
}

/** Returns the local dates of the last days, today included. */
function periodOf(now: Date, timeZone: string, days: number): { from: string; to: string } {
  const to = localDate(now, timeZone)
  return { from: utcDate(Date.parse(to) - (days - 1) * dayMs), to }
}
