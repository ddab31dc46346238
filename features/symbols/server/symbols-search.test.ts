import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'
import {
  countedSymbols,
  listSymbolBranches,
  listSymbolKeys,
  maxCountedPage,
  searchSymbols,
} from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session

/** More symbols than a search scans one by one. Only the last ones have the searched value. */
const manyCount = 26_000

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  for (const name of ['Prices', 'Weather', 'Many']) await anna.call(createGroup, { body: { name } })
  await upload(
    'Prices',
    'Code,Period,Date,Close,Unit(MD-S)\nBRENT,D,2024-01-02,1,USD/bbl\nBRENT,D,2024-01-03,2,\nWTI*,D,2024-01-05,3,USD/bbl\nWTIX,M,2024-01-04,4,EUR\nÆGIR,,2024-01-01,5,NOK\n',
  )
  await upload('Weather', 'station,Code,Date,Temp\nOSLO,X-9,2024-01-02,-12.5\n')
  const many = Array.from({ length: manyCount }, (_, index) => {
    const isLate = index >= manyCount - 30
    return `${index},${isLate ? 'qz' : 'common'},${isLate ? 'øk' : '-'}`
  })
  await upload('Many', `No,Word,Letter,Unit(MD-S)\n${many.map((line) => `${line},t`).join('\n')}\n`)
  await server.running.platform.database.pool.query('analyze symbols')
})
afterAll(() => server.stop())

function upload(groupName: string, content: string): Promise<string> {
  return uploadSeries(anna, { groupName, content })
}

type Search = Record<string, string | number | boolean>

function search(query: Search, session = anna) {
  return session.call(searchSymbols, { query: query as never })
}

async function codes(query: Search, session = anna): Promise<string[]> {
  const page = await search(query, session)
  return page.items.map(({ symbols }) => symbols.Code ?? symbols.No ?? '')
}

const inPrices = { 'groupName.keyword': 'Prices' }

test.each([
  ['ti', ['WTI*', 'WTIX']],
  ['r', ['BRENT', 'WTI*', 'WTIX', 'ÆGIR']],
  ['g', ['ÆGIR']],
  ['æ', ['ÆGIR']],
  ['ix', ['WTIX']],
  ['d/', ['BRENT', 'WTI*']],
  ['e*ir', ['ÆGIR']],
  ['usd wt', ['WTI*']],
  ['zz', []],
])('IN-416 the search for “%s” matches any part of a symbol', async (query, matches) => {
  expect(await codes({ query, ...inPrices })).toEqual(matches)
})

test.each([
  ['WTI*', ['WTI*']],
  ['wtix', ['WTIX']],
  ['BREN', []],
  ['Code', []],
  ['USD/bbl', ['BRENT', 'WTI*']],
  ['symbols.Code=WTI*', ['WTI*']],
])('IN-416 with exactMatch “%s” matches whole values', async (query, matches) => {
  expect(await codes({ query, exactMatch: true, ...inPrices })).toEqual(matches)
})

test('letters with several lower-case forms match in any case: in searches, patterns, conditions and names', async () => {
  await anna.call(createGroup, { body: { name: 'Letters' } })
  await upload(
    'Letters',
    'Code,ΧΩΡΟΣ,Date,ΤΙΜΕΣ,ΤΟΠΟΣ(MD-S)\nΕΛΛΑΣ,1,2024-01-02,1,ΠΕΙΡΑΙΑΣ\nΕΛΛΑΣΑ,2,2024-01-02,2,\nİZMİR,,2024-01-02,3,İI\nKelvin,,2024-01-02,4,\n',
  )
  const matches = (query: string, more: Search = {}) =>
    codes({ query, 'groupName.keyword': 'Letters', ...more })
  for (const query of ['symbols.Code=ΕΛΛΑΣ*', 'ελλασ', 'ελλας', 'ΕΛΛΑΣ', 'ας'])
    expect([query, await matches(query)]).toEqual([query, ['ΕΛΛΑΣ', 'ΕΛΛΑΣΑ']])
  expect(await matches('ελλας', { exactMatch: true })).toEqual(['ΕΛΛΑΣ'])
  expect(await matches('ας', { valuesOnly: true })).toEqual(['ΕΛΛΑΣ', 'ΕΛΛΑΣΑ'])
  for (const query of ['symbols.Code=İZ*', 'İZMİR', 'izmir', 'İZ', 'İz', 'zm'])
    expect([query, await matches(query)]).toEqual([query, ['İZMİR']])
  expect(await matches('columns=τιμες')).toHaveLength(4)
  expect(await matches('\u212Aelvin')).toEqual(['Kelvin'])

  const countRows = async (query: object) => {
    const response = await anna.fetch('/ts', {
      method: 'POST',
      body: JSON.stringify({ groupName: 'Letters', ...query }),
      headers: { 'Content-Type': 'application/json' },
    })
    return (await response.text()).split('\n').slice(1, -1).length
  }
  expect(await countRows({ keys: [{ symbols: { Code: 'ΕΛΛΑΣ*' }, pattern: true }] })).toBe(2)
  expect(await countRows({ keys: [{ symbols: { Code: '*İR' }, pattern: true }] })).toBe(1)
  expect(await countRows({ keys: [{ symbols: { χωρος: '2' }, pattern: true }] })).toBe(1)
  const filters = [{ name: 'metadata.τοπος', operator: 'CONTAINS', value: 'πειραιας' }]
  expect(await countRows({ filters })).toBe(1)
})

test('IN-416 valuesOnly omits key names, metadata and columns', async () => {
  expect(await codes({ query: 'usd', ...inPrices })).toEqual(['BRENT', 'WTI*'])
  for (const query of ['usd', 'code', 'close']) expect(await codes({ query, valuesOnly: true })).toEqual([])
  expect(await codes({ query: 'wt', valuesOnly: true })).toEqual(['WTI*', 'WTIX'])
})

test('DP-298 IN-416 a symbol search has a query, access, collapse, exactMatch, valuesOnly, sort, provider and pageSize', async () => {
  await server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, access)
     select groups.id, users.id, case groups.name when 'Prices' then 'R' else 'RW' end from groups, users
     where groups.name in ('Prices', 'Weather') and users.user_name = 'ben@example.com'`,
  )
  expect(await codes({}, ben)).toHaveLength(5)
  expect(await codes({ access: 'RW' }, ben)).toEqual(['X-9'])
  expect(await codes({ access: 'RWS' }, ben)).toEqual([])
  expect(await codes({ query: 'wti' })).toEqual(['WTI*', 'WTIX'])
  expect(await codes({ query: 'wti', exactMatch: true })).toEqual([])
  expect(await codes({ query: 'wtix', exactMatch: true })).toEqual(['WTIX'])
  expect(await codes({ query: 'usd' })).toEqual(['BRENT', 'WTI*'])
  expect(await codes({ query: 'usd', valuesOnly: true })).toEqual([])
  const query = 'groupName=Prices'
  expect(await codes({ query, collapse: 'symbols.period' })).toEqual(['BRENT', 'WTIX', 'ÆGIR'])
  expect(await codes({ query: 'x', collapse: 'true' })).toEqual(['WTIX', 'X-9'])
  const page = await search({ query, sort: 'lastDate=desc', pageSize: 2, size: 3, provider: 'Local' })
  expect([page.totalSize, page.items.map(({ symbols }) => symbols.Code)]).toEqual([4, ['WTI*', 'WTIX']])
  for (const field of ['access', 'exactMatch', 'valuesOnly', 'pageSize', 'provider'])
    await expect(search({ [field]: 'x'.repeat(201) })).rejects.toMatchObject({
      status: 400,
      body: { validationErrors: [{ field }] },
    })
  expect(await codes({ query, sortBy: 'metadata.unit=asc', sort: 'lastDate=desc' })).toEqual([
    'WTIX',
    'ÆGIR',
    'BRENT',
    'WTI*',
  ])
})

test('an empty value matches symbols without the key', async () => {
  expect(await codes({ ...inPrices, 'symbols.Period': '' })).toEqual(['ÆGIR'])
  expect(await codes({ ...inPrices, 'symbols.Nowhere': '' })).toHaveLength(4)
})

test('counts the points of each symbol on request', async () => {
  const page = await search({ ...inPrices, pointCount: true, size: 2 })
  expect(page.items.map(({ pointCount }) => pointCount)).toEqual([2, 1])
  const [empty] = (await search({ query: 'qz', pointCount: true, size: 1 })).items
  expect(empty!.pointCount).toBe(0)
  await expect(search({ pointCount: true, size: maxCountedPage + 1 })).rejects.toMatchObject({
    status: 400,
    body: { code: 'tooManyToCount' },
  })
})

const lateNumbers = Array.from({ length: 30 }, (_, index) => String(manyCount - 30 + index))

test.each(['qz', 'øk', 'symbols.Word=qz', 'zq*', 'q*z'])(
  'matches among only the last of many symbols are returned in order and in pages: %s',
  async (query) => {
    const matches = query === 'zq*' ? [] : lateNumbers
    expect(await codes({ query })).toEqual(matches)
    expect(await search({ query, from: 10, size: 5 })).toMatchObject({ totalSize: matches.length })
    expect(await codes({ query, from: 10, size: 5 })).toEqual(matches.slice(10, 15))
  },
)

test('counting stops early and reports it, or counts all on request; a later page shows that there is more', async () => {
  const query = 'common'
  const first = await search({ query, size: 10 })
  expect(first).toMatchObject({ totalSize: countedSymbols + 1, totalIsAtLeast: true })
  expect(first.items).toHaveLength(10)
  const deep = await search({ query, from: 5000, size: 10 })
  expect(deep).toMatchObject({ totalSize: 5011, totalIsAtLeast: true })
  expect(deep.items[0]!.symbols.No).toBe('5000')
  const exact = await search({ query, size: 10, exactTotal: true })
  expect([exact.totalSize, exact.totalIsAtLeast]).toEqual([manyCount - 30, undefined])
  const last = await search({ query, from: manyCount - 35, size: 10 })
  expect([last.totalSize, last.items.length, last.totalIsAtLeast]).toEqual([manyCount - 30, 5, undefined])
  expect((await search({ 'groupName.keyword': 'Many', size: 1 })).totalSize).toBe(manyCount)
})

test('returns the values of a key with their number of symbols, also below other values', async () => {
  const branches = async (body: { key: string; symbols?: Record<string, string>; query?: string }) =>
    (await anna.call(listSymbolBranches, { body: { groupName: 'Prices', ...body } })).items
  expect(await branches({ key: 'period' })).toEqual([
    { value: 'D', symbolCount: 2 },
    { value: 'M', symbolCount: 1 },
    { value: '', symbolCount: 1 },
  ])
  expect(await branches({ key: 'Code', symbols: { Period: 'D' } })).toEqual([
    { value: 'BRENT', symbolCount: 1 },
    { value: 'WTI*', symbolCount: 1 },
  ])
  expect(await branches({ key: 'Period', symbols: { Code: 'WTI*' } })).toEqual([
    { value: 'D', symbolCount: 1 },
  ])
  expect(await branches({ key: 'Code', symbols: { Period: '' } })).toEqual([
    { value: 'ÆGIR', symbolCount: 1 },
  ])
  expect(await branches({ key: 'Code', query: 'tix' })).toEqual([{ value: 'WTIX', symbolCount: 1 }])
  expect(await branches({ key: 'Nowhere' })).toEqual([{ value: '', symbolCount: 4 }])
})

test('useSearchEngine has no effect on the names of keys', async () => {
  const keysWith = async (more: object) =>
    await anna.call(listSymbolKeys, { body: { groupName: 'Prices', metadata: true, ...more } as never })
  const usual = await keysWith({})
  expect(usual.items.length).toBeGreaterThan(1)
  expect(await keysWith({ useSearchEngine: true })).toEqual(usual)
  expect(await keysWith({ useSearchEngine: false })).toEqual(usual)
})

test('DP-300 IN-418 key names are filtered by query and symbols, without required keys, sorted either way, in pages', async () => {
  const names = async (body: Record<string, unknown>) =>
    (await anna.call(listSymbolKeys, { body: { groupName: 'Prices', ...body } as never })).items.map(
      ({ name }) => name,
    )
  expect(await names({ sort: 'DESC', useSearchEngine: false })).toEqual(['Period', 'Code'])
  expect(await names({ symbols: { Code: 'Æ*' } })).toEqual(['Code'])
  expect(await names({ symbols: { code: 'B*' }, omitRequiredKeys: true, metadata: true })).toEqual([
    'Period',
    'Unit',
  ])
  expect(await names({ symbols: { Code: 'nothing' } })).toEqual([])
  expect(await names({ query: 'erio' })).toEqual(['Period'])
  expect(await names({ size: 1 })).toEqual(['Code'])
  expect(await names({ useSearchEngine: true })).toEqual(await names({ useSearchEngine: false }))
  for (const field of ['useSearchEngine', 'omitRequiredKeys', 'metadata', 'sort', 'size'])
    await expect(names({ [field]: 'perhaps' })).rejects.toMatchObject({
      status: 400,
      body: { validationErrors: [{ field }] },
    })
})
