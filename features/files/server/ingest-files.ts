import type { JobQueue } from '@headwater/jobs'
import type { Executor } from '@headwater/server-kit'
import type { StoredFile } from './file-rows.ts'
import type { UploadDependencies } from './upload-dependencies.ts'
import { logResult, reportStatus } from './upload-status.ts'

/** Kind of the job that ingests the series of a file; its payload is an {@link IngestPayload}. */
export const ingestJobKind = 'ingest-ncsv'

/** Payload of a job that ingests a file. */
export interface IngestPayload {
  /** Id of the file. */
  fileId: string
  /** Id of the group. */
  groupId: number
}

/** Returns the serial key of all jobs that change the series of a group. Jobs with the same key run one at a time. */
export function seriesSerialKey(groupId: number): string {
  return `series ${groupId}`
}

/** Result of ingesting a file. */
export interface IngestOutcome {
  /** DUPLICATE: the file has no new data and is not stored. REJECTED: it is not valid and is not stored. */
  state: 'READY' | 'REJECTED' | 'DUPLICATE'
  /** Message for users; for a rejected file the row, the column and the problem. */
  message: string
}

/** Progress of ingesting a file. */
export interface IngestProgress {
  /** Number of ingested rows. */
  rows: number
  /** Number of read bytes. */
  bytes: number
  /** Size of the content. */
  sizeBytes: number
}

/** A file to ingest. */
export interface IngestFile {
  /** Id of the file. */
  fid: string
  /** Hash of the content; empty during the upload. */
  hash: string
  /** Id of the group. */
  groupId: number
  /** Size of the content. */
  sizeBytes: number
  /** Options of the upload. */
  flags: { partialUpdate: boolean; avoidDuplicates: boolean; skipMetadata: boolean }
  /** Whether the file was deleted and is being restored. Its points then get their previous version again. */
  isRestored: boolean
  /** The bytes. The content is opened when the first byte is read. */
  content: AsyncIterable<Uint8Array>
}

/**
 * Reads a series file during its upload, so that ingesting it is faster. The upload may still fail, or its content may
 * differ from the hash that the client announced.
 */
export interface StreamingReader {
  /** Passes the next bytes to the reader. Resolves when it accepts more; never rejects. */
  take(chunk: Uint8Array): Promise<void>
  /** Called after the last byte if the content is complete; `hash` is its hash. */
  end(hash: string): void
  /** Discards the result, unless the ingest job has already taken it. */
  drop(): Promise<void>
}

/** Returns the file of an ingest job; undefined if it was ingested or deleted in the meantime. */
export async function openIngest(deps: UploadDependencies, fid: string): Promise<IngestFile | undefined> {
  const file = await deps.store.find(fid)
  if (file?.state !== 'ingesting' || file.hash === undefined) return undefined
  return ingestFileOf(deps, file)
}

/** Returns a stored file as input for its ingest. */
export function ingestFileOf(deps: UploadDependencies, file: StoredFile): IngestFile {
  const { id: fid, hash = '', groupId, sizeBytes = 0, partialUpdate, avoidDuplicates, skipMetadata } = file
  const { isBeingRestored: isRestored } = file
  // A restored file stores all of its rows again, regardless of what has been stored since.
  const flags = { partialUpdate, avoidDuplicates: avoidDuplicates && !isRestored, skipMetadata }
  return { isRestored, fid, hash, groupId, sizeBytes, flags, content: lazily(() => deps.contents.read(hash)) }
}

/** Shows the progress of an ingest in the status of the upload. */
export async function reportIngest(
  { store, statuses }: UploadDependencies,
  fid: string,
  { rows, bytes, sizeBytes }: IngestProgress,
): Promise<void> {
  const file = await store.find(fid)
  if (file?.state !== 'ingesting' || file.isBeingRestored) return
  const percent = sizeBytes === 0 ? 100 : Math.floor((100 * bytes) / sizeBytes)
  const message = `${rows} rows of the file have been read, ${percent}%.`
  await statuses.updateComponent(file.jobId, fid, { status: 'RUNNING', message, groupId: file.groupId })
}

/** Records the result of ingesting a file, as part of the caller's transaction if `executor` is given. */
export async function finishIngest(
  deps: UploadDependencies,
  executor: Executor | undefined,
  fid: string,
  outcome: IngestOutcome,
) {
  const file = await deps.store.storeIngestResult(
    fid,
    { state: ingestedStates[outcome.state], message: outcome.message },
    deps.clock.now(),
    executor,
  )
  if (file === undefined) return
  await reportStatus(deps, file, executor)
  logResult(deps, file)
}

/** Adds the job that ingests a file, and returns its id. */
export function enqueueIngest(
  deps: Pick<UploadDependencies, 'jobs'>,
  file: Pick<StoredFile, 'id' | 'groupId' | 'ownerId'>,
  transaction: Parameters<JobQueue['enqueue']>[3],
): Promise<string> {
  const payload: IngestPayload = { fileId: file.id, groupId: file.groupId }
  return deps.jobs.enqueue(
    ingestJobKind,
    payload,
    { serialKey: seriesSerialKey(file.groupId), fairKey: String(file.ownerId) },
    transaction,
  )
}

/** Waits until a file is ingested, but at most `ingestWaitMs`. Returns the file in its state at that time. */
export async function ingested(deps: UploadDependencies, file: StoredFile): Promise<StoredFile> {
  if (file.state !== 'ingesting' || file.ingestJobId === undefined) return file
  await deps.jobs.waitFor(file.ingestJobId, deps.ingestWaitMs)
  return (await deps.store.find(file.id)) ?? file
}

/** Returns whether the job of a file has ended. */
export async function isIngestOver(deps: UploadDependencies, file: StoredFile): Promise<boolean> {
  const job = file.ingestJobId === undefined ? undefined : await deps.jobs.find(file.ingestJobId)
  return job === undefined || job.state === 'done' || job.state === 'failed'
}

const ingestedStates = { READY: 'ready', REJECTED: 'rejected', DUPLICATE: 'duplicate' } as const

async function* lazily(open: () => Promise<AsyncIterable<Uint8Array>>): AsyncGenerator<Uint8Array> {
  yield* await open()
}
