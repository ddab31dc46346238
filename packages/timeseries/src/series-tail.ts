import { PointPacker, unpackPoints, type PackedPoints, type Points } from './packed-points.ts'
import type { ColumnSpec } from './series-engine.ts'

/** Rows of a series that are kept at most. */
export const mostTailRows = 1000

/** The newest rows of one series as they are now, in some or all of its columns. */
export interface SeriesTail {
  /** Columns of the rows. Those of its dataset that are missing are empty, or not of numbers. */
  columns: readonly ColumnSpec[]
  /** Undefined if the series has no rows. */
  rows: PackedPoints | undefined
  /** Whether these are all rows of the series. */
  isWhole: boolean
}

/** What a tail takes besides its packed rows: objects, entries of maps, memory from the system. Measured with short series. */
const tailOverhead = 850

const packer = new PointPacker(mostTailRows)

/** The newest of these rows. Timestamps ascend; values are in the order of the columns. */
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

/** What a tail takes in memory. */
export function tailBytes({ columns, rows }: SeriesTail): number {
  return tailOverhead + columns.length * 8 + (rows?.bytes.length ?? 0)
}

/** A tail with the rows of an upload, which take the place of rows of the same timestamps. */
export function addToTail(tail: SeriesTail, upload: SeriesTail): SeriesTail {
  if (upload.rows === undefined) return tail
  if (tail.rows === undefined) return { ...upload, isWhole: tail.isWhole && upload.isWhole }
  const columns = [
    ...tail.columns,
    ...upload.columns.filter(({ id }) => !tail.columns.some((column) => column.id === id)),
  ]
  const before = spread(tail, columns)
  const fresh = spread(upload, columns)
  // One that is not whole has as many rows as are kept, so none of those that it lacks is among the newest.
  return makeTail(columns, mergePoints(before, fresh), tail.isWhole && upload.isWhole)
}

/** The rows of a tail with other columns, which are empty where it has none of them. */
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

/** The rows of both; of equal timestamps the fresh one. */
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
