import { formatNumber } from '@headwater/contract'
import { tileSizeOf, type DataPrepSymbols, type Tile } from '@headwater/tile-data/contract'
import { cutLinesText, drawnChart, hasPoints, listedNames, type ChartTile } from '@headwater/tile-data/core'
import type { ReportTile } from './report-tile.ts'
import type { TileRows } from './tile-data.ts'
import { hiddenNote } from './visible-rows.ts'

/**
 * Returns the chart of a tile as the screen draws it, with a note about what it omits; undefined without points.
 * @param source.now current time for seasons that begin with the current month, in epoch milliseconds
 */
export function chartOfTile(
  tile: Tile,
  chart: ChartTile,
  data: TileRows,
  source: { prepSymbols: readonly DataPrepSymbols[]; now: number },
): Pick<ReportTile, 'note' | 'chart'> | undefined {
  const { spec, cut, empty } = drawnChart({
    chart,
    timeZone: data.range.timeZone,
    results: data.results,
    fromElsewhere: data.isFromElsewhere,
    ...source,
  })
  if (!hasPoints(spec)) return undefined
  const notes = [
    limitNote(data),
    cut === undefined ? '' : `${cutLinesText(cut)}.`,
    empty.length === 0 ? '' : `No values in this range: ${listedNames(empty)}.`,
    hiddenNote(data),
  ]
  const note = notes.filter((text) => text !== '').join(' ')
  return { note, chart: { spec, height: tileSizeOf(tile).tileHeight } }
}

function limitNote({ cutBy, results }: TileRows): string {
  if (cutBy === undefined) return ''
  const rows = results.reduce((sum, { result }) => sum + result.rows.length, 0)
  return `The newest ${formatNumber(rows)} rows, the limit of ${cutBy === 'tile' ? 'the tile' : 'a report'}.`
}
