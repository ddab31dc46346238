import { useLayoutEffect, useRef } from 'react'

const stack: { close: () => void }[] = []

/** Registers `close` for Esc while `active` is true. Each key press closes the element that was registered last. */
export function useEscape(active: boolean, close: () => void): void {
  const latest = useRef(close)
  // Uses a layout effect, which runs before the element is painted, so that no key press is lost.
  useLayoutEffect(() => {
    latest.current = close
  })
  useLayoutEffect(() => {
    if (!active) return
    const entry = { close: () => latest.current() }
    if (stack.push(entry) === 1) window.addEventListener('keydown', onKeyDown, true)
    return () => {
      stack.splice(stack.indexOf(entry), 1)
      if (stack.length === 0) window.removeEventListener('keydown', onKeyDown, true)
    }
  }, [active])
}

function onKeyDown(event: KeyboardEvent): void {
  if (event.key !== 'Escape' || event.isComposing || ownsEscape(event.target)) return
  event.preventDefault()
  event.stopPropagation()
  stack.at(-1)?.close()
}

/**
 * Returns whether an element handles Esc itself: an open list of choices or menu closes, and a search field clears its text.
 */
export function ownsEscape(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') return true
  return (
    target.matches('[aria-expanded="true"]:is([role="combobox"], [aria-haspopup])') ||
    target.closest('[role="menu"],[role="listbox"]') !== null
  )
}
