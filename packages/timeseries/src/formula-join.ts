import type { ColumnMemory } from './column-memory.ts'
import type { SeriesFormula } from './series-formula.ts'
import type { TimeSlice } from './time-slice.ts'

/** Points of one series in time order, one array per property. All arrays have the same length. */
export interface ComputedPoints {
  /** UTC milliseconds. */
  timestamps: Float64Array
  /** Negated versions. */
  ages: Float64Array
  /** Finite numbers; NaN for points to ignore. */
  values: Float64Array
}

/** The inputs of a formula at its timestamps. */
export interface JoinedPoints extends Omit<ComputedPoints, 'values'> {
  /** Ages of the newest input points at a timestamp. */
  ages: Float64Array
  /** By input; NaN without a value. */
  columns: readonly Float64Array[]
}

/** Number of rows after which a join of more than two inputs yields. */
const chunkRows = 4096

/** An empty list of points. */
export const noPoints: ComputedPoints = {
  timestamps: new Float64Array(),
  ages: new Float64Array(),
  values: new Float64Array(),
}

/** Joins the points of inputs in consecutive parts of time. */
export class FormulaJoin {
  readonly #join: SeriesFormula['join']
  readonly #slice: TimeSlice
  /** Last value of each input so far. */
  readonly #last: Float64Array

  constructor(join: SeriesFormula['join'], inputCount: number, slice: TimeSlice) {
    this.#join = join
    this.#slice = slice
    this.#last = new Float64Array(inputCount).fill(Number.NaN)
  }

  /**
   * Joins the next part. All inputs cover the same span of time, which follows the previous part.
   * @param most maximum number of distinct timestamps of all inputs
   * @param memory allocates the joined columns
   */
  async next(inputs: readonly ComputedPoints[], most: number, memory: ColumnMemory): Promise<JoinedPoints> {
    const joined = haveSameTimestamps(inputs)
      ? joinEqual(inputs, memory)
      : this.#join !== 'inner'
        ? await this.#slice.run(joinOuter(inputs, most, memory))
        : isPair(inputs)
          ? joinPair(inputs, memory)
          : await this.#slice.run(joinInner(inputs, memory))
    if (this.#join !== 'previous') return joined
    for (const [at, column] of joined.columns.entries()) {
      this.#carry(at, column)
      if (this.#slice.isOver) await this.#slice.next()
    }
    return joined
  }

  #carry(at: number, column: Float64Array): void {
    let last = this.#last[at]!
    for (let row = 0; row < column.length; row++) {
      const value = column[row]!
      if (value === value) last = value
      else column[row] = last
    }
    this.#last[at] = last
  }
}

function isPair(
  inputs: readonly ComputedPoints[],
): inputs is readonly ComputedPoints[] & readonly [ComputedPoints, ComputedPoints] {
  return inputs.length === 2
}

function haveSameTimestamps([first, ...others]: readonly ComputedPoints[]): boolean {
  const { timestamps } = first!
  return others.every((other) => {
    if (other.timestamps === timestamps) return true
    if (other.timestamps.length !== timestamps.length) return false
    for (let row = 0; row < timestamps.length; row++)
      if (other.timestamps[row] !== timestamps[row]) return false
    return true
  })
}

function joinEqual(inputs: readonly ComputedPoints[], memory: ColumnMemory): JoinedPoints {
  const [first, ...others] = inputs
  let { ages } = first!
  if (others.length > 0) {
    ages = memory.take(ages.length)
    ages.set(first!.ages)
  }
  for (const other of others)
    for (let row = 0; row < ages.length; row++)
      if (other.ages[row]! < ages[row]!) ages[row] = other.ages[row]!
  return { timestamps: first!.timestamps, ages, columns: inputs.map(({ values }) => values) }
}

/** Joins two inputs at the timestamps at which both have a point. This is the most frequent join. */
function joinPair([a, b]: readonly [ComputedPoints, ComputedPoints], memory: ColumnMemory): JoinedPoints {
  const joined = emptyRows([a, b], Math.min(a.timestamps.length, b.timestamps.length), memory)
  // Local variables, because property lookups for each row take longer than the join.
  const { timestamps, ages } = joined
  const [first, second] = joined.columns as [Float64Array, Float64Array]
  const { timestamps: timesA, ages: agesA, values: valuesA } = a
  const { timestamps: timesB, ages: agesB, values: valuesB } = b
  let atA = 0
  let atB = 0
  let row = 0
  while (atA < timesA.length && atB < timesB.length) {
    const timeA = timesA[atA]!
    const timeB = timesB[atB]!
    if (timeA < timeB) {
      atA++
    } else if (timeB < timeA) {
      atB++
    } else {
      const ageA = agesA[atA]!
      const ageB = agesB[atB]!
      timestamps[row] = timeA
      ages[row] = ageA < ageB ? ageA : ageB
      first[row] = valuesA[atA++]!
      second[row++] = valuesB[atB++]!
    }
  }
  return rowsUpTo(joined, row)
}

/** Returns only the timestamps at which every input has a point. */
function* joinInner(inputs: readonly ComputedPoints[], memory: ColumnMemory): Generator<void, JoinedPoints> {
  const joined = emptyRows(inputs, Math.min(...inputs.map(({ timestamps }) => timestamps.length)), memory)
  const at = new Int32Array(inputs.length)
  for (let row = 0, step = 1; ; step++) {
    if (step % chunkRows === 0) yield
    let latest = -Infinity
    for (let input = 0; input < inputs.length; input++) {
      const { timestamps } = inputs[input]!
      if (at[input]! >= timestamps.length) return rowsUpTo(joined, row)
      if (timestamps[at[input]!]! > latest) latest = timestamps[at[input]!]!
    }
    let isEverywhere = true
    for (let input = 0; input < inputs.length; input++) {
      const { timestamps } = inputs[input]!
      let position = at[input]!
      while (timestamps[position]! < latest) position++
      if (timestamps[position] !== latest) isEverywhere = false
      at[input] = position
    }
    if (!isEverywhere) continue
    let youngest = Infinity
    for (let input = 0; input < inputs.length; input++) {
      const { ages, values } = inputs[input]!
      const position = at[input]!++
      if (ages[position]! < youngest) youngest = ages[position]!
      joined.columns[input]![row] = values[position]!
    }
    joined.timestamps[row] = latest
    joined.ages[row] = youngest
    row++
  }
}

/** Returns all timestamps at which some input has a point. */
function* joinOuter(
  inputs: readonly ComputedPoints[],
  most: number,
  memory: ColumnMemory,
): Generator<void, JoinedPoints> {
  const sum = inputs.reduce((sum, { timestamps }) => sum + timestamps.length, 0)
  const joined = emptyRows(inputs, Math.min(most, sum), memory)
  const at = new Int32Array(inputs.length)
  for (let row = 0; ; row++) {
    if ((row + 1) % chunkRows === 0) yield
    let earliest = Infinity
    for (let input = 0; input < inputs.length; input++) {
      const { timestamps } = inputs[input]!
      if (at[input]! < timestamps.length && timestamps[at[input]!]! < earliest)
        earliest = timestamps[at[input]!]!
    }
    if (earliest === Infinity) return rowsUpTo(joined, row)
    joined.timestamps[row] = earliest
    joined.ages[row] = Infinity
    for (let input = 0; input < inputs.length; input++) {
      const { timestamps, ages, values } = inputs[input]!
      const position = at[input]!
      const isThere = timestamps[position] === earliest
      joined.columns[input]![row] = isThere ? values[position]! : Number.NaN
      if (!isThere) continue
      if (ages[position]! < joined.ages[row]!) joined.ages[row] = ages[position]!
      at[input]!++
    }
  }
}

function emptyRows(inputs: readonly ComputedPoints[], most: number, memory: ColumnMemory): JoinedPoints {
  return {
    timestamps: memory.take(most),
    ages: memory.take(most),
    columns: inputs.map(() => memory.take(most)),
  }
}

function rowsUpTo({ timestamps, ages, columns }: JoinedPoints, count: number): JoinedPoints {
  return {
    timestamps: timestamps.subarray(0, count),
    ages: ages.subarray(0, count),
    columns: columns.map((column) => column.subarray(0, count)),
  }
}
