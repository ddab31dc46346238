import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { converted, type TableConversion } from '../src/isolated/conversion.ts'
import { joined, sourceOf } from './bytes.ts'
import { clickhouse } from './clickhouse.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parquet-'))
})
afterAll(() => rm(folder, { recursive: true }))

const toCsv = async (bytes: Uint8Array, more: Partial<TableConversion> = {}) =>
  (await joined(converted(sourceOf(bytes), { formats: 'Parquet to CSV', ...more }))).toString()
const toParquet = (csv: string) => joined(converted(sourceOf(csv), { formats: 'CSV to Parquet' }))

test('CSV becomes Parquet that ClickHouse reads: each column has the narrowest type that loses nothing', async () => {
  const path = join(folder, 'written.parquet')
  await writeFile(
    path,
    await toParquet(
      'Code,Count,Price,Day,Local,At,Open,Mixed,Empty\n007,1,70.50,2026-01-31,2026-01-31T10:00:00.123456,2026-01-31T10:00:00+02:00,true,1,\nü,-9007199254740993,1e-3,1900-01-01,2026-02-01,2026-01-31 10:00:00Z,FALSE,x,\n,,,,,,,,\n',
    ),
  )
  const [types, rows] = await clickhouse(
    `DESCRIBE file('${path}', Parquet)`,
    `SELECT * FROM file('${path}', Parquet)`,
  )
  expect(
    types!
      .trim()
      .split('\n')
      .map((line) => line.split('\t').slice(0, 2)),
  ).toEqual([
    ['Code', 'Nullable(String)'],
    ['Count', 'Nullable(Int64)'],
    ['Price', 'Nullable(Float64)'],
    ['Day', 'Nullable(Date32)'],
    ['Local', expect.stringMatching(/^Nullable\(DateTime64\(6/)],
    ['At', expect.stringMatching(/^Nullable\(DateTime64\(6/)],
    ['Open', 'Nullable(Bool)'],
    ['Mixed', 'Nullable(String)'],
    ['Empty', 'Nullable(String)'],
  ])
  expect(
    rows!
      .trim()
      .split('\n')
      .map((line) => line.split('\t')),
  ).toEqual([
    [
      '007',
      '1',
      '70.5',
      '2026-01-31',
      '2026-01-31 10:00:00.123456',
      '2026-01-31 08:00:00.000000',
      'true',
      '1',
      '\\N',
    ],
    [
      'ü',
      '-9007199254740993',
      '0.001',
      '1900-01-01',
      '2026-02-01 00:00:00.000000',
      '2026-01-31 10:00:00.000000',
      'false',
      'x',
      '\\N',
    ],
    Array.from({ length: 9 }, () => '\\N'),
  ])
})

test('Parquet files from ClickHouse become CSV: exact decimals, ISO dates, all compressions, many pages and row groups', async () => {
  const columns = `number AS id, if(number % 3 = 0, NULL, concat('näme ', toString(number % 5))) AS name, toDecimal64(number, 3) / 8 AS exact, toDate32('2026-01-01') + number AS day, toDateTime64('2026-01-01 00:00:00.250', 3, 'UTC') AS at, toFloat32(0.1) AS small, number % 2 = 0 AS even, toUInt64(18446744073709551615) AS large`
  const codecs = ['none', 'snappy', 'gzip', 'zstd', 'brotli']
  const pathOf = (codec: string) => join(folder, `${codec}.parquet`)
  await clickhouse(
    ...codecs.map(
      (codec) =>
        `INSERT INTO FUNCTION file('${pathOf(codec)}', Parquet) SELECT ${columns} FROM numbers(5000) SETTINGS output_format_parquet_compression_method = '${codec}', output_format_parquet_row_group_size = 2000, output_format_parquet_data_page_size = 1000`,
    ),
  )
  for (const codec of codecs) {
    const lines = (await toCsv(await readFile(pathOf(codec)))).trimEnd().split('\n')
    expect(lines, codec).toHaveLength(5001)
    expect(lines[0]).toBe('id,name,exact,day,at,small,even,large')
    expect(lines[1]).toMatch(
      /^0,,0\.000,2026-01-01,2026-01-01T00:00:00\.250Z,0\.1,(true|1),18446744073709551615$/,
    )
    expect(lines[5000]).toMatch(/^4999,näme 4,624\.875,2039-09-09,/)
    expect(new Set(lines).size).toBe(5001)
  }
  const some = await toCsv(await readFile(pathOf('zstd')), { columns: ['name', 'id'] })
  expect(some.split('\n').slice(0, 3)).toEqual(['name,id', ',0', 'näme 1,1'])
})

test('lists and groups have no text; other columns of the file can be chosen', async () => {
  const path = join(folder, 'lists.parquet')
  await clickhouse(`INSERT INTO FUNCTION file('${path}', Parquet) SELECT [1, 2] AS list, 'x' AS text`)
  const bytes = await readFile(path)
  await expect(toCsv(bytes)).rejects.toThrow('The column “list” contains lists or groups')
  expect(await toCsv(bytes, { columns: ['text'] })).toBe('text\nx\n')
  await expect(toCsv(bytes, { columns: ['other'] })).rejects.toThrow('Its columns are list, text.')
})

test('a table of many rows is the same after both conversions', async () => {
  const csv = `id,value,text\n${Array.from({ length: 230_000 }, (_, id) => `${id},${id / 4},t${id % 1000}\n`).join('')}`
  const parquet = await toParquet(csv)
  expect(parquet.length).toBeLessThan(csv.length / 2)
  expect(await toCsv(parquet)).toBe(csv)
})

test('damaged files always fail with an error about the file', async () => {
  for (const content of [
    '',
    'PAR1',
    'PAR1xxxxPAR1',
    `PAR1${'x'.repeat(100)}\u00ff\u00ff\u00ff\u00ffPAR1`,
    'a,b\n1,2\n',
  ])
    await expect(toCsv(Buffer.from(content, 'latin1'))).rejects.toThrow(/Parquet file/)
  await expect(toCsv(Buffer.from('PARExxxxPARE'))).rejects.toThrow('The Parquet file is encrypted.')
  const parquet = await toParquet('id,text\n1,a\n2,b\n3,a\n')
  for (let size = 0; size < parquet.length; size += 7)
    await expect(toCsv(parquet.subarray(0, size)), String(size)).rejects.toThrow(/Parquet file/)
  const damaged = Buffer.from(parquet)
  // The page, but not its header.
  damaged.fill(0xff, 24, 40)
  await expect(toCsv(damaged)).rejects.toThrow('The Parquet file is damaged in the column “id”.')
  await expect(toParquet('a,\n1,2\n')).rejects.toThrow('Column 2 has no name.')
})
