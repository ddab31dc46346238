import { readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formatCsv, parseCsv } from '@headwater/csv'

/** A group of the demo workspace and its file of time series. */
export interface DemoGroup {
  /** Name of the group. */
  name: string
  /** Description of the group, with the source of the data. */
  description: string
  /** Name of the file. */
  fileName: string
  /** Returns the content of the file as NCSV. */
  ncsv: () => Promise<string>
}

/** The group of the demo insights. */
export const demoInsightGroup = {
  name: 'Demo',
  description: 'Example insights. Administrators can remove the demo under My account.',
}

/** The groups of the demo workspace. Their data comes from the package vega-datasets (BSD-3-Clause). */
export const demoGroups: readonly DemoGroup[] = [
  {
    name: 'Iowa electricity',
    description:
      'Net generation of electricity in Iowa by source, thousand MWh a year, 2001 to 2017 (U.S. Energy Information Administration).',
    fileName: 'iowa-electricity.csv',
    ncsv: async () =>
      toNcsv(['State', 'Source', 'Date', 'Generation'], await readTable('iowa-electricity.csv'), (row) => [
        'Iowa',
        row.source!,
        row.year!,
        row.net_generation!,
      ]),
  },
  {
    name: 'Seattle weather',
    description:
      'Daily weather of Seattle, 2012 to 2015: temperatures in °C, precipitation in mm, wind in m/s (NOAA).',
    fileName: 'seattle-weather.csv',
    ncsv: async () =>
      toNcsv(
        ['City', 'Date', 'Temperature max', 'Temperature min', 'Precipitation', 'Wind', 'Weather(S)'],
        await readTable('seattle-weather.csv'),
        (row) => [
          'Seattle',
          row.date!,
          row.temp_max!,
          row.temp_min!,
          row.precipitation!,
          row.wind!,
          row.weather!,
        ],
      ),
  },
  {
    name: 'Stock prices',
    description: 'Monthly closing prices of five technology stocks and of the S&P 500, US$, 2000 to 2010.',
    fileName: 'stocks.csv',
    ncsv: async () => {
      const stocks = await readTable('stocks.csv')
      const index = (await readTable('sp500.csv')).map((row) => ({ ...row, symbol: 'S&P 500' }))
      return toNcsv(['Ticker', 'Date', 'Close'], [...stocks, ...index], (row) => [
        row.symbol!,
        isoDate(row.date!),
        row.price!,
      ])
    },
  },
  {
    name: 'Mauna Loa CO2',
    description:
      'Monthly mean of carbon dioxide in the air at Mauna Loa, parts per million (Scripps Institution of Oceanography).',
    fileName: 'co2-concentration.csv',
    ncsv: async () =>
      toNcsv(['Station', 'Date', 'CO2', 'CO2 adjusted'], await readTable('co2-concentration.csv'), (row) => [
        'Mauna Loa',
        row.Date!,
        row.CO2!,
        row['adjusted CO2']!,
      ]),
  },
]

const dataFolder = join(dirname(fileURLToPath(import.meta.resolve('vega-datasets'))), '..', 'data')

/** Reads a table of the package vega-datasets. */
async function readTable(name: string): Promise<Record<string, string>[]> {
  const text = await readFile(join(dataFolder, name), 'utf8')
  const [names = [], ...rows] = parseCsv(text)
  return rows.map((cells) => Object.fromEntries(names.map((column, index) => [column, cells[index] ?? ''])))
}

function toNcsv(
  header: string[],
  rows: Record<string, string>[],
  cells: (row: Record<string, string>) => string[],
): string {
  return formatCsv([header, ...rows.map(cells)], '\n')
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Formats `Jan 1 2000` as `2000-01-01`. */
function isoDate(text: string): string {
  const [month, day, year] = text.split(' ')
  const number = String(months.indexOf(month!) + 1).padStart(2, '0')
  return `${year}-${number}-${day!.padStart(2, '0')}`
}
