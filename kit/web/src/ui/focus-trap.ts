import { useCallback } from 'react'
import { useFocusTrap } from '@mantine/hooks'

/**
 * Traps the focus in a dialog, and moves it to the element with `data-autofocus`, or to the first one. Mantine does so
 * twice, in timers. On a busy computer, the timers can run when the user already types in another field, so `data-autofocus`
 * is moved to the field with the focus. If an item of a list disappears while its control with `data-removes-item` has the
 * focus, the focus moves to this control of the next item, or of the previous one. If another focused control disappears or
 * is disabled, the focus moves to the nearest control with `data-next-focus`, or to the heading.
 */
export function useDialogFocus(): (dialog: HTMLElement | null) => (() => void) | undefined {
  const trap = useFocusTrap(true)
  return useCallback(
    (dialog) => {
      trap(dialog)
      if (dialog === null) return undefined
      const onFocus = ({ target }: FocusEvent) => {
        for (const marked of dialog.querySelectorAll<HTMLElement>('[data-autofocus]'))
          delete marked.dataset.autofocus
        if (target instanceof HTMLElement) target.dataset.autofocus = 'true'
      }
      dialog.addEventListener('focusin', onFocus)
      const stopKeeping = keepFocus(dialog)
      return () => {
        stopKeeping()
        dialog.removeEventListener('focusin', onFocus)
        trap(null)
      }
    },
    [trap],
  )
}

const nextFocus = ':is([data-next-focus], [data-next-focus] *):is(a, button):not(:disabled)'

/** Keeps the focus in a dialog when the focused control disappears. Returns a function that stops this. */
function keepFocus(dialog: HTMLElement): () => void {
  /** The focused control and its ancestors in the dialog, the nearest first. */
  let path: readonly Element[] = []
  const onFocus = ({ target }: FocusEvent) => {
    path = target instanceof Element ? pathOf(target, dialog) : []
  }
  const observer = new MutationObserver((records) => {
    const [control] = path
    if (control === undefined || (control.isConnected && !control.matches(':disabled'))) return
    const focused = document.activeElement
    if (focused !== null && focused !== document.body && focused !== control) return
    const remover = control.matches(removesItem) ? nearRemover(records, path) : undefined
    const ancestors = path.slice(1).filter((ancestor) => ancestor.isConnected)
    path = []
    if (remover) return remover.focus()
    for (const ancestor of ancestors) {
      const next = ancestor.querySelector<HTMLElement>(nextFocus)
      if (next !== null) return next.focus()
    }
    const heading = dialog.querySelector<HTMLElement>('h2[tabindex]')
    ;(heading ?? dialog).focus({ preventScroll: true })
  })
  dialog.addEventListener('focusin', onFocus)
  observer.observe(dialog, { childList: true, subtree: true, attributeFilter: ['disabled'] })
  return () => {
    dialog.removeEventListener('focusin', onFocus)
    observer.disconnect()
  }
}

const removesItem = '[data-removes-item]:not(:disabled)'

/** Returns the remove button of the next item, or of the previous one if there is no next item. */
function nearRemover(
  records: readonly MutationRecord[],
  path: readonly Element[],
): HTMLElement | null | undefined {
  const removal = records.find(({ removedNodes }) =>
    [...removedNodes].some((node) => node instanceof Element && path.includes(node)),
  )
  const removerIn = (item: Node | null | undefined) =>
    item instanceof Element && item.isConnected ? item.querySelector<HTMLElement>(removesItem) : null
  return removerIn(removal?.nextSibling) ?? removerIn(removal?.previousSibling)
}

function pathOf(control: Element, dialog: Element): readonly Element[] {
  return control === dialog || control.parentElement === null
    ? [control]
    : [control, ...pathOf(control.parentElement, dialog)]
}
