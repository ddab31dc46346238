import { sql, type Kysely } from 'kysely'

/** Scope of a limit: the bytes of the owner, of all users of the same company, or of all users. */
export type StorageScope = 'ofUser' | 'ofCompany' | 'inAll'

/** Stored bytes that count towards the limits of one owner; 0 for a scope that was not requested. */
export type StoredBytes = Record<StorageScope, number>

/** Returns the bytes stored by a user, by the users of the same company, and by all users. */
export async function readStoredBytes<Tables>(
  db: Kysely<Tables>,
  ownerId: number,
  scopes: readonly StorageScope[],
): Promise<StoredBytes> {
  const ofUser = sql`select sum(bytes) from stored_bytes where owner_id = ${ownerId}`
  const ofCompany = sql`select sum(bytes) from stored_bytes join user_companies as owner on owner.user_id = stored_bytes.owner_id
    where owner.company_id = (select company_id from user_companies where user_id = ${ownerId})`
  const inAll = sql`select sum(bytes) from stored_bytes`
  const none = sql`select 0`
  const { rows } = await sql<StoredBytes>`
    select coalesce((${scopes.includes('ofUser') ? ofUser : none}), 0)::bigint as "ofUser",
      coalesce((${scopes.includes('ofCompany') ? ofCompany : none}), 0)::bigint as "ofCompany",
      coalesce((${scopes.includes('inAll') ? inAll : none}), 0)::bigint as "inAll"`.execute(db)
  return rows[0] as StoredBytes
}

/** Returns whether two users belong to the same company. */
export async function areOfOneCompany<Tables>(
  db: Kysely<Tables>,
  userId: number,
  otherId: number,
): Promise<boolean> {
  const { rows } = await sql<{ isOne: boolean }>`
    select count(distinct company_id) = 1 as "isOne" from user_companies where user_id in (${userId}, ${otherId})`.execute(
    db,
  )
  return rows[0]?.isOne === true
}

/**
 * Prevents other transactions from checking the same limits until this one ends; otherwise concurrent transactions could
 * together exceed them. All transactions lock the owner first, which prevents deadlocks.
 */
export async function lockStoredBytes<Tables>(
  tx: Kysely<Tables>,
  ownerId: number,
  scopes: readonly StorageScope[],
): Promise<void> {
  await lock(tx, `stored bytes of ${ownerId}`)
  if (scopes.some((scope) => scope !== 'ofUser')) await lock(tx, 'stored bytes of everybody')
}

async function lock<Tables>(tx: Kysely<Tables>, key: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(tx)
}

/** Adds up the recorded changes, so that each owner has one row. */
export async function foldStoredBytes<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`with changes as (delete from stored_bytes returning owner_id, bytes)
    insert into stored_bytes (owner_id, bytes) select owner_id, sum(bytes) from changes group by owner_id`.execute(
    db,
  )
}
