import { useEffect, useRef, useState } from 'react'

/**
 * Restores the focus of the element that had it when the component mounted, after the component unmounts and if nothing else took the
 * focus. For an item of a menu, which disappears with its menu, that is the button of the menu; if that is gone too, the page. The
 * returned function restores the focus at once.
 */
export function useFocusBack(): () => void {
  const [opener] = useState(focusedOpener)
  useEffect(
    () => () => {
      // later, so that a consequence of the closing can take the focus
      setTimeout(() => {
        if (opener?.isConnected) takeLostFocus(opener)
        // later still: among several that unmount at once, the one whose opener exists comes first
        else setTimeout(() => takeLostFocus(document.getElementById('page')))
      })
    },
    [opener],
  )
  return () => opener?.focus({ preventScroll: true })
}

/**
 * Moves the focus to the page after each change of `key`, if the focused element is gone. The next Tab then continues in the page and
 * not at the very beginning.
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
