/** Most steps that can be undone. */
const maxSteps = 200

/** A value with its earlier and undone states. */
export interface History<State> {
  /** Earlier states, oldest first. */
  past: readonly State[]
  present: State
  /** Undone states, the next one to redo first. */
  future: readonly State[]
  /** Kind of the last change; changes of the same kind in a row are undone together. */
  mergeKey: string | undefined
}

/** Returns a history without steps. */
export function startHistory<State>(present: State): History<State> {
  return { past: [], present, future: [], mergeKey: undefined }
}

/**
 * Adds a state. The same state again changes nothing.
 * @param mergeKey changes with the same key in a row become one step, such as the letters typed into one field
 */
export function record<State>(history: History<State>, state: State, mergeKey?: string): History<State> {
  if (state === history.present) return history
  const isMerged = mergeKey !== undefined && mergeKey === history.mergeKey && history.past.length > 0
  const past = isMerged ? history.past : [...history.past, history.present].slice(-maxSteps)
  return { past, present: state, future: [], mergeKey }
}

/** Returns to the state before the last step; without one nothing changes. */
export function undo<State>({ past, present, future, ...rest }: History<State>): History<State> {
  const previous = past.at(-1)
  if (previous === undefined) return { past, present, future, ...rest }
  return { past: past.slice(0, -1), present: previous, future: [present, ...future], mergeKey: undefined }
}

/** Repeats the last undone step; without one nothing changes. */
export function redo<State>({ past, present, future, ...rest }: History<State>): History<State> {
  const [next, ...later] = future
  if (next === undefined) return { past, present, future, ...rest }
  return { past: [...past, present], present: next, future: later, mergeKey: undefined }
}
