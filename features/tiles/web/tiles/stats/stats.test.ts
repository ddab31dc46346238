import { describe, expect, test } from 'vitest'
import {
  readSeriesResult,
  rowsBySymbol,
  changeText,
  comparisonText,
  valueText,
  compared,
  statisticOf,
  statValues,
  newStatsTile,
  statsTile,
  type Comparison,
} from '@headwater/tile-data/core'
import { sparklinePath } from './Sparkline.tsx'
import { tableOfStats } from './stats-export.ts'

const result = readSeriesResult(
  'Code,Date(UTC),Close\n' +
    'B,2026-03-31T00:00:00,12.5\nB,2026-03-30T00:00:00,\nB,2026-02-28T00:00:00,10\nB,2026-02-27T00:00:00,8\nB,2025-03-31T00:00:00,20\n',
)
const results = [{ groupNames: new Set(['G']), result, rowsOf: rowsBySymbol(result) }]
const range = { timeZone: 'UTC', decimalPrecision: 2 }
const series = [{ label: '', groupName: 'G', symbols: { Code: 'B' }, column: 'Close' }]
const valuesOf = (more: object = {}) => statValues(statsTile.parse({ series, ...more }), results, range)
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)

describe('statistics', () => {
  test('IN-232 IN-233 a stats tile shows the newest value, its change, its history and its age', () => {
    const [value] = valuesOf()
    expect(value).toMatchObject({ label: 'B', value: 12.5, decimals: 1, newest: day('2026-03-31') })
    expect(value!.change).toEqual({
      difference: 2.5,
      share: 0.25,
      before: { time: day('2026-02-28'), value: 10 },
    })
    expect(value!.points.map((point) => point.value)).toEqual([20, 8, 10, 12.5])
  })

  test('two columns of one symbol have different names, and a rule matches them by symbol or name', () => {
    const of = (column: string, more: object = {}) => ({ ...series[0], column, ...more })
    const labels = (...given: object[]) => valuesOf({ series: given }).map(({ label }) => label)
    expect(labels(of('Close'), of('Volume'))).toEqual(['B · Close', 'B · Volume'])
    expect(labels(of('Close'), of('Close'))).toEqual(['B', 'B (2)'])
    expect(labels(of('Close'), of('Volume', { label: 'Traded' }))).toEqual(['B', 'Traded'])
    expect(labels(of('Close', { symbols: {} }), of('Volume', { symbols: {} }))).toEqual(['Close', 'Volume'])
    const rule = { condition: '>', conditionValueA: '0', level: 'good' }
    const met = (applyTo: string) =>
      valuesOf({ series: [of('Close'), of('Volume')], conditionalFormatting: [{ ...rule, applyTo }] })[0]
        ?.threshold
    const given = ['B', 'B · Close', 'B Close', 'B · Volume']
    expect(given.map((name) => met(name)?.level)).toEqual(['good', 'good', 'good', undefined])
  })

  test('a value has the unit from the metadata of its series, unless the tile sets one or counts values', () => {
    const text =
      'Code,Date(UTC),Close,Unit(MD-S)\nA,2026-01-01T00:00:00,1,USD/bbl\nB,2026-01-01T00:00:00,2,€\nC,2026-01-01T00:00:00,3,\nD,2026-01-01T00:00:00,4,United States dollars per barrel\n'
    const read = readSeriesResult(text)
    const given = [{ groupNames: new Set(['G']), result: read, rowsOf: rowsBySymbol(read) }]
    const all = ['A', 'B', 'C', 'D'].map((Code) => ({ ...series[0], symbols: { Code } }))
    const texts = (more: object = {}) =>
      statValues(statsTile.parse({ series: all, ...more }), given, range).map(({ value, unit }) =>
        valueText(value!, unit, 0),
      )
    expect(texts()).toEqual(['1\u00a0USD/bbl', '€2', '3', '4\u00a0United States dolla…'])
    expect(texts({ unit: 't' })).toEqual(['1\u00a0t', '2\u00a0t', '3\u00a0t', '4\u00a0t'])
    expect(texts({ statistic: 'COUNT' })).toEqual(['1', '1', '1', '1'])
  })

  test.each([
    ['FIRST', 20],
    ['MIN', 8],
    ['MAX', 20],
    ['SUM', 50.5],
    ['AVERAGE', 12.625],
    ['COUNT', 4],
  ] as const)('%s of the numbers is %d; gaps are omitted', (statistic, expected) => {
    const [value] = valuesOf({ statistic })
    expect(value).toMatchObject({ value: expected, change: undefined })
    expect(statisticOf([], statistic)).toBe(statistic === 'COUNT' ? 0 : undefined)
  })

  test('IN-233 the lowest, highest and first value have their own date, other statistics the newest one', () => {
    const at = (statistic: string) => valuesOf({ statistic })[0]?.at
    expect([at('MIN'), at('MAX'), at('FIRST')]).toEqual([
      day('2026-02-27'),
      day('2025-03-31'),
      day('2025-03-31'),
    ])
    for (const statistic of ['LAST', 'AVERAGE', 'SUM', 'COUNT']) expect(at(statistic)).toBeUndefined()
  })

  test.each<[Comparison, number, string | undefined]>([
    ['VALUES', 1, '2026-02-28'],
    ['VALUES', 9, undefined],
    ['DAYS', 40, '2025-03-31'],
    ['DAYS', 31, '2026-02-28'],
    ['WEEKS', 1, '2026-02-28'],
    ['MONTHS', 1, '2026-02-28'],
    ['YEARS', 1, '2025-03-31'],
    ['YEARS', 2, undefined],
    ['RANGE_START', 1, '2025-03-31'],
    ['NONE', 1, undefined],
  ])('comparison by %s and %d uses the value of %s', (comparison, amount, expected) => {
    const { points } = valuesOf()[0]!
    expect(compared(points, comparison, amount)?.time).toBe(expected && day(expected))
  })

  test('the first threshold that a value meets sets its level, for one series by name or for all', () => {
    const threshold = (more: object) => ({
      condition: '>',
      conditionValueA: 10,
      conditionValueB: '',
      ...more,
    })
    const level = (...conditionalFormatting: object[]) => valuesOf({ conditionalFormatting })[0]!.threshold
    expect(level(threshold({ level: 'bad', label: 'High' }), threshold({ level: 'good' }))).toEqual({
      level: 'bad',
      label: 'High',
    })
    expect(level(threshold({ applyTo: 'Other' }), threshold({ applyTo: 'B', level: 'good' }))).toEqual({
      level: 'good',
      label: '',
    })
    expect(level(threshold({ conditionValueA: 13 }))).toBeUndefined()
  })

  test('a series without numbers has no value', () => {
    const [value] = valuesOf({ series: [{ ...series[0], column: 'Gone' }] })
    expect(value).toMatchObject({ value: undefined, change: undefined, newest: undefined, points: [] })
  })
})

test('values and changes are written with unit and sign', () => {
  const dollars = { unit: '$', unitOnFront: true }
  expect(valueText(-1234.5, dollars, 2)).toBe('-$1,234.50')
  expect(valueText(5, { unit: 'bbl', unitOnFront: false }, 0)).toBe('5\u00a0bbl')
  const before = { time: 0, value: 0 }
  expect(changeText({ difference: -2, share: -0.125, before }, dollars, 1)).toBe('−$2.0 (−12.5%)')
  expect(changeText({ difference: -0.001, share: -0.0001, before }, dollars, 2)).toBe('$0.00 (0.0%)')
  expect(valueText(12.5, { unit: '%', unitOnFront: false }, 1)).toBe('12.5%')
  expect(changeText({ difference: 2, share: undefined, before }, { unit: '', unitOnFront: false }, 0)).toBe(
    '+2',
  )
  expect(comparisonText({ comparison: 'WEEKS', comparisonAmount: 2 })).toBe('vs 2 weeks earlier')
})

test('a sparkline preserves the highest and the lowest of many points', () => {
  const points = Array.from({ length: 5000 }, (_, index) => ({
    time: index,
    value: index === 2501 ? 100 : 0,
  }))
  const path = sparklinePath(points)
  expect(path.length).toBeLessThan(4000)
  expect(path).toMatch(/L[\d.]+ 0\.0/)
})

test('damaged settings are replaced with those of a new tile', () => {
  const damaged = statsTile.parse({
    series: [null, { label: 'x' }],
    statistic: 'MEAN',
    comparison: 7,
    staleHours: -1,
  })
  expect(damaged).toMatchObject({ series: [], statistic: 'LAST', comparison: 'VALUES', staleHours: null })
  expect(statsTile.parse(newStatsTile('a'))).toMatchObject(damaged)
})

test('the figures are exported as rows', () => {
  const { columns, rows } = tableOfStats(valuesOf())
  expect(columns.map(({ name }) => name)).toEqual([
    'Series',
    'Value',
    'Change',
    'Change (%)',
    'Compared with (UTC)',
    'Newest value (UTC)',
  ])
  expect(rows).toEqual([['B', 12.5, 2.5, 25, '2026-02-28T00:00:00.000', '2026-03-31T00:00:00.000']])
  const lowest = tableOfStats(valuesOf({ statistic: 'MIN' }))
  expect(lowest.columns.map(({ name }) => name)).toEqual([
    'Series',
    'Value',
    'Time of value (UTC)',
    'Newest value (UTC)',
  ])
})

test('printed figures have their unit', () => {
  const [value] = valuesOf()
  const { columns } = tableOfStats([{ ...value!, decimals: 2, unit: { unit: '$', unitOnFront: true } }])
  expect(columns[1]!.text!(12.5, 0)).toBe('$12.50')
  expect(columns[2]!.text!(-2.5, 0)).toBe('-$2.50')
})

test('values are exported with the displayed decimals', () => {
  const [value] = valuesOf()
  const difference = 18.1 - 18.23
  const odd = { ...value!, value: 0.1 + 0.2, decimals: 2, change: { ...value!.change!, difference } }
  const { columns, rows } = tableOfStats([odd])
  expect(rows[0]!.slice(0, 3)).toEqual(['B', 0.3, -0.13])
  expect(columns.slice(1, 3).map(({ decimals }) => decimals)).toEqual([2, 2])
  expect(tableOfStats([odd, { ...odd, decimals: 0 }]).columns[1]!.decimals).toBeUndefined()
})
