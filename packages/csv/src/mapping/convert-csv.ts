import { CsvError, CsvReader, isEmptyLine } from '../csv-reader.ts'
import { formatCsvRow } from '../format-csv.ts'
import { quoteForMessage, type RowProblem } from '../row-problem.ts'
import { dateConversion, valueConversion, type CellConversion, type ZoneClocks } from './cell-conversion.ts'
import {
  columnNames,
  configuredHeader,
  isDateName,
  problemOfNames,
  seriesName,
  type CsvMapping,
} from './csv-mapping.ts'

/** Options of {@link CsvConverter}. */
export interface ConverterOptions {
  /** Receives each converted row, for example for a preview; the symbols come first. */
  onRow?: (cells: readonly string[], line: number) => void
  /** Maximum length of a cell in characters. Default 1,000,000. */
  maxCellLength?: number
}

interface OutputColumn extends CellConversion {
  index: number
  name: string
}

/** Maximum number of different problems to list. */
const maxProblems = 100

/**
 * Converts a CSV file to NCSV according to a mapping, piece by piece and with constant memory. If `problems` is not empty at
 * the end, the output is incomplete and must not be stored, because it lacks the rows with problems. Each output row is
 * on the line of its original row, so that later messages about a line apply to the original file; see {@link
 * lineShift}.
 */
export class CsvConverter {
  /** The first problem of each kind, in the order of the file. */
  readonly problems: RowProblem[] = []
  /** Number of rows that were converted. */
  rowCount = 0
  /** Number to subtract from a line number of the output: 1 if a header was added before the first line of the file. */
  lineShift = 0
  /** Names of the output columns; empty before the header. */
  outputNames: readonly string[] = []
  readonly #byKind = new Map<string, RowProblem>()
  readonly #clocks: ZoneClocks
  readonly #mapping: CsvMapping
  readonly #options: ConverterOptions
  readonly #reader: CsvReader
  #width = 0
  #columns: OutputColumn[] | undefined
  #isFailed = false
  #output: string[] = []
  /** Number of the next output line. */
  #nextLine = 1

  constructor(clocks: ZoneClocks, mapping: CsvMapping, options: ConverterOptions = {}) {
    this.#clocks = clocks
    this.#mapping = mapping
    this.#options = options
    this.#reader = new CsvReader((row, line) => this.#take(row, line), {
      separator: mapping.separator,
      maxCellLength: options.maxCellLength ?? 1_000_000,
    })
  }

  /** Converts the next piece of text and returns complete NCSV rows. */
  push(text: string): string {
    return this.#run(() => this.#reader.push(text))
  }

  /** Converts a row that is already split, for a preview. `onRow` receives the result. */
  pushRow(row: readonly string[], line: number): void {
    if (!this.#isFailed) this.#take([...row], line)
    this.#output = []
  }

  /** Returns the remaining rows after the last piece. */
  end(): string {
    return this.#run(() => {
      this.#reader.end()
      if (this.#isFailed) return
      if (this.#columns === undefined)
        this.#fail('The file is empty. It needs a header line with column names.')
      else if (this.rowCount === 0 && this.problems.length === 0)
        this.#fail('The file has a header line but no rows. Nothing can be imported.')
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

  #fail(message: string, row = -1): void {
    this.#isFailed = true
    this.#report({ row, column: -1, columnName: '', message })
  }

  #take(row: string[], line: number): boolean {
    if (isEmptyLine(row)) return true
    if (this.#columns === undefined) {
      // Exports can begin with comments.
      if (row[0]!.startsWith('#')) return true
      const hasHeader = this.#mapping.hasHeader ?? true
      if (!hasHeader && line === 1) this.lineShift = 1
      this.#width = row.length
      const names = columnNames(hasHeader ? row : row.map(() => ''))
      this.#columns = this.#readColumns(names, line)
      if (this.#isFailed) return false
      this.#write(this.outputNames, hasHeader ? line : line + this.lineShift - 1)
      if (hasHeader) return true
    }
    this.#convert(this.#columns, row, line)
    return true
  }

  #convert(columns: readonly OutputColumn[], row: readonly string[], line: number): void {
    const width = this.#width
    const hasSurplus = row.length > width && row.slice(width).some((cell) => cell.trim() !== '')
    if (row.length < width || hasSurplus) {
      const message = `The row has ${row.length} cells, and the first row has ${width}.`
      this.#report({ row: line, column: -1, columnName: '', message }, 'width')
      return
    }
    const cells = this.#mapping.constantSymbols.map(({ value }) => value)
    let isValid = true
    for (const { index, name, convert, expected } of columns) {
      const text = row[index]!
      const cell = convert(text)
      if (cell !== undefined) {
        cells.push(cell)
        continue
      }
      const isBlank = text.trim() === ''
      const message = isBlank
        ? `The cell is empty, but each row needs ${expected}.`
        : `${quoteForMessage(text)} is not ${expected}.`
      this.#report({ row: line, column: index + 1, columnName: name, message }, isBlank ? 'empty' : expected)
      isValid = false
    }
    if (!isValid) return
    this.rowCount++
    this.#options.onRow?.(cells, line)
    this.#write(cells, line + this.lineShift)
  }

  /** Writes a row to its output line, after empty lines for omitted input lines. */
  #write(cells: readonly string[], line: number): void {
    const text = formatCsvRow(cells)
    const lineBreaks = /[\r\n]/.test(text) ? text.split(/\r\n|\r|\n/).length - 1 : 0
    this.#output.push('\n'.repeat(Math.max(0, line - this.#nextLine)), text, '\n')
    this.#nextLine = Math.max(line, this.#nextLine) + 1 + lineBreaks
  }

  #readColumns(names: readonly string[], line: number): OutputColumn[] {
    const { constantSymbols, date, symbolColumns, columns, decimalSign } = this.#mapping
    const positions = new Map(names.map((name, index) => [name, index]))
    const indexOf = (name: string) => {
      const index = positions.get(name) ?? -1
      if (index < 0) this.#fail(`Could not find column ${name}. Please try again.`, line)
      return index
    }
    const read: OutputColumn[] = [
      ...symbolColumns.map((name) => ({
        index: indexOf(name),
        name,
        convert: (text: string) => (text.trim() === '' ? undefined : text),
        expected: 'a symbol',
      })),
      { index: indexOf(date.column), name: date.column, ...dateConversion(date.dateFormat) },
      ...columns.map((column) => ({
        index: indexOf(column.column),
        name: column.column,
        ...valueConversion(this.#clocks, column, decimalSign),
      })),
    ]
    const symbols = [...constantSymbols.map(({ name }) => name), ...symbolColumns]
    this.outputNames = [
      ...symbols,
      `Date(${date.timezone})`,
      ...columns.map((column) => configuredHeader(seriesName(column), column)),
    ]
    const dateSymbol = symbols.find(isDateName)
    const nameProblem = problemOfNames(this.#mapping)
    if (symbols.length === 0) this.#fail('At least one symbol has to be selected.', line)
    else if (new Set(this.outputNames).size < this.outputNames.length)
      this.#fail('Column names can not be duplicated.', line)
    else if (nameProblem !== undefined) this.#fail(nameProblem, line)
    else if (dateSymbol !== undefined)
      this.#fail(
        `${quoteForMessage(dateSymbol)} is the name of a date column, so it cannot be a symbol.`,
        line,
      )
    else if (constantSymbols.some(({ value }) => /[\r\n]/.test(value)))
      this.#fail('The value of a symbol must not contain line breaks.', line)
    return read
  }

  #report(problem: RowProblem, kind = problem.message): void {
    const key = `${problem.column} ${kind}`
    const known = this.#byKind.get(key)
    if (known !== undefined) {
      known.rowCount = (known.rowCount ?? 1) + 1
      return
    }
    if (this.problems.length >= maxProblems) return
    const added = { ...problem, rowCount: 1 }
    this.#byKind.set(key, added)
    this.problems.push(added)
  }
}
