import { TableError, type TableRow } from '../table.ts'
import { dateText, type DateKind } from './number-formats.ts'
import { CellText, type Workbook } from './workbook.ts'
import { attributesOf, type XmlHandler } from './xml-scanner.ts'

/** Limits of the XLSX format. */
const maxRows = 1_048_576
const maxColumns = 16_384
/** Maximum number of characters of a row. */
const maxRowLength = 10_000_000
/** Maximum number of characters of a number, a boolean or a reference. */
const maxValueLength = 1000
/** Types of text cells: shared, inline, or from a formula. */
const textTypes: ReadonlySet<string> = new Set(['s', 'inlineStr', 'str'])

/** Type of a cell. */
export type CellKind = 'text' | 'number' | 'boolean' | 'date' | 'time'

/** Types of numbers with a date format. */
const kindsOfDates: Readonly<Record<DateKind, CellKind>> = { date: 'date', time: 'time', duration: 'time' }
/** Maximum number of characters of a formula that is displayed. */
const maxFormulaLength = 1000

/**
 * Converts the XML of a sheet to rows. Cells are texts. Formulas are represented by their stored values, and dates are
 * in ISO 8601.
 */
export class SheetRows implements XmlHandler {
  readonly #workbook: Workbook
  readonly #text = new CellText()
  readonly #rows: TableRow[] = []
  #row: TableRow | undefined
  #number = 0
  #rowLength = 0
  #column = 0
  #type = ''
  #style = 0
  #value = ''
  #isValue = false
  #hasValue = false
  #hasFormula = false
  #isFormula = false
  #formula = ''
  readonly #isPreview: boolean
  #kinds: (CellKind | undefined)[] = []

  /**
   * @param isPreview whether the types of cells are noted, and a formula without a value is displayed as text
   */
  constructor(workbook: Workbook, isPreview = false) {
    this.#workbook = workbook
    this.#isPreview = isPreview
  }

  /** Returns the types of the cells of the last row; undefined for empty cells. Only in a preview. */
  get kinds(): readonly (CellKind | undefined)[] {
    return this.#kinds
  }

  /** Returns the rows since the last call. Missing cells are empty texts. */
  take(): TableRow[] {
    return this.#rows.splice(0)
  }

  open(name: string, text: string): void {
    if (name === 'row') this.#openRow(text)
    else if (this.#row === undefined) return
    else if (name === 'c') this.#openCell(text)
    else if (name === 'v') this.#isValue = true
    else if (name === 'f') this.#hasFormula = this.#isFormula = true
    else this.#text.open(name)
  }

  text(part: string): void {
    if (this.#isFormula) {
      if (this.#isPreview) this.#formula = (this.#formula + part).slice(0, maxFormulaLength)
      return undefined
    }
    if (!this.#isValue) return this.#text.add(part)
    this.#value += part
    this.#hasValue = true
    const limit = this.#type === 'str' ? maxRowLength : maxValueLength
    if (this.#value.length > limit)
      throw new TableError(
        `${this.#where()} has a value of more than ${limit.toLocaleString('en')} characters.`,
      )
    return undefined
  }

  close(name: string): void {
    if (name === 'v') this.#isValue = false
    else if (name === 'f') this.#isFormula = false
    else if (name === 'c') this.#closeCell()
    else if (name === 'row') this.#closeRow()
    else this.#text.close(name)
  }

  #openRow(text: string): void {
    const stated = attributesOf(text).get('r')
    const number = stated === undefined ? this.#number + 1 : Number(stated)
    if (!Number.isInteger(number) || number <= this.#number || number > maxRows)
      throw new TableError(
        `The rows of the sheet are not in order, or more than ${maxRows.toLocaleString('en')}.`,
      )
    this.#number = number
    this.#row = { number, cells: [], textCells: [] }
    this.#rowLength = 0
    this.#column = 0
    this.#kinds = []
  }

  #closeRow(): void {
    if (this.#row !== undefined) this.#rows.push(this.#row)
    this.#row = undefined
  }

  #openCell(text: string): void {
    const attributes = attributesOf(text)
    const reference = attributes.get('r')
    const column = reference === undefined ? this.#column + 1 : columnOf(reference)
    if (column <= this.#column || column > maxColumns)
      throw new TableError(`Row ${this.#number} has cells that are not in order, or more than 16,384.`)
    this.#column = column
    this.#type = attributes.get('t') ?? 'n'
    this.#style = Number(attributes.get('s') ?? 0)
    this.#value = ''
    this.#hasValue = false
    this.#hasFormula = false
    this.#isFormula = false
    this.#formula = ''
  }

  #closeCell(): void {
    const inline = this.#text.take()
    if (this.#row === undefined) return
    const text = this.#type === 'inlineStr' ? inline : this.#cellText()
    if (text === '') return
    const { cells, textCells } = this.#row
    while (cells.length < this.#column - 1) cells.push('')
    if (textTypes.has(this.#type)) textCells!.push(cells.length)
    if (this.#isPreview) this.#kinds[cells.length] = this.#kind()
    cells.push(text)
    this.#rowLength += text.length
    if (this.#rowLength > maxRowLength)
      throw new TableError(
        `Row ${this.#number} has more than ${maxRowLength.toLocaleString('en')} characters.`,
      )
  }

  #kind(): CellKind {
    if (!this.#hasValue || !['n', 'b', 'd'].includes(this.#type)) return 'text'
    if (this.#type === 'b') return 'boolean'
    if (this.#type === 'd') return 'date'
    const kind = this.#workbook.dateKinds[this.#style]
    return kind === undefined ? 'number' : kindsOfDates[kind]
  }

  #cellText(): string {
    const value = this.#value
    if (!this.#hasValue) {
      if (!this.#hasFormula || this.#type === 'str') return ''
      if (!this.#isPreview)
        throw new TableError(
          `${this.#where()} has a formula without a value. Open the workbook in a spreadsheet program and save it.`,
        )
      return `=${this.#formula}`
    }
    if (this.#type === 's') return this.#sharedText(value)
    if (this.#type === 'b') return value.trim() === '1' ? 'true' : 'false'
    if (this.#type === 'n') return this.#numberText(value)
    // Texts from formulas, errors such as #N/A, and ISO dates.
    return value
  }

  #sharedText(value: string): string {
    const text = /^\d{1,9}$/.test(value.trim()) ? this.#workbook.sharedTexts[Number(value)] : undefined
    if (text === undefined) throw new TableError(`${this.#where()} refers to a text that does not exist.`)
    return text
  }

  #numberText(value: string): string {
    const number = value.trim() === '' ? Number.NaN : Number(value)
    if (!Number.isFinite(number)) throw new TableError(`${this.#where()} has an invalid number.`)
    const { dateKinds, is1904 } = this.#workbook
    const kind = dateKinds[this.#style]
    return kind === undefined ? String(number) : dateText(number, kind, is1904)
  }

  #where(): string {
    return `The cell in row ${this.#number}, column ${this.#column}`
  }
}

function columnOf(reference: string): number {
  const [, name = ''] = /^([A-Z]{1,3})\d{1,7}$/.exec(reference) ?? []
  if (name === '') throw new TableError(`“${reference.slice(0, 20)}” is not a cell reference.`)
  let column = 0
  for (const letter of name) column = column * 26 + letter.charCodeAt(0) - 64
  return column
}
