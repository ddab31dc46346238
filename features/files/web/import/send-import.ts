import { describeProblem, type RowProblem } from '@headwater/csv'
import type { ContentReceipt, FieldPair } from '../../contract/index.ts'
import { uploadFile } from '../files-client.ts'
import { convertFile } from './convert-file.ts'
import { type ImportDraft, newImportDraft } from './import-draft.ts'
import { readBeginning } from './read-beginning.ts'

/** Maximum number of problems in a message. */
const listedProblems = 10

/** Series that were imported. */
export interface ImportedSeries {
  /** Id of the series file. */
  fileId: string
  /** Group of the file. */
  groupName: string
  /** Number of rows. */
  rowCount: number
  /** Number of symbols, up to 10,000. */
  symbolCount: number
  /** The first symbol. */
  symbol: Record<string, string>
}

/** Reads the beginning of a CSV file and suggests how it becomes series; a message if it is not a table. */
export async function beginImport(
  file: File,
  timezone: string,
  hasHeader: boolean | undefined,
): Promise<ImportDraft | { problem: string }> {
  const sample = await readBeginning(file, hasHeader)
  return 'problem' in sample ? sample : newImportDraft(sample, { fileName: file.name, timezone })
}

/**
 * Converts a CSV file in a worker and uploads the result as a series file. Nothing is uploaded if a row has a problem.
 * @throws AbortError when `signal` aborts, and errors of the upload
 */
export async function sendImport(
  file: File,
  { mapping, fileName: name }: Pick<ImportDraft, 'mapping' | 'fileName'>,
  {
    groupName,
    fields,
    userName,
    signal,
    onConverting,
    onProgress,
  }: {
    groupName: string
    fields: FieldPair[]
    userName: string | undefined
    signal: AbortSignal
    /** Called with the fraction of the file that has been converted, 0 to 1. */
    onConverting: (fraction: number) => void
    /** Called with the fraction of the result that has been sent, 0 to 1. */
    onProgress: (fraction: number) => void
  },
): Promise<{ problem: string } | { receipt: ContentReceipt; imported: ImportedSeries }> {
  const converted = await convertFile(file, mapping, { signal, onProgress: onConverting })
  if (converted.problems.length > 0) return { problem: problemText(converted.problems) }
  const { content, rowCount, symbolCount, symbol = {}, lineShift } = converted
  const fileName = name.trim()
  // Has the time of the original file, so that an interrupted upload can continue.
  const series = new File([content], fileName, { type: 'text/csv', lastModified: file.lastModified })
  const receipt = await uploadFile(
    series,
    { groupName, fileName, fileType: 'NCSV', fields },
    { signal, userName, onProgress },
  )
  if (receipt.status === 'REJECTED') return { problem: receipt.message + shiftNote(lineShift) }
  return {
    receipt,
    imported: { fileId: receipt.fileId, groupName, rowCount, symbolCount, symbol },
  }
}

/** Lists problems, one per line. */
function problemText(problems: readonly RowProblem[]): string {
  const lines = problems.slice(0, listedProblems).map((problem) => describeProblem(problem))
  const rest = problems.length - lines.length
  return [...lines, ...(rest > 0 ? [`and ${rest} more`] : []), 'Nothing was imported.'].join('\n')
}

/** Returns a note about line numbers if the converted file has a header that the original file lacks. */
function shiftNote(lineShift: number): string {
  return lineShift === 0
    ? ''
    : '\nRow numbers in this message include the header row that the import added: row 2 is the first line of your file.'
}
