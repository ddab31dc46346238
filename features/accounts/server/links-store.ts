import type { Clock, Database } from '@headwater/server-kit'
import type { AccountTables, LinkPurpose } from './account-tables.ts'
import { hashSecret, newSecret } from './secrets.ts'

/** Stores the tokens of links in e-mails as hashes. */
export interface LinksStore {
  /** Creates a token for a user; earlier ones for the same purpose stop working. */
  create(userId: number, purpose: LinkPurpose, options: { validMs: number }): Promise<string>
  /** Returns the user of a valid token and leaves it valid. */
  find(token: string, purpose: LinkPurpose): Promise<number | undefined>
  /** Returns the user of a valid token and deletes it. Only one of several concurrent callers gets the user. */
  take(token: string, purpose: LinkPurpose): Promise<number | undefined>
  /** Deletes the tokens of a user for a purpose. */
  removeOfUser(userId: number, purpose: LinkPurpose): Promise<void>
  /** Deletes expired tokens. */
  cleanUp(): Promise<void>
}

/** Creates the store of links. */
export function createLinksStore({ database, clock }: { database: Database; clock: Clock }): LinksStore {
  const db = database.tables<AccountTables>()
  return {
    async create(userId, purpose, { validMs }) {
      const token = newSecret()
      await db.transaction().execute(async (transaction) => {
        await transaction
          .deleteFrom('one_time_tokens')
          .where('user_id', '=', userId)
          .where('purpose', '=', purpose)
          .execute()
        await transaction
          .insertInto('one_time_tokens')
          .values({
            hash: hashSecret(token),
            user_id: userId,
            purpose,
            expires_at: new Date(clock.now().getTime() + validMs),
          })
          .execute()
      })
      return token
    },

    async find(token, purpose) {
      const row = await db
        .selectFrom('one_time_tokens')
        .select('user_id')
        .where('hash', '=', hashSecret(token))
        .where('purpose', '=', purpose)
        .where('expires_at', '>', clock.now())
        .executeTakeFirst()
      return row?.user_id
    },

    async take(token, purpose) {
      const row = await db
        .deleteFrom('one_time_tokens')
        .where('hash', '=', hashSecret(token))
        .where('purpose', '=', purpose)
        .where('expires_at', '>', clock.now())
        .returning('user_id')
        .executeTakeFirst()
      return row?.user_id
    },

    async removeOfUser(userId, purpose) {
      await db
        .deleteFrom('one_time_tokens')
        .where('user_id', '=', userId)
        .where('purpose', '=', purpose)
        .execute()
    },

    async cleanUp() {
      await db.deleteFrom('one_time_tokens').where('expires_at', '<', clock.now()).execute()
    },
  }
}
