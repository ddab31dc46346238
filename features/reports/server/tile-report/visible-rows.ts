import { beginningOf, formatNumber } from '@headwater/contract'
import type { ReportTable, ReportTile } from './report-tile.ts'
import { unreadable, type TileRows } from './tile-data.ts'

/** Rows of a tile in its order, at most as many as a report has. */
export interface VisibleRows extends ReportTable {
  /** Number of all rows of the tile. */
  total: number
  /** Whether the newest rows come first. */
  isNewestFirst: boolean
}

/** Returns the table of a tile in a report, with a note about what it omits. */
export function tableOfReport(
  { header, rows, isNumber, total, isNewestFirst }: VisibleRows,
  data: TileRows,
): Pick<ReportTile, 'note' | 'table'> {
  const { limits } = data
  const cellOf = (text: string) => shortened(text, limits.cellCharacters)
  const columns = header.slice(0, limits.columns)
  const table = {
    header: columns.map(cellOf),
    rows: rows.slice(0, limits.rows).map((row) => row.slice(0, limits.columns).map(cellOf)),
    isNumber: isNumber.slice(0, limits.columns),
  }
  const notes = [
    rowsNote(table.rows.length, total, { isNewestFirst, cutBy: data.cutBy }),
    header.length > columns.length ? `The first ${columns.length} of ${header.length} columns.` : '',
    hiddenNote(data),
  ]
  return { note: notes.filter((text) => text !== '').join(' '), table }
}

/** Returns a note about series that the user cannot read; empty without such series. */
export function hiddenNote({ symbols, hiddenGroups }: Pick<TileRows, 'symbols' | 'hiddenGroups'>): string {
  const hidden = symbols.filter(({ groupName }) => hiddenGroups.includes(groupName)).length
  return hidden === 0 ? '' : `${hidden} of ${symbols.length} series are omitted. ${unreadable(hiddenGroups)}`
}

/** Returns a note about the rows that a table shows; empty if it shows all rows. */
function rowsNote(
  visible: number,
  total: number,
  { isNewestFirst, cutBy }: Pick<VisibleRows, 'isNewestFirst'> & Pick<TileRows, 'cutBy'>,
): string {
  if (visible === total && cutBy === undefined) return ''
  const which = isNewestFirst ? 'newest' : 'first'
  const count = visible === total ? formatNumber(total) : `${formatNumber(visible)} of ${formatNumber(total)}`
  const rest = { tile: ', the limit of the tile', report: ', the limit of a report' }
  return `The ${which} ${count} rows${cutBy === undefined ? '' : rest[cutBy]}.`
}

function shortened(text: string, maxLength: number): string {
  return text.length > maxLength ? `${beginningOf(text, maxLength - 1)}…` : text
}
