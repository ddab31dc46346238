import { CsvError, CsvReader, isEmptyLine } from '../csv-reader.ts'
import { detectDateFormats, detectDateFormatsWithErrors, parseDate } from '../date-format.ts'
import { isDecimalSignAmbiguous } from '../decimal-sign.ts'
import { findSeparator } from '../separator.ts'
import { columnNames, type CsvMapping } from './csv-mapping.ts'
import { suggestMapping } from './suggest-mapping.ts'

/** The first rows of a CSV file. */
export interface CsvSample {
  /** Character between cells. */
  separator: string
  /** Whether the first row contains names of columns. */
  hasHeader: boolean
  /** Unique names of the columns. */
  names: string[]
  /** The first rows after the header. */
  rows: string[][]
  /** Line number of each of these rows, from 1. */
  lines: number[]
  /** Line number of the header; 0 if there is none. */
  headerLine: number
  /** Whether these are all rows of the file. */
  isWhole: boolean
}

/** Dates in which either the day or the month can come first. */
export interface DateAmbiguity {
  /** A date that has a different meaning in each format. */
  example: string
  /** The two formats, the more probable one first. */
  formats: [string, string]
}

/** A suggested mapping, with the choices that a user must make. */
export interface ImportSuggestion {
  /** The mapping; undefined if no column contains dates. */
  mapping: CsvMapping | undefined
  /** Ambiguity in the order of day and month; undefined if it is clear. */
  dateAmbiguity: DateAmbiguity | undefined
  /** Whether numbers such as `1,234` can be thousands or fractions. */
  isDecimalSignAmbiguous: boolean
}

/** Number of rows on which suggestions are based. */
const maxRows = 1000

/**
 * Reads the first rows of a CSV file.
 * @param text beginning of the file
 * @param isWholeText whether no more text follows
 * @param hasHeader whether the first row contains names. Default: detected; a row with a date in a date column is not a
 * header
 * @returns a message if the text is not CSV or has no rows
 */
export function readCsvSample(
  text: string,
  isWholeText: boolean,
  hasHeader?: boolean,
): CsvSample | { problem: string } {
  const separator = findSeparator(withoutComments(text), true)
  const all: string[][] = []
  const lines: number[] = []
  let isCut = false
  const reader = new CsvReader(
    (row, line) => {
      if (isEmptyLine(row) || (all.length === 0 && row[0]!.startsWith('#'))) return true
      isCut = all.length > maxRows
      if (isCut) return false
      all.push(row)
      lines.push(line)
      return true
    },
    { separator },
  )
  try {
    reader.push(text)
    if (isWholeText) reader.end()
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    return { problem: error.message }
  }
  const [first] = all
  if (first === undefined) return { problem: 'The file is empty. It needs a header line and rows.' }
  const isHeader = hasHeader ?? !isData(first, all.slice(1))
  const rows = isHeader ? all.slice(1) : all
  if (rows.length === 0)
    return { problem: 'The file has a header line but no rows. Nothing can be imported.' }
  return {
    separator,
    hasHeader: isHeader,
    names: columnNames(isHeader ? first : first.map(() => '')),
    rows,
    lines: isHeader ? lines.slice(1) : lines,
    headerLine: isHeader ? lines[0]! : 0,
    isWhole: isWholeText && !isCut,
  }
}

/** Suggests a mapping for the first rows of a file, and finds the ambiguities that only the user can resolve. */
export function suggestImport(
  { separator, hasHeader, names, rows }: CsvSample,
  { fileName, timezone }: { fileName: string; timezone: string },
): ImportSuggestion {
  const suggested = suggestMapping({ header: names, rows, separator, fileName, timezone })
  if (suggested === undefined)
    return { mapping: undefined, dateAmbiguity: undefined, isDecimalSignAmbiguous: false }
  const cellsOf = (name: string) => {
    const index = names.indexOf(name)
    return rows.map((row) => row[index] ?? '')
  }
  const numbers = suggested.columns
    .filter(({ type }) => type === 'DB')
    .flatMap(({ column }) => cellsOf(column))
  // Other columns with dates of unclear order are treated as text.
  const columns = suggested.columns.map((column) =>
    column.type === 'D' && findDateAmbiguity(cellsOf(column.column)) !== undefined
      ? { column: column.column, columnType: column.columnType, type: 'S' as const }
      : column,
  )
  return {
    mapping: { ...suggested, columns, ...(hasHeader ? {} : { hasHeader }) },
    dateAmbiguity: findDateAmbiguity(cellsOf(suggested.date.column)),
    isDecimalSignAmbiguous: isDecimalSignAmbiguous(numbers, separator),
  }
}

/**
 * Returns an ambiguity if all dates, except for a few errors, are valid both with the day and with the month first, and the
 * two readings differ.
 */
export function findDateAmbiguity(cells: readonly string[]): DateAmbiguity | undefined {
  const formats = detectDateFormatsWithErrors(cells)
  const first = formats.find((format) => /^(dd|MM)[^a-z]*(dd|MM)[^a-zA-Z]/.test(format))
  if (first === undefined) return undefined
  const swapped = { dd: 'MM', MM: 'dd' } as const
  const other = formats.find((format) => format === first.replace(/dd|MM/g, (part) => swapped[part as 'dd']))
  if (other === undefined) return undefined
  const filled = cells.filter((cell) => cell.trim() !== '')
  const example = filled.find((cell) => parseDate(first, cell)?.localMs !== parseDate(other, cell)?.localMs)
  return example === undefined ? undefined : { example: example.trim(), formats: [first, other] }
}

/** Returns whether the first row is data rather than a header: it has a date in the date column. */
function isData(first: readonly string[], rows: readonly (readonly string[])[]): boolean {
  return first.some((cell, index) => {
    if (cell.trim() === '') return false
    return detectDateFormats([cell, ...rows.slice(0, 50).map((row) => row[index] ?? '')]).length > 0
  })
}

function withoutComments(text: string): string {
  return text.replace(/^\uFEFF?(?:#[^\r\n]*(?:\r\n|\r|\n)|[\r\n])*/, '')
}
