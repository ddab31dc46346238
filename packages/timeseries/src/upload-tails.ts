import { mostTailRows, makeTail, type SeriesTail } from './series-tail.ts'
import type { ColumnSpec, PointBatch } from './series-upload.ts'

/**
 * Maximum number of series of an upload for which tails are collected. Collecting more would delay the server.
 */
const mostSeries = 20_000

/** Collects the newest rows of each series of an upload while it streams, as long as they are sorted. */
export class UploadTails {
  /** Columns of numbers and dates, and their indexes in a batch. */
  readonly #columns: readonly ColumnSpec[]
  readonly #indexes: readonly number[]
  #tails: Map<number, SeriesTail> | undefined = new Map()
  /** Rows of the current series, up to twice the size of a tail. When it is full, the older half is dropped. */
  readonly #timestamps = new Float64Array(2 * mostTailRows)
  readonly #values: readonly Float64Array[]
  #sid = 0
  #count = 0
  #isCut = false

  constructor(columns: readonly ColumnSpec[]) {
    this.#columns = columns.filter(({ type }) => type !== 'string')
    this.#indexes = this.#columns.map((column) => columns.indexOf(column))
    this.#values = this.#columns.map(() => new Float64Array(2 * mostTailRows))
  }

  /** Adds the next rows, all after the earlier ones by (series, timestamp). */
  add({ sids, timestamps, values }: PointBatch): void {
    if (this.#tails === undefined) return
    const columns = this.#indexes.map((index) => values[index] as Float64Array)
    for (let from = 0; from < sids.length;) {
      const sid = sids[from]!
      let to = from + 1
      while (to < sids.length && sids[to] === sid) to++
      if (sid !== this.#sid) this.#end()
      this.#sid = sid
      this.#addRows(timestamps, columns, from, to)
      from = to
    }
  }

  /** Stops collecting, because the rows are not in order. */
  drop(): void {
    this.#tails = undefined
  }

  /** Returns the newest rows by series after all batches; undefined if unknown. */
  take(): ReadonlyMap<number, SeriesTail> | undefined {
    this.#end()
    return this.#tails
  }

  #addRows(timestamps: Float64Array, columns: readonly Float64Array[], from: number, to: number): void {
    if (to - from > mostTailRows) {
      this.#isCut = true
      from = to - mostTailRows
    }
    if (this.#count + to - from > 2 * mostTailRows) {
      this.#isCut = true
      const surplus = this.#count - mostTailRows
      for (const array of [this.#timestamps, ...this.#values]) array.copyWithin(0, surplus, this.#count)
      this.#count = mostTailRows
    }
    this.#timestamps.set(timestamps.subarray(from, to), this.#count)
    for (const [index, array] of this.#values.entries())
      array.set(columns[index]!.subarray(from, to), this.#count)
    this.#count += to - from
  }

  #end(): void {
    const count = this.#count
    const isWhole = !this.#isCut
    this.#count = 0
    this.#isCut = false
    if (count === 0 || this.#tails === undefined) return
    const points = {
      timestamps: this.#timestamps.subarray(0, count),
      values: this.#values.map((array) => array.subarray(0, count)),
    }
    this.#tails.set(this.#sid, makeTail(this.#columns, points, isWhole))
    if (this.#tails.size > mostSeries) this.drop()
  }
}
