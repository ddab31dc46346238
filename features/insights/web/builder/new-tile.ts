import type { Tile, TileDataPrep } from '../../contract/index.ts'
import type { PickedSeries } from '../components/SeriesPicker.tsx'
import { newChartTile } from '../tiles/chart/chart-tile.ts'
import { seriesOfPicked, withSeries } from '../tiles/chart/picked-series.ts'
import { newTableTile } from '../tiles/table/table-tile.ts'
import { newTextTile } from '../tiles/text/text-tile.ts'
import type { NewTileKind } from './BuilderPanel.tsx'

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
    case 'seasonality':
      return { tile: newChartTile(id, 'seasonality') }
    case 'advanced':
      return { tile: newChartTile(id, 'composed') }
    case 'quick': {
      const { fields, prep } = withSeries(seriesOfPicked(picked, combined), { symbols: [] })
      return { tile: { ...newChartTile(id, 'composed'), ...fields }, dataPrep: prep }
    }
  }
}
