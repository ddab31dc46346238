import { sql, type Kysely, type RawBuilder, type Selectable, type Transaction } from 'kysely'
import { isUuid } from '@headwater/contract'
import type { AccessScope } from '@headwater/groups/server'
import { executorOf, tablesOn, type Database, type Executor } from '@headwater/server-kit'
import { isSeriesFile, type FieldMap } from '../contract/index.ts'
import { fileConditions } from './file-conditions.ts'
import type { FileQuery } from './file-query.ts'
import {
  areOfOneCompany,
  foldStoredBytes,
  lockStoredBytes,
  readStoredBytes,
  type StorageScope,
  type StoredBytes,
} from './stored-bytes.ts'

/** Where a file is on its way: announced, being taken over as series, there, or refused. */
export type FileState = 'awaiting' | 'ingesting' | 'ready' | 'rejected' | 'duplicate'

interface FileTables {
  files: {
    id: string
    group_id: number
    name: string
    type: string
    owner_id: number
    saved_by: number | null
    zipped: boolean
    fields: FieldMap
    partial_update: boolean
    avoid_duplicates: boolean
    skip_metadata: boolean
    data_start: number | null
    data_end: number | null
    job_id: string
    ingest_job_id: string | null
    state: FileState
    message: string
    hash: string | null
    size_bytes: number | null
    holds_content: boolean
    version: number | null
    latest: boolean
    arrival: number | null
    arrived_at: Date | null
    announced_at: Date
  }
  group_names: { id: number; name: string }
  user_names: { id: number; user_name: string }
  released_contents: { hash: string; released_at: Date }
  stored_bytes: { owner_id: number; bytes: number }
}

/** A file as it is announced. */
export interface AnnouncedFile {
  id: string
  groupId: number
  name: string
  type: string
  ownerId: number
  zipped: boolean
  fields: FieldMap
  partialUpdate: boolean
  avoidDuplicates: boolean
  skipMetadata: boolean
  dataStart: number | undefined
  dataEnd: number | undefined
  jobId: string
}

/** A file in whatever state. */
export interface StoredFile extends AnnouncedFile {
  groupName: string
  ownerName: string
  state: FileState
  /** Why it was refused; empty otherwise. */
  message: string
  ingestJobId: string | undefined
  hash: string | undefined
  sizeBytes: number | undefined
}

/**
 * What has become of content: `notAwaited` when its file does not wait for any (any more), `outdated` when a newer version is there,
 * `notMovable` when a file that is to be moved with it cannot be.
 */
export type ReceiveOutcome = 'received' | 'notAwaited' | 'outdated' | 'notMovable'

/** A file that is there. */
export interface ReadyFile extends StoredFile {
  hash: string
  sizeBytes: number
  version: number
  latest: boolean
  arrivedAt: Date
}

/** A version of a file that has arrived or is deleted, for the features that follow it. */
export interface FileVersion {
  id: string
  groupId: number
  name: string
  type: string
  version: number
  /** Id of the user who wrote it. */
  savedBy: number
  arrivedAt: Date
}

/** What other features do in the transactions that change files. */
export interface FileEvents {
  /** A version has arrived; it is the newest of its name. */
  onFileArrived: (file: FileVersion, executor: Executor) => Promise<void>
  /** All versions of a file have another name or group. */
  onFileMoved: (from: FileLocation, to: FileLocation, executor: Executor) => Promise<void>
  onFileDeleted: (file: FileVersion, executor: Executor) => Promise<void>
}

/** Columns that a list of files can be sorted by. */
export type FileOrder = 'arrival' | 'name' | 'type' | 'groupName' | 'size' | 'owner' | 'version'

/** Which files are wanted, and how. */
export interface FileFilter {
  query: FileQuery
  /** Groups whose files may be seen. */
  scope: AccessScope
  sortBy: FileOrder
  sortOrder: 'asc' | 'desc'
  from: number
  size: number
}

/** Where a file lies: the name of all its versions in a group. */
export interface FileLocation {
  groupId: number
  name: string
}

/** Another name, another group or both for all versions of a file; their ids and numbers stay. */
export interface FileMove {
  from: FileLocation
  to: FileLocation
}

/** A check inside of a transaction that adds bytes to an owner. */
export interface Admission {
  /** The sums that it needs. Without a shared one, only transactions of the same owner wait for each other. */
  scopes: readonly StorageScope[]
  /** Throws when the bytes do not fit; the transaction is rolled back. */
  require(stored: StoredBytes, addedBytes: number): void
}

export interface FilesStore {
  /** Runs `work` in one transaction; an error takes everything back. */
  transaction<T>(work: (executor: Executor) => Promise<T>): Promise<T>
  /** Part of the caller's transaction. False when the group is gone meanwhile. */
  announce(file: AnnouncedFile, now: Date, executor: Executor): Promise<boolean>
  /** A file in whatever state; undefined when there is none. */
  find(id: string): Promise<StoredFile | undefined>
  /** A file that is there; undefined when it is not, or not yet. */
  findReady(id: string): Promise<ReadyFile | undefined>
  /** Marks a content as not to be forgotten by a crash: until a file holds it, the sweep may remove it. */
  notePending(hash: string): Promise<void>
  /**
   * Gives an announced file its content: it is there at once, or waits for its series to be taken over by the job that
   * `enqueue` adds. Unless `basedOn` is the newest version, and no other one is being taken over, nothing happens; null
   * stands for no version. Throws what `admission` throws.
   * @param next.moves files that are moved in the same transaction, to different locations, before the content gets its version. Unless all of them are
   *   there, can be moved and have a free target, nothing happens. `basedOn` counts before the moves
   */
  receive(
    id: string,
    content: { hash: string; sizeBytes: number },
    next: {
      now: Date
      basedOn?: string | null | undefined
      moves?: readonly FileMove[] | undefined
      admission?: Admission | undefined
      enqueue?: ((transaction: Executor) => Promise<string>) | undefined
    },
  ): Promise<ReceiveOutcome>
  /** Runs `work` in a transaction as long as the series of a file are being taken over; else does nothing. */
  whileIngesting(id: string, work: (executor: Executor) => Promise<void>): Promise<void>
  /**
   * Ends the taking over of series. Answers with the file as it is then; undefined when there is no such file.
   * @param executor a transaction to take part in
   */
  finishIngest(
    id: string,
    outcome: {
      state: 'ready' | 'rejected' | 'duplicate'
      message: string
      dataStart?: number | undefined
      dataEnd?: number | undefined
    },
    now: Date,
    executor?: Executor,
  ): Promise<StoredFile | undefined>
  search(filter: FileFilter): Promise<{ files: ReadyFile[]; total: number }>
  /** Number of the files in a group, versions apart. */
  countIn(groupId: number): Promise<number>
  /** Versions of one file, newest first. */
  listVersions(
    file: { groupId: number; name: string },
    page: { from: number; size: number },
  ): Promise<{ files: ReadyFile[]; total: number }>
  /** Changes metadata of a file under a lock, so that two changes do not overwrite each other. False when it is gone. */
  updateFields(id: string, change: (stored: FieldMap) => FieldMap): Promise<boolean>
  /**
   * Deletes a file; the version before it becomes the latest. It counts as saved by nobody unless the one who deletes had saved it:
   * otherwise it would be shown again in the name of somebody who had replaced it.
   */
  remove(id: string, byUserId: number): Promise<void>
  /**
   * Gives files to another owner: all of the named ones or none. Answers with how many changed; undefined when one of
   * them does not belong to the present owner. Throws what `admission` throws.
   */
  transfer(change: {
    fileIds: string[] | 'all'
    fromOwnerId: number
    toOwnerId: number
    admission?: Admission | undefined
  }): Promise<number | undefined>
  /** What counts against the limits of an owner. */
  storedBytes(ownerId: number, scopes: readonly StorageScope[]): Promise<StoredBytes>
  /** Whether two users belong to the same company. */
  areOfOneCompany(userId: number, otherId: number): Promise<boolean>
  /** Bytes of the files of everybody. */
  storedBytesInAll(): Promise<number>
  /** Adds up the changes of stored bytes. Repeating it changes nothing. */
  foldStoredBytes(): Promise<void>
  /** Files announced before a moment that still wait for content or for their series. */
  listUnfinished(before: Date): Promise<StoredFile[]>
  /** The same of one group, locked until the end of the transaction. */
  lockUnfinished(groupId: number, executor: Executor): Promise<StoredFile[]>
  /** Removes the announcement of a file whose content never came. */
  forget(id: string): Promise<void>
  /** Calls back with each content released longer ago than `olderThanMs` that no file holds, and forgets it. */
  removeReleased(olderThanMs: number, remove: (hash: string) => Promise<void>): Promise<number>
}

/** The files in PostgreSQL. */
export function createFilesStore(database: Database, events: FileEvents): FilesStore {
  const db = database.tables<FileTables>()

  function selectFiles(on: Kysely<FileTables> = db) {
    return on
      .selectFrom('files')
      .innerJoin('group_names as groups', 'groups.id', 'files.group_id')
      .innerJoin('user_names as users', 'users.id', 'files.owner_id')
      .selectAll('files')
      .select(['groups.name as group_name', 'users.user_name as owner_name'])
  }

  async function find(id: string, on: Kysely<FileTables> = db): Promise<StoredFile | undefined> {
    if (!isUuid(id)) return undefined
    const row = await selectFiles(on).where('files.id', '=', id).executeTakeFirst()
    return row && toStoredFile(row)
  }

  return {
    transaction: (work) => db.transaction().execute((tx) => work(executorOf(tx))),
    async announce(file, now, executor) {
      const tx = tablesOn<FileTables>(executor)
      if (!(await holdGroups(tx, [file.groupId]))) return false
      await tx
        .insertInto('files')
        .values({
          id: file.id,
          group_id: file.groupId,
          name: file.name,
          type: file.type,
          owner_id: file.ownerId,
          saved_by: file.ownerId,
          zipped: file.zipped,
          fields: JSON.stringify(file.fields),
          partial_update: file.partialUpdate,
          avoid_duplicates: file.avoidDuplicates,
          skip_metadata: file.skipMetadata,
          data_start: file.dataStart ?? null,
          data_end: file.dataEnd ?? null,
          job_id: file.jobId,
          announced_at: now,
        } as never)
        .execute()
      return true
    },
    find: (id) => find(id),
    async findReady(id) {
      if (!isUuid(id)) return undefined
      const row = await selectFiles()
        .where('files.id', '=', id)
        .where('files.state', '=', 'ready')
        .executeTakeFirst()
      return row && toReadyFile(row)
    },
    async notePending(hash) {
      await sql`insert into released_contents (hash) values (${hash})
        on conflict (hash) do update set released_at = now()`.execute(db)
    },
    receive(id, { hash, sizeBytes }, { now, basedOn, moves = [], admission, enqueue }) {
      return db.transaction().execute(async (tx) => {
        await holdGroupOf(
          tx,
          id,
          moves.flatMap(({ from, to }) => [from.groupId, to.groupId]),
        )
        const row = await tx
          .selectFrom('files')
          .select(['group_id', 'name', 'owner_id'])
          .where('id', '=', id)
          .where('state', '=', 'awaiting')
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined) return 'notAwaited'
        await lockAdmission(tx, admission, row.owner_id)
        admission?.require(await readStoredBytes(tx, row.owner_id, admission.scopes), sizeBytes)
        const place = { groupId: row.group_id, name: row.name }
        // Series do not wait for others of their name, which may be ingesting.
        if (basedOn !== undefined || moves.length > 0)
          await lockNames(tx, [place, ...moves.flatMap(({ from, to }) => [from, to])])
        const { from: before } = moves.find(({ to }) => isSameLocation(to, place)) ?? { from: place }
        if (basedOn !== undefined && !(await isNewest(tx, basedOn, before))) return 'outdated'
        for (const move of moves) if (!(await isMovable(tx, move))) return 'notMovable'
        for (const { from, to } of moves) {
          await tx
            .updateTable('files')
            .set({ group_id: to.groupId, name: to.name })
            .where(isReadyAt(from))
            .execute()
          await events.onFileMoved(from, to, executorOf(tx))
        }
        await tx
          .updateTable('files')
          .set({ hash, size_bytes: sizeBytes, holds_content: true, state: 'ingesting' })
          .where('id', '=', id)
          .execute()
        if (enqueue === undefined) await publish(tx, { id, ...place }, now, events)
        else
          await tx
            .updateTable('files')
            .set({ ingest_job_id: await enqueue(executorOf(tx)) })
            .where('id', '=', id)
            .execute()
        return 'received'
      })
    },
    whileIngesting(id, work) {
      return db.transaction().execute(async (tx) => {
        await holdGroupOf(tx, id)
        const row = await tx
          .selectFrom('files')
          .select('id')
          .where('id', '=', id)
          .where('state', '=', 'ingesting')
          .forUpdate()
          .executeTakeFirst()
        if (row !== undefined) await work(executorOf(tx))
      })
    },
    finishIngest(id, outcome, now, executor) {
      const target = executor === undefined ? db : tablesOn<FileTables>(executor)
      return target.transaction().execute(async (tx) => {
        await holdGroupOf(tx, id)
        const row = await tx
          .selectFrom('files')
          .select(['group_id', 'name'])
          .where('id', '=', id)
          .where('state', '=', 'ingesting')
          .forUpdate()
          .executeTakeFirst()
        if (row !== undefined) {
          const refused = outcome.state === 'ready' ? {} : { state: outcome.state, holds_content: false }
          await tx
            .updateTable('files')
            .set({ message: outcome.message, ...refused })
            .where('id', '=', id)
            .execute()
          if (outcome.state === 'ready')
            await publish(tx, { id, groupId: row.group_id, name: row.name }, now, events)
        }
        return find(id, tx)
      })
    },
    async search(filter) {
      const where = sql<boolean>`${sql.join(fileConditions(filter), sql` and `)}`
      const [rows, count] = await Promise.all([
        selectFiles()
          .where(where)
          .orderBy(orders[filter.sortBy], filter.sortOrder)
          .orderBy('files.arrival', filter.sortOrder)
          .limit(filter.size)
          .offset(filter.from)
          .execute(),
        db
          .selectFrom('files')
          .$if(filter.query.groupNames.length > 0, (qb) =>
            qb.innerJoin('group_names as groups', 'groups.id', 'files.group_id'),
          )
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .where(where)
          .executeTakeFirstOrThrow(),
      ])
      return { files: rows.map(toReadyFile), total: Number(count.total) }
    },
    async countIn(groupId) {
      const { total } = await db
        .selectFrom('files')
        .select((eb) => eb.fn.countAll<number>().as('total'))
        .where(sql<boolean>`files.state = 'ready' and files.latest and files.group_id = ${groupId}`)
        .executeTakeFirstOrThrow()
      return Number(total)
    },
    async listVersions({ groupId, name }, { from, size }) {
      const isVersion = sql<boolean>`files.state = 'ready' and files.group_id = ${groupId} and files.name = ${name}`
      const [rows, count] = await Promise.all([
        selectFiles().where(isVersion).orderBy('files.version', 'desc').limit(size).offset(from).execute(),
        db
          .selectFrom('files')
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .where(isVersion)
          .executeTakeFirstOrThrow(),
      ])
      return { files: rows.map(toReadyFile), total: Number(count.total) }
    },
    updateFields(id, change) {
      return db.transaction().execute(async (tx) => {
        const row = await tx
          .selectFrom('files')
          .select('fields')
          .where('id', '=', id)
          .where('state', '=', 'ready')
          .forUpdate()
          .executeTakeFirst()
        if (row === undefined) return false
        await tx
          .updateTable('files')
          .set({ fields: JSON.stringify(change(row.fields)) as never })
          .where('id', '=', id)
          .execute()
        return true
      })
    },
    async remove(id, byUserId) {
      await db.transaction().execute(async (tx) => {
        const row = await holdGroupOf(tx, id)
        if (row === undefined) return
        await lockName(tx, row.group_id, row.name)
        const deleted = await tx
          .deleteFrom('files')
          .where('id', '=', id)
          .returning(versionColumns)
          .executeTakeFirst()
        if (deleted === undefined) return
        await sql`update files set latest = true, saved_by = case when saved_by = ${byUserId} then saved_by end
          where id = (
            select id from files where group_id = ${row.group_id} and name = ${row.name} and state = 'ready'
            order by version desc limit 1
          ) and not latest`.execute(tx)
        await events.onFileDeleted(toVersion(deleted), executorOf(tx))
      })
    },
    transfer({ fileIds, fromOwnerId, toOwnerId, admission }) {
      return db.transaction().execute(async (tx) => {
        const ofOwner = tx
          .selectFrom('files')
          .where('owner_id', '=', fromOwnerId)
          .where('state', '=', 'ready')
          .$if(fileIds !== 'all', (qb) => qb.where('id', '=', sql<string>`any(${fileIds}::uuid[])`))
        const groups = await ofOwner.select('group_id').distinct().execute()
        await holdGroups(
          tx,
          groups.map((row) => row.group_id),
        )
        const admitted = toOwnerId === fromOwnerId ? undefined : admission
        await lockAdmission(tx, admitted, toOwnerId)
        const owned = await ofOwner.select(['id', 'size_bytes']).orderBy('id').forUpdate().execute()
        if (fileIds !== 'all' && owned.length < new Set(fileIds).size) return undefined
        const addedBytes = owned.reduce((sum, row) => sum + (row.size_bytes ?? 0), 0)
        admitted?.require(await readStoredBytes(tx, toOwnerId, admitted.scopes), addedBytes)
        await sql`update files set owner_id = ${toOwnerId}
          where id = any(${owned.map((row) => row.id)}::uuid[])`.execute(tx)
        return owned.length
      })
    },
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
      const rows = await selectFiles()
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
    async forget(id) {
      await db.deleteFrom('files').where('id', '=', id).where('state', '=', 'awaiting').execute()
    },
    async removeReleased(olderThanMs, remove) {
      let removed = 0
      for (;;) {
        const found = await db.transaction().execute(async (tx) => {
          const { rows } = await sql<{ hash: string; isHeld: boolean }>`
            select hash, exists (
              select from files where files.hash = released_contents.hash and holds_content
            ) as "isHeld"
            from released_contents where released_at < now() - ${olderThanMs} * interval '1 millisecond'
            order by released_at limit 1 for update skip locked`.execute(tx)
          const [row] = rows
          if (row === undefined) return false
          if (!row.isHeld) await remove(row.hash)
          await tx.deleteFrom('released_contents').where('hash', '=', row.hash).execute()
          return true
        })
        if (!found) return removed
        removed += 1
      }
    },
  }
}

/**
 * Keeps groups from being deleted until the end of the transaction; false when one of them is gone already. Whoever locks
 * files takes this first: the deletion of a group locks its files in an order of its own, and the two would wait for
 * each other.
 */
async function holdGroups(tx: Kysely<FileTables>, groupIds: number[]): Promise<boolean> {
  const rows = await tx
    .selectFrom('group_names')
    .select('id')
    .where('id', '=', sql<number>`any(${groupIds}::bigint[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.length === groupIds.length
}

/** The same for the group of a file, and for others; undefined when the file is gone, with its group or without. */
async function holdGroupOf(tx: Kysely<FileTables>, fileId: string, others: readonly number[] = []) {
  if (others.length > 0) {
    const file = await tx.selectFrom('files').select('group_id').where('id', '=', fileId).executeTakeFirst()
    await holdGroups(tx, [...new Set([...others, ...(file === undefined ? [] : [file.group_id])])])
  }
  return tx
    .selectFrom('files')
    .innerJoin('group_names as groups', 'groups.id', 'files.group_id')
    .select(['files.group_id', 'files.name'])
    .where('files.id', '=', fileId)
    .forKeyShare('groups')
    .executeTakeFirst()
}

/** Makes a file visible as the newest version of its name. */
async function publish(
  tx: Transaction<FileTables>,
  { id, groupId, name }: { id: string; groupId: number; name: string },
  now: Date,
  events: FileEvents,
): Promise<void> {
  await lockName(tx, groupId, name)
  await tx
    .updateTable('files')
    .set({ latest: false })
    .where('group_id', '=', groupId)
    .where('name', '=', name)
    .where('latest', '=', true)
    .execute()
  const arrived = await tx
    .updateTable('files')
    .set({
      state: 'ready',
      latest: true,
      arrived_at: now,
      arrival: sql<number>`nextval('file_arrivals')`,
      version: sql<number>`1 + coalesce((
        select max(other.version) from files other
        where other.group_id = ${groupId} and other.name = ${name} and other.state = 'ready'), 0)`,
    })
    .where('id', '=', id)
    .returning(versionColumns)
    .executeTakeFirstOrThrow()
  await events.onFileArrived(toVersion(arrived), executorOf(tx))
}

const versionColumns = [
  'id',
  'group_id',
  'name',
  'type',
  'version',
  'owner_id',
  'saved_by',
  'arrived_at',
] as const

/** A row of a file that is there. */
function toVersion(row: Pick<Selectable<FileTables['files']>, (typeof versionColumns)[number]>): FileVersion {
  return {
    id: row.id,
    groupId: row.group_id,
    name: row.name,
    type: row.type,
    version: row.version as number,
    savedBy: row.saved_by ?? row.owner_id,
    arrivedAt: row.arrived_at as Date,
  }
}

/** Whether a version is the newest one of its name, and none is being taken over; null: whether there is no version. */
async function isNewest(
  tx: Kysely<FileTables>,
  id: string | null,
  { groupId, name }: FileLocation,
): Promise<boolean> {
  const newest = await tx
    .selectFrom('files')
    .select('id')
    .where('group_id', '=', groupId)
    .where('name', '=', name)
    .where((is) => is.or([is('latest', '=', true), is('state', '=', 'ingesting')]))
    .execute()
  return id === null ? newest.length === 0 : newest.length === 1 && newest[0]!.id === id
}

/** Whether a file is there and can be moved: series belong to their group, and the target must be free. */
async function isMovable(tx: Kysely<FileTables>, { from, to }: FileMove): Promise<boolean> {
  const typesAt = (location: FileLocation) =>
    tx.selectFrom('files').select('type').distinct().where(isReadyAt(location)).execute()
  const types = await typesAt(from)
  if (types.length === 0 || types.some(({ type }) => isSeriesFile(type))) return false
  return (await typesAt(to)).length === 0
}

function isReadyAt({ groupId, name }: FileLocation): RawBuilder<boolean> {
  return sql<boolean>`files.group_id = ${groupId} and files.name = ${name} and files.state = 'ready'`
}

function isSameLocation(one: FileLocation, other: FileLocation): boolean {
  return one.groupId === other.groupId && one.name === other.name
}

/** Lets one transaction at a time change the versions of a name. */
async function lockName(tx: Kysely<FileTables>, groupId: number, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`file ${groupId} ${name}`}, 0))`.execute(tx)
}

/** Does the same for several names, in the order in which all transactions lock them. */
async function lockNames(tx: Kysely<FileTables>, locations: readonly FileLocation[]): Promise<void> {
  const ordered = locations.toSorted(
    (a, b) => a.groupId - b.groupId || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  )
  for (const { groupId, name } of ordered) await lockName(tx, groupId, name)
}

const orders: Record<FileOrder, RawBuilder<unknown>> = {
  arrival: sql`files.arrival`,
  name: sql`lower(files.name)`,
  type: sql`files.type`,
  groupName: sql`lower(groups.name)`,
  size: sql`files.size_bytes`,
  owner: sql`users.user_name`,
  version: sql`files.version`,
}

/** Taken before names and files that are there are locked, always in this order. */
async function lockAdmission(
  tx: Kysely<FileTables>,
  admission: Admission | undefined,
  ownerId: number,
): Promise<void> {
  if (admission !== undefined) await lockStoredBytes(tx, ownerId, admission.scopes)
}

type FileRow = Selectable<FileTables['files']> & { group_name: string; owner_name: string }

function toStoredFile(row: FileRow): StoredFile {
  return {
    id: row.id,
    groupId: row.group_id,
    groupName: row.group_name,
    name: row.name,
    type: row.type,
    ownerId: row.owner_id,
    ownerName: row.owner_name,
    zipped: row.zipped,
    fields: row.fields,
    partialUpdate: row.partial_update,
    avoidDuplicates: row.avoid_duplicates,
    skipMetadata: row.skip_metadata,
    dataStart: row.data_start ?? undefined,
    dataEnd: row.data_end ?? undefined,
    jobId: row.job_id,
    ingestJobId: row.ingest_job_id ?? undefined,
    state: row.state,
    message: row.message,
    hash: row.hash ?? undefined,
    sizeBytes: row.size_bytes ?? undefined,
  }
}

function toReadyFile(row: FileRow): ReadyFile {
  return {
    ...toStoredFile(row),
    hash: row.hash as string,
    sizeBytes: row.size_bytes as number,
    version: row.version as number,
    latest: row.latest,
    arrivedAt: row.arrived_at as Date,
  }
}
