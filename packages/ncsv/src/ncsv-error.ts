import { describeProblem, type RowProblem } from '@headwater/csv'

/** A problem in a series file, with its position in an editor. */
export type NcsvProblem = RowProblem

/** Maximum number of problems in a message. Further problems are only counted. */
const maxListedProblems = 10

/** Thrown if a file is not valid NCSV. The message lists up to 10 problems, one per line. */
export class NcsvError extends Error {
  /** The first problem of each kind, in file order; at least one. */
  readonly problems: readonly NcsvProblem[]
  /** Whether reading stopped at a limit. If so, there can be more problems, and more rows with the same problem. */
  readonly hasMore: boolean

  constructor(problems: readonly NcsvProblem[], hasMore: boolean) {
    super(problems.length === 0 ? 'The file is not valid NCSV.' : describeProblems(problems, hasMore))
    this.name = 'NcsvError'
    this.problems = problems
    this.hasMore = hasMore
  }
}

function describeProblems(problems: readonly NcsvProblem[], hasMore: boolean): string {
  const lines = problems.slice(0, maxListedProblems).map((problem) => describeProblem(problem, hasMore))
  const rest = problems.length - lines.length
  if (rest > 0) lines.push(`and ${hasMore ? 'at least ' : ''}${rest} more`)
  return lines.join('\n')
}
