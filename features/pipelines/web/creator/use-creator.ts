import { type RefObject, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { type CanvasHandle, record, redo, startHistory, undo } from '@headwater/canvas'
import { createStore, links, message, refusesUnfinished, toastError, useStore } from '@headwater/web-kit'
import type { Pipeline, PipelineDetails } from '../../contract/index.ts'
import { usePipelineCalls } from '../pipelines-client.ts'
import { type Draft, draftOf, emptyDraft, inputOf } from './draft.ts'

/** Name and group of a pipeline. */
export type PipelineName = Pick<Pipeline, 'name' | 'groupName'>

/** State of the creator: the draft with its history, the saved pipeline, and saving. */
export function useCreator(stored: PipelineDetails | undefined, canvas: RefObject<CanvasHandle | null>) {
  const calls = usePipelineCalls()
  const navigate = useNavigate()
  const [store] = useState(() =>
    createStore(startHistory(stored === undefined ? emptyDraft() : draftOf(stored))),
  )
  const history = useStore(store)
  const [base] = useState(() => createStore({ saved: stored, draft: history.present }))
  const { saved, draft: baseline } = useStore(base)
  const [selection, select] = useState<ReadonlySet<string>>(new Set())
  const [saving, setSaving] = useState(false)
  const [next] = useState(() => createStore<string | undefined>(undefined))
  const draft = history.present
  const isSaved = saved !== undefined && draft === baseline
  const isUnsaved = draft !== baseline

  // Another user saved a newer version while nothing was changed here.
  const newer =
    isSaved && !saving && stored !== undefined && stored.pipeline.version > saved.pipeline.version
      ? stored
      : undefined
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

  /**
   * Saves the draft as a new version.
   * @param named name and group of a new pipeline
   * @returns the saved version; undefined if the save was not possible, which a message explains
   * @throws ApiError of a new pipeline, for the fields of its dialog
   */
  async function save(named?: PipelineName): Promise<Pipeline | undefined> {
    canvas.current?.flush()
    if (saving || refusesUnfinished()) return undefined
    setSaving(true)
    try {
      return await send(store.get().present, named)
    } catch (error) {
      if (named !== undefined) throw error
      toastError(error)
      return undefined
    } finally {
      setSaving(false)
    }
  }

  async function send(sent: Draft, named: PipelineName | undefined): Promise<Pipeline> {
    const details =
      saved === undefined
        ? await calls.create(inputOf(sent, { name: '', groupName: '', tags: [], markdownId: null, ...named }))
        : await calls.update(saved.pipeline.id, saved.pipeline.version, inputOf(sent, saved.pipeline))
    const { pipeline } = details
    message(saved === undefined ? 'New Pipeline has been created.' : 'Pipeline has been saved.')
    if (saved === undefined || !saved.pipeline.latest)
      next.set(links.pipeline(pipeline.groupName, pipeline.name))
    base.set({ saved: details, draft: sent })
    return pipeline
  }

  return {
    saved,
    draft,
    isSaved,
    isUnsaved,
    saving,
    save,
    selection,
    select,
    canUndo: history.past.length > 0,
    canRedo: history.future.length > 0,
    undo: () => store.set(undo(store.get())),
    redo: () => store.set(redo(store.get())),
    /**
     * Changes the draft.
     * @param mergeKey changes with the same key in a row are undone together
     */
    change: (change: (draft: Draft) => Draft, mergeKey?: string): void => {
      store.set(record(store.get(), change(store.get().present), mergeKey))
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
