import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { migrationsFolder as accountsMigrations } from '@headwater/accounts/server'
import { migrationsFolder as groupsMigrations } from '@headwater/groups/server'
import { fixedClock, migrate, openDatabase, silentLog, type Database } from '@headwater/server-kit'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'
import { openEmbeddedEngine, type EmbeddedEngine } from '@headwater/timeseries'
import { createIngestService, type IngestFlags, type IngestOutcome, type IngestService } from './ingest-service.ts'
import { createIngestStore, type IngestStore } from './ingest-store.ts'
import { migrationsFolder } from './index.ts'

let testDatabase: TestDatabase
let database: Database
let engine: EmbeddedEngine
let folder: string
let store: IngestStore
let service: IngestService
let groupId: number
let fileCount = 0
const clock = fixedClock('2026-03-01T12:00:00Z')

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ connectionString: testDatabase.connectionString, log: silentLog() })
  await migrate(database.pool, [accountsMigrations, groupsMigrations, migrationsFolder])
  folder = await mkdtemp(join(tmpdir(), 'headwater-series-'))
  engine = await openEmbeddedEngine({ folder })
  store = createIngestStore(database.pool)
  service = createIngestService({ store, engine, clock, log: silentLog() })
  await database.pool.query(`insert into companies (name) values ('Company')`)
  await database.pool.query(`insert into users (user_name, company_id) values ('anna@example.com', 1)`)
})

afterAll(async () => {
  await engine.close()
  await rm(folder, { recursive: true, force: true })
  await database.close()
  await testDatabase.drop()
})

beforeEach(async () => {
  const { rows } = await database.pool.query<{ id: number }>(
    `insert into groups (name, owner_id) values ('g' || (select count(*) from groups), 1) returning id`,
  )
  groupId = rows[0]!.id
})

interface Upload {
  fid: string
  outcome: IngestOutcome
}

async function upload(content: string | Uint8Array[], flags: Partial<IngestFlags> = {}): Promise<Upload> {
  clock.advance(1000)
  const fid = `00000000-0000-4000-8000-${String(++fileCount).padStart(12, '0')}`
  const chunks = typeof content === 'string' ? [Buffer.from(content)] : content
  const outcomes: IngestOutcome[] = []
  await service.ingest(
    {
      fid,
      groupId,
      sizeBytes: chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0),
      flags: { partialUpdate: false, avoidDuplicates: false, skipMetadata: false, ...flags },
      content: (async function* () {
        yield* chunks
      })(),
    },
    {
      signal: new AbortController().signal,
      progress: async () => {},
      finish: async (_executor, outcome) => {
        outcomes.push(outcome)
      },
    },
  )
  expect(outcomes).toHaveLength(1)
  return { fid, outcome: outcomes[0]! }
}

async function symbolsOfGroup() {
  const { rows } = await database.pool.query(
    `select keys, metadata, first_at as "firstAt", last_at as "lastAt",
      array(select name from value_columns c where c.id = any(column_ids) order by 1) as columns
     from symbols where group_id = $1 order by keys::text`,
    [groupId],
  )
  return rows as {
    keys: Record<string, string>
    metadata: Record<string, string>
    firstAt: Date | null
    lastAt: Date | null
    columns: string[]
  }[]
}

async function pointsOf(): Promise<string> {
  const { rows: symbols } = await database.pool.query(`select id, keys from symbols where group_id = $1 order by id`, [
    groupId,
  ])
  const columns = await store.valueColumns(groupId)
  const answer = await engine.query({
    symbolKeys: ['Code'],
    selections: [
      {
        dataset: groupId,
        series: symbols.map((row) => ({ sid: row.id, symbols: [row.keys.Code ?? ''] })),
        columns: columns.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      },
    ],
  })
  const chunks: Uint8Array[] = []
  for await (const chunk of answer.stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('a file becomes symbols with their keys, metadata, columns and range of dates, and points', async () => {
  const { outcome } = await upload(
    'Code,Period,Date(UTC),Close,Unit(MD-S),Listed(MD-D)\nBRENT,D,2024-01-02,78.5,USD/bbl,1988-06-23\nBRENT,D,2024-01-03,79,,\nWTI,D,2024-01-02,,USD/bbl,\n',
  )
  expect(outcome).toEqual({ state: 'READY', message: 'Ingested 3 rows of 2 symbols.' })
  expect(await symbolsOfGroup()).toEqual([
    {
      keys: { Code: 'BRENT', Period: 'D' },
      metadata: { Unit: 'USD/bbl', Listed: '1988-06-23T00:00:00' },
      firstAt: new Date('2024-01-02'),
      lastAt: new Date('2024-01-03'),
      columns: ['Close'],
    },
    {
      keys: { Code: 'WTI', Period: 'D' },
      metadata: { Unit: 'USD/bbl' },
      firstAt: null,
      lastAt: null,
      columns: [],
    },
  ])
  expect(await pointsOf()).toBe('Code,Date(UTC),Close\nBRENT,2024-01-02T00:00:00,78.5\nBRENT,2024-01-03T00:00:00,79\n')
})
