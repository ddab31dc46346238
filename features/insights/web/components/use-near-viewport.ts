import { type RefObject, useEffect, useMemo, useState } from 'react'

/** How near to the window a tile begins to load, in pixels. */
const nearPx = 400

/** Whether an element is on screen now, and whether it ever came near. */
export function useNearViewport(element: RefObject<HTMLElement | null>): { near: boolean; visible: boolean } {
  const [near, setNear] = useState(false)
  const [visible, setVisible] = useState(false)
  useEffect(() => {
    const target = element.current
    if (target === null) return
    const nearing = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        setNear(true)
        nearing.disconnect()
      },
      { rootMargin: `${nearPx}px` },
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
