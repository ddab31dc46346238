import type { z } from 'zod'
import type { createInsight } from '@headwater/insights/contract'
import { demoInsightGroup } from './demo-data.ts'
import { queriesOfTiles, queryOf, carbonDioxide, chart, electricity, stock, weather } from './demo-tiles.ts'

/** Name of the insight of the demo workspace. */
export const demoInsightName = 'Electricity, weather, markets and air'

const introduction = `**Welcome to Headwater.** This insight shows real series from four groups of the data lake: electricity in Iowa,
weather in Seattle, stock prices, and carbon dioxide at Mauna Loa. Point at a chart to read exact values, drag to zoom, double-click to
go back. Press *Edit* to change anything here. The insight *One stock at a time* shows what input parameters do.`

/** Returns the request body that creates the first demo insight. */
export function demoInsight(): z.input<NonNullable<typeof createInsight.body>> {
  const tiles = [
    {
      id: 'introduction',
      type: 'Text',
      title: 'Introduction',
      tileWidth: 'full',
      tileHeight: 'quarter',
      source: { type: 'EDITOR' },
      templateContent: introduction,
    },
    chart(
      'carbon-dioxide',
      'Carbon dioxide at Mauna Loa',
      { tileWidth: 'full', leftAxis: { domain: 'Auto scale' } },
      [
        { ...carbonDioxide('CO2'), label: 'Measured, ppm', lineOpacity: 0.55, lineThickness: 1.2 },
        { ...carbonDioxide('CO2 adjusted'), label: 'Without the seasons, ppm', lineThickness: 2 },
      ],
    ),
    chart('electricity', 'Electricity of Iowa by source', { tileWidth: 'half', interpolation: 'monotoneX' }, [
      { ...electricity('Fossil Fuels'), label: 'Fossil fuels, GWh', chartType: 'area' },
      { ...electricity('Renewables'), label: 'Renewables, GWh', chartType: 'area' },
      { ...electricity('Nuclear Energy'), label: 'Nuclear energy, GWh', lineStyle: 'DASHED' },
    ]),
    chart(
      'weather',
      'Seattle: temperature and rain',
      { tileWidth: 'half', range: 'BETWEEN', from: '2015-01-01', to: '2015-12-31' },
      [
        { ...weather('Temperature max'), label: 'Highest, °C', movingAverage: true, movingAverageValue: 7 },
        { ...weather('Temperature min'), label: 'Lowest, °C', movingAverage: true, movingAverageValue: 7 },
        {
          ...weather('Precipitation'),
          label: 'Rain, mm',
          axis: 'right',
          chartType: 'bars',
          lineOpacity: 0.7,
        },
      ],
    ),
    chart('stocks', 'Stock prices', { tileWidth: 'half', leftAxis: { domain: 'Default', unit: '$' } }, [
      { ...stock('AAPL'), label: 'AAPL' },
      { ...stock('AMZN'), label: 'AMZN' },
      { ...stock('IBM'), label: 'IBM' },
      { ...stock('MSFT'), label: 'MSFT' },
    ]),
    {
      id: 'closing-prices',
      type: 'Table',
      title: 'Latest closing prices',
      tileWidth: 'half',
      tileHeight: 'half',
      source: { type: 'DATA_PREP', value: 'closing-prices' },
      range: 'LAST',
      lastType: 'VALUES',
      lastTypeAmount: 12,
      timeZone: 'UTC',
      columns: [
        { columnId: 'Ticker', header: 'Stock' },
        { columnId: 'Date', header: 'Month' },
        { columnId: 'Close', header: 'Close', unit: '$', unitOnFront: true },
      ],
      sortingColumns: [],
      conditionalFormatting: [],
    },
  ]
  return {
    insightName: demoInsightName,
    groupName: demoInsightGroup.name,
    description: 'A first insight with real series, to read and to change.',
    tags: ['demo'],
    content: {
      type: 'VISUALISATION',
      tiles,
      headerBoxes: [],
      footer: { buttons: [] },
      inputParams: {},
      datapreps: {
        ...queriesOfTiles(tiles),
        'closing-prices': {
          symbols: ['AAPL', 'AMZN', 'GOOG', 'IBM', 'MSFT'].map((ticker) => queryOf(stock(ticker))),
        },
      },
      mapData: [],
      mapConfig: {},
      summaryConfig: {},
      nodes: [],
      colorScheme: {},
    },
  }
}
