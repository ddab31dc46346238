import { type RefObject, useEffect, useRef } from 'react'

/** Keeps what is selected in a list in view: for the element around it, in which it is marked by `data-selected`. */
export function useSelectedInView<E extends Element>(selectedId: string | undefined): RefObject<E | null> {
  const list = useRef<E>(null)
  useEffect(() => {
    if (selectedId === undefined) return
    list.current?.querySelector('[data-selected]')?.scrollIntoView({ block: 'nearest', behavior: 'smooth' })
  }, [selectedId])
  return list
}
