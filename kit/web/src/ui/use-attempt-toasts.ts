import { useState } from 'react'
import { dismissToast } from './toasts.ts'

/** Toasts about a failed attempt, for example a save. */
export interface AttemptToasts {
  /** Begins an attempt: dismisses the toasts about the previous attempt. */
  begin: () => void
  /** Adds a toast by its id; undefined has no effect. */
  add: (id: number | undefined) => void
}

/** Returns the toasts about the attempts of a component. */
export function useAttemptToasts(): AttemptToasts {
  return useState(createAttemptToasts)[0]
}

function createAttemptToasts(): AttemptToasts {
  let ids: number[] = []
  return {
    begin() {
      for (const id of ids) dismissToast(id)
      ids = []
    },
    add(id) {
      if (id !== undefined) ids.push(id)
    },
  }
}
