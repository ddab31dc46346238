import { movingSums } from '@headwater/formula'
import type { Fill } from './query-options.ts'
import type { ValueType } from './series-upload.ts'

/** Values of a column: NaN or an empty string for an empty value. Integers that a double cannot represent are strings. */
export type FilledValues = Float64Array | string[]

/** A column of one series, and how to fill its gaps. */
export interface GapColumn {
  /** Type of the values. */
  type: ValueType
  /** UTC milliseconds, ascending. */
  timestamps: Float64Array
  /** Values by timestamp. */
  values: FilledValues
  /** Fill of gaps; undefined to leave them. */
  fill: Fill | undefined
}

/** Fills the gaps of a column at ascending timestamps. */
export class GapFiller {
  readonly #type: ValueType
  readonly #kind: Fill['kind'] | undefined
  /** Maximum age in milliseconds of a previous value. */
  readonly #maxAgeMs: number
  /** The column without its empty values. */
  readonly #timestamps: Float64Array
  readonly #values: FilledValues
  /** The values as numbers; empty for string columns. */
  readonly #numbers: Float64Array
  /** Moving average ending at each value. */
  readonly #means: Float64Array = new Float64Array()
  /** Index of the last value that is not after the current timestamp. */
  #before = -1
  /** Whether a value exceeded the range of a double. Such a value becomes Infinity. */
  hasOverflows = false

  constructor({ type, timestamps, values, fill }: GapColumn) {
    const rows = rowsWithValue(values)
    const isWhole = rows.length === values.length
    this.#type = type
    this.#kind = fill?.kind
    this.#maxAgeMs = (fill?.kind === 'previous' ? fill.maxAgeMs : undefined) ?? Infinity
    this.#timestamps = isWhole ? timestamps : numbersAt(timestamps, rows)
    this.#values = isWhole ? values : valuesAt(values, rows)
    this.#numbers = numbersOf(this.#values, type)
    if (fill?.kind === 'average') this.#means = meansOf(this.#numbers, fill.points)
  }

  /** Writes the values at these timestamps to `target`, starting at index `start`. */
  write(instants: Float64Array, target: FilledValues, start: number): void {
    if (target instanceof Float64Array) this.#writeNumbers(instants, target, start)
    else this.#writeTexts(instants, target, start)
  }

  #writeNumbers(instants: Float64Array, target: Float64Array, start: number): void {
    const known = this.#timestamps
    const values = this.#values as Float64Array
    let before = this.#before
    for (let at = 0; at < instants.length; at++) {
      const instant = instants[at]!
      while (before + 1 < known.length && known[before + 1]! <= instant) before++
      const isKnown = before >= 0 && known[before] === instant
      target[start + at] = isKnown ? values[before]! : this.#numberAt(instant, before)
    }
    this.#before = before
  }

  #writeTexts(instants: Float64Array, target: string[], start: number): void {
    const known = this.#timestamps
    for (let at = 0; at < instants.length; at++) {
      const instant = instants[at]!
      while (this.#before + 1 < known.length && known[this.#before + 1]! <= instant) this.#before++
      const isKnown = this.#before >= 0 && known[this.#before] === instant
      const source = isKnown ? this.#before : this.#sourceFor(instant, this.#before)
      target[start + at] = source < 0 ? this.#calculatedText(instant) : (this.#values[source] as string)
    }
  }

  #calculatedText(instant: number): string {
    if (this.#type !== 'integer') return ''
    const value = this.#numberAt(instant, this.#before)
    return Number.isNaN(value) ? '' : String(value)
  }

  #numberAt(instant: number, before: number): number {
    const values = this.#numbers
    switch (this.#kind) {
      case undefined:
        return Number.NaN
      case 'zero':
        return 0
      case 'average':
        return before < 0 ? Number.NaN : this.#toColumnType(this.#means[before]!)
      case 'linear': {
        const known = this.#timestamps
        if (before < 0 || before + 1 === known.length) return Number.NaN
        const passed = instant - known[before]!
        const span = known[before + 1]! - known[before]!
        const rise = values[before + 1]! - values[before]!
        const part = (rise * passed) / span
        // A large difference times milliseconds may overflow although the result does not.
        return this.#toColumnType(values[before]! + (Number.isFinite(part) ? part : rise * (passed / span)))
      }
      default: {
        const source = this.#sourceFor(instant, before)
        return source < 0 ? Number.NaN : values[source]!
      }
    }
  }

  /** Returns the index of the value to copy; -1 for none. */
  #sourceFor(instant: number, before: number): number {
    const known = this.#timestamps
    const after = before + 1 < known.length ? before + 1 : -1
    switch (this.#kind) {
      case 'previous':
        return before >= 0 && instant - known[before]! <= this.#maxAgeMs ? before : -1
      case 'next':
        return after
      case 'nearest':
        if (before < 0 || after < 0) return Math.max(before, after)
        return known[after]! - instant < instant - known[before]! ? after : before
      default:
        return -1
    }
  }

  /** Converts a calculated value to the type of the column. */
  #toColumnType(value: number): number {
    if (this.#type === 'integer') return roundInteger(value)
    if (Number.isFinite(value)) return value
    this.hasOverflows = true
    return Infinity
  }
}

/** Rounds half away from zero, and clamps to the range of safe integers. */
function roundInteger(value: number): number {
  const size = Math.abs(value)
  const whole = Math.floor(size)
  const rounded = Math.min(size - whole < 0.5 ? whole : whole + 1, Number.MAX_SAFE_INTEGER)
  return value < 0 && rounded > 0 ? -rounded : rounded
}

function rowsWithValue(values: FilledValues): Uint32Array {
  const rows = new Uint32Array(values.length)
  let count = 0
  if (values instanceof Float64Array) {
    for (let row = 0; row < values.length; row++) if (!Number.isNaN(values[row])) rows[count++] = row
  } else {
    for (let row = 0; row < values.length; row++) if (values[row] !== '') rows[count++] = row
  }
  return rows.subarray(0, count)
}

function numbersOf(values: FilledValues, type: ValueType): Float64Array {
  if (values instanceof Float64Array) return values
  return type === 'integer' ? Float64Array.from(values, Number) : new Float64Array()
}

function valuesAt(values: FilledValues, rows: Uint32Array): FilledValues {
  return values instanceof Float64Array ? numbersAt(values, rows) : Array.from(rows, (row) => values[row]!)
}

function numbersAt(values: Float64Array, rows: Uint32Array): Float64Array {
  const numbers = new Float64Array(rows.length)
  for (let at = 0; at < rows.length; at++) numbers[at] = values[rows[at]!]!
  return numbers
}

/** Returns, for each value, the mean of the last `points` values up to and including it. */
function meansOf(values: Float64Array, points: number): Float64Array {
  const rows = new Float64Array(points - 1 + values.length)
  rows.set(values, points - 1)
  const sums = movingSums(rows, points)
  for (let at = 0; at < sums.length; at++) sums[at]! /= Math.min(at + 1, points)
  return sums
}
