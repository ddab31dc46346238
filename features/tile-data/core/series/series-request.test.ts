import { describe, expect, test } from 'vitest'
import { dataQuery, streamData } from '@headwater/symbols/contract'
import { newSeriesRange, seriesRange } from './series-range.ts'
import { dateBound, seriesRequest } from './series-request.ts'
import { wallClockReader } from './wall-clock.ts'

const brent = { groupName: 'Energy', symbols: { Code: 'B' }, valueColumnNames: ['Close'] }
const keyOf = (extra: object) => seriesRequest([{ ...brent, ...extra }], newSeriesRange()).body.keys![0]

test('IN-134 IN-135 IN-136 IN-321 IN-322 IN-323 IN-334 a new tile requests the last 500 values in UTC, with 2 decimals, rounded half up', () => {
  expect([streamData.method, streamData.path]).toEqual(['POST', '/ts/stream'])
  const { query, body } = seriesRequest([brent], newSeriesRange())
  expect(query).toEqual({ size: -1, order: 'desc', sortSymbols: false, omitNulls: false, absoluteSize: 5000 })
  expect(body).toEqual({
    keys: [{ groupName: 'Energy', symbols: { Code: 'B' }, metadatas: [], columns: ['Close'] }],
    range: 'LAST',
    lastType: 'VALUES',
    lastTypeAmount: 500,
    timeZone: 'UTC',
    formatType: 'NCSV',
    corrections: 'false',
    decimalPrecision: 2,
    roundingMode: 'HALF_UP',
  })
  expect(dataQuery.safeParse(body).success).toBe(true)
})

test.each([
  ['half expand', 'HALF_UP'],
  ['expand', 'UP'],
  ['trunc', 'DOWN'],
  ['nonsense', 'HALF_UP'],
])('IN-344 the rounding mode %j of a tile is %s', (given, sent) => {
  expect(seriesRequest([brent], seriesRange.parse({ roundingMode: given })).body.roundingMode).toBe(sent)
})

test('IN-324 IN-329 with the warehouse setting on, every key names the warehouse as its source', () => {
  const wti = { ...brent, symbols: { Code: 'W' } }
  const sources = (warehouse: boolean) =>
    seriesRequest([brent, wti], newSeriesRange(), { warehouse }).body.keys!.map(({ source }) => source)
  expect(sources(true)).toEqual(['WAREHOUSE', 'WAREHOUSE'])
  expect(sources(false)).toEqual([undefined, undefined])
})

test('a symbol that occurs twice is requested once, with all its columns', () => {
  const { body } = seriesRequest([brent, { ...brent, valueColumnNames: ['Open', 'Close'] }], newSeriesRange())
  expect(body.keys).toEqual([
    { groupName: 'Energy', symbols: { Code: 'B' }, metadatas: [], columns: ['Close', 'Open'] },
  ])
})

test('IN-330 IN-331 the range is BETWEEN two dates, or ALL', () => {
  const between = seriesRange.parse({
    range: 'between',
    from: '2026-01-01',
    to: '2026-01-31',
    toTime: '16:30',
  })
  expect(seriesRequest([brent], between).body).toMatchObject({
    range: 'BETWEEN',
    startDate: '2026-01-01T00:00:00.000',
    endDate: '2026-01-31T16:30:00.000',
  })
  const all = seriesRequest(
    [brent],
    seriesRange.parse({ range: 'ALL', absoluteSize: null, decimalPrecision: null }),
  )
  expect(all.query.absoluteSize).toBe(100_000)
  expect(all.body).not.toHaveProperty('decimalPrecision')
  expect(all.body.range).toBe('ALL')
})

test('omitted parts of a time are zero', () => {
  expect(dateBound('2026-01-01', '9', 'start')).toBe('2026-01-01T09:00:00.000')
  expect(dateBound('2026-01-01', '9:5', 'end')).toBe('2026-01-01T09:05:00.000')
  expect(dateBound('2026-01-01', '9:5:7.25', 'end')).toBe('2026-01-01T09:05:07.250')
  expect(dateBound('', '9', 'start')).toBeUndefined()
})

test('IN-340 IN-341 a start date without a time gets 00:00:00.000, an end date 23:59:59.999', () => {
  const days = seriesRange.parse({ range: 'BETWEEN', from: '2026-01-01', to: '2026-01-31' })
  expect(seriesRequest([brent], days).body).toMatchObject({
    startDate: '2026-01-01T00:00:00.000',
    endDate: '2026-01-31T23:59:59.999',
  })
  expect(dateBound('2026-01-01', '', 'start')).toBe('2026-01-01T00:00:00.000')
  expect(dateBound('2026-01-01', '', 'end')).toBe('2026-01-01T23:59:59.999')
  expect(dateBound('2026-01-01', '9:05:7.5', 'end')).toBe('2026-01-01T09:05:07.500')
  expect(dateBound('', '', 'end')).toBeUndefined()
})

describe('offsets and fills', () => {
  test('IN-337 an offset applies only with a type and a whole amount', () => {
    expect(keyOf({ offsetType: 'DAYS', offsetAmount: 1 })).toMatchObject({
      offsetType: 'DAYS',
      offsetAmount: 1,
    })
    expect(keyOf({ offsetType: 'DAYS', offsetAmount: '-2' })).toMatchObject({ offsetAmount: -2 })
    for (const offsetAmount of [1.5, '1.5', 'x', '', undefined])
      expect(keyOf({ offsetType: 'DAYS', offsetAmount })).not.toHaveProperty('offsetType')
    expect(keyOf({ offsetAmount: 1 })).not.toHaveProperty('offsetAmount')
  })
  test('IN-329 IN-338 a fill by average without a number of points is dropped', () => {
    expect(keyOf({ fillType: 'AVERAGE', avgPointsAmount: 3 })).toMatchObject({
      fillType: 'AVERAGE',
      avgPointsAmount: '3',
    })
    expect(keyOf({ fillType: 'AVERAGE', avgPointsAmount: '' })).not.toHaveProperty('fillType')
    expect(keyOf({ fillType: 'LAST' })).toMatchObject({ fillType: 'LAST' })
  })
})

test('a damaged range becomes the default', () => {
  expect(
    seriesRange.parse({ range: 7, lastTypeAmount: -1, decimalPrecision: 99, timeZone: '', from: {} }),
  ).toEqual(newSeriesRange())
})

describe('local times', () => {
  test('UTC, with and without a fraction', () => {
    const read = wallClockReader('UTC')
    expect(read('2026-03-29T02:30:00')).toBe(Date.UTC(2026, 2, 29, 2, 30))
    expect(read('2026-03-29T02:30:00.125')).toBe(Date.UTC(2026, 2, 29, 2, 30, 0, 125))
    expect(read('2026-03-29')).toBe(Date.UTC(2026, 2, 29))
    expect(read('2026-03-29 02:30:59')).toBe(Date.UTC(2026, 2, 29, 2, 30, 59))
    for (const text of ['nonsense', '2o26-03-29T02:30:00']) expect(read(text)).toBeNaN()
  })
  test('supports a zone with daylight saving time, including its changes', () => {
    const read = wallClockReader('Europe/Berlin')
    expect(read('2026-01-15T12:00:00')).toBe(Date.UTC(2026, 0, 15, 11))
    expect(read('2026-07-15T12:00:00')).toBe(Date.UTC(2026, 6, 15, 10))
    expect(read('2026-03-29T01:59:59')).toBe(Date.UTC(2026, 2, 29, 0, 59, 59))
    expect(read('2026-03-29T03:00:00')).toBe(Date.UTC(2026, 2, 29, 1))
    expect(read('2026-10-25T03:00:00')).toBe(Date.UTC(2026, 9, 25, 2))
  })
})

test('IN-317 an entry lists its columns; older definitions name a single one', () => {
  expect(keyOf({ valueColumnNames: undefined, valueColumnName: 'Open' })?.columns).toEqual(['Open'])
  expect(keyOf({ valueColumnName: 'Open' })?.columns).toEqual(['Close'])
})

test('IN-318 IN-327 IN-329 the key in the body contains the pattern, offset and fill of the entry', () => {
  const given = {
    pattern: true,
    patternExactMatch: true,
    symbolValuesExactMatch: true,
    offsetType: 'DAYS',
    offsetAmount: '-1',
    fillType: 'PREVIOUS',
  }
  expect(keyOf(given)).toEqual({
    groupName: 'Energy',
    symbols: { Code: 'B' },
    metadatas: [],
    columns: ['Close'],
    ...given,
    offsetAmount: -1,
  })
  expect(keyOf({ patternExactMatch: true })).not.toHaveProperty('patternExactMatch')
})

test('IN-330 IN-331 IN-333 the range supports NEXT, a time of day, a holiday calendar and the date of knowledge', () => {
  const bodyOf = (more: object) => seriesRequest([brent], seriesRange.parse(more)).body
  expect(bodyOf({ range: 'next', lastType: 'days', lastTypeAmount: 3, time: '16:30' })).toMatchObject({
    range: 'NEXT',
    lastType: 'DAYS',
    lastTypeAmount: 3,
    lastTypeOnTime: '16:30',
    lastTypeOnTimeTimezone: 'UTC',
  })
  expect(
    bodyOf({ lastType: 'WORKING_DAYS', holidayCalendar: 'NYSE', time: '9:00', timezone: 'Europe/Oslo' }),
  ).toMatchObject({ holidayCalendar: 'NYSE', lastTypeOnTimeTimezone: 'Europe/Oslo' })
  expect(bodyOf({ range: 'ALL', onDateTime: '2026-01-31' })).toMatchObject({ onDateTime: '2026-01-31' })
  expect(bodyOf({ holidayCalendar: 'NYSE', time: '9:00' })).not.toHaveProperty('lastTypeOnTime')
})

test('IN-297 IN-336 the filters of a set are part of the body', () => {
  const filters = [{ name: 'metadata.Kind', operator: 'EQUALS' as const, value: 'oil' }]
  expect(seriesRequest([brent], newSeriesRange(), { filters }).body.filters).toEqual(filters)
  expect(seriesRequest([brent], newSeriesRange(), { filters: [] }).body).not.toHaveProperty('filters')
})
