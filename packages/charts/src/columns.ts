import { extremes, firstAt } from './points.ts'
import type { Points } from './points.ts'

/**
 * A series reduced to pixel columns. Each column has its minimum and maximum, and its first and last point, which connect it
 * to its neighbours. A line through these four points covers the same pixels as a line through all points. This is the M4
 * algorithm (Jugel et al., "M4: A Visualization-Oriented Time Series Data Aggregation", VLDB 2014,
 * https://www.vldb.org/pvldb/vol7/p797-jugel.pdf).
 */
export interface Columns {
  /** Column numbers, ascending; columns without a value are omitted. */
  column: Int32Array
  /** Minimum of each column. */
  min: Float64Array
  /** Maximum of each column. */
  max: Float64Array
  /** Index of the first finite point of each column. */
  first: Int32Array
  /** Index of the last finite point of each column. */
  last: Int32Array
  /** Number of valid entries in the lists. */
  size: number
}

/**
 * Assigns the points of a window to `count` columns of equal width. `from` and `to` are the ends of the window; a point
 * exactly at `to` belongs to the last column.
 */
export function toColumns(points: Points, from: number, to: number, count: number): Columns {
  const columns: Columns = {
    column: new Int32Array(count),
    min: new Float64Array(count),
    max: new Float64Array(count),
    first: new Int32Array(count),
    last: new Int32Array(count),
    size: 0,
  }
  const { x, y } = points
  const width = (to - from) / count
  let start = firstAt(points, from)
  for (let column = 0; column < count && start < x.length; column++) {
    const lastColumn = column === count - 1
    let end = firstAt(points, lastColumn ? to : from + width * (column + 1), start)
    if (lastColumn) while (end < x.length && x[end] === to) end++
    const [min, max] = extremes(points, start, end)
    if (min === min) {
      const at = columns.size++
      let first = start
      let last = end - 1
      while (y[first] !== y[first]) first++
      while (y[last] !== y[last]) last--
      columns.column[at] = column
      columns.min[at] = min
      columns.max[at] = max
      columns.first[at] = first
      columns.last[at] = last
    }
    start = end
  }
  return columns
}

/** Maximum number of points per pixel up to which a series is drawn point by point. Beyond it, pixel columns are drawn. */
export const maxPointsPerPixel = 2

/** Returns the number of points that the columns represent on the screen: one or two per column. */
export function columnPoints({ min, max, size }: Columns): number {
  let count = 0
  for (let i = 0; i < size; i++) count += min[i] === max[i] ? 1 : 2
  return count
}
