import { useQuery } from '@tanstack/react-query'
import {
  call,
  CopyButton,
  EmptyState,
  ErrorState,
  refreshEvery,
  routeKey,
  Skeleton,
} from '@headwater/web-kit'
import { listGeneratedValues } from '../../contract/index.ts'
import styles from './GeneratedValues.module.css'

/** Refresh of the values during a run and otherwise, in milliseconds. */
const valueIntervals = { runningMs: 3000, endedMs: 10_000 } as const

/** Returns the stored values of a run and its pipeline; refreshes every 3 s during the run, otherwise every 10 s. */
export function useGeneratedValues(pipelineId: string, jobId: string | undefined, isRunning: boolean) {
  const input = { params: { pipelineId }, query: { jobId } }
  return useQuery({
    queryKey: routeKey(listGeneratedValues, input),
    queryFn: async ({ signal }) => (await call(listGeneratedValues, input, { signal })).items,
    refetchInterval: refreshEvery(isRunning ? valueIntervals.runningMs : valueIntervals.endedMs),
  })
}

/** Values that the tasks of a run have stored, and those of its pipeline. */
export function GeneratedValues({
  pipelineId,
  jobId,
  isRunning,
}: {
  pipelineId: string
  /** Job of the run. Default: the latest run of the user. */
  jobId?: string | undefined
  isRunning: boolean
}) {
  const { data, error, refetch } = useGeneratedValues(pipelineId, jobId, isRunning)
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={3} />
  if (data.length === 0)
    return <EmptyState title="No values yet">Values that tasks store for later tasks appear here.</EmptyState>
  return (
    <dl className={styles.values} aria-label="Values">
      {data.map(({ name, value }) => (
        <div key={name} className={styles.value}>
          <dt title={name}>{name}</dt>
          <dd>
            <pre title={value}>{value === '' ? '—' : value}</pre>
            <CopyButton value={value} label="Value" />
          </dd>
        </div>
      ))}
    </dl>
  )
}
