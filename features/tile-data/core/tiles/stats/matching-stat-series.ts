import { formatNumber } from '@headwater/contract'
import { numberColumnsIn, fitsPattern, symbolsIn } from '../../series/series-result.ts'
import type { LoadedResult } from '../../series/loaded-result.ts'
import type { StatSeries } from './stats-tile.ts'

/** Maximum number of values per series. */
export const maxMatchingValues = 24

/** Series of a stats tile, one for each value. */
export interface MatchingStats {
  /** The series. */
  series: StatSeries[]
  /** Numbers of values with and without the limit; undefined if the limit omits no values. */
  cut: { visible: number; total: number } | undefined
}

/**
 * Returns the series of a stats tile with the symbols and columns of the results: a `*` in a symbol matches any text,
 * and no column means every column of numbers. Without series, all data from another source become values. Each series
 * has at most {@link maxMatchingValues} values.
 */
export function matchingStatSeries(
  series: readonly StatSeries[],
  results: readonly LoadedResult[],
  { fromElsewhere }: { fromElsewhere: boolean },
): MatchingStats {
  const all: StatSeries[] = [{ label: '', groupName: '', symbols: {}, column: '' }]
  const isWhole = fromElsewhere && series.length === 0
  let total = 0
  const visible = (isWhole ? all : series).flatMap((each) => {
    const isOpen = isWhole || Object.values(each.symbols).some((text) => text.includes('*'))
    if (!isOpen && each.column !== '') {
      total++
      return [each]
    }
    const own = results.filter(({ groupNames }) => groupNames.has(each.groupName))
    const symbols = isOpen
      ? own
          .flatMap(({ result }) => symbolsIn(result))
          .filter((symbol) => isWhole || fitsPattern(symbol, each.symbols))
      : [each.symbols]
    const columns = each.column === '' ? numberColumnsIn(own) : [each.column]
    const matching = symbols.flatMap((symbol) =>
      columns.map((column) => ({
        ...each,
        symbols: symbol,
        column,
        label: labelOf(each, symbol, columns, column),
      })),
    )
    total += matching.length
    return matching.slice(0, maxMatchingValues)
  })
  return { series: visible, cut: visible.length < total ? { visible: visible.length, total } : undefined }
}

/** Describes the visible values: `24 of 60 values shown`. */
export function cutValuesText({ visible, total }: { visible: number; total: number }): string {
  return `${formatNumber(visible)} of ${formatNumber(total)} values shown`
}

/** With several columns, the label contains the column. */
function labelOf(
  { label }: StatSeries,
  symbol: Record<string, string>,
  columns: readonly string[],
  column: string,
): string {
  if (label !== '' || columns.length < 2) return label
  return [...Object.values(symbol), column].join(' ')
}
