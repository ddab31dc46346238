import { createContext } from 'react'
import type { CanvasComment, PortRef } from '../graph.ts'

/** What the parts of a canvas share. */
export interface CanvasContextValue {
  editable: boolean
  /** Ids of the comments that are text boxes; the others are bubbles. */
  expanded: ReadonlySet<string>
  toggleComment: (id: string) => void
  changeComment: (comment: CanvasComment) => void
  deleteComment: (id: string) => void
  /** Output that waits for its input, during a link by keyboard. */
  linking: PortRef | undefined
}

/** Provided by {@link Canvas} to its nodes. */
export const CanvasContext = createContext<CanvasContextValue>({
  editable: false,
  expanded: new Set(),
  toggleComment: () => undefined,
  changeComment: () => undefined,
  deleteComment: () => undefined,
  linking: undefined,
})
