import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { migrationsFolder as accountsMigrations } from '@headwater/accounts/server'
import type { IngestFile, IngestOutcome } from '@headwater/files/server'
import { migrationsFolder as groupsMigrations } from '@headwater/groups/server'
import type { Database, Log } from '@headwater/server-kit'
import { fixedClock, openTestDatabase, silentLog } from '@headwater/server-kit/testing'
import { openEmbeddedEngine, type EmbeddedEngine } from '@headwater/timeseries'
import { createIngestService, type IngestService } from './ingest-service.ts'
import { createIngestStore, type IngestStore } from './ingest-store.ts'
import { migrationsFolder } from './index.ts'
import { symbolDigest } from './symbol-digest.ts'
import { createSymbolsRemovalStore } from './symbols-removal-store.ts'

let database: Database
let engine: EmbeddedEngine
let folder: string
let store: IngestStore
let service: IngestService
let groupId: number
let fileCount = 0
const clock = fixedClock('2026-03-01T12:00:00Z')

beforeAll(async () => {
  database = await openTestDatabase([accountsMigrations, groupsMigrations, migrationsFolder])
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

async function upload(
  content: string | Uint8Array[],
  flags: Partial<IngestFile['flags']> = {},
  whenRead: () => Promise<void> = async () => {},
): Promise<Upload> {
  clock.advance(1000)
  const chunks = typeof content === 'string' ? [Buffer.from(content)] : content
  return ingest(fileOf(chunks, flags), whenRead)
}

function fileOf(chunks: Uint8Array[], flags: Partial<IngestFile['flags']> = {}): IngestFile {
  return {
    fid: `00000000-0000-4000-8000-${String(++fileCount).padStart(12, '0')}`,
    hash: `hash ${fileCount}`,
    groupId,
    sizeBytes: chunks.reduce((sum, chunk) => sum + chunk.byteLength, 0),
    flags: { partialUpdate: false, avoidDuplicates: false, skipMetadata: false, ...flags },
    isRestored: false,
    content: (async function* () {
      yield* chunks
      clock.advance(2000)
    })(),
  }
}

async function ingest(file: IngestFile, whenRead: () => Promise<void> = async () => {}): Promise<Upload> {
  const outcomes: IngestOutcome[] = []
  await service.ingest(file, {
    signal: new AbortController().signal,
    attempt: 1,
    progress: whenRead,
    finish: async (_executor, outcome) => {
      outcomes.push(outcome)
    },
  })
  expect(outcomes).toHaveLength(1)
  return { fid: file.fid, outcome: outcomes[0]! }
}

/** An uploaded file that was read during its upload and is waiting for its ingest. */
async function arrive(content: string, flags: Partial<IngestFile['flags']> = {}): Promise<IngestFile> {
  const file = fileOf([Buffer.from(content)], flags)
  const reader = service.readStreaming(file)!
  for (let at = 0; at < content.length; at += 50) await reader.take(Buffer.from(content.slice(at, at + 50)))
  reader.end(file.hash)
  return file
}

/** Ensures that only the content read during the upload can be ingested. */
function unreadable(file: IngestFile): IngestFile {
  const content: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]() {
      throw new Error('It was read once more.')
    },
  }
  return { ...file, content }
}

async function notedSymbols(): Promise<number> {
  const { rows } = await database.pool.query('select from ingest_symbols where group_id = $1', [groupId])
  return rows.length
}

async function symbolsOfGroup() {
  const { rows } = await database.pool.query(
    `select keys, metadata, first_at as "firstAt", last_at as "lastAt",
      array(select name from value_columns c where c.id = any(column_ids) order by 1) as columns
     from symbols where group_id = $1 order by id`,
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

async function pointsOf(corrections: 'false' | 'true' = 'false'): Promise<string> {
  const { rows: symbols } = await database.pool.query(
    `select id, keys from symbols where group_id = $1 order by id`,
    [groupId],
  )
  const columns = (await store.columns(groupId)).value
  const result = await engine.query({
    symbolKeys: ['Code'],
    corrections,
    selections: [
      {
        dataset: groupId,
        series: symbols.map((row) => ({ sid: row.id, symbols: [row.keys.Code ?? ''] })),
        columns: columns.toSorted((a, b) => (a.name < b.name ? -1 : 1)),
      },
    ],
  })
  const chunks: Uint8Array[] = []
  for await (const chunk of result.stream) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

test('ingests symbols with keys, metadata, columns, date range and points', async () => {
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
  expect(await pointsOf()).toBe(
    'Code,Date(UTC),Close\nBRENT,2024-01-02T00:00:00,78.5\nBRENT,2024-01-03T00:00:00,79\n',
  )
})

test('reports all errors of a rejected file with row and column', async () => {
  const { outcome } = await upload('Code,Date(UTC),Close\nA,today,1\nA,2024-01-02,x\n,2024-01-02,1\n')
  expect(outcome.state).toBe('REJECTED')
  expect(outcome.message.split('\n')).toEqual([
    expect.stringMatching(/^Row 2, column 2 \(Date\(UTC\)\): "today" is not a date/),
    expect.stringMatching(/^Row 3, column 3 \(Close\): "x" is not a number/),
    expect.stringMatching(/^Row 4, column 1 \(Code\): The row has no symbol/),
  ])
})

test('messages about a long name or value contain no unpaired surrogates', async () => {
  const emoji = `a${'😀'.repeat(300)}`
  for (const content of [
    `${emoji},Date,Close\nA,2024-01-02,1\n`,
    `Code,Date(UTC),Close\nA,2024-01-02,${emoji}\n`,
  ]) {
    const { outcome } = await upload(content)
    expect(outcome.state).toBe('REJECTED')
    expect(outcome.message.isWellFormed()).toBe(true)
  }
})

test('PARTIAL_UPDATE preserves other columns and empty cells, a plain upload replaces the row', async () => {
  await upload('Code,Date(UTC),Open,Close\nA,2024-01-02,1,2\n')
  await upload('Code,Date(UTC),Close\nA,2024-01-02,3\n', { partialUpdate: true })
  expect(await pointsOf()).toBe('Code,Date(UTC),Close,Open\nA,2024-01-02T00:00:00,3,1\n')
  await upload('Code,Date(UTC),Close\nA,2024-01-02,4\n')
  expect(await pointsOf()).toBe('Code,Date(UTC),Close,Open\nA,2024-01-02T00:00:00,4,\n')
})

test('AVOID_DUPLICATES skips equal rows, and does not store a file that has no other rows', async () => {
  const content = 'Code,Date(UTC),Close,Unit(MD-S)\nA,2024-01-02,1,USD\nA,2024-01-03,2,USD\n'
  await upload(content)
  const same = await upload(content, { avoidDuplicates: true })
  expect(same.outcome.state).toBe('DUPLICATE')
  expect(await store.ledgerEntryOfFile(same.fid)).toBeUndefined()
  expect(await engine.listVersions(groupId)).toHaveLength(1)
  const more = await upload(`${content}A,2024-01-04,3,USD\n`, { avoidDuplicates: true })
  expect(more.outcome.message).toBe('Ingested 1 row of 1 symbol; 2 repeated or unchanged rows omitted.')
  const otherMetadata = await upload(content.replaceAll('USD', 'EUR'), { avoidDuplicates: true })
  expect(otherMetadata.outcome.state).toBe('READY')
  expect((await symbolsOfGroup())[0]!.metadata).toEqual({ Unit: 'EUR' })
})

test('PARTIAL_UPDATE with AVOID_DUPLICATES stores only changed values; corrections return only those', async () => {
  const flags = { partialUpdate: true, avoidDuplicates: true }
  await upload('Code,Date(UTC),Open,Close\nA,2024-01-02,1,2\nA,2024-01-03,3,4\n')
  const content = 'Code,Date(UTC),Open,Close\nA,2024-01-02,1,5\nA,2024-01-03,3,\n'
  const changed = await upload(content, flags)
  expect(changed.outcome).toEqual({
    state: 'READY',
    message: 'Ingested 1 row of 1 symbol; 1 repeated or unchanged row omitted.',
  })
  const same = await upload(content, flags)
  expect(same.outcome.state).toBe('DUPLICATE')
  expect(await engine.listVersions(groupId)).toHaveLength(2)
  expect(await pointsOf()).toBe(
    'Code,Date(UTC),Close,Open\nA,2024-01-02T00:00:00,5,1\nA,2024-01-03T00:00:00,4,3\n',
  )
  expect(await pointsOf('true')).toBe(
    'Code,Date(UTC),Close,Open\nA,2024-01-02T00:00:00,2,1\nA,2024-01-02T00:00:00,5,\nA,2024-01-03T00:00:00,4,3\n',
  )
})

test('SKIP_METADATA stores points and leaves metadata columns unread', async () => {
  const { outcome } = await upload('Code,Date(UTC),Close,Unit(MD-S)\nA,2024-01-02,1,USD\n', {
    skipMetadata: true,
  })
  expect(outcome.state).toBe('READY')
  expect((await symbolsOfGroup())[0]!.metadata).toEqual({})
  expect((await store.columns(groupId)).metadata).toEqual([])
})

test('a file with only metadata creates symbols without points; the latest metadata is stored', async () => {
  await upload('Code,Date(UTC),Close,Unit(MD-S),Desk(MD-S)\nA,2024-01-02,1,USD,oil\n')
  const { outcome } = await upload('Code,Unit(MD-S)\nA,EUR\nB,GBP\n')
  expect(outcome).toEqual({ state: 'READY', message: 'Ingested the metadata of 2 symbols.' })
  expect((await symbolsOfGroup()).map(({ keys, metadata }) => [keys.Code, metadata])).toEqual([
    ['A', { Unit: 'EUR', Desk: 'oil' }],
    ['B', { Unit: 'GBP' }],
  ])
})

test('a symbol lacks a key whose cell is empty', async () => {
  await upload('Code,Period,Date(UTC),Close\nA,,2024-01-02,1\nA,D,2024-01-02,2\n')
  expect((await symbolsOfGroup()).map(({ keys }) => keys)).toEqual([
    { Code: 'A' },
    { Code: 'A', Period: 'D' },
  ])
})

test('a row of empty cells deletes the point and narrows the date range', async () => {
  await upload('Code,Date(UTC),Close\nA,2024-01-02,1\nA,2024-01-03,2\nA,2024-01-04,3\n')
  await upload('Code,Date(UTC),Close\nA,2024-01-04,\n')
  expect((await symbolsOfGroup())[0]).toMatchObject({ lastAt: new Date('2024-01-03') })
})

test('the date range of a new symbol excludes its rows of empty cells', async () => {
  const rows = ['A,2024-01-02,,', 'A,2024-01-03,1,', 'A,2024-01-04,,2', 'A,2024-01-05,,']
  await upload(`Code,Date(UTC),Close,Open\n${rows.join('\n')}\n`)
  expect((await symbolsOfGroup())[0]).toMatchObject({
    firstAt: new Date('2024-01-03'),
    lastAt: new Date('2024-01-04'),
  })
})

test.each([
  ['empty', '', 'The file is empty'],
  ['only a comment', '# nothing\n', 'The file is empty'],
  ['without a symbol', 'Date,Close\n2024-01-02,1\n', 'There is no symbol column'],
  ['without a date', 'Code,Close\nA,1\n', 'There is no date column'],
  ['with two dates', 'Code,Date,Close,DateTime\nA,2024-01-02,1,2024-01-02\n', 'Row 1, column 4 (DateTime)'],
  ['with a name twice', 'Code,Date,Close,Close\nA,2024-01-02,1,2\n', 'Row 1, column 4 (Close)'],
  ['with a wrong date', 'Code,Date,Close\nGOOD,2024-01-02,1\nA,2024-13-02,1\n', 'Row 3, column 2 (Date)'],
  ['with a text as number', 'Code,Date,Close\nA,2024-01-02,n/a\n', 'Row 2, column 3 (Close)'],
  [
    'with a symbol of blanks',
    'Code,Date,Close\nA,2024-01-02,1\n   ,2024-01-02,1\n',
    'Row 3, column 1 (Code)',
  ],
  ['with a short row', 'Code,Date,Close\nA,2024-01-02\n', 'Row 2, column 3 (Close)'],
  ['with an open quote', 'Code,Date,Close\n"A,2024-01-02,1\n', 'Row 2, column 1: A quote is opened'],
  ['cut in the middle', 'Code,Date,Close\nA,2024-01-02,1\nA,2024-01', 'Row 3, column 3 (Close)'],
])('rejects a file %s with row and column, and stores nothing', async (_, content, message) => {
  const { fid, outcome } = await upload(content)
  expect(outcome.state).toBe('REJECTED')
  expect(outcome.message).toContain(message)
  expect(await symbolsOfGroup()).toEqual([])
  expect((await store.columns(groupId)).value).toEqual([])
  expect(await store.ledgerEntryOfFile(fid)).toBeUndefined()
  expect(await engine.listVersions(groupId)).toEqual([])
  expect((await database.pool.query('select from ingest_symbols')).rows).toEqual([])
})

test.each([
  ['binary', [Buffer.from([0x89, 0x50, 0x4e, 0x47, 0, 1, 2, 3])], 'binary'],
  ['UTF-16', [Buffer.from('\ufeffCode,Date,Close\nA,2024-01-02,1\n', 'utf16le')], 'UTF-16'],
  ['Latin-1', [Buffer.from('Code,Date,Close\nZürich,2024-01-02,1\n', 'latin1')], 'Latin-1'],
])('rejects %s content by name', async (_, chunks, message) => {
  const { outcome } = await upload(chunks)
  expect(outcome).toMatchObject({ state: 'REJECTED', message: expect.stringContaining(message) })
})

test('reads a byte order mark, CRLF, quotes, line breaks and comments', async () => {
  const { outcome } = await upload(
    '\ufeff# handmade\r\nCode,DateTime,Note(S)\r\n"A, ""B""",2024-01-02T00:00:00Z,"two\r\nlines"\r\n',
  )
  expect(outcome.state).toBe('READY')
  expect((await symbolsOfGroup())[0]!.keys).toEqual({ Code: 'A, "B"' })
  expect(await pointsOf()).toBe('Code,Date(UTC),Note(S)\n"A, ""B""",2024-01-02T00:00:00,"two\r\nlines"\n')
})

test('ingests a hundred columns, and a header without rows', async () => {
  const names = Array.from({ length: 100 }, (_, index) => `C${String(index).padStart(3, '0')}`)
  await upload(
    `Code,Date,${names.join(',')}\nA,2024-01-02,${names.map((_, index) => (index === 70 ? 7 : '')).join(',')}\n`,
  )
  expect((await symbolsOfGroup())[0]!.columns).toEqual(['C070'])
  expect((await upload('Code,Date,Close\n')).outcome).toEqual({
    state: 'READY',
    message: 'Ingested 0 rows of 0 symbols.',
  })
})

test('rejects a column with another type than the stored one, and names both', async () => {
  await upload('Code,Date,Close,Unit(MD-S)\nA,2024-01-02,1,USD\n')
  const { outcome } = await upload('Code,Date,Close(S)\nB,2024-01-02,high\n')
  expect(outcome.state).toBe('REJECTED')
  expect(outcome.message).toContain('Row 1, column 3 (Close)')
  expect(outcome.message).toContain('the type string for this value column, but the group has double')
  expect((await upload('Code,Unit(MD-I)\nA,1\n')).outcome.state).toBe('REJECTED')
})

test('a file and a group each have a maximum number of columns', async () => {
  const file = (count: number, prefix: string, suffix = '') => {
    const names = Array.from({ length: count }, (_, index) => `${prefix}${index}${suffix}`)
    return `Code,Date,${names.join(',')}\nA,2024-01-02${',1'.repeat(count)}\n`
  }
  const refused = { state: 'REJECTED', message: expect.stringContaining('at most 1,000') }
  expect((await upload(file(1001, 'C'))).outcome).toMatchObject(refused)
  expect((await upload(file(1001, 'M', '(MD-S)'))).outcome).toMatchObject(refused)
  const keys = Array.from({ length: 101 }, (_, index) => `K${index}`)
  expect((await upload(`${keys.join(',')},Date,Close\n`)).outcome.message).toContain(
    'The file has 101 symbol columns; at most 100',
  )
  const own = Array.from({ length: 1999 }, (_, index) => `(${index + 1_000_000}, $1, 'V${index}', 'double')`)
  await database.pool.query(`insert into value_columns (id, group_id, name, type) values ${own.join(', ')}`, [
    groupId,
  ])
  expect((await upload(file(2, 'N'))).outcome).toMatchObject({
    state: 'REJECTED',
    message: expect.stringContaining('has 1,999 value columns and the file adds 2 more'),
  })
  expect((await upload(file(1, 'N'))).outcome.state).toBe('READY')
})

test('reports the first repeated row of a file, also one from a clock change', async () => {
  const { outcome } = await upload(
    '# Prices\n\nCode,Period,Date(Europe/Warsaw),Close\nA,D,2023-10-29T02:00:00,1\nA,D,2023-10-29T02:30:00,2\nA,D,2023-10-29T02:00:00,3\nA,D,2023-10-29T02:30:00,4\n',
  )
  expect(outcome.message).toBe(
    'Ingested 2 rows of 1 symbol; 2 repeated or unchanged rows omitted. The first repetition is row 6 (Code=A, Period=D at 2023-10-29T00:00:00 UTC). Of duplicate rows, only the last is stored.',
  )
})

test('ignores a blank key', async () => {
  await upload('Code,Period,Date,Close\nA,"  ",2024-01-02,1\n')
  expect((await symbolsOfGroup())[0]!.keys).toEqual({ Code: 'A' })
})

test('rejects names and values that are too long, with row and column', async () => {
  const long = 'x'.repeat(2001)
  const visible = `${'x'.repeat(40)}…`
  const refused = async (content: string, flags: Parameters<typeof upload>[1] = {}) =>
    (await upload(content, flags)).outcome.message
  expect(await refused(`Code,Date,${'x'.repeat(501)}\nA,2024-01-02,1\n`)).toBe(
    `Row 1, column 3 (${visible}): the name has 501 characters; at most 500 are allowed.`,
  )
  const fault = `"${visible}" has 2001 characters; at most 2000 are allowed.`
  expect(
    await refused(
      `# prices\nCode,Period,Date,Close\nA,D,2024-01-02,1\nA,${long},2024-01-02,1\n${long},D,2024-01-02,1\n`,
    ),
  ).toBe(`Row 4, column 2 (Period): ${fault}\nRow 5, column 1 (Code): ${fault}`)
  const withMetadata = `Code,Date,Close,Unit(MD-S)\nA,2024-01-02,1,"${long}"\n`
  expect(await refused(withMetadata)).toBe(`Row 2, column 4 (Unit(MD-S)): ${fault}`)
  expect(await refused(withMetadata, { skipMetadata: true })).toContain('Ingested 1 row')
  expect(await refused(`Code,Date,Close\n${long.slice(1)},2024-01-02,1\n`)).toContain('Ingested 1 row')
})

test('rejects values of symbols that change the direction of text, with row and column', async () => {
  const refused = async (content: string) => (await upload(content)).outcome.message
  const fault = (code: string) =>
    `The value contains ${code}, an invisible character that changes the direction of text. Remove it.`
  expect(
    await refused(
      'Code,Period,Date,Close\nA,D,2024-01-02,1\nA\u202eB,D,2024-01-02,1\nA,"D\u2066",2024-01-02,1\n',
    ),
  ).toBe(`Row 3, column 1 (Code): ${fault('U+202E')}\nRow 4, column 2 (Period): ${fault('U+2066')}`)
  expect(await refused('Code,Date,Close\n\u05d0\u0628,2024-01-02,1\n')).toContain('Ingested 1 row')
})

test('removing a file removes its points, restores older values, and removes symbols that no other file contains', async () => {
  await upload('Code,Date,Close\nA,2024-01-02,1\n')
  const newer = await upload(
    'Code,Date,Close,Volume(I)\nA,2024-01-02,2,5\nA,2024-01-09,3,5\nB,2024-01-02,9,5\n',
  )
  await upload('Code,Unit(MD-S)\nA,USD\n')
  await service.removeFile(newer.fid)
  expect(await pointsOf()).toContain('A,2024-01-02T00:00:00,1')
  const symbols = await symbolsOfGroup()
  expect(symbols.map(({ keys }) => keys.Code)).toEqual(['A'])
  expect(symbols[0]).toMatchObject({ lastAt: new Date('2024-01-02') })
  await service.removeFile(newer.fid)
})

test('the recovery after a crash between points and ledger removes the points, and completes a started removal', async () => {
  const stored = await upload('Code,Date,Close\nA,2024-01-02,1\n')
  const removed = await upload('Code,Date,Close\nA,2024-01-03,2\n')
  const [known] = (await store.columns(groupId)).value
  const orphan = clock.now().getTime() * 1000 + 1
  const points = { sids: Uint32Array.of(1), timestamps: Float64Array.of(0), values: [Float64Array.of(9)] }
  await engine.stage({ dataset: groupId, version: orphan, columns: [known!], batches: [points] })
  await engine.publish(groupId, orphan)
  await store.markRemoving(database.pool, [removed.fid])
  await service.reconcile(groupId)
  const left = (await store.ledger(groupId)).map((entry) => entry.version)
  expect((await engine.listVersions(groupId)).map((fact) => fact.version)).toEqual(left)
  expect((await store.ledger(groupId)).map((entry) => entry.fileId)).toEqual([stored.fid])
})

test('an error after publishing removes the points, and the retry succeeds', async () => {
  const fid = '00000000-0000-4000-8000-999999999999'
  const attempt = (finish: () => Promise<void>) =>
    service.ingest(
      {
        fid,
        hash: '',
        groupId,
        sizeBytes: 40,
        flags: { partialUpdate: false, avoidDuplicates: false, skipMetadata: false },
        isRestored: false,
        content: (async function* () {
          yield Buffer.from('Code,Date,Close\nA,2024-01-02,1\n')
        })(),
      },
      { signal: new AbortController().signal, attempt: 1, progress: async () => {}, finish },
    )
  await expect(attempt(() => Promise.reject(new Error('the database went away')))).rejects.toThrow(
    'went away',
  )
  expect(await engine.listVersions(groupId)).toEqual([])
  expect(await symbolsOfGroup()).toEqual([])
  await attempt(() => Promise.resolve())
  expect(await engine.listVersions(groupId)).toHaveLength(1)
})

test('versions increase even if the clock stands still or goes back', async () => {
  await upload('Code,Date,Close\nA,2024-01-02,1\n')
  clock.advance(-5000)
  await upload('Code,Date,Close\nA,2024-01-02,2\n')
  expect(await pointsOf()).toContain('A,2024-01-02T00:00:00,2')
})

/** Removes a symbol as the route does, but leaves its points for the next repair of the group. */
async function removeSymbol(code: string): Promise<void> {
  const removal = createSymbolsRemovalStore()
  await store.transaction(async (executor) => {
    await store.lockGroup(executor, groupId)
    const matches = await removal.find(executor, groupId, [symbolDigest({ Code: code })])
    const symbolIds = matches.map((symbol) => symbol.id)
    await removal.remove(executor, { groupId, symbolIds, userId: 1, at: clock.now(), isRestorable: false })
  })
}

test('the next repair removes points of a removed symbol from the engine, even after a crash', async () => {
  const { fid } = await upload('Code,Date,Close\nA,2024-01-02,1\nB,2024-01-02,2\n')
  await upload('Code,Date,Close\nA,2024-01-03,3\n')
  await removeSymbol('A')
  const [first] = await engine.statistics(groupId, 'all')
  await engine.removeSeries(groupId, [first!.sid])
  const errors: unknown[] = []
  const log = { ...silentLog(), error: (...given: unknown[]) => errors.push(given) } as unknown as Log
  const afterCrash = createIngestService({ store, engine, clock, log })
  await afterCrash.reconcile(groupId)
  expect((await engine.statistics(groupId, 'all')).map(({ count }) => count)).toEqual([1])
  expect(await store.removedSymbolIds(groupId)).toEqual([])
  expect((await store.ledger(groupId)).map(({ rowCount }) => rowCount)).toEqual([1, 0])
  await afterCrash.reconcile(groupId)
  expect(errors).toEqual([])
  await service.removeFile(fid)
  expect(await symbolsOfGroup()).toEqual([])
})

test('a symbol removed during an ingest has only the data of that file after the retry', async () => {
  await upload('Code,Date,Close\nA,2024-01-02,1\n')
  const content = 'Code,Date,Close\nA,2024-01-03,2\n'
  await expect(
    upload([Buffer.from(content)], {}, async () => {
      await removeSymbol('A')
    }),
  ).rejects.toThrow('removed during the ingest')
  expect(await engine.listVersions(groupId)).toHaveLength(1)
  await upload(content)
  expect(await pointsOf()).toBe('Code,Date(UTC),Close\nA,2024-01-03T00:00:00,2\n')
})

test('a value column removed with its last symbol during an ingest is created again', async () => {
  await upload('Code,Date,Close\nA,2024-01-02,1\n')
  const content = Buffer.from('Code,Date,Close\nB,2024-01-03,2\n')
  await upload([content], {}, async () => {
    await removeSymbol('A')
    expect((await store.columns(groupId)).value).toEqual([])
  })
  expect(await pointsOf()).toBe('Code,Date(UTC),Close\nB,2024-01-03T00:00:00,2\n')
})

test('nothing remains of a group that is deleted during an ingest', async () => {
  const gone = groupId
  await upload('Code,Date,Close\nA,2024-01-02,1\n')
  const content = Buffer.from('Code,Date,Close\nB,2024-01-03,2\n')
  await expect(
    upload([content], {}, async () => {
      await database.pool.query('delete from groups where id = $1', [gone])
    }),
  ).rejects.toThrow('deleted during the ingest')
  await database.pool.query(
    `insert into ingest_symbols (file_id, group_id, id, digest, keys, is_new)
     values ('00000000-0000-4000-8000-00000000abcd', $1, 1, '', '{}', true)`,
    [gone],
  )
  await service.removeGroup(gone)
  await service.removeGroup(gone)
  expect(await engine.listVersions(gone)).toEqual([])
  const { rows } = await database.pool.query('select from ingest_symbols where group_id = $1', [gone])
  expect(rows).toHaveLength(0)
})

test('ingests a file that was read during its upload without reading it again', async () => {
  const first = unreadable(
    await arrive('Code,Date,Close,Unit(MD-S)\nA,2024-01-01,1,USD\nB,2024-01-01,2,EUR\nA,2024-01-02,3,CHF\n'),
  )
  expect(await symbolsOfGroup()).toEqual([])
  expect((await ingest(first)).outcome).toEqual({ state: 'READY', message: 'Ingested 3 rows of 2 symbols.' })
  expect((await symbolsOfGroup()).map(({ keys, metadata }) => [keys.Code, metadata.Unit])).toEqual([
    ['A', 'CHF'],
    ['B', 'EUR'],
  ])
  await ingest(unreadable(await arrive('Code,Date,Close\nB,2024-01-01,7\n')))
  const same = await arrive('Code,Date,Close\nB,2024-01-01,7\n', { avoidDuplicates: true })
  expect((await ingest(unreadable(same))).outcome.state).toBe('DUPLICATE')
  const more = await arrive('Code,Date,Open\nB,2024-01-01,8\n', { partialUpdate: true })
  await ingest(unreadable(more))
  expect(await pointsOf()).toBe(
    'Code,Date(UTC),Close,Open\nA,2024-01-01T00:00:00,1,\nA,2024-01-02T00:00:00,3,\nB,2024-01-01T00:00:00,7,8\n',
  )
  expect(await notedSymbols()).toBe(0)
})

test('concurrent uploads of the same symbols and columns create each of them once', async () => {
  const files = [
    await arrive('Code,Date,Close\nA,2024-01-01,1\n'),
    await arrive('Code,Date,Close\nA,2024-01-01,2\nB,2024-01-01,2\n'),
    await arrive('Code,Date,Close\nB,2024-01-02,3\n'),
  ]
  for (const file of files) expect((await ingest(file)).outcome.state).toBe('READY')
  expect((await symbolsOfGroup()).map(({ keys, columns }) => [keys.Code, columns])).toEqual([
    ['A', ['Close']],
    ['B', ['Close']],
  ])
  expect(await pointsOf()).toBe(
    'Code,Date(UTC),Close\nA,2024-01-01T00:00:00,2\nB,2024-01-01T00:00:00,2\nB,2024-01-02T00:00:00,3\n',
  )
})

test('an ingest uses changes made to the group since the upload', async () => {
  await upload('Code,Date,Close\nA,2024-01-01,1\nB,2024-01-01,1\n')
  const [a] = (await database.pool.query(`select id from symbols where group_id = $1 order by id`, [groupId]))
    .rows
  const removed = await arrive('Code,Date,Close\nA,2024-01-02,2\n')
  await database.pool.query('delete from symbols where id = $1', [a.id])
  await ingest(removed)
  const [fresh] = (
    await database.pool.query(`select id from symbols where group_id = $1 and keys ->> 'Code' = 'A'`, [
      groupId,
    ])
  ).rows
  expect(fresh.id).not.toBe(a.id)

  const otherType = await arrive('Code,Date,Name(S)\nA,2024-01-02,x\n')
  await upload('Code,Date,Name\nA,2024-01-02,5\n')
  expect((await ingest(otherType)).outcome).toMatchObject({ state: 'REJECTED' })
  expect(await notedSymbols()).toBe(0)
})

test('an aborted upload leaves nothing behind', async () => {
  const incoming = () => readdir(join(folder, 'incoming'))
  const before = await incoming()
  const lines = Array.from(
    { length: 40_000 },
    (_, row) => `S${row % 7},2024-01-01T00:00:00.${row % 1000}Z,${row}\n`,
  )
  const file = fileOf([])
  const reader = service.readStreaming(file)!
  await reader.take(Buffer.from(`Code,Date,Close\n${lines.join('')}`))
  await reader.drop()
  expect(await incoming()).toEqual(before)
  expect(await notedSymbols()).toBe(0)
  expect(await symbolsOfGroup()).toEqual([])
})

test('concurrent uploads of one file store the points of the accepted content', async () => {
  const file = fileOf([Buffer.from('Code,Date,Close\nA,2024-01-02,1\n')])
  const other = service.readStreaming(file)!
  await other.take(Buffer.from('Code,Date,Close\nA,2024-01-02,'))
  expect(service.readStreaming(file)).toBeUndefined()
  // The other content is still being uploaded when the ingest of this one starts.
  expect((await ingest(file)).outcome).toMatchObject({ state: 'READY' })
  await other.take(Buffer.from('2\n'))
  other.end('another hash')
  await other.drop()
  const again = { ...fileOf([Buffer.from('Code,Date,Close\nB,2024-01-02,3\n')]), hash: 'wanted' }
  const wrong = service.readStreaming(again)!
  await wrong.take(Buffer.from('Code,Date,Close\nB,2024-01-02,4\n'))
  wrong.end('not wanted')
  expect((await ingest(again)).outcome).toMatchObject({ state: 'READY' })
  await wrong.drop()
  expect(await pointsOf()).toBe('Code,Date(UTC),Close\nA,2024-01-02T00:00:00,1\nB,2024-01-02T00:00:00,3\n')
})

test('limits the number of files read during their upload, and rejects an invalid one during its ingest', async () => {
  const readers = Array.from({ length: 6 }, () => service.readStreaming(fileOf([])))
  expect(readers.filter((reader) => reader !== undefined)).toHaveLength(4)
  for (const reader of readers) await reader?.drop()
  const wrong = await arrive(`Code,Date,Close\n${'A,2024-01-01,much\n'.repeat(30)}`)
  expect((await ingest(wrong)).outcome).toMatchObject({ state: 'REJECTED' })
  const many = Array.from({ length: 10_001 }, (_, symbol) => `S${symbol},2024-01-01,1\n`)
  expect((await ingest(await arrive(`Code,Date,Close\n${many.join('')}`))).outcome).toEqual({
    state: 'READY',
    message: 'Ingested 10,001 rows of 10,001 symbols.',
  })
})
