/**
 * Rows in columns. A symbol is a distinct tuple of symbol values; symbols are numbered from 0 in order of first appearance over
 * the whole file.
 *
 * The same symbol and timestamp may come twice in one file: both are given in file order, and the last one wins for whoever
 * stores them.
 */
export interface NcsvBatch {
  rowCount: number
  /** Number of the first of `newSymbols`. */
  firstNewSymbol: number
  /** Tuples first seen in this batch, values in the order of the header's symbol columns. */
  newSymbols: string[][]
  /** Symbol number of each row. */
  symbols: Uint32Array
  /** UTC milliseconds of each row; of length 0 if the file has no date column. */
  timestamps: Float64Array
  /**
   * By value column of the header: Float64Array for double, integer and date (UTC milliseconds) with NaN for an empty cell; array
   * with null for an empty cell for string.
   */
  values: NcsvValues[]
  /** Metadata given in this batch: symbol number to values by metadata column, the latest of the batch; null = not given. */
  metadata: Map<number, NcsvMetadataValue[]>
}

export type NcsvValues = Float64Array | (string | null)[]

/** Text for string; number for double, integer and date (UTC milliseconds); null where the file gives none. */
export type NcsvMetadataValue = string | number | null
