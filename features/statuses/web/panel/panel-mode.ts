import { useState } from 'react'
import type { Job, JobType } from '../../contract/index.ts'

/** A mode of the panel with its parameters. */
export type PanelMode =
  | { mode: 'MAIN' }
  | { mode: 'SEE_ALL'; type: JobType }
  | { mode: 'DETAILS'; jobId: string; openedAtMs: number }
  | { mode: 'HISTORY'; job: Job }

/** The modes of the panel as a stack: `open` adds a mode, `back` returns to the previous one. */
export interface PanelModes {
  /** The visible mode. */
  current: PanelMode
  /** Opens a mode on top. */
  open: (mode: PanelMode) => void
  /** Returns to the previous mode. */
  back: () => void
}

/** Returns the stack of modes. Closing the panel resets it. */
export function usePanelModes(): PanelModes {
  const [stack, setStack] = useState<PanelMode[]>([{ mode: 'MAIN' }])
  return {
    current: stack.at(-1)!,
    open: (mode) => setStack([...stack, mode]),
    back: () => setStack(stack.length > 1 ? stack.slice(0, -1) : stack),
  }
}
