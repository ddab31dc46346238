import { formatNumber } from '@headwater/contract'
import type { DataQueryInput } from '@headwater/symbols/contract'
import type { DataPrepSymbols } from '../../contract/index.ts'
import type { LoadedResult } from './loaded-result.ts'
import { resultColumns, symbolMatcher, symbolsIn, type SeriesResult } from './series-result.ts'
import { symbolName } from './series-name.ts'

/** Rows of one response that a page or a report loads at most, whatever a tile asks for. */
export const maxLoadedRows = 100_000
/** Points of each series that a chart asks for at most when not all of them fit: a thousand spans of time. */
export const chartDrawPoints = 4000

/** What a request says about the number of its rows. */
export interface RowLimit {
  /** Rows at most; undefined = there cannot be more than a page loads. */
  absoluteSize: number | undefined
  /** Fields of the body with which the response says how many rows there are; none where all of them come in any case. */
  fields: Pick<DataQueryInput, 'countRows' | 'drawPoints'>
}

/**
 * The limit of a request. Where there may be more rows, the response says how many there are, or has points chosen for drawing.
 * @param query the body of the request
 * @param options `absoluteSize`: rows at most, null = as many as a page loads; `drawn`: points are drawn, and none is computed from several
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

/** How many rows there can be at most. */
function mostRows({ keys, range, lastType, lastTypeAmount, corrections }: DataQueryInput): number {
  const isOfValues = (range === 'LAST' || range === 'NEXT') && (lastType ?? 'VALUES') === 'VALUES'
  const isCounted = isOfValues && (corrections ?? 'false') === 'false'
  const isNamed = (keys ?? []).every(
    ({ pattern, symbols, fillType }) =>
      pattern !== true && fillType == null && Object.keys(symbols ?? {}).length > 0,
  )
  return isCounted && isNamed ? Number(lastTypeAmount) * (keys ?? []).length : Infinity
}

/** How many of its rows some answers have; undefined when they have all of them. */
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
 * Which of its rows a table has, in words: `newest 5,000 of 22,683 rows`; undefined when it has all of them.
 * @param which the rows that come first
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
 * Returns the names of the series that lost all their rows to the row limit. All series of a tile share it, and the newest
 * rows stay, so a series with older values only may have none.
 */
export function seriesWithoutRows(
  symbols: readonly Pick<DataPrepSymbols, 'groupName' | 'symbols'>[],
  results: readonly Pick<LoadedResult, 'result' | 'groupNames' | 'isTable'>[],
): string[] {
  if (results.some(({ isTable }) => isTable === true)) return []
  // With a column for each series, rows are of all series.
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
