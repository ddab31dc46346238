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
 * Merge of an upload with the stored points:
 * - `replace`: a row replaces the whole point; columns missing from the upload become empty. A row with only empty
 * values deletes the point.
 * - `partial`: a row replaces only the columns it has a value for; other columns and empty cells keep the stored value.
 * - `changes`: as `replace`, but only values that differ from the latest stored point are new.
 * - `partialChanges`: as `partial`, but only values that differ from the latest stored point are new.
 * Versions are per column: a value that is not new belongs to the version it comes from, and a row without a new value is
 * dropped.
 */
export type StageMode = 'replace' | 'partial' | 'changes' | 'partialChanges'

/** An upload to stage. */
export interface StageRequest {
  /** Dataset to write to. */
  dataset: number
  /** UTC commit time in microseconds, greater than every published version of the dataset. */
  version: number
  /** Columns of the batches, in order. Unknown ones are added to the dataset. */
  columns: readonly ColumnSpec[]
  /**
   * The rows, or rows that this engine has collected for the same columns. The engine drops collected rows even if staging
   * fails.
   */
  batches: CollectRequest['batches'] | CollectedPoints
  /** How rows replace stored ones. Default `replace`. */
  mode?: StageMode
  /** Cancels the upload. */
  signal?: AbortSignal
}

/** Rows to collect. */
export interface CollectRequest {
  /** Columns of the batches, in order. */
  columns: readonly ColumnSpec[]
  /**
   * The rows. They are requested one batch at a time, so that a slow engine throttles the source. A batch is not used after
   * the next one has been requested.
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
  /** Ascending numbers of the rows, such as lines of a file. Default: consecutive from 0. */
  rows?: Float64Array
  /** Series of each row. */
  sids: Uint32Array
  /** Timestamp of each row, whole UTC milliseconds in the years 1677 to 2299. */
  timestamps: Float64Array
  /**
   * Values by column of the request. Columns of the types `double`, `integer` and `date` (UTC milliseconds) are a
   * Float64Array with NaN for empty. `string` columns are an array with null for empty; an empty string is empty as well.
   */
  values: readonly (Float64Array | readonly (string | null)[])[]
}

/** Result of staging an upload. */
export interface StageResult {
  /** Rows read from the batches. */
  rowsRead: number
  /**
   * The first row that repeats the series and timestamp of an earlier one, by its number in the batches; absent if
   * there is none.
   */
  firstRepeat?: { row: number; sid: number; timestamp: number }
  /**
   * Number of rows that `publish` will make visible, without duplicates and without rows that have no new value. Can be 0.
   */
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
