import type { Database } from '@headwater/server-kit'
import type { DemoState } from '../contract/index.ts'

interface DemoTables {
  demo: { one: boolean; state: Exclude<DemoState['state'], 'absent'> }
}

/** Stores the state of the demo workspace. */
export interface DemoStore {
  /** Returns the state; `absent` if it was never loaded. */
  find(): Promise<DemoState['state']>
  /** Replaces the state. */
  set(state: Exclude<DemoState['state'], 'absent'>): Promise<void>
}

/** Creates the store; it has one row, or none before the first load. */
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
