import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import type { SavedVersion } from '@headwater/accounts/web'
import {
  ApiError,
  createStore,
  fieldErrors,
  links,
  message,
  refusesUnfinished,
  toastError,
  useAttemptToasts,
} from '@headwater/web-kit'
import type { Task } from '../../contract/index.ts'
import { useTaskCalls } from '../tasks-client.ts'
import { inputOf, type TaskDraft } from './task-draft.ts'

/** The open dialog of the creator. */
export type TaskDialog = { kind: 'conflict'; newer: SavedVersion; thenRun: boolean } | { kind: 'delete' }

/** State and actions of the creator: the draft, the saved task, and saving. */
export function useTaskActions(begin: TaskDraft, stored: Task | undefined) {
  const calls = useTaskCalls()
  const navigate = useNavigate()
  const [savedTask, setSavedTask] = useState(stored)
  const [draft, setDraft] = useState(begin)
  const [baseline, setBaseline] = useState(begin)
  const [errors, setErrors] = useState<Readonly<Record<string, string>>>({})
  const [dialog, setDialog] = useState<TaskDialog>()
  const [saving, setSaving] = useState(false)
  const rejections = useAttemptToasts()
  const dirty = draft !== baseline

  // Opens the page of a saved task only when no dialog is open and all changes are saved. Otherwise the page would request a
  // confirmation.
  const [next] = useState(() => createStore<string | undefined>(undefined))
  useEffect(() => {
    const href = next.get()
    if (href === undefined || dirty || dialog !== undefined) return
    next.set(undefined)
    void navigate(href, { replace: true })
  })

  /**
   * Saves the draft and returns the saved task. If the server rejects it, shows the errors at their fields and returns undefined.
   * @param options.force whether to save even if another user has saved a newer version; default false
   * @param options.thenRun whether a run starts after the save, even after a confirmation; default false
   */
  async function save({ force = false, thenRun = false } = {}): Promise<Task | undefined> {
    if (saving || refusesUnfinished()) return undefined
    const sent = draft
    setSaving(true)
    setErrors({})
    rejections.begin()
    try {
      const saved =
        savedTask === undefined
          ? await calls.create(inputOf(sent))
          : await calls.update(
              savedTask.id,
              force ? (await calls.newest(savedTask.id)).version : savedTask.version,
              inputOf(sent),
            )
      message(savedTask === undefined ? 'New Task has been created.' : 'Task has been saved.')
      setSavedTask(saved)
      setBaseline(sent)
      if (savedTask === undefined || !savedTask.latest) next.set(links.task(saved.id))
      return saved
    } catch (error) {
      const newest = await newestAfter(error)
      if (newest === undefined) showErrors(error)
      else {
        const { version, modifiedBy: author, modifyDate: savedAt } = newest
        setDialog({ kind: 'conflict', newer: { version, author, savedAt }, thenRun })
      }
      return undefined
    } finally {
      setSaving(false)
    }
  }

  /** Returns the newest version if it caused a save to be rejected and can be read. */
  async function newestAfter(error: unknown): Promise<Task | undefined> {
    if (!(error instanceof ApiError && error.code === 'taskChanged') || savedTask === undefined)
      return undefined
    return calls.newest(savedTask.id).catch(() => undefined)
  }

  function showErrors(error: unknown) {
    const byField = Object.entries(fieldErrors(error)).map(([field, text]): [string, string] => [
      field.replace(/^taskInput\./, ''),
      text,
    ])
    setErrors(Object.fromEntries(byField))
    rejections.add(byField.length === 0 ? toastError(error) : message(byField[0]![1], 'error'))
  }

  return {
    savedTask,
    draft,
    dirty,
    errors,
    dialog,
    saving,
    setDialog,
    save,
    /** Replaces the draft and clears the errors. */
    change: (changed: TaskDraft): void => {
      setDraft(changed)
      setErrors({})
    },
    /** Opens a different page without confirmation, because there is nothing left to save. */
    leave(href: string): void {
      next.set(href)
      setBaseline(draft)
    },
  }
}

/** State and actions of the creator. */
export type TaskActions = ReturnType<typeof useTaskActions>
