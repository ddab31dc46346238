/** A column of a symbol in a group. */
export interface Series {
  groupName: string
  symbols: Record<string, string>
  column: string
}

/** Generation of electricity by a source. */
export const electricity = (source: string): Series => ({
  groupName: 'Iowa electricity',
  symbols: { State: 'Iowa', Source: source },
  column: 'Generation',
})
/** A column of the weather. */
export const weather = (column: string): Series => ({
  groupName: 'Seattle weather',
  symbols: { City: 'Seattle' },
  column,
})
/** Closing prices of a stock. */
export const stock = (ticker: string): Series => ({
  groupName: 'Stock prices',
  symbols: { Ticker: ticker },
  column: 'Close',
})
/** A column of carbon dioxide. */
export const carbonDioxide = (column: string): Series => ({
  groupName: 'Mauna Loa CO2',
  symbols: { Station: 'Mauna Loa' },
  column,
})

type DrawnSeries = Series & { label: string } & Record<string, unknown>

/** A chart of some series. */
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

/** What is asked of storage for a series. */
export function askedOf({ groupName, symbols, column }: Series) {
  return { groupName, symbols, valueColumnNames: [column] }
}

/** What charts and stats of an insight ask storage for, by the id of the tile. */
export function askedByTiles(tiles: readonly { id: string; series?: readonly Series[] }[]) {
  return Object.fromEntries(
    tiles.flatMap(({ id, series }) => (series ? [[id, { symbols: series.map(askedOf) }]] : [])),
  )
}
