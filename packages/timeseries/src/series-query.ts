import type {
  Corrections,
  Fill,
  SeriesRange,
  TimeUnit,
  ValueFilter,
  WorkingCalendar,
} from './query-options.ts'
import type { Aggregate, Resample } from './resample-aggregate.ts'
import type { SeriesLabel } from './query-result.ts'
import type { SeriesFormula } from './series-formula.ts'
import type { ColumnSpec, ValueType } from './series-upload.ts'

/** NCSV: comma-separated text. STANDARD, PANDAS, UI: JSON. ARROW: an Apache Arrow stream. See {@link QueryResult}. */
export type ResultFormat = 'NCSV' | 'STANDARD' | 'PANDAS' | 'UI' | 'ARROW'

/** Rounding of a double with more decimals than requested, as in Java's RoundingMode. */
export type RoundingMode = 'UP' | 'DOWN' | 'CEILING' | 'FLOOR' | 'HALF_UP' | 'HALF_EVEN'

/** A query for points. */
export interface SeriesQuery {
  /** Names of the symbol columns of the result, in order. */
  symbolKeys: readonly string[]
  /** Metadata columns of the result, in order. Default: none. */
  metadataColumns?: readonly { name: string; type: ValueType }[]
  /**
   * Series and columns to return: at most 1,000 selections, with at most 100 different pairs of shift and fill. The result
   * has the columns of all selections, in the order of first appearance.
   */
  selections: readonly Selection[]
  /** Range of timestamps. Default `{ kind: 'ALL' }`. */
  range?: SeriesRange
  /** Returns the data as known at this time, UTC microseconds (compared with versions). Default: now. */
  asOf?: number
  /** Versions of points to return. Default `false`. */
  corrections?: Corrections
  /**
   * Whether the range selects by insertion time instead of timestamp. Supports `BETWEEN`, and `LAST` and `NEXT` with a time
   * unit and an anchor. The result has the data as known at the end of the range; values that were inserted before the range
   * are empty. Default false.
   */
  delta?: boolean
  /** Direction of the timestamps. Default `asc`. */
  order?: 'asc' | 'desc'
  /**
   * `series`: series by series (selections in order, then by `sid`). `time`: all series mixed, by timestamp. Default
   * `series`.
   */
  sortBy?: 'series' | 'time'
  /** IANA name of the zone of the timestamps in the result and of calendar units. Default `UTC`. */
  timeZone?: string
  /** Maximum rows. Default: no limit. */
  limit?: number
  /** Rows to skip at the start. Default 0. */
  offset?: number
  /** Format of the result. Default `NCSV`. */
  format?: ResultFormat
  /**
   * Java date pattern of the timestamps. Default `yyyy-MM-dd'T'HH:mm:ss`, with `.SSS` only for timestamps with
   * milliseconds.
   */
  dateFormat?: string
  /** Decimals to round doubles to (0 to 15). Default: not rounded. */
  decimalPrecision?: number
  /** Rounding of values, only with `decimalPrecision`. Default `HALF_UP`. */
  roundingMode?: RoundingMode
  /** Working days of the unit `WORKING_DAYS`. Default: Monday to Friday without holidays. */
  calendar?: WorkingCalendar
  /**
   * Conditions on values. They apply after the version was selected, and before `LAST` and `NEXT` count. Default: none.
   */
  filters?: readonly ValueFilter[]
  /**
   * Returns only points at these local times of day, from `from` up to but excluding `to`, in minutes since midnight (0 to
   * 1440). If `to` is not greater than `from`, the period continues past midnight. 1 to 24 periods. They are applied like
   * filters. Default: all.
   */
  hours?: readonly { from: number; to: number }[]
  /** Returns only points on these local days of the week, 1 = Monday to 7 = Sunday; like hours. Default: all. */
  weekdays?: readonly number[]
  /**
   * Whether to omit value columns that have no value in the whole result, before `offset` and `limit` are applied; only the
   * window counts. A count of 0 is not a value. Default false.
   */
  skipEmptyColumns?: boolean
  /**
   * `rows`: a row per series and timestamp. `columns`: a row per timestamp and a value column per series and column,
   * named by the symbol values joined by `_`, `_`, and the column (with `_2`, `_3` … after repeated names), in the
   * order of the series (selections in order, then by `sid`); at most 2,000 of them. With `columns` there are no
   * symbol, metadata and file columns, corrections must be `false`, and the format NCSV, STANDARD or ARROW. Default
   * `rows`.
   */
  layout?: 'rows' | 'columns'
  /**
   * Adds a string column after the metadata, with a text for the version of each point. Points of other versions and filled
   * points have no text. A filled cell in the row of a point has the text of the point.
   */
  versionTexts?: { name: string; texts: Iterable<readonly [version: number, text: string]> }
  /**
   * Downsamples for drawing: selects from every series and column at most about this many points, the first, last,
   * minimum and maximum of each of `drawPoints / 4` equal spans of time between the first and last point of the result,
   * so that no minimum or maximum is lost. Series with fewer points are complete. Of equal extremes the earliest is
   * selected; texts have first and last only; `statistics` cover all points. Only for UI and NCSV. UI adds a member
   * `"points": {"raw": n, "drawn": m}`, points before and after; NCSV returns the former as `totalRows`. 4 to 100,000.
   * Default: every point.
   * A `limit` then truncates nothing: a result of no more rows is complete, of a larger one fewer points of each series
   * are selected, though at least four of each series and column. Without corrections, the result never exceeds the
   * limit otherwise. An offset is not allowed.
   */
  drawPoints?: number
  /**
   * Returns only the rows from `from` to `to` (UTC milliseconds, inclusive; an absent bound is open). `range`, fill and
   * resampling are applied first, so the rows are the same as without a window. Default: all rows.
   */
  window?: { from?: number; to?: number }
  /** Whether to add `totalRows` to the result, which takes one more statement. Default false. */
  countRows?: boolean
  /**
   * Resamples points to spans of time. Not with corrections other than `false`, fill, drawPoints, versionTexts or
   * column layout. Default: none.
   */
  resample?: Resample
  /**
   * Combines the series that have the same symbols. Not with corrections other than `false`, metadataColumns or
   * versionTexts. Default: none.
   */
  aggregate?: Aggregate
  /** STANDARD and UI: whether to fill `statistics`. Default false. */
  statistics?: boolean
  /**
   * STANDARD and UI: whether to repeat `values` as `data`, because client libraries read either. Default true for
   * STANDARD, false for UI.
   */
  repeatAsData?: boolean
}

/** Limits of stored points in UTC milliseconds, inclusive. */
export interface PointLimits {
  /** Earliest timestamp. Default: none. */
  from?: number
  /** Latest timestamp. Default: none. */
  to?: number
}

/** Series of one dataset and their requested columns. */
export interface Selection {
  /** Dataset of the series. */
  dataset: number
  /** One to millions of series; use an (async) iterable for a large source. Duplicates are ignored. */
  series: Iterable<SeriesLabel> | AsyncIterable<SeriesLabel>
  /** Columns to return, with their names in the result. */
  columns: readonly (ColumnSpec & { name: string })[]
  /**
   * Moves the timestamps by calendar time (a whole number from -1,000,000 to 1,000,000 other than 0) before the range
   * applies, for example to compare with a year ago. Months and years end on the last day if a month is too short; if points
   * then have equal timestamps, the later one wins. Points that would leave the years 1677 to 2299 are dropped. Not with
   * corrections or delta.
   */
  shift?: { amount: number; unit: TimeUnit }
  /** Fill of gaps. Default: none. Not with corrections other than `false`. */
  fill?: Fill
  /**
   * Limits of the stored points in UTC milliseconds, inclusive. Other points do not exist for this selection, so offsets,
   * fills, the newest points, spans and statistics do not depend on them. Not with a formula. Default: none.
   */
  limits?: PointLimits
  /**
   * Computes the values: the selection then has one series, given as a list, whose `sid` only identifies it in the
   * result, and one column of the type double, whose id only distinguishes it from others. All other options (range,
   * shift, filters, fill, spans) apply to the computed points. Default: stored points.
   */
  formula?: SeriesFormula
}
