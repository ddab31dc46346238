import { sql } from 'kysely'
import type { Database } from '@headwater/server-kit'
import type { AccountTables } from './account-tables.ts'

/** Stores the settings that users changed. */
export interface SettingsStore {
  /** Returns the stored settings; an empty object without any. */
  find(userId: number): Promise<Record<string, unknown>>
  /** Changes these settings only, so that concurrent changes of other settings are not lost. */
  merge(userId: number, change: Record<string, unknown>): Promise<void>
}

/** Creates the store of settings. */
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
