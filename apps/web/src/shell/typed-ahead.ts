import { useLayoutEffect } from 'react'
import { closeOverlays, openOverlay } from '@headwater/web-kit'

let typed = ''
let isFieldThere = false

/** Opens the search over the page, now or as soon as a page exists. Buffers text that is typed before its field appears. */
export function openSearch(): void {
  if (!isFieldThere) {
    window.addEventListener('keydown', keep, { capture: true })
    window.addEventListener('pointerdown', stopKeeping, { capture: true })
  }
  openOverlay('search')
}

/** Discards the buffer on pages without a search. */
export function dropSearch(): void {
  stopKeeping()
  closeOverlays()
}

/** Passes the buffered text to the search field, which receives all later input. */
export function useTypedAhead(onText: (text: string) => void): void {
  useLayoutEffect(() => {
    if (typed !== '') onText(typed)
    stopKeeping()
    isFieldThere = true
    return () => {
      isFieldThere = false
    }
    // oxlint-disable-next-line react/exhaustive-deps -- once, when the field comes
  }, [])
}

function keep(event: KeyboardEvent): void {
  const { target, key } = event
  const isOfField = target instanceof Element && target.closest('input, textarea, select, [contenteditable]')
  if (isOfField || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return
  if (key === 'Escape') dropSearch()
  else if (key === 'Backspace') typed = typed.slice(0, -1)
  else if (key.length === 1) typed += key
  else return
  event.preventDefault()
  event.stopPropagation()
}

function stopKeeping(): void {
  typed = ''
  window.removeEventListener('keydown', keep, { capture: true })
  window.removeEventListener('pointerdown', stopKeeping, { capture: true })
}
