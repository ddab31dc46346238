import { setNewest } from '@headwater/contract'
import { createContext, type RefObject, useContext, useLayoutEffect, useMemo, useState } from 'react'
import { createPath, useLocation, useNavigationType } from 'react-router'

/** An entry of the browser history. */
export interface HistoryEntry {
  /** Unique key of the entry. A reload keeps the key. */
  entry: string
  /** Whether the user reached the entry by going back or forward or by loading the page. */
  isReturn: boolean
}

/** The entry of the surrounding page; undefined outside pages, where positions are not stored. */
export const HistoryEntryContext = createContext<HistoryEntry | undefined>(undefined)

/** Scroll positions in pixels by entry and element name; the oldest first. */
const positions = new Map<string, number>()
const maxPositions = 1000

/** Returns the current entry. */
export function useHistoryEntry(): HistoryEntry {
  const location = useLocation()
  const isReturn = useNavigationType() === 'POP'
  const entry = `${location.key} ${createPath(location)}`
  return useMemo(() => ({ entry, isReturn }), [entry, isReturn])
}

/**
 * Restores the scroll position of an element when the user returns to its entry. (The router restores only the position of
 * the window.) Waits until the content is tall enough, and stops if the user interacts.
 * @param name name of the element, unique on its page
 */
export function useScrollRestoration(
  element: RefObject<HTMLElement | null>,
  name: string,
  historyEntry: HistoryEntry | undefined,
): void {
  useLayoutEffect(() => {
    const scroller = element.current
    if (scroller === null || historyEntry === undefined) return
    return restoreScroll(scroller, name, historyEntry)
  }, [element, name, historyEntry])
}

/** {@link useScrollRestoration} for an element inside a page. */
export function usePageScrollRestoration(element: RefObject<HTMLElement | null>, name: string): void {
  useScrollRestoration(element, name, useContext(HistoryEntryContext))
}

/** Returns whether the user returned to an entry in which the element of this name was scrolled. */
export function useIsScrolledBack(name: string): boolean {
  const historyEntry = useHistoryEntry()
  return useState(() => historyEntry.isReturn && positions.has(keyOf(historyEntry, name)))[0]
}

function keyOf({ entry }: HistoryEntry, name: string): string {
  return `${entry} ${name}`
}

function restoreScroll(scroller: HTMLElement, name: string, historyEntry: HistoryEntry): () => void {
  const key = keyOf(historyEntry, name)
  const wanted = !isTouched(historyEntry) && historyEntry.isReturn ? positions.get(key) : undefined
  const observer = new MutationObserver(goBack)
  let isWaiting = false
  function goBack() {
    isWaiting = wanted !== undefined && !isTouched(historyEntry)
    if (isWaiting) {
      scroller.scrollTop = wanted!
      isWaiting = Math.abs(scroller.scrollTop - wanted!) >= 1
    }
    if (!isWaiting) observer.disconnect()
  }
  function note() {
    if (isWaiting && !isTouched(historyEntry)) return
    setNewest(positions, key, scroller.scrollTop, maxPositions)
  }
  observer.observe(scroller, { childList: true, subtree: true, attributeFilter: ['style', 'class'] })
  goBack()
  // This entry replaced a scrolled one.
  if (wanted === undefined && scroller.scrollTop > 0) note()
  scroller.addEventListener('scroll', note, { passive: true })
  return () => {
    observer.disconnect()
    scroller.removeEventListener('scroll', note)
  }
}

const touch = { entry: '', isTouched: false, isWatched: false }

/** Returns whether the user interacted since the entry was opened. Each entry starts without interaction. */
function isTouched({ entry }: HistoryEntry): boolean {
  if (!touch.isWatched)
    for (const event of ['pointerdown', 'wheel', 'touchstart', 'keydown'])
      window.addEventListener(event, () => (touch.isTouched = true), { capture: true, passive: true })
  touch.isWatched = true
  if (touch.entry !== entry) Object.assign(touch, { entry, isTouched: false })
  return touch.isTouched
}
