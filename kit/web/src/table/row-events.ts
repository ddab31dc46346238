import { useEffect, useRef } from 'react'
import { loadMoreWithinPx } from '../call/intervals.ts'

/** Calls `onVisibleChange` when the rendered rows change. */
export function useVisibleChange(
  onChange: ((first: number, last: number) => void) | undefined,
  first: number | undefined,
  last: number | undefined,
): void {
  const latest = useRef(onChange)
  useEffect(() => {
    latest.current = onChange
  })
  useEffect(() => {
    if (first !== undefined && last !== undefined) latest.current?.(first, last)
  }, [first, last])
}

/** Calls `onEndReached` when the user scrolls near the end of the rows. */
export function useEndReached(
  scroller: { current: HTMLElement | null },
  onEndReached: (() => void) | undefined,
  count: number,
  withinPx = loadMoreWithinPx,
): void {
  const latest = useRef(onEndReached)
  useEffect(() => {
    latest.current = onEndReached
  })
  const wanted = onEndReached !== undefined
  useEffect(() => {
    const element = scroller.current
    if (!wanted || element === null) return
    const check = () => {
      if (element.scrollHeight - element.scrollTop - element.clientHeight <= withinPx) latest.current?.()
    }
    check()
    element.addEventListener('scroll', check, { passive: true })
    return () => element.removeEventListener('scroll', check)
  }, [scroller, wanted, count, withinPx])
}
