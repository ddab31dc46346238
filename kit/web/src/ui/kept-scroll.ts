import { createContext, type RefObject, useContext, useLayoutEffect, useMemo, useState } from 'react'
import { createPath, useLocation, useNavigationType } from 'react-router'

/** An entry of the history of the browser, for which a page is shown. */
export interface HistoryPlace {
  /** Text that no other entry has; an address that was loaded anew has the one of its last time. */
  entry: string
  /** Whether one came by going back or forward, or by loading the page. */
  isReturn: boolean
}

/** The place of the page around; undefined outside of pages, where nothing is kept. */
export const HistoryPlaceContext = createContext<HistoryPlace | undefined>(undefined)

/** Names of entries and of what scrolls, with pixels from the top; the oldest first. */
const kept = new Map<string, number>()
const mostKept = 1000

/** The place of now. */
export function useHistoryPlace(): HistoryPlace {
  const location = useLocation()
  const isReturn = useNavigationType() === 'POP'
  const entry = `${location.key} ${createPath(location)}`
  return useMemo(() => ({ entry, isReturn }), [entry, isReturn])
}

/**
 * Scrolls an element to where it was when the place was left, once one comes back to it; the router's own restoration knows the window
 * only. What is not yet high enough is waited for until somebody does something else.
 * @param name of the element, unlike others of its page
 */
export function useKeptScroll(
  element: RefObject<HTMLElement | null>,
  name: string,
  place: HistoryPlace | undefined,
): void {
  useLayoutEffect(() => {
    const scroller = element.current
    if (scroller === null || place === undefined) return
    return keepScroll(scroller, name, place)
  }, [element, name, place])
}

/** {@link useKeptScroll} for an element inside of a page. */
export function useKeptScrollInPage(element: RefObject<HTMLElement | null>, name: string): void {
  useKeptScroll(element, name, useContext(HistoryPlaceContext))
}

/** Whether the component came with a return to a place where something of this name was scrolled. */
export function useIsScrolledBack(name: string): boolean {
  const place = useHistoryPlace()
  return useState(() => place.isReturn && kept.has(keyOf(place, name)))[0]
}

function keyOf({ entry }: HistoryPlace, name: string): string {
  return `${entry} ${name}`
}

function keepScroll(scroller: HTMLElement, name: string, place: HistoryPlace): () => void {
  const key = keyOf(place, name)
  const wanted = !isTouched(place) && place.isReturn ? kept.get(key) : undefined
  const observer = new MutationObserver(goBack)
  let isWaiting = false
  function goBack() {
    isWaiting = wanted !== undefined && !isTouched(place)
    if (isWaiting) {
      scroller.scrollTop = wanted!
      isWaiting = Math.abs(scroller.scrollTop - wanted!) >= 1
    }
    if (!isWaiting) observer.disconnect()
  }
  function note() {
    if (isWaiting && !isTouched(place)) return
    kept.delete(key)
    kept.set(key, scroller.scrollTop)
    if (kept.size > mostKept) kept.delete(kept.keys().next().value!)
  }
  observer.observe(scroller, { childList: true, subtree: true, attributeFilter: ['style', 'class'] })
  goBack()
  // Another entry took the place of one that was scrolled.
  if (wanted === undefined && scroller.scrollTop > 0) note()
  scroller.addEventListener('scroll', note, { passive: true })
  return () => {
    observer.disconnect()
    scroller.removeEventListener('scroll', note)
  }
}

const touch = { entry: '', isTouched: false, isWatched: false }

/** Whether somebody did something since the place was come to; asked at every place, which begins a new count. */
function isTouched({ entry }: HistoryPlace): boolean {
  if (!touch.isWatched)
    for (const event of ['pointerdown', 'wheel', 'touchstart', 'keydown'])
      window.addEventListener(event, () => (touch.isTouched = true), { capture: true, passive: true })
  touch.isWatched = true
  if (touch.entry !== entry) Object.assign(touch, { entry, isTouched: false })
  return touch.isTouched
}
