import type { Tile } from '@headwater/tile-data/contract'
import {
  seriesQueries,
  lookupRange,
  lookups,
  tableOf,
  withChoices,
  withLookups,
  cellText,
  headerOf,
  orderedColumns,
  sortRows,
  storedSortings,
  tableTile,
} from '@headwater/tile-data/core'
import type { Reading } from './reading.ts'
import type { SeriesReader } from './series-reader.ts'
import type { VisibleRows } from './visible-rows.ts'
import type { TileRows } from './tile-data.ts'

/** Returns the rows of a table tile: its columns in order, with chosen cells and lookups. */
export async function tableTileRows(
  tile: Tile,
  { results, symbols, range, isTable, limits }: TileRows,
  { series, reading }: { series: SeriesReader; reading: Reading },
): Promise<VisibleRows> {
  const table = tableTile.parse(tile)
  const data = withChoices(tableOf(results, table, symbols), table, table.cells)
  const queries = lookups(data, table)
  const lookedUp =
    queries.length === 0 ? [] : await series.read(reading, seriesQueries(queries, lookupRange(range)))
  const result = withLookups(data, table, lookedUp)
  const columns = orderedColumns(result, table, range.decimalPrecision).filter(
    ({ settings }) => !settings.hidden,
  )
  const sortings = storedSortings(table)
  const rows = sortRows(result.rows, columns, sortings).slice(0, limits.rows)
  return {
    header: columns.map((column) => headerOf(column, range.timeZone)),
    isNumber: columns.map(({ isNumber }) => isNumber),
    rows: rows.map((row) =>
      columns.map((column) =>
        cellText(column, row[column.result.index]!, table.dateFormat).replace('\n', ''),
      ),
    ),
    total: result.rows.length,
    isNewestFirst: !isTable && sortings.length === 0,
  }
}
