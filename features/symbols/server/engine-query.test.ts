import { expect, test } from 'vitest'
import { drawPointLimits } from '@headwater/timeseries'
import { dataQuery, drawPoints, type DataQueryInput } from '../contract/index.ts'
import { latestAtTimeOfDay, parseTimeOfDay } from './local-date.ts'
import { hasAllValues, toEngineQuery } from './engine-query.ts'

const now = Date.UTC(2026, 2, 1, 12)
const engineQuery = (input: DataQueryInput) => toEngineQuery(dataQuery.parse(input), now)
const ms = (text: string) => Date.parse(text)

test('DP-352 DP-353 IN-340 IN-341 a date without time covers its day in the time zone of the query', () => {
  expect(
    engineQuery({ startDate: '2024-01-02', endDate: '2024-07-02', timeZone: 'America/New_York' }).range,
  ).toEqual({
    kind: 'BETWEEN',
    from: ms('2024-01-02T05:00:00.000Z'),
    to: ms('2024-07-03T03:59:59.999Z'),
  })
})

test.each([
  ['2024-01-02T10:30:00', ms('2024-01-02T10:30:00Z')],
  ['2024-01-02T10:30:00.250', ms('2024-01-02T10:30:00.250Z')],
  ['2024-01-02 10:30', ms('2024-01-02T10:30:00Z')],
  ['2024-01-02T10:30:00Z', ms('2024-01-02T10:30:00Z')],
  ['2024-01-02T10:30:00+02:00', ms('2024-01-02T08:30:00Z')],
])('the date %s is valid', (text, expected) => {
  expect(engineQuery({ startDate: text }).range).toEqual({ kind: 'BETWEEN', from: expected })
})

test('queries can request as many points for drawing as the series engine allows', () => {
  expect(drawPoints).toEqual(drawPointLimits)
  const accepts = (count: number) => dataQuery.safeParse({ drawPoints: count }).success
  expect([3, 4, 100_000, 100_001].map(accepts)).toEqual([false, true, true, false])
})

test('a date may be relative to now', () => {
  expect(engineQuery({ startDate: 'now-1d/d', endDate: 'now' }).range).toEqual({
    kind: 'BETWEEN',
    from: ms('2026-02-28T00:00:00Z'),
    to: now,
  })
})

test('hours, days of the week and spans are passed to the engine as numbers', () => {
  const spans = { unit: 'weeks', functions: ['p05', 'time weighted mean'], origin: '06:00' }
  expect(
    engineQuery({
      hours: ['8-20', '22:30 - 6'],
      weekdays: ['mon', 'Sunday', 'MONDAY'],
      resample: { ...spans, fill: 'ffill', fillMaxAge: '2d' },
    }),
  ).toMatchObject({
    hours: [
      { from: 480, to: 1200 },
      { from: 1350, to: 360 },
    ],
    weekdays: [1, 7],
    resample: {
      unit: 'WEEKS',
      amount: 1,
      functions: ['p5', 'time_weighted_mean'],
      origin: ms('1969-12-29T06:00:00Z'),
      fill: { kind: 'previous', maxAgeMs: 172_800_000 },
    },
  })
})

test.each([
  [{ hours: '8-25' }, 'hours'],
  [{ hours: '8-8' }, 'hours'],
  [{ weekdays: ['someday'] }, 'weekdays'],
  [{ resample: { unit: 'DAYS', functions: ['P101'] } }, 'resample.functions.0'],
  [{ resample: { unit: 'DAYS', functions: ['SUM'], fill: 'AVERAGE' } }, 'resample.fill'],
  [{ resample: { unit: 'DAYS', functions: ['SUM'], fillMaxAge: '2 weeks' } }, 'resample.fillMaxAge'],
])('%j is rejected with the name of the field', (input, field) => {
  const [issue] = dataQuery.safeParse(input).error?.issues ?? []
  expect(issue?.path.join('.')).toBe(field)
})

test.each([
  [{ origin: '6 am' }, 'is not a time on the clock'],
  [{ origin: '2024-01-07T06:00+02:00' }, 'is not a time on the clock'],
  [{ fillMaxAge: '2d' }, 'Remove fillMaxAge'],
  [{ fill: 'NEXT', fillMaxAge: '2d' }, 'Remove fillMaxAge'],
])('spans with %j are rejected', (spans, message) => {
  const resample = { unit: 'DAYS', functions: ['SUM'], ...spans }
  expect(() => engineQuery({ resample })).toThrow(message)
})

test.each(['yesterday', '2024-02-30', '2024-01-02T25:00:00', '02/01/2024'])('%s is not a date', (text) => {
  expect(() => engineQuery({ endDate: text })).toThrow('is not a date')
})

test('IN-330 the range defaults to the one that the other fields imply', () => {
  expect(engineQuery({}).range).toEqual({ kind: 'ALL' })
  expect(engineQuery({ range: 'ALL', startDate: '2024-01-02' }).range).toEqual({ kind: 'ALL' })
  expect(engineQuery({ lastTypeAmount: 5 }).range).toEqual({ kind: 'LAST', unit: 'VALUES', amount: 5 })
  expect(engineQuery({ range: 'LAST' }).range).toEqual({ kind: 'LAST', unit: 'VALUES', amount: 500 })
  expect(engineQuery({ range: 'NEXT', lastType: 'DAYS', lastTypeAmount: 3 }).range).toEqual({
    kind: 'NEXT',
    unit: 'DAYS',
    amount: 3,
    anchor: now,
  })
})

test('IN-323 IN-325 the smaller of size and absoluteSize limits the rows, which are then sorted by timestamp', () => {
  expect(engineQuery({ size: -1 })).not.toHaveProperty('limit')
  expect(engineQuery({ size: -1 }).sortBy).toBe('series')
  expect(engineQuery({ size: -1, absoluteSize: 5000, order: 'desc' })).toMatchObject({
    limit: 5000,
    sortBy: 'time',
    order: 'desc',
  })
  expect(engineQuery({ size: 10, absoluteSize: 5000, sortSymbols: true })).toMatchObject({
    limit: 10,
    sortBy: 'series',
  })
})

test('onDateTime is an insertion time in microseconds', () => {
  expect(engineQuery({ onDateTime: '2024-01-02T10:00:00' }).asOf).toBe(
    ms('2024-01-02T10:00:00Z') * 1000 + 999,
  )
})

test('IN-336 skipEmptyColumns, layout, drawPoints and stats are passed to the engine', () => {
  expect(engineQuery({})).not.toHaveProperty('skipEmptyColumns')
  expect(engineQuery({})).not.toHaveProperty('layout')
  expect(engineQuery({ skipEmptyColumns: true, outputLayout: 'columns' })).toMatchObject({
    skipEmptyColumns: true,
    layout: 'columns',
  })
  expect(engineQuery({ formatType: 'UI', drawPoints: 2000 })).toMatchObject({ drawPoints: 2000 })
  expect(engineQuery({ size: -1, absoluteSize: 500, drawPoints: 200 })).toMatchObject({
    drawPoints: 200,
    limit: 500,
  })
  expect(engineQuery({ formatType: 'UI', stats: true }).statistics).toBe(true)
  expect(engineQuery({ formatType: 'NCSV', stats: true }).statistics).toBe(false)
})

test('a window uses its own zone or that of the query, and rows are counted only on request', () => {
  expect(engineQuery({})).not.toHaveProperty('window')
  expect(engineQuery({})).not.toHaveProperty('countRows')
  expect(engineQuery({ countRows: 'yes' })).toMatchObject({ countRows: true })
  expect(
    engineQuery({ timeZone: 'Europe/Berlin', windowStart: '2024-07-01', windowEnd: '2024-07-01' }).window,
  ).toEqual({
    from: ms('2024-06-30T22:00:00Z'),
    to: ms('2024-07-01T21:59:59.999Z'),
  })
  expect(engineQuery({ timeZone: 'Europe/Berlin', windowEnd: '2024-07-01T00:00:00.001Z' }).window).toEqual({
    to: ms('2024-07-01T00:00:00.001Z'),
  })
})

test.each([
  [{ drawPoints: 100, formatType: 'STANDARD' }, 'drawPoints'],
  [{ drawPoints: 100, formatType: 'UI', size: 10 }, 'drawPoints'],
  [{ drawPoints: 100, nextPageToken: 'x' }, 'drawPoints'],
  [{ drawPoints: 100, absoluteSize: 0 }, 'absoluteSize'],
  [{ drawPoints: 100, outputLayout: 'COLUMNS' }, 'outputLayout'],
  [{ windowStart: 'noon' }, 'windowStart'],
  [{ windowEnd: '2024-02-30' }, 'windowEnd'],
  [{ outputLayout: 'COLUMNS', formatType: 'UI' }, 'outputLayout'],
  [{ outputLayout: 'COLUMNS', corrections: 'history' }, 'outputLayout'],
  [{ resample: { unit: 'DAYS', functions: ['MAX'] }, corrections: 'true' }, 'resample'],
  [{ resample: { unit: 'DAYS', functions: ['MAX'] }, drawPoints: 100, formatType: 'UI' }, 'drawPoints'],
  [{ resample: { unit: 'DAYS', functions: ['MAX'] }, includeFileId: true }, 'includeFileId'],
  [{ resample: { unit: 'DAYS', functions: ['MAX'] }, outputLayout: 'COLUMNS' }, 'outputLayout'],
  [{ aggregate: { functions: ['SUM'] }, corrections: 'true' }, 'aggregate'],
  [{ aggregate: { functions: ['SUM'] }, corrections: 'history' }, 'aggregate'],
  [{ aggregate: { functions: ['SUM'] }, includeFileId: true }, 'includeFileId'],
  [{ aggregate: { functions: ['SUM'] }, metadata: true }, 'metadata'],
  [{ aggregate: { functions: ['SUM'] }, keys: [{}, { metadatas: ['Unit'] }] }, 'keys[1].metadatas'],
  [{ delta: true, range: 'LAST' }, 'lastType'],
  [{ time: '25:00' }, 'time'],
  [{ lastTypeOnTime: 'noon' }, 'lastTypeOnTime'],
  [{ time: '16:30', timezone: 'Nowhere/Land' }, 'timezone'],
  [{ time: '16:30', lastTypeOnTimeTimezone: 'Nowhere/Land' }, 'lastTypeOnTimeTimezone'],
])('rejects %j with the name of the field', (input, field) => {
  expect(() => engineQuery(input)).toThrow(
    expect.objectContaining({ status: 400, validationErrors: [expect.objectContaining({ field })] }),
  )
})

test.each([
  ['09:30', undefined, '2026-03-01T09:30:00Z'],
  ['12:00', undefined, '2026-03-01T12:00:00Z'],
  ['12:00:01', undefined, '2026-02-28T12:00:01Z'],
  ['16:30', undefined, '2026-02-28T16:30:00Z'],
  ['16:30', 'Asia/Tokyo', '2026-03-01T07:30:00Z'],
  ['20:00', 'America/New_York', '2026-03-01T01:00:00Z'],
])('IN-333 LAST counts from the latest %s o’clock in %s: %s', (time, timezone, anchor) => {
  const range = { range: 'LAST', lastType: 'DAYS', lastTypeAmount: 2 }
  const expected = { kind: 'LAST', unit: 'DAYS', amount: 2, anchor: ms(anchor) }
  expect(engineQuery({ ...range, time, timezone }).range).toEqual(expected)
  expect(
    engineQuery({ ...range, lastTypeOnTime: time, lastTypeOnTimeTimezone: timezone ?? 'UTC' }).range,
  ).toEqual(expected)
  expect(engineQuery({ ...range, range: 'NEXT', time, timezone }).range).toEqual({
    ...expected,
    kind: 'NEXT',
  })
  expect(engineQuery({ ...range, time, timezone, endDate: '2020-01-01T00:00:00' }).range).toMatchObject({
    anchor: ms('2020-01-01T00:00:00Z'),
  })
  expect(engineQuery({ range: 'LAST', time, timezone }).range).toEqual({
    kind: 'LAST',
    unit: 'VALUES',
    amount: 500,
  })
})

test.each([
  [
    'for a time that the clock skips, the day before is used',
    '02:30',
    '2026-03-29T12:00:00Z',
    '2026-03-28T01:30:00Z',
  ],
  ['if a time occurs twice, the second one is used', '02:30', '2026-10-25T12:00:00Z', '2026-10-25T01:30:00Z'],
  ['before the second one, the first', '02:30', '2026-10-25T01:00:00Z', '2026-10-25T00:30:00Z'],
])('%s', (_what, time, at, expected) => {
  expect(latestAtTimeOfDay(parseTimeOfDay(time)!, 'Europe/Berlin', ms(at))).toBe(ms(expected))
})

test('rejects an unknown time zone by name', () => {
  expect(() => engineQuery({ timeZone: 'Europe/Nowhere' })).toThrow('Europe/Nowhere')
})

test.each<[boolean, DataQueryInput]>([
  [true, { groupName: 'A' }],
  [true, { keys: [{ groupName: 'A', symbols: { Code: 'X' } }], range: 'ALL', order: 'desc', csv: true }],
  [false, { keys: [{ groupName: 'A', columns: ['Close'] }] }],
  [false, { keys: [{ groupName: 'A', offsetAmount: 1, offsetType: 'DAYS' }] }],
  [false, { groupName: 'A', startDate: '2026-01-01' }],
  [false, { groupName: 'A', range: 'LAST' }],
  [false, { groupName: 'A', lastTypeAmount: 3 }],
  [false, { groupName: 'A', onDateTime: '2026-01-01' }],
  [false, { groupName: 'A', corrections: 'true' }],
  [false, { groupName: 'A', symbolSize: 2 }],
  [false, { groupName: 'A', hours: '8-20' }],
  [false, { groupName: 'A', formatType: 'UI' }],
  [false, { groupName: 'A', filters: [{ name: 'Close', operator: '>', value: '1' }] }],
])('whether a result contains every value: %s for %j', (expected, input) => {
  expect(hasAllValues(dataQuery.parse(input))).toBe(expected)
})
