import { useMemo, useRef, useState } from 'react'
import IconPuzzle from '@tabler/icons-react/dist/esm/icons/IconPuzzle.mjs'
import { isFramed } from '@headwater/accounts/web'
import { EmptyState, lazyPart, PartBoundary } from '@headwater/web-kit'
import {
  chartSyncOf,
  headingOf,
  ownValue,
  tileSizeOf,
  type InsightContent,
  type Tile,
  type TileSize,
} from '@headwater/tile-data/contract'
import { dataPrepOf, visibleTiles } from '@headwater/tile-data/core'
import { useAppliedTile } from '@headwater/tile-data/web'
import {
  ChartGroupContext,
  createChartGroup,
  tileKindOf,
  useTileSight,
  type CardProps,
  TileCard,
  TileFrame,
  TileMessage,
  TileSkeleton,
  sizeLabel,
  steppedSize,
  useTileDrag,
  columnCount,
  useTileResize,
} from '@headwater/tiles/web'
import { countInFirstView } from './first-view.ts'
import { PartFrame } from './PartFrame.tsx'
import styles from './TileGrid.module.css'

const DragGhost = lazyPart(() => import('./DragGhost.tsx'))

/** Actions on tiles. */
export interface TileActions {
  /** Selects a tile. */
  onSelect: (id: string) => void
  /** Adds a copy of a tile and scrolls to it. */
  onDuplicate: (id: string) => void
  /** Removes a tile. */
  onRemove: (id: string) => void
  /** Downloads the configuration of a tile as a JSON file. */
  onExport: (id: string) => void
  /** Opens a file dialog for a JSON file and replaces the tile with the configuration in it. */
  onImport: (id: string) => void
  /** Moves a tile; `to` is its index among the other tiles. */
  onMove: (id: string, to: number) => void
  /** Sets the width and height of a tile. */
  onResize: (id: string, size: TileSize) => void
  /** Changes fields of a tile from within the tile; absent outside the builder. */
  onChange?: (id: string, fields: Partial<Tile>, topic?: string) => void
}

/** The tiles of an insight; two tiles of half width share a row. */
export function TileGrid({
  content,
  editing,
  selectedId,
  actions,
  isNew = false,
}: {
  content: InsightContent
  editing: boolean
  selectedId: string | undefined
  actions: TileActions
  /** Whether the insight has never been saved, in which case all its tiles are visible. */
  isNew?: boolean
}) {
  const sight = useTileSight()
  const grid = useRef<HTMLDivElement>(null)
  const [done, setDone] = useState('')
  const inSight = isNew ? content.tiles : visibleTiles(content.tiles, sight)
  const tiles = editing ? inSight : inSight.filter(({ hidden }) => hidden !== true)
  const inFirstView = isSeen() ? countInFirstView(tiles, window.innerWidth, window.innerHeight) : 0
  const ids = content.tiles.map(({ id }) => id)
  const { drag, start } = useTileDrag(grid, ids, move)
  const { resize, start: startResize } = useTileResize(grid, setSize)

  function move(id: string, to: number) {
    const index = Math.max(0, Math.min(ids.length - 1, to))
    actions.onMove(id, index)
    const title = content.tiles.find((tile) => tile.id === id)?.title ?? ''
    setDone(`${title} is now at position ${index + 1} of ${ids.length}.`)
  }

  function setSize(id: string, size: TileSize) {
    actions.onResize(id, size)
    const tile = content.tiles.find((each) => each.id === id)
    setDone(`${tile === undefined ? '' : headingOf(tile)}: ${sizeLabel(size)}.`)
  }

  const sync = chartSyncOf(content)
  const charts = useMemo(() => createChartGroup(sync), [sync])

  return (
    <ChartGroupContext value={charts}>
      <div
        ref={grid}
        className={styles.grid}
        data-guide="tiles"
        data-background
        data-dragging={drag ? true : undefined}
        data-resizing={resize && (resize.edges.right ? (resize.edges.bottom ? 'both' : 'right') : 'bottom')}
      >
        {tiles.map((tile, index) => {
          const card: CardProps = {
            tile,
            editing,
            selected: tile.id === selectedId,
            dragged: tile.id === drag?.id,
            drop: drag?.drop?.id === tile.id ? drag.drop.side : undefined,
            onSelect: () => actions.onSelect(tile.id),
            onDuplicate: () => actions.onDuplicate(tile.id),
            onRemove: () => actions.onRemove(tile.id),
            onExport: () => actions.onExport(tile.id),
            onImport: () => actions.onImport(tile.id),
            onMove: (by) => move(tile.id, ids.indexOf(tile.id) + by),
            onDragStart: (event) => start(tile.id, event),
            resize: resize?.id === tile.id ? resize : undefined,
            onResizeStart: (edges, event) => startResize(tile.id, tileSizeOf(tile), edges, event),
            onResizeStep: (step) => {
              if (grid.current === null) return
              setSize(tile.id, steppedSize(tileSizeOf(tile), step, columnCount(grid.current)))
            },
            onChange:
              editing && actions.onChange !== undefined
                ? (fields, topic) => actions.onChange?.(tile.id, fields, topic)
                : undefined,
          }
          return (
            <TileFrame key={tile.id} card={card} startsInView={index < inFirstView}>
              <OneTile tile={tile} content={content} card={card} />
            </TileFrame>
          )
        })}
        {editing ? (
          <p role="status" className="visually-hidden">
            {done}
          </p>
        ) : null}
        {drag ? (
          <PartBoundary fallback={null}>
            <DragGhost title={content.tiles.find(({ id }) => id === drag.id)?.title ?? ''} from={drag.from} />
          </PartBoundary>
        ) : null}
      </div>
    </ChartGroupContext>
  )
}

/**
 * Returns whether the top of the page is on the screen. A frame can show any part of the page, and a background tab
 * shows nothing.
 */
function isSeen(): boolean {
  return !document.hidden && !isFramed()
}

function OneTile({ tile: stored, content, card }: { tile: Tile; content: InsightContent; card: CardProps }) {
  const entry = ownValue(content.datapreps, stored.id)
  const storedPrep = useMemo(
    () => dataPrepOf({ datapreps: { [stored.id]: entry } }, stored.id),
    [entry, stored.id],
  )
  const { tile, dataPrep } = useAppliedTile(stored, storedPrep)
  const kind = tileKindOf(tile)
  return (
    // Authors see the stored heading, which they can edit. Readers see the heading with the chosen values.
    <TileCard card={card} heading={headingOf(card.editing ? stored : tile)}>
      {kind === undefined ? (
        <UnknownTile type={tile.type} />
      ) : (
        <PartFrame
          what="tile"
          resetKey={`${tile.id} ${tile.type} ${tile.title}`}
          waiting={<TileSkeleton shape={kind.shape} />}
        >
          <kind.View tile={tile} dataPrep={dataPrep} card={card} />
        </PartFrame>
      )}
    </TileCard>
  )
}

/** A tile of an unknown kind; saves do not change it. */
function UnknownTile({ type }: { type: string }) {
  return (
    <TileMessage>
      <EmptyState icon={<IconPuzzle size={20} stroke={1.6} />} title="This tile cannot be displayed">
        The tile type {type.slice(0, 60)} is not supported here. The tile stays in the insight unchanged.
      </EmptyState>
    </TileMessage>
  )
}
