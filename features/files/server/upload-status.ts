import { writeMessage } from '@headwater/logs/server'
import type { Executor } from '@headwater/server-kit'
import type { JobStatus } from '@headwater/statuses/contract'
import type { ContentReceipt, IngestState } from '../contract/index.ts'
import type { FileState, StoredFile } from './file-rows.ts'
import { contentsOf } from './parts-store.ts'
import type { UploadDependencies } from './upload-dependencies.ts'

/**
 * Updates the status of a file in its job, and in the jobs of uploads that repeat it. Part of the caller's transaction if
 * `executor` is given.
 */
export async function reportStatus(
  deps: UploadDependencies,
  file: StoredFile,
  executor?: Executor,
): Promise<void> {
  await reportAs(deps, file, file, executor)
  for (const repetition of await deps.store.listRepetitions(file.id, executor))
    await reportAs(deps, repetition, file, executor)
}

/** Updates the status of an upload with the state of a file. The upload created the file or repeats it. */
export async function reportAs(
  deps: UploadDependencies,
  { jobId, id }: StoredFile,
  file: StoredFile,
  executor?: Executor,
): Promise<void> {
  // A client that waits for a file fails immediately on WARN, but keeps waiting on ERROR. If it requested to avoid
  // duplicates, it interprets WARN as a file that already exists.
  if (file.state === 'rejected' && !file.avoidDuplicates)
    await deps.statuses.addComponent(
      jobId,
      {
        eId: `${id} content`,
        component: 'Content',
        status: 'WARN',
        message: 'The content is not a valid series file. Nothing was stored.',
        payload: { ...aboutOf(file), fileId: id },
        groupId: file.groupId,
      },
      executor,
    )
  await deps.statuses.updateComponent(jobId, id, { ...statusOf(file), groupId: file.groupId }, executor)
}

/**
 * Writes the result of an ingest to the log of its job. The caller does not wait, because its transaction is open.
 */
export function logResult({ logs }: UploadDependencies, file: StoredFile): void {
  const { status, message } = statusOf(file)
  const source = { jobId: file.jobId, eId: file.id, component: 'ETL', groupId: file.groupId }
  void writeMessage(logs, source, { status, message: `${file.name}: ${message}` })
}

/** Removes the announcement of a file, and writes the reason to the status of its job. */
export async function forgetFile(deps: UploadDependencies, file: StoredFile, message: string): Promise<void> {
  const parts = await deps.store.listParts(file.id)
  await deps.store.forget(file.id)
  await deps.contents.assemblies?.remove(file.id)
  await deps.store.freeContents(contentsOf(parts), (hash) => deps.contents.remove(hash))
  const change = { status: 'ERROR', message, groupId: file.groupId } as const
  await deps.statuses.updateComponent(file.jobId, file.id, change)
}

/** Removes an announced file that will not receive content. A file with content remains. */
export async function abandonUpload(deps: UploadDependencies, fileId: string): Promise<void> {
  const file = await deps.store.find(fileId)
  if (file?.state === 'awaiting') await forgetFile(deps, file, 'The content could not be stored.')
}

function aboutOf(file: StoredFile) {
  return { fileId: file.id, fileName: file.name, fileType: file.type, groupName: file.groupName }
}

const receiptStates: Record<FileState, IngestState> = {
  awaiting: 'PROCESSING',
  ingesting: 'PROCESSING',
  ready: 'READY',
  rejected: 'REJECTED',
  duplicate: 'DUPLICATE',
  repeated: 'READY',
  deleted: 'REJECTED',
}

/** Returns the response to the content of a file. */
export function receiptOf(file: StoredFile): ContentReceipt {
  return {
    fileId: file.id,
    size: file.sizeBytes ?? 0,
    sha256: file.hash ?? '',
    status: receiptStates[file.state],
    message: file.message,
    jobId: file.jobId,
  }
}

function statusOf(file: StoredFile): { status: JobStatus; message: string } {
  switch (file.state) {
    case 'ready':
      return { status: 'INFO', message: file.message || 'Uploaded' }
    case 'rejected':
      return { status: 'ERROR', message: file.message }
    case 'duplicate':
      return { status: 'WARN', message: file.message || 'The file contains no new data and was not stored.' }
    default:
      return { status: 'RUNNING', message: 'Uploaded. Its series are being ingested.' }
  }
}
