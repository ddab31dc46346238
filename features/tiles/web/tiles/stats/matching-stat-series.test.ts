import { expect, test } from 'vitest'
import {
  readSeriesResult,
  rowsBySymbol,
  readTableText,
  matchingStatSeries,
  statValues,
  statsTile,
} from '@headwater/tile-data/core'

const result = readSeriesResult(
  'Code,Date(UTC),Low,High\nB,2026-01-02T00:00:00,1,2\nW,2026-01-02T00:00:00,10,20\n',
)
const stored = { groupNames: new Set(['', 'G']), result, rowsOf: rowsBySymbol(result) }
const file = readTableText('Region;Share\nNorth;40\nSouth;60\n')
const loadedFile = { groupNames: new Set(['']), result: file, rowsOf: rowsBySymbol(file), isTable: true }
const series = { label: '', groupName: 'G', symbols: { Code: 'B' }, column: 'Low' }
const matching = (given: object[], results: (typeof stored)[], fromElsewhere = false) =>
  matchingStatSeries(given as never, results, { fromElsewhere }).series.map(({ symbols, column, label }) => [
    Object.values(symbols).join(),
    column,
    label,
  ])

test('a star matches all returned symbols, a missing column matches all columns of numbers', () => {
  expect(matching([series], [stored])).toEqual([['B', 'Low', '']])
  expect(matching([{ ...series, symbols: { Code: '*' }, column: '' }], [stored])).toEqual([
    ['B', 'Low', 'B Low'],
    ['B', 'High', 'B High'],
    ['W', 'Low', 'W Low'],
    ['W', 'High', 'W High'],
  ])
})

test('data from other sources is shown completely; rows without dates count in their order and have no age', () => {
  expect(matching([], [loadedFile], true)).toEqual([['', 'Share', '']])
  expect(matching([], [loadedFile])).toEqual([])
  const definition = statsTile.parse({
    series: matchingStatSeries([], [loadedFile], { fromElsewhere: true }).series,
  })
  expect(statValues(definition, [loadedFile], { timeZone: 'UTC', decimalPrecision: 2 })[0]).toMatchObject({
    label: 'Share',
    value: 60,
    newest: undefined,
    change: { before: { value: 40 } },
  })
})

test('a series has at most 24 values, and further values are counted', () => {
  const lines = Array.from({ length: 30 }, (_, at) => `C${at},2026-01-02T00:00:00,1\n`)
  const many = readSeriesResult(`Code,Date(UTC),Low\n${lines.join('')}`)
  const loaded = { groupNames: new Set(['', 'G']), result: many, rowsOf: rowsBySymbol(many) }
  const matched = (...given: object[]) =>
    matchingStatSeries(given as never, [loaded], { fromElsewhere: false })
  const open = { ...series, symbols: { Code: '*' } }
  expect(matched(open, { ...series, symbols: { Code: 'C1' } }).cut).toEqual({ visible: 25, total: 31 })
  expect(matched({ ...open, symbols: { Code: 'C1*' } }).cut).toBeUndefined()
})
