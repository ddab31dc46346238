import { formatCsvRow, isDateName } from '@headwater/csv'
import {
  csvRows,
  requireHeader,
  requireWidth,
  TableError,
  withPlainValues,
  type ValueTexts,
} from '@headwater/tables'
import type { ParamCondition, TaskParam } from '../../contract/index.ts'
import { listOf } from '../../core/index.ts'
import { input } from './kind-parts.ts'

/** Maximum number of columns that an error message lists. */
const maxListedColumns = 50
/** Maximum length of the name and of the value of a constant symbol, in characters. */
const maxSymbolLength = 250

/** Columns of a series file and its constant symbol. */
export interface SeriesColumns {
  symbols: string[]
  /** Symbol that is the same in all rows; undefined if only columns identify the series. */
  constant: { name: string; value: string } | undefined
  date: string
  /** Value columns; empty means all other columns. */
  values: string[]
}

/** Returns the inputs that describe the columns of a series file. They are visible under `condition`. */
export function seriesParams(condition: ParamCondition): TaskParam[] {
  return [
    input(
      'Symbol columns',
      'LIST',
      'Columns that identify a series. If the file has none, set a symbol name and the name of the series.',
      { optional: true, condition },
    ),
    input('Symbol name', 'TEXT', 'Name of a symbol with the same value in all rows, for example Commodity.', {
      optional: true,
      condition,
    }),
    input('Name of the series', 'TEXT', 'Value of this symbol in all rows, for example Brent.', {
      condition: { paramName: 'Symbol name', operator: 'is set', value: '' },
    }),
    input('Date column', 'TEXT', 'Column with the date of each value.', { defaultValue: 'Date', condition }),
    input('Value columns', 'LIST', 'Columns with values. Default: all other columns.', {
      optional: true,
      condition,
    }),
  ]
}

/** Returns the columns that the inputs describe. */
export function seriesColumnsOf(inputs: Readonly<Record<string, string>>): SeriesColumns {
  const name = (inputs['Symbol name'] ?? '').trim()
  return {
    symbols: listOf(inputs['Symbol columns'] ?? ''),
    constant: name === '' ? undefined : { name, value: (inputs['Name of the series'] ?? '').trim() },
    date: inputs['Date column'] || 'Date',
    values: listOf(inputs['Value columns'] ?? ''),
  }
}

/** Returns an error message for invalid symbols of a series file. Inputs that are not yet known are absent. */
export function problemOfSymbols(inputs: Readonly<Record<string, string>>): string | undefined {
  const { 'Symbol columns': columns, 'Name of the series': value } = inputs
  const { constant, symbols } = seriesColumnsOf(inputs)
  if (constant === undefined)
    return columns !== undefined && symbols.length === 0 && inputs['Symbol name'] !== undefined
      ? 'Set symbol columns, or a symbol name and the name of the series.'
      : undefined
  if (isDateName(constant.name))
    return `“${constant.name}” is the name of a date column, so it cannot be a symbol.`
  if (symbols.includes(constant.name))
    return `The symbol “${constant.name}” is also a symbol column. Choose another symbol name.`
  if (value !== undefined && constant.value === '') return 'A symbol name requires the name of the series.'
  if (/[\r\n]/.test(constant.name + constant.value))
    return 'The symbol name and the name of the series must not contain line breaks.'
  if (Math.max(constant.name.length, constant.value.length) > maxSymbolLength)
    return `The symbol name and the name of the series can have at most ${maxSymbolLength} characters each.`
  return undefined
}

/** Converts CSV to NCSV: the symbols first, then the date, then the values. */
export async function* csvToNcsv(
  stream: AsyncIterable<Uint8Array>,
  { symbols, constant, date, values }: SeriesColumns,
  separator?: string,
  texts: ValueTexts = {},
): AsyncGenerator<string> {
  let header: string[] | undefined
  let order: number[] = []
  const constantCells = constant === undefined ? [] : [constant.value]
  for await (const row of withPlainValues(csvRows(stream, separator), texts)) {
    const { cells } = row
    if (header === undefined) {
      header = requireHeader(cells)
      const used = new Set([...symbols, date])
      const others = header.filter((name) => !used.has(name))
      const names = [...symbols, date, ...(values.length === 0 ? others : values)]
      if (constant !== undefined && names.includes(constant.name))
        throw new TableError(
          `The file has a column “${constant.name}”, which is also the symbol name. Choose another symbol name.`,
        )
      const positions = new Map(header.map((name, index) => [name, index]))
      order = names.map((name) => positionOf(positions, name))
      const ncsvNames = names.map((name) => (name === date ? 'Date' : name))
      yield `${formatCsvRow([...(constant === undefined ? [] : [constant.name]), ...ncsvNames])}\n`
      continue
    }
    requireWidth(row, header)
    yield `${formatCsvRow([...constantCells, ...order.map((index) => cells[index]!)])}\n`
  }
}

/** Returns the position of a column. */
function positionOf(positions: ReadonlyMap<string, number>, name: string): number {
  const position = positions.get(name)
  if (position !== undefined) return position
  const names = [...positions.keys()]
  const more = names.length > maxListedColumns ? ` and ${names.length - maxListedColumns} more` : ''
  const list = names.slice(0, maxListedColumns).join(', ')
  throw new TableError(`The file has no column “${name}”. Its columns are ${list}${more}.`)
}
