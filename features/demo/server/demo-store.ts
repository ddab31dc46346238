import type { Database } from '@headwater/server-kit'
import type { DemoState } from '../contract/index.ts'

interface DemoTables {
  demo: { one: boolean; state: Exclude<DemoState['state'], 'absent'> }
}

/** Remembers what became of the demo workspace. */
export interface DemoStore {
  find(): Promise<DemoState['state']>
  set(state: Exclude<DemoState['state'], 'absent'>): Promise<void>
}

/** The state of the demo workspace in PostgreSQL: one row, or none before it was ever asked for. */
export function createDemoStore(database: Database): DemoStore {
  const db = database.tables<DemoTables>()
  return {
    async find() {
      const row = await db.selectFrom('demo').select('state').executeTakeFirst()
      return row?.state ?? 'absent'
    },
    async set(state) {
      await db
        .insertInto('demo')
        .values({ one: true, state })
        .onConflict((conflict) => conflict.column('one').doUpdateSet({ state }))
        .execute()
    },
  }
}
