import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type pg from 'pg'

const lockKey = 4_817_623

/** One migration file: plain SQL, run once, in one transaction, in the order of the file names. */
interface Migration {
  name: string
  sql: string
}

/**
 * Migrates a database to the newest schema. Several servers can start at once: an advisory lock lets one migrate while
 * the others wait. Each file runs once. The start fails if a file that ran earlier is missing.
 * @param folders the `migrations` folders of all features
 * @returns names of the migrations that this call ran
 */
export async function migrate(pool: pg.Pool, folders: readonly string[]): Promise<string[]> {
  const migrations = await readMigrations(folders)
  const connection = await pool.connect()
  try {
    await connection.query('select pg_advisory_lock($1)', [lockKey])
    await connection.query(
      'create table if not exists migrations (name text primary key, ran_at timestamptz not null default now())',
    )
    const { rows } = await connection.query<{ name: string }>('select name from migrations')
    const done = new Set(rows.map((row) => row.name))
    const known = new Set(migrations.map((migration) => migration.name))
    const unknown = [...done].filter((name) => !known.has(name))
    if (unknown.length > 0)
      throw new Error(
        `A newer version has migrated this database: it contains ${unknown.join(', ')}. Start that version, or restore a backup.`,
      )
    const fresh = migrations.filter((migration) => !done.has(migration.name))
    for (const migration of fresh) await runMigration(connection, migration)
    return fresh.map((migration) => migration.name)
  } finally {
    await connection.query('select pg_advisory_unlock($1)', [lockKey]).catch(() => {})
    connection.release()
  }
}

async function runMigration(connection: pg.PoolClient, { name, sql }: Migration): Promise<void> {
  await connection.query('begin')
  try {
    await connection.query(sql)
    await connection.query('insert into migrations (name) values ($1)', [name])
    await connection.query('commit')
  } catch (error) {
    await connection.query('rollback')
    throw new Error(
      `The migration ${name} failed: ${(error as Error).message}. It did not change the database. Restore the previous version of the server, or report the error.`,
      { cause: error },
    )
  }
}

async function readMigrations(folders: readonly string[]): Promise<Migration[]> {
  const lists = await Promise.all(
    folders.map(async (folder) => {
      const names = (await readdir(folder)).filter((name) => name.endsWith('.sql'))
      return Promise.all(
        names.map(async (name) => ({ name, sql: await readFile(join(folder, name), 'utf8') })),
      )
    }),
  )
  return lists.flat().toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
