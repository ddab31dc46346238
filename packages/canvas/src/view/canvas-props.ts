import type { ReactNode, Ref } from 'react'
import type { CanvasComment, Graph, GraphNode, LinkRules, Point, PortRef } from '../graph.ts'
import type { NodeContent } from './flow-nodes.ts'

/** Actions of users on a canvas. The application changes its graph accordingly. */
export interface CanvasActions {
  /** Called 500 ms after the last movement of items. */
  move: (moves: ReadonlyMap<string, Point>) => void
  /** Links an output to an input. */
  link: (from: PortRef, to: PortRef) => void
  /** Called when two ports are incompatible, with a sentence that states the reason. */
  reject: (problem: string) => void
  /** Removes links without confirmation. */
  removeLinks: (ids: ReadonlySet<string>) => void
  /** Called when the user deletes nodes. The application asks for confirmation. */
  deleteNodes: (ids: ReadonlySet<string>) => void
  /** Called when the user deletes a comment. The application asks for confirmation. */
  deleteComment: (id: string) => void
  /** Adds a comment or changes its text. */
  setComment: (comment: CanvasComment) => void
  /** Shows or hides the comments. */
  showComments: (visible: boolean) => void
  /** Copies items to the clipboard; returns the text. */
  copy: (ids: ReadonlySet<string>) => string
  /** Adds the items in text from the clipboard. */
  paste: (text: string) => void
  /** Adds copies of items. */
  duplicate: (ids: ReadonlySet<string>) => void
  /** Undoes the last step. */
  undo: () => void
  /** Redoes the last undone step. */
  redo: () => void
  /** Called when an element from another part of the page is dropped on the canvas. */
  drop: (data: DataTransfer, at: Point) => void
}

/** Methods of a canvas for the application. */
export interface CanvasHandle {
  /** Reports pending movements immediately, for example before a save. */
  flush: () => void
  /** Focuses a node and makes it visible. */
  focusNode: (id: string) => void
  /** Returns the visible part of the canvas. */
  view: () => CanvasView
}

/** Visible part of a canvas: its offset in pixels, and its zoom level. */
export interface CanvasView extends Point {
  zoom: number
}

/** Properties of {@link Canvas}. */
export interface CanvasProps<Data> {
  /** Accessible name. */
  label: string
  /** The graph to render. */
  graph: Graph<Data>
  /** Returns the content of a node. */
  contentOf: (node: GraphNode<Data>) => NodeContent
  /** Returns whether a port of the second type accepts values of the first type. */
  accepts: LinkRules<Data>['accepts']
  /** Ids of the selected nodes, links and comments. */
  selection: ReadonlySet<string>
  /** Called with the selected items after each change of the selection. */
  onSelect: (ids: ReadonlySet<string>) => void
  /** Actions of the user; absent for a read-only canvas. */
  actions?: CanvasActions | undefined
  /** Whether there is a step to undo. Default false. */
  canUndo?: boolean
  /** Whether there is a step to redo. Default false. */
  canRedo?: boolean
  /** Whether the comments are visible. */
  commentsVisible: boolean
  /** Shows all comments as bubbles, for example during a run. Default false. */
  commentsCollapsed?: boolean
  /** Author of new comments. Default {@link defaultAuthor}. */
  author?: string
  /** Content of a canvas without items. */
  empty?: ReactNode
  /** Initially visible part. Default: {@link initialOffset} and zoom level 1. */
  initialView?: CanvasView | undefined
  /** Receives the functions of the canvas for the application. */
  handle?: Ref<CanvasHandle>
}
