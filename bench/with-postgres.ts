import { join } from 'node:path'
import { migrate, openDatabase, startPostgres, type Database } from '@headwater/server-kit'
import { silentLog } from '@headwater/server-kit/testing'
import { withFolder } from './with-folder.ts'

/** A fresh PostgreSQL of a benchmark. */
export interface BenchPostgres {
  /** Address for other connections. */
  connectionString: string
  /** Folder of the benchmark, which is removed afterwards. */
  folder: string
}

/** Runs a benchmark on a database of a fresh PostgreSQL with full durability, and removes both afterwards. */
export async function withPostgres<T>(
  migrationsFolders: readonly string[],
  work: (database: Database, postgres: BenchPostgres) => Promise<T>,
): Promise<T> {
  return withFolder(async (folder) => {
    const postgres = await startPostgres({
      folder: join(folder, 'postgres'),
      logFolder: folder,
      log: { info: () => {}, warn: console.error, error: console.error },
    })
    const { connectionString } = postgres
    const database = openDatabase({ connectionString, log: silentLog() })
    try {
      if (migrationsFolders.length > 0) await migrate(database.pool, migrationsFolders)
      return await work(database, { connectionString, folder })
    } finally {
      await database.close()
      await postgres.stop()
    }
  })
}
