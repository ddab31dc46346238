import { openDatabase, type Database } from '../database/database.ts'
import { silentLog } from './silent-log.ts'
import { createMigratedTestDatabase, createTestDatabase } from './test-database.ts'

/**
 * Opens a separate database for a test file. `close` also deletes it.
 * @param folders migrations to run; none by default
 */
export async function openTestDatabase(
  folders: readonly string[] = [],
  options: { poolSize?: number } = {},
): Promise<Database> {
  const created = await (folders.length === 0 ? createTestDatabase() : createMigratedTestDatabase(folders))
  const database = openDatabase({ connectionString: created.connectionString, log: silentLog(), ...options })
  return {
    ...database,
    async close() {
      await database.close()
      await created.drop()
    },
  }
}
