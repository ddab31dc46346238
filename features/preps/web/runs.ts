import { useQuery } from '@tanstack/react-query'
import {
  ApiError,
  call,
  callRaw,
  intervals,
  isLimited,
  links,
  pageSizes,
  routeKey,
  saveAddress,
  toast,
  toastError,
} from '@headwater/web-kit'
import { getFile } from '@headwater/files/contract'
import { searchStatuses, type Job } from '@headwater/statuses/contract'
import { runDataPrep } from '../contract/index.ts'

/** While a run is young its status is asked for often; most runs end within seconds. */
const youngMs = 10_000
const youngIntervalMs = 1000

/** The data prep that is run, as it was saved. */
export interface RunnablePrep {
  id: string
  name: string
  outputGroup: string
  version: number
  symbolCount: number
}

/** Whether a job has ended. */
export function isOver(job: Pick<Job, 'endTime'>): boolean {
  return job.endTime !== undefined
}

/** What the run itself says last; the word of its file is another. */
export function runMessage(job: Pick<Job, 'jobId' | 'componentStatuses' | 'latestStatus'>): string {
  const own = job.componentStatuses.find(({ eId }) => eId === job.jobId)
  return own?.message ?? job.latestStatus.message
}

/**
 * Starts a run of a saved version, says so, and follows it to its end.
 * @returns the job; undefined when it was not started, which has been told
 */
export async function startRun(
  prep: RunnablePrep,
  { download }: { download: boolean },
): Promise<string | undefined> {
  if (prep.symbolCount === 0) {
    toast({
      kind: 'warn',
      title: 'The basket is empty.',
      text: 'Add at least one symbol before you run the data prep.',
    })
    return undefined
  }
  try {
    const { jobId } = await call(
      runDataPrep,
      { params: { id: prep.id }, query: { version: prep.version } },
      { keep: true },
    )
    toast({
      kind: 'info',
      title: 'Your data prep is running.',
      ...(download ? { text: 'Downloading the file will start soon.' } : {}),
    })
    void followRun(jobId, prep, { download })
    return jobId
  } catch (error) {
    if (error instanceof ApiError && error.code === 'prepRunning') tellRunning()
    else toastError(error)
    return undefined
  }
}

/** Says that a second run has to wait. */
export function tellRunning(): void {
  toast({
    kind: 'warn',
    title: 'This data prep is running already.',
    text: 'Start it again when the run has ended.',
  })
}

const followed = new Set<string>()

/** Waits for the end of a run, wherever the user goes meanwhile, and tells it; a run that is followed already is left alone. */
export async function followRun(
  jobId: string,
  prep: Pick<RunnablePrep, 'name' | 'outputGroup'>,
  { download }: { download: boolean },
): Promise<void> {
  if (followed.has(jobId)) return
  followed.add(jobId)
  const startedAt = Date.now()
  try {
    for (;;) {
      const job = await readJob(jobId)
      if (job !== null && isOver(job)) {
        await tellEnd(job, prep, download)
        return
      }
      await new Promise((resolve) => setTimeout(resolve, waitMs(Date.now() - startedAt)))
    }
  } catch (error) {
    // who has signed out is told nothing
    if (!(error instanceof ApiError && (error.status === 401 || error.status === 403))) toastError(error)
  } finally {
    followed.delete(jobId)
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

/** A run as it stands, read again and again until it has ended; null when the user cannot see it. */
export function useRun(jobId: string | undefined) {
  return useQuery({
    queryKey: routeKey(searchStatuses, { query: { jobId: jobId ?? '', size: pageSizes.details } }),
    queryFn: ({ signal }) => readJob(jobId!, signal),
    enabled: jobId !== undefined,
    staleTime: 0,
    refetchInterval: ({ state: { data, dataUpdateCount } }) => {
      if (isLimited() || (data !== undefined && data !== null && isOver(data))) return false
      return dataUpdateCount * youngIntervalMs < youngMs ? youngIntervalMs : intervals.statusMs
    },
  })
}

async function tellEnd(
  job: Job,
  prep: Pick<RunnablePrep, 'name' | 'outputGroup'>,
  download: boolean,
): Promise<void> {
  const title = runMessage(job)
  if (job.status === 'ERROR') {
    toast({ kind: 'error', title: `The run of ${prep.name} failed.`, text: title })
    return
  }
  const fileId = job.componentStatuses.find(({ payload }) => payload.fileId !== undefined)?.payload.fileId
  const kind = job.status === 'WARN' ? 'warn' : 'success'
  if (fileId === undefined) {
    toast({ kind, title })
    return
  }
  toast({ kind, title, action: { label: 'Show file', href: links.lakeFile(prep.outputGroup, fileId) } })
  if (download) await downloadFile(fileId, `${prep.name}.csv`)
}

async function downloadFile(fileId: string, fileName: string): Promise<void> {
  const response = await callRaw(getFile, { params: { fid: fileId } }, { keep: true })
  const location = response.headers.get('Location')
  if (location === null)
    throw new ApiError({ status: 500, code: 'noLocation', message: 'Internal server error' })
  // The address is absolute for other programs; the browser stays on its own origin.
  const { pathname, search } = new URL(location)
  saveAddress(pathname + search, fileName)
}
