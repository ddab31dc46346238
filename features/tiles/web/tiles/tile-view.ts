import type { PointerEvent, ReactNode } from 'react'
import type { MenuEntry } from '@headwater/web-kit'
import type { Tile, TileDataPrep } from '../../contract/index.ts'
import type { ResizeEdges, ResizeStep } from '../card/tile-size.ts'
import type { DropSide } from '../card/use-tile-drag.ts'
import type { TileResize } from '../card/use-tile-resize.ts'

/** What the page hands to the card of a tile, whatever its kind. */
export interface CardProps {
  tile: Tile
  editing: boolean
  selected: boolean
  /** Whether it is the one that is dragged. */
  dragged: boolean
  /** At which side a dragged tile would go; undefined when it goes elsewhere. */
  drop: DropSide | undefined
  onSelect: () => void
  onDuplicate: () => void
  onRemove: () => void
  onExport: () => void
  onImport: () => void
  /** Moves the tile by so many places. */
  onMove: (by: number) => void
  /** Changes fields of the tile from within it; undefined while the insight is not edited. */
  onChange?: ((fields: Partial<Tile>, topic?: string) => void) | undefined
  /** Begins dragging the tile by the pointer that was pressed on its handle. */
  onDragStart: (event: PointerEvent<HTMLElement>) => void
  /** The size it would have while its edges are dragged. */
  resize: TileResize | undefined
  /** Begins dragging edges of the tile by the pointer that was pressed on them. */
  onResizeStart: (edges: ResizeEdges, event: PointerEvent<HTMLElement>) => void
  /** Sets the next listed size. */
  onResizeStep: (step: ResizeStep) => void
}

/** What a view gets: it draws the content of a card, and a `TileHeader` for what it adds to the card's header. */
export interface TileViewProps {
  tile: Tile
  dataPrep: TileDataPrep
  card: CardProps
}

/** What an editor gets: the tile, and how to change it. */
export interface TileEditorProps {
  tile: Tile
  dataPrep: TileDataPrep
  /** Sets fields; changes of one topic in a row are one step to undo. */
  onChange: (fields: Partial<Tile>, topic?: string) => void
  onChangeData: (dataPrep: TileDataPrep, fields?: Partial<Tile>) => void
  /** Puts another tile, with its data, in the place of this one; id and title stay. */
  onReplace: (tile: Tile, dataPrep: TileDataPrep) => void
  /** Whether adding the tile was the last change. */
  isAdded: boolean
  /** Whether the dialog that picks series is open; it opens by itself for a new tile that shows series. */
  isPicking: boolean
  onPicking: (isPicking: boolean) => void
  /** The fields every tile has: title, size, tooltip. */
  commonFields: ReactNode
}

/** What a view adds to the header of its card. */
export interface CardExtras {
  badges?: ReactNode
  /** Buttons before the menu. */
  actions?: ReactNode
  menu?: readonly MenuEntry[]
}
