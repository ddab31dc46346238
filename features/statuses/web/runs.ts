import { useQuery } from '@tanstack/react-query'
import {
  ApiError,
  call,
  intervals,
  isLimited,
  pageSizes,
  refreshEvery,
  routeKey,
  toastError,
} from '@headwater/web-kit'
import { searchStatuses, type Job, type JobType } from '../contract/index.ts'

/** While a run is young its status is asked for often; most runs end within seconds. */
const youngMs = 10_000
const youngIntervalMs = 1000
/** Most jobs that are looked through for the last run of each thing of a list. */
const jobsSize = 500

/** Whether a run has ended. */
export function isRunOver(job: Pick<Job, 'endTime'>): boolean {
  return job.endTime !== undefined
}

/** What the run itself says last; the word of a file it wrote is another. */
export function runMessage(job: Pick<Job, 'jobId' | 'componentStatuses' | 'latestStatus'>): string {
  const own = job.componentStatuses.find(({ eId }) => eId === job.jobId)
  return own?.message ?? job.latestStatus.message
}

/** A run as it stands, read again and again until it has ended; null when the user cannot see it. */
export function useRun(jobId: string | undefined) {
  return useQuery({
    queryKey: routeKey(searchStatuses, { query: { jobId: jobId ?? '', size: pageSizes.details } }),
    queryFn: ({ signal }) => readJob(jobId!, signal),
    enabled: jobId !== undefined,
    staleTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (isLimited() || (data !== undefined && data !== null && isRunOver(data))) return false
      return dataUpdateCount * youngIntervalMs < youngMs ? youngIntervalMs : intervals.statusMs
    },
  })
}

/** The last run of each pipeline or data prep, by its id; refreshes every 10 s. */
export function useLastRuns(type: JobType, { enabled }: { enabled: boolean }) {
  const input = { query: { query: '*', type, aggregate: true, size: jobsSize } }
  return useQuery({
    queryKey: routeKey(searchStatuses, input),
    queryFn: ({ signal }) => call(searchStatuses, input, { signal }),
    select: (page) => new Map(page.items.map((job): [string, Job] => [job.rootId ?? '', job])),
    refetchInterval: refreshEvery(intervals.listMs),
    enabled,
  })
}

const followed = new Set<string>()

/**
 * Waits for the end of a run, wherever the user goes meanwhile, and has it told; a run that is followed already is left alone.
 * @param tellEnd told the job once it has ended
 */
export async function followRun(jobId: string, tellEnd: (job: Job) => void | Promise<void>): Promise<void> {
  if (followed.has(jobId)) return
  followed.add(jobId)
  try {
    await tellEnd(await endOfRun(jobId))
  } catch (error) {
    // who has signed out is told nothing
    if (!(error instanceof ApiError && (error.status === 401 || error.status === 403))) toastError(error)
  } finally {
    followed.delete(jobId)
  }
}

/**
 * A run once it has ended.
 * @param signal ends the waiting
 */
export async function endOfRun(jobId: string, signal?: AbortSignal): Promise<Job> {
  const startedAt = Date.now()
  for (;;) {
    const job = await readJob(jobId, signal)
    if (job === null) throw new Error('You no longer have access to this run.')
    if (isRunOver(job)) return job
    await new Promise((resolve) => setTimeout(resolve, waitMs(Date.now() - startedAt)))
    signal?.throwIfAborted()
  }
}

function waitMs(ageMs: number): number {
  if (isLimited()) return intervals.limitedMs
  return ageMs < youngMs ? youngIntervalMs : intervals.statusMs
}

async function readJob(jobId: string, signal?: AbortSignal): Promise<Job | null> {
  const input = { query: { jobId, size: pageSizes.details } }
  const page = await call(searchStatuses, input, { keep: true, ...(signal ? { signal } : {}) })
  return page.items[0] ?? null
}
