import {
  dateConversion,
  dateExample,
  describeProblem,
  detectDateFormats,
  findDateAmbiguity,
  quoteForMessage,
  type CellConversion,
} from '@headwater/csv'
import { TableError, type TableRow } from './table.ts'

/** Value of {@link DateTexts.dateFormat} that detects the format of each column. */
export const detectedFormat = 'detect'

/** Date format of a table. */
export interface DateTexts {
  /** Format of the dates, such as `dd.MM.yyyy`, or `detect`. Default: all cells stay unchanged. */
  dateFormat?: string | undefined
  /** Names of the columns with dates. Default: the columns whose first cells have the format. */
  dateColumns?: readonly string[] | undefined
}

interface DateColumn extends CellConversion {
  /** Format of the dates. */
  format: string
}
/** Columns with dates by position. */
type DateColumns = ReadonlyMap<number, DateColumn>

/** Maximum numbers of rows and characters from which the date columns are determined. */
const sampledRows = 1000
const sampledCharacters = 1_000_000

/**
 * Yields the rows with dates in ISO 8601. Empty cells and dates of a workbook stay unchanged.
 * @param rows begin with the header
 * @throws TableError for text in a date column that is not a date
 */
export async function* withIsoDates(
  rows: AsyncIterable<TableRow>,
  { dateFormat, dateColumns = [] }: DateTexts & { dateFormat: string },
): AsyncGenerator<TableRow> {
  let names: string[] | undefined
  let formats: DateColumns | undefined
  const sample: TableRow[] = []
  let characters = 0
  for await (const row of rows) {
    if (names === undefined) {
      names = row.cells.map((name) => name.trim())
      yield row
    } else if (formats !== undefined) yield converted(row, names, formats)
    else {
      sample.push(row)
      characters += row.cells.reduce((sum, cell) => sum + 1 + cell.length, 0)
      if (sample.length < sampledRows && characters < sampledCharacters) continue
      formats = formatsOf(names, sample, dateFormat, dateColumns)
      for (const each of sample.splice(0)) yield converted(each, names, formats)
    }
  }
  if (names === undefined || sample.length === 0) return
  formats = formatsOf(names, sample, dateFormat, dateColumns)
  for (const each of sample) yield converted(each, names, formats)
}

function converted(row: TableRow, names: readonly string[], formats: DateColumns): TableRow {
  const { number, cells } = row
  const isText = textTest(row)
  for (const [index, { format, convert, expected }] of formats) {
    const text = cells[index] ?? ''
    if (text.trim() === '' || !isText(index)) continue
    const date = convert(text)
    if (date === undefined) {
      const message = `${quoteForMessage(text)} is not ${expected}, such as ${dateExample(format)}.`
      throw new TableError(
        describeProblem({ row: number, column: index + 1, columnName: names[index]!, message }),
      )
    }
    cells[index] = date
  }
  return row
}

/** Returns a function that tests whether a cell is stored as text in the file. */
function textTest({ textCells }: TableRow): (index: number) => boolean {
  const positions = textCells && new Set(textCells)
  return (index) => positions?.has(index) ?? true
}

/** Returns the columns with dates and their formats. */
function formatsOf(
  names: readonly string[],
  sample: readonly TableRow[],
  dateFormat: string,
  dateColumns: readonly string[],
): DateColumns {
  const rows = sample.map((row) => ({ cells: row.cells, isText: textTest(row) }))
  const textsOf = (index: number) =>
    rows
      .filter(({ isText }) => isText(index))
      .map(({ cells }) => (cells[index] ?? '').trim())
      .filter((text) => text !== '')
  const formats = new Map<number, DateColumn>()
  const positions = dateColumns.length === 0 ? names.keys() : dateColumns.map(positionOf)
  for (const index of positions) {
    const texts = textsOf(index)
    // A column without texts contains only workbook dates, or is empty in the first rows.
    if (dateColumns.length === 0 && !looksLikeDates(texts, dateFormat)) continue
    const format = dateFormat === detectedFormat ? detected(names[index]!, texts) : dateFormat
    if (format !== undefined) formats.set(index, { format, ...dateConversion(format) })
  }
  if (formats.size === 0 && dateColumns.length === 0)
    throw new TableError(
      dateFormat === detectedFormat
        ? 'No column with dates was detected. Choose the date format and set the date columns.'
        : `No column has dates in the format ${dateFormat}, such as ${dateExample(dateFormat)}. Set the date columns.`,
    )
  return formats

  function positionOf(name: string): number {
    const index = names.indexOf(name)
    if (index === -1) throw new TableError(`The file has no column “${name}” for dates.`)
    return index
  }
}

/**
 * Returns whether a column that the user did not name contains dates. Plain numbers do not count, because they could be
 * codes or values.
 */
function looksLikeDates(texts: readonly string[], dateFormat: string): boolean {
  const written = texts.filter((text) => !/^-?[\d.]+$/.test(text) || /\d\.\d+\.\d/.test(text))
  if (dateFormat === detectedFormat)
    return written.length === texts.length && detectDateFormats(texts).length > 0
  const { convert } = dateConversion(dateFormat)
  const matching = written.filter((text) => convert(text) !== undefined).length
  return matching > 0 && 2 * matching >= texts.length
}

/** Returns the detected format of a column; undefined for a column without texts. */
function detected(name: string, texts: readonly string[]): string | undefined {
  if (texts.length === 0) return undefined
  const ambiguity = findDateAmbiguity(texts)
  if (ambiguity !== undefined)
    throw new TableError(
      `The dates of “${name}”, such as ${ambiguity.example}, can be in the format ${ambiguity.formats.join(' or ')}. Choose the date format.`,
    )
  const [format] = detectDateFormats(texts)
  if (format === undefined)
    throw new TableError(
      `No date format fits the first values of “${name}”, such as ${quoteForMessage(texts[0]!)}. Choose the date format.`,
    )
  return format
}
