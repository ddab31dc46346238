import { CsvError, findSeparator, parseCsv } from '@headwater/csv'
import { compareSequences } from './compare-sequences.ts'

/** A cell of a row of a difference. Both texts are equal in an unchanged cell; undefined: the table has no such cell. */
export interface CellDifference {
  /** Text of the earlier table. */
  before: string | undefined
  /** Text of the later table. */
  after: string | undefined
}

/** A row that was changed, added or removed. */
export interface RowDifference {
  /** Kind of change of the row. */
  kind: 'changed' | 'added' | 'removed'
  /** Number of the row in the later table (for a removed row, in the earlier table). The header is row 1. */
  number: number
  /** Cells in the order of the columns. */
  cells: CellDifference[]
}

/** Difference of two tables by row and cell. */
export interface TableDifference {
  /** Names of the columns: those of the later table, then the removed ones. */
  columns: { name: string; kind: 'same' | 'added' | 'removed' }[]
  /** Rows that are not equal, in the order of the later table. */
  rows: RowDifference[]
}

/**
 * Compares two CSV texts by row and cell. Columns correspond by name. An inserted row does not affect other rows. A
 * row that differs only in a column that one table lacks counts as changed.
 * @returns undefined if one of them is not a table: invalid CSV, no rows, or duplicate names in the header
 */
export function tableDifference(before: string, after: string): TableDifference | undefined {
  const [old, now] = [tableOf(before), tableOf(after)]
  if (old === undefined || now === undefined) return undefined
  const columns: TableDifference['columns'] = [
    ...now.header.map((name) => ({ name, kind: old.header.includes(name) ? 'same' : 'added' }) as const),
    ...old.header
      .filter((name) => !now.header.includes(name))
      .map((name) => ({ name, kind: 'removed' }) as const),
  ]
  const positions = columns.map(({ name }) => [old.header.indexOf(name), now.header.indexOf(name)] as const)
  // Rows are equal if all cells of their common columns are.
  const common = positions.filter(([was, is]) => was >= 0 && is >= 0)
  const keysOf = (rows: readonly string[][], side: 0 | 1) =>
    rows.map((row) => JSON.stringify(common.map((position) => row[position[side]] ?? '')))
  const rowOf = (
    kind: RowDifference['kind'],
    was: number | undefined,
    is: number | undefined,
  ): RowDifference => ({
    kind,
    number: (is ?? was!) + 2,
    cells: positions.map(([oldAt, newAt]) => ({
      before: was === undefined || oldAt < 0 ? undefined : (old.rows[was]![oldAt] ?? ''),
      after: is === undefined || newAt < 0 ? undefined : (now.rows[is]![newAt] ?? ''),
    })),
  })
  const rows: RowDifference[] = []
  const hasSingleColumns = common.length < positions.length
  /** Adds the rows of a block that are equal in the common columns, but have texts in other ones. */
  const addAligned = (was: number, end: number, shift: number) => {
    for (let at = was; hasSingleColumns && at < end; at++) {
      const row = rowOf('changed', at, at + shift)
      if (row.cells.some((cell) => (cell.before ?? '') !== (cell.after ?? ''))) rows.push(row)
    }
  }
  let [end, shift] = [0, 0]
  for (const { beforeStart, beforeEnd, afterStart, afterEnd } of compareSequences(
    keysOf(old.rows, 0),
    keysOf(now.rows, 1),
  )) {
    addAligned(end, beforeStart, shift)
    const pairs = Math.min(beforeEnd - beforeStart, afterEnd - afterStart)
    for (let at = 0; at < pairs; at++) rows.push(rowOf('changed', beforeStart + at, afterStart + at))
    for (let at = beforeStart + pairs; at < beforeEnd; at++) rows.push(rowOf('removed', at, undefined))
    for (let at = afterStart + pairs; at < afterEnd; at++) rows.push(rowOf('added', undefined, at))
    end = beforeEnd
    shift = afterEnd - beforeEnd
  }
  addAligned(end, old.rows.length, shift)
  return { columns, rows }
}

function tableOf(text: string): { header: string[]; rows: string[][] } | undefined {
  let all: string[][]
  try {
    all = parseCsv(text.replace(/^\ufeff/, ''), { separator: findSeparator(text, true) ?? ',' })
  } catch (error) {
    if (error instanceof CsvError) return undefined
    throw error
  }
  const [header, ...rows] = all
  // Cells beyond the header have no column, so such texts are compared by line.
  const isTable =
    header !== undefined &&
    new Set(header).size === header.length &&
    rows.every(({ length }) => length <= header.length)
  return isTable ? { header, rows } : undefined
}
