import { createContext, useEffect, useMemo, useRef } from 'react'
import type { CanvasComment, PortRef } from '../graph.ts'
import type { CanvasActions } from './canvas-props.ts'
import type { TappedPort } from './use-tap-link.ts'

/** State that the components of a canvas share. */
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
  /** Port that the user tapped to link it. */
  tapped: TappedPort | undefined
  /** Called when the user taps a port. */
  tapPort: (port: TappedPort) => void
}

/** Context that the canvas provides to its nodes. */
export const CanvasContext = createContext<CanvasContextValue>({
  editable: false,
  expanded: new Set(),
  toggleComment: () => undefined,
  changeComment: () => undefined,
  deleteComment: () => undefined,
  linking: undefined,
  tapped: undefined,
  tapPort: () => undefined,
})

/** Returns the value of the context; it changes only when the nodes must be rendered again. */
export function useContextValue(
  actions: CanvasActions | undefined,
  { expanded, toggle }: { expanded: ReadonlySet<string>; toggle: (id: string) => void },
  linking: PortRef | undefined,
  { first: tapped, tap }: { first: TappedPort | undefined; tap: (port: TappedPort) => void },
): CanvasContextValue {
  const latest = useRef({ actions, tap })
  useEffect(() => {
    latest.current = { actions, tap }
  })
  const editable = actions !== undefined
  return useMemo(
    () => ({
      editable,
      expanded,
      toggleComment: toggle,
      changeComment: (comment) => latest.current.actions?.setComment(comment),
      deleteComment: (id) => latest.current.actions?.deleteComment(id),
      linking,
      tapped,
      tapPort: (port) => latest.current.tap(port),
    }),
    [editable, expanded, toggle, linking, tapped],
  )
}
