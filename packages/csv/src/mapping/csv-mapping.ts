import type { DecimalSign } from '../decimal-sign.ts'
import { isDateFormat } from '../date-format.ts'
import { quoteForMessage } from '../row-problem.ts'

/** Usage of a column: values per date, or metadata of symbols. */
export const columnTypes = ['Value', 'Metadata'] as const
/** Usage of a column: values per date, or metadata of symbols. */
export type ColumnType = (typeof columnTypes)[number]

/** Codes of the types of columns: double, string, integer and date. */
export const valueTypes = ['DB', 'S', 'I', 'D'] as const
/** Code of the type of a column. */
export type ValueType = (typeof valueTypes)[number]

/** Configuration of a value or metadata column. */
export interface ColumnConfiguration {
  /** Whether the column contains values or metadata. */
  columnType: ColumnType
  /** Code of its type. */
  type: ValueType
  /** Format of its dates; required for the type D. */
  dateFormat?: string | undefined
  /** IANA time zone of its dates; required for the type D. */
  timezone?: string | undefined
}

/** A mapped column of a CSV file. */
export interface MappedColumn extends ColumnConfiguration {
  /** Name in the header of the file. */
  column: string
  /** Name of the values in the series; default: the name of the column. */
  name?: string | undefined
}

/** How the columns of a CSV file become symbols, dates and values of NCSV. */
export interface CsvMapping {
  /** Character between cells. */
  separator: string
  /** Character before the fraction of numbers. */
  decimalSign: DecimalSign
  /**
   * Whether the first row contains the column names. Otherwise they are `Column 1`, `Column 2` and so on. Default true.
   */
  hasHeader?: boolean | undefined
  /** Columns that identify the symbol of a row. */
  symbolColumns: string[]
  /** Symbol keys with the same value in all rows. */
  constantSymbols: { name: string; value: string }[]
  /** The column of the dates; its zone applies to dates without an offset. */
  date: { column: string; dateFormat: string; timezone: string }
  /** Value and metadata columns; all other columns are omitted. */
  columns: MappedColumn[]
}

/** Returns the name of the values of a column in the series. */
export function seriesName({ column, name }: Pick<MappedColumn, 'column' | 'name'>): string {
  return name?.trim() ?? column
}

/** Returns whether a header names the date column of an NCSV file, such as `Date(UTC)`. */
export function isDateName(name: string): boolean {
  return /^date(time)?(\([^()]*\))?$/i.test(name.trim())
}

/** Checks the names of values and metadata in the series. Returns the first problem as a sentence. */
export function problemOfNames({ columns }: Pick<CsvMapping, 'columns'>): string | undefined {
  const used = new Set<string>()
  for (const column of columns) {
    const name = seriesName(column)
    if (name === '') return `Enter a name for the values of the column ${quoteForMessage(column.column)}.`
    if (column.name !== undefined && isDateName(name))
      return `${quoteForMessage(name)} is the name of a date column. Choose another name for the values.`
    if (column.name !== undefined && /\((MD-)?(S|DB|I|D)\)$/.test(name))
      return `${quoteForMessage(name)} ends with the code of a type. Choose a name without it.`
    const key = `${column.columnType} ${name}`
    if (used.has(key))
      return `Two columns have the name ${quoteForMessage(name)}. Choose another name for one.`
    used.add(key)
  }
  return undefined
}

/** Returns the suffix of a configured column: its type code, prefixed `MD-` for metadata. */
export function columnSuffix({ columnType, type }: Pick<ColumnConfiguration, 'columnType' | 'type'>): string {
  return columnType === 'Metadata' ? `MD-${type}` : type
}

/** Returns the header of a configured column: its name followed by its suffix in brackets. */
export function configuredHeader(
  name: string,
  column: Pick<ColumnConfiguration, 'columnType' | 'type'>,
): string {
  return `${name}(${columnSuffix(column)})`
}

/** Returns whether a column is completely configured: a date needs its format and its time zone. */
export function isConfigured(column: Partial<ColumnConfiguration>): column is ColumnConfiguration {
  if (column.columnType === undefined || column.type === undefined) return false
  if (column.type !== 'D') return true
  return isDateFormat(column.dateFormat ?? '') && (column.timezone ?? '') !== ''
}

/**
 * Returns unique names for the columns of a file: an empty name becomes `Column 3`, and repeated names get numbers,
 * such as `Price (1)` and `Price (2)`.
 */
export function columnNames(header: readonly string[]): string[] {
  const trimmed = header.map((name) => name.trim())
  const counts = new Map<string, number>()
  for (const name of trimmed) counts.set(name, (counts.get(name) ?? 0) + 1)
  const used = new Set(trimmed.filter((name) => counts.get(name) === 1))
  const numbers = new Map<string, number>()
  return trimmed.map((name, index) => {
    if (name !== '' && counts.get(name) === 1) return name
    for (;;) {
      const number = (numbers.get(name) ?? 0) + 1
      numbers.set(name, number)
      const unique = name === '' ? `Column ${Math.max(number, index + 1)}` : `${name} (${number})`
      if (used.has(unique)) continue
      used.add(unique)
      return unique
    }
  })
}

/** Returns the names of the columns that a mapping needs in the header of a file. */
function requiredColumns(mapping: CsvMapping): string[] {
  return [mapping.date.column, ...mapping.symbolColumns, ...mapping.columns.map(({ column }) => column)]
}

/**
 * Returns whether a mapping fits a file: the header contains each of its columns exactly once.
 * @param header names of the columns; repeated names do not fit
 */
export function fitsHeader(mapping: CsvMapping, header: readonly string[]): boolean {
  const names = new Set(columnNames(header))
  return requiredColumns(mapping).every((column) => names.has(column))
}
