import type { DataPrepDefinition } from '../../contract/index.ts'
import type { BasketEntry } from './basket.ts'

/** Maximum number of undo steps. */
const maxSteps = 100

/** Settings of a data prep: the definition without name and basket. */
export type PrepSettings = Omit<DataPrepDefinition, 'name' | 'symbols'>

/** A data prep that is being edited. */
export interface PrepDraft {
  /** The settings. */
  settings: PrepSettings
  /** The entries, in order. */
  basket: readonly BasketEntry[]
}

/** A draft with its undo history. */
export interface DraftHistory {
  /** The current draft. */
  draft: PrepDraft
  /** Earlier drafts, the oldest first. */
  past: readonly PrepDraft[]
  /** Undone drafts, the next one first. */
  future: readonly PrepDraft[]
  /** Topic of the last change; consecutive changes with the same topic form one step. */
  topic: string | undefined
}

/** Actions on a draft. */
export type DraftAction =
  | { type: 'set'; settings: Partial<PrepSettings> }
  /** `topic` merges consecutive changes, such as typing, into one step. */
  | { type: 'basket'; change: (basket: readonly BasketEntry[]) => readonly BasketEntry[]; topic?: string }
  | { type: 'undo' }
  | { type: 'redo' }

/** Returns a history without undo steps. */
export function newHistory(draft: PrepDraft): DraftHistory {
  return { draft, past: [], future: [], topic: undefined }
}

/** Applies an action to a draft. */
export function reduceDraft(history: DraftHistory, action: DraftAction): DraftHistory {
  const { draft, past, future } = history
  switch (action.type) {
    case 'undo':
      if (past.length === 0) return history
      return { draft: past.at(-1)!, past: past.slice(0, -1), future: [draft, ...future], topic: undefined }
    case 'redo':
      if (future.length === 0) return history
      return { draft: future[0]!, past: [...past, draft], future: future.slice(1), topic: undefined }
    case 'set':
      return step(
        history,
        { ...draft, settings: { ...draft.settings, ...action.settings } },
        Object.keys(action.settings).join(),
      )
    case 'basket': {
      const basket = action.change(draft.basket)
      return basket === draft.basket ? history : step(history, { ...draft, basket }, action.topic)
    }
  }
}

function step(history: DraftHistory, draft: PrepDraft, topic: string | undefined): DraftHistory {
  const isSameTopic = topic !== undefined && topic === history.topic
  const past = isSameTopic ? history.past : [...history.past, history.draft].slice(-maxSteps)
  return { draft, past, future: [], topic }
}

/** Returns the definition to save. */
export function definitionOf({ settings, basket }: PrepDraft, name: string): DataPrepDefinition {
  return { ...settings, name, symbols: basket.map(({ entry }) => entry) }
}
