import { useEffect, useRef } from 'react'
import type { EdgeChange, NodeChange } from '@xyflow/react'
import type { FlowNode } from './flow-nodes.ts'

/** Returns a function that applies changes of the selection. */
export function useSelect(selection: ReadonlySet<string>, onSelect: (ids: ReadonlySet<string>) => void) {
  // Nodes and links report their changes separately, before the next render.
  const pending = useRef<ReadonlySet<string>>(undefined)
  useEffect(() => {
    pending.current = undefined
  })
  return (changes: readonly (NodeChange<FlowNode> | EdgeChange)[]): void => {
    const selects = changes.filter((change) => change.type === 'select')
    if (selects.length === 0) return
    const chosen = new Set(pending.current ?? selection)
    for (const { id, selected } of selects) chosen[selected ? 'add' : 'delete'](id)
    pending.current = chosen
    onSelect(chosen)
  }
}

/**
 * Focuses an element. The element of a new or distant node exists only a few frames later, when the renderer has
 * created it.
 */
export function focusWhenDrawn(find: () => HTMLElement | null, frames = 60): void {
  const element = find()
  element?.focus({ preventScroll: true })
  if ((element !== null && document.activeElement === element) || frames === 0) return
  requestAnimationFrame(() => focusWhenDrawn(find, frames - 1))
}
