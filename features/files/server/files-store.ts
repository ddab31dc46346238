import { sql } from 'kysely'
import { isUuid } from '@headwater/contract'
import type { DataRange } from '@headwater/groups/server'
import { executorOf, tablesOn, type Bound, type Database, type Executor } from '@headwater/server-kit'
import {
  removeFile,
  transferFiles,
  updateFields,
  type FileRemoval,
  type OwnerChange,
} from './change-files.ts'
import type { FileChanges } from './file-changes.ts'
import {
  findFile,
  hasId,
  isReadyAt,
  selectFiles,
  toReadyFile,
  toStoredFile,
  type AnnouncedFile,
  type FileLocation,
  type FileTables,
  type ReadyFile,
  type StoredFile,
} from './file-rows.ts'
import {
  announceFile,
  storeIngestResult,
  receiveContent,
  whileIngesting,
  type IngestResult,
  type ReceiveOutcome,
  type Reception,
} from './receive-content.ts'
import { listRepetitions } from './repeated-uploads.ts'
import { isFileWithin, isNewestWithin } from './file-conditions.ts'
import { listFileVersions, searchFiles, type FileFilter } from './search-files.ts'
import {
  addAssembledPart,
  addPart,
  listPartHashes,
  listParts,
  reserveRange,
  whilePartsRest,
  type StoredPart,
} from './parts-store.ts'
import { freeContents, notePending, removeReleased, settlePending } from './released-contents.ts'
import {
  findTrashed,
  listDeletedBefore,
  listTrashed,
  purgeTrashed,
  removeTrashed,
  restoreTrashed,
} from './trashed-files.ts'
import {
  areOfOneCompany,
  foldStoredBytes,
  readStoredBytes,
  type StorageScope,
  type StoredBytes,
} from './stored-bytes.ts'

/** The files of all groups. */
export interface FilesStore {
  /** Runs `work` in one transaction; an error rolls it back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  /** See {@link announceFile}. */
  announce(file: AnnouncedFile, now: Date, executor: Executor): Promise<boolean>
  /** Returns a file in any state; undefined if it does not exist. */
  find(id: string): Promise<StoredFile | undefined>
  /** Returns the uploads that repeat a file; part of the caller's transaction if `executor` is given. */
  listRepetitions(id: string, executor?: Executor): Promise<StoredFile[]>
  /** Returns whether no newer version of a file lies within a range. */
  isNewestWithin(id: string, range: DataRange): Promise<boolean>
  /** Returns a ready file; for a repeated upload, the first file. Undefined if it does not exist or is not ready. */
  findReady(id: string): Promise<ReadyFile | undefined>
  /** See {@link notePending}. */
  notePending: Bound<typeof notePending>
  /** See {@link settlePending}. */
  settlePending: Bound<typeof settlePending>
  /** See {@link freeContents}. */
  freeContents: Bound<typeof freeContents>
  /** See {@link addPart}. */
  addPart: Bound<typeof addPart>
  /** See {@link reserveRange}. */
  reserveRange: Bound<typeof reserveRange>
  /** See {@link addAssembledPart}. */
  addAssembledPart: Bound<typeof addAssembledPart>
  /** See {@link whilePartsRest}. */
  whilePartsRest<T>(fileId: string, decide: (parts: StoredPart[]) => Promise<T>): Promise<T | undefined>
  /** See {@link listParts}. */
  listParts: Bound<typeof listParts>
  /** See {@link receiveContent}. */
  receive(
    id: string,
    content: { hash: string; sizeBytes: number },
    reception: Reception,
  ): Promise<ReceiveOutcome>
  /** See {@link whileIngesting}. */
  whileIngesting(id: string, work: (executor: Executor) => Promise<void>): Promise<void>
  /** See {@link storeIngestResult}. */
  storeIngestResult(
    id: string,
    outcome: IngestResult,
    now: Date,
    executor?: Executor,
  ): Promise<StoredFile | undefined>
  /** See {@link searchFiles}. */
  search(filter: FileFilter): Promise<{ files: ReadyFile[]; total: number; isAtLeast: boolean }>
  /** Returns the number of files in a group, without older versions. */
  countIn(groupId: number): Promise<number>
  /** Returns the ids of the files and versions of a group whose data range lies within a range. */
  idsWithin(groupId: number, range: DataRange): Promise<string[]>
  /** Returns the ids of the versions of a file with a type; '' for any. */
  versionIds(at: FileLocation, type: string): Promise<string[]>
  /** See {@link listFileVersions}. */
  listVersions(
    file: FileLocation,
    page: { from: number; size: number; range?: DataRange | undefined },
  ): Promise<{ files: ReadyFile[]; total: number }>
  /** See {@link updateFields}. */
  updateFields: Bound<typeof updateFields>
  /** See {@link removeFile}. */
  remove(id: string, removal: FileRemoval): Promise<void>
  /** See {@link listTrashed}. */
  listTrashed: Bound<typeof listTrashed>
  /** See {@link findTrashed}. */
  findTrashed: Bound<typeof findTrashed>
  /** See {@link restoreTrashed}. */
  restoreTrashed: Bound<typeof restoreTrashed>
  /** See {@link removeTrashed}. */
  removeTrashed: Bound<typeof removeTrashed>
  /** See {@link listDeletedBefore}. */
  listDeletedBefore: Bound<typeof listDeletedBefore>
  /** See {@link purgeTrashed}. */
  purgeTrashed: Bound<typeof purgeTrashed>
  /** See {@link transferFiles}. */
  transfer(change: OwnerChange): Promise<number | undefined>
  /** Returns the bytes that count towards the limits of an owner. */
  storedBytes(ownerId: number, scopes: readonly StorageScope[]): Promise<StoredBytes>
  /** Returns whether two users belong to the same company. */
  areOfOneCompany(userId: number, otherId: number): Promise<boolean>
  /** Returns the size of the files of all users, in bytes. */
  storedBytesInAll(): Promise<number>
  /** Adds recorded changes of stored bytes to their sums. Repeating it changes nothing. */
  foldStoredBytes(): Promise<void>
  /** Returns files that were announced before a time and still wait for content or for their ingest. */
  listUnfinished(before: Date): Promise<StoredFile[]>
  /** Returns unfinished files of a group, locked until the end of the transaction. */
  lockUnfinished(groupId: number, executor: Executor): Promise<StoredFile[]>
  /** Deletes the unfinished files of a group. Files that are being restored stay in the trash. */
  removeUnfinished(groupId: number, executor: Executor): Promise<void>
  /** See {@link listPartHashes}. */
  listPartHashes(groupId: number, executor: Executor): Promise<string[]>
  /** Removes the announcement of a file that never received content. */
  forget(id: string): Promise<void>
  /** See {@link removeReleased}. */
  removeReleased: Bound<typeof removeReleased>
}

/** Creates the store in PostgreSQL. */
export function createFilesStore(database: Database, changes: FileChanges): FilesStore {
  const db = database.tables<FileTables>()
  const receiving = { db, changes }
  return {
    transaction: (work) => db.transaction().execute((tx) => work(executorOf(tx))),
    announce: announceFile,
    find: (id) => findFile(db, id),
    listRepetitions: (id, executor) =>
      listRepetitions(executor === undefined ? db : tablesOn<FileTables>(executor), id),
    async findReady(id) {
      if (!isUuid(id)) return undefined
      const row = await selectFiles(db).where(hasId(id)).where('files.state', '=', 'ready').executeTakeFirst()
      return row && toReadyFile(row)
    },
    async isNewestWithin(id, range) {
      const row = await db
        .selectFrom('files')
        .select(isNewestWithin(range).as('is_newest'))
        .where('id', '=', id)
        .executeTakeFirst()
      return row?.is_newest ?? false
    },
    notePending: (hash) => notePending(db, hash),
    settlePending: (hash) => settlePending(db, hash),
    freeContents: (hashes, remove) => freeContents(db, hashes, remove),
    addPart: (...input) => addPart(db, ...input),
    reserveRange: (...input) => reserveRange(db, ...input),
    addAssembledPart: (...input) => addAssembledPart(db, ...input),
    whilePartsRest: (fileId, decide) => whilePartsRest(db, fileId, decide),
    listParts: (id) => listParts(db, id),
    receive: (id, content, reception) => receiveContent(receiving, id, content, reception),
    whileIngesting: (id, work) => whileIngesting(receiving, id, work),
    storeIngestResult: (id, outcome, now, executor) =>
      storeIngestResult(receiving, id, outcome, now, executor),
    search: (filter) => searchFiles(db, filter),
    async countIn(groupId) {
      const { total } = await db
        .selectFrom('files')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where(sql<boolean>`files.state = 'ready' and files.latest and files.group_id = ${groupId}`)
        .executeTakeFirstOrThrow()
      return Number(total)
    },
    async idsWithin(groupId, range) {
      const rows = await db
        .selectFrom('files')
        .select('id')
        .where(sql<boolean>`files.state = 'ready' and files.group_id = ${groupId}`)
        .where(isFileWithin(range))
        .execute()
      return rows.map((row) => row.id)
    },
    async versionIds(at, type) {
      const rows = await db
        .selectFrom('files')
        .select('id')
        .where(isReadyAt(at))
        .$if(type !== '', (query) => query.where('type', '=', type))
        .execute()
      return rows.map(({ id }) => id)
    },
    listVersions: (file, page) => listFileVersions(db, file, page),
    updateFields: (...input) => updateFields(db, ...input),
    remove: (id, removal) => removeFile(receiving, id, removal),
    listTrashed: (...input) => listTrashed(db, ...input),
    findTrashed: (id) => findTrashed(db, id),
    restoreTrashed: (...input) => restoreTrashed(receiving, ...input),
    removeTrashed: (id) => removeTrashed(receiving, id),
    listDeletedBefore: (before, except) => listDeletedBefore(db, before, except),
    purgeTrashed: (ids) => purgeTrashed(receiving, ids),
    transfer: (change) => transferFiles(db, change),
    storedBytes: (ownerId, scopes) => readStoredBytes(db, ownerId, scopes),
    areOfOneCompany: (userId, otherId) => areOfOneCompany(db, userId, otherId),
    async storedBytesInAll() {
      const { total } = await db
        .selectFrom('stored_bytes')
        .select(sql<number>`coalesce(sum(bytes), 0)::bigint`.as('total'))
        .executeTakeFirstOrThrow()
      return total
    },
    foldStoredBytes: () => foldStoredBytes(db),
    async listUnfinished(before) {
      const rows = await selectFiles(db)
        .where('files.state', 'in', ['awaiting', 'ingesting'])
        .where('files.announced_at', '<', before)
        .orderBy('files.announced_at')
        .limit(1000)
        .execute()
      return rows.map(toStoredFile)
    },
    async lockUnfinished(groupId, executor) {
      const rows = await selectFiles(tablesOn<FileTables>(executor))
        .where('files.state', 'in', ['awaiting', 'ingesting'])
        .where('files.group_id', '=', groupId)
        .forUpdate('files')
        .execute()
      return rows.map(toStoredFile)
    },
    async removeUnfinished(groupId, executor) {
      await executor.query(
        `delete from files where group_id = $1 and state in ('awaiting', 'ingesting') and deleted_at is null`,
        [groupId],
      )
      await executor.query(
        `update files set state = 'deleted' where group_id = $1 and state = 'ingesting' and deleted_at is not null`,
        [groupId],
      )
    },
    listPartHashes: (groupId, executor) => listPartHashes(tablesOn<FileTables>(executor), groupId),
    async forget(id) {
      await db.deleteFrom('files').where('id', '=', id).where('state', '=', 'awaiting').execute()
    },
    removeReleased: (olderThanMs, remove) => removeReleased(db, olderThanMs, remove),
  }
}
