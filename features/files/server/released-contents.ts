import { sql, type Kysely } from 'kysely'
import type { FileTables } from './file-rows.ts'

/** Removes content from the content store. */
type Remove = (hash: string) => Promise<void>

/**
 * Records content that no file uses yet, before it is stored. Until {@link settlePending}, only the sweep can remove it,
 * after an hour. This happens if the server stops in between.
 */
export async function notePending(db: Kysely<FileTables>, hash: string): Promise<void> {
  await sql`insert into released_contents (hash, pending) values (${hash}, 1)
    on conflict (hash) do update set released_at = now(), pending = released_contents.pending + 1`.execute(db)
}

/** Records that an upload has used its content, or does not need it. */
export async function settlePending(db: Kysely<FileTables>, hash: string): Promise<void> {
  await sql`update released_contents set pending = greatest(pending - 1, 0) where hash = ${hash}`.execute(db)
}

/** Removes the contents that no file, part or upload uses. */
export async function freeContents(
  db: Kysely<FileTables>,
  hashes: Iterable<string>,
  remove: Remove,
): Promise<void> {
  for (const hash of new Set(hashes))
    await db.transaction().execute(async (tx) => {
      // An upload that is about to store the content waits for this lock.
      const { rows } = await sql`
        select from released_contents where hash = ${hash} and pending = 0 for update`.execute(tx)
      if (rows.length > 0) await removeUnlessHeld(tx, hash, remove)
    })
}

/**
 * Calls `remove` with each content that was released longer ago than `olderThanMs` and that no file or part uses, and
 * deletes its record.
 * @returns the number of processed records
 */
export async function removeReleased(
  db: Kysely<FileTables>,
  olderThanMs: number,
  remove: Remove,
): Promise<number> {
  let removed = 0
  for (;;) {
    const hasMore = await db.transaction().execute(async (tx) => {
      const { rows } = await sql<{ hash: string }>`
        select hash from released_contents where released_at < now() - ${olderThanMs} * interval '1 millisecond'
        order by released_at limit 1 for update skip locked`.execute(tx)
      const [row] = rows
      if (row === undefined) return false
      await removeUnlessHeld(tx, row.hash, remove)
      return true
    })
    if (!hasMore) return removed
    removed += 1
  }
}

/** Removes content whose record the transaction has locked, unless a file or part uses it, and deletes its record. */
async function removeUnlessHeld(tx: Kysely<FileTables>, hash: string, remove: Remove): Promise<void> {
  const { rows } = await sql<{ isHeld: boolean }>`
    select exists (select from files where files.hash = ${hash} and holds_content)
      or exists (select from upload_parts where upload_parts.hash = ${hash} and position is null) as "isHeld"`.execute(
    tx,
  )
  if (!rows[0]!.isHeld) await remove(hash)
  await tx.deleteFrom('released_contents').where('hash', '=', hash).execute()
}
