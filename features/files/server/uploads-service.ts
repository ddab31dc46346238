import type { Bound, Executor } from '@headwater/server-kit'
import { announceUpload } from './announce-upload.ts'
import { scheduleContentRemoval, registerContentRemoval } from './content-removal.ts'
import { countForFileOwners, countForGroupOwner } from './bytes-of-deleted-groups.ts'
import {
  finishIngest,
  openIngest,
  reportIngest,
  type StreamingReader,
  type IngestFile,
  type IngestOutcome,
} from './ingest-files.ts'
import { saveVersion } from './save-version.ts'
import { createPartMemory } from './part-memory.ts'
import { createPartPlacements } from './part-placements.ts'
import { registerSweep, sweepUploads } from './sweep-uploads.ts'
import { uploadContent } from './upload-content.ts'
import type { UploadDependencies } from './upload-dependencies.ts'
import { completeUpload, listStoredParts, storePart } from './upload-parts.ts'
import { abandonUpload } from './upload-status.ts'

/** File uploads, from creation to ingest. */
export interface UploadsService {
  /** See {@link announceUpload}. */
  create: Bound<typeof announceUpload>
  /** See {@link uploadContent}. */
  putContent: Bound<typeof uploadContent>
  /** See {@link saveVersion}. */
  saveVersion: Bound<typeof saveVersion>
  /** See {@link storePart}. */
  putPart: Bound<typeof storePart>
  /** See {@link listStoredParts}. */
  listParts: Bound<typeof listStoredParts>
  /** See {@link completeUpload}. */
  completeParts: Bound<typeof completeUpload>
  /** See {@link sweepUploads}. */
  sweep(): Promise<void>
  /** See {@link abandonUpload}. */
  abandon: Bound<typeof abandonUpload>
  /**
   * Marks the unfinished uploads of a group as failed, in the transaction that deletes the group. Finished files then count
   * towards the storage limit of the group's owner.
   */
  onGroupDeleted(groupId: number, executor: Executor, ownerId: number): Promise<void>
  /**
   * Counts the files of a group towards the storage limits of their owners again, in the transaction that restores
   * the group.
   * @throws ownersLimitReached
   */
  onGroupRestored(groupId: number, executor: Executor): Promise<void>
  /** Schedules the hourly sweep. */
  resume(): Promise<void>
  /** Sets the function that starts to read a series file during its upload. */
  setStreamingReader(open: (file: IngestFile) => StreamingReader | undefined): void
  /** See {@link openIngest}. */
  openIngest: Bound<typeof openIngest>
  /** See {@link reportIngest}. */
  reportIngest: Bound<typeof reportIngest>
  /** Records the result of ingesting a file, as part of a transaction. Repeating it changes nothing. */
  finishIngest(executor: Executor, fid: string, outcome: IngestOutcome): Promise<void>
}

/** Creates the uploads service. */
export function createUploadsService(
  given: Omit<UploadDependencies, 'openStreamingReader' | 'partMemory' | 'placements'>,
): UploadsService {
  const deps: UploadDependencies = {
    ...given,
    openStreamingReader: () => undefined,
    partMemory: createPartMemory(),
    placements: createPartPlacements(),
  }
  const { store, statuses } = deps
  const completing = new Map<string, Promise<unknown>>()
  registerContentRemoval(deps)
  return {
    create: (...input) => announceUpload(deps, ...input),
    putContent: (...input) => uploadContent(deps, ...input),
    saveVersion: (...input) => saveVersion(deps, ...input),
    putPart: (...input) => storePart(deps, ...input),
    listParts: (...input) => listStoredParts(deps, ...input),
    completeParts: (fileId, token, whole) =>
      // Joining reads and writes the whole content, so only one join per file runs at a time.
      oneAtATime(completing, fileId, () => completeUpload(deps, fileId, token, whole)),
    sweep: () => sweepUploads(deps),
    abandon: (fileId) => abandonUpload(deps, fileId),
    async onGroupDeleted(groupId, executor, ownerId) {
      const change = {
        status: 'ERROR',
        groupId,
        message: 'The group was deleted before the upload finished.',
      } as const
      const unfinished = await store.lockUnfinished(groupId, executor)
      for (const file of unfinished)
        if (!file.isBeingRestored) await statuses.updateComponent(file.jobId, file.id, change, executor)
      const hashes = await store.listPartHashes(groupId, executor)
      const uploads = deps.contents.assemblies === undefined ? [] : unfinished.map(({ id }) => id)
      await scheduleContentRemoval(deps, hashes, uploads, executor)
      await store.removeUnfinished(groupId, executor)
      await countForGroupOwner(groupId, executor, ownerId)
    },
    onGroupRestored: (groupId, executor) => countForFileOwners(deps, groupId, executor),
    resume: registerSweep(deps),
    setStreamingReader(open) {
      deps.openStreamingReader = open
    },
    openIngest: (fid) => openIngest(deps, fid),
    reportIngest: (fid, progress) => reportIngest(deps, fid, progress),
    finishIngest: (executor, fid, outcome) => finishIngest(deps, executor, fid, outcome),
  }
}

/** Calls `work` after the earlier calls with the same key have ended. */
async function oneAtATime<T>(
  running: Map<string, Promise<unknown>>,
  key: string,
  work: () => Promise<T>,
): Promise<T> {
  const earlier = running.get(key)
  const own = (earlier ?? Promise.resolve()).then(work)
  const ended = own.catch(() => {})
  running.set(key, ended)
  try {
    return await own
  } finally {
    if (running.get(key) === ended) running.delete(key)
  }
}
