import type { SeriesResult } from './series-result.ts'

/** The result of one query and its groups. */
export interface LoadedResult {
  /** Groups of the rows; the empty name for files and typed tables. */
  groupNames: ReadonlySet<string>
  /** The parsed rows. */
  result: SeriesResult
  /** Returns the rows of one symbol, newest first. */
  rowsOf: (symbols: Record<string, string>) => readonly string[][]
  /** Whether it is a file or typed table, whose rows keep their order. */
  isTable?: boolean
}
