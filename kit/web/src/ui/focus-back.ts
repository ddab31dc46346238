import { useEffect, useRef, useState } from 'react'

/**
 * When the component unmounts, restores the focus to the element that had it at mount, unless another element has taken
 * it. A menu item disappears with its menu; in that case, focuses the menu button, or the page if the button is gone
 * too. The returned function restores the focus immediately.
 */
export function useFocusBack(): () => void {
  const [opener] = useState(focusedOpener)
  useEffect(
    () => () => {
      // delayed, so that a follow-up of the closing can take the focus
      setTimeout(() => {
        if (opener?.isConnected) takeLostFocus(opener)
        // delayed further: if several components unmount together, the one whose opener still exists goes first
        else setTimeout(() => takeLostFocus(document.getElementById('page')))
      })
    },
    [opener],
  )
  return () => opener?.focus({ preventScroll: true })
}

/**
 * Moves the focus to the page after each change of `key`, if the focused element is gone. The next Tab then continues
 * in the page instead of at its very beginning.
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
