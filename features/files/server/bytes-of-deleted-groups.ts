import { sql } from 'kysely'
import { tablesOn, type Executor } from '@headwater/server-kit'
import { fileErrors } from '../contract/index.ts'
import { lockAdmission } from './file-locks.ts'
import type { FileTables } from './file-rows.ts'
import { lockStoredBytes, readStoredBytes } from './stored-bytes.ts'
import type { UploadLimits } from './upload-limits.ts'

/** Counts the files of a group against its owner, in the transaction that deletes the group. */
export async function countForGroupOwner(
  groupId: number,
  executor: Executor,
  ownerId: number,
): Promise<void> {
  await executor.query(
    `update files set counts_for_id = $2
     where id in (select id from files where group_id = $1 and owner_id <> $2 order by id for update)`,
    [groupId, ownerId],
  )
}

/**
 * Counts the files of a group against their owners again, in the transaction that restores the group. Otherwise users
 * could exceed their limits by deleting and restoring groups of each other.
 * @throws ownersLimitReached
 */
export async function countForFileOwners(
  { limits }: { limits: Pick<UploadLimits, 'transferAdmission'> },
  groupId: number,
  executor: Executor,
): Promise<void> {
  const tx = tablesOn<FileTables>(executor)
  const { rows: owners } = await sql<{ ownerId: number; groupOwnerId: number; bytes: number }>`
    select owner_id as "ownerId", counts_for_id as "groupOwnerId",
      (coalesce(sum(size_bytes) filter (where holds_content), 0))::bigint as bytes
    from files where group_id = ${groupId} and counts_for_id is not null group by 1, 2 order by 1`.execute(tx)
  // The lock of each owner comes before the lock that all owners share.
  for (const { ownerId } of owners) await lockStoredBytes(tx, ownerId, ['ofUser'])
  for (const { ownerId, groupOwnerId, bytes } of owners) {
    const admission = await limits.transferAdmission(groupOwnerId, ownerId)
    if (admission === undefined) continue
    await lockAdmission(tx, admission, ownerId)
    const stored = await readStoredBytes(tx, ownerId, admission.scopes)
    try {
      admission.require(stored, bytes)
    } catch {
      throw fileErrors.ownersLimitReached()
    }
  }
  // A transfer of ownership locks files in the same order.
  await sql`update files set counts_for_id = null where id in (
    select id from files where group_id = ${groupId} and counts_for_id is not null order by id for update)`.execute(
    tx,
  )
}
