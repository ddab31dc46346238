import type { DatasetFacts } from './dataset-tables.ts'
import { FormulaInputs, partRowsFor } from './formula-inputs.ts'
import type { ComputedPoints } from './formula-join.ts'
import { FormulaSources } from './formula-series.ts'
import { bytesOf, encodeInt64, isExtreme, nativeBlockParts } from './native-block.ts'
import type { OpenFormula } from './open-formula.ts'
import type { PointRange } from './point-sql.ts'
import { SeriesEngineError } from './series-engine-error.ts'
import type { SqlConnection } from './sql-connection.ts'
import { TimeSlice } from './time-slice.ts'

/** A requested formula. */
export interface WantedFormula {
  /** Number of its series within the query. */
  sid: number
  /** The formula. */
  formula: OpenFormula
  /** Bounds of timestamp and version; other bounds are ignored. */
  range: PointRange
}

/** Computed points. They exist until the result has been read. */
export interface FormulaPoints {
  /**
   * SQL that returns rows `sid, ts, age, value`. The age belongs to the newest of the input points that contribute to the
   * value.
   */
  source: string
  /** Whether a single-threaded read returns the rows sorted by series and time. */
  isOrdered: boolean
  /** Facts about all of the points. */
  facts: DatasetFacts
  /** Number of points by series. */
  counts: ReadonlyMap<number, number>
  /** Drops the points. */
  drop(): Promise<void>
}

/** Maximum number of computed points, because they are written to disk. */
const maxComputedPoints = 100_000_000
const blockRows = 65_536
const structure = `sid UInt32, ts DateTime64(3, 'UTC'), age Int64, value Float64`

/** Rows of computed points. They are valid until the next block is requested. */
export interface FormulaBlock {
  /** Number of the formula of each row. */
  sids: Uint32Array
  /** UTC milliseconds. */
  timestamps: Float64Array
  /** Negated versions. */
  ages: Float64Array
  /** Finite numbers. */
  values: Float64Array
}

/** Formulas whose inputs were opened. */
export interface FormulaRows {
  /** Whether the blocks are sorted by formula and time; otherwise they cover consecutive parts of time. */
  isWhole: boolean
  /** Whether the points cannot exceed the maximum. */
  isWithinLimit: boolean
  /**
   * Computes the points.
   * @throws SeriesEngineError `too-large` for too many points
   */
  blocks(): AsyncGenerator<FormulaBlock>
  /** Facts about the points; valid after all blocks have been read. */
  facts: DatasetFacts
  /** Number of points by formula; valid after all blocks have been read. */
  counts: ReadonlyMap<number, number>
}

/**
 * Computes the points of formulas and writes them to the engine as rows.
 * @param wanted formulas in the order of their numbers
 * @param options.isInParts whether the inputs are known to have too many points for one part. Default false.
 * @param options.signal cancels the work
 * @throws SeriesEngineError `too-large` for too many points
 */
export async function computeFormulas(
  connection: SqlConnection,
  wanted: readonly WantedFormula[],
  options: { signal: AbortSignal; isInParts?: boolean },
): Promise<FormulaPoints> {
  const rows = await openFormulaRows(connection, wanted, options)
  const halves = [new Uint32Array(blockRows * 2), new Uint32Array(blockRows * 2)] as const
  async function* blocks() {
    for await (const block of rows.blocks()) yield encodeBlock(block, halves)
  }
  const upload = await connection.upload(structure, blocks())
  return {
    source: upload.source,
    isOrdered: rows.isWhole && upload.keepsOrder,
    facts: rows.facts,
    counts: rows.counts,
    drop: () => upload.drop(),
  }
}

/**
 * Opens formulas. One statement reads the inputs of all formulas. If the inputs have few points, each formula is computed
 * from start to end; otherwise all formulas are computed in consecutive parts of time. See computeFormulas.
 */
export async function openFormulaRows(
  connection: SqlConnection,
  wanted: readonly WantedFormula[],
  { signal, isInParts = false }: { signal: AbortSignal; isInParts?: boolean },
): Promise<FormulaRows> {
  const inputs = new FormulaInputs()
  const slice = new TimeSlice(signal)
  for (const { formula, range } of wanted) {
    inputs.add(formula, range)
    if (slice.isOver) await slice.next()
  }
  const sources = new FormulaSources(
    wanted.map(({ formula }) => formula),
    (input) => inputs.slotOf(input),
    slice,
  )
  const partRows = partRowsFor(sources.bufferedCount)
  const whole = isInParts ? undefined : await inputs.readWhole(connection, partRows)
  const formulas = whole ? wanted : byJoin(wanted, sources)
  const series = formulas.map(({ sid, formula, range }) => ({ sid, range, source: sources.open(formula) }))
  const rows = new RowBlock()
  async function* blocks() {
    for await (const part of whole ? [whole] : inputs.readParts(connection, partRows)) {
      for (const { sid, range, source } of series) {
        const points = await source.next(part)
        for (let from = 0; from < points.values.length;) {
          from = rows.add(sid, points, from, range)
          if (rows.isFull) yield rows.take()
        }
        if (slice.isOver) await slice.next()
      }
    }
    if (!rows.isEmpty) yield rows.take()
  }
  const isWithinLimit = whole !== undefined && whole.size * wanted.length <= maxComputedPoints
  return { isWhole: whole !== undefined, isWithinLimit, blocks, facts: rows.facts, counts: rows.counts }
}

function encodeBlock(
  { sids, timestamps, ages, values }: FormulaBlock,
  halves: readonly [Uint32Array, Uint32Array],
): Uint8Array[] {
  return nativeBlockParts(sids.length, [
    { name: 'sid', type: 'UInt32', bytes: [bytesOf(sids)] },
    { name: 'ts', type: `DateTime64(3, 'UTC')`, bytes: [encodeInt64(timestamps, halves[0])] },
    { name: 'age', type: 'Int64', bytes: [encodeInt64(ages, halves[1])] },
    { name: 'value', type: 'Float64', bytes: [bytesOf(values)] },
  ])
}

/** Groups formulas that join the same inputs in the same way. */
function byJoin(wanted: readonly WantedFormula[], sources: FormulaSources): WantedFormula[] {
  const keyed = wanted.map((each) => ({ each, key: sources.joinOf(each.formula) }))
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
  return keyed.map(({ each }) => each)
}

/** Collects computed points as blocks. */
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
  #size = 0
  #total = 0

  get isEmpty(): boolean {
    return this.#size === 0
  }

  get isFull(): boolean {
    return this.#size === blockRows
  }

  /** Adds the points in the range, starting at an index, until the block is full. Returns the next index. */
  add(
    sid: number,
    points: ComputedPoints,
    fromIndex: number,
    { from = -Infinity, to = Infinity }: PointRange,
  ): number {
    const { timestamps, ages, values } = points
    const [newTimestamps, newAges, newValues] = [this.#timestamps, this.#ages, this.#values]
    const start = this.#size
    let size = start
    let hasMilliseconds = false
    let hasExtremes = false
    let at = fromIndex
    for (; at < values.length && size < blockRows; at++) {
      const timestamp = timestamps[at]!
      // Adding 0 turns -0 into 0.
      const value = values[at]! + 0
      // NaN differs from itself.
      if (value !== value || timestamp < from || timestamp > to) continue
      hasExtremes ||= isExtreme(value)
      // Faster than the remainder operator.
      hasMilliseconds ||= Math.floor(timestamp / 1000) * 1000 !== timestamp
      newTimestamps[size] = timestamp
      newAges[size] = ages[at]!
      newValues[size++] = value
    }
    this.#size = size
    this.facts.mayHaveExtremes ||= hasExtremes
    this.facts.mayHaveMilliseconds ||= hasMilliseconds
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
        `The formulas of the query have more than ${maxComputedPoints} points. Request fewer formulas or a shorter range.`,
      )
    return at
  }

  /** Returns the rows as a block and starts a new one. */
  take(): FormulaBlock {
    const count = this.#size
    this.#size = 0
    return {
      sids: this.#sids.subarray(0, count),
      timestamps: this.#timestamps.subarray(0, count),
      ages: this.#ages.subarray(0, count),
      values: this.#values.subarray(0, count),
    }
  }
}
