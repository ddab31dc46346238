import { previewDrawPoints, type DataQueryInput } from '../contract/index.ts'
import type { SymbolAddress } from './use-storage-state.ts'

/** Ranges of a preview. */
export const pointRanges = [
  { value: '100', label: 'Last 100 values' },
  { value: '500', label: 'Last 500 values' },
  { value: '5000', label: 'Last 5,000 values' },
  { value: 'MONTHS', label: 'Last month' },
  { value: 'YEARS', label: 'Last year' },
  { value: 'ALL', label: 'All values' },
] as const
/** A value of {@link pointRanges}. */
export type PointRange = (typeof pointRanges)[number]['value']

/** Maximum number of points of which a preview shows all values at first. The server reduces them to those that are visible. */
const maxPointsAtFirst = 1_000_000

/** Returns the range of a new preview: all values, or the newest ones of very long series and of formulas. */
export function initialRange({ pointCount }: { pointCount?: number | undefined }): PointRange {
  return pointCount !== undefined && pointCount <= maxPointsAtFirst ? 'ALL' : '500'
}

/** Maximum number of rows in the table of a preview. */
export const previewRows = 500

/** Returns the query for the chart: all extremes of the range, but no more points than are visible. */
export function chartQuery(
  symbol: SymbolAddress,
  range: PointRange,
  columns: readonly string[],
): DataQueryInput {
  return { ...rangeOf(range), ...keyOf(symbol, columns), formatType: 'UI', drawPoints: previewDrawPoints }
}

/** Returns the query for the table: the newest points of the range. */
export function tableQuery(
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

/** Returns the query for the points of the range as NCSV. */
export function downloadQuery(
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
