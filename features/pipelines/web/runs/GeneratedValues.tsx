import { useMemo } from 'react'
import { useQuery } from '@tanstack/react-query'
import {
  Button,
  call,
  CopyButton,
  EmptyState,
  ErrorState,
  refreshEvery,
  routeKey,
  Skeleton,
} from '@headwater/web-kit'
import { listGeneratedValues } from '../../contract/index.ts'
import { pipelineByIdQuery } from '../pipelines-client.ts'
import { pageOfObject } from './page-of-object.ts'
import { useOpenObject } from './use-open-object.ts'
import { runValues, type RunValue } from './run-values.ts'
import styles from './GeneratedValues.module.css'

/** Refresh intervals of the values during a run and otherwise, in milliseconds. */
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

/** A run whose values are read. */
export interface RunOfValues {
  pipelineId: string
  /** Version of the pipeline that ran; null if it is unknown. */
  version: number | null
  jobId: string
  isRunning: boolean
}

/** Returns the values of a run, named after the outputs of its tasks as soon as the pipeline is loaded. */
function useRunValues({ pipelineId, version, jobId, isRunning }: RunOfValues) {
  const { data: values, error, refetch } = useGeneratedValues(pipelineId, jobId, isRunning)
  const pipeline = useQuery(pipelineByIdQuery(pipelineId, version ?? undefined))
  const tasks = pipeline.data?.batchConfig.tasks
  const data = useMemo(
    () => (values === undefined || pipeline.isPending ? undefined : runValues(values, tasks ?? [])),
    [values, tasks, pipeline.isPending],
  )
  return { data, error, refetch }
}

/** Renders the values that the tasks of a run have stored, and the values of its pipeline. */
export function GeneratedValues(run: RunOfValues) {
  const { data, error, refetch } = useRunValues(run)
  if (error !== null && data === undefined) return <ErrorState error={error} onRetry={() => void refetch()} />
  if (data === undefined) return <Skeleton lines={3} />
  if (data.length === 0)
    return <EmptyState title="No values yet">Values that tasks store for later tasks appear here.</EmptyState>
  return <ValueList label="Values" values={data} />
}

/** The files and data preps that a step of a run has stored. Renders nothing if there are none. */
export function StoredObjects({ nodeId, ...run }: RunOfValues & { nodeId: string }) {
  const { data = [] } = useRunValues(run)
  const stored = data.filter((each) => each.nodeId === nodeId && each.objectId !== undefined)
  return stored.length === 0 ? null : <ValueList label="Stored objects" values={stored} />
}

function ValueList({ label: listLabel, values }: { label: string; values: readonly RunValue[] }) {
  return (
    <dl className={styles.values} aria-label={listLabel}>
      {values.map(({ name, value, label, text, objectId }) => (
        <div key={name} className={styles.value}>
          <dt title={label === name ? name : `${label}, ${name}`}>{label}</dt>
          <dd>
            <pre title={value}>{text === '' ? '—' : text}</pre>
            {objectId === undefined ? null : <OpenObject id={objectId} name={text} />}
            <CopyButton value={value} label="Value" />
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** Button that opens the page of a file or data prep. */
function OpenObject({ id, name }: { id: string; name: string }) {
  const { busy, open } = useOpenObject(
    async () => (await pageOfObject('FILE', id)) ?? pageOfObject('DATA_PREP', id),
    'It has been deleted, or you cannot read it.',
  )
  return (
    <Button size="small" aria-label={`Open ${name}`} busy={busy} onClick={() => void open()}>
      Open
    </Button>
  )
}
