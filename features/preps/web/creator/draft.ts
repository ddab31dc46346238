import type { DataPrepDefinition } from '../../contract/index.ts'
import type { BasketEntry } from './basket.ts'

/** How many steps can be taken back. */
const maxSteps = 100

/** Everything of a data prep but its name and its basket. */
export type PrepSettings = Omit<DataPrepDefinition, 'name' | 'symbols'>

/** A data prep as it is edited. */
export interface PrepDraft {
  settings: PrepSettings
  basket: readonly BasketEntry[]
}

/** A draft and the way to it. */
export interface DraftHistory {
  draft: PrepDraft
  past: readonly PrepDraft[]
  future: readonly PrepDraft[]
  /** What the last change was about; one about the same thing belongs to the same step. */
  topic: string | undefined
}

/** What can happen to a draft. */
export type DraftAction =
  | { type: 'set'; settings: Partial<PrepSettings> }
  /** `topic` joins a run of changes, such as typing, into one step. */
  | { type: 'basket'; change: (basket: readonly BasketEntry[]) => readonly BasketEntry[]; topic?: string }
  | { type: 'undo' }
  | { type: 'redo' }

/** A draft as it is, with nothing to take back. */
export function newHistory(draft: PrepDraft): DraftHistory {
  return { draft, past: [], future: [], topic: undefined }
}

/** The draft after an action. */
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

/** What is saved of a draft. */
export function definitionOf({ settings, basket }: PrepDraft, name: string): DataPrepDefinition {
  return { ...settings, name, symbols: basket.map(({ entry }) => entry) }
}
