import { createContext, useEffect, useMemo, useRef } from 'react'
import type { CanvasComment, PortRef } from '../graph.ts'
import type { CanvasActions } from './canvas-props.ts'

/** State that the parts of a canvas share. */
export interface CanvasContextValue {
  /** Whether the user can change the graph. */
  editable: boolean
  /** Ids of the comments displayed as text boxes; all others are bubbles. */
  expanded: ReadonlySet<string>
  /** Switches a comment between text box and bubble. */
  toggleComment: (id: string) => void
  /** Adds a comment or changes its text. */
  changeComment: (comment: CanvasComment) => void
  /** Deletes a comment; the application can confirm it first. */
  deleteComment: (id: string) => void
  /** Selected output while the user links ports by keyboard. */
  linking: PortRef | undefined
}

/** Context that the canvas provides to its nodes. */
export const CanvasContext = createContext<CanvasContextValue>({
  editable: false,
  expanded: new Set(),
  toggleComment: () => undefined,
  changeComment: () => undefined,
  deleteComment: () => undefined,
  linking: undefined,
})

/** Returns the value of the context; it changes only when the nodes must be rendered again. */
export function useContextValue(
  actions: CanvasActions | undefined,
  { expanded, toggle }: { expanded: ReadonlySet<string>; toggle: (id: string) => void },
  linking: PortRef | undefined,
): CanvasContextValue {
  const latest = useRef(actions)
  useEffect(() => {
    latest.current = actions
  })
  const editable = actions !== undefined
  return useMemo(
    () => ({
      editable,
      expanded,
      toggleComment: toggle,
      changeComment: (comment) => latest.current?.setComment(comment),
      deleteComment: (id) => latest.current?.deleteComment(id),
      linking,
    }),
    [editable, expanded, toggle, linking],
  )
}
