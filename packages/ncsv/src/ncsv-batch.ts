/**
 * Rows in columns. A symbol is a distinct tuple of symbol values; symbols are numbered from 0 in order of first
 * appearance over the whole file.
 * A file may repeat a symbol and timestamp: both rows are returned in file order, and the last one wins when stored.
 */
export interface NcsvBatch {
  /** Number of rows. */
  rowCount: number
  /** Number of the first of `newSymbols`. */
  firstNewSymbol: number
  /** Tuples that first appear in this batch, values in the order of the header's symbol columns. */
  newSymbols: string[][]
  /** Symbol number of each row. */
  symbols: Uint32Array
  /** First line of each row in the file, from 1; the header, comments and blank lines count. */
  lines: Float64Array
  /** UTC milliseconds of each row; empty if the file has no date column. */
  timestamps: Float64Array
  /**
   * Values by value column of the header. Double, integer and date (UTC milliseconds): Float64Array with NaN for an
   * empty cell. String: array with null for an empty cell.
   */
  values: NcsvValues[]
  /** Metadata of this batch: symbol number to values by metadata column, the latest of the batch; null if absent. */
  metadata: Map<number, NcsvMetadataValue[]>
}

/** Values of one column; empty cells are NaN or null. */
export type NcsvValues = Float64Array | (string | null)[]

/** Text for string; number for double, integer and date (UTC milliseconds); null if the file has none. */
export type NcsvMetadataValue = string | number | null
