import type { Tile } from '@headwater/tile-data/contract'
import type { TileSource } from '@headwater/tile-data/core'
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

/** Functions that change typed rows. */
export interface TypedRowsOfTile {
  /** Whether the rows are typed and the insight is being edited. */
  isEditable: boolean
  /** Changes the text of a cell. */
  change: (position: number, column: string, text: string) => void
  /** Adds an empty row after a position. */
  add: (position: number) => void
  /** Duplicates a row. */
  duplicate: (position: number) => void
  /** Removes a row. */
  remove: (position: number) => void
}

/** Returns the functions that change the typed rows of a tile. Each change is one undo step. */
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

/** Returns whether the tile has its own typed rows. */
function isEditor({ source }: Tile): boolean {
  return typeof source === 'object' && source !== null && 'type' in source && source.type === 'EDITOR'
}
