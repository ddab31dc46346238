import type { DecimalSign } from '../decimal-sign.ts'
import { isDateFormat } from '../date-format.ts'

/** Whether a column holds values of dates, or metadata of symbols. */
export const columnTypes = ['Value', 'Metadata'] as const
/** Whether a column holds values of dates, or metadata of symbols. */
export type ColumnType = (typeof columnTypes)[number]

/** Codes of the types of columns: double, string, integer and date. */
export const valueTypes = ['DB', 'S', 'I', 'D'] as const
/** Code of the type of a column. */
export type ValueType = (typeof valueTypes)[number]

/** Configuration of a value or metadata column. */
export interface ColumnConfiguration {
  /** Whether the column holds values or metadata. */
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
}

/** How the columns of a CSV file become symbols, dates and values of NCSV. */
export interface CsvMapping {
  /** Character between cells. */
  separator: string
  /** Character before the fraction of numbers. */
  decimalSign: DecimalSign
  /** Columns that identify the symbol of a row. */
  symbolColumns: string[]
  /** Symbol keys with the same value in all rows. */
  constantSymbols: { name: string; value: string }[]
  /** The column of the dates; its zone applies to dates without an offset. */
  date: { column: string; dateFormat: string; timezone: string }
  /** Value and metadata columns; all other columns are left out. */
  columns: MappedColumn[]
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

/** Returns the names of the columns that a mapping needs in the header of a file. */
export function requiredColumns(mapping: CsvMapping): string[] {
  return [mapping.date.column, ...mapping.symbolColumns, ...mapping.columns.map(({ column }) => column)]
}

/** Returns whether a mapping fits a file: the header contains each of its columns exactly once. */
export function fitsHeader(mapping: CsvMapping, header: readonly string[]): boolean {
  const names = header.map((name) => name.trim())
  return requiredColumns(mapping).every((column) => names.filter((name) => name === column).length === 1)
}
