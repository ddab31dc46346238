import type { Fill, TimeUnit } from './query-options.ts'

/**
 * Resamples points to spans of calendar time in the zone of the query, series by series, after version, shift, range
 * and filters. Each row is a span; its timestamp is the start of the span, but not before 1677.
 * Spans of `amount` units are counted forwards and backwards, in local time of the zone, from the start of the unit that
 * contains 1970-01-01 (for weeks, the Monday). A day is the local day, even if it has 23 or 25 hours. A repeated local hour
 * is two spans; a skipped start moves forward. If a zone skipped a whole day (Pacific/Apia 2011-12-30, Pacific/Kwajalein
 * 1993-08-21), spans of more than one minute or hour can be cut at that day; every point still counts in one span. With an
 * `origin`, spans are counted from it instead: days start at its time of day, weeks on its day of the week, months and years
 * in its month. For months and years, the origin must be the first day of a month. The result has the columns
 * `<name>_<function>`, ordered by column, then by function. Numbers support all functions, strings and dates only `first`,
 * `last` and `count`; other combinations are omitted. Empty values are ignored. `first` and `last` are in the order of time;
 * `count` is an integer (empty if the selection does not request the column); `first`, `last`, `min`, `max` and `sum` have
 * the type of the column, the others are doubles. A sum of integers that exceeds 64 bits is empty, and so is a value that
 * exceeds the range of a double.
 * - `p<n>`: the percentile n, interpolated linearly; `median` is `p50`;
 * - `stddev`: of the sample, empty for a single value;
 * - `time_weighted_mean`: weights each value by the time until the next value of the column, or until the end of the span.
 * The value at the start of a span is the last value before it in the range, if there is one. Time ends with the year 2299.
 * Spans without a value in any column of the result are omitted. A range of VALUES counts points; order, limit, offset,
 * sortBy and the statistics apply to spans.
 */
export interface Resample {
  /** Unit of the spans. */
  unit: Exclude<TimeUnit, 'WORKING_DAYS'>
  /** Units per span, 1 to 1000. */
  amount: number
  /** Functions to compute: at least one, without duplicates. */
  functions: readonly ResampleFunction[]
  /** Local time from which spans are counted, as milliseconds as if it were UTC. Default: see above. */
  origin?: number
  /**
   * Returns a row for every span from the first to the last one of the result, for every series that has a span, and fills
   * the empty values. Empty spans have the `count` 0. `average` is not supported. Default: spans without a value are
   * omitted.
   */
  fill?: Fill
}

/** Function that summarises the values of a column in a span. */
export type ResampleFunction =
  | 'first'
  | 'last'
  | 'min'
  | 'max'
  | 'mean'
  | 'sum'
  | 'count'
  | 'median'
  | 'stddev'
  | 'time_weighted_mean'
  | Percentile

/**
 * Combines series: all series of the result with the same `symbols`, of any selection, become one series with these symbols.
 * At each timestamp the values of these series are combined; empty values are ignored. This is the last step, after shift,
 * fill and resampling. Order, limit, offset, drawPoints, statistics and `totalRows` apply to the combined rows. The result
 * has the columns `<name>_<function>`, named, typed and computed like those of spans, where `<name>` may be a column of
 * spans. `count` is 0 if no series of the group has a value. Timestamps without a value to combine in any column of the
 * result are omitted. If a function yields a value beyond the range of a double, it is treated as empty; only `count`
 * includes it. The groups are in the order of their first series.
 */
export interface Aggregate {
  /** Functions to compute: at least one, without duplicates. */
  functions: readonly AggregateFunction[]
}

/** Function that combines the values of several series at a timestamp: see {@link Resample}. */
export type AggregateFunction = Exclude<ResampleFunction, 'first' | 'last' | 'time_weighted_mean'>

/** `p` and a number from 0 to 100 with at most two decimals, without trailing zeros: `p5`, `p99.9`. */
export type Percentile = `p${number}`
