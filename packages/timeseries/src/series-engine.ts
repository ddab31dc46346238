/**
 * The series engine: stores and queries points. It knows nothing of files, groups or users. Its terms are
 *
 * - **dataset**: a separate table, identified by a positive integer of the caller;
 * - **series**: the points of one time series in a dataset, identified by `sid`, a positive integer below 2^32 of the
 * caller;
 * - **column**: a typed value of a point, identified by a positive integer unique within its dataset;
 * - **version**: one upload that became visible atomically, identified by its UTC commit time in whole microseconds,
 * strictly ascending within a dataset;
 * - **point**: the values of one series at one timestamp in one version.
 * A newer version never destroys an older one. User input never becomes SQL text.
 */
export interface SeriesEngine {
  /**
   * Collects rows to be staged later, with constant memory whatever the size. They belong to no dataset yet, and are
   * lost when the engine stops. Drop them if you do not stage them.
   *
   * @throws SeriesEngineError as `stage` does
   */
  collect(request: CollectRequest): Promise<CollectedPoints>

  /**
   * Writes the points of one upload beside the dataset, invisible to every query, with constant memory whatever the
   * size. If an upload repeats a series and timestamp, the last row wins. Staging the same version again replaces the
   * staged rows.
   * The modes `partial` and `changes` compare the upload with the currently stored points, so run only one upload per
   * dataset between `stage` and `publish`.
   *
   * @throws SeriesEngineError `invalid` if ids, types or array lengths do not fit; `unavailable` if the engine died
   * (stage again)
   */
  stage(request: StageRequest): Promise<StageResult>

  /**
   * Makes a staged version visible, atomically and durably. Does nothing for a visible version. Publish the versions of
   * a dataset one after the other.
   * @throws SeriesEngineError `not-staged` if nothing was staged under this version
   */
  publish(dataset: number, version: number): Promise<void>

  /** Discards a staged version that was not published. Does nothing if there is none. */
  discard(dataset: number, version: number): Promise<void>

  /**
   * Removes one published version permanently (its file was deleted); older versions of its points become current
   * again.
   */
  remove(dataset: number, version: number): Promise<void>

  /**
   * Removes all points of some series permanently, in every published version. Idempotent. Staged versions are
   * unaffected.
   */
  removeSeries(dataset: number, sids: readonly number[]): Promise<void>

  /** Returns all published versions of a dataset, oldest first, to compare with the caller's ledger after a crash. */
  listVersions(dataset: number): Promise<VersionFact[]>

  /** Removes a dataset with all its versions. Does nothing if there is none. */
  dropDataset(dataset: number): Promise<void>

  /**
   * Runs a query and streams its result as text. The promise resolves once the first bytes are available, so an error
   * in the query is thrown here and not in the middle of the stream. Abandoning the iteration or aborting cancels the
   * engine's work.
   * @throws SeriesEngineError `invalid` for an invalid query, `too-large` if it needs more memory than allowed
   */
  query(query: SeriesQuery, options?: { signal?: AbortSignal }): Promise<QueryResult>

  /**
   * Returns first and last timestamp and number of current points per series, in `sid` order; series without points are
   * absent.
   */
  statistics(dataset: number, sids: readonly number[] | 'all'): Promise<SeriesStatistics[]>

  /**
   * Brings the roll-up of a dataset up to date: a table of its UTC days. Queries for spans of whole days read it
   * instead of points that have not changed since. The engine does this automatically some time after an upload if
   * there are many points per day; this method does it immediately and for any dataset. Results are the same with and
   * without it. Does nothing in a cluster, which has no roll-ups.
   */
  rollUp(dataset: number): Promise<void>

  /** Stops the engine, and its process if it is embedded. */
  close(): Promise<void>
}

/** Type of a value column. `date` is a timestamp with millisecond precision. `integer` is exact up to 2^53 - 1. */
export type ValueType = 'double' | 'integer' | 'string' | 'date'

/** A column of a dataset. Its type never changes; a column of another type has another id. */
export interface ColumnSpec {
  /** Positive integer, unique in the dataset, below 2^31. */
  id: number
  /** Type of its values. */
  type: ValueType
}

/**
 * How an upload is merged with the stored points:
 * - `replace`: a row replaces the whole point; columns missing from the upload become empty. A row with only empty
 * values deletes the point.
 * - `partial`: a row replaces only the columns it has a value for; other columns and empty cells keep the stored value.
 * - `changes`: as `replace`, but rows equal to the latest stored point are dropped.
 */
export type StageMode = 'replace' | 'partial' | 'changes'

/** An upload to stage. */
export interface StageRequest {
  /** Dataset to write to. */
  dataset: number
  /** UTC commit time in microseconds, greater than every published version of the dataset. */
  version: number
  /** Columns of the batches, in order. Unknown ones are added to the dataset. */
  columns: readonly ColumnSpec[]
  /** The rows; or rows that this engine has collected for the same columns, which it drops in any case. */
  batches: CollectRequest['batches'] | CollectedPoints
  /** Default `replace`. */
  mode?: StageMode
  /** Cancels the upload. */
  signal?: AbortSignal
}

/** Rows to collect. */
export interface CollectRequest {
  /** Columns of the batches, in order. */
  columns: readonly ColumnSpec[]
  /**
   * The rows, pulled one batch at a time, so that a slow engine throttles the source. A batch is not used after the
   * next one was requested.
   */
  batches: AsyncIterable<PointBatch> | Iterable<PointBatch>
  /** Cancels the upload. */
  signal?: AbortSignal | undefined
}

/** Rows that were collected and are not staged yet. */
export interface CollectedPoints {
  /** Rows read from the batches. */
  readonly rowCount: number
  /** Drops the rows. Does nothing if they were staged or dropped. */
  drop(): Promise<void>
}

/** Rows in columns. All arrays have the same length. */
export interface PointBatch {
  /** Numbers of the rows within the upload, from 0. Default: consecutive. */
  rows?: Float64Array
  /** Series of each row. */
  sids: Uint32Array
  /** Timestamp of each row, whole UTC milliseconds in the years 1900 to 2299. */
  timestamps: Float64Array
  /**
   * Values by column of the request. `double`, `integer` and `date` (UTC milliseconds): Float64Array with NaN for
   * empty. `string`: array with null for empty (an empty text is empty as well).
   */
  values: readonly (Float64Array | readonly (string | null)[])[]
}

/** Result of staging an upload. */
export interface StageResult {
  /** Rows read from the batches. */
  rowsRead: number
  /**
   * The first row that repeats the series and timestamp of an earlier one, by its number from 0; absent without one.
   */
  firstRepeat?: { row: number; sid: number; timestamp: number }
  /** Rows that `publish` will make visible: without duplicates, and with `changes` without unchanged rows. May be 0. */
  rowsStaged: number
  /** Earliest staged timestamp in UTC milliseconds; undefined if no row was staged. */
  firstTimestamp?: number
  /** Latest staged timestamp in UTC milliseconds; undefined if no row was staged. */
  lastTimestamp?: number
}

/** A published version. */
export interface VersionFact {
  /** UTC commit time in microseconds. */
  version: number
  /** Points of this version, including those that a newer version hides. */
  rows: number
}

/** Statistics of a series. */
export interface SeriesStatistics {
  /** Number of the series. */
  sid: number
  /** UTC milliseconds. */
  firstTimestamp: number
  /** UTC milliseconds. */
  lastTimestamp: number
  /** Number of current points. */
  count: number
}

/**
 * Calendar time in the zone of the query. `WORKING_DAYS` counts days of `SeriesQuery.calendar`: n working days before a
 * timestamp is the same time of day on the n-th working day before its date, and likewise after it.
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
 * How gaps of a series are filled. The timestamps to fill are those of all points of the result, of any selection (with
 * `layout: 'rows'`, a filled series gets its own rows at the timestamps of the others). Values are filled from the
 * points of the same series and column inside the range, never from filled values:
 * - `previous`: the value before; `next`: the value after;
 * - `nearest`: the nearer of both in time, the one before if equally near;
 * - `linear`: linear interpolation in time, empty if a neighbour is missing;
 * - `zero`: always 0;
 * - `average`: the mean of the `points` values before (1 to 1000; fewer if there are fewer, empty if there is none).
 * Texts and dates support only `previous`, `next` and `nearest`, and stay empty otherwise; integers round `linear` and
 * `average` half up (away from zero if equally near, as `HALF_UP` does).
 * A column is filled if the selection requests it. A series without a point in the result is omitted, also with `zero`,
 * and so is a filled row without a value. Filling needs memory for the timestamps of one series at a time; more than 40
 * million filled rows are `too-large`.
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
 * `notEquals`, all of them must. If one of them holds texts, columns of numbers and dates never match a text. A text
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
 * Which timestamps to return.
 * - `ALL`.
 * - `BETWEEN`: inclusive bounds in UTC milliseconds; an absent bound is open.
 * - `LAST`: `VALUES` = the newest `amount` points of each series; a time unit = after (anchor - amount) up to the
 * anchor.
 * The anchor is in UTC milliseconds; default: the newest timestamp of all selected series, of points that meet the
 * filters.
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
 * Which versions of a point to return.
 * - `false`: the current one.
 * - `true`: all, the oldest first.
 * - `history`: all, with their insertion time in a last date column `InsertTime(D)`.
 * - `only`: all versions of points that have more than one.
 */
export type Corrections = 'false' | 'true' | 'history' | 'only'

/**
 * Resamples points to spans of calendar time in the zone of the query, series by series, after version, shift, range
 * and filters. Each row is a span; its timestamp is the start of the span, and no earlier than 1900.
 * Spans of `amount` units are counted from the start of the unit of 1970-01-01 (weeks from its Monday) in local time of
 * the zone, also backwards: a day is the local day, whether it has 23 or 25 hours. A repeated local hour is two spans;
 * a skipped start moves forward. If a zone skipped a whole day (Pacific/Apia 2011-12-30, Pacific/Kwajalein 1993-08-21),
 * spans of more than one minute or hour may be cut at that day; every point still counts in one span.
 * With an `origin`, they are counted from it instead: days start at its time of day, weeks on its day of the week,
 * months and years (which need the first day of a month) in its month.
 * The result has the columns `<name>_<function>`, column by column, the functions in order. Numbers support all
 * functions, texts and dates only `first`, `last` and `count`; other combinations are omitted. Empty values are
 * ignored. `first` and `last` are by time; `count` is an integer (empty if the selection does not request the column);
 * `first`, `last`, `min`, `max` and `sum` have the type of the column, the others are doubles. A sum of integers beyond
 * 64 bits is empty, and so is a value beyond the range of a double.
 * - `p<n>`: the percentile n, interpolated linearly; `median` is `p50`;
 * - `stddev`: of the sample, empty for a single value;
 * - `time_weighted_mean`: weights each value by the time until the next value of the column, or the end of the span. A
 * span starts
 * with the last value before it inside the range, if there is one. Time ends with the year 2299.
 * Spans without a value in any column of the result are omitted.
 * A range of VALUES counts points; order, limit, offset, sortBy and the statistics apply to spans.
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
   * Returns a row for every span from the first to the last one of the result, for every series that has one of them,
   * and fills its empty values; not with `average`. A `count` is 0 there. Default: spans without a value are omitted.
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
 * Combines series: all series of the result with the same `symbols`, of any selection, become one series with these
 * symbols. At each timestamp the values of these series are combined; empty values are ignored. Applied last: to the
 * rows that the result would have without it, after shift, fill and resampling. Order, limit, offset, drawPoints,
 * statistics and `totalRows` apply to the combined rows.
 * The result has the columns `<name>_<function>`, named, typed and computed like those of spans, where `<name>` may be
 * a column of spans. `count` is 0 if no series of the group has a value. Timestamps without a value to combine in any
 * column of the result are omitted.
 * A function of a value beyond the range of a double is such a value as well; only `count` counts it.
 * The groups are in the order of their first series.
 */
export interface Aggregate {
  /** Functions to compute: at least one, without duplicates. */
  functions: readonly AggregateFunction[]
}

/** Function that combines the values of several series at a timestamp: see {@link Resample}. */
export type AggregateFunction = Exclude<ResampleFunction, 'first' | 'last' | 'time_weighted_mean'>

/** `p` and a number from 0 to 100 with at most two decimals, without trailing zeros: `p5`, `p99.9`. */
export type Percentile = `p${number}`

/** NCSV: comma separated text. STANDARD, PANDAS, UI: JSON. ARROW: an Apache Arrow stream. See {@link QueryResult}. */
export type ResultFormat = 'NCSV' | 'STANDARD' | 'PANDAS' | 'UI' | 'ARROW'

/** How a double with more decimals than requested is rounded, as in Java's RoundingMode. */
export type RoundingMode = 'UP' | 'DOWN' | 'CEILING' | 'FLOOR' | 'HALF_UP' | 'HALF_EVEN'

/** A query for points. */
export interface SeriesQuery {
  /** Names of the symbol columns of the result, in order. */
  symbolKeys: readonly string[]
  /** Metadata columns of the result, in order. Default none. */
  metadataColumns?: readonly { name: string; type: ValueType }[]
  /**
   * Series and columns to return, at most 1,000 with at most 100 different pairs of shift and fill; the result has the
   * columns of all selections, in the order of first appearance.
   */
  selections: readonly Selection[]
  /** Default `{ kind: 'ALL' }`. */
  range?: SeriesRange
  /** Returns the data as known at this time, UTC microseconds (compared with versions). Default: now. */
  asOf?: number
  /** Default `false`. */
  corrections?: Corrections
  /**
   * Whether the range selects by insertion time instead of timestamp (`BETWEEN`, and `LAST`/`NEXT` with a time unit,
   * whose anchor is then required). The result has the data as known at the end of the range. Default false.
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
  /** Default `NCSV`. */
  format?: ResultFormat
  /**
   * Java date pattern of the timestamps. Default `yyyy-MM-dd'T'HH:mm:ss`, with `.SSS` only for timestamps with
   * milliseconds.
   */
  dateFormat?: string
  /** Decimals to round doubles to (0 to 15). Default: not rounded. */
  decimalPrecision?: number
  /** Default `HALF_UP`. Only with `decimalPrecision`. */
  roundingMode?: RoundingMode
  /** Working days of the unit `WORKING_DAYS`. Default: Monday to Friday without holidays. */
  calendar?: WorkingCalendar
  /**
   * Conditions on values. They apply after the version was selected, and before `LAST` and `NEXT` count. Default none.
   */
  filters?: readonly ValueFilter[]
  /**
   * Returns only points at these local times of day, from `from` up to but excluding `to`, in minutes since midnight (0
   * to 1440); if `to` is not greater, the period continues past midnight. 1 to 24 periods. They apply like filters.
   * Default: all.
   */
  hours?: readonly { from: number; to: number }[]
  /** Returns only points on these local days of the week, 1 = Monday to 7 = Sunday; like hours. Default: all. */
  weekdays?: readonly number[]
  /**
   * Whether to omit value columns without a value in the whole result, as it is in the window and before `offset` and
   * `limit`. A count of 0 is no value. Default false.
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
   * Adds a text column after the metadata that names the origin of each point by its version; other versions get none.
   * Filled points have none. A filled cell of a row with a point has the text of the point.
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
   * resampling apply before, so the rows are the same as without a window. Default: all rows.
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
   * applies, for example to compare with a year ago. Months and years end on the last day if a month is too short; of
   * points with equal timestamps after that, the later one wins. Points that would leave the years 1900 to 2299 are
   * dropped. Not with corrections or delta.
   */
  shift?: { amount: number; unit: TimeUnit }
  /** How to fill gaps. Default: not at all. Not with corrections other than `false`. */
  fill?: Fill
  /**
   * Computes the values: the selection then has one series, given as a list, whose `sid` only identifies it in the
   * result, and one column of the type double, whose id only distinguishes it from others. All other options (range,
   * shift, filters, fill, spans) apply to the computed points. Default: stored points.
   */
  formula?: SeriesFormula
}

/** Maximum inputs of a formula. */
export const maxFormulaInputs = 20
/** Maximum nesting depth of formulas; 1 is a formula of stored series only. */
export const maxFormulaDepth = 5
/**
 * Maximum formulas of a query, including nested ones. A formula that several others use is one object, and is counted
 * and computed once.
 */
export const maxQueryFormulas = 2000
/** Message for a query with more formulas. */
export const tooManyFormulas = `A query can compute at most ${maxQueryFormulas} formulas, including those that they use. Request fewer formulas at a time.`

/**
 * Values computed from other series of any dataset, timestamp by timestamp, as doubles. A point exists where the
 * expression has a value.
 * A computed point has one version: the newest of its input points at its timestamp. `asOf` uses the inputs as known
 * then.
 */
export interface SeriesFormula {
  /** 1 to {@link maxFormulaInputs} inputs, numbered from 0. */
  inputs: readonly FormulaInput[]
  /**
   * Which timestamps are computed, and what an input without a value is:
   * - `inner`: those at which every input has a value;
   * - `outer`: those at which some input has one; the others are empty;
   * - `previous`: the same, but the others keep their previous value, empty before their first one.
   */
  join: 'inner' | 'outer' | 'previous'
  /** The computation. The expressions of all formulas of a query have at most 200,000 numbers, inputs and functions. */
  expression: FormulaExpression
}

/** A numeric column of a stored series, or the result of another formula. */
export type FormulaInput = { dataset: number; sid: number; column: ColumnSpec } | { formula: SeriesFormula }

/**
 * Computation of a formula over its inputs, row by row. The engine joins the inputs and knows nothing of the functions.
 * Several formulas may share an expression.
 */
export interface FormulaExpression {
  /** Number of inputs it may read: one more than the largest input number. */
  readonly inputCount: number
  /** Size of the expression, for the limit of a query: its numbers, inputs and functions, 1 to 1,000. */
  readonly nodeCount: number
  /** Whether a value may depend on earlier rows. */
  readonly looksBack: boolean
  /** Starts a computation at the first row. */
  start(work: FormulaWork): FormulaComputation
}

/** Resources of computations; those of a query share them and run one after the other. */
export interface FormulaWork {
  /**
   * Scheduling: once `isOver`, `next` lets other work run and starts another slice. It throws if the query has ended.
   */
  slice: { readonly isOver: boolean; next(): Promise<void> }
  /** Memory of intermediate results, used by one call of `next` at a time. */
  memory: FormulaMemory
}

/** A computation with the state of the rows so far. */
export interface FormulaComputation {
  /**
   * Returns the values of the next rows, finite numbers or NaN for no value. May return one of the columns, which it
   * never modifies.
   * @param columns value of each input by row, NaN for no value
   * @param memory allocates the result
   */
  next(columns: readonly Float64Array[], rowCount: number, memory: FormulaMemory): Promise<Float64Array>
}

/** A pool of number arrays. */
export interface FormulaMemory {
  /** Returns an array with arbitrary content, which is in use until `reset`. */
  take(length: number): Float64Array
  /** Releases all arrays. */
  reset(): void
}

/** A series and its labels in the result. */
export interface SeriesLabel {
  /** Number of the series. */
  sid: number
  /** Values of `symbolKeys`, in order; empty text for a missing key. */
  symbols: readonly string[]
  /** Formatted values of `metadataColumns`, in order; empty text for none. */
  metadata?: readonly string[]
}

/**
 * A result as bytes of UTF-8 text.
 * NCSV: header, then one line per point: symbol columns, `Date(<zone>)`, value columns, metadata columns.
 * STANDARD: `{"symbols": [{"<key>": "<value>"}], "values": [row], "data": [row], "metadataMap": {}, "statistics": {}}`,
 * where a row is `{"symbol": <index in symbols>, "<key>": "<value>", "Date": "<timestamp>", "<column>": value or
 * null}`.
 * UI: the same, but `values` has one item per series: `{"symbol": <index>, "timestamps": [UTC ms], "columns":
 * {"<column>": [value or null]}}`; dates are UTC ms too. With corrections other than `false` timestamps may repeat;
 * `history` adds `"versions": [UTC ms]`.
 * In both, `metadataMap` is `{"<index>": {"<name>": "<value>"}}` and `statistics` is `{"<index>": {"first": UTC ms,
 * "last": UTC ms, "count": n}}` of the points of the result before `limit`.
 * ARROW: columns as in NCSV, named without type suffix; symbols, metadata and texts utf8, `Date` and dates timestamp in
 * milliseconds with the zone of the query, doubles float64, integers int64.
 * In STANDARD and UI, `statistics` of a series also has `"columns": {"<column>": {"count", "min", "max", "mean", "sum",
 * "stddev", "first", "last"}}` for numeric columns (`stddev` of the sample, null for a single value; all but `count`
 * null for a column without values), of the values after filling, not rounded; `first` and `last` are by time.
 * PANDAS: `{"data": {"<timestamp>": {"<symbol values joined by _>_<column>": value}}}`; empty values are omitted, no
 * other value is lost: names of a later series that collide get a suffix `_2`, `_3` … Timestamps and versions with the
 * same text share a member as long as no name repeats; otherwise each has its own, with `_2`, `_3` … after the text
 * from the second on.
 * In JSON and ARROW, a second column of the same name and another type gets a type suffix as in NCSV; one that collides
 * with another member gets a `_2`.
 */
export interface QueryResult {
  /** `text/csv; charset=utf-8`, `application/json; charset=utf-8` or `application/vnd.apache.arrow.stream`. */
  contentType: string
  /** Chunks of the text. The engine computes only slightly ahead of the reader. */
  stream: AsyncIterable<Uint8Array>
  /** All of the text if it is already available; `stream` returns the same. */
  bytes?: Uint8Array
  /**
   * Number of values of the result, before its limit, that are empty because they exceed the range of a double: sums
   * and means of spans and of series, gaps filled `linear` or by the `average`. Absent if there are none.
   */
  overflows?: number
  /** With `countRows` or `drawPoints`: rows before `offset`, `limit` and downsampling. */
  totalRows?: number
  /** Returns the memory of a chunk of `stream` for reuse, once nothing reads it any more. */
  recycle?(this: void, chunk: Uint8Array): void
}

/** Kind of an error: see the methods that throw it. Requests that fail with `unavailable` can be retried. */
export type SeriesEngineErrorCode =
  'invalid' | 'not-staged' | 'too-large' | 'unavailable' | 'locked' | 'failed'

/** Every error the engine throws. The message is fit for users. */
export class SeriesEngineError extends Error {
  readonly code: SeriesEngineErrorCode

  constructor(code: SeriesEngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SeriesEngineError'
    this.code = code
  }
}
