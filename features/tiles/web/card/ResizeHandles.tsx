import type { KeyboardEvent } from 'react'
import IconArrowsDiagonal2 from '@tabler/icons-react/dist/esm/icons/IconArrowsDiagonal2.mjs'
import { headingOf } from '@headwater/tile-data/contract'
import { Tooltip } from '@headwater/web-kit'
import type { CardProps } from '../tiles/tile-view.ts'
import { type ResizeStep, sizePercent, sizeLabel } from './tile-size.ts'
import styles from './ResizeHandles.module.css'

const steps: Partial<Record<string, ResizeStep>> = {
  ArrowRight: 'wider',
  ArrowLeft: 'narrower',
  ArrowDown: 'taller',
  ArrowUp: 'lower',
}

/** The edges and the corner for resizing a tile, and the outline of the new size. */
export default function ResizeHandles({ card }: { card: CardProps }) {
  const { resize } = card
  function onKeyDown(event: KeyboardEvent) {
    const step = steps[event.key]
    if (step === undefined) return
    event.preventDefault()
    card.onResizeStep(step)
  }
  return (
    <>
      <div
        className={styles.right}
        aria-hidden="true"
        onPointerDown={(event) => card.onResizeStart({ right: true, bottom: false }, event)}
      />
      <div
        className={styles.bottom}
        aria-hidden="true"
        onPointerDown={(event) => card.onResizeStart({ right: false, bottom: true }, event)}
      />
      <Tooltip label="Drag to resize, or use the arrow keys">
        <button
          type="button"
          className={styles.corner}
          aria-label={`Resize ${headingOf(card.tile)}`}
          onPointerDown={(event) => card.onResizeStart({ right: true, bottom: true }, event)}
          onKeyDown={onKeyDown}
        >
          <IconArrowsDiagonal2 size={12} stroke={1.8} aria-hidden="true" />
        </button>
      </Tooltip>
      {resize === undefined ? null : (
        <div className={styles.outline} style={resize.box} data-resize-outline aria-hidden="true">
          <span className={styles.size}>
            {sizeLabel(resize.size)} ({sizePercent(resize.size)})
          </span>
        </div>
      )}
    </>
  )
}
