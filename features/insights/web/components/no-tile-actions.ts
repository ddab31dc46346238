import type { TileActions } from './TileGrid.tsx'

/** For tiles that are looked at and cannot be changed. */
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
