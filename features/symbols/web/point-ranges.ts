import type { DataQueryInput } from '../contract/index.ts'
import type { SymbolAddress } from './use-storage-state.ts'

/** Which points a preview shows. */
export const pointRanges = [
  { value: '100', label: 'Last 100 values' },
  { value: '500', label: 'Last 500 values' },
  { value: '5000', label: 'Last 5,000 values' },
  { value: 'MONTHS', label: 'Last month' },
  { value: 'YEARS', label: 'Last year' },
  { value: 'ALL', label: 'All values' },
] as const
export type PointRange = (typeof pointRanges)[number]['value']

/** Most points of a line of the chart, so that no more are sent than can be seen. */
const drawnPoints = 2000
/** Most rows of the table of a preview. */
export const previewRows = 500

/** The question for the chart: every extreme of the range, but no more points than can be told apart. */
export function chartQuestion(
  symbol: SymbolAddress,
  range: PointRange,
  columns: readonly string[],
): DataQueryInput {
  return { ...rangeOf(range), ...keyOf(symbol, columns), formatType: 'UI', drawPoints: drawnPoints }
}

/** The question for the table: the newest points of the range, as they are. */
export function tableQuestion(
  symbol: SymbolAddress,
  range: PointRange,
  columns: readonly string[],
): DataQueryInput {
  return {
    ...rangeOf(range),
    ...keyOf(symbol, columns),
    formatType: 'UI',
    order: 'desc',
    size: previewRows,
  }
}

/** The points of the range as an NCSV file has them. */
export function downloadQuestion(
  symbol: SymbolAddress,
  range: PointRange,
  columns: readonly string[],
): DataQueryInput {
  return { ...rangeOf(range), ...keyOf(symbol, columns), formatType: 'NCSV', metadata: true }
}

function keyOf({ groupName, symbols }: SymbolAddress, columns: readonly string[]): DataQueryInput {
  return { keys: [{ groupName, symbols, columns: [...columns] }], timeZone: 'UTC' }
}

function rangeOf(range: PointRange): DataQueryInput {
  if (range === 'ALL') return { range: 'ALL' }
  if (range === 'MONTHS' || range === 'YEARS') return { range: 'LAST', lastType: range, lastTypeAmount: 1 }
  return { range: 'LAST', lastType: 'VALUES', lastTypeAmount: Number(range) }
}
