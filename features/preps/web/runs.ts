import {
  ApiError,
  call,
  callRaw,
  dismissToast,
  links,
  saveAddress,
  toast,
  toastError,
} from '@headwater/web-kit'
import { getFile } from '@headwater/files/contract'
import type { Job } from '@headwater/statuses/contract'
import { followRun, runMessage } from '@headwater/statuses/web'
import { runDataPrep } from '../contract/index.ts'

/** How long it is told that a run goes on, however short it is. */
const leastShownMs = 2000

/** The data prep that is run, as it was saved. */
export interface RunnablePrep {
  id: string
  name: string
  outputGroup: string
  version: number
  symbolCount: number
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
    const started = toast({
      kind: 'info',
      title: 'Your data prep is running.',
      ...(download ? { text: 'Downloading the file will start soon.' } : {}),
    })
    const wasRead = new Promise((resolve) => setTimeout(resolve, leastShownMs))
    // once the run has ended it is no longer true
    void Promise.all([followPrepRun(jobId, prep, { download }), wasRead]).finally(() => dismissToast(started))
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
    title: 'This data prep is already running.',
    text: 'Wait until the run finishes, then start it again.',
  })
}

/** Follows a run of a data prep to its end, wherever the user goes meanwhile, and tells it. */
export function followPrepRun(
  jobId: string,
  prep: Pick<RunnablePrep, 'name' | 'outputGroup'>,
  { download }: { download: boolean },
): Promise<void> {
  return followRun(jobId, (job) => tellEnd(job, prep, download))
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
