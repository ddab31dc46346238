import {
  configuredHeader,
  dateConversion,
  formatCsvRow,
  isConfigured,
  parseDate,
  valueConversion,
  type CellConversion,
  type ColumnConfiguration,
  type DecimalSign,
} from '@headwater/csv'
import type { NcsvIssue } from '@headwater/files/contract'
import { createZoneClock } from '@headwater/zones'

/** Steps of the NCSV creator, in order. */
export const ncsvSteps = ['Date', 'Symbols', 'Columns', 'Validate'] as const

/** The rows of a CSV file during the conversion to NCSV. */
export interface NcsvTable {
  /** Names of the columns; the user can change them. */
  headers: readonly string[]
  /** Cells as in the file, each row as wide as the header. */
  rows: readonly (readonly string[])[]
  /** Line of each row in the original file, from 1. */
  lines: readonly number[]
}

/** The choice of the Date step. */
export interface DateChoice {
  /** Name of the date column; null for none. */
  column: string | null
  /** Format of its dates. */
  dateFormat: string | null
  /** IANA time zone of its dates. */
  timezone: string | null
}

/** Choices of the user so far. */
export interface NcsvChoices {
  /** Choice of the Date step. */
  date: DateChoice
  /** Names of the chosen symbol columns. */
  symbolColumns: readonly string[]
  /** Configurations by position of the column. */
  columns: Readonly<Record<string, Partial<ColumnConfiguration>>>
  /** Decimal sign of the numbers. */
  decimalSign: DecimalSign
}

/** The header of an applied date column. */
export const dateHeader = 'Date'
/** Maximum number of lines that a message lists. */
const maxListedLines = 20

const isDateName = (name: string) => name.trim().toLowerCase() === 'date'

/** Returns whether the Date step is complete: column, format and time zone are chosen. */
export function isDateChosen(
  date: DateChoice,
): date is { column: string; dateFormat: string; timezone: string } {
  return Boolean(date.column) && Boolean(date.dateFormat) && Boolean(date.timezone)
}

/**
 * Applies the choice of the Date step: the column gets the name Date. `toNcsv` converts its dates.
 * @returns a message if a column is missing, if another one is named Date, or if a date does not match the format
 */
export function applyDate(
  table: NcsvTable,
  { column, dateFormat }: { column: string; dateFormat: string },
): { table: NcsvTable } | { problem: string } {
  const index = table.headers.indexOf(column)
  if (index < 0) return { problem: `Could not find column ${column}. Please try again.` }
  if (table.headers.some((name, at) => at !== index && isDateName(name)))
    return { problem: 'Date columns already exist' }
  const failed = table.lines.filter((_, at) => parseDate(dateFormat, table.rows[at]![index]!) === undefined)
  if (failed.length > 0)
    return {
      problem: `Some rows does not match proper date format. Please verify the data. Failed rows: ${listed(failed)}`,
    }
  return { table: { ...table, headers: table.headers.with(index, dateHeader) } }
}

/** Adds a symbol with the same value in all rows as the first column. */
export function addConstant(table: NcsvTable, name: string, value: string): NcsvTable {
  return {
    ...table,
    headers: [name, ...table.headers],
    rows: table.rows.map((row) => [value, ...row]),
  }
}

/**
 * Renames one column, even if others have the same name, and replaces its name in the choices.
 * @param index position in the table, or after its symbols are applied if `ordered`
 */
export function renameColumn(
  table: NcsvTable,
  choices: NcsvChoices,
  { index, name, ordered }: { index: number; name: string; ordered: boolean },
): { table: NcsvTable; choices: NcsvChoices } {
  const position = ordered ? symbolOrder(table, choices.symbolColumns)[index]! : index
  const before = table.headers[position]!
  const { date, symbolColumns, columns } = choices
  const configuration = columns[before]
  return {
    table: { ...table, headers: table.headers.with(position, name) },
    choices: {
      ...choices,
      date: date.column === before ? { ...date, column: name } : date,
      symbolColumns: symbolColumns.map((column) => (column === before ? name : column)),
      columns: configuration === undefined ? columns : { ...columns, [name]: configuration },
    },
  }
}

/** Returns the problem of the date column after its step: it was renamed, or another column has its name. */
export function dateProblem({ headers }: Pick<NcsvTable, 'headers'>): string | undefined {
  const count = headers.filter(isDateName).length
  if (count === 0) return 'Date column does not exist.'
  return count > 1 ? 'There is more than one Date column. Verify the table headers.' : undefined
}

/** Returns the positions of the columns in the order of {@link applySymbols}. */
function symbolOrder(table: NcsvTable, symbolColumns: readonly string[]): number[] {
  const date = table.headers.findIndex(isDateName)
  const isLeft = (name: string, at: number) => at < date || symbolColumns.includes(name)
  const positions = table.headers.map((_, at) => at)
  const left = positions.filter((at) => at !== date && isLeft(table.headers[at]!, at))
  const right = positions.filter((at) => at !== date && !left.includes(at))
  return [...left, date, ...right]
}

/** Moves the chosen symbol columns to the left of the date column, in the order of the table. */
export function applySymbols(table: NcsvTable, symbolColumns: readonly string[]): NcsvTable {
  const order = symbolOrder(table, symbolColumns)
  return {
    ...table,
    headers: order.map((at) => table.headers[at]!),
    rows: table.rows.map((row) => order.map((at) => row[at]!)),
  }
}

/** Returns the problem of the Symbols step. */
export function symbolsProblem(table: NcsvTable, symbolColumns: readonly string[]): string | undefined {
  const names = table.headers.map((name) => name.trim())
  const hasSymbol =
    names.findIndex(isDateName) > 0 || symbolColumns.some((name) => names.includes(name.trim()))
  if (!hasSymbol) return 'At least one symbol has to be selected.'
  return new Set(names).size < names.length ? 'Column names can not be duplicated.' : undefined
}

/** Returns the problem of the Columns step: a column to the right of the date has no type, or a date no format or zone. */
export function columnsProblem(table: NcsvTable, choices: Pick<NcsvChoices, 'columns'>): string | undefined {
  const isComplete = valueColumns(table).every((name) => isConfigured(choices.columns[name] ?? {}))
  return isComplete ? undefined : 'All columns has to be set up.'
}

/** Names of the columns to the right of the date. */
export function valueColumns({ headers }: Pick<NcsvTable, 'headers'>): string[] {
  const date = headers.findIndex(isDateName)
  return date < 0 ? [] : headers.slice(date + 1)
}

/**
 * Returns a message with the number of dates in a column that match its format; undefined for a column that is not
 * completely configured as a date.
 */
export function columnDateMessage(
  table: NcsvTable,
  name: string,
  { type, dateFormat, timezone }: Partial<ColumnConfiguration>,
): { text: string; isProblem: boolean } | undefined {
  if (type !== 'D' || !dateFormat || !timezone) return undefined
  const index = table.headers.indexOf(name)
  const failed: number[] = []
  let formatted = 0
  table.rows.forEach((row, at) => {
    const text = row[index]!
    if (text.trim() === '' || parseDate(dateFormat, text) !== undefined) formatted++
    else failed.push(table.lines[at]!)
  })
  if (failed.length === 0) return { text: `${formatted} rows were formatted succesfully.`, isProblem: false }
  if (formatted === 0)
    return {
      text: 'There was a problem while formatting your date. Please change the date format.',
      isProblem: true,
    }
  return {
    text: `${formatted} rows were formatted succesfully. Formatting ${failed.length} rows failed. Failed rows index: ${listed(failed)}`,
    isProblem: true,
  }
}

/** The NCSV of a table. */
export interface NcsvOutput {
  /** Header of NCSV. */
  headers: string[]
  /** Converted cells; a cell that cannot be converted is unchanged. */
  rows: string[][]
  /** First line of each row in {@link text}, from 1. */
  lines: number[]
  /** The file. */
  text: string
}

/** Converts a table to NCSV with the chosen settings. An invalid cell stays unchanged, and the server reports it. */
export function toNcsv(table: NcsvTable, { columns, date, decimalSign }: NcsvChoices): NcsvOutput {
  const dateIndex = table.headers.findIndex(isDateName)
  const conversions = table.headers.map((name, at) => {
    if (at === dateIndex) return lenient(dateConversion(date.dateFormat ?? ''))
    return at < dateIndex ? unchanged : conversionOf(columns[name] ?? {}, decimalSign)
  })
  const headers = table.headers.map((name, at) => {
    if (at === dateIndex) return `${dateHeader}(${date.timezone ?? 'UTC'})`
    const column = columns[name]
    return at < dateIndex || column === undefined || !isConfigured(column)
      ? name
      : configuredHeader(name.trim(), column)
  })
  const rows = table.rows.map((row) => row.map((cell, at) => conversions[at]!(cell)))
  const texts = [headers, ...rows].map(formatCsvRow)
  const lines: number[] = []
  let line = 1
  texts.forEach((text, at) => {
    if (at > 0) lines.push(line)
    line += text.split(/\r\n|\r|\n/).length
  })
  return { headers, rows, lines, text: `${texts.join('\n')}\n` }
}

/** Result of the server validation as the grid displays it. */
export interface ValidationResult {
  /** Text above the grid; undefined for a valid file. */
  text: string | undefined
  /** Messages of the highlighted cells, by `row:column` from 0; column -1 is the whole row. */
  cells: ReadonlyMap<string, string>
}

/** Maps the response of the server validation to cells. Drops the last item, which is a summary. */
export function validationResult(
  items: readonly NcsvIssue[],
  output: Pick<NcsvOutput, 'lines'>,
): ValidationResult {
  const errors = items.slice(0, -1)
  const [first] = errors
  if (first === undefined) return { text: undefined, cells: new Map() }
  if (first.rowNumber === -1 && first.columnNumber === -1) return { text: first.message, cells: new Map() }
  const rowOfLine = new Map(output.lines.map((line, row) => [line, row]))
  const cells = new Map(
    errors.map(({ rowNumber, columnNumber, message }) => {
      const row = rowOfLine.get(rowNumber) ?? -1
      return [`${row}:${columnNumber < 0 ? -1 : columnNumber - 1}`, message] as const
    }),
  )
  return { text: 'Issues were found in highlighted cells below', cells }
}

/** Converts the cells of a column. Invalid cells stay unchanged. */
function conversionOf(
  { type, dateFormat, timezone = 'UTC' }: Partial<ColumnConfiguration>,
  decimalSign: DecimalSign,
): (text: string) => string {
  if (type === undefined) return unchanged
  return lenient(valueConversion(createZoneClock, { type, dateFormat, timezone }, decimalSign))
}

function lenient({ convert }: CellConversion): (text: string) => string {
  return (text) => convert(text) ?? text
}

function unchanged(text: string): string {
  return text
}

function listed(lines: readonly number[]): string {
  const rest = lines.length - maxListedLines
  return lines.slice(0, maxListedLines).join(', ') + (rest > 0 ? ` and ${rest} more` : '')
}
