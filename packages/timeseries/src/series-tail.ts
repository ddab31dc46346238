import { PointPacker, unpackPoints, type PackedPoints, type Points } from './packed-points.ts'
import type { ColumnSpec } from './series-upload.ts'

/** Maximum rows of a tail. */
export const mostTailRows = 1000

/** The current newest rows of one series, in some or all of its columns. */
export interface SeriesTail {
  /** Columns of the rows. Missing columns of the dataset are empty, or not numeric. */
  columns: readonly ColumnSpec[]
  /** The rows; undefined if the series has none. */
  rows: PackedPoints | undefined
  /** Whether these are all rows of the series. */
  isWhole: boolean
}

/**
 * Memory of a tail in addition to its packed rows, in bytes: objects, map entries, allocator overhead. Measured with short
 * series.
 */
const tailOverhead = 850

const packer = new PointPacker(mostTailRows)

/** Creates a tail of the newest of these rows. Timestamps ascend; values are in the order of the columns. */
export function makeTail(columns: readonly ColumnSpec[], points: Points, isWhole: boolean): SeriesTail {
  const surplus = Math.max(0, points.timestamps.length - mostTailRows)
  const newest = (array: Float64Array) => array.subarray(surplus)
  const timestamps = newest(points.timestamps)
  return {
    columns,
    rows:
      timestamps.length === 0
        ? undefined
        : packer.pack(timestamps, points.values.map(newest), timestamps.length),
    isWhole: isWhole && surplus === 0,
  }
}

/** Returns the memory of a tail in bytes. */
export function tailBytes({ columns, rows }: SeriesTail): number {
  return tailOverhead + columns.length * 8 + (rows?.bytes.length ?? 0)
}

/** Merges the rows of an upload into a tail. They replace rows with the same timestamps. */
export function addToTail(tail: SeriesTail, upload: SeriesTail): SeriesTail {
  if (upload.rows === undefined) return tail
  if (tail.rows === undefined) return { ...upload, isWhole: tail.isWhole && upload.isWhole }
  const columns = [
    ...tail.columns,
    ...upload.columns.filter(({ id }) => !tail.columns.some((column) => column.id === id)),
  ]
  const before = spread(tail, columns)
  const fresh = spread(upload, columns)
  // An incomplete tail has the maximum number of rows, so none of the rows it lacks is among the newest.
  return makeTail(columns, mergePoints(before, fresh), tail.isWhole && upload.isWhole)
}

/** Returns the rows of a tail with other columns; missing ones are empty. */
function spread({ columns, rows }: SeriesTail, wanted: readonly ColumnSpec[]): Points {
  const { timestamps, values } = unpackPoints(rows!, columns.length)
  return {
    timestamps,
    values: wanted.map(({ id }) => {
      const index = columns.findIndex((column) => column.id === id)
      return index === -1 ? new Float64Array(timestamps.length).fill(Number.NaN) : values[index]!
    }),
  }
}

/** Merges rows. If timestamps are equal, the row in `fresh` wins. */
function mergePoints(before: Points, fresh: Points): Points {
  const most = before.timestamps.length + fresh.timestamps.length
  const timestamps = new Float64Array(most)
  const values = before.values.map(() => new Float64Array(most))
  let count = 0
  const take = (points: Points, row: number) => {
    timestamps[count] = points.timestamps[row]!
    for (const [index, column] of values.entries()) column[count] = points.values[index]![row]!
    count++
  }
  let old = 0
  for (let row = 0; row < fresh.timestamps.length; row++) {
    const timestamp = fresh.timestamps[row]!
    while (old < before.timestamps.length && before.timestamps[old]! < timestamp) take(before, old++)
    if (before.timestamps[old] === timestamp) old++
    take(fresh, row)
  }
  while (old < before.timestamps.length) take(before, old++)
  return {
    timestamps: timestamps.subarray(0, count),
    values: values.map((column) => column.subarray(0, count)),
  }
}
