import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'

/** `GxApi.index` and `GxApi.catalogue` as the General Index client calls them. */
let server: TestServer
let anna: Session

// Noon in UTC, which is another day in Auckland.
const now = new Date('2024-03-31T12:00:00Z')

const prices = `Code,Period,PeriodType,TimeRef,Date,Mid,RecordStatus(S),IndexModule(MD-S),Commodity(MD-S)
GX1,D,Prompt,1630,2024-03-31T08:00:00,10.5,N,Oil,"Crude, light"
GX1,D,Prompt,1630,2024-03-30T08:00:00,10,N,Oil,"Crude, light"
GX1,D,Prompt,1630,2024-02-29T08:00:00,9,C,Oil,"Crude, light"
GX1,M,Prompt,1630,2024-03-31T08:00:00,11,N,Oil,"Crude, light"
GX2,D,Prompt,1630,2024-03-31T08:00:00,20,N,Gas,Methane
`

beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => now } })
  anna = await server.createUser({ email: 'anna@example.com' })
  for (const name of ['Prod_Indexes', 'Other']) await anna.call(createGroup, { body: { name } })
  await uploadSeries(anna, { groupName: 'Prod_Indexes', content: prices })
  await uploadSeries(anna, { groupName: 'Other', content: 'Code,Date,Mid\nX,2024-03-31,1\n' })
})
afterAll(() => server.stop())

async function get(path: string, headers: Record<string, string> = {}): Promise<string> {
  const response = await anna.fetch(path, { headers: { Accept: 'text/plain', ...headers } })
  const text = await response.text()
  expect([response.status, text]).toEqual([200, text])
  return text
}

const header = 'Code,Period,PeriodType,TimeRef,Date(UTC),Mid,RecordStatus(S)\n'
const gx1Today = 'GX1,D,Prompt,1630,2024-03-31T08:00:00,10.5,N\n'
const gx1Monthly = 'GX1,M,Prompt,1630,2024-03-31T08:00:00,11,N\n'
const gx2Today = 'GX2,D,Prompt,1630,2024-03-31T08:00:00,20,N\n'
const gx1Yesterday = 'GX1,D,Prompt,1630,2024-03-30T08:00:00,10,N\n'
const gx1February = 'GX1,D,Prompt,1630,2024-02-29T08:00:00,9,C\n'

test('returns the index of today for all codes as CSV', async () => {
  expect(await get('/index')).toBe(header + gx1Today + gx1Monthly + gx2Today)
  const response = await anna.fetch('/index')
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
})

test.each([
  ['Code=GX1&Period=D&From=all', gx1Today + gx1Yesterday + gx1February],
  ['code=GX1&period=D&from=1d', gx1Today + gx1Yesterday],
  ['CODE=GX1&Period=D&From=1m&To=1d', gx1Yesterday + gx1February],
  ['Code=GX1%2CGX2&Period=D', gx1Today + gx2Today],
  ['Code=GX1&Code=GX2&Period=D', gx1Today + gx2Today],
  ['Code=*2', gx2Today],
  ['Code=GX1&Period=D&From=2v', gx1Today + gx1Yesterday],
  ['Code=GX1&Period=D&From=2v&Order=asc', gx1Yesterday + gx1Today],
  ['Code=GX1&Period=D&From=1v&To=2024-03-30', gx1Yesterday],
  ['Code=GX1&From=2024-02-01&To=2024-02-29', gx1February],
  ['Code=GX1&Period=D&From=1y&Delta=False&RecordStatus=C', gx1February],
  ['Code=GX1&Period=D&From=all&Mid=10,9', gx1Yesterday + gx1February],
  ['Module=Gas', gx2Today],
  ['Module=Gas,Oil&metadata.commodity=Crude*', gx1Today + gx1Monthly],
  ['metadata.Commodity=*ethan*', gx2Today],
  ['Code=none', ''],
])('GET /index?%s', async (parameters, rows) => {
  const text = await get(`/index?${parameters}`)
  expect(text.slice(text.indexOf('\n') + 1)).toBe(rows)
})

test('days start and end in the given time zone', async () => {
  // In this zone it is already 1 April, and the points of today have the date 31 March.
  expect(await get('/index?Code=GX2&Timezone=Pacific/Auckland')).not.toContain('GX2')
  expect(await get('/index?Code=GX2&Timezone=Pacific/Auckland&From=1d')).toContain(
    'Date(Pacific/Auckland),Mid,RecordStatus(S)\nGX2,D,Prompt,1630,2024-03-31T21:00:00,20,N\n',
  )
})

test('returns metadata with points, or without points', async () => {
  expect(await get('/index?Code=GX2&Metadata=True')).toBe(
    'Code,Period,PeriodType,TimeRef,Date(UTC),Mid,RecordStatus(S),Commodity(MD-S),IndexModule(MD-S)\n' +
      'GX2,D,Prompt,1630,2024-03-31T08:00:00,20,N,Methane,Gas\n',
  )
  expect(await get('/index?Code=GX1&Metadata=only')).toBe(
    'Code,Period,PeriodType,TimeRef,Commodity(MD-S),IndexModule(MD-S)\n' +
      'GX1,D,Prompt,1630,"Crude, light",Oil\nGX1,M,Prompt,1630,"Crude, light",Oil\n',
  )
})

test('returns JSON objects to callers that accept JSON', async () => {
  const json = async (path: string) => JSON.parse(await get(path, { Accept: 'application/json' })) as unknown
  expect(await json('/index?Code=GX1&Period=D&Metadata=true')).toEqual([
    {
      Code: 'GX1',
      Period: 'D',
      PeriodType: 'Prompt',
      TimeRef: '1630',
      'Date(UTC)': '2024-03-31T08:00:00',
      Mid: 10.5,
      'RecordStatus(S)': 'N',
      'Commodity(MD-S)': 'Crude, light',
      'IndexModule(MD-S)': 'Oil',
    },
  ])
  expect(await json('/index?Code=none')).toEqual([])
  expect(await json('/catalogue?Code=GX2')).toEqual([
    {
      Code: 'GX2',
      Period: 'D',
      PeriodType: 'Prompt',
      TimeRef: '1630',
      Commodity: 'Methane',
      IndexModule: 'Gas',
    },
  ])
})

test('the catalogue has a row for each symbol, limited by fields, modules and conditions', async () => {
  expect(await get('/catalogue')).toBe(
    'Code,Period,PeriodType,TimeRef,Commodity,IndexModule\n' +
      'GX1,D,Prompt,1630,"Crude, light",Oil\nGX1,M,Prompt,1630,"Crude, light",Oil\nGX2,D,Prompt,1630,Methane,Gas\n',
  )
  expect(await get('/catalogue', { Fields: 'Code,commodity' })).toBe(
    'Code,Commodity\nGX1,"Crude, light"\nGX2,Methane\n',
  )
  expect(await get('/catalogue?Module=Gas', { Fields: 'Code' })).toBe('Code\nGX2\n')
  expect(await get('/catalogue?field.Commodity=Crude*&field.period=M', { Fields: 'Code,Period' })).toBe(
    'Code,Period\nGX1,M\n',
  )
})

test('the catalogue includes indexes without a module only with NoModule', async () => {
  const json = { Accept: 'application/json' }
  expect(await get('/catalogue?Group=Other')).toBe('Code\n')
  expect(await get('/catalogue?Group=Other&NoModule=False', json)).toBe('[]')
  expect(await get('/catalogue?Group=Other&NoModule=True')).toBe('Code\nX\n')
  expect(await get('/catalogue?NoModule=True&Code=GX2')).toBe(
    'Code,Period,PeriodType,TimeRef,Commodity,IndexModule\nGX2,D,Prompt,1630,Methane,Gas\n',
  )
  expect(await get('/catalogue?NoModule=True&Module=Gas', { Fields: 'Code' })).toBe('Code\nGX2\n')
})

test('a condition finds a name in each spelling that the group has', async () => {
  await anna.call(createGroup, { body: { name: 'Spelled' } })
  for (const content of [
    'Code,Date,Mid,IndexModule(MD-S)\nA,2024-03-31,1,Oil\nB,2024-03-31,1,Oil\n',
    'CODE,Date,Mid,INDEXMODULE(MD-S)\nC,2024-03-31,1,Gas\n',
    'Code,Date,Mid,indexmodule(MD-S)\nB,2024-03-31,1,Coal\n',
    'Code,Date,Mid\nD,2024-03-31,1\n',
  ])
    await uploadSeries(anna, { groupName: 'Spelled', content })
  const codes = async (query: string) =>
    (JSON.parse(await get(`/catalogue?Group=Spelled${query}`, { Accept: 'application/json' })) as object[])
      .map((row) =>
        String(Object.entries(row).find(([name, value]) => /^code$/i.test(name) && value !== '')?.[1]),
      )
      .toSorted()
  expect(await codes('')).toEqual(['A', 'B', 'C'])
  expect(await codes('&Module=Gas')).toEqual(['C'])
  expect(await codes('&field.code=A,C')).toEqual(['A', 'C'])
  // If a symbol has a name in two spellings, the lesser value counts.
  expect(await codes('&Module=Coal')).toEqual(['B'])
  expect(await codes('&Module=Oil')).toEqual(['A'])
  expect(await codes('&field.Unknown=*')).toEqual([])
})

test('without a readable default group the catalogue is a header without rows', async () => {
  const ben = await server.createUser({ email: 'ben@example.com' })
  const read = async (path: string, headers: Record<string, string> = {}) => {
    const response = await ben.fetch(path, { headers })
    return [response.status, await response.text()]
  }
  for (const path of ['/catalogue', '/catalogue?NoModule=True&Code=GX1', '/catalogue?group=Prod_Indexes'])
    expect(await read(path)).toEqual([200, 'Code,Period,PeriodType,TimeRef\n'])
  expect(await read('/catalogue', { Fields: 'Code,Commodity' })).toEqual([200, 'Code\n'])
  expect(await read('/catalogue', { Accept: 'application/json' })).toEqual([200, '[]'])
})

test.each([
  ['/index?From=soon', 'From'],
  ['/index?To=5v', 'To'],
  ['/index?From=2024-02-31', 'From'],
  ['/index?Module=Gas&Code=GX1', 'Module'],
  ['/index?Order=up', 'order'],
  ['/index?Metadata=perhaps', 'metadata'],
  ['/index?From=5v&Delta=True', 'From'],
  ['/index?Timezone=Mars/Base', 'Mars/Base'],
])('rejects %s with the name of the field', async (path, field) => {
  const response = await anna.fetch(path)
  expect(response.status).toBe(400)
  expect(await response.text()).toContain(field)
})

test('an unreadable group is not found', async () => {
  const cleo = await server.createUser({ email: 'cleo@example.com' })
  for (const path of ['/index', '/index?Metadata=only', '/catalogue?Group=Other', '/index?Group=Nothing'])
    expect((await cleo.fetch(path)).status).toBe(404)
})
