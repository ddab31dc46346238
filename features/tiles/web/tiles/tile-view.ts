import type { PointerEvent, ReactNode } from 'react'
import type { Tile, TileDataPrep } from '@headwater/tile-data/contract'
import type { MenuEntry } from '@headwater/web-kit'
import type { ResizeEdges, ResizeStep } from '../card/tile-size.ts'
import type { DropSide } from '../card/use-tile-drag.ts'
import type { TileResize } from '../card/use-tile-resize.ts'

/** Values that the page passes to the card of a tile. */
export interface CardProps {
  /** The stored tile. */
  tile: Tile
  /** Whether the insight is being edited. */
  editing: boolean
  /** Whether the tile is selected in the editor. */
  selected: boolean
  /** Whether the tile is being dragged. */
  dragged: boolean
  /** Side where a dragged tile would be dropped; undefined if it is not the target. */
  drop: DropSide | undefined
  /** Selects the tile. */
  onSelect: () => void
  /** Duplicates the tile. */
  onDuplicate: () => void
  /** Deletes the tile. */
  onRemove: () => void
  /** Exports the configuration. */
  onExport: () => void
  /** Imports a configuration. */
  onImport: () => void
  /** Moves the tile by a number of positions. */
  onMove: (by: number) => void
  /** Changes fields of the tile; undefined unless the insight is being edited. */
  onChange?: ((fields: Partial<Tile>, topic?: string) => void) | undefined
  /** Starts dragging the tile. */
  onDragStart: (event: PointerEvent<HTMLElement>) => void
  /** The new size while the tile is being resized. */
  resize: TileResize | undefined
  /** Starts resizing the tile. */
  onResizeStart: (edges: ResizeEdges, event: PointerEvent<HTMLElement>) => void
  /** Sets the next available size. */
  onResizeStep: (step: ResizeStep) => void
}

/** Properties of a view. It renders the content of a card, and a `TileHeader` for additions to the header. */
export interface TileViewProps {
  /** The tile with the choices of the page. */
  tile: Tile
  /** Its data prep with the choices of the page. */
  dataPrep: TileDataPrep
  /** The card of the tile. */
  card: CardProps
}

/** Properties of an editor. */
export interface TileEditorProps {
  /** The stored tile. */
  tile: Tile
  /** Its data prep. */
  dataPrep: TileDataPrep
  /** Sets fields. Consecutive changes of one topic are one undo step. */
  onChange: (fields: Partial<Tile>, topic?: string) => void
  /** Sets the data prep, and optionally fields of the tile, in one undo step. */
  onChangeData: (dataPrep: TileDataPrep, fields?: Partial<Tile>) => void
  /** Replaces the tile and its data prep. Id and title stay unchanged. */
  onReplace: (tile: Tile, dataPrep: TileDataPrep) => void
  /** Whether adding the tile was the last change. */
  isAdded: boolean
  /** Whether the series picker is open. It opens automatically for a new tile with series. */
  isPicking: boolean
  /** Opens or closes the series picker. */
  onPicking: (isPicking: boolean) => void
  /** The fields of every tile: title, size, tooltip. */
  commonFields: ReactNode
}

/** Additions of a view to the header of its card. */
export interface CardExtras {
  /** Badges after the title. */
  badges?: ReactNode
  /** Buttons before the menu. */
  actions?: ReactNode
  /** Menu entries. */
  menu?: readonly MenuEntry[]
}
