import { CsvError, CsvReader, isEmptyLine } from '../csv-reader.ts'
import { formatLocalDate, parseDate } from '../date-format.ts'
import { toNumberText } from '../decimal-sign.ts'
import { formatCsvRow } from '../format-csv.ts'
import { configuredHeader, type CsvMapping, type MappedColumn } from './csv-mapping.ts'

/** A problem of a file, with its position in the original file. Equal problems of a column are counted. */
export interface ConversionProblem {
  /** Line of the file, from 1, of the first row with the problem. */
  line: number
  /** Position of the column in the file, from 1; -1 for a whole row or the whole file. */
  column: number
  /** Name of the column; empty for a whole row. */
  columnName: string
  /** The cell and what is allowed. */
  message: string
  /** Number of rows with this problem. */
  rowCount: number
}

/** Options of {@link CsvConverter}. */
export interface ConverterOptions {
  /** Receives each converted row, for example for a preview. */
  onRow?: (cells: readonly string[], line: number) => void
  /** Maximum characters of a cell. Default 1,000,000. */
  maxCellLength?: number
}

/** Returns the clock of a time zone that converts local time to UTC milliseconds. */
export type ZoneClocks = (timezone: string) => { toUtc(localMs: number): number }

type Convert = (text: string) => string | undefined

interface OutputColumn {
  index: number
  name: string
  convert: Convert
  expected: string
}

/** Most different problems that are listed. */
const maxProblems = 100

/**
 * Converts a CSV file to NCSV by a mapping, in pieces of text and with constant memory. If `problems` is not empty at the
 * end, the output lacks the rows with problems: do not store it.
 */
export class CsvConverter {
  /** The first problem of each kind, in the order of the file. */
  readonly problems: ConversionProblem[] = []
  /** Number of rows that were converted. */
  rowCount = 0
  readonly #byKind = new Map<string, ConversionProblem>()
  readonly #clocks: ZoneClocks
  readonly #mapping: CsvMapping
  readonly #options: ConverterOptions
  readonly #reader: CsvReader
  #header: string[] | undefined
  #columns: OutputColumn[] = []
  #isFailed = false
  #output: string[] = []

  constructor(clocks: ZoneClocks, mapping: CsvMapping, options: ConverterOptions = {}) {
    this.#clocks = clocks
    this.#mapping = mapping
    this.#options = options
    this.#reader = new CsvReader((row, line) => this.#take(row, line), {
      separator: mapping.separator,
      maxCellLength: options.maxCellLength ?? 1_000_000,
    })
  }

  /** Converts the next piece of text and returns complete rows of NCSV. */
  push(text: string): string {
    return this.#run(() => this.#reader.push(text))
  }

  /** Returns the rows after the last piece. */
  end(): string {
    return this.#run(() => {
      this.#reader.end()
      if (this.#header === undefined)
        this.#fail('The file is empty. It needs a header line with column names.')
    })
  }

  #run(read: () => void): string {
    if (this.#isFailed) return ''
    try {
      read()
    } catch (error) {
      if (!(error instanceof CsvError)) throw error
      this.#fail(error.message)
    }
    const text = this.#output.join('')
    this.#output = []
    return text
  }

  #fail(message: string, line = -1): void {
    this.#isFailed = true
    this.#report({ line, column: -1, columnName: '', message })
  }

  #take(row: string[], line: number): boolean {
    if (isEmptyLine(row)) return true
    if (this.#header === undefined) {
      // Exports begin with comments.
      if (row[0]!.startsWith('#')) return true
      this.#takeHeader(row, line)
      return !this.#isFailed
    }
    const width = this.#header.length
    const hasSurplus = row.length > width && row.slice(width).some((cell) => cell.trim() !== '')
    if (row.length < width || hasSurplus) {
      const message = `The row has another number of cells than the header, which has ${width}.`
      this.#report({ line, column: -1, columnName: '', message })
      return true
    }
    const cells = this.#mapping.constantSymbols.map(({ value }) => value)
    let isValid = true
    for (const { index, name, convert, expected } of this.#columns) {
      const text = row[index]!
      const cell = convert(text)
      if (cell === undefined) {
        const message = `${shortened(text)} is not ${expected}.`
        this.#report({ line, column: index + 1, columnName: name, message }, expected)
        isValid = false
      } else cells.push(cell)
    }
    if (!isValid) return true
    this.rowCount++
    this.#options.onRow?.(cells, line)
    this.#output.push(formatCsvRow(cells), '\n')
    return true
  }

  #takeHeader(row: string[], line: number): void {
    const header = row.map((name) => name.trim())
    this.#header = header
    const { constantSymbols, date, symbolColumns, columns } = this.#mapping
    const positions = new Map(header.map((name, index) => [name, index]))
    const indexOf = (name: string) => {
      const index = positions.get(name) ?? -1
      if (index < 0) this.#fail(`Could not find column ${name}. Please try again.`, line)
      return index
    }
    this.#columns = [
      ...symbolColumns.map((name) => ({
        index: indexOf(name),
        name,
        convert: (text: string) => (text.trim() === '' ? undefined : text),
        expected: 'a symbol; a cell of a symbol column must not be empty',
      })),
      {
        index: indexOf(date.column),
        name: date.column,
        convert: (text: string) => {
          const parsed = parseDate(date.dateFormat, text)
          return parsed && formatLocalDate(parsed)
        },
        expected: `a date of the format ${date.dateFormat}`,
      },
      ...columns.map((column) => ({
        index: indexOf(column.column),
        name: column.column,
        ...this.#conversionOf(column),
      })),
    ]
    const names = [
      ...constantSymbols.map(({ name }) => name),
      ...symbolColumns,
      `Date(${date.timezone})`,
      ...columns.map((column) => configuredHeader(column.column, column)),
    ]
    if (constantSymbols.length + symbolColumns.length === 0)
      this.#fail('At least one symbol has to be selected.', line)
    if (new Set(names).size < names.length) this.#fail('Column names can not be duplicated.', line)
    if (!this.#isFailed) this.#output.push(formatCsvRow(names), '\n')
  }

  #conversionOf({
    type,
    dateFormat = '',
    timezone = '',
  }: MappedColumn): Pick<OutputColumn, 'convert' | 'expected'> {
    const { decimalSign } = this.#mapping
    switch (type) {
      case 'S':
        return { convert: (text) => text, expected: 'text' }
      case 'DB':
        return { convert: (text) => toNumberText(text, decimalSign), expected: 'a number' }
      case 'I':
        return {
          convert: (text) => {
            const number = toNumberText(text, decimalSign)
            return number === undefined ? undefined : /^[+-]?\d*$/.test(number) ? number : undefined
          },
          expected: 'a whole number',
        }
      case 'D': {
        const clock = this.#clocks(timezone)
        return {
          convert: (text) => {
            if (text.trim() === '') return ''
            const parsed = parseDate(dateFormat, text)
            if (parsed === undefined) return undefined
            const utcMs =
              parsed.offsetMs === undefined ? clock.toUtc(parsed.localMs) : parsed.localMs - parsed.offsetMs
            return new Date(utcMs).toISOString()
          },
          expected: `a date of the format ${dateFormat}`,
        }
      }
    }
  }

  #report(problem: Omit<ConversionProblem, 'rowCount'>, kind = problem.message): void {
    const key = `${problem.column} ${kind}`
    const known = this.#byKind.get(key)
    if (known !== undefined) {
      known.rowCount++
      return
    }
    if (this.problems.length >= maxProblems) return
    const added = { ...problem, rowCount: 1 }
    this.#byKind.set(key, added)
    this.problems.push(added)
  }
}

/** Formats a problem: `Line 3, column Price: …`; for several rows `1,518 rows, first in line 3, column Price: …`. */
export function describeConversionProblem({
  line,
  columnName,
  message,
  rowCount,
}: ConversionProblem): string {
  if (line < 0) return message
  const position = `line ${line}${columnName === '' ? '' : `, column ${columnName}`}`
  if (rowCount === 1) return `L${position.slice(1)}: ${message}`
  return `${rowCount.toLocaleString('en')} rows, first in ${position}: ${message}`
}

function shortened(text: string): string {
  return JSON.stringify(text.length > 40 ? `${text.slice(0, 40).replace(/[\ud800-\udbff]$/, '')}…` : text)
}
