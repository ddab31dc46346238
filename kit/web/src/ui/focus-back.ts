import { useEffect, useRef, useState } from 'react'

/**
 * Gives the focus back to what had it when the component came, once the component has gone and nothing else took the focus.
 * For an entry of a menu, which goes with its menu, that is the button of the menu; when that has gone too, the page. The
 * answer gives it back at once.
 */
export function useFocusBack(): () => void {
  const [opener] = useState(focusedOpener)
  useEffect(
    () => () => {
      // later, so that what the closing brings about may take the focus
      setTimeout(() => {
        if (opener?.isConnected) takeLostFocus(opener)
        // later still: of several that go at once, one whose opener is there comes first
        else setTimeout(() => takeLostFocus(document.getElementById('page')))
      })
    },
    [opener],
  )
  return () => opener?.focus({ preventScroll: true })
}

/**
 * Puts the focus on the page after each change of `key`, when what had it has gone: the next press of Tab then goes on in
 * the page and not at the very beginning.
 */
export function useFocusOnPage(key: unknown): void {
  const before = useRef(key)
  useEffect(() => {
    if (before.current === key) return
    before.current = key
    takeLostFocus(document.getElementById('page'))
  }, [key])
}

/** Focuses an element unless another one has the focus. */
function takeLostFocus(element: HTMLElement | null): void {
  const isLost = document.activeElement === null || document.activeElement === document.body
  if (isLost) element?.focus({ preventScroll: true })
}

function focusedOpener(): HTMLElement | undefined {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement) || focused === document.body) return undefined
  const button = focused.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return (button ? document.getElementById(button) : undefined) ?? focused
}
