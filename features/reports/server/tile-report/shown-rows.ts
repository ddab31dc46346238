import { beginningOf, formatNumber } from '@headwater/contract'
import {
  maxCellCharacters,
  maxReportColumns,
  maxReportRows,
  type ReportTable,
  type ReportTile,
} from './report-tile.ts'
import { unreadable, type TileRows } from './tile-data.ts'

/** Rows of a tile in the order in which it shows them, as many as a report has. */
export interface ShownRows extends ReportTable {
  /** How many rows there are in all. */
  total: number
  /** Whether the newest stand first. */
  isNewestFirst: boolean
}

/** The rows of a tile as they stand in a report, with what of them is not shown. */
export function tableOfReport(
  { header, rows, isNumber, total, isNewestFirst }: ShownRows,
  data: TileRows,
): Pick<ReportTile, 'note' | 'table'> {
  const columns = header.slice(0, maxReportColumns)
  const table = {
    header: columns.map(cellOf),
    rows: rows.slice(0, maxReportRows).map((row) => row.slice(0, maxReportColumns).map(cellOf)),
    isNumber: isNumber.slice(0, maxReportColumns),
  }
  const notes = [
    rowsNote(table.rows.length, total, { isNewestFirst, cutBy: data.cutBy }),
    header.length > columns.length ? `The first ${columns.length} of ${header.length} columns.` : '',
    hiddenNote(data),
  ]
  return { note: notes.filter((text) => text !== '').join(' '), table }
}

/** What of the series of a tile is left out because it cannot be read; empty for nothing. */
export function hiddenNote({ symbols, hiddenGroups }: Pick<TileRows, 'symbols' | 'hiddenGroups'>): string {
  const hidden = symbols.filter(({ groupName }) => hiddenGroups.includes(groupName)).length
  return hidden === 0 ? '' : `${hidden} of ${symbols.length} series are left out. ${unreadable(hiddenGroups)}`
}

/** Which of its rows a tile shows; empty when it shows all there are. */
export function rowsNote(
  shown: number,
  total: number,
  { isNewestFirst, cutBy }: Pick<ShownRows, 'isNewestFirst'> & Pick<TileRows, 'cutBy'>,
): string {
  if (shown === total && cutBy === undefined) return ''
  const which = isNewestFirst ? 'newest' : 'first'
  const count = shown === total ? formatNumber(total) : `${formatNumber(shown)} of ${formatNumber(total)}`
  const rest = { tile: ', the most that the tile asks for', report: '; a report reads no more' }
  return `The ${which} ${count} rows${cutBy === undefined ? '' : rest[cutBy]}.`
}

function cellOf(text: string): string {
  return text.length > maxCellCharacters ? `${beginningOf(text, maxCellCharacters - 1)}…` : text
}
