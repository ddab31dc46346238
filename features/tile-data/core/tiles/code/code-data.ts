import { resultColumns, type SeriesResult } from '../../series/series-result.ts'

/** The rows of a tile in the form that its code receives as `headwater.data`. */
export interface CodeData {
  /** Kind of each column: `symbol`, `time`, `number` or `text`. */
  columns: { name: string; kind: string }[]
  /**
   * Rows, newest first. Numeric cells are numbers, and empty cells are null. Times are local times of the tile's zone.
   */
  rows: (string | number | null)[][]
}

/** Converts a result to the data of code. */
export function codeDataOf(result: SeriesResult): CodeData {
  const columns = resultColumns(result)
  return {
    columns: columns.map(({ name, kind }) => ({ name, kind })),
    rows: result.rows.map((row) =>
      columns.map(({ index, kind }) => {
        const text = row[index]!
        if (text === '') return null
        const value = kind === 'number' ? Number(text) : Number.NaN
        return Number.isNaN(value) ? text : value
      }),
    ),
  }
}
