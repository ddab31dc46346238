import { execFile } from 'node:child_process'
import { chmod, mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import pg from 'pg'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'
import { migrateUntil } from '../testing.ts'

/** The data that a server of an earlier version stored, before the first start of this version. */
export interface OldDataFolder {
  /** Path of the data folder. It is inside {@link folder}. */
  dataFolder: string
  /** Folder to remove after the test. */
  folder: string
  /** Its database with the schema of that version. */
  database: TestDatabase
  /** Responses and ids that the earlier version returned. */
  expected: OldResponses
}

/** Responses and ids that the earlier version returned. */
export interface OldResponses {
  /** Queries of `POST /ts` with the responses. */
  points: { userName: string; query: object; response: string }[]
  /** Id of the paused run. */
  jobId: string
  /** Id of its pipeline. */
  pipelineId: string
  /** Id of the scheduled data prep. */
  prepId: string
}

/**
 * Unpacks an archive of `data-folders`, and loads its rows into a new database.
 * @param name of the archive, without extension
 * @param nextMigration first migration that the database of the archive lacks
 */
export async function openDataFolder(name: string, nextMigration: string): Promise<OldDataFolder> {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-test-'))
  const archive = join(import.meta.dirname, 'data-folders', `${name}.tar.gz`)
  await promisify(execFile)('tar', ['-xzf', archive, '-C', folder, '--no-same-owner'])
  const dataFolder = join(folder, 'data')
  for (const each of [folder, dataFolder]) await chmod(each, 0o711)
  const read = (file: string) => readFile(join(folder, file), 'utf8')

  const database = await createTestDatabase()
  const pool = new pg.Pool({ connectionString: database.connectionString, max: 1 })
  try {
    await migrateUntil(pool, nextMigration)
  } finally {
    await pool.end()
  }
  await loadRows(database.superuserConnectionString, await read('database.json'))
  return { dataFolder, folder, database, expected: JSON.parse(await read('expected.json')) as OldResponses }
}

/**
 * Replaces all rows, without triggers and checks of references: the rows already passed them.
 * @param content JSON of rows by table, and last numbers by sequence. PostgreSQL parses it, because JavaScript would
 *   round large numbers.
 */
async function loadRows(superuserUrl: string, content: string): Promise<void> {
  const { tables, sequences } = JSON.parse(content) as Record<'tables' | 'sequences', object>
  const client = new pg.Client({ connectionString: superuserUrl })
  await client.connect()
  try {
    await client.query(`set session_replication_role = 'replica'`)
    const stored = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migrations'`,
    )
    await client.query(`truncate ${stored.rows.map(({ name }) => name).join(', ')}`)
    for (const table of Object.keys(tables)) {
      const columns = await client.query<{ name: string }>(
        `select quote_ident(attname) as name from pg_attribute
         where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`,
        [table],
      )
      const names = columns.rows.map(({ name }) => name).join(', ')
      await client.query(
        `insert into ${table} (${names}) overriding system value
         select ${names} from json_populate_recordset(null::${table}, $1::json -> 'tables' -> $2)`,
        [content, table],
      )
    }
    for (const [sequence, last] of Object.entries(sequences))
      await client.query('select setval($1::regclass, $2)', [sequence, last])
  } finally {
    await client.end()
  }
}
