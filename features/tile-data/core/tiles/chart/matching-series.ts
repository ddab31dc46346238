import { formatNumber } from '@headwater/contract'
import { numberColumnsIn, symbolMatcher, symbolsIn } from '../../series/series-result.ts'
import { symbolName } from '../../series/series-name.ts'
import type { LoadedResult } from '../../series/loaded-result.ts'
import type { SeriesData } from './chart-data.ts'

/** Maximum number of lines of one dynamic series. */
export const maxDynamicLines = 50

interface Options {
  /** Whether the data come from another source. In that case a series without symbols matches all symbols. */
  fromElsewhere: boolean
}

/** The series of a chart with their matching symbols. */
export interface MatchingSeries<Series> {
  /** The series to draw. */
  series: Series[]
  /** Visible and all lines of dynamic series; undefined if all are visible. */
  cut: { visible: number; total: number } | undefined
}

/**
 * Returns the series of a chart with the symbols of the results: a `*` in a symbol matches any text. A dynamic series becomes a line for
 * each matching symbol, and for each column of numbers if it has no column.
 */
export function matchingSeries<Series extends SeriesData & { color?: unknown }>(
  series: readonly Series[],
  results: readonly LoadedResult[],
  options: Options,
): MatchingSeries<Series> {
  let visible = 0
  let total = 0
  const drawn = series.flatMap((each) => {
    if (each.dynamic === true) {
      const { lines, count } = dynamicLines(each, results)
      visible += lines.length
      total += count
      return lines
    }
    const isOpen = each.symbolList.some((symbols) =>
      Object.values(symbols).some((text) => text.includes('*')),
    )
    if (!isOpen && !(options.fromElsewhere && each.symbolList.length === 0)) return [each]
    const symbols = symbolsOf(each, results).filter((symbol) => symbolName(symbol) !== '')
    return [{ ...each, symbolList: symbols }]
  })
  return { series: drawn, cut: visible < total ? { visible, total } : undefined }
}

/** Describes the number of visible lines: `50 of 120 lines shown`. */
export function cutLinesText({ visible, total }: { visible: number; total: number }): string {
  return `${formatNumber(visible)} of ${formatNumber(total)} lines shown`
}

/** Returns the lines of a dynamic series, and their number without the limit. */
function dynamicLines<Series extends SeriesData & { color?: unknown }>(
  each: Series,
  results: readonly LoadedResult[],
): { lines: Series[]; count: number } {
  const columns = columnsOf(each, results)
  const all = symbolsOf(each, results).flatMap((symbol) => columns.map((column) => ({ symbol, column })))
  const lines = all.slice(0, maxDynamicLines).map(({ symbol, column }, index): Series => {
    const name = [symbolName(symbol), columns.length > 1 || symbolName(symbol) === '' ? column : '']
    return {
      ...each,
      dynamic: false,
      symbolList: symbolName(symbol) === '' ? [] : [symbol],
      column,
      label: [each.label, ...name].filter((text) => text !== '').join(' '),
      ...(index === 0 ? {} : { color: undefined }),
    }
  })
  return { lines, count: all.length }
}

function resultsOf({ groupName }: SeriesData, results: readonly LoadedResult[]): LoadedResult[] {
  return results.filter(({ groupNames }) => groupName === '' || groupNames.has(groupName))
}

function symbolsOf(each: SeriesData, results: readonly LoadedResult[]): Record<string, string>[] {
  const symbols = resultsOf(each, results).flatMap(({ result }) => symbolsIn(result))
  const wanted = each.symbolList.map(symbolMatcher)
  return wanted.length === 0 ? symbols : symbols.filter((symbol) => wanted.some((fits) => fits(symbol)))
}

function columnsOf(each: SeriesData, results: readonly LoadedResult[]): string[] {
  return each.column === '' ? numberColumnsIn(resultsOf(each, results)) : [each.column]
}
