/**
 * The series engine: where points are kept and asked for. It knows nothing of files, groups or users; its words are
 *
 * - **dataset**: a table of its own, named by a positive integer the caller hands in;
 * - **series**: one line of points inside a dataset, named by `sid`, a positive integer below 2^32 the caller hands in;
 * - **column**: a typed value of a point, named by a positive integer unique within its dataset;
 * - **version**: one upload that became visible as a whole, named by its UTC commit time in whole microseconds,
 *   strictly growing within a dataset;
 * - **point**: the values of one series at one timestamp as one version gave them.
 *
 * A newer version never destroys an older one. Nothing a user typed ever becomes SQL.
 */
export interface SeriesEngine {
  /**
   * Takes rows in that are to be staged later, with constant memory whatever the size. They belong to no dataset yet, and are not kept
   * beyond the life of the engine. What is not staged has to be dropped.
   *
   * @throws SeriesEngineError as `stage` does.
   */
  collect(request: CollectRequest): Promise<CollectedPoints>

  /**
   * Writes the points of one upload beside the dataset, invisible to every query, with constant memory whatever the size.
   * The same (series, timestamp) twice in one upload: the last one wins. Staging the same version again replaces what was staged.
   *
   * With mode `partial` or `changes` the upload is compared with what is stored at this moment, so the caller lets only
   * one upload per dataset run between `stage` and `publish`.
   *
   * @throws SeriesEngineError `invalid` if ids, types or array lengths do not fit; `unavailable` if the engine died (stage again).
   */
  stage(request: StageRequest): Promise<StageResult>

  /**
   * Makes a staged version visible, all of it at once, durably. Publishing a version that is already visible does nothing.
   * The caller publishes the versions of a dataset one after the other.
   * @throws SeriesEngineError `not-staged` if nothing was staged under this version.
   */
  publish(dataset: number, version: number): Promise<void>

  /** Forgets a staged version that was not published. Does nothing if there is none. */
  discard(dataset: number, version: number): Promise<void>

  /** Takes one published version away for ever (its file was deleted); older versions of its points come to light again. */
  remove(dataset: number, version: number): Promise<void>

  /**
   * Takes all points of some series away for ever, in every published version. Repeating it does nothing more.
   * Staged versions keep theirs.
   */
  removeSeries(dataset: number, sids: readonly number[]): Promise<void>

  /** All published versions of a dataset, oldest first, to compare with the caller's ledger after a crash. */
  listVersions(dataset: number): Promise<VersionFact[]>

  /** Takes a dataset with all its versions away. Does nothing if there is none. */
  dropDataset(dataset: number): Promise<void>

  /**
   * Answers a question as a stream of text. The promise settles once the first bytes are there, so an error in the
   * question is thrown here and not in the middle of the stream. Abandoning the iteration or aborting stops the engine's work.
   * @throws SeriesEngineError `invalid` if the question makes no sense, `too-large` if it needs more memory than allowed.
   */
  query(query: SeriesQuery, options?: { signal?: AbortSignal }): Promise<QueryAnswer>

  /** First and last timestamp and number of visible points per series, in `sid` order; series without points are left out. */
  statistics(dataset: number, sids: readonly number[] | 'all'): Promise<SeriesStatistics[]>

  /**
   * Brings the roll-up of a dataset up to date: a table of its UTC days, with which questions for spans of whole days are answered, by
   * the points only where they are newer. The engine does it by itself, some time after an upload, where there are many points a day;
   * this does it now and for any dataset. Answers are the same with and without. Does nothing in a cluster, which has no roll-ups.
   */
  rollUp(dataset: number): Promise<void>

  /** Stops the engine (and its process, if it has one of its own). */
  close(): Promise<void>
}

/** Type of a value column. `date` is a point in time with millisecond precision. `integer` is exact up to 2^53 - 1. */
export type ValueType = 'double' | 'integer' | 'string' | 'date'

/** A physical column of a dataset. Its type never changes; a column of another type is another id. */
export interface ColumnSpec {
  /** Positive integer, unique in the dataset, below 2^31. */
  id: number
  type: ValueType
}

/**
 * How an upload meets what is stored:
 * - `replace`: a row replaces the whole point; columns the upload lacks become empty. A row with only empty values deletes the point.
 * - `partial`: a row replaces only what it has a value for; other columns and empty cells keep the stored value.
 * - `changes`: as `replace`, but rows equal to the stored latest point are left out.
 */
export type StageMode = 'replace' | 'partial' | 'changes'

export interface StageRequest {
  dataset: number
  /** UTC commit time in microseconds, greater than every published version of the dataset. */
  version: number
  /** The columns of the batches, in their order. Unknown ones are added to the dataset. */
  columns: readonly ColumnSpec[]
  /** The rows; or rows that were collected by this engine for the same columns, which it drops in any case. */
  batches: CollectRequest['batches'] | CollectedPoints
  /** Default `replace`. */
  mode?: StageMode
  signal?: AbortSignal
}

/** Rows to take in. */
export interface CollectRequest {
  /** The columns of the batches, in their order. */
  columns: readonly ColumnSpec[]
  /**
   * The rows; pulled one at a time, so the source is held back when the engine is slower. A batch is not looked at any more once the
   * next one is asked for.
   */
  batches: AsyncIterable<PointBatch> | Iterable<PointBatch>
  signal?: AbortSignal | undefined
}

/** Rows that were taken in and are not staged yet. */
export interface CollectedPoints {
  /** Rows read from the batches. */
  readonly rowCount: number
  /** Forgets them. Does nothing for those that were staged or dropped. */
  drop(): Promise<void>
}

/** Rows in columns. All arrays have the same length. */
export interface PointBatch {
  /** Numbers of the rows in the whole upload, from 0. Default: one after the other. */
  rows?: Float64Array
  /** Series of each row. */
  sids: Uint32Array
  /** Timestamp of each row, whole UTC milliseconds between the years 1900 and 2299. */
  timestamps: Float64Array
  /**
   * Values by column of the request. `double`, `integer` and `date` (UTC milliseconds) come as Float64Array with NaN for
   * empty; `string` as array with null for empty (an empty text is empty as well).
   */
  values: readonly (Float64Array | readonly (string | null)[])[]
}

export interface StageResult {
  /** Rows read from the batches. */
  rowsRead: number
  /** The first row whose series and timestamp a row before it has, by its number counted from 0; absent without one. */
  firstRepeat?: { row: number; sid: number; timestamp: number }
  /** Rows that `publish` will make visible: less duplicates, and with `changes` less the unchanged ones. 0 is allowed. */
  rowsStaged: number
  /** Earliest and latest timestamp staged in UTC milliseconds; undefined if no row was staged. */
  firstTimestamp?: number
  lastTimestamp?: number
}

export interface VersionFact {
  version: number
  /** Points of this version, whether or not a newer version hides them. */
  rows: number
}

export interface SeriesStatistics {
  sid: number
  /** UTC milliseconds. */
  firstTimestamp: number
  lastTimestamp: number
  /** Number of visible points. */
  count: number
}

/**
 * Calendar time in the zone of the query. `WORKING_DAYS` counts days of `SeriesQuery.calendar`: n working days before a
 * moment is the same time of day on the n-th working day before its date, and the mirror of it after.
 */
export type TimeUnit = 'MINUTES' | 'HOURS' | 'DAYS' | 'WEEKS' | 'MONTHS' | 'YEARS' | 'WORKING_DAYS'

/** Unit of an amount in a range: points of each series, or calendar time. */
export type RangeUnit = 'VALUES' | TimeUnit

/** Which days are working days. */
export interface WorkingCalendar {
  /** Free days of the week, 1 = Monday to 7 = Sunday. At most six of them. */
  weekend: readonly number[]
  /** Free dates in the zone of the query, `yyyy-MM-dd`. */
  holidays: readonly string[]
}

/**
 * How gaps of a series are filled. The timestamps to fill are those of all points of the answer, of whatever selection
 * (with `layout: 'rows'` a filled series so gets rows of its own at the timestamps of the others); a value is filled in from the points of its own
 * series and column that are inside the range, never from filled ones:
 * - `previous`: the value before; `next`: the value after;
 * - `nearest`: the nearer of both in time, the one before when equally near;
 * - `linear`: on the straight line through both in time, empty where one of them lacks;
 * - `zero`: 0 everywhere;
 * - `average`: the mean of the `points` values before (1 to 1000; fewer when there are fewer, empty when there is none).
 * Texts and dates know `previous`, `next` and `nearest` only and stay empty else; integers round `linear` and `average` half up
 * (away from zero where they are as near, as `HALF_UP` does).
 *
 * A column is filled if the selection asks for it. A series without a point in the answer stays out of it, also with `zero`, and
 * so does a filled row that is left without a value. Filling needs memory for the timestamps of one series at a time; more than
 * 40 million filled rows are `too-large`.
 */
export type Fill =
  | {
      kind: 'previous'
      /** A value before that is older than so many milliseconds, 1 or more, is not taken. Default: of any age. */
      maxAgeMs?: number
    }
  | { kind: 'next' | 'nearest' | 'linear' | 'zero' }
  | { kind: 'average'; points: number }

/**
 * A condition on the values of a column, of the row before it is filled; a row has to meet all of them. A column that the row's selection does not
 * have counts as empty. Numbers compare as numbers, dates as UTC milliseconds, texts letter by letter; `contains`,
 * `startsWith` and `endsWith` belong to texts, in any letter case; `in` takes a list. An empty value meets `isEmpty` and `notEquals` only.
 *
 * Where a selection has columns of the name and of several types, one of them has to meet the condition, and all of them `isEmpty`
 * and `notEquals`; beside a column of texts, columns of numbers and dates never meet a text. A text that stands for a number is taken as one
 * where the column holds numbers or dates. At most 100 filters
 * with 10,000 items and 60,000 characters together.
 */
export interface ValueFilter {
  column: string
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
  value?: string | number | readonly (string | number)[]
}

/**
 * Which timestamps are wanted.
 * - `ALL`.
 * - `BETWEEN`: both ends belong to it, UTC milliseconds; an absent end is open.
 * - `LAST`: `VALUES` = the newest `amount` points of each series; a time unit = after (anchor - amount) up to the anchor.
 *   The anchor in UTC milliseconds; absent = the newest timestamp of all selected series, of points that meet the filters.
 * - `NEXT`: the mirror of it: `VALUES` = the first `amount` points of each series after the anchor; a time unit = after
 *   the anchor up to (anchor + amount). The anchor is required.
 *
 * A point counts only if one of the asked columns has a value.
 */
export type SeriesRange =
  | { kind: 'ALL' }
  | { kind: 'BETWEEN'; from?: number; to?: number }
  | { kind: 'LAST'; amount: number; unit: RangeUnit; anchor?: number }
  | { kind: 'NEXT'; amount: number; unit: RangeUnit; anchor: number }

/**
 * Which versions of a point are wanted.
 * - `false`: the current one.
 * - `true`: every one, the oldest first.
 * - `history`: every one, with its insertion time in a last date column `InsertTime(D)`.
 * - `only`: every one of those points that have more than one.
 */
export type Corrections = 'false' | 'true' | 'history' | 'only'

/**
 * Points brought together by spans of calendar time in the zone of the query, series by series, after version, shift, range and
 * filters. A row is a span; its timestamp is the begin of it, and no earlier than 1900.
 *
 * Spans of `amount` units are counted from the start of the unit of 1970-01-01 (weeks from its Monday) on the clock of the zone, also
 * backwards: a day is the local day, be it of 23 or 25 hours. An hour that the clock shows twice is two spans; a begin that the clock
 * skips is as much later. Where a zone left out a whole day (Pacific/Apia 2011-12-30, Pacific/Kwajalein 1993-08-21) spans of more than one
 * minute or hour may be cut at that day; every point still counts in one span.
 *
 * With an `origin` they are counted from it instead: days begin at its time of day, weeks on its day of the week, months and years
 * (which need the first day of a month) in its month.
 *
 * The answer has the columns `<name>_<function>`, column by column, the functions in their order. Numbers know all functions, texts and
 * dates `first`, `last` and `count` only; the others are left out for them. Empty values do not count. `first` and `last` are
 * those by time; `count` is an integer (empty where the selection does not ask for the column); `first`, `last`, `min`, `max` and `sum` are
 * of the type of the column, the others doubles. A sum of integers beyond 64 bits is empty, and so is a double that cannot be held.
 * - `p<n>`: the percentile n, on the straight line between the two values next to it; `median` is `p50`;
 * - `stddev`: of the sample, empty of a single value;
 * - `time_weighted_mean`: each value counts as long as it holds: until the next value of the column, or the end of the span. A span begins
 *   with the last value before it that the range chooses, if there is one. Time ends with the year 2299.
 *
 * Spans in which no column of the answer has a value do not come.
 *
 * A range of VALUES counts points; order, limit, offset and sortBy count spans, and so do the statistics.
 */
export interface Resample {
  unit: Exclude<TimeUnit, 'WORKING_DAYS'>
  /** Units of a span, 1 to 1000. */
  amount: number
  /** One at least, each once. */
  functions: readonly ResampleFunction[]
  /** What spans are counted from: a time on the clock of the zone, as milliseconds as if it were UTC. Default: see above. */
  origin?: number
  /**
   * Makes a row of every span from the first to the last one of the answer, for every series that has one of them, and fills what is empty there;
   * not with `average`. A `count` is 0 there. Default: spans without a value do not come.
   */
  fill?: Fill
}

/** What a span says of the values of a column. */
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
 * Combines series: all those of the response that have the same `symbols`, of whatever selection, become one series with these symbols. At
 * each timestamp the values that they have there are combined; empty values do not count. It is applied last: to the rows that the
 * response would have without it, with their timestamps moved, their gaps filled and their spans made. Order, limit, offset, drawPoints, statistics and
 * `totalRows` are of the combined rows.
 *
 * The response has the columns `<name>_<function>`, named, typed and made as those of spans, where `<name>` may be a column of spans. `count`
 * is 0 where no series of the group has a value. Timestamps at which no column of the response has a value to combine do not come.
 *
 * What is made of a value beyond what a double holds is such a value as well; only `count` counts it.
 *
 * The groups come in the order in which their first series does.
 */
export interface Aggregate {
  /** One at least, each once. */
  functions: readonly AggregateFunction[]
}

/** How the values of several series at a timestamp are combined: see {@link Resample}. */
export type AggregateFunction = Exclude<ResampleFunction, 'first' | 'last' | 'time_weighted_mean'>

/** `p` and a number from 0 to 100 with at most two decimals, as short as it can be written: `p5`, `p99.9`. */
export type Percentile = `p${number}`

/** NCSV: text of comma separated values. STANDARD, PANDAS, UI: JSON. ARROW: an Apache Arrow stream. See {@link QueryAnswer}. */
export type AnswerFormat = 'NCSV' | 'STANDARD' | 'PANDAS' | 'UI' | 'ARROW'

/** How a double that has more decimals than asked for is shortened, in the sense of Java's RoundingMode. */
export type RoundingMode = 'UP' | 'DOWN' | 'CEILING' | 'FLOOR' | 'HALF_UP' | 'HALF_EVEN'

export interface SeriesQuery {
  /** Names of the symbol columns of the answer, in their order. */
  symbolKeys: readonly string[]
  /** Metadata columns of the answer, in their order. Default none. */
  metadataColumns?: readonly { name: string; type: ValueType }[]
  /** What is asked, at most 1,000 with at most 100 different pairs of shift and fill; the answer has the columns of all selections, in the order of first appearance. */
  selections: readonly Selection[]
  /** Default `{ kind: 'ALL' }`. */
  range?: SeriesRange
  /** Show the data as it was known at this moment, UTC microseconds (compared with versions). Absent = now. */
  asOf?: number
  /** Default `false`. */
  corrections?: Corrections
  /**
   * The range chooses by insertion time instead of timestamp (`BETWEEN`, and `LAST`/`NEXT` with a time unit, whose anchor is
   * then required). The answer shows data as known at the end of the range. Default false.
   */
  delta?: boolean
  /** Direction of the timestamps. Default `asc`. */
  order?: 'asc' | 'desc'
  /** `series`: series after series (selections in their order, then by `sid`). `time`: all series mixed, by timestamp. Default `series`. */
  sortBy?: 'series' | 'time'
  /** IANA name of the zone of the timestamps in the answer and of calendar units. Default `UTC`. */
  timeZone?: string
  /** At most this many rows. Default no limit. */
  limit?: number
  /** Rows to leave out at the start. Default 0. */
  offset?: number
  /** Default `NCSV`. */
  format?: AnswerFormat
  /** Java date pattern of the timestamps. Default `yyyy-MM-dd'T'HH:mm:ss`, with `.SSS` only where there are milliseconds. */
  dateFormat?: string
  /** Round doubles to so many decimals (0 to 15). Default: as precise as they are. */
  decimalPrecision?: number
  /** Default `HALF_UP`. Only with `decimalPrecision`. */
  roundingMode?: RoundingMode
  /** Working days of the unit `WORKING_DAYS`. Default: Monday to Friday without holidays. */
  calendar?: WorkingCalendar
  /** Conditions on values. They choose after the version, before `LAST` and `NEXT` count. Default none. */
  filters?: readonly ValueFilter[]
  /**
   * Only points at these times of day on the clock of the zone, from `from` up to but not `to`, in minutes since midnight (0 to 1440); where
   * `to` is not greater, the time goes on past midnight. One at least, at most 24. They choose as filters do. Default: all.
   */
  hours?: readonly { from: number; to: number }[]
  /** Only points on these days of the week by the clock of the zone, 1 = Monday to 7 = Sunday; as hours. Default: all. */
  weekdays?: readonly number[]
  /**
   * Leave out value columns without a value in the whole answer, as it is in the window and before `offset` and `limit`. A count of 0 is none.
   * Default false.
   */
  skipEmptyColumns?: boolean
  /**
   * `rows`: a row per series and timestamp. `columns`: a row per timestamp and a value column per series and column, named by the symbol
   * values joined by `_`, `_`, and the column (a `_2`, `_3` … behind names that stand twice), in the order of the series (selections in their order, then by `sid`); at most 2,000 of them. With `columns` there are no
   * symbol, metadata and file columns, corrections must be `false`, and the format NCSV, STANDARD or ARROW. Default `rows`.
   */
  layout?: 'rows' | 'columns'
  /**
   * Adds a text column behind the metadata that says where each point comes from, made of its version; a version that is not named gets none. Filled
   * points have none. A filled cell of a row that has a point keeps the text of the point.
   */
  versionTexts?: { name: string; texts: Iterable<readonly [version: number, text: string]> }
  /**
   * For drawing: from every series and column at most about so many points, the first, last, smallest and largest of each of `drawPoints / 4` equal spans of time
   * between the first and last point of the answer, so that no minimum or maximum is lost. Series with fewer points come whole. Of equal extremes
   * the earliest stays; texts have first and last only; the `statistics` are those of all points. UI and NCSV. UI then has a
   * member `"points": {"raw": n, "drawn": m}`, points before and after; NCSV gives the former as `totalRows`. 4 to 100,000. Default: every point.
   *
   * A `limit` then cuts nothing off: an answer of no more rows comes whole, of a larger one fewer points of each series are chosen, though at least
   * four of each series and column. Without corrections the answer has no more rows than that. An offset is not allowed.
   */
  drawPoints?: number
  /**
   * Only the rows from `from` to `to` (UTC milliseconds, both belong to it; an absent end is open). `range` counts, gaps are filled and spans
   * are made before, so the rows are the same as without a window. Default: all rows.
   */
  window?: { from?: number; to?: number }
  /** Adds `totalRows` to the answer, which takes a statement more. Default false. */
  countRows?: boolean
  /**
   * Brings points together by spans of time. Not with corrections other than `false`, fill, drawPoints, versionTexts and the layout of
   * columns. Default: points as they are.
   */
  resample?: Resample
  /**
   * Combines the series that have the same symbols. Not with corrections other than `false`, metadataColumns and versionTexts. Default: each
   * series on its own.
   */
  aggregate?: Aggregate
  /** STANDARD and UI: fill `statistics`. Default false. */
  statistics?: boolean
  /** STANDARD and UI: repeat `values` as `data`, as client libraries read either. Default true for STANDARD, false for UI. */
  repeatAsData?: boolean
}

/** Series of one dataset and the columns wanted of them. */
export interface Selection {
  dataset: number
  /** One to millions of series; a large source is best given as an (async) iterable. The same sid twice counts once. */
  series: Iterable<SeriesLabel> | AsyncIterable<SeriesLabel>
  columns: readonly (ColumnSpec & { name: string })[]
  /**
   * Moves the timestamps by so much calendar time (a whole number from -1,000,000 to 1,000,000 other than 0) before the range is applied, so that a year ago can be set beside
   * today. Months and years end on the last day where a month is too short; of points that meet so the later one stays. Points that would leave the years
   * 1900 to 2299 are left out. Not with corrections or delta.
   */
  shift?: { amount: number; unit: TimeUnit }
  /** Default: gaps stay gaps. Not with corrections other than `false`. */
  fill?: Fill
  /**
   * The values are computed: the selection has one series, given as a list, whose `sid` only names it in the answer, and one column of the type
   * double, whose id only tells it from others. All else (range, shift, filters, fill, spans) applies to the computed points. Default: points as stored.
   */
  formula?: SeriesFormula
}

/** Most inputs of a formula. */
export const maxFormulaInputs = 20
/** How deep formulas may stand in formulas; 1 is a formula of stored series only. */
export const maxFormulaDepth = 5
/** Most formulas of a query, with those in them. A formula that several others use is one object, and counts and is computed once. */
export const maxQueryFormulas = 2000
/** Says that a query has more. */
export const tooManyFormulas = `A query computes at most ${maxQueryFormulas} formulas, including those that they use. Ask for fewer formulas at a time.`

/**
 * Values computed from other series of any dataset, timestamp by timestamp, as doubles. A point is there where the expression has a value.
 *
 * A computed point has one version: the newest of the points of its inputs at its timestamp. `asOf` shows inputs as they were known then.
 */
export interface SeriesFormula {
  /** 1 to {@link maxFormulaInputs} inputs, numbered from 0. */
  inputs: readonly FormulaInput[]
  /**
   * Which timestamps are computed, and what an input is where it has no value:
   * - `inner`: those at which every input has a value;
   * - `outer`: those at which some input has one; the others are empty there;
   * - `previous`: the same, but the others are what they were before, empty before their first value.
   */
  join: 'inner' | 'outer' | 'previous'
  /** What is computed. The expressions of all formulas of a query have at most 200,000 numbers, inputs and functions. */
  expression: FormulaExpression
}

/** A column of numbers of a stored series, or what another formula computes. */
export type FormulaInput = { dataset: number; sid: number; column: ColumnSpec } | { formula: SeriesFormula }

/**
 * What a formula computes of its inputs, row by row. The engine joins the inputs and knows nothing of the functions. Several formulas may have the
 * same expression.
 */
export interface FormulaExpression {
  /** How many inputs it may read: one more than the largest number of an input in it. */
  readonly inputCount: number
  /** Size of the expression, for the limit of a query: its numbers, inputs and functions, 1 to 1,000. */
  readonly nodeCount: number
  /** Whether a value may depend on rows before its own. */
  readonly looksBack: boolean
  /** Begins a computation before the first row. */
  start(work: FormulaWork): FormulaComputation
}

/** What computations work with; those of a query share it and run one after the other. */
export interface FormulaWork {
  /** Lets other work run once `isOver`; `next` begins another slice, and throws if the query has ended. */
  slice: { readonly isOver: boolean; next(): Promise<void> }
  /** Memory of intermediate results, which belongs to one call of `next` at a time. */
  memory: FormulaMemory
}

/** A computation, which has the state of the rows so far. */
export interface FormulaComputation {
  /**
   * Returns the values of the next rows, NaN where there is none and finite elsewhere. The array may be one of the columns, which it never changes.
   * @param columns value of each input by row, NaN where it has none
   * @param memory of the result
   */
  next(columns: readonly Float64Array[], rowCount: number, memory: FormulaMemory): Promise<Float64Array>
}

/** Arrays of numbers that are reused. */
export interface FormulaMemory {
  /** Returns an array with any content, which is in use until `reset`. */
  take(length: number): Float64Array
  /** Ends the use of all arrays. */
  reset(): void
}

/** A series and what the answer shows of it. */
export interface SeriesLabel {
  sid: number
  /** Values of `symbolKeys`, in their order; empty text where the series lacks a key. */
  symbols: readonly string[]
  /** Values of `metadataColumns` as they are to be printed, in their order; empty text = none. */
  metadata?: readonly string[]
}

/**
 * The answer as bytes of UTF-8 text.
 *
 * NCSV: header, then one line per point: symbol columns, `Date(<zone>)`, value columns, metadata columns.
 *
 * STANDARD: `{"symbols": [{"<key>": "<value>"}], "values": [row], "data": [row], "metadataMap": {}, "statistics": {}}`, where a
 * row is `{"symbol": <index in symbols>, "<key>": "<value>", "Date": "<timestamp>", "<column>": value or null}`.
 *
 * UI: the same, but `values` has one item per series:
 * `{"symbol": <index>, "timestamps": [UTC ms], "columns": {"<column>": [value or null]}}`; dates are UTC ms too.
 * With corrections other than `false` timestamps may repeat; `history` adds `"versions": [UTC ms]`.
 *
 * In both, `metadataMap` is `{"<index>": {"<name>": "<value>"}}` and `statistics` is
 * `{"<index>": {"first": UTC ms, "last": UTC ms, "count": n}}` of the points of the answer before `limit`.
 *
 * ARROW: columns as NCSV, named without type suffix; symbols, metadata and texts utf8, `Date` and dates timestamp in milliseconds with the zone of the query,
 * doubles float64, integers int64.
 *
 * In STANDARD and UI `statistics` of a series also has `"columns": {"<column>": {"count", "min", "max", "mean", "sum", "stddev", "first", "last"}}` for
 * columns of numbers (`stddev` of the sample, null for a single value; all but `count` null for a column without values), of the values
 * with their gaps filled, not rounded; `first` and `last` are those by time.
 *
 * PANDAS: `{"data": {"<timestamp>": {"<symbol values joined by _>_<column>": value}}}`; empty values are left out, no other is lost:
 * names of a later series of which one is taken end in `_2`, `_3` … Moments and versions whose timestamps have the same text are one
 * member as long as no name comes twice, else each its own, with `_2`, `_3` … behind the text from the second on.
 *
 * In JSON and ARROW a second column of a name, which is of another type, bears the sign of its type as in NCSV; one that is named like
 * something else that stands beside it gets a `_2`.
 */
export interface QueryAnswer {
  /** `text/csv; charset=utf-8`, `application/json; charset=utf-8` or `application/vnd.apache.arrow.stream`. */
  contentType: string
  /** Chunks of the text. Nothing is computed far ahead of the reader. */
  stream: AsyncIterable<Uint8Array>
  /** All of the text, where it is there already; `stream` gives the same. */
  bytes?: Uint8Array
  /**
   * How many values of the answer, before its limit, are empty because a double cannot hold them: sums and means of spans and of series, gaps filled
   * `linear` or by the `average`. Absent where there are none.
   */
  overflows?: number
  /** With `countRows`, and with `drawPoints`: rows before `offset` and `limit`, and before points were chosen for drawing. */
  totalRows?: number
  /** May be told of a chunk of `stream` that nobody will look at again, so that its memory is used once more. */
  recycle?(this: void, chunk: Uint8Array): void
}

/** What went wrong: see the functions that throw it. `unavailable` may be tried again. */
export type SeriesEngineErrorCode =
  'invalid' | 'not-staged' | 'too-large' | 'unavailable' | 'locked' | 'failed'

/** Every error the engine throws. The message is fit for people. */
export class SeriesEngineError extends Error {
  readonly code: SeriesEngineErrorCode

  constructor(code: SeriesEngineErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'SeriesEngineError'
    this.code = code
  }
}
