import { toNumberText, type DecimalSign } from '@headwater/csv'
import type { TableRow } from './table.ts'

/** Number format of a table. */
export interface NumberTexts {
  /** Decimal sign. With `,`, texts such as `1.234,5` become `1234.5`. Default `.`: all cells stay unchanged. */
  decimalSign?: DecimalSign | undefined
  /** Names of columns whose cells stay unchanged, such as codes. Default: none. */
  textColumns?: readonly string[] | undefined
}

const numberPattern = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?$/
/** Matches IP addresses, which look like numbers with three thousands separators. */
const addressPattern = /^(?:(?:0|[1-9]\d{0,2})(?:\.|$)){4}$/

/**
 * Yields the rows, with decimal points instead of decimal commas in texts that are numbers. The header, numbers of a
 * workbook and all other texts, such as `007`, `+49`, dates and IP addresses, stay unchanged.
 * @param rows begin with the header
 */
export async function* withDecimalPoints(
  rows: AsyncIterable<TableRow>,
  { textColumns = [] }: Pick<NumberTexts, 'textColumns'>,
): AsyncGenerator<TableRow> {
  const names = new Set(textColumns)
  let isText: readonly boolean[] | undefined
  for await (const row of rows) {
    const { cells, textCells = cells.keys() } = row
    if (isText === undefined) isText = cells.map((name) => names.has(name.trim()))
    else
      for (const index of textCells) {
        const number = isText[index] === true ? undefined : numberOf(cells[index]!)
        if (number !== undefined) cells[index] = number
      }
    yield row
  }
}

/** Converts a number with a decimal comma. Returns undefined for other texts. */
function numberOf(cell: string): string | undefined {
  const text = cell.trim()
  if (addressPattern.test(text) && text.split('.').every((part) => Number(part) <= 255)) return undefined
  const number = toNumberText(text, ',')
  // `+49` can be a code, but `+1,5` and `,5` are numbers.
  const plain = text.includes(',') ? number?.replace(/^\+/, '').replace(/^(-?)\./, '$10.') : number
  return plain !== undefined && numberPattern.test(plain) ? plain : undefined
}
