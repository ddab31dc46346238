/** A column of a symbol in a group. */
export interface Series {
  /** Group of the symbol. */
  groupName: string
  /** Key columns of the symbol and their values. */
  symbols: Record<string, string>
  /** Name of the value column. */
  column: string
}

/** Returns the electricity generation of a source. */
export const electricity = (source: string): Series => ({
  groupName: 'Iowa electricity',
  symbols: { State: 'Iowa', Source: source },
  column: 'Generation',
})
/** Returns a column of the weather. */
export const weather = (column: string): Series => ({
  groupName: 'Seattle weather',
  symbols: { City: 'Seattle' },
  column,
})
/** Returns the closing prices of a stock. */
export const stock = (ticker: string): Series => ({
  groupName: 'Stock prices',
  symbols: { Ticker: ticker },
  column: 'Close',
})
/** Returns a column of carbon dioxide. */
export const carbonDioxide = (column: string): Series => ({
  groupName: 'Mauna Loa CO2',
  symbols: { Station: 'Mauna Loa' },
  column,
})

type DrawnSeries = Series & { label: string } & Record<string, unknown>

/** Returns the definition of a chart tile. */
export function chart(id: string, title: string, settings: Record<string, unknown>, series: DrawnSeries[]) {
  return {
    id,
    type: 'Chart',
    title,
    tileHeight: 'half',
    source: { type: 'DATA_PREP', value: id },
    range: 'ALL',
    timeZone: 'UTC',
    basicChartType: 'composed',
    leftAxis: { domain: 'Default' },
    rightAxis: { domain: 'Default' },
    palette: 'COLORFUL_2',
    interpolation: 'linear',
    ...settings,
    series: series.map(({ symbols, ...rest }) => ({ ...rest, symbols, symbolList: [symbols] })),
  }
}

/** Returns the storage query of a series. */
export function queryOf({ groupName, symbols, column }: Series) {
  return { groupName, symbols, valueColumnNames: [column] }
}

/** Returns the storage queries of charts and stats, by tile id. */
export function queriesOfTiles(tiles: readonly { id: string; series?: readonly Series[] }[]) {
  return Object.fromEntries(
    tiles.flatMap(({ id, series }) => (series ? [[id, { symbols: series.map(queryOf) }]] : [])),
  )
}
