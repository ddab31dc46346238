import type { KeyboardEvent } from 'react'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import { headingOf } from '@headwater/tile-data/contract'
import { Tooltip } from '@headwater/web-kit'
import type { CardProps } from '../tiles/tile-view.ts'
import styles from './TileCard.module.css'

/** The handle that moves a tile by dragging or with the arrow keys. */
export default function DragHandle({ card }: { card: CardProps }) {
  function onKeyDown(event: KeyboardEvent) {
    const by = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }[event.key]
    if (by === undefined) return
    event.preventDefault()
    card.onMove(by)
  }
  return (
    <Tooltip label="Drag to move, or use the arrow keys">
      <button
        type="button"
        className={styles.handle}
        aria-label={`Move ${headingOf(card.tile)}`}
        onPointerDown={card.onDragStart}
        onKeyDown={onKeyDown}
      >
        <IconGripVertical size={14} stroke={1.6} aria-hidden="true" />
      </button>
    </Tooltip>
  )
}
