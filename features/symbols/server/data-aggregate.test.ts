import { tableFromIPC } from 'apache-arrow'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'
import { createFormula, type DataQueryInput } from '../contract/index.ts'

let server: TestServer
let anna: Session

// Two plants of Germany, one of France; the sea has no country. One plant is offline at 01:00.
const output = `Plant,Country,Date,Load,Units(I),Note(S),Fuel(MD-S)
Isar,DE,2024-05-01T00:00,10,1,calm,gas
Isar,DE,2024-05-01T01:00,20,2,,gas
Elbe,DE,2024-05-01T00:00,1,4,,coal
Rhone,FR,2024-05-01T00:00,100,8,,gas
Rhone,FR,2024-05-02T00:00,300,8,,gas
Baltic,,2024-05-01T00:00,1000,16,,wind
`

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Plants' } })
  await uploadSeries(anna, { groupName: 'Plants', content: output })
})
afterAll(() => server.stop())

function runQuery(query: unknown, path = '/ts/stream'): Promise<Response> {
  return anna.fetch(path, {
    method: 'POST',
    body: JSON.stringify(query),
    headers: { 'Content-Type': 'application/json' },
  })
}

async function lines(query: DataQueryInput, path?: string): Promise<string[]> {
  const response = await runQuery(query, path)
  const text = await response.text()
  expect([response.status, text]).toEqual([200, text])
  return text.trimEnd().split('\n')
}

const load = { groupName: 'Plants', columns: ['Load'] }
const sums = { functions: ['SUM'] }

test('combines the series of each country; series without a country form their own group', async () => {
  const expected = [
    'Country,Date(UTC),Load_sum',
    'DE,2024-05-01T00:00:00,11',
    'DE,2024-05-01T01:00:00,20',
    'FR,2024-05-01T00:00:00,100',
    'FR,2024-05-02T00:00:00,300',
    ',2024-05-01T00:00:00,1000',
  ]
  const query = { keys: [load], aggregate: { by: ['Country'], ...sums } }
  expect(await lines(query)).toEqual(expected)
  expect(await lines(query, '/ts')).toEqual(expected)
  const keys = ['Isar', 'Elbe', 'Rhone', 'Baltic'].map((Plant) => ({
    ...load,
    symbols: { Plant },
    pattern: true,
  }))
  expect((await lines({ ...query, keys })).toSorted()).toEqual(expected.toSorted())
})

test('combines all series without keys; accepts keys regardless of case, each once', async () => {
  expect(await lines({ keys: [load], aggregate: { functions: ['sum', 'avg', 'count'] } })).toEqual([
    'Date(UTC),Load_sum,Load_mean,Load_count(I)',
    '2024-05-01T00:00:00,1111,277.75,4',
    '2024-05-01T01:00:00,20,20,1',
    '2024-05-02T00:00:00,300,300,1',
  ])
  expect(
    await lines({
      keys: [load],
      endDate: '2024-05-01T00:00',
      aggregate: { by: ['country', 'COUNTRY'], ...sums },
    }),
  ).toEqual([
    'country,Date(UTC),Load_sum',
    'DE,2024-05-01T00:00:00,11',
    'FR,2024-05-01T00:00:00,100',
    ',2024-05-01T00:00:00,1000',
  ])
})

test('treats a key that no symbol has as empty, like conditions do', async () => {
  const query = { keys: [load], aggregate: { by: ['Continent'], ...sums }, startDate: '2024-05-02' }
  expect(await lines(query)).toEqual(['Continent,Date(UTC),Load_sum', ',2024-05-02T00:00:00,300'])
})

test('every format has the key of a combined series, and omits empty keys', async () => {
  const query = {
    keys: [load],
    aggregate: { by: ['Country'], ...sums },
    endDate: '2024-05-01T00:00',
    filters: [{ name: 'metadata.Fuel', operator: 'in', value: 'gas,wind' }],
  }
  const read = async (formatType: string, more: object = {}) =>
    (await runQuery({ ...query, formatType, ...more })).json() as Promise<Record<string, unknown>>
  const symbols = [{ Country: 'DE' }, { Country: 'FR' }, {}]
  expect(await read('STANDARD')).toMatchObject({
    symbols,
    values: [
      { symbol: 0, Country: 'DE', Load_sum: 10 },
      { symbol: 1, Country: 'FR', Load_sum: 100 },
      { symbol: 2, Country: '', Load_sum: 1000 },
    ],
  })
  const columns = [10, 100, 1000].map((value) => ({ columns: { Load_sum: [value] } }))
  expect(await read('UI', { stats: true })).toMatchObject({
    symbols,
    values: columns,
    statistics: { 2: { columns: { Load_sum: { sum: 1000 } } } },
  })
  expect(await read('PANDAS')).toEqual({
    data: { '2024-05-01T00:00:00': { DE_Load_sum: 10, FR_Load_sum: 100, Load_sum: 1000 } },
  })
  const arrow = await runQuery({ ...query, formatType: 'ARROW' })
  const table = tableFromIPC(Buffer.from(await arrow.arrayBuffer()))
  expect([...table.getChild('Country')!]).toEqual(['DE', 'FR', ''])
  expect([...table.getChild('Load_sum')!]).toEqual([10, 100, 1000])
  expect(await lines({ ...query, outputLayout: 'COLUMNS' })).toEqual([
    'Date(UTC),DE_Load_sum,FR_Load_sum,Load_sum',
    '2024-05-01T00:00:00,10,100,1000',
  ])
})

test('resamples first, merges columns of the same name and type, and counts texts', async () => {
  const resample = { unit: 'DAYS', functions: ['MEAN'] }
  expect(
    await lines({ keys: [load], resample, aggregate: { by: ['Country'], functions: ['SUM', 'P50'] } }),
  ).toEqual([
    'Country,Date(UTC),Load_mean_sum,Load_mean_p50',
    'DE,2024-05-01T00:00:00,16,8',
    'FR,2024-05-01T00:00:00,100,100',
    'FR,2024-05-02T00:00:00,300,300',
    ',2024-05-01T00:00:00,1000,1000',
  ])
  const all = { groupName: 'Plants' }
  expect(
    await lines({ keys: [all], aggregate: { functions: ['sum', 'count'] }, endDate: '2024-05-01T00:00' }),
  ).toEqual([
    'Date(UTC),Load_sum,Load_count(I),Note_count(I),Units_sum(I),Units_count(I)',
    '2024-05-01T00:00:00,1111,4,1,29,4',
  ])
})

test('limits and pages apply to combined rows, and the header has their total', async () => {
  const query = { keys: [load], aggregate: { by: ['Country'], ...sums }, size: 2, countRows: true }
  const first = await runQuery(query)
  expect(first.headers.get('x-kh-total-rows')).toBe('5')
  expect(await first.text()).toBe(
    'Country,Date(UTC),Load_sum\nDE,2024-05-01T00:00:00,11\nFR,2024-05-01T00:00:00,100\n',
  )
  const nextPageToken = first.headers.get('x-kh-next-page-token')!
  expect((await lines({ ...query, nextPageToken })).slice(1)).toEqual([
    ',2024-05-01T00:00:00,1000',
    'DE,2024-05-01T01:00:00,20',
  ])
})

test('combines formulas like stored series, even from another group', async () => {
  await anna.call(createGroup, { body: { name: 'Plans' } })
  const inputs = [
    { name: 'isar', groupName: 'Plants', symbols: { Plant: 'Isar', Country: 'DE' }, column: 'Load' },
  ]
  const formula = { groupName: 'Plans', symbols: { Plan: 'High', Country: 'DE' }, column: 'Load' }
  await anna.call(createFormula, { body: { ...formula, expression: 'isar * 100', inputs } })
  const keys = [load, { groupName: 'Plans', columns: ['Load'] }]
  expect((await lines({ keys, aggregate: { by: ['Country'], ...sums } })).slice(0, 3)).toEqual([
    'Country,Date(UTC),Load_sum',
    'DE,2024-05-01T00:00:00,1011',
    'DE,2024-05-01T01:00:00,2020',
  ])
})

test('returns empty cells for sums that a double cannot hold, and their number in a header', async () => {
  await anna.call(createGroup, { body: { name: 'Extremes' } })
  const content = 'Code,Date,Close\nA,2024-05-02,1.7e308\nB,2024-05-02,1.7e308\nA,2024-05-03,-1\n'
  await uploadSeries(anna, { groupName: 'Extremes', content })
  const response = await runQuery({ keys: [{ groupName: 'Extremes' }], aggregate: sums })
  expect(response.headers.get('x-kh-overflows')).toBe('1')
  expect(await response.text()).toBe('Date(UTC),Close_sum\n2024-05-02T00:00:00,\n2024-05-03T00:00:00,-1\n')
})

test.each([
  [{ aggregate: { by: ['Country'] } }, 'aggregate.functions', 'SUM, MEAN'],
  [{ aggregate: { functions: ['MODE'] } }, 'aggregate.functions[0]', 'SUM, MEAN'],
  [{ aggregate: sums, corrections: 'true' }, 'aggregate', 'corrections'],
  [{ aggregate: sums, metadata: true }, 'metadata', 'no metadata'],
  [{ aggregate: sums, includeFileId: true }, 'includeFileId', 'several files'],
])('rejects %j with the name of the field', async (more, field, message) => {
  const response = await runQuery({ keys: [load], ...more })
  expect(response.status).toBe(400)
  const { validationErrors } = (await response.json()) as {
    validationErrors: { field: string; message: string }[]
  }
  expect(validationErrors).toEqual([{ field, message: expect.stringContaining(message) }])
})
