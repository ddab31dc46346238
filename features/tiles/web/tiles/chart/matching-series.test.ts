import { expect, test } from 'vitest'
import {
  readSeriesResult,
  rowsBySymbol,
  readTableText,
  chartSpecOfTile,
  drawnChart,
  chartTile,
} from '@headwater/tile-data/core'

const result = readSeriesResult(
  'Code,Date(UTC),Low,High\nB,2026-01-02T00:00:00,1,2\nW,2026-01-02T00:00:00,10,20\nB,2026-01-01T00:00:00,3,4\n',
)
const stored = { groupNames: new Set(['', 'G']), result, rowsOf: rowsBySymbol(result) }
const file = readTableText(
  'when,mark,depth,height\n2026-01-03,c,3,30\n2026-01-01,a,1,10\n2026-01-02,b,2,20\n',
)
const loadedFile = { groupNames: new Set(['']), result: file, rowsOf: rowsBySymbol(file), isTable: true }

const drawn = (series: object[], given: { loaded?: typeof stored; fromElsewhere?: boolean } = {}) =>
  chartSpecOfTile({
    chart: chartTile.parse({ series }),
    timeZone: 'UTC',
    results: [given.loaded ?? stored],
    prepSymbols: [],
    fromElsewhere: given.fromElsewhere ?? false,
    now: 0,
  }).series.map(({ label, x, y }) => [label, Array.from(x), Array.from(y)])
const day = (number: number) => Date.UTC(2026, 0, number)

test('IN-175 a dynamic series is a line for each matching symbol', () => {
  expect(drawn([{ groupName: 'G', dynamic: true, column: 'Low', symbolList: [{ Code: '*' }] }])).toEqual([
    ['B', [day(1), day(2)], [3, 1]],
    ['W', [day(2)], [10]],
  ])
  expect(
    drawn([{ groupName: 'G', dynamic: true, symbolList: [{ Code: 'B' }] }]).map(([label]) => label),
  ).toEqual(['B Low', 'B High'])
})

test('a chart names the series without points by all their keys instead of their labels', () => {
  const series = ['Spot', 'Future'].map((Kind) => ({
    groupName: 'G',
    label: 'Brent',
    column: 'Low',
    symbolList: [{ Code: 'B', Kind }],
  }))
  const inRange = { groupName: 'G', label: 'Brent', column: 'Low', symbolList: [{ Code: 'B' }] }
  const emptyOf = (fields: object) =>
    drawnChart({
      chart: chartTile.parse({ series: [inRange, ...series], ...fields }),
      timeZone: 'UTC',
      results: [stored],
      prepSymbols: [],
      now: 0,
    }).empty
  expect(emptyOf({})).toEqual(['B Spot · Low', 'B Future · Low'])
  expect(emptyOf({ series: [inRange] })).toEqual([])
})

test('a `*` in a symbol of another series matches all symbols and sums them', () => {
  expect(drawn([{ groupName: 'G', column: 'Low', symbolList: [{ Code: '*' }] }])[0]!.slice(1)).toEqual([
    [day(1), day(2)],
    [3, 11],
  ])
})

test('IN-167 a series of a file is drawn in date order for any order of the rows', () => {
  const given = { loaded: loadedFile, fromElsewhere: true }
  expect(drawn([{ label: 'H', column: 'height' }], given)).toEqual([
    ['H', [day(1), day(2), day(3)], [10, 20, 30]],
  ])
  const over = { label: 'H', column: 'height', columnXAxis: 'depth', columnXAxisIsNumber: true }
  expect(drawn([over], given)).toEqual([['H', [1, 2, 3], [10, 20, 30]]])
})
