import type { ApiKey } from '@headwater/accounts/contract'
import { formatUtcSeconds, type Clock, type Database } from '@headwater/server-kit'
import type { AccountTables } from './account-tables.ts'
import { hashSecret } from './secrets.ts'

/** The owner and the expiry of a key. */
export interface KeyOwner {
  /** Id of the owner. */
  userId: number
  /** Time of expiry; undefined if the key never expires. */
  expiresAt: Date | undefined
}

/** Stores API keys as hashes. */
export interface ApiKeysStore {
  /** Returns the keys of a user, newest first. */
  list(userId: number): Promise<ApiKey[]>
  /** Stores a key; returns undefined if the user already has `limit` keys. */
  create(
    userId: number,
    key: { label: string; key: string; expiresAt: Date | undefined; limit: number },
  ): Promise<ApiKey | undefined>
  /** Deletes a key; returns whether the user had it. */
  remove(userId: number, id: number): Promise<boolean>
  /** Deletes all keys of a user and returns their number. */
  removeOfUser(userId: number): Promise<number>
  /** Returns the owner of a key with this hash; undefined if it is unknown or expired. Records the use at most once a minute. */
  use(hash: Buffer): Promise<KeyOwner | undefined>
}

const noteUseEveryMs = 60_000

/** Creates the store. */
export function createApiKeysStore({ database, clock }: { database: Database; clock: Clock }): ApiKeysStore {
  const db = database.tables<AccountTables>()
  return {
    async list(userId) {
      const rows = await db
        .selectFrom('api_keys')
        .selectAll()
        .where('user_id', '=', userId)
        .orderBy('id', 'desc')
        .execute()
      return rows.map(toApiKey)
    },

    async create(userId, { label, key, expiresAt, limit }) {
      return db.transaction().execute(async (transaction) => {
        await transaction.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
        const { total } = await transaction
          .selectFrom('api_keys')
          .select((eb) => eb.fn.countAll<number>().as('total'))
          .where('user_id', '=', userId)
          .executeTakeFirstOrThrow()
        if (total >= limit) return undefined
        const row = await transaction
          .insertInto('api_keys')
          .values({
            user_id: userId,
            label,
            hash: hashSecret(key),
            created_at: clock.now(),
            last_used_at: null,
            expires_at: expiresAt ?? null,
          })
          .returningAll()
          .executeTakeFirstOrThrow()
        return toApiKey(row)
      })
    },

    async remove(userId, id) {
      const result = await db
        .deleteFrom('api_keys')
        .where('id', '=', id)
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return result.numDeletedRows === 1n
    },

    async removeOfUser(userId) {
      const result = await db.deleteFrom('api_keys').where('user_id', '=', userId).executeTakeFirst()
      return Number(result.numDeletedRows)
    },

    async use(hash) {
      const row = await db
        .selectFrom('api_keys')
        .select(['id', 'user_id', 'last_used_at', 'expires_at'])
        .where('hash', '=', hash)
        .executeTakeFirst()
      const now = clock.now()
      if (row === undefined || (row.expires_at !== null && row.expires_at <= now)) return undefined
      if (row.last_used_at === null || now.getTime() - row.last_used_at.getTime() >= noteUseEveryMs)
        await db.updateTable('api_keys').set({ last_used_at: now }).where('id', '=', row.id).execute()
      return { userId: row.user_id, expiresAt: row.expires_at ?? undefined }
    },
  }
}

function toApiKey(row: {
  id: number
  label: string
  created_at: Date
  last_used_at: Date | null
  expires_at: Date | null
}): ApiKey {
  return {
    id: row.id,
    label: row.label,
    createdAt: formatUtcSeconds(row.created_at),
    ...(row.expires_at === null ? {} : { expiresAt: formatUtcSeconds(row.expires_at) }),
    ...(row.last_used_at === null ? {} : { lastUsedAt: formatUtcSeconds(row.last_used_at) }),
  }
}
