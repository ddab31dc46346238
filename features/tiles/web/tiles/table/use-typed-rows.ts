import type { Tile } from '../../../contract/index.ts'
import type { TileSource } from '../../../core/sources/tile-source.ts'
import type { CardProps } from '../tile-view.ts'
import {
  readTypedRows,
  withCell,
  withDuplicate,
  withNewRow,
  withoutRow,
  writeTypedRows,
  type TypedRows,
} from './typed-rows.ts'

/** Rows that were typed into a tile, changed in its cells. */
export interface TypedRowsOfTile {
  /** Whether there are such rows and the insight is edited. */
  isEditable: boolean
  change: (position: number, column: string, text: string) => void
  /** Adds an empty row behind a place. */
  add: (position: number) => void
  duplicate: (position: number) => void
  remove: (position: number) => void
}

/** What can be done to the typed rows of a tile; each change is one step to undo. */
export function useTypedRows(tile: Tile, source: TileSource, card: CardProps): TypedRowsOfTile {
  const { onChange } = card
  const isOwn = source.kind === 'text' && tile.id === card.tile.id && isEditor(tile)
  function set(change: (table: TypedRows) => TypedRows, topic?: string): void {
    if (source.kind !== 'text' || onChange === undefined) return
    onChange({ dataContent: writeTypedRows(change(readTypedRows(source.text))) }, topic)
  }
  return {
    isEditable: isOwn && onChange !== undefined,
    change: (position, column, text) => set((table) => withCell(table, position, column, text)),
    add: (position) => set((table) => withNewRow(table, position)),
    duplicate: (position) => set((table) => withDuplicate(table, position)),
    remove: (position) => set((table) => withoutRow(table, position)),
  }
}

/** Rows of another tile are typed there. */
function isEditor({ source }: Tile): boolean {
  return typeof source === 'object' && source !== null && 'type' in source && source.type === 'EDITOR'
}
