import type { TileActions } from './TileGrid.tsx'

/** Actions of tiles that cannot be changed. */
export const noTileActions: TileActions = {
  onSelect: nothing,
  onDuplicate: nothing,
  onRemove: nothing,
  onExport: nothing,
  onImport: nothing,
  onMove: nothing,
  onResize: nothing,
}

function nothing(): void {}
