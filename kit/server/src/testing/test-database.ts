import { randomUUID } from 'node:crypto'
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
    drop: () => onServer(administratorUrl, `drop database ${name} with (force)`),
  }
}

async function onServer(serverUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

function withDatabase(serverUrl: string, name: string): string {
  return serverUrl.replace(/^(postgres(?:ql)?:\/\/[^/]*)\/[^?]*/, `$1/${name}`)
}
