import { type RefObject, useEffect, useRef } from 'react'
import { type EdgeChange, type NodeChange, useReactFlow } from '@xyflow/react'
import type { FlowNode } from './flow-nodes.ts'
import { simpleBelow } from './ItemNodeView.tsx'

/** Returns a function that applies changes of the selection. */
export function useSelect(selection: ReadonlySet<string>, onSelect: (ids: ReadonlySet<string>) => void) {
  // Nodes and links report their changes one after the other, before the next render.
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

/** Returns a function that moves the canvas so that a node is visible. */
export function useReveal(root: RefObject<HTMLElement | null>): (id: string) => void {
  const flow = useReactFlow()
  return (id) => {
    const node = flow.getInternalNode(id)
    if (node === undefined) return
    const { x, y, zoom } = flow.getViewport()
    const [left, top] = [node.position.x * zoom + x, node.position.y * zoom + y]
    const isReadable = zoom >= simpleBelow
    const box = root.current?.getBoundingClientRect()
    const isVisible =
      isReadable &&
      box &&
      left > 0 &&
      top > 0 &&
      left + 200 * zoom < box.width &&
      top + 80 * zoom < box.height
    if (isVisible !== true)
      void flow.setCenter(node.position.x + 100, node.position.y + 60, { zoom: Math.max(zoom, 0.5) })
  }
}

/** Focuses an element. That of a new or distant node exists only when the renderer has drawn it, a few frames later. */
export function focusWhenDrawn(find: () => HTMLElement | null, frames = 60): void {
  const element = find()
  element?.focus({ preventScroll: true })
  if ((element !== null && document.activeElement === element) || frames === 0) return
  requestAnimationFrame(() => focusWhenDrawn(find, frames - 1))
}
