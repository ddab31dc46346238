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
 * A result as bytes: UTF-8 text, or an Arrow stream.
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
 * null for a column without values), of the values after filling, not rounded; `first` and `last` are in the order of time.
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
   * Number of values in the result, before its limit, that are empty because they exceed the range of a double. These can be
   * sums and means of spans and of series, and gaps filled with `linear` or `average`. Absent if there are none.
   */
  overflows?: number
  /** With `countRows` or `drawPoints`: rows before `offset`, `limit` and downsampling. */
  totalRows?: number
  /** Returns the memory of a chunk of `stream` for reuse, after its last reader. */
  recycle?(this: void, chunk: Uint8Array): void
}
