/** A problem in a CSV or NCSV file, with its position. */
export interface RowProblem {
  /**
   * Line number in the file, from 1, including header, comments and blank lines. For a row with line breaks, its first
   * line. -1 for the whole file.
   */
  row: number
  /** Column number, from 1. -1 for the whole row. */
  column: number
  /** Header text of the column, empty if there is none. */
  columnName: string
  /** Message that states the invalid text and what is allowed. */
  message: string
  /** Number of rows with this kind of problem in the column, including this first one. Default 1. */
  rowCount?: number
}

/**
 * Formats a problem: `Row 3, column 2 (Close): …`, and with several rows also `1,517 more rows have this problem.`
 * @param hasMore whether there may be more rows. Default false.
 */
export function describeProblem(problem: RowProblem, hasMore = false): string {
  const { row, message, rowCount = 1 } = problem
  if (row < 0) return message
  const first = `Row ${describePosition(problem)}: ${message}`
  if (rowCount === 1) return first
  const more = rowCount === 2 ? '1 more row has' : `${(rowCount - 1).toLocaleString('en')} more rows have`
  return `${first} ${hasMore ? 'At least ' : ''}${more} this problem.`
}

/** Quotes and shortens text from a file, so that a message stays on one line. */
export function quoteForMessage(text: string): string {
  return JSON.stringify(shortened(text))
}

function describePosition(problem: RowProblem): string {
  const column = problem.column < 0 ? '' : `, column ${problem.column}`
  const name = problem.columnName === '' ? '' : ` (${shortened(problem.columnName.replaceAll(/\s+/g, ' '))})`
  return `${problem.row}${column}${name}`
}

function shortened(text: string): string {
  // Avoids half of a surrogate pair.
  return text.length > 40 ? `${text.slice(0, 40).replace(/[\ud800-\udbff]$/, '')}…` : text
}
