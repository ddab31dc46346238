import { createHash, randomUUID } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'
import { migrate } from '../database/migrate.ts'

/** Environment variable with the URL of the PostgreSQL server of the test run, for the role of a server. */
const testServerVariable = 'HEADWATER_TEST_DATABASE_URL'
/** Environment variable with the URL for a role that can create databases. Default: the role of the server. */
const administratorVariable = 'HEADWATER_TEST_ADMINISTRATOR_URL'

/** A new database of one test file. */
export interface TestDatabase {
  /** URL of the database for the role of a server. */
  connectionString: string
  /** URL of the same database for a superuser. */
  superuserConnectionString: string
  /** Deletes the database and closes its connections. */
  drop(): Promise<void>
}

/** Creates an empty database on the PostgreSQL server of the test run. */
export function createTestDatabase(): Promise<TestDatabase> {
  return createDatabase(readServers(), '')
}

/**
 * Creates a database with the newest schema, as a copy of a template. The first caller of a test run migrates the
 * template. A copy takes a fifth of the time of all migrations.
 * @param folders the `migrations` folders of all features
 */
export async function createMigratedTestDatabase(folders: readonly string[]): Promise<TestDatabase> {
  const servers = readServers()
  return createDatabase(servers, ` template ${await ensureTemplate(servers, folders)}`)
}

interface Servers {
  serverUrl: string
  administratorUrl: string
}

function readServers(): Servers {
  const serverUrl = process.env[testServerVariable]
  if (serverUrl === undefined)
    throw new Error(
      `${testServerVariable} is not set. Run the tests with vitest, whose set-up starts PostgreSQL.`,
    )
  return { serverUrl, administratorUrl: process.env[administratorVariable] ?? serverUrl }
}

async function createDatabase(
  { serverUrl, administratorUrl }: Servers,
  template: string,
  name = `test_${randomUUID().replaceAll('-', '')}`,
): Promise<TestDatabase> {
  const owner = /^postgres(?:ql)?:\/\/([^:@/]*)/.exec(serverUrl)?.[1]
  await onServer(administratorUrl, `create database ${name}${owner ? ` owner ${owner}` : ''}${template}`)
  return {
    connectionString: withDatabase(serverUrl, name),
    superuserConnectionString: withDatabase(administratorUrl, name),
    drop: () => dropDatabase(administratorUrl, name),
  }
}

/** Key of the advisory lock with which only one process of a test run migrates the template. */
const templateLock = 4_817_624
const knownTemplates = new Set<string>()

/**
 * Returns the name of the template. It contains a hash of the migrations, so that an edited file results in another
 * template.
 */
async function ensureTemplate(servers: Servers, folders: readonly string[]): Promise<string> {
  const name = `template_${await hashOf(folders)}`
  if (knownTemplates.has(name)) return name
  await withClient(servers.administratorUrl, async (client) => {
    await client.query('select pg_advisory_lock($1)', [templateLock])
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name])
    if (rowCount === 0) await createTemplate(servers, name, folders)
  })
  knownTemplates.add(name)
  return name
}

async function createTemplate(servers: Servers, name: string, folders: readonly string[]): Promise<void> {
  await onServer(servers.administratorUrl, `drop database if exists ${name}_draft`)
  const draft = await createDatabase(servers, '', `${name}_draft`)
  const pool = new pg.Pool({ connectionString: draft.connectionString, max: 1 })
  await migrate(pool, folders)
  await pool.end()
  await onServer(servers.administratorUrl, `alter database ${name}_draft rename to ${name}`)
}

async function hashOf(folders: readonly string[]): Promise<string> {
  const hash = createHash('sha256')
  for (const folder of folders)
    for (const file of (await readdir(folder)).toSorted())
      hash.update(`${file}\0${await readFile(join(folder, file), 'utf8')}\0`)
  return hash.digest('hex').slice(0, 32)
}

/**
 * Drops a database. First waits up to ten seconds for clients to disconnect, because closed clients stay connected for a
 * short time and would report an error if they were terminated.
 */
function dropDatabase(serverUrl: string, name: string): Promise<void> {
  return withClient(serverUrl, async (client) => {
    const deadline = Date.now() + 10_000
    while (Date.now() < deadline) {
      const { rowCount } = await client.query('select from pg_stat_activity where datname = $1', [name])
      if (rowCount === 0) break
      await setTimeout(10)
    }
    await client.query(`drop database ${name} with (force)`)
  })
}

function onServer(serverUrl: string, statement: string): Promise<void> {
  return withClient(serverUrl, async (client) => {
    await client.query(statement)
  })
}

async function withClient(serverUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function withDatabase(serverUrl: string, name: string): string {
  return serverUrl.replace(/^(postgres(?:ql)?:\/\/[^/]*)\/[^?]*/, `$1/${name}`)
}
