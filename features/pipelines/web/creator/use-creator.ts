import { type RefObject, useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useDraftStorage } from '@headwater/accounts/web'
import type { CanvasHandle, CanvasView } from '@headwater/canvas'
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
import { draftLocation, type StoredPipeline, useRestoredPipeline } from './restored-draft.ts'

/** The saved version that is edited. */
interface Base {
  /** The pipeline as it is saved; undefined for a new one. */
  saved: PipelineDetails | undefined
  /** Its draft without changes. */
  draft: Draft
  /** Time of the restored changes; undefined after a save. */
  restoredTime?: number | undefined
}

/**
 * Visible part of the canvas at a save that changes the page, by the id of the pipeline. The new page starts with it.
 */
const savedViews = new Map<string, CanvasView>()

/**
 * State of the creator: the draft with its history, and the saved pipeline.
 * @param given `groupName`: group that is suggested for a new pipeline; empty for none
 */
export function useCreator({
  stored,
  groupName,
  canEdit,
  canvas,
}: {
  stored: PipelineDetails | undefined
  groupName: string
  canEdit: boolean
  canvas: RefObject<CanvasHandle | null>
}) {
  const navigate = useNavigate()
  const restored = useRestoredPipeline(stored, canEdit)
  const [begin] = useState(() => (stored === undefined ? emptyDraft() : draftOf(stored)))
  const [store] = useState(() => {
    const start = startHistory(begin)
    return createStore(restored === undefined ? start : recordState(start, restored.draft))
  })
  const history = useStore(store)
  const [base] = useState(() =>
    createStore<Base>({ saved: restored?.saved ?? stored, draft: begin, restoredTime: restored?.time }),
  )
  const { saved, draft: baseline, restoredTime } = useStore(base)
  const [selection, select] = useState<ReadonlySet<string>>(new Set())
  /** Maps the tasks of each body to the draft from which it was made. */
  const [draftOfTasks] = useState(() => new WeakMap<PipelineInput['tasks'], Draft>())
  const [next] = useState(() => createStore<string | undefined>(undefined))
  const draft = history.present
  const isSaved = saved !== undefined && draft === baseline
  const isUnsaved = draft !== baseline

  // Another user saved a newer version, and the draft has no changes.
  const newer =
    isSaved && stored !== undefined && stored.pipeline.version > saved.pipeline.version ? stored : undefined
  useEffect(() => {
    if (newer === undefined) return
    const loaded = startHistory(draftOf(newer))
    base.set({ saved: newer, draft: loaded.present })
    store.set(loaded)
  }, [newer, base, store])

  // The URL changes only after all changes are saved; otherwise the page would ask for confirmation.
  useEffect(() => {
    const href = next.get()
    if (href === undefined || isUnsaved) return
    next.set(undefined)
    void navigate(href, { replace: true })
  })

  /**
   * Returns the body that saves the draft. Call `flush` of the canvas first to include movements that it has not
   * reported yet.
   */
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
    if (!isHere) {
      next.set(links.pipeline(pipeline.groupName, pipeline.name))
      if (canvas.current !== null) savedViews.set(pipeline.id, canvas.current.view())
    }
    base.set({ saved: details, draft: draftOfTasks.get(sent.tasks) ?? draft })
  }

  useDraftStorage<StoredPipeline>(
    draftLocation((stored ?? saved)?.pipeline),
    isUnsaved && canEdit
      ? () => {
          canvas.current?.flush()
          return { version: saved?.pipeline.version, input: input() }
        }
      : undefined,
  )

  /** Discards the changes and shows another version, or an empty canvas. */
  function load(details: PipelineDetails | undefined): void {
    const loaded = startHistory(details === undefined ? emptyDraft() : draftOf(details))
    base.set({ saved: details, draft: loaded.present })
    store.set(loaded)
  }

  return {
    saved,
    draft,
    isSaved,
    isUnsaved,
    /** Visible part of the canvas at first; undefined means the default. */
    initialView: stored && savedViews.get(stored.pipeline.id),
    /** The time of restored changes that were neither saved nor discarded, in milliseconds since 1970. */
    restoredTime: isUnsaved ? restoredTime : undefined,
    /** Discards the restored changes. */
    discardRestored: (): void => {
      load(stored)
      select(new Set())
    },
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
      const { executionMode } = store.get().present
      store.set(recordState(store.get(), { ...emptyDraft(), executionMode }))
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
