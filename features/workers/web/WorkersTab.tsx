import { type ReactNode, useState } from 'react'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link } from 'react-router'
import {
  Badge,
  Button,
  call,
  ConfirmDialog,
  EmptyState,
  ErrorState,
  formatNumber,
  intervals,
  links,
  message,
  refreshEvery,
  routeKey,
  Skeleton,
  type SmallColumn,
  SmallTable,
  StatusBadge,
  Time,
  toastErrors,
} from '@headwater/web-kit'
import { drainWorker, listWorkers, type QueueLoad, type Worker } from '../contract/index.ts'
import { isLastRunning, jobLabel, waitText, workLabels } from './work-texts.ts'
import styles from './WorkersTab.module.css'

/** The queue, the processes and their running jobs, refreshed every 5 s. For administrators. */
export default function WorkersTab() {
  const { data, error, refetch } = useQuery({
    queryKey: routeKey(listWorkers),
    queryFn: ({ signal }) => call(listWorkers, {}, { signal }),
    refetchInterval: refreshEvery(intervals.statusMs),
  })
  if (data === undefined)
    return error === null ? (
      <Skeleton lines={8} />
    ) : (
      <ErrorState error={error} onRetry={() => void refetch()} />
    )
  return (
    <div className={styles.body}>
      <Section title="Queue">
        <QueueTable queue={data.queue} />
      </Section>
      <Section title="Servers and workers">
        <WorkersTable workers={data.items} />
      </Section>
      <Section title="Running now">
        <JobsTable workers={data.items} />
      </Section>
    </div>
  )
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <section aria-label={title}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </section>
  )
}

const queueColumns: readonly SmallColumn[] = [
  { header: 'Work' },
  { header: 'Running', width: 110, align: 'end' },
  { header: 'Waiting', width: 110, align: 'end' },
  { header: 'Longest wait', width: 130, align: 'end' },
  { header: 'Later', width: 110, align: 'end' },
]

function QueueTable({ queue }: { queue: readonly QueueLoad[] }) {
  return (
    <SmallTable label="Queue" columns={queueColumns}>
      {queue.map(({ kind, slots, running, waiting, longestWaitMs, delayed }) => (
        <tr key={kind}>
          <th scope="row">{workLabels[kind]}</th>
          <td data-align="end">{`${formatNumber(running)} of ${formatNumber(slots)}`}</td>
          <td data-align="end">{formatNumber(waiting)}</td>
          <td data-align="end">{waiting === 0 ? '—' : waitText(longestWaitMs)}</td>
          <td data-align="end" data-quiet>
            {formatNumber(delayed)}
          </td>
        </tr>
      ))}
    </SmallTable>
  )
}

const workerColumns: readonly SmallColumn[] = [
  { header: 'Name' },
  { header: 'State', width: 110 },
  { header: 'Tags', width: 130 },
  { header: 'Running', width: 90, align: 'end' },
  { header: 'Heartbeat', width: 96 },
  { header: 'Version', width: 74 },
  { header: 'Actions', width: 100, hideHeader: true },
]

const states = {
  running: { status: 'completed', text: 'Running' },
  draining: { status: 'paused', text: 'Draining' },
  lost: { status: 'error', text: 'Lost' },
} as const

function WorkersTable({ workers }: { workers: readonly Worker[] }) {
  const client = useQueryClient()
  const [draining, setDraining] = useState<Worker>()
  async function drain({ id }: Worker, isDraining: boolean) {
    await call(drainWorker, { params: { workerId: id }, body: { isDraining } })
    message(isDraining ? 'The process accepts no new jobs.' : 'The process accepts jobs again.')
    await client.invalidateQueries({ queryKey: routeKey(listWorkers) })
  }
  return (
    <>
      <SmallTable label="Servers and workers" columns={workerColumns} minWidth={740}>
        {workers.map((worker) => (
          <WorkerRow
            key={worker.id}
            worker={worker}
            onDrain={() => setDraining(worker)}
            onContinue={() => drain(worker, false)}
          />
        ))}
      </SmallTable>
      <ConfirmDialog
        open={draining !== undefined}
        onClose={() => setDraining(undefined)}
        title="Drain"
        confirmLabel="Drain"
        danger={draining !== undefined && isLastRunning(draining, workers)}
        onConfirm={() => drain(draining!, true)}
      >
        {`${draining?.name} finishes its jobs and accepts no new ones until you resume or restart it.`}
        {draining !== undefined && isLastRunning(draining, workers)
          ? ' No other process accepts jobs: uploads, data preps and pipelines will wait.'
          : null}
      </ConfirmDialog>
    </>
  )
}

function WorkerRow({
  worker,
  onDrain,
  onContinue,
}: {
  worker: Worker
  onDrain: () => void
  onContinue: () => Promise<void>
}) {
  const { name, kind, state, tags, version, lastSeen, capacity, jobs, isDrainRequested } = worker
  const slots = capacity.reduce((sum, lane) => sum + lane.slots, 0)
  const detail = capacity
    .map((lane) => `${workLabels[lane.kind]}: ${lane.running} of ${lane.slots}`)
    .join('\n')
  return (
    <tr>
      <th scope="row" title={name}>
        {name} <Badge>{kind === 'server' ? 'Server' : 'Worker'}</Badge>
      </th>
      <td>
        <StatusBadge {...states[state]} />
      </td>
      <td title={tags.join(', ')}>{tags.length === 0 ? '—' : tags.join(', ')}</td>
      <td data-align="end" title={detail}>
        {slots === 0 ? 'No jobs' : `${jobs.length} of ${slots}`}
      </td>
      <td data-quiet>
        <Time value={lastSeen} show={state === 'lost' ? 'datetime' : 'time'} />
      </td>
      <td data-quiet>{version}</td>
      <td data-align="end">
        {state === 'lost' || slots === 0 ? null : isDrainRequested ? (
          <Button
            size="small"
            aria-label={`Continue ${name}`}
            onClick={() => void onContinue().catch(toastErrors)}
          >
            Continue
          </Button>
        ) : state === 'running' ? (
          <Button size="small" aria-label={`Drain ${name}`} onClick={onDrain}>
            Drain
          </Button>
        ) : null}
      </td>
    </tr>
  )
}

const jobColumns: readonly SmallColumn[] = [
  { header: 'What' },
  { header: 'Work', width: 190 },
  { header: 'Process', width: 190 },
  { header: 'Since', width: 170 },
]

function JobsTable({ workers }: { workers: readonly Worker[] }) {
  const jobs = workers.flatMap((worker) => worker.jobs.map((job) => ({ ...job, worker: worker.name })))
  if (jobs.length === 0)
    return <EmptyState title="Nothing is running">Jobs of users and of the system appear here.</EmptyState>
  return (
    <SmallTable label="Running now" columns={jobColumns} minWidth={720}>
      {jobs.map(({ id, kind, name, jobId, startTime, worker }) => (
        <tr key={id}>
          <th scope="row" title={jobLabel(name)}>
            {jobId === null ? jobLabel(name) : <Link to={links.run(jobId)}>{name}</Link>}
          </th>
          <td>{workLabels[kind]}</td>
          <td data-quiet title={worker}>
            {worker}
          </td>
          <td data-quiet>{startTime === null ? '—' : <Time value={startTime} show="datetime" />}</td>
        </tr>
      ))}
    </SmallTable>
  )
}
