import { useEffect, useReducer, useState } from 'react'
import { createStore, startHistory } from '@headwater/web-kit'
import type { DataPrepDefinition, DataPrepDetails } from '../../contract/index.ts'
import { basketOf } from './basket.ts'
import { reduceDraft, type PrepDraft } from './draft.ts'

/** Returns the draft of a data prep and its stored version. */
export function usePrepDraft(begin: DataPrepDefinition | DataPrepDetails) {
  const [stored, setStored] = useState(() => ('id' in begin ? begin : undefined))
  const [history, dispatch] = useReducer(reduceDraft, begin, (given) => startHistory(draftOf(given)))
  const draft = history.present
  const [baseline, setBaseline] = useState(draft)
  const [latest] = useState(() => createStore(draft))
  useEffect(() => latest.set(draft))
  return {
    draft,
    /** Stored data prep that the draft is based on; undefined for a new one. */
    stored,
    /** Draft that counts as saved. */
    baseline,
    dirty: draft !== baseline,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    act: dispatch,
    /** Returns the current draft, also in callbacks of earlier renders. */
    latestDraft: () => latest.get(),
    /** Marks the current draft as saved. */
    settle: () => setBaseline(latest.get()),
    /** Records a save of `sent`. Changes made during the save remain unsaved. */
    taken(saved: DataPrepDetails, sent: PrepDraft): void {
      setStored(saved)
      setBaseline(sent)
      const { outputGroup } = saved
      if (latest.get() !== sent && latest.get().settings.outputGroup !== outputGroup)
        dispatch({ type: 'set', settings: { outputGroup } })
    },
  }
}

/** State of the draft of a data prep. */
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
