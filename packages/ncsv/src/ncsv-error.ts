/** One fault of a file, at a place a person can find in an editor. */
export interface NcsvProblem {
  /** Line of the file, from 1; header, comments and blank lines count. For a row over several lines its first. -1 = the whole file. */
  row: number
  /** Column, from 1. -1 = the whole row. */
  column: number
  /** Header text of the column, empty if there is none. */
  columnName: string
  /** What was found and what is allowed. */
  message: string
}

/** Thrown when a file breaks the rules of NCSV; it tells several faults at once. */
export class NcsvError extends Error {
  /** The first faults in the order of the file; at least one. */
  readonly problems: readonly NcsvProblem[]
  /** True if reading stopped at the limit, so there may be more. */
  readonly hasMore: boolean

  constructor(problems: readonly NcsvProblem[], hasMore: boolean) {
    const first = problems[0]
    const more = problems.length > 1 ? ` (and ${hasMore ? 'at least ' : ''}${problems.length - 1} more)` : ''
    super(first ? `${describeProblem(first)}${more}` : 'The file is not valid NCSV.')
    this.name = 'NcsvError'
    this.problems = problems
    this.hasMore = hasMore
  }
}

/** A fault as one sentence: `Row 3, column 2 (Close): …`. */
export function describeProblem(problem: NcsvProblem): string {
  if (problem.row < 0) return problem.message
  const column = problem.column < 0 ? '' : `, column ${problem.column}`
  const name = problem.columnName === '' ? '' : ` (${problem.columnName})`
  return `Row ${problem.row}${column}${name}: ${problem.message}`
}

/** Text of a file shortened for a message, so that a message stays one line whatever the file holds. */
export function quoteForMessage(text: string): string {
  const short = text.length > 40 ? `${text.slice(0, 40)}…` : text
  return JSON.stringify(short)
}
