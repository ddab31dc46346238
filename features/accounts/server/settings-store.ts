import { sql } from 'kysely'
import type { Database } from '@headwater/server-kit'
import type { AccountTables } from './account-tables.ts'

/** What users have set. */
export interface SettingsStore {
  find(userId: number): Promise<Record<string, unknown>>
  /** Changes these settings and leaves the others, whoever changes them at the same time. */
  merge(userId: number, change: Record<string, unknown>): Promise<void>
}

/** Creates the store. */
export function createSettingsStore({ database }: { database: Database }): SettingsStore {
  const db = database.tables<AccountTables>()
  return {
    async find(userId) {
      const row = await db
        .selectFrom('user_settings')
        .select('settings')
        .where('user_id', '=', userId)
        .executeTakeFirst()
      return row?.settings ?? {}
    },
    async merge(userId, change) {
      await db
        .insertInto('user_settings')
        .values({ user_id: userId, settings: JSON.stringify(change) })
        .onConflict((conflict) =>
          conflict
            .column('user_id')
            .doUpdateSet({ settings: sql<string>`user_settings.settings || excluded.settings` }),
        )
        .execute()
    },
  }
}
