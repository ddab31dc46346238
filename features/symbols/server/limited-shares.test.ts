import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createGroup, shareGroups } from '@headwater/groups/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'
import { createFormula, streamDataBatch } from '../contract/index.ts'

let server: TestServer
/** Owns the groups. */
let anna: Session
/** Has a share of `Whole` from 2026-03-01 to 2026-04-30. */
let ben: Session
/** Has no access. */
let carl: Session

const range = { dataStart: '2026-03-01', dataEnd: '2026-04-30' }
const isInRange = (date: string) => date >= range.dataStart && date <= range.dataEnd

interface Row {
  keys: Record<string, string>
  date: string
  close: number
}

const days = Array.from({ length: 181 }, (_, day) =>
  new Date(Date.UTC(2026, 0, 1 + day)).toISOString().slice(0, 10),
)
const rowsOf = (code: string, dates: readonly string[], offset: number): Row[] =>
  dates.map((date, index) => ({ keys: { Code: code }, date, close: offset + index }))
const first: Row[] = [
  ...rowsOf('WHOLE', days, 100),
  ...rowsOf(
    'MONTHS',
    days.filter((date) => date.endsWith('-15')),
    1000,
  ),
  // Points around the range, and none in it.
  ...rowsOf('AROUND', ['2026-02-28', '2026-05-01'], 5000),
  ...rowsOf('BEFORE', ['2026-01-05', '2026-01-06'], 6000),
]
const corrected: Row[] = rowsOf('WHOLE', ['2026-02-10', '2026-03-10', '2026-04-30', '2026-05-01'], 900)

async function uploadRows(groupName: string, rows: readonly Row[]): Promise<void> {
  const lines = rows.map(({ keys, date, close }) => `${keys.Code},${date},${close},${close * 2}`)
  const content = ['Code,Date,Close,Twice', ...lines].join('\n')
  await uploadSeries(anna, { groupName, content, flags: ['PARTIAL_UPDATE'] })
}

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  carl = await server.createUser({ email: 'carl@example.com' })
  for (const name of ['Whole', 'Part', 'Open']) await anna.call(createGroup, { body: { name } })
  for (const rows of [first, corrected]) {
    await uploadRows('Whole', rows)
    // The same data without the points that the share excludes.
    await uploadRows(
      'Part',
      rows.filter(({ date }) => isInRange(date)),
    )
  }
  await uploadRows('Whole', [{ keys: { Code: 'LATER' }, date: '2026-06-01', close: 1 }])
  const shared = { email: 'ben@example.com', access: 'R' as const, groupName: 'Whole', ...range }
  await anna.call(shareGroups, { body: { sharesList: [shared] } })
})
afterAll(() => server.stop())

async function post(session: Session, path: string, body: unknown) {
  const response = await session.fetch(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, text: await response.text() }
}
const query = (session: Session, groupName: string, more: object, path = '/ts') =>
  post(session, path, { keys: [{ groupName }], range: 'ALL', ...more, ...keysIn(more, groupName) })
const keysIn = (more: { keys?: object[] }, groupName: string) =>
  more.keys === undefined ? {} : { keys: more.keys.map((key) => ({ groupName, ...key })) }

const code = (name: string, more: object = {}) => ({ symbols: { Code: name }, ...more })
const queries: [string, object][] = [
  ['all points', {}],
  ['all points, newest first', { order: 'desc' }],
  ['dates around the range', { range: 'BETWEEN', startDate: '2026-01-01', endDate: '2026-12-31' }],
  ['dates before the range', { range: 'BETWEEN', startDate: '2026-01-01', endDate: '2026-02-28' }],
  ['the newest point', { keys: [code('WHOLE')], range: 'LAST', lastType: 'VALUES', lastTypeAmount: 1 }],
  ['the newest points of all symbols', { range: 'LAST', lastType: 'VALUES', lastTypeAmount: 3 }],
  ['the last days before the newest point', { range: 'LAST', lastType: 'DAYS', lastTypeAmount: 20 }],
  ['the next points', { range: 'NEXT', startDate: '2026-04-25', lastType: 'VALUES', lastTypeAmount: 30 }],
  ['an offset forwards', { keys: [code('WHOLE', { offsetAmount: 1, offsetType: 'MONTH' })] }],
  ['an offset backwards', { keys: [code('WHOLE', { offsetAmount: -40, offsetType: 'DAYS' })] }],
  [
    'an offset and the newest point',
    { keys: [code('WHOLE', { offsetAmount: 60, offsetType: 'DAYS' })], range: 'LAST', lastTypeAmount: 1 },
  ],
  [
    'gaps filled from points before the dates',
    {
      keys: [code('MONTHS', { fillType: 'FORWARD' })],
      range: 'BETWEEN',
      startDate: '2026-03-05',
      endDate: '2026-04-20',
    },
  ],
  [
    'gaps filled between points',
    {
      keys: [code('MONTHS', { fillType: 'LINEAR' })],
      range: 'BETWEEN',
      startDate: '2026-02-20',
      endDate: '2026-05-10',
    },
  ],
  [
    'spans of a month',
    { resample: { unit: 'MONTHS', amount: 1, functions: ['FIRST', 'LAST', 'SUM', 'COUNT'] } },
  ],
  ['spans of a day', { resample: { unit: 'DAYS', amount: 1, functions: ['MEAN', 'TIME_WEIGHTED_MEAN'] } }],
  ['combined symbols', { aggregate: { by: ['Code'], functions: ['SUM', 'COUNT'] } }],
  ['statistics', { formatType: 'STANDARD', stats: true }],
  ['points of a chart', { formatType: 'UI', stats: true, drawPoints: 20 }],
  ['corrections', { corrections: 'true' }],
  ['only corrections', { corrections: 'only' }],
  ['columns', { outputLayout: 'COLUMNS' }],
  ['a condition on values', { filters: [{ name: 'Close', operator: '>', value: '120' }] }],
  ['a limited number of symbols', { symbolSize: 1 }],
  ['a pattern of columns', { keys: [{ symbols: { Code: '*' }, columns: ['*'], pattern: true }] }],
  ['symbols outside of the range', { keys: [code('AROUND'), code('BEFORE'), code('LATER')] }],
]

describe('a share with a range gives access to the points in the range, as if the group had no others', () => {
  test.for(queries)('%s', async ([, more]) => {
    const expected = await query(anna, 'Part', { ...more, skipEmptyColumns: true })
    expect(expected.status).toBe(200)
    for (const path of ['/ts', '/ts/stream']) expect(await query(ben, 'Whole', more, path)).toEqual(expected)
    // Repeats the query after the owner has filled the caches of the same query.
    const whole = await query(anna, 'Whole', more)
    expect(whole.status).toBe(200)
    expect(await query(ben, 'Whole', more)).toEqual(expected)
    expect(await query(anna, 'Whole', more)).toEqual(whole)
    expect((await query(carl, 'Whole', more)).status).toBe(404)
  })
})

test('a range around all points gives the results of the owner, until a point outside of it arrives', async () => {
  await anna.call(createGroup, { body: { name: 'Inside' } })
  const add = (...lines: string[]) =>
    uploadSeries(anna, {
      groupName: 'Inside',
      content: ['Code,Date,Close,Volume', ...lines].join('\n'),
      flags: ['PARTIAL_UPDATE'],
    })
  await add('A,2026-03-01,1,', 'A,2026-03-02,2,20', 'B,2026-04-30T23:59:59.999,3,')
  await anna.call(shareGroups, {
    body: { sharesList: [{ email: 'ben@example.com', access: 'R', groupName: 'Inside', ...range }] },
  })
  const metadata = { keys: [{}], metadata: true, order: 'desc' }
  for (const more of [{}, metadata, { keys: [code('B')] }])
    expect(await query(ben, 'Inside', more)).toEqual(await query(anna, 'Inside', more))
  const queries = [
    {},
    metadata,
    { range: 'BETWEEN', startDate: '2026-03-01', endDate: '2026-03-01' },
    { symbolSize: 1 },
    { outputLayout: 'COLUMNS' },
  ]
  const read = () => Promise.all(queries.map((more) => query(ben, 'Inside', more)))
  const before = await read()
  await add('B,2026-05-01,4,40', 'C,2026-02-28,5,50')
  expect((await query(anna, 'Inside', {})).text).toContain('2026-05-01')
  expect(await read()).toEqual(before)
})

test('a batch contains only the points in the range', async () => {
  const batched = [{ body: { keys: [{ groupName: 'Whole', symbols: { Code: 'WHOLE' } }], range: 'ALL' } }]
  const batch = (session: Session) => post(session, streamDataBatch.path, { queries: batched })
  const datesOf = (text: string) => [...text.matchAll(/2026-\d{2}-\d{2}/g)].map(([date]) => date)
  const [own, whole, none] = [await batch(ben), await batch(anna), await batch(carl)]
  expect(datesOf(whole.text)).toEqual(days)
  expect(datesOf(own.text)).toEqual(days.filter(isInRange))
  expect(none.text).toContain('groupNotFound')
})

test('pages contain only the points in the range', async () => {
  const texts: string[] = []
  let nextPageToken: string | undefined
  do {
    const response = await ben.fetch('/ts', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ keys: [{ groupName: 'Whole' }], range: 'ALL', size: 25, nextPageToken }),
    })
    expect(response.status).toBe(200)
    nextPageToken = response.headers.get('X-KH-NEXT-PAGE-TOKEN') ?? undefined
    const rows = (await response.text()).trim().split('\n').slice(1)
    texts.push(...rows)
    if (rows.length === 0) break
  } while (nextPageToken !== undefined)
  const dates = texts.map((row) => /2026-\d{2}-\d{2}/.exec(row)![0])
  expect(dates.filter((date) => !isInRange(date))).toEqual([])
  expect(dates).toHaveLength(days.filter(isInRange).length + 2)
})

test('formulas in the group, or based on it, have no values', async () => {
  const inputs = [{ name: 'x', groupName: 'Whole', symbols: { Code: 'WHOLE' }, column: 'Close' }]
  for (const groupName of ['Whole', 'Open'])
    await anna.call(createFormula, {
      body: { groupName, symbols: { Code: 'SUM' }, expression: 'x + 1', inputs },
    })
  await anna.call(shareGroups, {
    body: { sharesList: [{ email: 'ben@example.com', access: 'R', groupName: 'Open' }] },
  })
  const keys = [code('SUM')]
  for (const groupName of ['Whole', 'Open']) {
    expect((await query(anna, groupName, { keys })).text).toContain('2026-01-01')
    expect((await query(ben, groupName, { keys })).text).not.toContain('2026-')
  }
})

test('a range applies in its time zone, until the end of its last day, and a changed range applies at once', async () => {
  await anna.call(createGroup, { body: { name: 'Hours' } })
  const hours = Array.from({ length: 72 }, (_, hour) =>
    new Date(Date.UTC(2026, 6, 1, hour)).toISOString().slice(0, 19),
  )
  const content = ['Code,Date,Close', ...hours.map((time, index) => `A,${time},${index}`)].join('\n')
  await uploadSeries(anna, { groupName: 'Hours', content })
  const visible = async (limits: object) => {
    await anna.call(shareGroups, {
      body: { sharesList: [{ email: 'ben@example.com', access: 'R', groupName: 'Hours', ...limits }] },
    })
    const { text } = await query(ben, 'Hours', {})
    return [...text.matchAll(/2026-07-\d{2}T\d{2}/g)].map(([hour]) => hour)
  }
  const day = { dataStart: '2026-07-02', dataEnd: '2026-07-02' }
  expect((await visible(day)).filter((_, index, all) => index === 0 || index === all.length - 1)).toEqual([
    '2026-07-02T00',
    '2026-07-02T23',
  ])
  expect(
    (await visible({ ...day, timeZone: 'Europe/Warsaw' })).filter(
      (_, index, all) => index === 0 || index === all.length - 1,
    ),
  ).toEqual(['2026-07-01T22', '2026-07-02T21'])
  expect(await visible({ dataStart: '2026-07-02T01:00:00', dataEnd: '2026-07-02T02:00:00' })).toEqual([
    '2026-07-02T01',
  ])
  expect(await visible({ dataStart: '2026-07-03T23:00:00+01:00' })).toEqual([
    '2026-07-03T22',
    '2026-07-03T23',
  ])
})

test.for([
  [{ dataStart: '2026-05-01', dataEnd: '2026-04-30' }, 'dataEnd'],
  [{ dataStart: '2026-05-01T00:00:00Z', dataEnd: '2026-05-01T02:00:00+02:00' }, 'dataEnd'],
  [{ dataStart: '2026-05-01', timeZone: 'Mars/Base' }, 'timeZone'],
  [{ dataStart: '2026-05-01', access: 'RW' }, 'access'],
  [{ dataEnd: '2026-05-01', access: 'RWS' }, 'access'],
  [{ dataStart: '2026-13-01' }, 'dataStart'],
] as const)('rejects the range %j', async ([given, field]) => {
  const entry = { email: 'ben@example.com', access: 'R', groupName: 'Whole', ...given }
  const { status, text } = await post(anna, '/file/group/share', { sharesList: [entry] })
  expect(status).toBe(400)
  expect(text).toContain(`sharesList[0].${field}`)
})
