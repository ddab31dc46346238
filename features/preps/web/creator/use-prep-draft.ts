import { useEffect, useReducer, useState } from 'react'
import { createStore } from '@headwater/web-kit'
import type { DataPrepDefinition, DataPrepDetails } from '../../contract/index.ts'
import { basketOf } from './basket.ts'
import { newHistory, reduceDraft, type PrepDraft } from './draft.ts'

/** The draft of a data prep, next to what is stored of it. */
export function usePrepDraft(begin: DataPrepDefinition | DataPrepDetails) {
  const [shown, setShown] = useState(() => ('id' in begin ? begin : undefined))
  const [history, dispatch] = useReducer(reduceDraft, begin, (given) => newHistory(draftOf(given)))
  const { draft } = history
  const [baseline, setBaseline] = useState(draft)
  const [latest] = useState(() => createStore(draft))
  useEffect(() => latest.set(draft))
  return {
    draft,
    /** The stored data prep that the draft began with; undefined for a new one. */
    shown,
    /** What counts as saved. */
    baseline,
    dirty: draft !== baseline,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    act: dispatch,
    /** The present draft, also for what began before the last change. */
    latestDraft: () => latest.get(),
    /** The draft counts as saved as it is. */
    settle: () => setBaseline(latest.get()),
    /** After a save of `sent`: what was changed while it was on its way stays a change. */
    taken(saved: DataPrepDetails, sent: PrepDraft): void {
      setShown(saved)
      setBaseline(sent)
      const { outputGroup } = saved
      if (latest.get() !== sent && latest.get().settings.outputGroup !== outputGroup)
        dispatch({ type: 'set', settings: { outputGroup } })
    },
  }
}

export type PrepDraftState = ReturnType<typeof usePrepDraft>

const recorded = [
  'id',
  'version',
  'owner',
  'createDate',
  'modifyDate',
  'modifiedBy',
  'latest',
  'writeAccess',
  'runningJobId',
  'resolved',
  'name',
  'symbols',
]

function draftOf(given: DataPrepDefinition | DataPrepDetails): PrepDraft {
  const settings = Object.fromEntries(Object.entries(given).filter(([field]) => !recorded.includes(field)))
  return { settings: settings as unknown as PrepDraft['settings'], basket: basketOf(given) }
}
