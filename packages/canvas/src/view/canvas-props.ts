import type { ReactNode, Ref } from 'react'
import type { CanvasComment, Graph, GraphNode, LinkRules, Point, PortRef } from '../graph.ts'
import type { NodeContent } from './flow-nodes.ts'

/** What users do on a canvas; the application changes its graph. */
export interface CanvasActions {
  /** Items have moved; called 500 ms after the last movement. */
  move: (moves: ReadonlyMap<string, Point>) => void
  /** Links an output with an input. */
  link: (from: PortRef, to: PortRef) => void
  /** Two ports do not fit; the sentence names the reason. */
  reject: (problem: string) => void
  /** Removes links without a confirmation. */
  removeLinks: (ids: ReadonlySet<string>) => void
  /** The user wants to delete nodes; the application confirms it. */
  deleteNodes: (ids: ReadonlySet<string>) => void
  /** The user wants to delete a comment; the application confirms it. */
  deleteComment: (id: string) => void
  /** Adds a comment or changes its text. */
  setComment: (comment: CanvasComment) => void
  /** Shows or hides the comments. */
  showComments: (visible: boolean) => void
  /** Copies items to the clipboard; returns the text. */
  copy: (ids: ReadonlySet<string>) => string
  /** Adds the items of a text from the clipboard. */
  paste: (text: string) => void
  /** Adds copies of items. */
  duplicate: (ids: ReadonlySet<string>) => void
  /** Undoes the last step. */
  undo: () => void
  /** Repeats the last undone step. */
  redo: () => void
  /** Something of another part of the page was dropped here. */
  drop: (data: DataTransfer, at: Point) => void
}

/** What an application can do with a canvas. */
export interface CanvasHandle {
  /** Reports movements at once, for example before a save. */
  flush: () => void
  /** Focuses a node and makes it visible. */
  focusNode: (id: string) => void
}

/** Properties of {@link Canvas}. */
export interface CanvasProps<Data> {
  /** Accessible name. */
  label: string
  /** The graph to draw. */
  graph: Graph<Data>
  /** Returns the content of a node. */
  contentOf: (node: GraphNode<Data>) => NodeContent
  /** Returns whether a value of the first type can be given to a port of the second. */
  accepts: LinkRules<Data>['accepts']
  /** Ids of the selected nodes, links and comments. */
  selection: ReadonlySet<string>
  /** Called with the selected items after each change of the selection. */
  onSelect: (ids: ReadonlySet<string>) => void
  /** Absent: the canvas can only be read. */
  actions?: CanvasActions | undefined
  /** Whether there is a step to undo. Default false. */
  canUndo?: boolean
  /** Whether there is a step to redo. Default false. */
  canRedo?: boolean
  /** Whether the comments are drawn. */
  commentsVisible: boolean
  /** Shows all comments as bubbles, for example during a run. Default false. */
  commentsCollapsed?: boolean
  /** Author of new comments. Default {@link defaultAuthor}. */
  author?: string
  /** Content of a canvas without items. */
  empty?: ReactNode
  /** Receives the functions of the canvas for the application. */
  handle?: Ref<CanvasHandle>
}
