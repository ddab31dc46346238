import type { Tile, TileDataPrep } from '../../contract/index.ts'
import type { PickedSeries } from '../components/SeriesPicker.tsx'
import { type ChartTile, newChartTile } from '../tiles/chart/chart-tile.ts'
import { keptPalette } from '../tiles/chart/kept-palette.ts'
import { seriesOfPicked, withSeries } from '../tiles/chart/picked-series.ts'
import { newCodeTile } from '../tiles/code/code-tile.ts'
import { newImageTile } from '../tiles/image/image-tile.ts'
import { newPdfTile } from '../tiles/pdf/pdf-tile.ts'
import { newSearchTile } from '../tiles/search/search-tile.ts'
import { newStatsTile } from '../../core/tiles/stats/stats-tile.ts'
import { automaticTitle } from '../../core/tiles/automatic-title.ts'
import { newTableTile } from '../../core/tiles/table/table-tile.ts'
import { newTextTile } from '../../core/tiles/text-tile.ts'
import { newWorkflowTile } from '../tiles/workflow/workflow-tile.ts'
import type { NewTileKind } from './new-tile-kinds.tsx'

/** A new tile of a kind; a quick chart comes with the series that were picked. */
export function newTile(
  kind: NewTileKind,
  id: string,
  picked: readonly PickedSeries[] = [],
  combined = false,
): { tile: Tile; dataPrep?: TileDataPrep } {
  switch (kind) {
    case 'table':
      return { tile: newTableTile(id) }
    case 'text':
      return { tile: newTextTile(id) }
    case 'stats':
      return { tile: newStatsTile(id) }
    case 'code':
      return { tile: newCodeTile(id) }
    case 'pdf':
      return { tile: newPdfTile(id) }
    case 'image':
      return { tile: newImageTile(id) }
    case 'search':
      return { tile: newSearchTile(id) }
    case 'autoPipeline':
      return { tile: newWorkflowTile(id, 'AUTO_PIPELINE') }
    case 'status':
      return { tile: newWorkflowTile(id, 'STATUS') }
    case 'diagram':
      return { tile: newWorkflowTile(id, 'DIAGRAM') }
    case 'seasonality':
      return { tile: newChart(id, 'seasonality') }
    case 'advanced':
      return { tile: newChart(id, 'composed') }
    case 'quick': {
      const { fields, prep } = withSeries(seriesOfPicked(picked, combined), { symbols: [] })
      const tile = { ...newChart(id, 'composed'), ...fields }
      return { tile: { ...tile, title: automaticTitle(tile, prep) ?? tile.title }, dataPrep: prep }
    }
  }
}

/** Whether a new tile of a kind shows nothing until it has series. */
export function takesSeries(kind: NewTileKind): boolean {
  return kind === 'advanced' || kind === 'seasonality' || kind === 'table' || kind === 'stats'
}

function newChart(id: string, kind: ChartTile['basicChartType']): Tile {
  return { ...newChartTile(id, kind), palette: keptPalette() }
}
