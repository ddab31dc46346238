import { setImmediate as nextTurn } from 'node:timers/promises'
import type { DatasetFacts } from './dataset-tables.ts'
import { FormulaInputs } from './formula-inputs.ts'
import type { ComputedPoints } from './formula-join.ts'
import { FormulaSources } from './formula-series.ts'
import { bytesOf, encodeInt64, isExtreme, nativeBlockParts } from './native-block.ts'
import type { OpenFormula } from './open-formula.ts'
import type { PointRange } from './point-sql.ts'
import { SeriesEngineError } from './series-engine.ts'
import type { SqlConnection, Upload } from './sql-connection.ts'

/** A formula whose points are wanted. */
export interface WantedFormula {
  /** Number of its series within the query. */
  sid: number
  formula: OpenFormula
  /** Bounds of the timestamp and of the version; the others do not count. */
  range: PointRange
}

/** Computed points, for as long as an answer lasts. */
export interface FormulaPoints {
  /** SQL of rows `sid, ts, age, value`, in no order. The age is that of the newest point at a timestamp that the value is made of. */
  source: string
  /** What is known of all of them. */
  facts: DatasetFacts
  /** Points by series. */
  counts: ReadonlyMap<number, number>
  drop(): Promise<void>
}

/** More are refused: they are written to disk. */
const maxComputedPoints = 100_000_000
const blockRows = 65_536
/** The server does nothing else for so long. */
const turnMs = 10
const structure = `sid UInt32, ts DateTime64(3, 'UTC'), age Int64, value Float64`

/**
 * Computes the points of formulas. The inputs of all of them are read by one statement, and computed with in parts of some
 * hundred thousand points; what comes out is brought to the engine as rows.
 * @param signal ends the work
 * @throws SeriesEngineError `too-large` for too many points.
 */
export async function computeFormulas(
  connection: SqlConnection,
  wanted: readonly WantedFormula[],
  signal: AbortSignal,
): Promise<FormulaPoints> {
  const inputs = new FormulaInputs()
  for (const { formula, range } of wanted) inputs.add(formula, range)
  const sources = new FormulaSources((input) => inputs.slotOf(input))
  const series = wanted
    .map(({ sid, formula, range }) => ({ sid, range, source: sources.open(formula) }))
    .toSorted((a, b) => (a.source.key < b.source.key ? -1 : a.source.key > b.source.key ? 1 : 0))
  const rows = new RowBlock()
  async function* blocks() {
    let turnEndMs = performance.now() + turnMs
    for await (const part of inputs.read(connection)) {
      for (const { sid, range, source } of series) {
        const points = source.next(part)
        for (let from = 0; from < points.values.length;) {
          from = rows.add(sid, points, from, range)
          if (rows.isFull) yield rows.take()
        }
        if (performance.now() < turnEndMs) continue
        await nextTurn()
        signal.throwIfAborted()
        turnEndMs = performance.now() + turnMs
      }
    }
    if (!rows.isEmpty) yield rows.take()
  }
  const upload: Upload = await connection.upload(structure, blocks())
  return { source: upload.source, facts: rows.facts, counts: rows.counts, drop: () => upload.drop() }
}

/** Rows on their way to the engine. */
class RowBlock {
  readonly counts = new Map<number, number>()
  readonly facts = {
    version: Number.MAX_SAFE_INTEGER,
    lastSid: 0,
    lastTimestamp: -Infinity,
    mayRevise: false,
    mayHaveMilliseconds: false,
    mayHaveExtremes: false,
  }
  readonly #sids = new Uint32Array(blockRows)
  readonly #timestamps = new Float64Array(blockRows)
  readonly #ages = new Float64Array(blockRows)
  readonly #values = new Float64Array(blockRows)
  readonly #words = [new Uint32Array(blockRows * 2), new Uint32Array(blockRows * 2)] as const
  #size = 0
  #total = 0

  get isEmpty(): boolean {
    return this.#size === 0
  }

  get isFull(): boolean {
    return this.#size === blockRows
  }

  /** Adds points from a place on that are in the range, as far as there is room; answers with the place of the next one. */
  add(
    sid: number,
    points: ComputedPoints,
    place: number,
    { from = -Infinity, to = Infinity }: PointRange,
  ): number {
    const { timestamps, ages, values } = points
    const start = this.#size
    let at = place
    for (; at < values.length && this.#size < blockRows; at++) {
      const timestamp = timestamps[at]!
      if (Number.isNaN(values[at]) || timestamp < from || timestamp > to) continue
      // Adding 0 makes 0 of -0.
      const value = values[at]! + 0
      if (isExtreme(value)) this.facts.mayHaveExtremes = true
      // Quicker than the remainder of a division.
      if (Math.floor(timestamp / 1000) * 1000 !== timestamp) this.facts.mayHaveMilliseconds = true
      this.#timestamps[this.#size] = timestamp
      this.#ages[this.#size] = ages[at]!
      this.#values[this.#size++] = value
    }
    const added = this.#size - start
    if (added === 0) return at
    this.#sids.fill(sid, start, this.#size)
    this.facts.lastSid = Math.max(this.facts.lastSid, sid)
    this.facts.lastTimestamp = Math.max(this.facts.lastTimestamp, this.#timestamps[this.#size - 1]!)
    this.counts.set(sid, (this.counts.get(sid) ?? 0) + added)
    this.#total += added
    if (this.#total > maxComputedPoints)
      throw new SeriesEngineError(
        'too-large',
        `The formulas of the query have more than ${maxComputedPoints} points. Ask for fewer formulas or a shorter range.`,
      )
    return at
  }

  /** The rows as a block, which begins anew. */
  take(): Uint8Array[] {
    const count = this.#size
    this.#size = 0
    return nativeBlockParts(count, [
      { name: 'sid', type: 'UInt32', bytes: [bytesOf(this.#sids.subarray(0, count))] },
      {
        name: 'ts',
        type: `DateTime64(3, 'UTC')`,
        bytes: [encodeInt64(this.#timestamps.subarray(0, count), this.#words[0])],
      },
      { name: 'age', type: 'Int64', bytes: [encodeInt64(this.#ages.subarray(0, count), this.#words[1])] },
      { name: 'value', type: 'Float64', bytes: [bytesOf(this.#values.subarray(0, count))] },
    ])
  }
}
