import { sql, type Kysely } from 'kysely'
import type { FileLocation, FileTables } from './file-rows.ts'
import { lockStoredBytes, type StorageScope, type StoredBytes } from './stored-bytes.ts'

/** Checks the limits of an owner within the transaction that adds bytes to them. */
export interface Admission {
  /** Sums that the check needs. If it needs only `ofUser`, only transactions of the same owner wait for each other. */
  scopes: readonly StorageScope[]
  /** Throws if the bytes exceed a limit, which rolls back the transaction. */
  require(stored: StoredBytes, addedBytes: number): void
}

/**
 * Prevents the deletion of groups until the end of the transaction. Call it before locking files. Otherwise a deadlock is
 * possible, because deleting a group locks its files in another order.
 * @returns false if one of the groups no longer exists
 */
export async function holdGroups(tx: Kysely<FileTables>, groupIds: number[]): Promise<boolean> {
  const rows = await tx
    .selectFrom('group_names')
    .select('id')
    .where('id', '=', sql<number>`any(${groupIds}::bigint[])`)
    .orderBy('id')
    .forKeyShare()
    .execute()
  return rows.length === groupIds.length
}

/**
 * Prevents the deletion of the group of a file and of other groups; see {@link holdGroups}.
 * @returns undefined if the file or its group no longer exists
 */
export async function holdGroupOf(tx: Kysely<FileTables>, fileId: string, others: readonly number[] = []) {
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

/** Locks the versions of a file, identified by group and name, until the end of the transaction. */
export async function lockName(tx: Kysely<FileTables>, groupId: number, name: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`file ${groupId} ${name}`}, 0))`.execute(tx)
}

/** Locks several names, in the order that all transactions use. */
export async function lockNames(tx: Kysely<FileTables>, locations: readonly FileLocation[]): Promise<void> {
  const ordered = locations.toSorted(
    (a, b) => a.groupId - b.groupId || (a.name < b.name ? -1 : a.name > b.name ? 1 : 0),
  )
  for (const { groupId, name } of ordered) await lockName(tx, groupId, name)
}

/**
 * Locks the sums that a check needs. In all transactions, call it after locking the group and before locking names and
 * files.
 */
export async function lockAdmission(
  tx: Kysely<FileTables>,
  admission: Admission | undefined,
  ownerId: number,
): Promise<void> {
  if (admission !== undefined) await lockStoredBytes(tx, ownerId, admission.scopes)
}
