import { directionProblem } from '@headwater/contract'
import { CsvError, CsvReader, isEmptyLine } from '@headwater/csv'
import { NcsvError, readNcsv } from '@headwater/ncsv'
import { fileErrors, maxValidatedRows, type NcsvIssue } from '../contract/index.ts'

/** Maximum number of problems in a response. */
const maxIssues = 5000

/**
 * Validates text as NCSV.
 * @returns no items for a valid text; otherwise its problems, and a summary as the last item
 * @throws tooManyRows
 */
export async function validateNcsv(text: string): Promise<NcsvIssue[]> {
  if (countRows(text, maxValidatedRows + 2) > maxValidatedRows + 1)
    throw fileErrors.tooManyRows({ limit: maxValidatedRows })
  try {
    const { batches } = await readNcsv([Buffer.from(text)], {
      errorLimit: maxIssues,
      listsAllProblems: true,
      symbolProblem: directionProblem,
    })
    for await (const batch of batches) void batch
    return []
  } catch (error) {
    if (!(error instanceof NcsvError)) throw error
    const issues = error.problems.map(({ row, column, message }) => ({
      rowNumber: row,
      columnNumber: column,
      message,
    }))
    const count = error.hasMore ? `At least ${issues.length}` : String(issues.length)
    return [...issues, { rowNumber: -1, columnNumber: -1, message: `Problems in total: ${count}.` }]
  }
}

/** Counts rows up to a limit, including the header. */
function countRows(text: string, limit: number): number {
  let count = 0
  const reader = new CsvReader((row) => {
    if (!isEmptyLine(row) && !row[0]!.startsWith('#')) count++
    return count < limit
  })
  try {
    reader.push(text)
    reader.end()
  } catch (error) {
    // The validation reports the position of the quote.
    if (!(error instanceof CsvError)) throw error
  }
  return count
}
