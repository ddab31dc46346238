import type { Tile, TileDataPrep } from '@headwater/tile-data/contract'
import {
  type ChartTile,
  newChartTile,
  newStatsTile,
  automaticTitle,
  newTableTile,
  newTextTile,
} from '@headwater/tile-data/core'
import {
  type PickedSeries,
  storedPalette,
  seriesOfPicked,
  withSeries,
  newCodeTile,
  newImageTile,
  newPdfTile,
  newSearchTile,
  newWorkflowTile,
} from '@headwater/tiles/web'
import type { Adding } from './adding.ts'
import { newId } from './new-id.ts'
import type { NewTileKind } from './new-tile-kinds.tsx'

/** Creates a tile of a kind; a quick chart contains the picked series. */
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

/** Returns whether a new tile of a kind is empty until it has series. */
function needsSeries(kind: NewTileKind): boolean {
  return kind === 'advanced' || kind === 'seasonality' || kind === 'table' || kind === 'stats'
}

function newChart(id: string, kind: ChartTile['basicChartType']): Tile {
  return { ...newChartTile(id, kind), palette: storedPalette() }
}

/** Adds a tile of a kind; a quick chart opens the picker of its series first. */
export function addTileOfKind(kind: NewTileKind, { onQuick, onTile }: Adding): void {
  if (kind === 'quick') onQuick()
  else onTile(newTile(kind, newId()).tile, { picksSeries: needsSeries(kind) })
}
