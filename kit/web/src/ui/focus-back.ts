import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

/** The element that had the focus before something opened, and the list around it. */
interface Opener {
  element: HTMLElement
  list: Element | null
}

/**
 * When the component unmounts, restores the focus to the element that had it at mount, unless another element has taken it.
 * If that element was a menu item, the menu button gets the focus. If it was the row of a list and is gone, the row of the
 * newer version of its object gets the focus, or the row at its position. Without a list, the open dialog or the page gets
 * the focus. The returned function restores the focus immediately.
 */
export function useFocusBack(): () => void {
  const [opener] = useState(focusedOpener)
  useEffect(() => () => returnFocus(opener), [opener])
  return () => focusAgain(opener?.element)
}

/**
 * After each change of `key`, moves the focus to the page if the focused element is gone. Otherwise the next Tab would start
 * at the beginning of the document.
 */
export function useFocusOnPage(key: unknown): void {
  const before = useRef(key)
  useEffect(() => {
    if (before.current === key) return
    before.current = key
    takeLostFocus(document.getElementById('page'))
  }, [key])
}

/** Label of a row of tabs that is being removed while one of its tabs has the focus. */
let removedTabs: string | undefined

/**
 * Keeps the focus on the selected tab if the content of each tab renders the row. Selecting a tab then replaces the row with
 * another row with the same label.
 */
export function useFocusOnTab(row: RefObject<HTMLElement | null>, label: string): void {
  useLayoutEffect(() => {
    const element = row.current
    if (removedTabs === label && focusedElement() === undefined)
      element?.querySelector<HTMLElement>('[aria-selected="true"]')?.focus({ preventScroll: true })
    return () => {
      if (!element?.contains(document.activeElement)) return
      removedTabs = label
      // The row that replaces this one is mounted in the same commit. A row that is mounted later must not take the focus.
      queueMicrotask(() => (removedTabs = undefined))
    }
  }, [row, label])
}

/**
 * Moves the focus to the heading of a panel that a keyboard user opens from the page beside it, and back when the panel closes.
 * With the mouse, the focus stays in the list, so that arrow keys still move there.
 * @param id id of the object in the panel. A new id moves the focus again, even if the focused control of the panel
 * disappears
 */
export function usePanelFocus(
  id: string,
  panel: RefObject<HTMLElement | null>,
  heading: RefObject<HTMLElement | null>,
): void {
  const opener = useRef<Opener>(undefined)
  const wasOpen = useRef(false)
  useLayoutEffect(() => {
    const focused = focusedElement()
    const isInside = focused !== undefined && panel.current?.contains(focused) === true
    if (focused !== undefined && !isInside) opener.current = focusedOpener()
    const isByKeyboard = focused === undefined ? wasOpen.current : focused.matches(':focus-visible')
    if (!isInside && isByKeyboard) heading.current?.focus({ preventScroll: true })
    wasOpen.current = true
  }, [id, panel, heading])
  useEffect(() => () => returnFocus(opener.current), [])
}

/** Event that asks a list to focus its current row, which may not be rendered. A list with rows calls `preventDefault`. */
export const focusRowEvent = 'headwater-focus-row'

/** Restores a lost focus: to the opener, to its row or the row at its position, to the open dialog, or to the page. */
export function returnFocus(opener?: Opener): void {
  // Delayed, because another element can take the focus after the closing.
  setTimeout(() => {
    const isLost = opener?.element.isConnected !== true && focusedElement() === undefined
    if (isLost && focusesRow(opener?.list)) return
    const target = opener?.element.isConnected ? opener.element : focusableRow(opener?.list)
    if (target) takeLostFocus(target)
    // Delayed further: if several components unmount together, an opener that still exists has priority.
    else setTimeout(() => takeLostFocus(openDialog() ?? document.getElementById('page')))
  })
}

/** Returns the topmost dialog that is open. */
function openDialog(): HTMLElement | undefined {
  return [...document.querySelectorAll<HTMLElement>('[role="dialog"][aria-modal="true"]:not([inert])')].at(-1)
}

/** Focuses an element unless another one has the focus. */
function takeLostFocus(element: HTMLElement | null): void {
  if (focusedElement() === undefined) focusAgain(element)
}

let isReturning = false

/**
 * Returns whether the current focus event restores a lost focus. A field must not open its choices then, because the user
 * did not move to it.
 */
export function isFocusReturning(): boolean {
  return isReturning
}

function focusAgain(element: HTMLElement | null | undefined): void {
  isReturning = true
  try {
    element?.focus({ preventScroll: true })
  } finally {
    isReturning = false
  }
}

/** Returns whether a list focuses its current row, now or as soon as it has rendered it. */
function focusesRow(list: Element | null | undefined): boolean {
  return list?.dispatchEvent(new Event(focusRowEvent, { cancelable: true })) === false
}

function focusableRow(list: Element | null | undefined): HTMLElement | null | undefined {
  return list?.isConnected ? list.querySelector<HTMLElement>('[data-index][tabindex="0"]') : undefined
}

/** Returns the element with the focus; undefined if no element has it. */
function focusedElement(): HTMLElement | undefined {
  const focused = document.activeElement
  return focused instanceof HTMLElement && focused !== document.body ? focused : undefined
}

function focusedOpener(): Opener | undefined {
  const focused = focusedElement()
  if (focused === undefined) return undefined
  const button = focused.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  const element = (button ? document.getElementById(button) : undefined) ?? focused
  return { element, list: listOf(element) }
}

/** Returns the list that an element belongs to. The bar for a selection is beside its list, and can disappear while a dialog is open. */
function listOf(element: HTMLElement): Element | null {
  const isInBar = element.closest('[data-selection-bar]') !== null
  return isInBar ? document.querySelector('[role="grid"]') : element.closest('[role="grid"]')
}
