import { formatNumber } from '@headwater/contract'
import type { DataQueryInput } from '@headwater/symbols/contract'
import type { DataPrepSymbols } from '../../contract/index.ts'
import type { LoadedResult } from './loaded-result.ts'
import { chartDrawPoints, maxLoadedRows } from './row-limits.ts'
import { resultColumns, symbolMatcher, symbolsIn, type SeriesResult } from './series-result.ts'
import { symbolName } from './series-name.ts'

/** The row limit of a request. */
export interface RowLimit {
  /** Maximum number of rows; undefined if there cannot be more than a page loads. */
  absoluteSize: number | undefined
  /** Fields of the body that make the response report the number of rows; empty if all rows fit. */
  fields: Pick<DataQueryInput, 'countRows' | 'drawPoints'>
}

/**
 * Returns the row limit of a request. If there can be more rows, the response counts them or contains points selected for drawing.
 * @param query the body of the request
 * @param options `absoluteSize`: maximum number of rows, null means the row limit of a page; `drawn`: whether a chart draws the stored points
 */
export function rowLimitOf(
  query: DataQueryInput,
  { absoluteSize, drawn }: { absoluteSize: number | null; drawn: boolean },
): RowLimit {
  const limit = Math.min(absoluteSize ?? maxLoadedRows, maxLoadedRows)
  if (mostRows(query) <= limit) return { absoluteSize: absoluteSize === null ? undefined : limit, fields: {} }
  const canDraw = drawn && query.outputLayout !== 'COLUMNS' && query.resample == null
  return { absoluteSize: limit, fields: canDraw ? { drawPoints: chartDrawPoints } : { countRows: true } }
}

/** Returns the maximum possible number of rows. */
function mostRows({ keys, range, lastType, lastTypeAmount, corrections }: DataQueryInput): number {
  const isOfValues = (range === 'LAST' || range === 'NEXT') && (lastType ?? 'VALUES') === 'VALUES'
  const isCounted = isOfValues && (corrections ?? 'false') === 'false'
  const isNamed = (keys ?? []).every(
    ({ pattern, symbols, fillType }) =>
      pattern !== true && fillType == null && Object.keys(symbols ?? {}).length > 0,
  )
  return isCounted && isNamed ? Number(lastTypeAmount) * (keys ?? []).length : Infinity
}

/** Counts the loaded and all rows of results; undefined if all rows are loaded. */
export function rowsOfAll(
  results: readonly Pick<SeriesResult, 'rows' | 'totalRows' | 'limited' | 'drawn'>[],
): { loaded: number; total: number | undefined } | undefined {
  const isLess = results.some(({ limited, drawn }) => limited || drawn === true)
  if (!isLess) return undefined
  const isKnown = results.every(({ limited, totalRows }) => !limited || totalRows !== undefined)
  const sum = (count: (result: (typeof results)[number]) => number) =>
    results.reduce((total, result) => total + count(result), 0)
  return {
    loaded: sum(({ rows }) => rows.length),
    total: isKnown ? sum(({ rows, totalRows }) => totalRows ?? rows.length) : undefined,
  }
}

/**
 * Describes the loaded rows: `newest 5,000 of 22,683 rows`; undefined if all rows are loaded.
 * @param which rows that come first, for example `newest`
 */
export function limitText(
  results: readonly Pick<SeriesResult, 'rows' | 'totalRows' | 'limited'>[],
  which: 'newest' | 'first' = 'newest',
): string | undefined {
  if (!results.some(({ limited }) => limited)) return undefined
  const { loaded, total } = rowsOfAll(results)!
  const count =
    total === undefined ? formatNumber(loaded) : `${formatNumber(loaded)} of ${formatNumber(total)}`
  return `${which} ${count} rows`
}

/**
 * Returns the names of the series without rows because of the row limit. All series of a tile share the limit and the
 * newest rows are retained, so a series with older values can lose all its rows.
 */
export function seriesWithoutRows(
  symbols: readonly Pick<DataPrepSymbols, 'groupName' | 'symbols'>[],
  results: readonly Pick<LoadedResult, 'result' | 'groupNames' | 'isTable'>[],
): string[] {
  if (results.some(({ isTable }) => isTable === true)) return []
  // In a result with a column for each series, each row belongs to all series.
  const limited = results.filter(
    ({ result }) => result.limited && resultColumns(result).some(({ kind }) => kind === 'symbol'),
  )
  const limitedSymbols = limited.map(({ result, groupNames }) => ({ groupNames, symbols: symbolsIn(result) }))
  return symbols
    .filter(({ groupName, symbols: wanted }) => {
      const own = limitedSymbols.filter(({ groupNames }) => groupNames.has(groupName))
      const fits = symbolMatcher(wanted)
      return own.length > 0 && !own.some((each) => each.symbols.some(fits))
    })
    .map(({ symbols: wanted }) => symbolName(wanted))
}
