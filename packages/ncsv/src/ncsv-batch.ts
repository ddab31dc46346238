import type { NcsvHeader } from './header.ts'

/** A file being read: its header at once, its rows as they come. */
export interface NcsvReading {
  header: NcsvHeader
  /** Rows in columns. Iterate once. Throws an NcsvError at the end if anything was wrong; batches before the first fault were yielded. */
  batches: AsyncIterable<NcsvBatch>
}

/**
 * Rows in columns. A symbol is a distinct tuple of symbol values; symbols are numbered from 0 in order of first appearance over
 * the whole file.
 *
 * The same symbol and timestamp may come twice in one file: the reader yields both in file order, and the last one wins for
 * whoever stores them.
 */
export interface NcsvBatch {
  rowCount: number
  /** Tuples first seen in this batch; the first of them has number `firstNewSymbol`. */
  newSymbols: string[][]
  firstNewSymbol: number
  /** Symbol number of each row. */
  symbols: Uint32Array
  /** UTC milliseconds of each row; empty array if the file has no date column. */
  timestamps: Float64Array
  /** By value column: Float64Array for double, integer and date (UTC ms) with NaN = empty; array with null = empty for string. */
  values: NcsvValues[]
  /** Metadata seen in this batch, latest wins: symbol number to values by metadata column, as text fit to print, null = not given. */
  metadata: Map<number, (string | null)[]>
}

export type NcsvValues = Float64Array | (string | null)[]
