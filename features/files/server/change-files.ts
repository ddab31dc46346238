import { sql, type Kysely } from 'kysely'
import { executorOf } from '@headwater/server-kit'
import type { FieldMap } from '../contract/index.ts'
import { holdGroupOf, holdGroups, lockAdmission, lockName, type Admission } from './file-locks.ts'
import { toVersion, versionColumns, type FileTables } from './file-rows.ts'
import type { FileChanges } from './file-changes.ts'
import { readStoredBytes } from './stored-bytes.ts'

/**
 * Changes metadata of a file under a lock, so that concurrent changes do not overwrite each other. If the metadata differs,
 * its version increases.
 * @returns `gone` if the file or its group no longer exists; `changed` if `metadataVersion` is not the newest version of its
 * metadata; then nothing is changed
 */
export function updateFields(
  db: Kysely<FileTables>,
  id: string,
  metadataVersion: number | undefined,
  change: (stored: FieldMap) => FieldMap,
): Promise<'saved' | 'gone' | 'changed'> {
  return db.transaction().execute(async (tx) => {
    if ((await holdGroupOf(tx, id)) === undefined) return 'gone'
    const row = await tx
      .selectFrom('files')
      .select(['fields', 'fields_version'])
      .where('id', '=', id)
      .where('state', '=', 'ready')
      .forUpdate()
      .executeTakeFirst()
    if (row === undefined) return 'gone'
    if (metadataVersion !== undefined && metadataVersion !== row.fields_version) return 'changed'
    const [before, after] = [row.fields, change(row.fields)].map((fields) => JSON.stringify(fields))
    if (after === before) return 'saved'
    await tx
      .updateTable('files')
      .set({ fields: after as never, fields_version: row.fields_version + 1 })
      .where('id', '=', id)
      .execute()
    return 'saved'
  })
}

/** A deletion of a version of a file. */
export interface FileRemoval {
  /** Id of the user who deletes it. */
  byUserId: number
  /** Time of the deletion. */
  at: Date
  /** Whether it cannot be restored. */
  isPermanent: boolean
}

/**
 * Deletes a version of a file, to the trash or permanently. If it was the newest version, the previous one becomes the
 * newest, and loses its author unless the author is the deleting user. Otherwise a user could make a version visible again
 * in the name of another user who had replaced it.
 */
export async function removeFile(
  { db, changes }: { db: Kysely<FileTables>; changes: Pick<FileChanges, 'deleted' | 'purged'> },
  id: string,
  { byUserId, at, isPermanent }: FileRemoval,
): Promise<void> {
  await db.transaction().execute(async (tx) => {
    const row = await holdGroupOf(tx, id)
    if (row === undefined) return
    await lockName(tx, row.group_id, row.name)
    const deleted = await (
      isPermanent
        ? tx.deleteFrom('files').where('id', '=', id).where('state', '=', 'ready').returning(versionColumns)
        : tx
            .updateTable('files')
            .set({ state: 'deleted', latest: false, message: '', deleted_at: at, deleted_by: byUserId })
            .where('id', '=', id)
            .where('state', '=', 'ready')
            .returning(versionColumns)
    ).executeTakeFirst()
    if (deleted === undefined) return
    await sql`update files set latest = true, saved_by = case when saved_by = ${byUserId} then saved_by end
      where id = (
        select id from files where group_id = ${row.group_id} and name = ${row.name} and state = 'ready'
        order by version desc limit 1
      ) and not latest`.execute(tx)
    await changes.deleted.emit(toVersion(deleted), executorOf(tx))
    if (isPermanent) await changes.purged.emit([deleted.id], executorOf(tx))
  })
}

/** A change of the owner of files. */
export interface OwnerChange {
  /** Ids of the files; `all` for all files of the old owner in `groupIds`, including files in the trash. */
  fileIds: string[] | 'all'
  /** Groups that the old owner can read; `all` for an administrator. */
  groupIds: readonly number[] | 'all'
  /** Id of the old owner. */
  fromOwnerId: number
  /** Id of the new owner. */
  toOwnerId: number
  /** Checks the limits of the new owner. */
  admission?: Admission | undefined
  /** Checks the access to the groups of the files; throws if it is missing. `fileId` is one of the files of the group. */
  requireReadable: (groups: readonly { id: number; name: string; fileId: string }[]) => void
}

/**
 * Changes the owner of all files, or of none.
 * @returns the number of changed files; undefined if one of them does not belong to the old owner
 * @throws the errors of `requireReadable` and `admission`
 */
export function transferFiles(
  db: Kysely<FileTables>,
  { fileIds, groupIds: readableIds, fromOwnerId, toOwnerId, admission, requireReadable }: OwnerChange,
): Promise<number | undefined> {
  return db.transaction().execute(async (tx) => {
    const ofOwner = tx
      .selectFrom('files')
      .where('owner_id', '=', fromOwnerId)
      // Nobody can read files of deleted groups, so they keep their owner.
      .where(sql<boolean>`group_id in (select id from group_names)`)
      // Files in the trash get the new owner, too, because they can be restored.
      .$if(fileIds === 'all', (qb) =>
        qb.where((eb) => eb.or([eb('state', '=', 'ready'), eb('deleted_at', 'is not', null)])),
      )
      .$if(fileIds === 'all' && readableIds !== 'all', (qb) =>
        qb.where('group_id', '=', sql<number>`any(${readableIds}::bigint[])`),
      )
      .$if(fileIds !== 'all', (qb) =>
        qb.where('state', '=', 'ready').where('id', '=', sql<string>`any(${fileIds}::uuid[])`),
      )
    const groups = await ofOwner.select('group_id').distinct().execute()
    const groupIds = groups.map((row) => row.group_id)
    await holdGroups(tx, groupIds)
    const admitted = toOwnerId === fromOwnerId ? undefined : admission
    await lockAdmission(tx, admitted, toOwnerId)
    const owned = await ofOwner
      .select(['id', 'group_id', 'size_bytes', 'counts_for_id'])
      .orderBy('id')
      .forUpdate()
      .execute()
    if (fileIds !== 'all' && owned.length < new Set(fileIds).size) return undefined
    const fileOf = new Map(owned.map((row) => [row.group_id, row.id]))
    const named = await tx
      .selectFrom('group_names')
      .select(['id', 'name'])
      .where('id', '=', sql<number>`any(${[...fileOf.keys()]}::bigint[])`)
      .orderBy('name')
      .execute()
    requireReadable(named.map(({ id, name }) => ({ id, name, fileId: fileOf.get(id) ?? '' })))
    const addedBytes = owned
      .filter((row) => row.counts_for_id === null)
      .reduce((sum, row) => sum + (row.size_bytes ?? 0), 0)
    admitted?.require(await readStoredBytes(tx, toOwnerId, admitted.scopes), addedBytes)
    await sql`update files set owner_id = ${toOwnerId}
      where id = any(${owned.map((row) => row.id)}::uuid[])`.execute(tx)
    return owned.length
  })
}
