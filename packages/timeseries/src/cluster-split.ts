import type { CollectRequest, PointBatch } from './series-upload.ts'

/** Rows of a batch with their numbers within the upload. */
export type NumberedBatch = PointBatch & { rows: Float64Array }

/** Batches of one upload, split by shard. */
export interface SplitBatches {
  /** One stream per shard; read all of them concurrently. */
  parts: readonly AsyncIterable<NumberedBatch>[]
  /** The error that ended reading early; undefined without one. */
  readonly failure: unknown
  /** Ends all streams with this error; the first error wins. */
  fail(error: unknown): void
}

/**
 * Assigns each row to shard `sid % count`. The slowest reader determines how fast the source is read, so that memory stays
 * bounded.
 */
export function splitBatches(batches: CollectRequest['batches'], count: number): SplitBatches {
  const source = iterate(batches)
  const waiting: NumberedBatch[][] = Array.from({ length: count }, () => [])
  const isLeft = Array.from({ length: count }, () => false)
  let failure: unknown
  let isDone = false
  let rowCount = 0
  let reading: Promise<void> | undefined
  let taken = Promise.withResolvers<void>()

  async function readOn(): Promise<void> {
    // A reader that has stopped must not block the others.
    while (waiting.some((queue, shard) => queue.length > 0 && !isLeft[shard]) && failure === undefined)
      await taken.promise
    if (failure !== undefined) return
    try {
      const next = await source.next()
      if (next.done) {
        isDone = true
        return
      }
      for (const [shard, part] of partsOf(next.value, rowCount, count).entries()) {
        if (part.sids.length > 0 && !isLeft[shard]) waiting[shard]!.push(part)
      }
      rowCount += next.value.sids.length
    } catch (error) {
      fail(error)
    }
  }

  function fail(error: unknown): void {
    failure ??= error
    notify()
  }

  function notify(): void {
    taken.resolve()
    taken = Promise.withResolvers()
  }

  async function* partOf(shard: number): AsyncGenerator<NumberedBatch> {
    try {
      while (true) {
        if (failure !== undefined) throw failure
        const batch = waiting[shard]!.shift()
        if (batch) {
          notify()
          yield batch
        } else if (isDone) {
          return
        } else {
          reading ??= readOn().finally(() => (reading = undefined))
          await reading
        }
      }
    } finally {
      isLeft[shard] = true
      notify()
      if (!isLeft.includes(false) && !isDone) await source.return?.()
    }
  }

  return {
    parts: Array.from({ length: count }, (_, shard) => partOf(shard)),
    get failure() {
      return failure
    },
    fail,
  }
}

function iterate(batches: CollectRequest['batches']): AsyncIterator<PointBatch> | Iterator<PointBatch> {
  return Symbol.asyncIterator in batches ? batches[Symbol.asyncIterator]() : batches[Symbol.iterator]()
}

function partsOf(batch: PointBatch, firstRow: number, count: number): NumberedBatch[] {
  const rowsOf: number[][] = Array.from({ length: count }, () => [])
  batch.sids.forEach((sid, row) => rowsOf[sid % count]!.push(row))
  return rowsOf.map((rows) => ({
    sids: Uint32Array.from(rows, (row) => batch.sids[row]!),
    timestamps: Float64Array.from(rows, (row) => batch.timestamps[row]!),
    values: batch.values.map((values) =>
      values instanceof Float64Array
        ? Float64Array.from(rows, (row) => values[row]!)
        : rows.map((row) => values[row]!),
    ),
    rows: Float64Array.from(rows, (row) => batch.rows?.[row] ?? firstRow + row),
  }))
}
