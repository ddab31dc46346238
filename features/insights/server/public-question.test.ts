import { describe, expect, test } from 'vitest'
import { dataQuery, type DataQuery } from '@headwater/symbols/contract'
import { emptyContent, type InsightContent, type Tile } from '../contract/index.ts'
import { basketOf } from '../contract/basket/basket.ts'
import { paramSetsOf } from '../contract/params/param-set.ts'
import { initialValues } from '../contract/params/param-values.ts'
import { inWindow } from '../contract/series/answer-window.ts'
import { seriesQuestions, type Question } from '../contract/series/series-request.ts'
import { askedData, dataPrepOf } from '../contract/sources/asked-data.ts'
import { shownTile } from '../contract/sources/shown-tile.ts'
import { statMetadata, statsTile, statSymbols } from '../contract/tiles/stats/stats-tile.ts'
import { requireShown } from './public-question.ts'
import { shownSeries } from './shown-series.ts'
import { drawnChartOf, symbolsOfChart } from './tile-report/chart-tile-rows.ts'

const nothing = { parameters: [], dates: false }

const entry = (groupName: string, symbols: Record<string, string>, columns: string[], more: object = {}) => ({
  groupName,
  symbols,
  valueColumnNames: columns,
  ...more,
})
const entries = [
  entry('Prices', { Code: 'A' }, ['Close']),
  entry('Prices', { Code: 'A' }, ['Volume']),
  entry('Prices', { Code: 'B*' }, ['Close'], { pattern: true }),
  entry('Prices', { Code: 'C' }, [], { offsetType: 'YEARS', offsetAmount: '1' }),
  entry('Other', { Code: 'A' }, ['Close']),
  entry('Other', { Code: 'D' }, ['Close'], { fillType: 'FORWARD' }),
  entry('Other', { Code: 'E' }, ['Close'], { fillType: 'AVG', avgPointsAmount: '3' }),
]
const lines = [
  { groupName: 'Prices', symbolList: [{ Code: 'A' }, { Code: 'B' }], column: 'Close', columnXAxis: '' },
  { groupName: 'Other', symbolList: [{ Code: 'A' }], column: 'Close', columnXAxis: 'Volume' },
  { groupName: 'Prices', symbolList: [], column: 'Close', columnXAxis: '' },
]
const figures = [
  { groupName: 'Prices', symbols: { Code: 'A' }, column: 'Close' },
  { groupName: 'Prices', symbols: { Code: 'A' }, column: 'Volume' },
]
const ranges: Record<string, object> = {
  'LAST by values': { range: 'LAST', lastTypeAmount: 3 },
  'LAST by days': { range: 'LAST', lastType: 'DAYS', lastTypeAmount: 3, timeZone: 'Europe/Oslo' },
  'LAST at a time': { range: 'LAST', lastType: 'HOURS', lastTypeAmount: 3, time: '16:30' },
  NEXT: { range: 'NEXT', lastTypeAmount: 3 },
  BETWEEN: { range: 'BETWEEN', from: '2026-01-01', to: '2026-02-01' },
  ALL: { range: 'ALL', onDateTime: '2026-03-01', timeZone: 'Europe/Oslo' },
}

function contentOf(range: object): InsightContent {
  const tile = (id: string, type: string, more: object = {}) => ({ id, type, title: id, ...range, ...more })
  const bound = { sourceInputParamsId: 'p' }
  const tiles = [
    tile('table', 'Table'),
    tile('chart', 'Chart', { series: lines }),
    tile('stats', 'STATS', { series: figures }),
    tile('bound table', 'Table', bound),
    tile('bound chart', 'Chart', { ...bound, series: lines.slice(0, 2) }),
    tile('bound stats', 'STATS', { ...bound, series: figures }),
    tile('basket table', 'Table', { source: { type: 'DATA_PREP', value: 'BASKET' } }),
    tile('basket chart', 'Chart', { source: { type: 'DATA_PREP', value: 'BASKET' }, series: lines }),
    tile('table of table', 'Table', { source: { type: 'SOURCE_TILE', value: 'table' } }),
    tile('stats of table', 'STATS', { source: { type: 'SOURCE_TILE', value: 'table' }, series: figures }),
  ]
  const inputParams = {
    p: {
      groupName: 'Prices',
      keys: [{ symbolKey: 'code', defaultValue: 'B' }],
      filters: [{ name: 'Close', operator: 'GREATER', value: '1' }],
    },
  }
  const datapreps = {
    table: { symbols: entries },
    chart: { symbols: entries },
    'bound table': { symbols: entries },
  }
  const basket = { items: entries.slice(0, 2), settings: range }
  return { ...emptyContent(), tiles, datapreps, inputParams, basket } as unknown as InsightContent
}

/** Everything that a page asks for a tile: as it opens, with all rows, and zoomed. */
function questionsOf(stored: Tile, content: InsightContent): Question[] {
  const sets = paramSetsOf(content).map((set) => ({ set, chosen: initialValues(set) }))
  const insight = { content, sets, basket: basketOf(content) }
  const { tile, dataPrep } = shownTile(stored, dataPrepOf(content, stored.id), insight)
  const stats = statsTile.parse(tile)
  const symbols =
    tile.type === 'Chart'
      ? symbolsOfChart(drawnChartOf(tile), dataPrep.symbols)
      : tile.type === 'STATS'
        ? statSymbols(stats.series)
        : dataPrep.symbols
  const data = askedData(tile, symbols, insight)
  const metadata = tile.type === 'STATS' && !data.isOfOtherTile ? statMetadata(stats) : []
  const ask = (more: object) =>
    seriesQuestions(data.symbols, data.range, { filters: data.filters, metadata, ...more })
  const shown = ask({ drawn: tile.type === 'Chart' })
  const window = { from: Date.UTC(2026, 0, 2), to: Date.UTC(2026, 0, 3) }
  return [...shown, ...ask({ all: true }), ...shown.map((question) => inWindow(question, window))]
}
const queryOf = ({ request }: Question): DataQuery => ({
  ...dataQuery.parse(request.body),
  ...request.query,
})

describe.each(Object.entries(ranges))('a visitor of tiles with the range %s', (_, range) => {
  const content = contentOf(range)
  const series = shownSeries(content)

  test.each(content.tiles.map((tile) => [tile.id, tile] as const))('gets the data of the %s', (_id, tile) => {
    const questions = questionsOf(tile, content)
    expect(questions.flatMap((question) => queryOf(question).keys).length).toBeGreaterThan(1)
    for (const question of questions)
      expect(() => requireShown(queryOf(question), series, nothing)).not.toThrow()
  })

  test('gets nothing by hours or days of the week', () => {
    const [question] = questionsOf(content.tiles[0]!, content)
    for (const more of [{ hours: [{ from: 300, to: 360 }] }, { weekdays: [1] }])
      expect(() => requireShown({ ...queryOf(question!), ...more }, series, nothing)).toThrow(
        'This public insight does not show',
      )
  })
})

test.each(Object.entries(ranges).filter(([name]) => /^(LAST|NEXT)/.test(name)))(
  'a visitor of a table with the range %s gets no part of its query on its own',
  (_, range) => {
    const content = contentOf(range)
    const [table] = content.tiles
    const series = shownSeries({ ...content, tiles: [table!] })
    const query = queryOf(questionsOf(table!, content)[0]!)
    expect(query.keys.length).toBe(5)
    for (const key of query.keys)
      expect(() => requireShown({ ...query, keys: [key] }, series, nothing)).toThrow(
        'these series or columns without the others',
      )
  },
)
