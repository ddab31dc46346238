import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteFile, searchFiles } from '@headwater/files/contract'
import { createGroup, deleteGroup, listGroups } from '@headwater/groups/contract'
import {
  startTestServer,
  upload as uploadFile,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import {
  getData,
  listSymbolGroups,
  listSymbolKeys,
  listSymbolsInFile,
  listSymbolValues,
  listValueColumns,
  searchSymbols,
  streamData,
  type DataQueryInput,
  type SymbolItem,
} from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session
/** Creates and changes groups without changing the access of anna. */
let carl: Session

const prices = `Code,Period,Date(UTC),Close,High,Unit(MD-S),Note(S)
BRENT,D,2024-01-02,75.89,78,USD/bbl,
BRENT,D,2024-01-03,78.25,79.5,USD/bbl,storm
BRENT,D,2024-01-04,77.59,,USD/bbl,
WTI,D,2024-01-02,70.38,71,USD/bbl,
WTI,D,2024-01-03,72.7,73,USD/bbl,
WTI,M,2024-01-31,74.15,,USD/bbl,
`

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  carl = await server.createUser({ email: 'carl@example.com' })
  for (const name of ['Prices', 'Weather']) await anna.call(createGroup, { body: { name } })
  await ben.call(createGroup, { body: { name: 'Secret' } })
  await upload(anna, 'Prices', prices)
  await upload(anna, 'Weather', 'station,Date,Temp\nOSLO,2024-01-02,-12.5\n')
  await upload(ben, 'Secret', 'Code,Date,Close\nHIDDEN,2024-01-02,1\n')
})
afterAll(() => server.stop())

async function upload(
  session: Session,
  groupName: string,
  content: string | Uint8Array<ArrayBuffer>,
  options: { fileName?: string; flags?: string[] } = {},
): Promise<{ fid: string; status: string; message: string }> {
  const { fileName = 'prices.csv', flags = [] } = options
  const fields = flags.map((name) => ({ name, value: 'true' }))
  const receipt = await uploadFile(session, { groupName, fileName, fileType: 'NCSV', fields, content })
  return { fid: receipt.fileId, ...receipt }
}

async function sendQuery(session: Session, query: DataQueryInput, path = '/ts/stream'): Promise<Response> {
  return session.fetch(path, {
    method: 'POST',
    body: JSON.stringify(query),
    headers: { 'Content-Type': 'application/json' },
  })
}

async function queryText(session: Session, query: DataQueryInput, path?: string): Promise<string> {
  const response = await sendQuery(session, query, path)
  const text = await response.text()
  expect([response.status, text]).toEqual([200, text])
  return text
}

async function refusal(session: Session, query: unknown): Promise<{ status: number; message: string }> {
  const response = await sendQuery(session, query as DataQueryInput)
  return { status: response.status, ...((await response.json()) as { message: string }) }
}

async function codesOf(session: Session, path: string): Promise<string[]> {
  const response = await session.fetch(`/ts/symbol/search?${path}`)
  const page = (await response.json()) as { items: SymbolItem[]; totalSize: number }
  expect([response.status, page.totalSize]).toEqual([200, page.items.length])
  return page.items.map((item) => Object.values(item.symbols).join('/'))
}

const brent = { groupName: 'Prices', symbols: { Code: 'BRENT', Period: 'D' } }

test('DP-295 IN-416 a match of the symbol search has its group, keys, columns, metadata and date range', async () => {
  const page = await anna.call(searchSymbols, { query: { query: 'symbols.Code=BRENT' } })
  expect(page).toEqual({
    from: 0,
    totalSize: 1,
    items: [
      {
        symbols: { Code: 'BRENT', Period: 'D' },
        groupName: 'Prices',
        columns: [
          { name: 'Close', type: 'double' },
          { name: 'High', type: 'double' },
          { name: 'Note', type: 'string' },
        ],
        metadata: { Unit: 'USD/bbl' },
        firstDate: '2024-01-02T00:00:00',
        lastDate: '2024-01-04T00:00:00',
      },
    ],
  })
})

test.each([
  ['query=', ['BRENT/D', 'WTI/D', 'WTI/M', 'OSLO']],
  ['query=symbols.code=WTI', ['WTI/D', 'WTI/M']],
  ['query=symbol.Code%3DWTI%26symbols.Period%3DM', ['WTI/M']],
  ['query=symbols.Code=wti', []],
  ['query=symbols.Code=*R*', ['BRENT/D']],
  ['query=symbols.Code=W*', ['WTI/D', 'WTI/M']],
  ['query=metadata.unit=USD*', ['BRENT/D', 'WTI/D', 'WTI/M']],
  ['query=groupName.keyword=Weather', ['OSLO']],
  ['query=groupName=weather', ['OSLO']],
  ['query=oslo', ['OSLO']],
  ['query=W', ['WTI/D', 'WTI/M']],
  ['query=br*&groupName.keyword=Prices', ['BRENT/D']],
  ['query=wti%20usd', ['WTI/D', 'WTI/M']],
  ['query=high', ['BRENT/D', 'WTI/D']],
  ['query=columns=Temp', ['OSLO']],
  ['query=groupName=Prices&symbols.Code=BRENT', ['BRENT/D']],
  ['query=%25', []],
  [`query=${encodeURIComponent("'; drop table symbols; --")}`, []],
  ['query=&sortBy=symbol.Code=desc%26symbol.Period=desc', ['WTI/M', 'WTI/D', 'BRENT/D', 'OSLO']],
  ['query=groupName=Prices&sortBy=symbol.Period=desc&symbol.Code=desc', ['WTI/M', 'WTI/D', 'BRENT/D']],
])('IN-416 symbol search %s', async (path, expected) => {
  expect(await codesOf(anna, path)).toEqual(expected)
})

test('symbols whose values differ only in case are sorted beside each other', async () => {
  const dora = await server.createUser({ email: 'dora@example.com' })
  await dora.call(createGroup, { body: { name: 'Mixed case' } })
  const rows = ['b', 'A', 'a', 'B'].map((code) => `${code},2024-01-02,1`)
  await upload(dora, 'Mixed case', ['Code,Date,Close', ...rows].join('\n'))
  for (const [direction, expected] of [
    ['asc', 'aabb'],
    ['desc', 'bbaa'],
  ] as const) {
    const query = { query: 'groupName=Mixed case', sortBy: `symbols.Code=${direction}` }
    const { items } = await dora.call(searchSymbols, { query })
    expect(items.map(({ symbols }) => symbols.Code!.toLowerCase()).join('')).toBe(expected)
  }
})

test('limits a page of the symbol search to 10,000 symbols', async () => {
  const page = await anna.call(searchSymbols, { query: { size: 1, from: 1 } })
  expect([page.from, page.totalSize, page.items[0]!.symbols.Code]).toEqual([1, 4, 'WTI'])
  await anna.call(searchSymbols, { query: { size: 10_000 } })
  await expect(anna.call(searchSymbols, { query: { size: 10_001 } })).rejects.toMatchObject({ status: 400 })
})

test('the stream of symbols is one JSON document with all of them', async () => {
  const response = await anna.fetch('/ts/symbol/search/stream?query=groupName=Prices')
  expect(response.headers.get('content-type')).toContain('application/json')
  const document = (await response.json()) as { totalSize: number; items: SymbolItem[] }
  expect(document.totalSize).toBe(3)
  expect(document.items.map((item) => item.symbols.Period)).toEqual(['D', 'D', 'M'])
})

test('hides symbols of unreadable groups, including their values, keys, columns and points', async () => {
  expect(await codesOf(anna, 'query=HIDDEN')).toEqual([])
  expect(await codesOf(ben, 'query=')).toEqual(['HIDDEN'])
  expect(await codesOf(server.admin, 'query=HIDDEN')).toEqual(['HIDDEN'])
  const groupName = 'Secret'
  await expect(anna.call(listSymbolValues, { body: { groupName, key: 'Code' } })).rejects.toMatchObject({
    status: 404,
  })
  await expect(anna.call(listSymbolKeys, { body: { groupName } })).rejects.toMatchObject({ status: 404 })
  await expect(anna.call(listValueColumns, { query: { groupName } })).rejects.toMatchObject({ status: 404 })
  expect(await refusal(anna, { keys: [{ groupName, symbols: { Code: 'HIDDEN' } }] })).toMatchObject({
    status: 404,
  })
  const unauthorized = await server.nobody.fetch('/ts/symbol/search?query=')
  expect(unauthorized.status).toBe(401)
})

test('IN-418 the keys of a group can be listed with its metadata, and so can values and columns', async () => {
  const keys = await anna.call(listSymbolKeys, { body: { groupName: 'Prices', metadata: true } })
  expect(keys.items).toEqual([
    { name: 'Code', kind: 'symbol', variety: 2 },
    { name: 'Period', kind: 'symbol', variety: 2 },
    { name: 'Unit', kind: 'metadata' },
  ])
  const values = (query: object, body: object = {}) =>
    anna.call(listSymbolValues, { query, body: { groupName: 'Prices', key: 'code', ...body } })
  expect((await values({})).items).toEqual(['BRENT', 'WTI'])
  expect((await values({ sort: 'DESC', limit: 1 })).items).toEqual(['WTI'])
  expect((await values({}, { symbols: { Period: 'M' } })).items).toEqual(['WTI'])
  expect((await values({}, { query: 'br' })).items).toEqual(['BRENT'])
  const columns = await anna.call(listValueColumns, {
    query: { groupName: 'Prices', query: 'symbols.Code=WTI' },
  })
  expect(columns.items.map((column) => column.name)).toEqual(['Close', 'High'])
})

test('groups with symbols are listed with the number of their symbols', async () => {
  const { items } = await anna.call(listSymbolGroups, {})
  expect(items).toEqual([
    { groupName: 'Prices', symbolCount: 3 },
    { groupName: 'Weather', symbolCount: 1 },
  ])
  const groups = await anna.call(listGroups, {
    query: { withSymbol: true, sortBy: 'name', sortOrder: 'asc' },
  })
  expect(groups.items.map((group) => group.name)).toEqual(['Prices', 'Weather'])
})

test('DP-301 IN-418 the symbols of a file can be listed by its id, for users who can read its group', async () => {
  await carl.call(createGroup, { body: { name: 'Stations' } })
  await upload(carl, 'Stations', 'station,Date,Temp\nOSLO,2024-01-02,1\nROME,2024-01-02,9\n')
  const content = 'station,Date,Temp\nBERGEN,2024-01-02,1\nOSLO,2024-01-03,2\n'
  const { fid } = await upload(carl, 'Stations', content, { fileName: 'more.csv' })
  const { items } = await carl.call(listSymbolsInFile, { params: { fid } })
  expect(items.map((item) => item.symbols.station)).toEqual(['OSLO', 'BERGEN'])
  await expect(ben.call(listSymbolsInFile, { params: { fid } })).rejects.toMatchObject({ status: 404 })
  await expect(carl.call(listSymbolsInFile, { params: { fid: 'no-uuid' } })).rejects.toMatchObject({
    status: 404,
  })
})

test('DP-372 IN-321 IN-326 POST /ts/stream returns CSV in UTF-8 with a header row', async () => {
  const response = await sendQuery(anna, { keys: [brent], order: 'desc', size: -1 })
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(await response.text()).toBe(
    `Code,Period,Date(UTC),Close,High,Note(S)
BRENT,D,2024-01-04T00:00:00,77.59,,
BRENT,D,2024-01-03T00:00:00,78.25,79.5,storm
BRENT,D,2024-01-02T00:00:00,75.89,78,
`,
  )
})

test('POST /ts returns the same, and URL parameters take precedence over the body', async () => {
  const query: DataQueryInput = { keys: [{ ...brent, columns: ['Close'] }], size: 2 }
  expect(await queryText(anna, query, '/ts')).toBe(await queryText(anna, query))
  expect(await queryText(anna, query, '/ts?size=1&order=DESC')).toBe(
    'Code,Period,Date(UTC),Close\nBRENT,D,2024-01-04T00:00:00,77.59\n',
  )
})

test('merges two keys of one symbol into one row; omits unknown symbols and columns', async () => {
  const text = await queryText(anna, {
    keys: [
      { ...brent, columns: ['High'] },
      { ...brent, columns: ['Close', 'Nothing'] },
      { groupName: 'Prices', symbols: { Code: 'NOBODY' } },
      { groupName: 'Prices', symbols: { Code: 'BRENT' } },
    ],
    endDate: '2024-01-02',
  })
  expect(text).toBe('Code,Period,Date(UTC),Close,High\nBRENT,D,2024-01-02T00:00:00,75.89,78\n')
})

test('keys of several groups are merged, columns by name; groups that cannot be read are omitted', async () => {
  const text = await queryText(anna, {
    keys: [
      { groupName: 'Weather', symbols: { station: 'OSLO' } },
      { ...brent, columns: ['Close'] },
      { groupName: 'Secret', symbols: { Code: 'HIDDEN' } },
    ],
    startDate: '2024-01-02',
    endDate: '2024-01-02',
  })
  expect(text).toBe(
    `Code,Period,station,Date(UTC),Close,Temp
,,OSLO,2024-01-02T00:00:00,,-12.5
BRENT,D,,2024-01-02T00:00:00,75.89,
`,
  )
})

test('patterns match symbols and columns; a wildcard without pattern is rejected', async () => {
  const codes = async (key: object) => {
    const text = await queryText(anna, {
      keys: [{ groupName: 'Prices', columns: ['Close'], pattern: true, ...key }],
    })
    return [
      ...new Set(
        text
          .trim()
          .split('\n')
          .slice(1)
          .map((line) => line.split(',').slice(0, 2).join('/')),
      ),
    ]
  }
  expect(await codes({ symbols: { Code: '*' } })).toEqual(['BRENT/D', 'WTI/D', 'WTI/M'])
  expect(await codes({ symbols: { Code: 'W*', Period: 'D' } })).toEqual(['WTI/D'])
  expect(await codes({ symbols: { Code: 'W*' }, patternExactMatch: true })).toEqual([])
  expect(await codes({ symbols: { Code: 'WTI', Period: '*' }, patternExactMatch: 'true' })).toEqual([
    'WTI/D',
    'WTI/M',
  ])
  expect(await codes({ symbols: { Code: 'W*' }, symbolValuesExactMatch: true })).toEqual([])
  expect(await queryText(anna, { keys: [{ ...brent, pattern: true, columns: ['H*'] }] })).toContain(
    'Date(UTC),High\n',
  )
  expect(await refusal(anna, { keys: [{ groupName: 'Prices', symbols: { Code: '*' } }] })).toMatchObject({
    status: 400,
    message: expect.stringContaining('"pattern": true'),
  })
})

test('IN-330 IN-331 a range is ALL, BETWEEN two dates, or the LAST values or days', async () => {
  const rows = async (query: DataQueryInput) =>
    (await queryText(anna, { keys: [{ groupName: 'Prices', columns: ['Close'] }], ...query }))
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',').slice(0, 3).join(' ').slice(0, -9))
  expect(await rows({ range: 'LAST', lastType: 'VALUES', lastTypeAmount: 1 })).toEqual([
    'BRENT D 2024-01-04',
    'WTI D 2024-01-03',
    'WTI M 2024-01-31',
  ])
  expect(
    await rows({ range: 'last', lastType: 'days', lastTypeAmount: '2', endDate: '2024-01-03T00:00:00' }),
  ).toEqual(['BRENT D 2024-01-02', 'BRENT D 2024-01-03', 'WTI D 2024-01-02', 'WTI D 2024-01-03'])
  expect(await rows({ absoluteSize: 2, order: 'desc' })).toEqual(['WTI M 2024-01-31', 'BRENT D 2024-01-04'])
  const dates = { startDate: '2024-01-03', endDate: '2024-01-04' }
  expect(await rows({ range: 'BETWEEN', ...dates })).toEqual([
    'BRENT D 2024-01-03',
    'BRENT D 2024-01-04',
    'WTI D 2024-01-03',
  ])
  expect(await rows({ range: 'ALL', ...dates })).toHaveLength(6)
})

test('DP-385 IN-335 times are in the time zone of the query, by default in UTC', async () => {
  const text = await queryText(anna, {
    keys: [{ ...brent, columns: ['Close'] }],
    timeZone: 'America/New_York',
    startDate: '2024-01-02',
    endDate: '2024-01-02',
  })
  expect(text).toBe('Code,Period,Date(America/New_York),Close\nBRENT,D,2024-01-02T19:00:00,78.25\n')
  const keys = [{ ...brent, columns: ['Close'] }]
  expect(await queryText(anna, { keys, startDate: '2024-01-04' })).toBe(
    'Code,Period,Date(UTC),Close\nBRENT,D,2024-01-04T00:00:00,77.59\n',
  )
})

test('IN-327 the metadatas or metadata of a key are columns, as is every metadata with the flag of the query', async () => {
  const query: DataQueryInput = { keys: [{ ...brent, columns: ['Close'] }], lastTypeAmount: 1 }
  expect(await queryText(anna, { ...query, metadata: 'True' })).toBe(
    'Code,Period,Date(UTC),Close,Unit(MD-S)\nBRENT,D,2024-01-04T00:00:00,77.59,USD/bbl\n',
  )
  for (const names of [{ metadatas: ['Unit'] }, { metadata: ['Unit'] }])
    expect(
      await queryText(anna, { keys: [{ ...brent, columns: ['Close'], ...names }], lastTypeAmount: 1 }),
    ).toContain('Unit(MD-S)')
})

test('IN-326 IN-334 PANDAS, STANDARD and UI are JSON', async () => {
  const query = (formatType: string): DataQueryInput => ({
    keys: [{ ...brent, columns: ['Close', 'High'] }],
    range: 'LAST',
    lastTypeAmount: 1,
    formatType,
  })
  const json = async (formatType: string) => JSON.parse(await queryText(anna, query(formatType))) as never
  expect(await json('PANDAS')).toEqual({ data: { '2024-01-04T00:00:00': { BRENT_D_Close: 77.59 } } })
  const row = { symbol: 0, Code: 'BRENT', Period: 'D', Date: '2024-01-04T00:00:00', Close: 77.59, High: null }
  expect(await json('STANDARD')).toMatchObject({ symbols: [brent.symbols], values: [row], data: [row] })
  const ui = { symbol: 0, timestamps: [Date.UTC(2024, 0, 4)], columns: { Close: [77.59], High: [null] } }
  expect(await json('UI')).toMatchObject({ symbols: [brent.symbols], values: [ui], data: [ui] })
  const statistics = JSON.parse(await queryText(anna, { ...query('UI'), stats: true })) as {
    statistics: object
  }
  expect(statistics.statistics).toMatchObject({
    '0': { first: Date.UTC(2024, 0, 4), last: Date.UTC(2024, 0, 4), count: 1 },
  })
})

test('IN-333 IN-335 IN-336 corrections, onDateTime and delta choose versions of points', async () => {
  await carl.call(createGroup, { body: { name: 'Corrected' } })
  await upload(carl, 'Corrected', 'Code,Date,Close\nA,2024-01-02,1\nA,2024-01-03,5\n')
  const between = new Date().toISOString()
  await new Promise((resolve) => setTimeout(resolve, 5))
  await upload(carl, 'Corrected', 'Code,Date,Close\nA,2024-01-02,2\n')
  const values = async (query: DataQueryInput) =>
    (await queryText(carl, { groupName: 'Corrected', ...query }))
      .trim()
      .split('\n')
      .slice(1)
      .map((line) => line.split(',')[2])
  expect(await values({})).toEqual(['2', '5'])
  expect(await values({ corrections: 'true' })).toEqual(['1', '2', '5'])
  expect(await values({ corrections: true })).toEqual(['1', '2', '5'])
  expect(await values({ corrections: 'only' })).toEqual(['1', '2'])
  expect(await queryText(carl, { groupName: 'Corrected', corrections: 'history' })).toContain('InsertTime(D)')
  expect(await values({ onDateTime: between })).toEqual(['1', '5'])
  expect(await values({ delta: true, startDate: between })).toEqual(['2'])
})

test('DP-381 IN-335 decimalPrecision, roundingMode and dateFormat set the text of values and dates', async () => {
  const query: DataQueryInput = { keys: [{ ...brent, columns: ['Close'] }], lastTypeAmount: 1 }
  expect(await queryText(anna, { ...query, decimalPrecision: 1, roundingMode: 'Down' })).toContain(',77.5\n')
  // Only HALF_UP makes 78.25 both 78.3 and 78.
  const second = { ...query, endDate: '2024-01-03' }
  expect(await queryText(anna, { ...second, decimalPrecision: 1 })).toContain(',78.3\n')
  expect(await queryText(anna, { ...second, decimalPrecision: 0 })).toContain(',78\n')
  expect(await queryText(anna, { ...query, dateFormat: 'dd.MM.yyyy' })).toContain(',04.01.2024,')
})

test.each([
  [{}, 400, 'selects no data'],
  [{ keys: [{ symbols: { Code: 'A' } }] }, 400, 'keys[0] has no group'],
  [{ keys: [{ groupName: 'No such group' }] }, 404, 'No such group'],
  [{ groupName: 'Prices', timeZone: 'Mars/Base' }, 400, 'Mars/Base'],
  [{ groupName: 'Prices', startDate: 'soon' }, 400, 'soon'],
  [{ groupName: 'Prices', range: 'FIRST' }, 400, 'range'],
  [{ keys: [{ ...brent, fillType: 'GUESS' }] }, 400, 'fillType'],
  [{ keys: 'all' }, 400, 'keys'],
  [{ groupName: 'Prices', dateFormat: "'x" }, 400, 'not closed'],
  [{ groupName: 'Prices', dateFormat: 'XXX' }, 400, 'letter X'],
  [{ groupName: 'Prices', timeZone: 'SystemV/EST5' }, 400, 'SystemV/EST5'],
  [
    {
      keys: Array.from({ length: 1001 }, (_, at) => ({
        groupName: 'Prices',
        symbols: { Code: `${at}*` },
        pattern: true,
      })),
    },
    400,
    'more than 1000 keys',
  ],
  [[], 400, ''],
])('the query %j returns %d', async (query, status, message) => {
  const error = await refusal(anna, query)
  expect(error.status).toBe(status)
  expect(error.message).toContain(message)
})

test('returns a header without rows if nothing matches', async () => {
  expect(await queryText(anna, { keys: [{ groupName: 'Prices', symbols: { Code: 'NOBODY' } }] })).toBe(
    'Date(UTC)\n',
  )
  expect(await queryText(anna, { keys: [brent], startDate: '2030-01-01' })).toBe(
    'Code,Period,Date(UTC),Close,High,Note(S)\n',
  )
})

test('accepts times in the far future, and obsolete names of time zones', async () => {
  const all = await queryText(anna, { keys: [brent] })
  expect(await queryText(anna, { keys: [brent], onDateTime: '9999-12-31' })).toBe(all)
  expect(await queryText(anna, { keys: [brent], delta: true, startDate: '9999-12-31' })).toBe(
    'Code,Period,Date(UTC),Close,High,Note(S)\n',
  )
  expect(await queryText(anna, { keys: [brent], timeZone: 'utc' })).toBe(all)
  expect(await queryText(anna, { keys: [brent], timeZone: 'US/Pacific-New' })).toContain(
    'Date(America/Los_Angeles)',
  )
})

test('keys and metadata named like inherited properties belong to their own symbols only', async () => {
  await carl.call(createGroup, { body: { name: 'Inherited' } })
  await upload(
    carl,
    'Inherited',
    'Code,constructor,__proto__,Date,Close,toString(MD-S)\nA,,,2024-01-02,1,\nB,x,y,2024-01-02,2,z\n',
  )
  expect(await queryText(carl, { groupName: 'Inherited', metadata: true })).toBe(
    'Code,__proto__,constructor,Date(UTC),Close,toString(MD-S)\nA,,,2024-01-02T00:00:00,1,\nB,y,x,2024-01-02T00:00:00,2,z\n',
  )
  const standard = await queryText(carl, { groupName: 'Inherited', formatType: 'STANDARD' })
  expect(standard).toContain('"symbols":[{"Code":"A"},{"Code":"B","__proto__":"y","constructor":"x"}]')
  const exact = await carl.fetch('/ts', {
    method: 'POST',
    body: '{"keys":[{"groupName":"Inherited","symbols":{"Code":"B","__proto__":"y","constructor":"x"}}]}',
    headers: { 'Content-Type': 'application/json' },
  })
  expect(await exact.text()).toContain('B,y,x,2024-01-02T00:00:00,2')
})

test('a query of only unreadable groups returns the declared error', async () => {
  const error = await refusal(anna, { keys: [{ groupName: 'Secret' }, { groupName: 'Nowhere' }] })
  expect(error).toMatchObject({ status: 404, code: 'groupNotFound' })
  for (const route of [getData, streamData]) expect(route.errors).toContain('groupNotFound')
})

test('the points of two files of one group form one JSON document, in every format', async () => {
  await carl.call(createGroup, { body: { name: 'Twofold' } })
  for (const month of ['01', '02'])
    await upload(carl, 'Twofold', `Code,Date,Close\nA,2024-${month}-02,1\nB,2024-${month}-02,2\n`, {
      fileName: `${month}.csv`,
    })
  const json = async (formatType: string) =>
    JSON.parse(await queryText(carl, { groupName: 'Twofold', formatType }, '/ts')) as Record<string, object>
  expect((await json('STANDARD')).values).toHaveLength(4)
  expect((await json('UI')).values).toHaveLength(2)
  expect(Object.keys((await json('PANDAS')).data!)).toEqual(['2024-01-02T00:00:00', '2024-02-02T00:00:00'])
})

test('a pattern with many stars is fast', async () => {
  const columns = [`${'*s'.repeat(400)}*`, 'C*s*']
  const keys = [{ ...brent, pattern: true, columns }]
  expect(await queryText(anna, { keys, lastTypeAmount: 1 })).toContain('Date(UTC),Close\n')
})

test('merges the columns of keys with one pattern, each symbol once', async () => {
  const key = { groupName: 'Prices', symbols: { Code: 'WTI' }, pattern: true }
  expect(
    await queryText(anna, {
      keys: [
        { ...key, columns: ['High'] },
        { ...key, columns: ['Close'] },
      ],
      endDate: '2024-01-02',
    }),
  ).toBe('Code,Period,Date(UTC),Close,High\nWTI,D,2024-01-02T00:00:00,70.38,71\n')
})

test('an invalid file ends with ERROR, row and column, and nothing is stored', async () => {
  const { status, message } = await upload(anna, 'Prices', 'Code,Period,Date,Close\nBAD,D,2024-01-02,x\n', {
    fileName: 'bad.csv',
  })
  expect(status).toBe('REJECTED')
  expect(message).toContain('Row 2, column 4 (Close)')
  expect(await codesOf(anna, 'query=BAD')).toEqual([])
  const files = await anna.call(searchFiles, { query: { query: 'name=bad.csv' } })
  expect(files.items).toEqual([])
})

test('two concurrent uploads of one name both succeed', async () => {
  await carl.call(createGroup, { body: { name: 'Race' } })
  const receipts = await Promise.all(
    ['A', 'B', 'C'].map((code) =>
      upload(carl, 'Race', `Code,Date,Close\n${code},2024-01-02,1\nX,2024-01-02,1\n`),
    ),
  )
  expect(receipts.map((receipt) => receipt.status)).toEqual(['READY', 'READY', 'READY'])
  expect((await codesOf(carl, 'query=groupName=Race')).toSorted()).toEqual(['A', 'B', 'C', 'X'])
})

test('deleting a file removes its points; deleting a group removes all of them', async () => {
  await carl.call(createGroup, { body: { name: 'Gone' } })
  const { fid } = await upload(carl, 'Gone', 'Code,Date,Close\nA,2024-01-02,1\n')
  await upload(carl, 'Gone', 'Code,Date,Close\nB,2024-01-02,1\n', { fileName: 'b.csv' })
  await carl.call(deleteFile, { params: { fid } })
  await expect.poll(() => codesOf(carl, 'query=groupName=Gone')).toEqual(['B'])
  expect(await queryText(carl, { groupName: 'Gone' })).toBe('Code,Date(UTC),Close\nB,2024-01-02T00:00:00,1\n')
  await carl.call(deleteGroup, { params: { name: 'Gone' } })
  expect(await codesOf(carl, 'query=groupName=Gone')).toEqual([])
})
