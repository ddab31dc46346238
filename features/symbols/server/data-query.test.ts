import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'
import { saveHolidayCalendar, searchSymbols, type DataQueryInput } from '../contract/index.ts'

let server: TestServer
let anna: Session
/** File of the prices, and the file that corrected one of them. */
let first: string
let correction: string

// A Wednesday.
const now = new Date('2024-05-08T12:00:00Z')

// Close of A on working days; 6 May is a bank holiday in England. B has gaps; the metadata distinguish them.
const prices = `Code,Date,Close,Volume(I),Note(S),Due(D),Unit(MD-S),Lot(MD-I)
A,2024-05-01,10,100,calm,2024-06-01,USD,50
A,2024-05-02,11,,storm,2024-06-01,USD,50
A,2024-05-03,13,300,,2024-07-01,USD,50
A,2024-05-07,17,400,Storm over,2024-07-01,USD,50
A,2024-05-08,19,500,,2024-07-01,USD,50
B,2024-05-01,1,,,,EUR,9
B,2024-05-07,4,,,,EUR,9
`

beforeAll(async () => {
  server = await startTestServer({ clock: { now: () => now } })
  anna = await server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Desk' } })
  first = await upload(prices)
  correction = await upload('Code,Date,Close\nA,2024-05-08,20\n', ['PARTIAL_UPDATE'])
})
afterAll(() => server.stop())

function upload(content: string, flags: string[] = []): Promise<string> {
  return uploadSeries(anna, { groupName: 'Desk', content, flags })
}

function sendQuery(query: unknown, { path = '/ts/stream', headers = {} } = {}): Promise<Response> {
  return anna.fetch(path, {
    method: 'POST',
    body: JSON.stringify(query),
    headers: { 'Content-Type': 'application/json', ...headers },
  })
}

async function queryText(query: DataQueryInput): Promise<string> {
  const response = await sendQuery(query)
  const text = await response.text()
  expect([response.status, text]).toEqual([200, text])
  return text
}

/** Returns the rows of a result without the header, with dates truncated to days. */
async function rows(query: DataQueryInput): Promise<string[]> {
  const text = await queryText(query)
  return text.replaceAll('T00:00:00', '').trimEnd().split('\n').slice(1)
}

const a = { groupName: 'Desk', symbols: { Code: 'A' }, columns: ['Close'] }
const b = { groupName: 'Desk', symbols: { Code: 'B' }, columns: ['Close'] }
const both = { groupName: 'Desk', columns: ['Close'] }

test('DP-372 IN-321 IN-322 POST /ts/stream with size -1, descending order and an absolute size returns CSV', async () => {
  const response = await sendQuery(
    { keys: [{ ...a, metadatas: [] }], formatType: 'NCSV', corrections: 'false', delta: false },
    {
      path: '/ts/stream?size=-1&order=desc&omitNulls=false&absoluteSize=2&sortSymbols=false&csv=true',
      headers: { Accept: 'text/csv' },
    },
  )
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('x-kh-next-page-token')).toBeNull()
  expect(await response.text()).toBe(
    'Code,Date(UTC),Close\nA,2024-05-08T00:00:00,20\nA,2024-05-07T00:00:00,17\n',
  )
  const whole = await sendQuery({ keys: [a] }, { path: '/ts/stream?size=-1&order=desc' })
  expect((await whole.text()).split('\n').slice(1, -1)).toHaveLength(5)
  expect((await anna.fetch('/ts/stream?size=-1')).status).toBe(405)
})

test('DP-374 range, startDate, endDate, lastType, lastTypeAmount and onDateTime each choose the points', async () => {
  const choose = (query: DataQueryInput) => rows({ keys: [a], ...query })
  const [first, second, third, fourth, last] = [
    'A,2024-05-01,10',
    'A,2024-05-02,11',
    'A,2024-05-03,13',
    'A,2024-05-07,17',
    'A,2024-05-08,20',
  ]
  expect(await choose({ range: 'BETWEEN', startDate: '2024-05-02' })).toEqual([second, third, fourth, last])
  expect(await choose({ range: 'BETWEEN', endDate: '2024-05-02' })).toEqual([first, second])
  expect(await choose({ range: 'LAST', endDate: '2024-05-02', lastTypeAmount: 1 })).toEqual([second])
  expect(await choose({ range: 'LAST', lastTypeAmount: 3 })).toEqual([third, fourth, last])
  const days = { range: 'LAST', lastType: 'WORKING_DAYS' } as const
  expect(await choose({ ...days, lastTypeAmount: 3 })).toEqual([fourth, last])
  expect(await choose({ ...days, lastTypeAmount: 4 })).toEqual([third, fourth, last])
  expect(await choose({ range: 'BETWEEN', onDateTime: '2024-05-09' })).toHaveLength(5)
  expect(await choose({ range: 'BETWEEN', onDateTime: '2024-05-07' })).toEqual([])
})

test('IN-336 omitNulls has no effect: rows without any requested value are always omitted', async () => {
  const volumes = { keys: [{ groupName: 'Desk', columns: ['Volume'] }] }
  const expected = ['A,2024-05-01,100', 'A,2024-05-03,300', 'A,2024-05-07,400', 'A,2024-05-08,500']
  expect(await rows(volumes)).toEqual(expected)
  expect(await rows({ ...volumes, omitNulls: false })).toEqual(expected)
  expect(await rows({ ...volumes, omitNulls: true })).toEqual(expected)

  const partial = { keys: [{ groupName: 'Desk', symbols: { Code: 'A' }, columns: ['Close', 'Volume'] }] }
  expect(await rows({ ...partial, omitNulls: true })).toContain('A,2024-05-02,11,')
})

test('IN-333 LAST counts working days from Monday to Friday, or of a shipped or custom holiday calendar', async () => {
  const last = (amount: number, more: DataQueryInput = {}) =>
    rows({ keys: [a], range: 'LAST', lastType: 'BUSINESS DAYS', lastTypeAmount: amount, ...more })
  expect(await last(3)).toEqual(['A,2024-05-07,17', 'A,2024-05-08,20'])
  // 6 May is a holiday in England, so Friday is one of the last three days.
  expect(await last(3, { holidayCalendar: 'gb-eng' })).toEqual([
    'A,2024-05-03,13',
    'A,2024-05-07,17',
    'A,2024-05-08,20',
  ])
  await server.admin.call(saveHolidayCalendar, {
    params: { name: 'Desk days' },
    body: { weekend: [3, 6, 7], days: [{ date: '2024-05-07' }, { date: '2024-05-06' }] },
  })
  expect(await last(1, { holidayCalendar: 'desk DAYS' })).toEqual(['A,2024-05-07,17', 'A,2024-05-08,20'])
})

test('IN-333 LAST and NEXT count from time in timezone', async () => {
  const range = { lastType: 'DAYS', lastTypeAmount: 1 }
  // At noon, the last 09:00 in London was today and the last 16:30 yesterday.
  const last = (time: string) =>
    rows({ keys: [a], range: 'LAST', ...range, time, timezone: 'Europe/London', timeZone: 'UTC' })
  expect(await last('09:00')).toEqual(['A,2024-05-08,20'])
  expect(await last('16:30')).toEqual(['A,2024-05-07,17'])
  const next = { keys: [a], range: 'NEXT', ...range, lastTypeOnTime: '23:00', lastTypeOnTimeTimezone: 'UTC' }
  expect(await rows(next)).toEqual(['A,2024-05-08,20'])
})

test('a condition on columns with the same name but different types uses the type of each column', async () => {
  await anna.call(createGroup, { body: { name: 'Bench' } })
  await uploadSeries(anna, {
    groupName: 'Bench',
    content: 'Code,Date,Note\nN,2024-05-02,7\nN,2024-05-03,8\n',
  })
  for (const keys of [
    [
      { groupName: 'Desk', columns: ['Note'] },
      { groupName: 'Bench', columns: ['Note'] },
    ],
    [
      { groupName: 'Bench', columns: ['Note'] },
      { groupName: 'Desk', columns: ['Note'] },
    ],
  ]) {
    const of = (value: string) => rows({ keys, filters: [{ name: 'Note', operator: '=', value }], csv: true })
    expect((await of('storm')).map((row) => row.slice(0, 12))).toEqual(['A,2024-05-02'])
    expect((await of('7')).map((row) => row.slice(0, 12))).toEqual(['N,2024-05-02'])
  }
})

test('rejects too many stars; consecutive stars count as one', async () => {
  const keysOf = (count: number, value: string) =>
    Array.from({ length: count }, (_, index) => ({
      ...both,
      symbols: { Code: `${value}${index}` },
      pattern: true,
    }))
  const refused = await sendQuery({ keys: keysOf(101, '*a'.repeat(100)) })
  expect([refused.status, await refused.json()]).toMatchObject([400, { code: 'tooManyStars' }])
  expect((await sendQuery({ keys: keysOf(101, '*'.repeat(500)) })).status).toBe(200)
})

test('errors shorten long invalid values and names', async () => {
  const long = 'x'.repeat(100_000)
  const response = await sendQuery({
    keys: [{ ...a, symbols: { [long]: {} } }],
    formatType: long,
    stats: long,
  })
  const text = await response.text()
  expect([response.status, text.length < 3000]).toEqual([400, true])
  expect(text).toContain('is not one of NCSV')
})

test('IN-337 an offset of a key moves the timestamps of its series', async () => {
  expect(
    await rows({ keys: [a, { ...a, offsetType: 'DAYS', offsetAmount: '1' }], startDate: '2024-05-08' }),
  ).toEqual(['A,2024-05-08,20', 'A,2024-05-08,17', 'A,2024-05-09,20'])
  expect(
    await rows({ keys: [{ ...a, offsetType: 'working day', offsetAmount: -1 }], startDate: '2024-05-07' }),
  ).toEqual(['A,2024-05-07,20'])
  expect(
    await rows({ keys: [{ ...a, offsetType: 'DAYS', offsetAmount: 1.5 }], startDate: '2024-05-08' }),
  ).toEqual(['A,2024-05-08,20'])
})

test.each([
  ['PREVIOUS', undefined, ['1', '1', '1', '4', '4']],
  ['NEXT', undefined, ['1', '4', '4', '4', '']],
  ['NEAREST', undefined, ['1', '1', '1', '4', '4']],
  ['LINEAR', undefined, ['1', '1.5', '2', '4', '']],
  ['ZERO', undefined, ['1', '0', '0', '4', '0']],
  ['AVERAGE', 2, ['1', '1', '1', '4', '2.5']],
])('gaps of B are filled with %s at the timestamps of A', async (fillType, points, values) => {
  const key = { ...b, fillType, ...(points === undefined ? {} : { avgPointsAmount: points }) }
  const table = await rows({ keys: [a, key], outputLayout: 'COLUMNS' })
  expect(table.map((row) => row.split(',')[2])).toEqual(values)
})

test('keys of one pattern with different fills keep their positions, even with other keys between them', async () => {
  const keys = [{ ...both, fillType: 'ZERO' }, { ...b, fillType: 'PREVIOUS' }, both]
  const table = await rows({ keys, startDate: '2024-05-07', sortSymbols: false } as DataQueryInput)
  expect(table.filter((row) => row.includes('2024-05-08'))).toEqual([
    'A,2024-05-08,20',
    'B,2024-05-08,0',
    'B,2024-05-08,4',
    'A,2024-05-08,20',
  ])
})

test('IN-338 the fill type AVERAGE without its amount fills nothing', async () => {
  const table = await rows({ keys: [a, { ...b, fillType: 'AVERAGE' }], outputLayout: 'COLUMNS' })
  expect(table.map((row) => row.split(',')[2])).toEqual(['1', '', '', '4', ''])
})

test('the layout COLUMNS has a column for each symbol', async () => {
  expect(await queryText({ keys: [a, b], outputLayout: 'columns', startDate: '2024-05-07' })).toBe(
    'Date(UTC),A_Close,B_Close\n2024-05-07T00:00:00,17,4\n2024-05-08T00:00:00,20,\n',
  )
})

const everyA = { groupName: 'Desk', symbols: { Code: 'A' } }
test.each([
  [{ name: 'Close', operator: '>', value: '15' }, ['07', '08']],
  [{ name: 'Close', operator: '<=', value: 11 }, ['01', '02']],
  [{ name: 'Close', operator: '!=', value: 17 }, ['01', '02', '03', '08']],
  [{ name: 'Close', operator: 'in', value: '10, 20' }, ['01', '08']],
  [{ name: 'Volume', operator: 'is empty' }, ['02']],
  [{ name: 'Volume', operator: '=', value: '' }, ['02']],
  [{ name: 'Note', operator: 'contains', value: 'STORM' }, ['02', '07']],
  [{ name: 'Note', operator: 'starts with', value: 'storm o' }, ['07']],
  [{ name: 'Note', value: 'calm' }, ['01']],
  [{ name: 'Due', operator: '<=', value: '2024-06-01' }, ['01', '02']],
  [{ name: 'Unknown', operator: '=', value: 1 }, []],
])('IN-336 the filter %j selects points', async (filter, days) => {
  const matches = await rows({ keys: [everyA], filters: [filter] })
  expect(matches.map((row) => row.split(',')[1]!.slice(-2))).toEqual(days)
})

test('IN-336 all filters must match, and LAST counts only matching points', async () => {
  const filters = [
    { name: 'Close', operator: '>', value: 10 },
    { name: 'Close', operator: '<', value: 20 },
  ]
  expect(await rows({ keys: [a], filters, lastTypeAmount: 1 })).toEqual(['A,2024-05-07,17'])
  expect(await rows({ keys: [a], filters, lastType: 'DAYS', lastTypeAmount: 5 })).toEqual([
    'A,2024-05-03,13',
    'A,2024-05-07,17',
  ])
})

test('a sum of integers beyond 64 bits is empty and not counted in a header, and dates in columns keep their format', async () => {
  await anna.call(createGroup, { body: { name: 'Integers' } })
  const minutes = Array.from({ length: 1025 }, (_, at) =>
    new Date(Date.UTC(2024, 4, 2) + at * 60_000).toISOString(),
  )
  const lines = minutes.map((minute) => `I,${minute},9007199254740991,2024-05-03`)
  await uploadSeries(anna, {
    groupName: 'Integers',
    content: ['Code,Date,Count(I),Due(D)', ...lines, ''].join('\n'),
  })
  const keys = [{ groupName: 'Integers', columns: ['Count'] }]
  const response = await sendQuery({ keys, resample: { unit: 'DAYS', functions: ['SUM', 'MEAN', 'MAX'] } })
  expect(response.headers.get('x-kh-overflows')).toBeNull()
  expect((await response.text()).split('\n')[1]).toMatch(
    /^I,2024-05-02T00:00:00,,90071992547409\d\d,9007199254740991$/,
  )
  const due = { groupName: 'Integers', columns: ['Due'] }
  expect(await rows({ keys: [due], lastTypeAmount: 1, dateFormat: 'd MMM yyyy' })).toEqual([
    'I,2 May 2024,2024-05-03',
  ])
})

test('values outside the range of doubles are empty, and a header contains their number', async () => {
  await anna.call(createGroup, { body: { name: 'Extremes' } })
  await uploadSeries(anna, {
    groupName: 'Extremes',
    content: 'Code,Date,Close\nE,2024-05-02T10:00,1.7e308\nE,2024-05-02T11:00,1.7e308\nE,2024-05-03,-1\n',
  })
  const sums = { keys: [{ groupName: 'Extremes' }], resample: { unit: 'DAYS', functions: ['SUM'] } }
  const response = await sendQuery(sums)
  expect(response.headers.get('x-kh-overflows')).toBe('1')
  const text = await response.text()
  expect(text).toBe('Code,Date(UTC),Close_sum\nE,2024-05-02T00:00:00,\nE,2024-05-03T00:00:00,-1\n')
  const standard = await sendQuery({ ...sums, formatType: 'STANDARD', stats: true })
  expect(await standard.json()).toMatchObject({ values: [{ Close_sum: null }, { Close_sum: -1 }] })
  const small = await sendQuery({ ...sums, startDate: '2024-05-03' })
  expect(small.headers.get('x-kh-overflows')).toBeNull()
})

test.each([
  [{ name: 'symbols.Code', operator: '=', value: 'B' }, ['B']],
  [{ name: 'symbol.code', operator: '!=', value: 'B' }, ['A']],
  [{ name: 'symbols.Code', operator: 'in', value: ['A', 'B', 'C'] }, ['A', 'B']],
  [{ name: 'metadata.Unit', operator: 'starts with', value: 'us' }, ['A']],
  [{ name: 'metadata.Unit', operator: 'contains', value: '%' }, []],
  [{ name: 'metadata.lot', operator: '<', value: 10 }, ['B']],
  [{ name: 'metadata.Lot', operator: '>=', value: '9.0' }, ['A', 'B']],
  [{ name: 'metadata.Lot', operator: '=', value: '50.0' }, ['A']],
  [{ name: 'symbols.Code', operator: '>', value: 'A' }, ['B']],
  [{ name: 'symbols.Code', operator: '>', value: 5 }, []],
  [{ name: 'metadata.None', operator: 'is empty' }, ['A', 'B']],
  [{ name: 'metadata.None', operator: 'is not empty' }, []],
  [{ name: "metadata.Unit'--", operator: 'ends with', value: "'; drop" }, []],
])('IN-336 the filter %j selects symbols', async (filter, codes) => {
  const matches = async (keys: DataQueryInput['keys']) => {
    const list = await rows({ keys, filters: [filter], startDate: '2024-05-07', endDate: '2024-05-07' })
    return list.map((row) => row.slice(0, 1))
  }
  expect(await matches([both])).toEqual(codes)
  expect(await matches([a, b])).toEqual(codes)
})

test('dates in metadata are in the zone of the response, so that it can be uploaded again', async () => {
  await anna.call(createGroup, { body: { name: 'Contracts' } })
  const content = [
    'Code,Date(Europe/Warsaw),Close,Since(MD-D),Unit(MD-S)',
    'V,2024-05-02T00:00:00,2,2021-06-01T10:00:00.500,EUR',
    'W,2024-05-02T00:00:00,1,2020-01-01T00:00:00,USD',
    '',
  ].join('\n')
  await uploadSeries(anna, { groupName: 'Contracts', content })
  const keys = [{ groupName: 'Contracts', symbols: { Code: '*' }, pattern: true }]
  const whole = { keys, metadata: true, timeZone: 'Europe/Warsaw' }
  expect(await queryText(whole)).toBe(content)
  await uploadSeries(anna, { groupName: 'Contracts', content: await queryText(whole) })
  expect(await queryText(whole)).toBe(content)
  expect(await rows({ keys, metadata: true, endDate: '2024-05-02' })).toEqual([
    'V,2024-05-01T22:00:00,2,2021-06-01T08:00:00.500,EUR',
    'W,2024-05-01T22:00:00,1,2019-12-31T23:00:00,USD',
  ])
  const standard = await sendQuery({ ...whole, formatType: 'STANDARD' })
  expect(await standard.json()).toMatchObject({ metadataMap: { 1: { Since: '2020-01-01T00:00:00' } } })

  const codes = async (operator: string, value: unknown, timeZone = 'Europe/Warsaw') => {
    const filters = [{ name: 'metadata.since', operator, value }] as DataQueryInput['filters']
    return (await rows({ keys, timeZone, filters })).map((row) => row.slice(0, 1)).join('')
  }
  for (const query of ['metadata.since=2019-12-31T23:00', 'metadata.Since=2019-12-31 23:00:00Z']) {
    const page = await anna.call(searchSymbols, { query: { query } as never })
    expect(page.items.map(({ symbols }) => symbols.Code)).toEqual(['W'])
  }
  expect(await codes('=', '2020-01-01')).toBe('W')
  expect(await codes('!=', '2020-01-01')).toBe('V')
  expect(await codes('=', '2019-12-31T23:00:00Z', 'UTC')).toBe('W')
  expect(await codes('=', '2020-01-01', 'UTC')).toBe('')
  expect(await codes('in', ['2020-01-01', '2021-06-01T10:00:00.5'])).toBe('VW')
  expect(await codes('>', '2021-06-01')).toBe('')
  expect(await codes('>=', '2021-06-01')).toBe('V')
  expect(await codes('<=', '2021-06-01')).toBe('VW')
  expect(await codes('is not empty', null)).toBe('VW')
  for (const [operator, value, field] of [
    ['=', '2021-6-1', 'filters[0].value'],
    ['in', ['2020-01-01', 'May'], 'filters[0].value'],
    ['starts with', '2021', 'filters[0].operator'],
  ]) {
    const response = await sendQuery({ keys, filters: [{ name: 'metadata.Since', operator, value }] })
    expect([response.status, await response.json()]).toMatchObject([400, { validationErrors: [{ field }] }])
  }
})

test.each(['Europe/Amsterdam', 'Europe/Dublin', 'Europe/Paris', 'Asia/Kathmandu', 'Africa/Monrovia'])(
  'a response with old dates in %s can be uploaded again, although its local time once differed from UTC by seconds',
  async (timeZone) => {
    const groupName = `Old ${timeZone.replace('/', ' ')}`
    await anna.call(createGroup, { body: { name: groupName } })
    const content = [
      'Code,Date(UTC),Close,Settled(D),Since(MD-D)',
      'A,1677-01-02T03:04:05,5,1799-12-31T23:59:59,1905-06-07T08:09:10',
      'A,1900-01-02T03:04:05,1,1911-02-03T00:00:00,1905-06-07T08:09:10',
      'A,1916-01-01T00:00:30,2,1930-07-01T12:00:00.250,1905-06-07T08:09:10',
      'A,1930-07-01T12:00:00.250,3,1944-12-24T18:00:00,1905-06-07T08:09:10',
      'A,1971-12-31T23:59:59,4,2020-01-01T00:00:00,1905-06-07T08:09:10',
      '',
    ].join('\n')
    await uploadSeries(anna, { groupName, content })
    const whole = { groupName, metadata: true }
    const local = await queryText({ ...whole, timeZone })
    expect(local).toContain(`Date(${timeZone})`)
    await uploadSeries(anna, { groupName, content: local })
    expect(await queryText(whole)).toBe(content)
  },
)

test('a key with metadatas returns only these, even next to keys that return all metadata', async () => {
  const one = { endDate: '2024-05-01', metadata: true }
  expect(await queryText({ keys: [{ ...a, metadatas: ['Lot'] }], ...one })).toBe(
    'Code,Date(UTC),Close,Lot(MD-I)\nA,2024-05-01T00:00:00,10,50\n',
  )
  const pattern = { ...both, symbols: { Code: '*' }, pattern: true, metadatas: ['Unit'] }
  expect(await rows({ keys: [pattern], ...one })).toEqual(['A,2024-05-01,10,USD', 'B,2024-05-01,1,EUR'])
  const keys = [{ ...a, metadatas: ['Lot'] }, b]
  expect(await rows({ keys, ...one })).toEqual(['A,2024-05-01,10,50,', 'B,2024-05-01,1,9,EUR'])
  expect(await rows({ keys, ...one, metadata: false })).toEqual(['A,2024-05-01,10,50', 'B,2024-05-01,1,'])
  expect(await rows({ keys: [...keys, { ...a, metadatas: ['Unit'] }], ...one })).toEqual([
    'A,2024-05-01,10,50,USD',
    'B,2024-05-01,1,9,EUR',
  ])
})

test('IN-335 includeFileId adds the file of each point and version', async () => {
  expect(await queryText({ keys: [a], includeFileId: true, startDate: '2024-05-07' })).toBe(
    `Code,Date(UTC),Close,FileId(S)\nA,2024-05-07T00:00:00,17,${first}\nA,2024-05-08T00:00:00,20,${correction}\n`,
  )
  expect(await rows({ keys: [a], includeFileId: true, corrections: 'only' })).toEqual([
    `A,2024-05-08,19,${first}`,
    `A,2024-05-08,20,${correction}`,
  ])
})

test('IN-336 skipEmptyColumns omits columns without a value', async () => {
  const key = { groupName: 'Desk', symbols: { Code: 'B' }, columns: ['Close', 'Volume', 'Note'] }
  expect(await queryText({ keys: [key] })).toContain('Close,Note(S),Volume(I)\n')
  expect(await queryText({ keys: [key], skipEmptyColumns: true })).toContain('Code,Date(UTC),Close\n')
})

test('IN-326 IN-336 a response is CSV with a header, or JSON with symbols, values, metadataMap and, with stats, statistics of each column of numbers', async () => {
  const response = await sendQuery({
    keys: [{ ...a, metadatas: ['Unit'] }],
    formatType: 'STANDARD',
    stats: true,
    endDate: '2024-05-02',
  })
  expect(await response.json()).toMatchObject({
    symbols: [{ Code: 'A' }],
    values: [{ symbol: 0, Close: 10 }, { Close: 11 }],
    metadataMap: { 0: { Unit: 'USD' } },
    statistics: {
      0: {
        count: 2,
        columns: { Close: { count: 2, min: 10, max: 11, mean: 10.5, sum: 21, first: 10, last: 11 } },
      },
    },
  })
  expect(await queryText({ keys: [a], stats: true, lastTypeAmount: 1 })).toBe(
    'Code,Date(UTC),Close\nA,2024-05-08T00:00:00,20\n',
  )
})

test('resamples points by spans of calendar time, to which the limit applies', async () => {
  const resample = { unit: 'week', functions: ['first', 'Max', 'avg', 'AVERAGE', 'count'] }
  expect(await queryText({ keys: [a], resample })).toBe(
    [
      'Code,Date(UTC),Close_first,Close_max,Close_mean,Close_count(I)',
      'A,2024-04-29T00:00:00,10,13,11.333333333333334,3',
      'A,2024-05-06T00:00:00,17,20,18.5,2',
      '',
    ].join('\n'),
  )
  const months = { unit: 'MONTHS', amount: '2', functions: ['SUM'] }
  expect(await rows({ keys: [a], resample: months, size: 1, order: 'desc' })).toEqual(['A,2024-05-01,71'])
})

test('drawPoints returns fewer points and their total', async () => {
  const response = await sendQuery({ keys: [a], formatType: 'UI', drawPoints: 4 })
  const { points, values } = (await response.json()) as {
    points: { raw: number; drawn: number }
    values: { columns: { Close: number[] } }[]
  }
  expect(points.raw).toBe(5)
  expect(points.drawn).toBeLessThan(5)
  expect(values[0]!.columns.Close.at(-1)).toBe(20)
})

test('drawPoints with a row limit omits no part of the range, and the header contains the total', async () => {
  const requested = { keys: [a], absoluteSize: 4, order: 'desc', drawPoints: 4 }
  const drawn = await sendQuery(requested)
  const all = await rows({ keys: [a], order: 'desc' })
  const chosen = (await drawn.text()).replaceAll('T00:00:00', '').trimEnd().split('\n').slice(1)
  expect(drawn.headers.get('x-kh-total-rows')).toBe('5')
  expect(chosen.length).toBeLessThan(5)
  expect([chosen[0], chosen.at(-1)]).toEqual([all[0], all.at(-1)])
  expect(await rows({ ...requested, absoluteSize: 5 })).toEqual(all)
})

test('a window returns the rows within it, and rows are counted on request', async () => {
  const all = await rows({ keys: [a] })
  const requested = { keys: [a], range: 'LAST', lastTypeAmount: 4, windowEnd: '2024-05-03', countRows: true }
  expect(await rows(requested)).toEqual(all.slice(1, 3))
  expect((await sendQuery(requested)).headers.get('x-kh-total-rows')).toBe('2')
  expect((await sendQuery({ ...requested, size: 1 })).headers.get('x-kh-total-rows')).toBe('2')
  expect((await sendQuery({ keys: [a], size: 1 })).headers.get('x-kh-total-rows')).toBeNull()
})

test('returns Arrow by formatType or by the Accept header', async () => {
  const arrow = 'application/vnd.apache.arrow.stream'
  for (const response of [
    await sendQuery({ keys: [a], formatType: 'arrow' }),
    await sendQuery({ keys: [a] }, { headers: { Accept: `${arrow}, */*` } }),
  ]) {
    expect(response.headers.get('content-type')).toBe(arrow)
    const bytes = Buffer.from(await response.arrayBuffer())
    expect(bytes.readUInt32LE(0)).toBe(0xff_ff_ff_ff)
    expect(bytes.includes('Close')).toBe(true)
  }
  const named = await sendQuery({ keys: [a], formatType: 'NCSV' }, { headers: { Accept: arrow } })
  expect(named.headers.get('content-type')).toBe('text/csv; charset=utf-8')
})

test.each<[string, object, string[]]>([
  ['size=3', { keys: [a], size: 1 }, ['A,01,10', 'A,02,11', 'A,03,13']],
  ['size=1&order=desc', { keys: [a], order: 'asc' }, ['A,08,20']],
  ['symbolSize=1&size=1', { keys: [both], symbolSize: 5, order: 'desc' }, ['A,08,20']],
  ['symbolSize=-1', { keys: [both], symbolSize: 1, startDate: '2024-05-08' }, ['A,08,20']],
  ['absoluteSize=2', { keys: [a], absoluteSize: 4 }, ['A,01,10', 'A,02,11']],
  ['sortSymbols=true&size=2', { keys: [both], sortSymbols: false }, ['A,01,10', 'A,02,11']],
  ['sortSymbols=false&size=2', { keys: [both], sortSymbols: true }, ['A,01,10', 'B,01,1']],
  ['csv=true&size=1', { keys: [a], formatType: 'STANDARD' }, ['A,01,10']],
  ['omitNulls=false&size=1', { keys: [a], omitNulls: true }, ['A,01,10']],
  ['omitNulls=true&size=1', { keys: [a], omitNulls: false }, ['A,01,10']],
])('the parameters %s of the URL take precedence over the body', async (parameters, body, expected) => {
  const response = await sendQuery(body, { path: `/ts?${parameters}` })
  const text = (await response.text()).replaceAll('2024-05-', '').replaceAll('T00:00:00', '')
  expect(text.split('\n').slice(1, -1)).toEqual(expected)
})

test.each(['size', 'order', 'sortSymbols', 'symbolSize', 'csv', 'omitNulls', 'absoluteSize'])(
  'an invalid value of the URL parameter %s is reported at that field',
  async (field) => {
    const response = await sendQuery({ keys: [a] }, { path: `/ts?${field}=perhaps` })
    expect([response.status, await response.json()]).toMatchObject([400, { validationErrors: [{ field }] }])
  },
)

test('each rounding mode rounds halves correctly', async () => {
  const key = { groupName: 'Desk', symbols: { Code: 'A' }, columns: ['Close'], fillType: 'LINEAR' }
  const shifted = { ...b, offsetType: 'HOURS', offsetAmount: 12 }
  const rounded = async (roundingMode: string) => {
    const table = await rows({
      keys: [key, shifted],
      outputLayout: 'COLUMNS',
      endDate: '2024-05-02T00:00:00',
      decimalPrecision: 0,
      roundingMode,
    })
    return table.map((row) => row.split(',')[1])[1]
  }
  // At noon of 1 May the value of A is 10.5.
  const modes = ['UP', 'DOWN', 'CEILING', 'FLOOR', 'HALF_UP', 'HALF_EVEN']
  expect(await Promise.all(modes.map(rounded))).toEqual(['11', '10', '11', '10', '11', '10'])
})

test.each([
  [{ keys: [{ ...a, fillType: 'LINEAR' }], corrections: 'true' }, 'keys[0].fillType'],
  [
    { keys: [{ ...a, fillType: 'LINEAR' }], resample: { unit: 'DAYS', functions: ['MAX'] } },
    'keys[0].fillType',
  ],
  [{ keys: [a, { ...a, offsetType: 'DAYS', offsetAmount: 1 }], delta: true }, 'keys[1].offsetAmount'],
  [{ keys: [{ ...a, offsetType: 'DAYS', offsetAmount: 1e9 }] }, 'keys[0].offsetAmount'],
  [{ keys: [{ ...a, fillType: 'AVG', avgPointsAmount: '1.5' }] }, 'keys[0].avgPointsAmount'],
  [{ keys: [a], filters: [{ name: 'Volume', operator: '>', value: 1 }] }, 'filters[0].name'],
  [{ keys: [everyA], filters: [{ name: 'Volume', operator: '>', value: 'x' }] }, 'filters[0].value'],
  [{ keys: [everyA], filters: [{ name: 'Volume', operator: 'sort of', value: 1 }] }, 'filters[0].operator'],
  [{ keys: [a], range: 'LAST', lastTypeAmount: 1.5 }, 'lastTypeAmount'],
  [{ keys: [a], range: 'LAST', lastTypeAmount: 1e12 }, 'lastTypeAmount'],
  [{ keys: [a], range: 'LAST', lastType: 'MOONS' }, 'lastType'],
  [{ keys: [a], delta: true, range: 'NEXT' }, 'lastType'],
  [{ keys: [a], drawPoints: 100, formatType: 'PANDAS' }, 'drawPoints'],
  [{ keys: [a], windowStart: 'yesterday' }, 'windowStart'],
  [{ keys: [a], outputLayout: 'COLUMNS', formatType: 'PANDAS' }, 'outputLayout'],
  [{ keys: [a], timeZone: 'Europe/Atlantis' }, 'timeZone'],
  [{ keys: [a], holidayCalendar: 'Atlantis' }, 'holidayCalendar'],
  [{ keys: [a], endDate: '2024-02-30' }, 'endDate'],
  [{ keys: [a], onDateTime: 'soon' }, 'onDateTime'],
  [{ keys: [a], size: 2, nextPageToken: 'nonsense' }, 'nextPageToken'],
])('rejects %j with the name of the field', async (query, field) => {
  const response = await sendQuery(query)
  const body = (await response.json()) as { validationErrors: { field: string }[] }
  expect([response.status, body.validationErrors.map((each) => each.field)]).toEqual([400, [field]])
})

test('huge ranges return quickly', async () => {
  for (const lastType of ['MINUTES', 'YEARS', 'WORKING_DAYS'])
    expect(
      await rows({ keys: [a], range: 'LAST', lastType, lastTypeAmount: 1e9, order: 'desc', size: 1 }),
    ).toEqual(['A,2024-05-08,20'])
  expect(await rows({ keys: [a], startDate: '0001-01-01', endDate: '9999-12-31', size: 1 })).toHaveLength(1)
  expect(await rows({ keys: [a], startDate: '2024-05-09', endDate: '2024-05-01' })).toEqual([])
  expect(
    await rows({
      keys: [a],
      range: 'LAST',
      lastType: 'WORKING_DAYS',
      lastTypeAmount: 1e9,
      holidayCalendar: 'US',
      lastTypeOnTime: '00:00',
    }),
  ).toHaveLength(5)
})

test('omits unknown groups, symbols and columns', async () => {
  expect(
    await queryText({
      keys: [
        { ...a, columns: ['Close', 'Nothing'] },
        { ...a, symbols: { Code: 'Z' } },
        { groupName: 'No such group', symbols: { Code: 'A' } },
      ],
      lastTypeAmount: 1,
    }),
  ).toBe('Code,Date(UTC),Close\nA,2024-05-08T00:00:00,20\n')
})

test('accepts ten thousand keys and rejects one more', async () => {
  const keys = Array.from({ length: 10_000 }, (_, at) => ({
    ...a,
    symbols: { Code: at === 0 ? 'A' : `X${at}` },
  }))
  expect(await rows({ keys, lastTypeAmount: 1 })).toEqual(['A,2024-05-08,20'])
  expect((await sendQuery({ keys: [...keys, a] })).status).toBe(400)
})

test('includeFileId identifies the file among a hundred thousand', async () => {
  const { pool } = server.running.platform.database
  await pool.query(
    `insert into ingests (file_id, group_id, version, row_count, symbol_ids)
     select gen_random_uuid(), groups.id, number, 1, '{}' from groups, generate_series(1, 100000) as number
     where groups.name = 'Desk'`,
  )
  expect(await rows({ keys: [a], includeFileId: true, startDate: '2024-05-07' })).toEqual([
    `A,2024-05-07,17,${first}`,
    `A,2024-05-08,20,${correction}`,
  ])
})
