import { type RefObject, useEffect, useMemo, useState } from 'react'

/** How near to the window a tile begins to load, in pixels. */
const nearPx = 400

/**
 * Whether an element is on screen now, and whether it ever came near.
 * @param starts whether both are taken for true before the page has been laid out; whether it came near then stays true
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
      // the page scrolls in an element of its own
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
