import type { KeyboardEvent } from 'react'
import type { Graph } from '../graph.ts'
import type { CanvasActions } from './canvas-props.ts'
import { isTextInput } from './use-clipboard.ts'

/** The objects that the keyboard shortcuts of a canvas act on. */
interface KeyTargets {
  graph: Graph<unknown>
  selection: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  actions: CanvasActions | undefined
  commentsVisible: boolean
  /** Handles keys that link ports. Returns whether the key was one of them. */
  onLinkKey: (event: { key: string }, focused: string | undefined) => boolean
  /** Reports pending movements immediately. */
  flush: () => void
  /** Focuses a node even if it is not rendered. Undefined if all nodes are rendered. */
  focusNode: ((id: string) => void) | undefined
}

/** Runs the action of a key, unless the user is typing. */
export function onCanvasKey(event: KeyboardEvent<HTMLElement>, targets: KeyTargets): void {
  const { graph, selection, onSelect, actions, commentsVisible, onLinkKey, flush } = targets
  if (isTextInput(event.target) || actions === undefined) return
  const focused =
    event.target instanceof Element ? event.target.closest<HTMLElement>('.react-flow__node') : null
  if (event.key === 'Tab' && focused?.dataset.id !== undefined && event.target === focused) {
    const next = neighbourOf(focused.dataset.id, event.shiftKey ? -1 : 1, targets)
    if (next === undefined) return
    targets.focusNode?.(next)
    return stop(event)
  }
  const mod = event.ctrlKey || event.metaKey
  if (!mod && !event.altKey && onLinkKey(event, focused?.dataset.id)) return stop(event)
  const key = event.key.toLowerCase()
  if (key === 'delete' || key === 'backspace') {
    deleteSelected(targets)
    return stop(event)
  }
  if (!mod || !['z', 'y', 'd', 'a'].includes(key)) return
  flush()
  if (key === 'z') actions[event.shiftKey ? 'redo' : 'undo']()
  else if (key === 'y') actions.redo()
  else if (key === 'd') actions.duplicate(selection)
  else onSelect(idsOf([...graph.nodes, ...(commentsVisible ? graph.comments : [])]))
  stop(event)
}

/**
 * Returns the next node for the Tab key; undefined if all nodes are rendered, so that the browser can handle the key.
 */
function neighbourOf(id: string, step: 1 | -1, { graph, focusNode }: KeyTargets): string | undefined {
  if (focusNode === undefined) return undefined
  const at = graph.nodes.findIndex((node) => node.id === id)
  return at === -1 ? undefined : graph.nodes[at + step]?.id
}

/** Removes selected links immediately. For nodes and comments, the application first asks for confirmation. */
function deleteSelected({ graph, selection, actions }: KeyTargets): void {
  const isIn = ({ id }: { id: string }) => selection.has(id)
  const links = graph.links.filter(isIn)
  const nodes = graph.nodes.filter(isIn)
  const comment = graph.comments.find(isIn)
  if (links.length > 0) actions?.removeLinks(idsOf(links))
  if (nodes.length > 0) actions?.deleteNodes(idsOf(nodes))
  else if (comment !== undefined) actions?.deleteComment(comment.id)
}

function stop(event: KeyboardEvent): void {
  event.preventDefault()
  event.stopPropagation()
}

function idsOf(items: readonly { id: string }[]): ReadonlySet<string> {
  return new Set(items.map(({ id }) => id))
}
