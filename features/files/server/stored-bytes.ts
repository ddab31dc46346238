import { sql, type Kysely } from 'kysely'

/** Bytes that count against the limits which apply to one owner. */
export interface StoredBytes {
  ofUser: number
  ofCompany: number
  inAll: number
}

/** First half of the advisory lock that makes checks of a limit happen one after the other. */
const lockClass = 4_817_624

/** Bytes stored by a user, by the users of the same company, and by everybody. */
export async function readStoredBytes<Tables>(db: Kysely<Tables>, ownerId: number): Promise<StoredBytes> {
  const { rows } = await sql<StoredBytes>`
    select coalesce(sum(bytes) filter (where owner.id = ${ownerId}), 0)::bigint as "ofUser",
      coalesce(sum(bytes) filter (where owner.company_id = (select company_id from users where id = ${ownerId})), 0)::bigint
        as "ofCompany",
      coalesce(sum(bytes), 0)::bigint as "inAll"
    from stored_bytes join users owner on owner.id = stored_bytes.owner_id`.execute(db)
  return rows[0] as StoredBytes
}

/**
 * Lets no other transaction check a limit until this one ends, so that uploads which end at the same time cannot exceed it together.
 * @param owner the owner when only limits per user apply, otherwise `everybody`
 */
export async function lockStoredBytes<Tables>(
  tx: Kysely<Tables>,
  owner: number | 'everybody',
): Promise<void> {
  await sql`select pg_advisory_xact_lock(${lockClass}, ${owner === 'everybody' ? 0 : owner})`.execute(tx)
}

/** Adds the changes up: one row for each owner. */
export async function foldStoredBytes<Tables>(db: Kysely<Tables>): Promise<void> {
  await sql`with changes as (delete from stored_bytes returning owner_id, bytes)
    insert into stored_bytes (owner_id, bytes) select owner_id, sum(bytes) from changes group by owner_id`.execute(
    db,
  )
}
