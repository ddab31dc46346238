import { type RefObject, useEffect, useRef } from 'react'

/** Scrolls the selected item of a list into view. The item has the attribute `data-selected`. */
export function useSelectedInView<E extends Element>(selectedId: string | undefined): RefObject<E | null> {
  const list = useRef<E>(null)
  useEffect(() => {
    if (selectedId === undefined) return
    list.current?.querySelector('[data-selected]')?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }, [selectedId])
  return list
}
