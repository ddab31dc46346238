import { useQuery } from '@tanstack/react-query'
import { subscribeToJobs, useJobRefetch } from '@headwater/events/web'
import {
  ApiError,
  call,
  dismissToast,
  intervals,
  isLimited,
  isLimitStatus,
  pageSizes,
  refreshEvery,
  routeKey,
  toastError,
} from '@headwater/web-kit'
import { searchStatuses, type Job, type JobType } from '../contract/index.ts'

/** Age up to which a run is polled more often, because most runs end within seconds. */
const newRunMs = 10_000
const newRunIntervalMs = 1000
/** Minimum time between two refreshes of the last runs after changes, because each refresh reads up to 500 jobs. */
const lastRunsGapMs = 2000
/** Maximum number of jobs that are read to find the last runs of a list. */
const jobsSize = 500

/** Returns whether a run has ended. */
export function isRunOver(job: Pick<Job, 'endTime'>): boolean {
  return job.endTime !== undefined
}

/** Returns the message of the run itself, not of a file that it wrote. */
export function runMessage(job: Pick<Job, 'jobId' | 'componentStatuses' | 'latestStatus'>): string {
  const own = job.componentStatuses.find(({ eId }) => eId === job.jobId)
  return own?.message ?? job.latestStatus.message
}

/** Follows a run until it has ended; null if the user has no access to it. */
export function useRun(jobId: string | undefined) {
  const queryKey = routeKey(searchStatuses, { query: { jobId: jobId ?? '', size: pageSizes.details } })
  const query = useQuery({
    queryKey,
    queryFn: ({ signal }) => readJob(jobId!, signal),
    enabled: jobId !== undefined,
    staleTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      runInterval(data ?? undefined, dataUpdateCount),
  })
  const isOpen = jobId !== undefined && (query.data == null || !isRunOver(query.data))
  useJobRefetch({ type: 'status', jobId, enabled: isOpen }, queryKey)
  return query
}

/**
 * Returns the refresh interval of a run: 1 s at first, then 5 s, in milliseconds; false if the run has ended or the API is
 * rate-limited.
 * @param updates number of responses so far
 */
export function runInterval(run: Pick<Job, 'endTime'> | undefined, updates: number): number | false {
  if (isLimited() || (run !== undefined && isRunOver(run))) return false
  return updates * newRunIntervalMs < newRunMs ? newRunIntervalMs : intervals.statusMs
}

/** Returns the last run of each pipeline or data prep by item id; refreshes every 10 s and after changes. */
export function useLastRuns(type: JobType, { enabled }: { enabled: boolean }) {
  const input = { query: { query: '*', type, aggregate: true, size: jobsSize } }
  const query = useQuery({
    queryKey: routeKey(searchStatuses, input),
    queryFn: ({ signal }) => call(searchStatuses, input, { signal }),
    select: (page) => new Map(page.items.map((job): [string, Job] => [job.rootId ?? '', job])),
    refetchInterval: refreshEvery(intervals.listMs),
    enabled,
  })
  useJobRefetch({ type: 'status', enabled, gapMs: lastRunsGapMs }, routeKey(searchStatuses, input))
  return query
}

const followed = new Set<string>()

/**
 * Waits for a run to end, even if the user leaves the page, and calls `onEnd`. Ignores a run that is already followed.
 * @param onEnd called with the ended job
 */
export async function followRun(jobId: string, onEnd: (job: Job) => void | Promise<void>): Promise<void> {
  if (followed.has(jobId)) return
  followed.add(jobId)
  try {
    await onEnd(await endOfRun(jobId))
  } catch (error) {
    // The user has signed out.
    if (!(error instanceof ApiError && (error.status === 401 || error.status === 403))) toastError(error)
  } finally {
    followed.delete(jobId)
  }
}

/** Minimum time for which the message about the start of a run is displayed, so that it can be read. */
const minStartedMs = 2000

/**
 * Dismisses the message about the start of a run when the run has ended and the message is outdated.
 * @param started the id of the toast
 * @param ended settles when the run has ended
 */
export async function dismissAtEnd(started: number, ended: Promise<unknown>): Promise<void> {
  const wasRead = new Promise((resolve) => setTimeout(resolve, minStartedMs))
  await Promise.allSettled([ended, wasRead])
  dismissToast(started)
}

/**
 * Waits for a run to end and returns it. Continues after interruptions of the network or the server.
 * @param signal cancels the wait
 */
export async function endOfRun(jobId: string, signal?: AbortSignal): Promise<Job> {
  const startedAt = Date.now()
  for (;;) {
    const job = await readJob(jobId, signal).catch(ignoreInterruption)
    if (job === null) throw new Error('You no longer have access to this run.')
    if (job !== undefined && isRunOver(job)) return job
    await changeOf(jobId, waitMs(Date.now() - startedAt))
    signal?.throwIfAborted()
  }
}

/** Returns undefined for a temporary error, after which the next call can succeed; throws other errors. */
function ignoreInterruption(error: unknown): undefined {
  if (!(error instanceof ApiError && (!error.isFromServer || isLimitStatus(error.status)))) throw error
}

/** Resolves when a job has changed, at the latest after `atMostMs`. */
function changeOf(jobId: string, atMostMs: number): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      unsubscribe()
      clearTimeout(timer)
      resolve()
    }
    const unsubscribe = subscribeToJobs((event) => {
      if (!isLimited() && (event.type === 'reset' || (event.type === 'status' && event.jobId === jobId)))
        end()
    })
    const timer = setTimeout(end, atMostMs)
  })
}

function waitMs(ageMs: number): number {
  if (isLimited()) return intervals.limitedMs
  return ageMs < newRunMs ? newRunIntervalMs : intervals.statusMs
}

async function readJob(jobId: string, signal?: AbortSignal): Promise<Job | null> {
  const input = { query: { jobId, size: pageSizes.details } }
  const page = await call(searchStatuses, input, { keep: true, ...(signal ? { signal } : {}) })
  return page.items[0] ?? null
}
