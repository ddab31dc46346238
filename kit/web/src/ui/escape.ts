import { useEffect, useRef } from 'react'

const stack: { close: () => void }[] = []

/** Puts `close` on top of what Esc closes, as long as `active`; the top-most thing closes first, one for each key press. */
export function useEscape(active: boolean, close: () => void): void {
  const latest = useRef(close)
  useEffect(() => {
    latest.current = close
  })
  useEffect(() => {
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

/** An open list of choices or menu closes itself first, and a search field empties itself. */
export function ownsEscape(target: EventTarget | null): boolean {
  if (!(target instanceof Element)) return false
  if (target instanceof HTMLInputElement && target.type === 'search' && target.value !== '') return true
  return (
    target.getAttribute('aria-expanded') === 'true' ||
    target.closest('[role="menu"],[role="listbox"]') !== null
  )
}
