import type { ReactNode, Ref } from 'react'
import type { CanvasComment, Graph, GraphNode, LinkRules, Point, PortRef } from '../graph.ts'
import type { NodeContent } from './flow-nodes.ts'

/** What users do on a canvas; the application changes its graph. */
export interface CanvasActions {
  /** Items have moved; called 500 ms after the last movement. */
  move: (moves: ReadonlyMap<string, Point>) => void
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
  showComments: (visible: boolean) => void
  /** Copies items to the clipboard; returns the text. */
  copy: (ids: ReadonlySet<string>) => string
  paste: (text: string) => void
  duplicate: (ids: ReadonlySet<string>) => void
  undo: () => void
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
  graph: Graph<Data>
  contentOf: (node: GraphNode<Data>) => NodeContent
  accepts: LinkRules<Data>['accepts']
  /** Ids of the selected nodes, links and comments. */
  selection: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
  /** Absent: the canvas can only be read. */
  actions?: CanvasActions | undefined
  canUndo?: boolean
  canRedo?: boolean
  commentsVisible: boolean
  /** Shows all comments as bubbles, for example during a run. Default false. */
  commentsCollapsed?: boolean
  /** Author of new comments. Default {@link defaultAuthor}. */
  author?: string
  /** Content of a canvas without items. */
  empty?: ReactNode
  handle?: Ref<CanvasHandle>
}
