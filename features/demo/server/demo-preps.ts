import type { DataPrepInput } from '@headwater/preps/contract'
import { demoInsightGroup } from './demo-data.ts'

/** The data preps of the demo workspace, as request bodies. */
export const demoPreps: readonly DataPrepInput[] = [
  {
    name: 'Stock prices side by side',
    outputGroup: demoInsightGroup.name,
    range: 'BETWEEN',
    dateFrom: '2005-01-01',
    dateTo: '2010-12-31',
    outputLayout: 'COLUMNS',
    dateFormat: 'yyyy-MM-dd',
    symbols: ['AAPL', 'AMZN', 'IBM', 'MSFT', 'S&P 500'].map((ticker) => ({
      groupName: 'Stock prices',
      symbols: { Ticker: ticker },
      valueColumnNames: ['Close'],
    })),
  },
  {
    name: 'Last year of weather in Seattle',
    outputGroup: demoInsightGroup.name,
    range: 'LAST',
    lastType: 'VALUES',
    lastTypeAmount: 365,
    decimalPrecision: 1,
    dateFormat: 'yyyy-MM-dd',
    symbols: [
      {
        groupName: 'Seattle weather',
        symbols: { City: 'Seattle' },
        valueColumnNames: ['Temperature max', 'Temperature min', 'Precipitation'],
      },
    ],
  },
]
