import { useCallback, useRef, useState } from 'react'

/** Returns the inner width of an element in pixels (undefined until it is rendered), and the ref to set on the element. */
export function useWidth(): [number | undefined, (element: HTMLElement | null) => void] {
  const [widthPx, setWidthPx] = useState<number>()
  const observer = useRef<ResizeObserver>(undefined)
  const measured = useCallback((element: HTMLElement | null) => {
    observer.current?.disconnect()
    if (element === null) return
    const measure = () => setWidthPx(element.clientWidth)
    measure()
    observer.current = new ResizeObserver(measure)
    observer.current.observe(element)
  }, [])
  return [widthPx, measured]
}
