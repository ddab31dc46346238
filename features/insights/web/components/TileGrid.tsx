import { type DragEvent, Suspense, useRef, useState } from 'react'
import IconPuzzle from '@tabler/icons-react/dist/esm/icons/IconPuzzle.mjs'
import { EmptyState, ErrorBoundary } from '@headwater/web-kit'
import type { InsightContent, Tile } from '../../contract/index.ts'
import { dataPrepOf } from '../builder/draft.ts'
import { tileKindOf } from '../tiles/tile-kinds.ts'
import type { CardProps } from '../tiles/tile-view.ts'
import { TileCard, TilePlace } from './TileCard.tsx'
import { TileMessage, TileSkeleton } from './TileStates.tsx'
import styles from './TileGrid.module.css'

/** What the page does when something happens to a tile. */
export interface TileActions {
  onSelect: (id: string) => void
  onDuplicate: (id: string) => void
  onRemove: (id: string) => void
  onExport: (id: string) => void
  onImport: (id: string) => void
  /** Moves a tile to a place, counted without it. */
  onMove: (id: string, to: number) => void
}

/** Where a dragged tile would go. */
interface DropPlace {
  id: string
  after: boolean
}

/** The tiles of an insight, two in a row where they are half as wide. */
export function TileGrid({
  content,
  editing,
  selectedId,
  actions,
}: {
  content: InsightContent
  editing: boolean
  selectedId: string | undefined
  actions: TileActions
}) {
  const dragged = useRef<string>(undefined)
  const [drop, setDrop] = useState<DropPlace>()
  const tiles = editing ? content.tiles : content.tiles.filter(({ hidden }) => hidden !== true)

  function onDragOver(event: DragEvent) {
    const at = dragged.current === undefined ? undefined : placeAt(event)
    if (at === undefined) return
    event.preventDefault()
    setDrop((last) => (last?.id === at.id && last.after === at.after ? last : at))
  }

  function onDrop(event: DragEvent) {
    event.preventDefault()
    const id = dragged.current
    const at = placeAt(event)
    if (id !== undefined && at !== undefined && at.id !== id) {
      const others = content.tiles.filter((tile) => tile.id !== id)
      actions.onMove(id, others.findIndex((tile) => tile.id === at.id) + (at.after ? 1 : 0))
    }
    end()
  }

  function end() {
    dragged.current = undefined
    setDrop(undefined)
  }

  return (
    <div className={styles.grid} onDragOver={onDragOver} onDrop={onDrop}>
      {tiles.map((tile) => {
        const card: CardProps = {
          tile,
          editing,
          selected: tile.id === selectedId,
          drop: drop?.id === tile.id ? (drop.after ? 'after' : 'before') : undefined,
          onSelect: () => actions.onSelect(tile.id),
          onDuplicate: () => actions.onDuplicate(tile.id),
          onRemove: () => actions.onRemove(tile.id),
          onExport: () => actions.onExport(tile.id),
          onImport: () => actions.onImport(tile.id),
          onMove: (by) => actions.onMove(tile.id, content.tiles.findIndex(({ id }) => id === tile.id) + by),
          onDragStart: () => (dragged.current = tile.id),
          onDragEnd: end,
        }
        return (
          <TilePlace key={tile.id} card={card}>
            <OneTile tile={tile} content={content} card={card} />
          </TilePlace>
        )
      })}
    </div>
  )
}

/** Before or after which tile the pointer is: half tiles stand side by side, the others below one another. */
function placeAt({ target, clientX, clientY }: DragEvent): DropPlace | undefined {
  const place = (target as HTMLElement).closest<HTMLElement>('[data-tile-id]')
  if (place === null) return undefined
  const { left, top, width, height } = place.getBoundingClientRect()
  const after = place.dataset.width === 'half' ? clientX > left + width / 2 : clientY > top + height / 2
  return { id: place.dataset.tileId!, after }
}

function OneTile({ tile, content, card }: { tile: Tile; content: InsightContent; card: CardProps }) {
  const kind = tileKindOf(tile)
  if (kind === undefined) return <UnknownTile card={card} />
  const { View } = kind
  return (
    <ErrorBoundary resetKey={`${tile.id} ${tile.type} ${tile.title}`}>
      <Suspense
        fallback={
          <TileCard card={card}>
            <TileSkeleton shape={kind.shape} />
          </TileCard>
        }
      >
        <View tile={tile} dataPrep={dataPrepOf(content, tile.id)} card={card} />
      </Suspense>
    </ErrorBoundary>
  )
}

/** A tile of a kind that cannot be shown is kept as it is. */
function UnknownTile({ card }: { card: CardProps }) {
  return (
    <TileCard card={card}>
      <TileMessage>
        <EmptyState icon={<IconPuzzle size={20} stroke={1.6} />} title="This tile cannot be shown">
          Tiles of the kind {card.tile.type.slice(0, 60)} are not known here. It stays in the insight as it
          is.
        </EmptyState>
      </TileMessage>
    </TileCard>
  )
}
