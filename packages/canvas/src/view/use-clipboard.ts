import { type RefObject, useEffect, useRef } from 'react'
import type { CanvasActions } from './canvas-props.ts'

/** Copies, cuts and pastes with the events of the browser, so that other tabs can paste. */
export function useClipboard(
  root: RefObject<HTMLElement | null>,
  selection: ReadonlySet<string>,
  actions: CanvasActions | undefined,
  flush: () => void,
): void {
  const latest = useRef({ selection, actions })
  useEffect(() => {
    latest.current = { selection, actions }
  })
  useEffect(() => {
    function isHere(event: Event): boolean {
      const target = event.target
      const inside = target instanceof Node && root.current?.contains(target) === true
      return (inside || target === document.body) && !isTextInput(target)
    }
    function onCopy(event: ClipboardEvent): void {
      const { selection: ids, actions: act } = latest.current
      if (act === undefined || !isHere(event) || ids.size === 0) return
      flush()
      event.clipboardData?.setData('text/plain', act.copy(ids))
      event.preventDefault()
      if (event.type === 'cut') act.deleteNodes(ids)
    }
    function onPaste(event: ClipboardEvent): void {
      const { actions: act } = latest.current
      if (act === undefined || !isHere(event)) return
      flush()
      act.paste(event.clipboardData?.getData('text/plain') ?? '')
      event.preventDefault()
    }
    const listeners = { copy: onCopy, cut: onCopy, paste: onPaste }
    for (const [type, listener] of Object.entries(listeners))
      document.addEventListener(type, listener as never)
    return () => {
      for (const [type, listener] of Object.entries(listeners))
        document.removeEventListener(type, listener as never)
    }
  }, [root, flush])
}

/** Returns whether the user can type into an element. */
export function isTextInput(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement &&
    (target.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  )
}
