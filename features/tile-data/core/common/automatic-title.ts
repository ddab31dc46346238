import { beginningOf } from '@headwater/contract'
import type { Tile, TileDataPrep } from '../../contract/index.ts'
import { isSymbolMap, symbolName } from '../series/series-name.ts'
import { newTitle, readableTitle } from '../../contract/tile-titles.ts'
import { maxTileTitle } from '../../contract/tile.ts'

/** Titles of new tiles without series. */
export const kindTitles = {
  composed: 'Line chart',
  seasonality: 'Seasonality chart',
  table: 'Table',
  stats: 'Stats',
} as const

/** Characters reserved for the suffix that distinguishes equal titles. */
const numberCharacters = 28

/**
 * Returns the automatic title of a tile, which applies until an author enters one: `Close of AAPL` for its first
 * series, otherwise its kind. It contains only characters that titles allow. Returns undefined for kinds without
 * series.
 */
export function automaticTitle(tile: Tile, dataPrep: TileDataPrep): string | undefined {
  const kind = kindTitle(tile)
  if (kind === undefined) return undefined
  const named = readableTitle(seriesTitle(namedSeries(tile, dataPrep)))
  return named === '' ? kind : beginningOf(named, maxTileTitle - numberCharacters).trim()
}

/** Returns an automatic title that no other tile has: `Close of AAPL (table)` if a chart is called `Close of AAPL`. */
export function freeTitle(tile: Tile, automatic: string, others: Iterable<string>): string {
  const taken = new Set(others)
  const kind = kindTitle(tile)
  return newTitle(
    taken.has(automatic) && kind !== undefined && kind !== automatic
      ? `${automatic} (${kind.toLowerCase()})`
      : automatic,
    taken,
  )
}

/** Returns whether a title is the automatic title, with or without a suffix that distinguishes it from other titles. */
export function isAutomatic(title: string, automatic: string | undefined): boolean {
  if (automatic === undefined || !title.startsWith(automatic)) return false
  return suffix.test(title.slice(automatic.length))
}

const suffix = new RegExp(
  `^(?: \\((?:${Object.values(kindTitles).join('|')})\\))?(?: \\d+)?(?:\\(\\d+\\))*$`,
  'i',
)

function kindTitle({ type, basicChartType }: Tile): string | undefined {
  switch (type) {
    case 'Chart':
      return basicChartType === 'seasonality' ? kindTitles.seasonality : kindTitles.composed
    case 'Table':
      return kindTitles.table
    case 'STATS':
      return kindTitles.stats
    default:
      return undefined
  }
}

interface NamedSeries {
  symbol: string
  column: string
}

/** Returns the series of a tile. Charts and stats contain their own series; tables use the series of their data prep. */
function namedSeries({ series, type }: Tile, { symbols }: TileDataPrep): NamedSeries[] {
  if (type === 'Table')
    return symbols.flatMap((entry) => {
      const symbol = nameOf([entry.symbols])
      const columns = entry.valueColumnNames ?? []
      return columns.length === 0 ? [{ symbol, column: '' }] : columns.map((column) => ({ symbol, column }))
    })
  return Array.isArray(series)
    ? series.map((each: Record<string, unknown>) => ({
        symbol: nameOf(Array.isArray(each.symbolList) ? each.symbolList : [each.symbols]),
        column: typeof each.column === 'string' ? each.column : '',
      }))
    : []
}

/** Returns the name of the symbols of a series; empty for a pattern, because its symbols are unknown. */
function nameOf(symbols: readonly unknown[]): string {
  const names = symbols.map((each) => (isSymbolMap(each) ? symbolName(each) : ''))
  return names.some((name) => name.includes('*')) ? '' : joined(names)
}

function seriesTitle(series: readonly NamedSeries[]): string {
  const [first] = series
  if (first === undefined) return ''
  const symbols = distinct(series.map(({ symbol }) => symbol))
  const columns = distinct(series.map(({ column }) => column))
  if (symbols.length <= 1 || columns.length <= 1) return titleOf(joined(columns), joined(symbols))
  return `${titleOf(first.column, first.symbol)} and ${series.length - 1} more`
}

function titleOf(column: string, symbol: string): string {
  return column === '' || symbol === '' ? column + symbol : `${column} of ${symbol}`
}

function joined(names: readonly string[]): string {
  const [first = '', second = ''] = names
  if (names.length < 2) return first
  return `${first} and ${names.length === 2 ? second : `${names.length - 1} more`}`
}

function distinct(names: readonly string[]): string[] {
  return [...new Set(names)].filter((name) => name !== '')
}
