import { type RefObject, useEffect, useMemo, useState } from 'react'

/** Distance to the viewport at which a tile starts to load, in pixels. */
const nearPx = 400

/**
 * Returns whether an element is visible, and whether it ever came near the viewport.
 * @param starts initial value of both, before the layout
 */
export function useNearViewport(
  element: RefObject<HTMLElement | null>,
  starts: boolean,
): { near: boolean; visible: boolean } {
  const [near, setNear] = useState(starts)
  const [visible, setVisible] = useState(starts)
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const nearing = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        setNear(true)
        nearing.disconnect()
      },
      // The page scrolls in its own element.
      { rootMargin: `${nearPx}px`, scrollMargin: `${nearPx}px` },
    )
    const watching = new IntersectionObserver((entries) =>
      setVisible(entries.at(-1)?.isIntersecting === true),
    )
    nearing.observe(target)
    watching.observe(target)
    return () => {
      nearing.disconnect()
      watching.disconnect()
    }
  }, [element])
  return useMemo(() => ({ near, visible }), [near, visible])
}
