import type { z } from 'zod'
import type { createInsight } from '@headwater/insights/contract'
import { demoInsightGroup } from './demo-data.ts'
import { queriesOfTiles, queryOf, chart, stock, type Series } from './demo-tiles.ts'

const tickers = ['AAPL', 'AMZN', 'GOOG', 'IBM', 'MSFT']
/** Id of the input parameters; the tiles that name it show the chosen stock. */
const chosen = 'p1'
const chosenParams = { sourceInputParamsId: chosen }

/** Name of the demo insight with parameters. */
export const demoStockInsightName = 'One stock at a time'

/** Returns the request body of an insight with an input parameter: the reader chooses a stock. */
export function demoStockInsight(): z.input<NonNullable<typeof createInsight.body>> {
  const tiles = [
    stats('price', 'Price now', { ...chosenParams, comparison: 'MONTHS', comparisonAmount: 12 }, [
      stock('MSFT'),
    ]),
    stats('highest', 'Highest price', { ...chosenParams, statistic: 'MAX', comparison: 'NONE' }, [
      stock('MSFT'),
    ]),
    chart(
      'price-and-average',
      'Monthly close',
      { ...chosenParams, tileWidth: 'full', leftAxis: { domain: 'Auto scale', unit: '$' } },
      [
        { ...stock('MSFT'), label: '{{Stock}}', lineThickness: 1.6 },
        {
          ...stock('MSFT'),
          label: '{{Stock}}, average of 12 months',
          movingAverage: true,
          movingAverageValue: 12,
          lineStyle: 'DASHED',
        },
      ],
    ),
    chart(
      'years',
      'Year-over-year comparison',
      {
        ...chosenParams,
        tileWidth: 'half',
        basicChartType: 'seasonality',
        seasonality: 'January',
        leftAxis: { domain: 'Default', unit: '$' },
      },
      [{ ...stock('MSFT'), label: 'Close' }],
    ),
    {
      id: 'months',
      type: 'Table',
      title: 'Month by month',
      tileWidth: 'half',
      tileHeight: 'half',
      source: { type: 'DATA_PREP', value: 'months' },
      ...wholeRange,
      ...chosenParams,
      columns: [
        { columnId: 'Ticker', header: 'Stock' },
        { columnId: 'Date', header: 'Month' },
        { columnId: 'Close', header: 'Close', unit: '$', unitOnFront: true },
      ],
      sortingColumns: [{ id: 'newest', columnName: 'Date', sortOrder: 'Descending' }],
      conditionalFormatting: [
        {
          applyTo: 'Close',
          condition: '>=',
          conditionValueA: '100',
          textColor: '--completed',
          textStyle: 'bold',
        },
        { applyTo: 'Close', condition: '<', conditionValueA: '20', textColor: '--error' },
      ],
    },
    stats(
      'all',
      'Five stocks, change over 12 months',
      { tileWidth: 'full', comparison: 'MONTHS', comparisonAmount: 12, rising: 'good' },
      tickers.map(stock),
    ),
  ]
  return {
    insightName: demoStockInsightName,
    groupName: demoInsightGroup.name,
    description: 'The tiles show the stock chosen above them; the last tile compares all five.',
    tags: ['demo'],
    content: {
      type: 'VISUALISATION',
      tiles,
      headerBoxes: [],
      footer: { buttons: [] },
      inputParams: {
        [chosen]: {
          title: 'Stock',
          description: 'The stock that the tiles show.',
          basicInputParamsType: 'TS',
          groupName: 'Stock prices',
          keys: [{ symbolKey: 'Ticker', symbolType: 'SYMBOL', label: 'Stock', defaultValue: 'MSFT' }],
        },
      },
      datapreps: { ...queriesOfTiles(tiles), months: { symbols: [queryOf(stock('MSFT'))] } },
      mapData: [],
      mapConfig: {},
      summaryConfig: {},
      nodes: [],
      colorScheme: {},
    },
  }
}

const wholeRange = { range: 'ALL', timeZone: 'UTC' }

function stats(id: string, title: string, settings: Record<string, unknown>, series: Series[]) {
  return {
    id,
    type: 'STATS',
    title,
    tileWidth: 'half',
    tileHeight: 'quarter',
    source: { type: 'DATA_PREP', value: id },
    ...wholeRange,
    statistic: 'LAST',
    unit: '$',
    unitOnFront: true,
    sparkline: true,
    freshness: true,
    ...settings,
    series: series.map((each) => ({
      ...each,
      label: 'sourceInputParamsId' in settings ? '{{Stock}}' : each.symbols.Ticker,
    })),
  }
}
