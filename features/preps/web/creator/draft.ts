import { countOf, recordState, redoState, undoState, type History } from '@headwater/web-kit'
import type { DataPrepDefinition } from '../../contract/index.ts'
import { type BasketEntry, entryProblem } from './basket.ts'

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
export type DraftHistory = History<PrepDraft>

/** Actions on a draft. */
export type DraftAction =
  | { type: 'set'; settings: Partial<PrepSettings> }
  /** `topic` merges consecutive changes, such as typing, into one step. */
  | { type: 'basket'; change: (basket: readonly BasketEntry[]) => readonly BasketEntry[]; topic?: string }
  | { type: 'undo' }
  | { type: 'redo' }

/** Returns the problem that prevents a query of the draft; undefined without one. */
export function draftProblem({ basket, settings }: PrepDraft): string | undefined {
  if (basket.length === 0) return 'The basket is empty.'
  const problems = basket.flatMap(({ entry }) => entryProblem(entry, settings.dataGroupName) ?? [])
  if (problems.length === 0) return undefined
  return `${countOf(problems.length, 'entry', 'entries')} of the basket cannot be queried: ${problems[0]}`
}

/** Applies an action to a draft. */
export function reduceDraft(history: DraftHistory, action: DraftAction): DraftHistory {
  const draft = history.present
  switch (action.type) {
    case 'undo':
      return undoState(history)
    case 'redo':
      return redoState(history)
    case 'set': {
      const settings = { ...draft.settings, ...action.settings }
      return recordState(history, { ...draft, settings }, Object.keys(action.settings).join(), maxSteps)
    }
    case 'basket': {
      const basket = action.change(draft.basket)
      return recordState(
        history,
        basket === draft.basket ? draft : { ...draft, basket },
        action.topic,
        maxSteps,
      )
    }
  }
}

/** Returns the definition to save. */
export function definitionOf({ settings, basket }: PrepDraft, name: string): DataPrepDefinition {
  return { ...settings, name, symbols: basket.map(({ entry }) => entry) }
}
