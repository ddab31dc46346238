import { expect, test } from 'vitest'
import { dataQuery, type DataQueryInput } from '../contract/index.ts'
import { toSeriesQuestion } from './series-question.ts'

const now = Date.UTC(2026, 2, 1, 12)
const question = (input: DataQueryInput) => toSeriesQuestion(dataQuery.parse(input), now)
const ms = (text: string) => Date.parse(text)

test('DP-352 DP-353 IN-340 IN-341 a date alone is completed in the zone of the query', () => {
  expect(
    question({ startDate: '2024-01-02', endDate: '2024-07-02', timeZone: 'America/New_York' }).range,
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
])('the date %s is read', (text, expected) => {
  expect(question({ startDate: text }).range).toEqual({ kind: 'BETWEEN', from: expected })
})

test.each(['yesterday', '2024-02-30', '2024-01-02T25:00:00', '02/01/2024'])('%s is no date', (text) => {
  expect(() => question({ endDate: text })).toThrow('is not a date')
})

test('IN-330 the range is what the query says, else what its other fields tell', () => {
  expect(question({}).range).toEqual({ kind: 'ALL' })
  expect(question({ range: 'ALL', startDate: '2024-01-02' }).range).toEqual({ kind: 'ALL' })
  expect(question({ lastTypeAmount: 5 }).range).toEqual({ kind: 'LAST', unit: 'VALUES', amount: 5 })
  expect(question({ range: 'LAST' }).range).toEqual({ kind: 'LAST', unit: 'VALUES', amount: 500 })
  expect(question({ range: 'NEXT', lastType: 'DAYS', lastTypeAmount: 3 }).range).toEqual({
    kind: 'NEXT',
    unit: 'DAYS',
    amount: 3,
    anchor: now,
  })
})

test('IN-323 IN-325 the smaller of size and absoluteSize limits the rows, and then rows come by time', () => {
  expect(question({ size: -1 })).not.toHaveProperty('limit')
  expect(question({ size: -1 }).sortBy).toBe('series')
  expect(question({ size: -1, absoluteSize: 5000, order: 'desc' })).toMatchObject({
    limit: 5000,
    sortBy: 'time',
    order: 'desc',
  })
  expect(question({ size: 10, absoluteSize: 5000, sortSymbols: true })).toMatchObject({
    limit: 10,
    sortBy: 'series',
  })
})

test('onDateTime is a moment of insertion to the microsecond', () => {
  expect(question({ onDateTime: '2024-01-02T10:00:00' }).asOf).toBe(ms('2024-01-02T10:00:00Z') * 1000 + 999)
})

test('IN-337 an offset counts only with a unit and a whole amount; IN-338 a fill type is told to be missing', () => {
  expect(() => question({ keys: [{ offsetType: 'DAYS', offsetAmount: '1.5' }] })).not.toThrow()
  expect(() => question({ keys: [{ offsetType: 'DAYS' }] })).not.toThrow()
  expect(() => question({ keys: [{ offsetType: 'DAYS', offsetAmount: 1 }] })).toThrow('offsetAmount')
  expect(() => question({ keys: [{ fillType: 'FORWARD' }] })).toThrow('fillType')
})

test.each([
  [{ includeFileId: true }],
  [{ skipEmptyColumns: true }],
  [{ filters: [{ name: 'Close' }] }],
  [{ holidayCalendar: 'UK' }],
  [{ stats: true, formatType: 'NCSV' }],
  [{ delta: true, range: 'LAST' }],
])('%j is refused instead of being ignored', (input) => {
  expect(() => question(input)).toThrow('is understood but not supported')
})

test('an unknown time zone is refused by its name', () => {
  expect(() => question({ timeZone: 'Europe/Nowhere' })).toThrow('Europe/Nowhere')
})
