import { useEffect, useState } from 'react'

/**
 * Gives the focus back to what had it when the component came, once the component has gone and nothing else took the focus.
 * For an entry of a menu, which goes with its menu, that is the button of the menu.
 */
export function useFocusBack(): void {
  const [opener] = useState(focusedOpener)
  useEffect(
    () => () => {
      // later, so that what the closing brings about may take the focus
      setTimeout(() => {
        const focused = document.activeElement
        if (focused === null || focused === document.body) opener?.focus({ preventScroll: true })
      })
    },
    [opener],
  )
}

function focusedOpener(): HTMLElement | undefined {
  const focused = document.activeElement
  if (!(focused instanceof HTMLElement)) return undefined
  const button = focused.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return (button ? document.getElementById(button) : undefined) ?? focused
}
