import { numberColumnsIn, fitsPattern, symbolsIn } from '../../series/series-result.ts'
import type { LoadedResult } from '../../series/loaded-result.ts'
import type { StatSeries } from './stats-tile.ts'

/** Maximum number of values per series. */
export const maxMatchingValues = 24

/**
 * Returns the series of a stats tile with the symbols and columns of the results: a `*` in a symbol matches any text, and no column means
 * every column of numbers. Without series, all data from elsewhere become values.
 */
export function matchingStatSeries(
  series: readonly StatSeries[],
  results: readonly LoadedResult[],
  { fromElsewhere }: { fromElsewhere: boolean },
): StatSeries[] {
  const all: StatSeries[] = [{ label: '', groupName: '', symbols: {}, column: '' }]
  const isWhole = fromElsewhere && series.length === 0
  return (isWhole ? all : series).flatMap((each) => {
    const isOpen = isWhole || Object.values(each.symbols).some((text) => text.includes('*'))
    if (!isOpen && each.column !== '') return [each]
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
    return matching.slice(0, maxMatchingValues)
  })
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
