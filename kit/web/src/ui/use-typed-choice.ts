import { type KeyboardEvent, useLayoutEffect, useRef } from 'react'

/**
 * Makes Enter select the highlighted choice, which is the first one after typing. Mantine stores the index of the
 * highlighted choice separately from the list and loses it in two cases: when the list opens, through a timer that can
 * run after the first typed character, and while the typed text has no choices until the server responds.
 * @returns the properties of Mantine's Select or MultiSelect
 */
export function useTypedChoice() {
  const input = useRef<HTMLInputElement>(null)
  const isTyped = useRef(false)

  function highlighted(): Element | null {
    // The attribute exists while the list is open.
    const listId = input.current?.getAttribute('aria-controls')
    const list = listId ? document.getElementById(listId) : null
    const marked = list?.querySelector('[data-combobox-selected]')
    if (marked || !isTyped.current) return marked ?? null
    return list?.querySelector('[data-combobox-option]:not([data-combobox-disabled])') ?? null
  }

  // Each response changes the choices and renders the field again.
  useLayoutEffect(() => highlighted()?.setAttribute('data-combobox-selected', 'true'))

  return {
    ref: input,
    onInput: () => {
      isTyped.current = true
    },
    onDropdownClose: () => {
      isTyped.current = false
    },
    onKeyDownCapture: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
      const choice = highlighted()
      if (!(choice instanceof HTMLElement)) return
      event.preventDefault()
      // Mantine would select its own choice as well.
      event.stopPropagation()
      choice.click()
      isTyped.current = false
    },
  }
}
