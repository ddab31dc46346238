import type { Budget, Value } from './value.ts'

/** Context of functions besides their arguments. */
export interface ValueWork {
  /** Counts the work of the evaluation. */
  budget: Budget
  /** Instant of `now()`, for example the start of the run. */
  now: Date
  /** Returns the UTC offset of a time zone at an instant in ms; throws RangeError for an unknown zone. */
  zoneOffsetMs: (timeZone: string, utcMs: number) => number
}

/** A function of value expressions. */
export interface ValueFunction {
  /** Minimum number of values. */
  least: number
  /** Maximum number of values. */
  most: number
  /** Signature, for example `join(list, separator)`. */
  usage: string
  /** The result, in one sentence. */
  meaning: string
  /** Complete expression. */
  example: string
  /** Returns the result for values within the limits of the signature. */
  compute: (values: readonly Value[], work: ValueWork) => Value
}

/** Creates a function that takes `least` to `most` values. */
export function valueFunction(
  least: number,
  most: number,
  usage: string,
  meaning: string,
  example: string,
  compute: ValueFunction['compute'],
): ValueFunction {
  return { least, most, usage, meaning, example, compute }
}
