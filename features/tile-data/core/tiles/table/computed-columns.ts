import {
  resultColumns,
  fitsPattern,
  type ResultColumn,
  type SeriesResult,
} from '../../series/series-result.ts'
import { mergeResults } from '../../series/merge-results.ts'
import { seriesRange, type SeriesRange } from '../../series/series-range.ts'
import type { LoadedResult } from '../../series/loaded-result.ts'
import type { DataPrepSymbols } from '../../../contract/index.ts'
import { anyValue } from '../../params/param-set.ts'
import { groupColumnId, type ColumnType, type TableColumn, type TableTile } from './table-tile.ts'

/** Chosen cells of a table: by the key of the row, then by column. */
export type ChosenCells = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Maximum number of series that async columns look up. */
export const maxLookups = 1000

/** Returns whether readers choose the cells of a column. */
export function isChoice(type: ColumnType): boolean {
  return type === 'dropdown' || type === 'queryDropdown'
}

/**
 * Returns the keys of rows for their chosen cells: symbols and date, so that a choice stays with its row when rows are
 * added. Rows without symbols use their position as the key.
 */
export function rowKeys(result: SeriesResult): (row: readonly string[], position: number) => string {
  const naming = resultColumns(result).filter(({ kind }) => kind === 'symbol' || kind === 'time')
  if (naming.every(({ kind }) => kind !== 'symbol')) return (_, position) => `#${position + 1}`
  return (row) => naming.map(({ index }) => row[index]).join('|')
}

/** Merges results into one table, with the group as the first column if the table shows it. */
export function tableOf(
  results: readonly LoadedResult[],
  { showGroupName }: Pick<TableTile, 'showGroupName'>,
  symbols: readonly DataPrepSymbols[],
): SeriesResult {
  return mergeResults(
    showGroupName && results.every(({ isTable }) => isTable !== true)
      ? withGroupNames(results, symbols)
      : results.map(({ result }) => result),
  )
}

/** Returns the range of a lookup: the newest value, in the zone and with the decimals of the table. */
export function lookupRange({
  timeZone,
  decimalPrecision,
}: Pick<SeriesRange, 'timeZone' | 'decimalPrecision'>): SeriesRange {
  return { ...newestValue, timeZone, decimalPrecision }
}

const newestValue = seriesRange.parse({ range: 'LAST', lastTypeAmount: 1, absoluteSize: null })

/** Adds the group of each row as the first column, by the queried series. */
export function withGroupNames(
  loaded: readonly LoadedResult[],
  symbols: readonly DataPrepSymbols[],
): SeriesResult[] {
  return loaded.map(({ result, groupNames }) => {
    const columns = resultColumns(result)
    const keys = columns.filter(({ kind }) => kind === 'symbol')
    const [only = ''] = groupNames
    const entries = symbols.filter(({ groupName }) => groupNames.has(groupName))
    const known = new Map<string, string>()
    const groupOf = (row: readonly string[]): string => {
      if (groupNames.size === 1) return only
      const signature = keys.map(({ index }) => row[index]).join('|')
      let group = known.get(signature)
      if (group === undefined) {
        const symbol = Object.fromEntries(keys.map(({ name, index }) => [name, row[index]!]))
        group = entries.find((entry) => fitsPattern(symbol, entry.symbols))?.groupName ?? ''
        known.set(signature, group)
      }
      return group
    }
    return {
      ...result,
      header: [groupColumnId, ...result.header],
      rows: result.rows.map((row) => [groupOf(row), ...row]),
      columns: [
        { index: 0, name: groupColumnId, kind: 'symbol' },
        ...columns.map((column) => ({ ...column, index: column.index + 1 })),
      ],
    }
  })
}

/** Returns the width of the group column in pixels: 8 per character of the longest name plus 38, at least 106. */
export function groupColumnWidth(names: Iterable<string>): number {
  let longest = 0
  for (const name of names) longest = Math.max(longest, name.length)
  return Math.max(106, longest * 8 + 38)
}

/** Adds the columns whose cells readers choose, with the chosen values; returns the same object without such columns. */
export function withChoices(
  result: SeriesResult,
  tile: Pick<TableTile, 'columns'>,
  cells: ChosenCells,
): SeriesResult {
  const choices = tile.columns.filter(({ columnType }) => isChoice(columnType))
  if (choices.length === 0) return result
  const columns = [...resultColumns(result)]
  const positions = choices.map(({ columnId }) => {
    const known = columns.find(({ name }) => name === columnId)
    if (known !== undefined) return { columnId, index: known.index }
    columns.push({ index: columns.length, name: columnId, kind: 'text' })
    return { columnId, index: columns.length - 1 }
  })
  const keyOf = rowKeys(result)
  const rows = result.rows.map((row, position) => {
    const chosen = cells[keyOf(row, position)]
    const filled = [...row, ...Array.from({ length: columns.length - row.length }, () => '')]
    if (chosen !== undefined)
      for (const { columnId, index } of positions)
        if (Object.hasOwn(chosen, columnId)) filled[index] = chosen[columnId]!
    return filled
  })
  return { ...result, header: columns.map(({ name }, at) => result.header[at] ?? name), rows, columns }
}

/** Returns the series that an async column looks up for a row; undefined if a required cell is empty. */
export function lookedUp(
  column: TableColumn,
  columns: readonly ResultColumn[],
  row: readonly string[],
): DataPrepSymbols | undefined {
  const symbols: Record<string, string> = {}
  for (const { name, value } of column.asyncFilters) {
    const reference = /^\{\{\s*(.+?)\s*\}\}$/.exec(value)?.[1]
    const index = reference === undefined ? undefined : columns.find((each) => each.name === reference)?.index
    const text = reference === undefined ? value : index === undefined ? '' : row[index]!
    if (name === '' || text === '') return undefined
    symbols[name] = text
  }
  if (column.columnAsyncGroupName === '' || Object.keys(symbols).length === 0) return undefined
  const isOpen = Object.values(symbols).some((text) => text.includes(anyValue.value))
  return {
    groupName: column.columnAsyncGroupName,
    symbols,
    valueColumnNames: [column.columnAsyncColumn || column.columnId],
    ...(isOpen ? { pattern: true } : {}),
  }
}

/** Returns the distinct series that the async columns look up, at most {@link maxLookups}. */
export function lookups(result: SeriesResult, tile: Pick<TableTile, 'columns'>): DataPrepSymbols[] {
  const columns = resultColumns(result)
  const wanted = new Map<string, DataPrepSymbols>()
  for (const column of tile.columns) {
    if (column.columnType !== 'async' || column.hidden) continue
    for (const row of result.rows) {
      const entry = lookedUp(column, columns, row)
      if (entry === undefined) continue
      const key = JSON.stringify([entry.groupName, entry.symbols, entry.valueColumnNames])
      if (!wanted.has(key)) wanted.set(key, entry)
      if (wanted.size === maxLookups) return [...wanted.values()]
    }
  }
  return [...wanted.values()]
}

/** Adds the async columns with the latest values; returns the same object without async columns. */
export function withLookups(
  result: SeriesResult,
  tile: Pick<TableTile, 'columns'>,
  loaded: readonly LoadedResult[],
): SeriesResult {
  const own = tile.columns.filter(({ columnType }) => columnType === 'async')
  if (own.length === 0) return result
  const inData = resultColumns(result)
  const added = own.filter(({ columnId }) => inData.every(({ name }) => name !== columnId))
  const columns: ResultColumn[] = [...inData]
  const cells = own.map((column) => {
    const values = result.rows.map((row) => latest(lookedUp(column, inData, row), loaded))
    const isNumber = values.every((value) => value === undefined || !Number.isNaN(Number(value)))
    const at = added.includes(column)
      ? columns.push({ index: columns.length, name: column.columnId, kind: isNumber ? 'number' : 'text' }) - 1
      : inData.find(({ name }) => name === column.columnId)!.index
    return { at, values }
  })
  const rows = result.rows.map((row, position) => {
    const filled = [...row, ...Array.from({ length: columns.length - row.length }, () => '')]
    for (const { at, values } of cells) filled[at] = values[position] ?? ''
    return filled
  })
  return { ...result, header: columns.map(({ name }, at) => result.header[at] ?? name), rows, columns }
}

function latest(entry: DataPrepSymbols | undefined, loaded: readonly LoadedResult[]): string | undefined {
  if (entry === undefined) return undefined
  const [wanted] = entry.valueColumnNames ?? []
  for (const { result, groupNames, rowsOf } of loaded) {
    if (!groupNames.has(entry.groupName)) continue
    const columns = resultColumns(result)
    const index = columns.find(({ name, kind }) => name === wanted && kind !== 'symbol')?.index
    if (index === undefined) continue
    const rows = entry.pattern === true ? rowsFitting(result, columns, entry.symbols) : rowsOf(entry.symbols)
    const value = rows.find((row) => row[index] !== '')?.[index]
    if (value !== undefined) return value
  }
  return undefined
}

function rowsFitting(
  result: SeriesResult,
  columns: readonly ResultColumn[],
  pattern: Record<string, string>,
): readonly string[][] {
  const keys = columns.filter(({ kind }) => kind === 'symbol')
  return result.rows.filter((row) =>
    fitsPattern(Object.fromEntries(keys.map(({ name, index }) => [name, row[index]!])), pattern),
  )
}
