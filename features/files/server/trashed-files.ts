import { sql, type Kysely, type Transaction } from 'kysely'
import { isUuid } from '@headwater/contract'
import { executorOf, type Executor } from '@headwater/server-kit'
import {
  readDeletedPage,
  type AccessScope,
  type DeletedColumns,
  type DeletedQuery,
} from '@headwater/groups/server'
import { isSeriesFile } from '../contract/index.ts'
import type { FileChanges } from './file-changes.ts'
import { holdGroupOf, lockName } from './file-locks.ts'
import { toVersion, versionColumns, type FileTables } from './file-rows.ts'

/** A deleted version of a file. */
export interface TrashedFile {
  /** Id of the version. */
  id: string
  /** Id of the group. */
  groupId: number
  /** Name of the group. */
  groupName: string
  /** Name with extension. */
  name: string
  /** Type in upper case. */
  type: string
  /** Id of the owner. */
  ownerId: number
  /** User name of the owner. */
  ownerName: string
  /** User name of the user who deleted it; null if the account no longer exists. */
  deletedBy: string | null
  /** Time of the deletion. */
  deletedAt: Date
  /** Size of the content. */
  sizeBytes: number
  /** Number of the version. */
  version: number
  /** Whether its series are being restored. */
  isBeingRestored: boolean
  /** Reason why the last restoration failed; meaningless if none failed. */
  message: string
  /** Id of the job that restores its series. */
  ingestJobId: string | null
}

/** Dependencies of changes of deleted files. */
interface Trash {
  db: Kysely<FileTables>
  changes: FileChanges
}

/** Outcome of restoring a file. `ingesting`: a job restores its series first. */
export type RestoreOutcome = 'restored' | 'ingesting' | 'notInTrash' | 'isBeingRestored' | 'nameTaken'

const columns: DeletedColumns = {
  id: sql`files.id`,
  texts: [sql`files.name`, sql`groups.name`],
  orders: {
    name: sql`lower(files.name)`,
    groupName: sql`lower(groups.name)`,
    deletedAt: sql`files.deleted_at`,
    sizeBytes: sql`files.size_bytes`,
  },
}

function selectTrashed(db: Kysely<FileTables>) {
  return db
    .selectFrom('files')
    .innerJoin('group_names as groups', 'groups.id', 'files.group_id')
    .innerJoin('user_names as users', 'users.id', 'files.owner_id')
    .leftJoin('user_names as deleters', 'deleters.id', 'files.deleted_by')
    .select([
      'files.id',
      'files.group_id as groupId',
      'groups.name as groupName',
      'files.name',
      'files.type',
      'files.owner_id as ownerId',
      'users.user_name as ownerName',
      'deleters.user_name as deletedBy',
      sql<Date>`files.deleted_at`.as('deletedAt'),
      sql<number>`coalesce(files.size_bytes, 0)::bigint`.as('sizeBytes'),
      sql<number>`coalesce(files.version, 1)`.as('version'),
      sql<boolean>`files.state = 'ingesting'`.as('isBeingRestored'),
      'files.message',
      'files.ingest_job_id as ingestJobId',
    ])
    .where('files.deleted_at', 'is not', null)
}

/** Returns a page of the deleted files in the given groups, and of the deleted files of one owner in any group. */
export async function listTrashed(
  db: Kysely<FileTables>,
  { scope, ownerId, query }: { scope: AccessScope; ownerId: number; query: DeletedQuery },
): Promise<{ files: TrashedFile[]; total: number }> {
  const { groupIds } = scope
  const isVisible =
    groupIds === 'all'
      ? sql<boolean>`true`
      : sql<boolean>`(files.group_id = any(${groupIds}::bigint[]) or files.owner_id = ${ownerId})`
  const { rows: files, total } = await readDeletedPage(selectTrashed(db).where(isVisible), columns, query)
  return { files, total }
}

/** Returns a deleted file; undefined if it is not in the trash, or its group is deleted. */
export async function findTrashed(db: Kysely<FileTables>, id: string): Promise<TrashedFile | undefined> {
  if (!isUuid(id)) return undefined
  return selectTrashed(db).where('files.id', '=', id).executeTakeFirst()
}

/**
 * Restores a deleted file under its name or another one. The job that `enqueue` adds first ingests a series file. The
 * original name counts as taken if a version has arrived since the deletion or has the same number; another name counts as
 * taken if it has any version.
 */
export function restoreTrashed(
  { db, changes }: Trash,
  id: string,
  {
    name,
    userId,
    enqueue,
  }: { name?: string | undefined; userId: number; enqueue: (tx: Executor) => Promise<string> },
): Promise<RestoreOutcome> {
  return db.transaction().execute(async (tx) => {
    const held = await holdGroupOf(tx, id)
    if (held === undefined) return 'notInTrash'
    const target = name ?? held.name
    await lockName(tx, held.group_id, target)
    const row = await tx
      .selectFrom('files')
      .select(['state', 'name', 'type', 'version', 'deleted_at'])
      .where('id', '=', id)
      .where('deleted_at', 'is not', null)
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) return 'notInTrash'
    if (row.state === 'ingesting') return 'isBeingRestored'
    const isRenamed = target !== row.name
    const { rows: others } = await sql`select from files
      where group_id = ${held.group_id} and name = ${target} and id <> ${id}
      and (state = 'ready' or state = 'ingesting')
      and (${isRenamed} or deleted_at is null and (arrived_at >= ${row.deleted_at} or arrived_at is null or version = ${row.version}))
      limit 1`.execute(tx)
    if (others.length > 0) return 'nameTaken'
    // Otherwise a user could make the version visible again in the name of its author, who had deleted it.
    await sql`update files set name = ${target}, message = '',
        version = case when ${isRenamed} then 1 else version end,
        saved_by = case when saved_by = ${userId} then saved_by end
      where id = ${id}`.execute(tx)
    if (!isSeriesFile(row.type)) {
      await publishRestored(tx, { id, groupId: held.group_id, name: target }, changes)
      return 'restored'
    }
    await tx.updateTable('files').set({ state: 'ingesting' }).where('id', '=', id).execute()
    await tx
      .updateTable('files')
      .set({ ingest_job_id: await enqueue(executorOf(tx)) })
      .where('id', '=', id)
      .execute()
    return 'ingesting'
  })
}

/**
 * Makes a restored file visible with its version number, or with the next number if another version has taken it.
 */
export async function publishRestored(
  tx: Transaction<FileTables>,
  { id, groupId, name }: { id: string; groupId: number; name: string },
  changes: FileChanges,
): Promise<void> {
  await lockName(tx, groupId, name)
  await sql`update files set latest = false where group_id = ${groupId} and name = ${name} and latest`.execute(
    tx,
  )
  const restored = await tx
    .updateTable('files')
    .set({
      state: 'ready',
      deleted_at: null,
      deleted_by: null,
      version: sql<number>`case when exists (
        select from files other where other.group_id = ${groupId} and other.name = ${name} and other.state = 'ready'
          and other.version = files.version
      ) then (
        select 1 + max(other.version) from files other
        where other.group_id = ${groupId} and other.name = ${name} and other.state = 'ready'
      ) else files.version end`,
    })
    .where('id', '=', id)
    .returning(versionColumns)
    .executeTakeFirstOrThrow()
  await sql`update files set latest = true where id = (
      select id from files where group_id = ${groupId} and name = ${name} and state = 'ready'
      order by version desc limit 1
    )`.execute(tx)
  await changes.restored.emit(toVersion(restored), executorOf(tx))
}

/** Permanently deletes a file that is in the trash, unless it is being restored. */
export function removeTrashed({ db, changes }: Trash, id: string): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const row = await tx
      .deleteFrom('files')
      .where('id', '=', id)
      .where('state', '=', 'deleted')
      .returning('id')
      .executeTakeFirst()
    if (row === undefined) return false
    await changes.purged.emit([row.id], executorOf(tx))
    return true
  })
}

/**
 * Returns the ids of a batch of files that were deleted before a time, without the excluded ones; empty if there are no
 * more.
 */
export async function listDeletedBefore(
  db: Kysely<FileTables>,
  before: Date,
  except: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from files where state = 'deleted' and deleted_at < ${before} and id <> all(${except}::uuid[])
    order by deleted_at limit ${purgedAtOnce}`.execute(db)
  return rows.map((row) => row.id)
}

/**
 * Permanently deletes files that are in the trash, except files that another transaction is changing. Returns the ids of the
 * deleted files.
 */
export function purgeTrashed({ db, changes }: Trash, ids: readonly string[]): Promise<string[]> {
  return db.transaction().execute(async (tx) => {
    const { rows } = await sql<{ id: string }>`delete from files where id in (
        select id from files where state = 'deleted' and id = any(${ids}::uuid[]) for update skip locked
      ) returning id`.execute(tx)
    const purged = rows.map((row) => row.id)
    if (purged.length > 0) await changes.purged.emit(purged, executorOf(tx))
    return purged
  })
}

const purgedAtOnce = 500
