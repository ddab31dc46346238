/**
 * Calendar time in the zone of the query. `WORKING_DAYS` counts the working days of `SeriesQuery.calendar`: n working days
 * before (or after) a timestamp is the same time of day on the n-th working day before (or after) its date.
 */
export type TimeUnit = 'MINUTES' | 'HOURS' | 'DAYS' | 'WEEKS' | 'MONTHS' | 'YEARS' | 'WORKING_DAYS'

/** Unit of an amount in a range: points of each series, or calendar time. */
export type RangeUnit = 'VALUES' | TimeUnit

/** Defines the working days. */
export interface WorkingCalendar {
  /** Non-working days of the week, 1 = Monday to 7 = Sunday. At most six of them. */
  weekend: readonly number[]
  /** Non-working dates in the zone of the query, `yyyy-MM-dd`. */
  holidays: readonly string[]
}

/**
 * Fill of the gaps of a series. Gaps are filled at the timestamps of all points of the result, of any selection. (With
 * `layout: 'rows'`, a filled series gets its own rows at the timestamps of the other series.) Values are filled from the
 * points of the same series and column inside the range, never from filled values:
 * - `previous`: the previous value; `next`: the next value;
 * - `nearest`: the nearer of the two in time; the previous one if both are equally near;
 * - `linear`: linear interpolation in time, empty if a neighbour is missing;
 * - `zero`: always 0;
 * - `average`: the mean of the previous `points` values (1 to 1000), or of fewer if there are fewer; empty if there is none.
 * Strings and dates support only `previous`, `next` and `nearest`; with other fills they stay empty. For integers, `linear`
 * and `average` are rounded half away from zero, as `HALF_UP` does. A column is filled if the selection requests it. A
 * series without a point in the result is omitted, even with `zero`; a filled row without a value is omitted, too. Filling
 * needs memory for the timestamps of one series at a time. More than 40 million filled rows are `too-large`.
 */
export type Fill =
  | {
      /** Name of the fill. */
      kind: 'previous'
      /** Maximum age of a previous value in milliseconds, 1 or more. Default: no limit. */
      maxAgeMs?: number
    }
  | { kind: 'next' | 'nearest' | 'linear' | 'zero' }
  | { kind: 'average'; points: number }

/**
 * A condition on the values of a column, before gaps are filled; a row must meet all conditions. A column that the
 * row's selection lacks counts as empty. Numbers compare as numbers, dates as UTC milliseconds, texts character by
 * character. `contains`, `startsWith` and `endsWith` apply to texts and ignore case; `in` takes a list. An empty value
 * meets `isEmpty` and `notEquals` only.
 * If a selection has columns of the same name and several types, one of them must meet the condition; for `isEmpty` and
 * `notEquals`, all of them must. If one of them contains strings, columns of numbers and dates never match them. A string
 * that represents a number is converted for columns of numbers or dates. At most 100 filters with 10,000 items and
 * 60,000 characters together.
 */
export interface ValueFilter {
  /** Name of the column. */
  column: string
  /** Comparison of the condition. */
  operator:
    | 'equals'
    | 'notEquals'
    | 'less'
    | 'lessOrEqual'
    | 'greater'
    | 'greaterOrEqual'
    | 'contains'
    | 'startsWith'
    | 'endsWith'
    | 'in'
    | 'isEmpty'
    | 'isNotEmpty'
  /** Value to compare with; a list for `in`, absent for `isEmpty` and `isNotEmpty`. */
  value?: string | number | readonly (string | number)[]
}

/**
 * Timestamps to return.
 * - `ALL`.
 * - `BETWEEN`: inclusive bounds in UTC milliseconds; an absent bound is open.
 * - `LAST`: `VALUES` = the newest `amount` points of each series; a time unit = from after (anchor - amount) up to the
 * anchor. The anchor is in UTC milliseconds; default: the newest timestamp of all selected series, of points that meet
 * the filters.
 * - `NEXT`: the mirror image: `VALUES` = the first `amount` points of each series after the anchor; a time unit = after
 * the anchor up to (anchor + amount). The anchor is required.
 * A point counts only if one of the requested columns has a value.
 */
export type SeriesRange =
  | { kind: 'ALL' }
  | { kind: 'BETWEEN'; from?: number; to?: number }
  | { kind: 'LAST'; amount: number; unit: RangeUnit; anchor?: number }
  | { kind: 'NEXT'; amount: number; unit: RangeUnit; anchor: number }

/**
 * Versions of the values of a point to return.
 * - `false`: the current ones.
 * - `true`: all, the oldest first.
 * - `history`: all, with their insertion time in a last date column `InsertTime(D)`.
 * - `only`: all versions of values that have a newer version.
 * Versions are per column (see `StageMode`): a value is empty in a version that only inherited it, and a version without a
 * requested value has no row.
 */
export type Corrections = 'false' | 'true' | 'history' | 'only'

/** Values of `SeriesQuery.drawPoints`. A span of time is drawn by four points. */
export const drawPointLimits = { min: 4, max: 100_000 } as const
