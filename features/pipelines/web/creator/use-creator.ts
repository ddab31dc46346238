import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  createStore,
  links,
  recordState,
  redoState,
  startHistory,
  undoState,
  useStore,
} from '@headwater/web-kit'
import type { PipelineDetails, PipelineInput } from '../../contract/index.ts'
import { type Draft, draftOf, emptyDraft, inputOf } from './draft.ts'

/**
 * State of the creator: the draft with its history, and the saved pipeline.
 * @param groupName group that is suggested for a new pipeline; empty for none
 */
export function useCreator(stored: PipelineDetails | undefined, groupName: string) {
  const navigate = useNavigate()
  const [store] = useState(() =>
    createStore(startHistory(stored === undefined ? emptyDraft() : draftOf(stored))),
  )
  const history = useStore(store)
  const [base] = useState(() => createStore({ saved: stored, draft: history.present }))
  const { saved, draft: baseline } = useStore(base)
  const [selection, select] = useState<ReadonlySet<string>>(new Set())
  /** The draft from which each body was made, by the tasks of the body. */
  const [draftOfTasks] = useState(() => new WeakMap<PipelineInput['tasks'], Draft>())
  const [next] = useState(() => createStore<string | undefined>(undefined))
  const draft = history.present
  const isSaved = saved !== undefined && draft === baseline
  const isUnsaved = draft !== baseline

  // Another user saved a newer version while nothing was changed here.
  const newer =
    isSaved && stored !== undefined && stored.pipeline.version > saved.pipeline.version ? stored : undefined
  useEffect(() => {
    if (newer === undefined) return
    const loaded = startHistory(draftOf(newer))
    base.set({ saved: newer, draft: loaded.present })
    store.set(loaded)
  }, [newer, base, store])

  // The address changes only when nothing is unsaved, or the guard of the page would ask.
  useEffect(() => {
    const href = next.get()
    if (href === undefined || isUnsaved) return
    next.set(undefined)
    void navigate(href, { replace: true })
  })

  /** Returns the body that saves the draft. Movements that were not reported yet are part of it after a `flush` of the canvas. */
  function input(): PipelineInput {
    const present = store.get().present
    const made = inputOf(present, saved?.pipeline ?? { name: '', groupName, tags: [], markdownId: null })
    draftOfTasks.set(made.tasks, present)
    return made
  }

  /**
   * Makes a saved version the one that is edited. Changes since the save stay unsaved.
   * @param sent body of the save, made from `input`
   */
  function onSaved(details: PipelineDetails, sent: PipelineInput): void {
    const { pipeline } = details
    const isHere =
      saved?.pipeline.latest === true &&
      saved.pipeline.name === pipeline.name &&
      saved.pipeline.groupName === pipeline.groupName
    if (!isHere) next.set(links.pipeline(pipeline.groupName, pipeline.name))
    base.set({ saved: details, draft: draftOfTasks.get(sent.tasks) ?? draft })
  }

  /** Discards the changes and shows another version. */
  function load(details: PipelineDetails): void {
    const loaded = startHistory(draftOf(details))
    base.set({ saved: details, draft: loaded.present })
    store.set(loaded)
  }

  return {
    saved,
    draft,
    isSaved,
    isUnsaved,
    input,
    onSaved,
    load,
    selection,
    select,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => store.set(undoState(store.get())),
    redo: () => store.set(redoState(store.get())),
    /**
     * Changes the draft.
     * @param mergeKey consecutive changes with the same key are undone together
     */
    change: (change: (draft: Draft) => Draft, mergeKey?: string): void => {
      store.set(recordState(store.get(), change(store.get().present), mergeKey))
    },
    /** Removes all tasks and comments. */
    clear: (): void => {
      store.set(recordState(store.get(), emptyDraft()))
      select(new Set())
    },
    /** Opens another page without a confirmation, although there are unsaved changes. */
    leave(href: string): void {
      next.set(href)
      base.set({ saved, draft })
    },
  }
}

/** State and actions of the creator. */
export type Creator = ReturnType<typeof useCreator>
