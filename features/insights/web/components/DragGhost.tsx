import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import IconGripVertical from '@tabler/icons-react/dist/esm/icons/IconGripVertical.mjs'
import type { TileDrag } from '@headwater/tiles/web'
import styles from './TileGrid.module.css'

/** Shows the title of the dragged tile next to the pointer. */
export default function DragGhost({ title, from }: { title: string; from: TileDrag['from'] }) {
  const [at, setAt] = useState(from)
  useEffect(() => {
    const follow = ({ clientX: x, clientY: y }: PointerEvent) => setAt({ x, y })
    window.addEventListener('pointermove', follow)
    return () => window.removeEventListener('pointermove', follow)
  }, [])
  return createPortal(
    <div className={styles.ghost} style={{ left: at.x, top: at.y }} aria-hidden="true">
      <IconGripVertical size={14} stroke={1.6} />
      <span>{title === '' ? 'Untitled' : title}</span>
    </div>,
    document.body,
  )
}
