import { expect, test } from 'vitest'
import type { Tile } from '@headwater/tile-data/contract'
import {
  readSeriesResult,
  rowsBySymbol,
  statValues,
  statsTile,
  boundTile,
  paramSet,
  initialValues,
  chartSpecOfTile,
  chartTile,
} from '@headwater/tile-data/core'
import { seriesOfPicked } from '@headwater/tiles/web'

const closes = readSeriesResult(
  'Ticker,Date(UTC),Close\nAAPL,2026-01-02T00:00:00,1\nIBM,2026-01-02T00:00:00,10\nMSFT,2026-01-02T00:00:00,100\n',
)
const results = [{ groupNames: new Set(['Stocks']), result: closes, rowsOf: rowsBySymbol(closes) }]
const ticker = (value: string) => {
  const set = {
    ...paramSet.parse({ keys: [{ symbolKey: 'Ticker', label: 'Stock', defaultValue: value }] }),
    id: 'p1',
  }
  return [{ set, chosen: initialValues(set) }]
}
const picked = (...names: string[]) =>
  names.map((Ticker) => ({ groupName: 'Stocks', symbols: { Ticker }, column: 'Close' }))
const bound = (more: object, value: string): Tile =>
  boundTile(
    { id: 't', title: 'T', type: 'Chart', sourceInputParamsId: 'p1', ...more },
    { symbols: [] },
    ticker(value),
  ).tile
const drawn = (more: object, value: string) =>
  chartSpecOfTile({
    chart: chartTile.parse(bound(more, value)),
    timeZone: 'UTC',
    results,
    prepSymbols: [],
    now: 0,
  }).series.map(({ label, y, axis, colorRules }) => ({
    label,
    y: Array.from(y),
    axis,
    rules: colorRules?.length,
  }))
const points = (more: object, value: string) => drawn(more, value).map(({ label, y }) => [label, ...y])

test('a series with a symbol from a parameter is named after that symbol, unless its label was edited', () => {
  const [apple, microsoft] = seriesOfPicked(picked('AAPL', 'MSFT'), false)
  const series = [apple, { ...microsoft, axis: 'right' }]
  expect(drawn({ series }, 'IBM').map(({ label, y, axis }) => [label, y, axis])).toEqual([
    ['IBM', [10], 'left'],
    ['IBM · right axis', [10], 'right'],
  ])
  expect(points({ series: [{ ...apple, label: 'The stock' }] }, 'IBM')).toEqual([['The stock', 10]])
  expect(points({ series: [{ ...apple, label: 'AAPL Close' }] }, 'IBM')).toEqual([['IBM Close', 10]])
  expect(points({ series: [{ ...apple, label: '' }] }, 'IBM')).toEqual([['IBM · Close', 10]])
})

test('IN-208 the value * draws a named line for each matching symbol, without summing them', () => {
  const [apple] = seriesOfPicked(picked('AAPL'), false)
  const each = (before = '') => [
    [`${before}AAPL`, 1],
    [`${before}IBM`, 10],
    [`${before}MSFT`, 100],
  ]
  expect(points({ series: [apple] }, '*')).toEqual(each())
  expect(points({ series: [{ ...apple, label: 'Close of' }] }, '*')).toEqual(each('Close of '))
  expect(points({ series: [{ ...apple, label: '{{Stock}}' }] }, '*')).toEqual(each())
})

test('series that become identical are drawn once, and a symbol is not added to itself', () => {
  expect(points({ series: seriesOfPicked(picked('AAPL', 'MSFT'), false) }, 'IBM')).toEqual([['IBM', 10]])
  expect(points({ series: seriesOfPicked(picked('AAPL', 'MSFT'), false) }, 'AAPL')).toEqual([['AAPL', 1]])
  expect(points({ series: seriesOfPicked(picked('AAPL', 'MSFT'), false) }, '*')).toHaveLength(3)
  const together = seriesOfPicked(picked('AAPL', 'MSFT'), true)
  expect(points({ series: together }, 'IBM')).toEqual([['IBM', 10]])
  expect(points({ series: together }, '*')).toEqual([['AAPL, IBM, MSFT · Close', 111]])
})

test('rules of a series apply to any symbol that is chosen for it', () => {
  const rule = { applyTo: 'AAPL', condition: '>', conditionValueA: '5' }
  const rules = [{ ...rule, color: '#ff0000' }]
  const [apple] = seriesOfPicked(picked('AAPL'), false)
  const more = { series: [apple], conditionalFormatting: rules }
  expect(drawn(more, 'IBM').map(({ rules: ruleCount }) => ruleCount)).toEqual([1])
  expect(drawn(more, '*').map(({ rules: ruleCount }) => ruleCount)).toEqual([1, 1, 1])
  const stats = statsTile.parse(
    bound(
      {
        type: 'STATS',
        series: picked('AAPL').map((each) => ({ ...each, label: '' })),
        conditionalFormatting: [{ ...rule, level: 'bad' }],
      },
      'IBM',
    ),
  )
  const [value] = statValues(stats, results, { timeZone: 'UTC', decimalPrecision: null })
  expect([value?.label, value?.value, value?.threshold?.level]).toEqual(['IBM', 10, 'bad'])
})
