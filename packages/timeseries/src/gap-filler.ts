import { movingSums } from '@headwater/formula'
import type { Fill, ValueType } from './series-engine.ts'

/** Values of a column: NaN or an empty text where there is none. Integers that a double cannot hold are texts. */
export type FilledValues = Float64Array | string[]

/** A column of one series: what it has, and how its gaps are filled. */
export interface GapColumn {
  type: ValueType
  /** UTC milliseconds, in their order. */
  timestamps: Float64Array
  values: FilledValues
  /** Undefined = not at all. */
  fill: Fill | undefined
}

/** Fills the gaps of a column at timestamps, which come in their order. */
export class GapFiller {
  readonly #type: ValueType
  readonly #kind: Fill['kind'] | undefined
  /** A value before that is older than so many milliseconds is not taken. */
  readonly #maxAgeMs: number
  /** What the column has without its empty values. */
  readonly #timestamps: Float64Array
  readonly #values: FilledValues
  /** The values to calculate with; empty for texts. */
  readonly #numbers: Float64Array
  /** Of each value with those before it. */
  readonly #means: Float64Array = new Float64Array()
  /** Of the values the last one so far. */
  #before = -1
  /** Whether a value was beyond what a double holds. It is infinite then. */
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

  /** Writes the values at timestamps to a place on. */
  write(moments: Float64Array, target: FilledValues, place: number): void {
    if (target instanceof Float64Array) this.#writeNumbers(moments, target, place)
    else this.#writeTexts(moments, target, place)
  }

  #writeNumbers(moments: Float64Array, target: Float64Array, place: number): void {
    const known = this.#timestamps
    const values = this.#values as Float64Array
    let before = this.#before
    for (let at = 0; at < moments.length; at++) {
      const moment = moments[at]!
      while (before + 1 < known.length && known[before + 1]! <= moment) before++
      const isKnown = before >= 0 && known[before] === moment
      target[place + at] = isKnown ? values[before]! : this.#numberAt(moment, before)
    }
    this.#before = before
  }

  #writeTexts(moments: Float64Array, target: string[], place: number): void {
    const known = this.#timestamps
    for (let at = 0; at < moments.length; at++) {
      const moment = moments[at]!
      while (this.#before + 1 < known.length && known[this.#before + 1]! <= moment) this.#before++
      const isKnown = this.#before >= 0 && known[this.#before] === moment
      const source = isKnown ? this.#before : this.#sourceFor(moment, this.#before)
      target[place + at] = source < 0 ? this.#calculatedText(moment) : (this.#values[source] as string)
    }
  }

  #calculatedText(moment: number): string {
    if (this.#type !== 'integer') return ''
    const value = this.#numberAt(moment, this.#before)
    return Number.isNaN(value) ? '' : String(value)
  }

  #numberAt(moment: number, before: number): number {
    const values = this.#numbers
    switch (this.#kind) {
      case undefined:
        return Number.NaN
      case 'zero':
        return 0
      case 'average':
        return before < 0 ? Number.NaN : this.#checked(this.#means[before]!)
      case 'linear': {
        const known = this.#timestamps
        if (before < 0 || before + 1 === known.length) return Number.NaN
        const passed = moment - known[before]!
        const span = known[before + 1]! - known[before]!
        const rise = values[before + 1]! - values[before]!
        const part = (rise * passed) / span
        // A large rise times milliseconds may be too much on the way to a part that is not.
        return this.#checked(values[before]! + (Number.isFinite(part) ? part : rise * (passed / span)))
      }
      default: {
        const source = this.#sourceFor(moment, before)
        return source < 0 ? Number.NaN : values[source]!
      }
    }
  }

  /** Index of the copied value; -1 = no value. */
  #sourceFor(moment: number, before: number): number {
    const known = this.#timestamps
    const after = before + 1 < known.length ? before + 1 : -1
    switch (this.#kind) {
      case 'previous':
        return before >= 0 && moment - known[before]! <= this.#maxAgeMs ? before : -1
      case 'next':
        return after
      case 'nearest':
        if (before < 0 || after < 0) return Math.max(before, after)
        return known[after]! - moment < moment - known[before]! ? after : before
      default:
        return -1
    }
  }

  /** A calculated value as one of the type of the column. */
  #checked(value: number): number {
    if (this.#type === 'integer') return roundInteger(value)
    if (Number.isFinite(value)) return value
    this.hasOverflows = true
    return Infinity
  }
}

/** As HALF_UP does. Beyond what an integer can be it is by a rounding only. */
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

/** The mean of up to `points` values that end with each one. */
function meansOf(values: Float64Array, points: number): Float64Array {
  const rows = new Float64Array(points - 1 + values.length)
  rows.set(values, points - 1)
  const sums = movingSums(rows, points)
  for (let at = 0; at < sums.length; at++) sums[at]! /= Math.min(at + 1, points)
  return sums
}
