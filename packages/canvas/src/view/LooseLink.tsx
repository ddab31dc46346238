import { useEffect, useState } from 'react'
import { ViewportPortal } from '@xyflow/react'
import type { Point } from '../graph.ts'
import styles from './Canvas.module.css'

/** Time for which a link without a target stays visible, in milliseconds. */
const looseLinkMs = 100

/** A link that was not dropped on a port. It disappears after 100 ms. */
export function useLooseLink() {
  const [link, setLink] = useState<{ from: Point; to: Point }>()
  useEffect(() => {
    if (link === undefined) return
    const timer = setTimeout(() => setLink(undefined), looseLinkMs)
    return () => clearTimeout(timer)
  }, [link])
  return { link, show: (from: Point, to: Point) => setLink({ from, to }) }
}

/** Renders a link that has no target. */
export function LooseLink({ link }: { link: { from: Point; to: Point } | undefined }) {
  if (link === undefined) return null
  return (
    <ViewportPortal>
      <svg className={styles.loose} data-loose-link aria-hidden="true">
        <path d={`M${link.from.x},${link.from.y} L${link.to.x},${link.to.y}`} />
      </svg>
    </ViewportPortal>
  )
}
