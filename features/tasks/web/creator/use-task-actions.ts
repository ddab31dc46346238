import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import {
  ApiError,
  createStore,
  fieldErrors,
  links,
  message,
  refusesUnfinished,
  toastError,
} from '@headwater/web-kit'
import type { Task } from '../../contract/index.ts'
import { useTaskCalls } from '../tasks-client.ts'
import { inputOf, type TaskDraft } from './task-draft.ts'

/** Which dialog of the creator is open. */
export type TaskDialog =
  { kind: 'conflict'; text: string; thenRun: boolean } | { kind: 'unsaved' | 'delete' | 'run' }

/** A task while it is edited: its draft, what is stored of it, and how it is saved. */
export function useTaskActions(begin: TaskDraft, stored: Task | undefined) {
  const calls = useTaskCalls()
  const navigate = useNavigate()
  const [shown, setShown] = useState(stored)
  const [draft, setDraft] = useState(begin)
  const [baseline, setBaseline] = useState(begin)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [dialog, setDialog] = useState<TaskDialog>()
  const [saving, setSaving] = useState(false)
  const dirty = draft !== baseline

  // A saved task moves to its own page only once nothing is unsaved any more, or the guard would ask; nor from under a dialog.
  const [next] = useState(() => createStore<string | undefined>(undefined))
  useEffect(() => {
    const href = next.get()
    if (href === undefined || dirty || dialog !== undefined) return
    next.set(undefined)
    void navigate(href, { replace: true })
  })

  /**
   * Saves the draft. What the server refuses is told, at its field where it has one.
   * @param options.force saves over versions that others have saved meanwhile; default false
   * @param options.thenRun opens the dialog of a run once it is saved; default false
   */
  async function save({ force = false, thenRun = false } = {}): Promise<void> {
    if (saving || refusesUnfinished()) return
    const sent = draft
    setSaving(true)
    setErrors({})
    try {
      const saved =
        shown === undefined
          ? await calls.create(inputOf(sent))
          : await calls.update(
              shown.id,
              force ? await calls.newestVersion(shown.id) : shown.version,
              inputOf(sent),
            )
      message(shown === undefined ? 'New Task has been created.' : 'Task has been saved.')
      setShown(saved)
      setBaseline(sent)
      if (shown === undefined || !shown.latest) next.set(links.task(saved.id))
      if (thenRun) setDialog({ kind: 'run' })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'taskChanged')
        setDialog({ kind: 'conflict', text: error.message, thenRun })
      else takeErrors(error)
    } finally {
      setSaving(false)
    }
  }

  function takeErrors(error: unknown) {
    const found = Object.entries(fieldErrors(error)).map(([field, text]): [string, string] => [
      field.replace(/^taskInput\./, ''),
      text,
    ])
    setErrors(Object.fromEntries(found))
    if (found.length === 0) toastError(error)
    else message(found[0]![1], 'error')
  }

  return {
    shown,
    draft,
    dirty,
    errors,
    dialog,
    saving,
    setDialog,
    save,
    /** A change takes the errors away. */
    change: (changed: TaskDraft): void => {
      setDraft(changed)
      setErrors({})
    },
    /** Leaves for another page without a question: there is nothing left to save. */
    leave(href: string): void {
      next.set(href)
      setBaseline(draft)
    },
  }
}

export type TaskActions = ReturnType<typeof useTaskActions>
