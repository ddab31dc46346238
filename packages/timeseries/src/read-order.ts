import { hasFill, type RowQuery } from './result-rows.ts'
import type { OpenSelections } from './open-selections.ts'
import type { PointRange } from './point-sql.ts'
import type { SeriesQuery } from './series-query.ts'

/**
 * Returns settings for reading points in table order. They pass through one pipe while a second thread formats the text,
 * which is half of the work, with an overhead of a tenth. Larger blocks are handed over to the reader less often. Rows of a
 * file would be distributed to both threads.
 */
export function inOrderSettings(selectionCount: number): string {
  return `, max_threads = ${Math.max(2, selectionCount)}, output_format_parallel_formatting = 1, preferred_block_size_bytes = 4194304, parallelize_output_from_storages = 0`
}

/** Finishes the spans of each series in table order. A hash table of all spans would spill to disk. */
export const spanSettings = ', optimize_aggregation_in_order = 1'

/** Returns whether one statement reads the points of a result once. */
export function takesOneStatement(
  { format, range, skipEmptyColumns, drawPoints, countRows }: SeriesQuery,
  { items }: OpenSelections,
): boolean {
  const isJson = format === 'STANDARD' || format === 'UI'
  const isWrittenOnce = !isJson && !skipEmptyColumns && drawPoints === undefined && !countRows
  const needsNewest = range?.kind === 'LAST' && range.unit !== 'VALUES' && range.anchor === undefined
  return isWrittenOnce && !needsNewest && items.length <= 1 && !hasFill(items)
}

/** Returns whether the points or rows of a result are read in its order. */
export function isReadInOrder(
  query: SeriesQuery,
  range: PointRange,
  { items, filled }: OpenSelections,
): boolean {
  const isPlain =
    query.format !== 'UI' &&
    query.format !== 'PANDAS' &&
    query.layout !== 'columns' &&
    !query.aggregate &&
    query.drawPoints === undefined
  const isCurrent = (query.corrections ?? 'false') === 'false'
  if (!isPlain || query.sortBy === 'time' || !isCurrent) return false
  const isAscending = query.order !== 'desc'
  if (hasFill(items)) return isAscending && filled?.isOrdered === true && items.every(({ fill }) => fill)
  const isMoved = items.some(({ shift }) => shift && !shift.keepsOrder)
  const isSorted = items.every(
    ({ formulas, computed }) => !formulas || (isAscending && computed?.isOrdered === true),
  )
  return !query.resample && !range.count && !isMoved && isSorted
}

/**
 * Maximum number of selections per statement if each selection returns few rows. Otherwise each selection has its own
 * statement, because reading all of them at once needs much memory.
 */
const maxShortSelections = 100

/** Returns whether the selections of a result can be read separately, and are too many for one statement. */
export function canSplit({ query, selections, range, aggregated }: RowQuery): boolean {
  if (aggregated) return false
  const isBySeries = query.sortBy !== 'time' && query.format !== 'UI' && query.format !== 'PANDAS'
  const isWhole = query.limit === undefined && !query.offset && query.drawPoints === undefined
  const most = range.count ? maxShortSelections : 1
  return isBySeries && isWhole && !hasFill(selections) && selections.length > most
}

/** Maps a non-empty list. */
export function mapSelections<T, R>(items: readonly T[], map: (item: T) => R): [R, ...R[]] {
  return items.map(map) as [R, ...R[]]
}
