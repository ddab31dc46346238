import type { Kysely } from 'kysely'
import type { UserSession } from '@headwater/accounts/contract'
import { formatUtcSeconds, type Clock, type Database } from '@headwater/server-kit'
import type { AccountTables } from './account-tables.ts'
import { hashSecret, newSecret } from './secrets.ts'

/** Validity of an unused refresh token. */
const refreshTokenMs = 30 * 86_400_000

/**
 * Time in which a used refresh token can be used again: two tabs can refresh at the same time, and a response can be lost.
 */
const reuseGraceMs = 10_000

/** Lifetime of a refresh token in a URL, where others can read it. */
const addressTokenMs = 5 * 60_000

/** Result of the exchange of a refresh token. */
export type Rotation =
  | { outcome: 'rotated'; userId: number; sessionId: string; refreshToken: string }
  | { outcome: 'reused'; userId: number; sessionId: string }
  | { outcome: 'deactivated'; userId: number; sessionId: string }
  | { outcome: 'unknown' }

/** Stores sessions and the hashes of their refresh tokens. */
export interface SessionsStore {
  /** Starts a session with its first refresh token. */
  start(userId: number): Promise<{ sessionId: string; refreshToken: string }>
  /**
   * Exchanges a refresh token for the next one. Exchanges of one session are serialised. Reuse after the grace period
   * ends the session.
   * @param fromAddress random text of the browser, for a token from a URL: the token is `unknown` if it is older than
   *   five minutes; after its first use only this browser can use it again, within the grace period
   */
  rotate(refreshToken: string, fromAddress?: string): Promise<Rotation>
  /** Returns the user of an active session. */
  findUserId(sessionId: string): Promise<number | undefined>
  /** Returns the active sessions of a user, most recently used first. */
  list(userId: number, limit: number): Promise<UserSession[]>
  /** Ends the session of a refresh token, used or not; returns the id of the ended session. */
  endByToken(refreshToken: string): Promise<string | undefined>
  /**
   * Ends the sessions of a user except one; returns the ids of the ended sessions.
   * @param options `isDeactivated`: the exchange of their tokens then has the outcome `deactivated`
   */
  endOfUser(userId: number, options: { except?: string; isDeactivated?: boolean }): Promise<string[]>
  /** Removes sessions and tokens that can no longer be used. */
  cleanUp(): Promise<void>
}

/** Creates the store of sessions. */
export function createSessionsStore({
  database,
  clock,
}: {
  database: Database
  clock: Clock
}): SessionsStore {
  const db = database.tables<AccountTables>()
  return {
    async start(userId) {
      const refreshToken = newSecret()
      return db.transaction().execute(async (transaction) => {
        const { id } = await transaction
          .insertInto('sessions')
          .values({ user_id: userId, created_at: clock.now(), expires_at: expiry(clock), ended_at: null })
          .returning('id')
          .executeTakeFirstOrThrow()
        await insertToken(transaction, id, refreshToken, expiry(clock))
        return { sessionId: id, refreshToken }
      })
    },

    rotate: (refreshToken, fromAddress) => rotateToken({ db, clock }, refreshToken, fromAddress),

    async findUserId(sessionId) {
      const row = await db
        .selectFrom('sessions')
        .select('user_id')
        .where('id', '=', sessionId)
        .where('ended_at', 'is', null)
        .executeTakeFirst()
      return row?.user_id
    },

    async list(userId, limit) {
      const rows = await db
        .selectFrom('sessions')
        .select(['id', 'created_at', 'expires_at'])
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
        .where('expires_at', '>', clock.now())
        .orderBy('expires_at', 'desc')
        .limit(limit)
        .execute()
      return rows.map((row) => ({
        id: row.id,
        startedAt: formatUtcSeconds(row.created_at),
        // Each use moves the expiry.
        lastUsedAt: formatUtcSeconds(new Date(row.expires_at.getTime() - refreshTokenMs)),
        expiresAt: formatUtcSeconds(row.expires_at),
      }))
    },

    async endByToken(refreshToken) {
      const row = await db
        .updateTable('sessions')
        .set({ ended_at: clock.now() })
        .where('ended_at', 'is', null)
        .where('id', 'in', (eb) =>
          eb.selectFrom('refresh_tokens').select('session_id').where('hash', '=', hashSecret(refreshToken)),
        )
        .returning('id')
        .executeTakeFirst()
      return row?.id
    },

    async endOfUser(userId, { except, isDeactivated = false }) {
      let query = db
        .updateTable('sessions')
        .set({ ended_at: clock.now(), is_deactivated: isDeactivated })
        .where('user_id', '=', userId)
        .where('ended_at', 'is', null)
      if (except !== undefined) query = query.where('id', '!=', except)
      const rows = await query.returning('id').execute()
      return rows.map((row) => row.id)
    },

    async cleanUp() {
      const now = clock.now()
      const anHourAgo = new Date(now.getTime() - 3_600_000)
      await db
        .deleteFrom('sessions')
        .where('id', 'in', (eb) =>
          eb
            .selectFrom('sessions')
            .select('id')
            .where((old) => old.or([old('expires_at', '<', now), old('ended_at', '<', anHourAgo)]))
            .forUpdate()
            .skipLocked(),
        )
        .execute()
      await db.deleteFrom('refresh_tokens').where('expires_at', '<', now).execute()
    },
  }
}

async function rotateToken(
  { db, clock }: { db: Kysely<AccountTables>; clock: Clock },
  refreshToken: string,
  fromAddress: string | undefined,
): Promise<Rotation> {
  const hash = hashSecret(refreshToken)
  return db.transaction().execute(async (transaction): Promise<Rotation> => {
    const session = await transaction
      .selectFrom('sessions')
      .selectAll()
      .where('id', 'in', (eb) =>
        eb.selectFrom('refresh_tokens').select('session_id').where('hash', '=', hash),
      )
      .forUpdate()
      .executeTakeFirst()
    if (session === undefined || (session.ended_at !== null && !session.is_deactivated))
      return { outcome: 'unknown' }
    const token = await transaction
      .selectFrom('refresh_tokens')
      .selectAll()
      .where('hash', '=', hash)
      .executeTakeFirst()
    const now = clock.now()
    if (token === undefined || token.expires_at <= now) return { outcome: 'unknown' }
    const owner = { userId: session.user_id, sessionId: session.id }
    const browser = fromAddress === undefined ? null : hashSecret(fromAddress)
    const isInGrace = token.used_at !== null && now.getTime() - token.used_at.getTime() <= reuseGraceMs
    if (session.ended_at !== null) {
      const isUsable = browser === null && token.used_by === null && (token.used_at === null || isInGrace)
      return isUsable ? { outcome: 'deactivated', ...owner } : { outcome: 'unknown' }
    }
    if (browser !== null || token.used_by !== null) {
      const issuedAt = token.expires_at.getTime() - refreshTokenMs
      const isFirst = token.used_at === null && now.getTime() - issuedAt <= addressTokenMs
      const isSameBrowser = browser !== null && token.used_by?.equals(browser) === true
      if (!isFirst && !(isInGrace && isSameBrowser)) return { outcome: 'unknown' }
    } else if (token.used_at !== null && !isInGrace) {
      await transaction.updateTable('sessions').set({ ended_at: now }).where('id', '=', session.id).execute()
      return { outcome: 'reused', ...owner }
    }
    if (token.used_at === null)
      await transaction
        .updateTable('refresh_tokens')
        .set({ used_at: now, used_by: browser })
        .where('hash', '=', hash)
        .execute()
    const next = newSecret()
    await insertToken(transaction, session.id, next, expiry(clock))
    await transaction
      .updateTable('sessions')
      .set({ expires_at: expiry(clock) })
      .where('id', '=', session.id)
      .execute()
    return { outcome: 'rotated', ...owner, refreshToken: next }
  })
}

async function insertToken(
  db: Kysely<AccountTables>,
  sessionId: string,
  refreshToken: string,
  expiresAt: Date,
): Promise<void> {
  await db
    .insertInto('refresh_tokens')
    .values({
      hash: hashSecret(refreshToken),
      session_id: sessionId,
      expires_at: expiresAt,
      used_at: null,
      used_by: null,
    })
    .execute()
}

function expiry(clock: Clock): Date {
  return new Date(clock.now().getTime() + refreshTokenMs)
}
