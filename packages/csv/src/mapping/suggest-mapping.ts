import { detectDateFormats, detectDateFormatsWithErrors } from '../date-format.ts'
import { detectDecimalSign, toNumberText, type DecimalSign } from '../decimal-sign.ts'
import type { CsvMapping, MappedColumn } from './csv-mapping.ts'

/** The beginning of a file and its known properties. */
export interface MappingSample {
  /** Cells of the header. */
  header: readonly string[]
  /** The first rows after the header. */
  rows: readonly (readonly string[])[]
  /** Character between cells. */
  separator: string
  /** Name of the file; without its extension it is the suggested constant symbol. */
  fileName: string
  /** Time zone of dates without an offset. */
  timezone: string
}

const dateName = /date|time|day|month|period|datum|fecha|timestamp/i
const symbolName =
  /symbol|ticker|code|^name$|isin|ric\b|product|commodity|location|market|country|region|station|instrument|series|currency|pair|metric|^id$/i

/** Maximum fraction of cells in a numeric column that may contain something else. */
const maxOtherCells = 0.1

/**
 * Suggests a mapping from the header and the first rows. The date column is the one in which all cells, except for a few
 * errors, fit a date format. Numbers are values, and repeated texts are symbols. If there is no symbol column, the file name
 * becomes a constant symbol.
 * @returns undefined if no column contains dates
 */
export function suggestMapping(sample: MappingSample): CsvMapping | undefined {
  const { separator, timezone } = sample
  const columns = sample.header.map((name, index) => ({
    name: name.trim(),
    cells: sample.rows.map((row) => row[index] ?? '').filter((cell) => cell.trim() !== ''),
  }))
  const named = columns.filter(({ name, cells }) => name !== '' && (cells.length > 0 || !isGenerated(name)))
  const datesBy = (formatsOf: (cells: readonly string[]) => string[]) =>
    named
      .map((column) => ({ ...column, formats: formatsOf(column.cells) }))
      .filter(({ formats }) => formats.length > 0)
  const validDates = datesBy(detectDateFormats)
  const dates = validDates.length > 0 ? validDates : datesBy(detectDateFormatsWithErrors)
  const date =
    dates.find(({ name }) => dateName.test(name)) ??
    dates.find(({ formats }) => !/^(yyyyMMdd|epoch)/.test(formats[0]!))
  if (date === undefined) return undefined
  const others = named.filter(({ name }) => name !== date.name)
  const decimalSign = detectDecimalSign(
    others.flatMap(({ cells }) => cells),
    separator,
  )
  const symbolColumns: string[] = []
  const mapped: MappedColumn[] = []
  for (const column of others) {
    const otherDate = dates.find(({ name }) => name === column.name)
    if (isMostlyNumeric(column.cells, decimalSign) && !symbolName.test(column.name))
      mapped.push({ column: column.name, columnType: 'Value', type: 'DB' })
    else if (otherDate !== undefined && dateName.test(column.name))
      mapped.push({
        column: column.name,
        columnType: 'Value',
        type: 'D',
        dateFormat: otherDate.formats[0]!,
        timezone,
      })
    else if (symbolName.test(column.name) || isRepeated(column.cells)) symbolColumns.push(column.name)
    else mapped.push({ column: column.name, columnType: 'Value', type: 'S' })
  }
  return {
    separator,
    decimalSign,
    symbolColumns,
    constantSymbols:
      symbolColumns.length > 0 ? [] : [{ name: 'Symbol', value: sample.fileName.replace(/\.[^.]*$/, '') }],
    date: { column: date.name, dateFormat: date.formats[0]!, timezone },
    columns: mapped,
  }
}

/**
 * Returns whether a column has no name of its own. If it also has no cells, it comes from a separator at the end of
 * each line.
 */
function isGenerated(name: string): boolean {
  return /^Column \d+$/.test(name)
}

/** Returns whether a column is numeric. It can contain a few other texts such as `n/a`, which the conversion reports. */
function isMostlyNumeric(cells: readonly string[], decimalSign: DecimalSign): boolean {
  const others = cells.filter((cell) => toNumberText(cell, decimalSign) === undefined)
  return others.length <= cells.length * maxOtherCells
}

/** Returns whether texts repeat, as those of symbols do. Texts of values, such as comments, do not. */
function isRepeated(cells: readonly string[]): boolean {
  return cells.length > 1 && new Set(cells).size <= cells.length / 2
}
