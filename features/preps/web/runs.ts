import { ApiError, call, callRaw, links, saveAddress, toast, toastError } from '@headwater/web-kit'
import { getFile } from '@headwater/files/contract'
import { pollDefinition } from '@headwater/files/web'
import { type Job, visibleStatus } from '@headwater/statuses/contract'
import { dismissAtEnd, followRun, runMessage } from '@headwater/statuses/web'
import { runDataPrep, stopDataPrepRun } from '../contract/index.ts'

/** A saved data prep to run. */
export interface RunnablePrep {
  /** Id of the data prep. */
  id: string
  /** Name of the data prep. */
  name: string
  /** Name of its group. */
  outputGroup: string
  /** Number of the version to run. */
  version: number
  /** Number of entries of its basket. */
  symbolCount: number
}

/**
 * Starts a run of a saved version, shows a message, and follows the run until it finishes.
 * @returns the job; undefined if the run did not start, after an error message
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
    void dismissAtEnd(started, followPrepRun(jobId, prep, { download }))
    return jobId
  } catch (error) {
    if (error instanceof ApiError && error.code === 'prepRunning') warnRunning()
    else toastError(error)
    return undefined
  }
}

/** Stops a run; {@link followPrepRun} shows that it was stopped. */
export async function stopRun(jobId: string): Promise<void> {
  try {
    await call(stopDataPrepRun, { body: { jobId } })
  } catch (error) {
    toastError(error)
  }
}

/** Shows a warning that the data prep is already running. */
export function warnRunning(): void {
  toast({
    kind: 'warn',
    title: 'This data prep is already running.',
    text: 'Wait until the run finishes, or stop it. Then start it again.',
  })
}

/** Follows a run until it finishes, also on other pages, and shows the result. */
export function followPrepRun(
  jobId: string,
  prep: Pick<RunnablePrep, 'name' | 'outputGroup'>,
  { download }: { download: boolean },
): Promise<void> {
  return followRun(jobId, (job) => reportEnd(job, prep, download))
}

async function reportEnd(
  job: Job,
  prep: Pick<RunnablePrep, 'name' | 'outputGroup'>,
  download: boolean,
): Promise<void> {
  const title = runMessage(job)
  if (visibleStatus({ status: job.status, message: title }) === 'STOPPED') {
    toast({ kind: 'info', title: `The run of ${prep.name} was stopped.` })
    return
  }
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
  const response = await pollDefinition(() => callRaw(getFile, { params: { fid: fileId } }, { keep: true }))
  const location = response.headers.get('Location')
  if (location === null)
    throw new ApiError({ status: 500, code: 'noLocation', message: 'Internal server error' })
  // The address is absolute for other programs; the browser stays on its own origin.
  const { pathname, search } = new URL(location)
  saveAddress(pathname + search, fileName)
}
