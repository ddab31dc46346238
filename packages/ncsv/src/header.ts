import { quoteForMessage } from '@headwater/csv'
import { isTimeZone } from '@headwater/zones'
import type { NcsvProblem } from './ncsv-error.ts'

/** Type of a value or metadata column. */
export type NcsvType = 'double' | 'integer' | 'string' | 'date'

/** A value or metadata column. */
export interface NcsvColumn {
  /** Name without its type suffix. */
  name: string
  /** Type of its values. */
  type: NcsvType
  /** Position in the row, from 0. */
  index: number
}

/** Columns of a file, read from its header line. */
export interface NcsvHeader {
  /** Columns that identify the symbol of a row; at least one. */
  symbolColumns: { name: string; index: number }[]
  /** The date column; undefined for a file of metadata only. */
  dateColumn?: { name: string; index: number; timeZone: string }
  /** Value columns, from left to right. */
  valueColumns: NcsvColumn[]
  /** Metadata columns, from left to right. */
  metadataColumns: NcsvColumn[]
  /** Header text of every column, trimmed. */
  names: string[]
  /** Line of the header in the file, from 1. */
  line: number
}

const suffixByType: Record<NcsvType, string> = { string: 'S', double: 'DB', integer: 'I', date: 'D' }
const typeBySuffix: Record<string, NcsvType> = { S: 'string', DB: 'double', I: 'integer', D: 'date' }

/**
 * Parses the cells of a header line. Left of the date column (`Date`, `DateTime` or `Date(<zone>)`, in any case) are
 * symbol columns, at least one. Right of it are value columns with a suffix `(S)`, `(DB)`, `(I)`, `(D)` or none
 * (double), and metadata columns `(MD-S)` and so on. Other text in brackets is part of the name. Without a date column
 * the file contains only metadata, and its symbol columns are those without an MD suffix.
 *
 * @param row line number of the header
 */
export function parseNcsvHeader(
  cells: readonly string[],
  row = 1,
): { header?: NcsvHeader; problems: NcsvProblem[] } {
  const names = cells.map((cell) => cell.trim())
  const problems: NcsvProblem[] = []
  const report = (index: number, message: string) =>
    problems.push({ row, column: index + 1, columnName: names[index] ?? '', message })

  names.forEach((name, index) => {
    if (name === '') report(index, 'The column has no name. Enter a name in the header.')
    const first = names.indexOf(name)
    if (name !== '' && first < index) {
      report(
        index,
        `The name appears in the header twice, in columns ${first + 1} and ${index + 1}; names must be unique.`,
      )
    }
  })

  const dateColumns = names.flatMap((name, index) => {
    const timeZone = parseDateHeader(name)
    return timeZone === undefined ? [] : [{ name, index, timeZone }]
  })
  for (const { index, timeZone } of dateColumns) {
    if (!isTimeZone(timeZone)) {
      report(
        index,
        `${quoteForMessage(timeZone)} is not a known time zone. Use an IANA name such as Europe/Warsaw or UTC.`,
      )
    }
  }
  for (const extra of dateColumns.slice(1)) {
    report(
      extra.index,
      `This is a second date column; column ${(dateColumns[0]?.index ?? 0) + 1} is already the date column.`,
    )
  }

  const dateColumn = dateColumns[0]
  const header: NcsvHeader = { symbolColumns: [], valueColumns: [], metadataColumns: [], names, line: row }
  if (dateColumn) header.dateColumn = dateColumn
  names.forEach((name, index) => {
    if (dateColumns.some((column) => column.index === index)) return
    const suffix = parseTypeSuffix(name)
    if (dateColumn === undefined ? !suffix.isMetadata : index < dateColumn.index) {
      if (suffix.isMetadata)
        report(index, 'A metadata column is left of the date; only symbol columns are allowed there.')
      header.symbolColumns.push({ name, index })
    } else if (suffix.name === '') {
      if (name !== '') report(index, 'The column has a type but no name.')
    } else {
      const list = suffix.isMetadata ? header.metadataColumns : header.valueColumns
      const twin = list.find((column) => column.name === suffix.name)
      if (twin && names[twin.index] !== name) {
        report(
          index,
          `Column ${twin.index + 1} already has the name ${quoteForMessage(suffix.name)}, with another type.`,
        )
      }
      list.push({ name: suffix.name, type: suffix.type, index })
    }
  })
  if (header.symbolColumns.length === 0 && problems.length === 0) {
    problems.push({
      row,
      column: -1,
      columnName: '',
      message: dateColumn
        ? 'There is no symbol column; at least one is needed left of the date.'
        : 'There is neither a date column nor a symbol column; at least one column must identify the symbol.',
    })
  }
  if (!dateColumn && header.metadataColumns.length === 0 && problems.length === 0) {
    problems.push({
      row,
      column: -1,
      columnName: '',
      message:
        'There is no date column (named Date, DateTime or Date(<zone>)) and no metadata column (such as Name(MD-S)); a file needs one of them.',
    })
  }
  if (problems.length === 0) return { header, problems }
  // If the separator is wrong, all other problems are consequences of it.
  const separator = dateColumn ? undefined : findForeignSeparator(names)
  const message = separator && describeForeignSeparator(separator)
  return { problems: message ? [{ row, column: -1, columnName: '', message }] : problems }
}

/** Separators of other formats, by character, with their names for messages. */
const foreignSeparators: Record<string, string> = { ';': '“;”', '\t': 'tabs', '|': '“|”' }

/** Returns the message for a file with this separator; undefined if the character is not a common separator. */
export function describeForeignSeparator(character: string): string | undefined {
  const name = foreignSeparators[character]
  return (
    name &&
    `The file seems to use ${name} as its separator; NCSV uses commas. Save it as CSV with commas between cells and decimal points in numbers.`
  )
}

/** Splits a header text into name, type and whether it is metadata: `Unit(MD-S)` is metadata `Unit` of type string. */
export function parseTypeSuffix(text: string): { name: string; type: NcsvType; isMetadata: boolean } {
  const match = /^(.*)\((MD-)?(S|DB|I|D)\)$/s.exec(text)
  const type = match && typeBySuffix[match[3] ?? '']
  if (!match || !type) return { name: text, type: 'double', isMetadata: false }
  return { name: (match[1] ?? '').trim(), type, isMetadata: match[2] !== undefined }
}

/** Formats a type suffix such as `(S)` or `(MD-DB)`; empty for a value column of doubles. */
export function formatTypeSuffix(type: NcsvType, isMetadata = false): string {
  if (isMetadata) return `(MD-${suffixByType[type]})`
  return type === 'double' ? '' : `(${suffixByType[type]})`
}

/**
 * Finds a character that splits the names into a header with a date or metadata, or that splits a single name into
 * several.
 */
function findForeignSeparator(names: readonly string[]): string | undefined {
  return Object.keys(foreignSeparators).find((character) => {
    const parts = names.flatMap((name) => name.split(character)).map((part) => part.trim())
    if (parts.length === names.length) return false
    const isHeaderPart = (part: string) =>
      parseDateHeader(part) !== undefined || parseTypeSuffix(part).isMetadata
    return names.length === 1 || parts.some((part) => isHeaderPart(part) && !names.includes(part))
  })
}

/** Returns the zone of a date header; undefined for other headers. For example, `Date In(S)` is a value column. */
function parseDateHeader(name: string): string | undefined {
  const match = /^date(?:time)?(?:\(([^()]*)\))?$/i.exec(name)
  if (!match) return undefined
  const zone = match[1]?.trim()
  if (zone === undefined) return 'UTC'
  return /^(S|DB|I|D|MD-(S|DB|I|D))$/.test(zone) ? undefined : zone
}
