import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate, openDatabase, startPostgres, type Database } from '@headwater/server-kit'
import { silentLog } from '@headwater/server-kit/testing'

/** Runs a benchmark on a database of a fresh PostgreSQL with full durability, and removes both afterwards. */
export async function withPostgres<T>(
  migrationsFolders: readonly string[],
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-bench-'))
  const postgres = await startPostgres({
    folder: join(folder, 'postgres'),
    logFolder: folder,
    log: { info: () => {}, warn: console.error, error: console.error },
  })
  const database = openDatabase({ connectionString: postgres.connectionString, log: silentLog() })
  try {
    await migrate(database.pool, migrationsFolders)
    return await work(database)
  } finally {
    await database.close()
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
}
