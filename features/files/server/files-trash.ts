import { extname } from 'node:path'
import { invalidInput } from '@headwater/contract'
import { trashErrors, type DeletedObject } from '@headwater/groups/contract'
import { parseNewName, purgeInBatches, type GroupAccess, type TrashBin } from '@headwater/groups/server'
import { formatUtcSeconds, type Principal } from '@headwater/server-kit'
import type { JobQueue } from '@headwater/jobs'
import { fileName, isSeriesFile } from '../contract/index.ts'
import type { FilesStore } from './files-store.ts'
import { enqueueIngest } from './ingest-files.ts'
import type { TrashedFile } from './trashed-files.ts'

/** Dependencies of the trash of files. */
export interface FilesTrashDependencies {
  /** Stores files. */
  store: FilesStore
  /** Checks access to groups. */
  groups: GroupAccess
  /** Queue of ingests. */
  jobs: JobQueue
  /** Time that the response to a restoration waits for the series, in ms. */
  ingestWaitMs: number
}

/** Creates the trash of files. Users with write access to a group can restore its files. Owners can see their own files. */
export function createFilesTrash({ store, groups, jobs, ingestWaitMs }: FilesTrashDependencies): TrashBin {
  /** Returns a deleted file for a caller with write access to its group. */
  async function require(principal: Principal, id: string): Promise<TrashedFile> {
    const file = await store.findTrashed(id)
    if (file === undefined) throw trashErrors.notInTrash()
    try {
      await groups.getGroupById(principal, file.groupId, 'RW')
    } catch (error) {
      // If the caller cannot read the group, only the owner of the file may learn that it exists.
      if ((error as { status?: number }).status === 404 && file.ownerId !== principal.userId)
        throw trashErrors.notInTrash()
      throw error
    }
    return file
  }

  return {
    async list(principal, query) {
      const scope = await groups.scope(principal, 'RW')
      const { files, total } = await store.listTrashed({ scope, ownerId: principal.userId, query })
      return { total, items: files.map((file) => toDeleted(file, scope.has(file.groupId))) }
    },
    async restore(principal, id, newName) {
      const name = parseNewName(fileName, newName)
      const file = await require(principal, id)
      checkExtension(file.name, name)
      const outcome = await store.restoreTrashed(id, {
        name,
        userId: principal.userId,
        enqueue: (executor) => enqueueIngest({ jobs }, file, executor),
      })
      const result = { id, name: name ?? file.name, groupName: file.groupName }
      if (outcome === 'restored') return { ...result, isBeingRestored: false }
      if (outcome === 'nameTaken') throw trashErrors.nameTaken({ name: result.name })
      if (outcome !== 'ingesting') throw trashErrors[outcome]()
      const waiting = await store.findTrashed(id)
      if (waiting?.ingestJobId) await jobs.waitFor(waiting.ingestJobId, ingestWaitMs)
      const left = await store.findTrashed(id)
      if (left !== undefined && !left.isBeingRestored) throw trashErrors.notRestored({ reason: left.message })
      return { ...result, isBeingRestored: left !== undefined }
    },
    async remove(principal, id) {
      const file = await require(principal, id)
      if (file.isBeingRestored) throw trashErrors.isBeingRestored()
      if (!(await store.removeTrashed(id))) throw trashErrors.notInTrash()
    },
    purge: (before) =>
      purgeInBatches<string>(
        (except) => store.listDeletedBefore(before, except),
        (ids) => store.purgeTrashed(ids),
      ),
  }
}

function toDeleted(file: TrashedFile, canRestore: boolean): DeletedObject {
  const isSeries = isSeriesFile(file.type)
  return {
    id: file.id,
    name: file.name,
    keys: null,
    groupName: file.groupName,
    owner: file.ownerName,
    deletedBy: file.deletedBy,
    deletedAt: formatUtcSeconds(file.deletedAt),
    sizeBytes: file.sizeBytes,
    content: `${isSeries ? 'Series, version' : 'Version'} ${file.version}`,
    file: { version: file.version, isSeries },
    isBeingRestored: file.isBeingRestored,
    message: file.isBeingRestored ? '' : file.message,
    canRestore,
  }
}

/** Checks the new name of a restored file. Its extension must stay the same, because its type and compression do. */
function checkExtension(stored: string, name: string | undefined): void {
  const extension = extname(stored)
  if (name === undefined || extname(name).toLowerCase() === extension.toLowerCase()) return
  const advice = extension === '' ? 'Use a name without an extension' : `Keep the extension ${extension}`
  throw invalidInput([{ field: 'name', message: `${advice}: the type of the file does not change.` }])
}
