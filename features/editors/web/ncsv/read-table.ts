import {
  CsvError,
  CsvReader,
  detectDecimalSign,
  detectEncoding,
  findSeparator,
  isEmptyLine,
  suggestMapping,
  type ColumnConfiguration,
} from '@headwater/csv'
import type { NcsvChoices, NcsvTable } from './ncsv-table.ts'

/** Maximum number of columns of a file in the creator. */
export const maxColumns = 200
/** Number of rows on which suggestions are based. */
const sampleRows = 200
/** Number of lines that can contain the names of the columns. */
const maxHeaderLines = 20
/** Number of characters of a line that the choice of the header displays. */
const lineChars = 60

/** A file that was read for the creator, with suggested choices. */
export interface ReadTable {
  /** The rows. */
  table: NcsvTable
  /** Suggested choices. */
  choices: NcsvChoices
  /** Line with the names of the columns, from 1. */
  headerLine: number
  /** The first lines that can be the header, with their beginning. */
  firstLines: readonly { line: number; text: string }[]
}

/** Reason why a file cannot be converted to a series file. */
export interface TableProblem {
  /** Message for users. */
  problem: string
  /** Whether the file has no rows; otherwise it is damaged or not a table. */
  isEmpty?: boolean
}

/**
 * Reads a CSV file and suggests choices. Returns the problem of a file that is not a table.
 * @param headerLine line with the names of the columns; lines above it are omitted. Default: the first line that is not a title
 */
export function readTable(
  content: ArrayBuffer | Uint8Array,
  fileName: string,
  timezone: string,
  headerLine?: number,
): ReadTable | TableProblem {
  const bytes = new Uint8Array(content)
  const text = new TextDecoder(detectEncoding(bytes, true)).decode(bytes)
  const separator = findSeparator(text, true)
  const rows: string[][] = []
  const lines: number[] = []
  const reader = new CsvReader(
    (row, line) => {
      if (isEmptyLine(row) || (rows.length === 0 && row[0]!.startsWith('#'))) return
      rows.push(row)
      lines.push(line)
    },
    { separator },
  )
  try {
    reader.push(text)
    reader.end()
  } catch (error) {
    if (error instanceof CsvError) return { problem: error.message }
    throw error
  }
  const headerAt = headerLine === undefined ? findHeader(rows) : lines.indexOf(headerLine)
  const header = rows[headerAt]
  const body = rows.slice(headerAt + 1)
  if (header === undefined || body.length === 0)
    return {
      isEmpty: true,
      problem:
        header === undefined
          ? 'The file is empty. A series file needs a line with column names and at least one row, for example “Date,Price” and “2026-01-31,80.5”. Add them in the CSV editor, or upload the file again.'
          : `The file contains only the line “${header.join(',').slice(0, 100)}”. Add at least one row below it in the CSV editor, or upload the file again.`,
    }
  if (header.length > maxColumns)
    return { problem: `The file has ${header.length} columns. The limit is ${maxColumns}.` }
  const uneven = body.findIndex((row) => row.length !== header.length)
  if (uneven >= 0)
    return {
      problem: `Line ${lines[headerAt + 1 + uneven]} has ${body[uneven]!.length} cells, but the header has ${header.length}. Correct the file and upload it again.`,
    }
  const headers = header.map((name, index) => name.trim() || `Column ${index + 1}`)
  const sample = body.slice(0, sampleRows)
  const suggested = suggestMapping({ header: headers, rows: sample, separator, fileName, timezone })
  const columns: Record<string, Partial<ColumnConfiguration>> = {}
  for (const { column, ...configuration } of suggested?.columns ?? []) columns[column] = configuration
  return {
    table: { headers, rows: body, lines: lines.slice(headerAt + 1) },
    headerLine: lines[headerAt]!,
    firstLines: rows.slice(0, Math.min(maxHeaderLines, rows.length - 1)).map((row, at) => ({
      line: lines[at]!,
      text: row.join(', ').slice(0, lineChars),
    })),
    choices: {
      date: suggested?.date ?? { column: null, dateFormat: null, timezone },
      symbolColumns: suggested?.symbolColumns ?? [],
      columns,
      decimalSign: suggested?.decimalSign ?? detectDecimalSign(sample.flat(), separator),
    },
  }
}

/** Returns the position of the first row that fills at least half as many cells as the fullest one. Rows above it are titles. */
function findHeader(rows: readonly (readonly string[])[]): number {
  const filled = rows
    .slice(0, Math.min(maxHeaderLines, rows.length - 1))
    .map((row) => row.filter((cell) => cell.trim() !== '').length)
  const most = Math.max(...filled)
  return Math.max(
    0,
    filled.findIndex((count) => count * 2 >= most),
  )
}
