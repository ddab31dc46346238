import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import pg from 'pg'

/** Environment variable with the URL of the PostgreSQL server of the test run, for the role of a server. */
const testServerVariable = 'HEADWATER_TEST_DATABASE_URL'
/** Environment variable with the URL for a role that can create databases; default the same role. */
const administratorVariable = 'HEADWATER_TEST_ADMINISTRATOR_URL'

/** A fresh, empty database of one test file. */
export interface TestDatabase {
  /** URL of the database for the role of a server. */
  connectionString: string
  /** URL of the same database for a superuser. */
  superuserConnectionString: string
  /** Deletes the database and closes its connections. */
  drop(): Promise<void>
}

/** Creates an empty database on the PostgreSQL server of the test run. */
export async function createTestDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env[testServerVariable]
  if (serverUrl === undefined)
    throw new Error(
      `${testServerVariable} is not set. Run the tests with vitest, whose set-up starts PostgreSQL.`,
    )
  const administratorUrl = process.env[administratorVariable] ?? serverUrl
  const owner = /^postgres(?:ql)?:\/\/([^:@/]*)/.exec(serverUrl)?.[1]
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(administratorUrl, `create database ${name}${owner ? ` owner ${owner}` : ''}`)
  return {
    connectionString: withDatabase(serverUrl, name),
    superuserConnectionString: withDatabase(administratorUrl, name),
    drop: () => dropDatabase(administratorUrl, name),
  }
}

/**
 * Drops a database. Closed clients may still be connected for a few milliseconds; ended by force, they would report an error. So
 * this waits up to a second for them first.
 */
function dropDatabase(serverUrl: string, name: string): Promise<void> {
  return withClient(serverUrl, async (client) => {
    const deadline = Date.now() + 1000
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
