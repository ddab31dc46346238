/**
 * Rows in columnar form. A symbol is a distinct tuple of symbol values. Symbols are numbered from 0, in the order of
 * their first appearance in the file. If a file repeats a symbol and timestamp, both rows are returned in file order,
 * and the last one wins when they are stored.
 */
export interface NcsvBatch {
  /** Number of rows. */
  rowCount: number
  /** Number of the first of `newSymbols`. */
  firstNewSymbol: number
  /** Tuples that first appear in this batch, with values in the order of the symbol columns in the header. */
  newSymbols: string[][]
  /** Symbol number of each row. */
  symbols: Uint32Array
  /** Line number of each row in the file (its first line), from 1, including header, comments and blank lines. */
  lines: Float64Array
  /** UTC milliseconds of each row; empty if the file has no date column. */
  timestamps: Float64Array
  /**
   * Values of each value column of the header. Double, integer and date columns (UTC milliseconds) have a Float64Array with
   * NaN for an empty cell. String columns have an array with null for an empty cell.
   */
  values: NcsvValues[]
  /** Latest metadata in this batch: maps symbol numbers to the values of the metadata columns; null if absent. */
  metadata: Map<number, NcsvMetadataValue[]>
}

/** Values of one column. Empty cells are NaN or null. */
export type NcsvValues = Float64Array | (string | null)[]

/**
 * A metadata value: a string, a number (dates in UTC milliseconds), or null if the file has no value.
 */
export type NcsvMetadataValue = string | number | null
