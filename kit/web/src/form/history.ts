/** A value with its undo history. */
export interface History<State> {
  /** Earlier states, oldest first. */
  past: readonly State[]
  /** Current state. */
  present: State
  /** Undone states, the next one to redo first. */
  future: readonly State[]
  /** Kind of the last change. Consecutive changes of the same kind are undone together. */
  mergeKey: string | undefined
}

/** Returns a history without steps. */
export function startHistory<State>(present: State): History<State> {
  return { past: [], present, future: [], mergeKey: undefined }
}

/**
 * Adds a state. Adding the same state again has no effect.
 * @param mergeKey consecutive changes with the same key become one step, for example the characters typed into one
 *   field
 * @param maxSteps maximum number of steps that can be undone; the oldest ones are dropped
 */
export function recordState<State>(
  history: History<State>,
  state: State,
  mergeKey?: string,
  maxSteps = 200,
): History<State> {
  if (state === history.present) return history
  const isMerged = mergeKey !== undefined && mergeKey === history.mergeKey && history.past.length > 0
  const past = isMerged ? history.past : [...history.past, history.present].slice(-maxSteps)
  return { past, present: state, future: [], mergeKey }
}

/** Undoes the last step, if any. */
export function undoState<State>(history: History<State>): History<State> {
  const { past, present, future } = history
  if (past.length === 0) return history
  return { past: past.slice(0, -1), present: past.at(-1)!, future: [present, ...future], mergeKey: undefined }
}

/** Redoes the last undone step, if any. */
export function redoState<State>(history: History<State>): History<State> {
  const { past, present, future } = history
  if (future.length === 0) return history
  return { past: [...past, present], present: future[0]!, future: future.slice(1), mergeKey: undefined }
}
