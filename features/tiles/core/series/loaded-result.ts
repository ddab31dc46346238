import type { SeriesResult } from './series-result.ts'

/** What storage answered to one question, and to which groups it belongs. */
export interface LoadedResult {
  groupNames: ReadonlySet<string>
  result: SeriesResult
  /** The rows of one symbol, newest first. */
  rowsOf: (symbols: Record<string, string>) => readonly string[][]
  /** Whether it is a table that comes from no storage: its rows stand as they were written. */
  isTable?: boolean
}
