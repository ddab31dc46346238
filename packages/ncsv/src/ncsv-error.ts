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

/** Most faults that a message names; the rest is counted. */
const shownProblems = 10

/** Thrown when a file breaks the rules of NCSV; its message names up to 10 faults, each on a line of its own. */
export class NcsvError extends Error {
  /** The first faults in the order of the file; at least one. */
  readonly problems: readonly NcsvProblem[]
  /** True if reading stopped at the limit, so there may be more. */
  readonly hasMore: boolean

  constructor(problems: readonly NcsvProblem[], hasMore: boolean) {
    super(problems.length === 0 ? 'The file is not valid NCSV.' : describeProblems(problems, hasMore))
    this.name = 'NcsvError'
    this.problems = problems
    this.hasMore = hasMore
  }
}

/** A fault as one sentence: `Row 3, column 2 (Close): …`. */
export function describeProblem(problem: NcsvProblem): string {
  if (problem.row < 0) return problem.message
  const column = problem.column < 0 ? '' : `, column ${problem.column}`
  const name = problem.columnName === '' ? '' : ` (${shortened(problem.columnName.replaceAll(/\s+/g, ' '))})`
  return `Row ${problem.row}${column}${name}: ${problem.message}`
}

/** Text of a file shortened for a message, so that a message stays one line whatever the file holds. */
export function quoteForMessage(text: string): string {
  return JSON.stringify(shortened(text))
}

function describeProblems(problems: readonly NcsvProblem[], hasMore: boolean): string {
  const lines = problems.slice(0, shownProblems).map(describeProblem)
  const rest = problems.length - lines.length
  if (rest > 0) lines.push(`and ${hasMore ? 'at least ' : ''}${rest} more`)
  return lines.join('\n')
}

function shortened(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text
}
