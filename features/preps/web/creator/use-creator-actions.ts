import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { useUpdateSettings } from '@headwater/accounts/web'
import {
  ApiError,
  createStore,
  links,
  message,
  refusesUnfinished,
  toastDownloadError,
  toastError,
  useStore,
} from '@headwater/web-kit'
import type { DataPrepDetails } from '../../contract/index.ts'
import type { PrepTarget } from '../components/SavePrepDialog.tsx'
import { startRun, tellRunning } from '../runs.ts'
import { type SavePurpose, useSavePrep } from '../use-save-prep.ts'
import { definitionOf } from './draft.ts'
import { type DownloadFormat, downloadPrep } from './download.ts'
import type { PrepDraftState } from './use-prep-draft.ts'

/** What is done with a data prep once it is saved. */
export type SavedUse = { kind: 'run'; download: boolean } | { kind: 'download'; format: DownloadFormat }

/** Which dialog of the creator is open. */
export type CreatorDialog =
  | { kind: 'save'; purpose: SavePurpose; use?: SavedUse | undefined }
  | { kind: 'unsaved'; use: SavedUse }
  | { kind: 'conflict'; text: string; target: PrepTarget; use?: SavedUse | undefined }
  | { kind: 'delete' | 'versions' | 'schedule' }

/** Saving, running and downloading in the creator. */
export function useCreatorActions(
  state: PrepDraftState,
  given: {
    /** Whether a run of this data prep goes on. */
    isRunning: boolean
    setDialog: (dialog: CreatorDialog | undefined) => void
    /** Told the job of a run that was started without a save. */
    onStarted: (jobId: string) => void
  },
) {
  const { shown, dirty, draft } = state
  const { setDialog } = given
  const savePrep = useSavePrep()
  const updateSettings = useUpdateSettings()
  const navigate = useNavigate()
  const [saving, setSaving] = useState(false)
  const [starting, setStarting] = useState(false)
  const [downloading, setDownloading] = useState(false)

  // A saved data prep moves to its own page only once nothing is unsaved any more, or the guard would ask.
  const [next] = useState(() => createStore<string | undefined>(undefined))
  const href = useStore(next)
  useEffect(() => {
    if (href === undefined || dirty) return
    next.set(undefined)
    void navigate(href, { replace: true })
  }, [href, next, dirty, navigate])

  /** The page of the newest version; tab and search stay, the job is that of the run that was started, if any. */
  function leadTo(saved: DataPrepDetails, jobId: string | undefined) {
    const { search: text, hash } = window.location
    const search = new URLSearchParams(text)
    // the symbols that a new data prep began with are in its basket now
    for (const name of ['groupName', 'symbol']) search.delete(name)
    if (jobId === undefined) search.delete('jobId')
    else search.set('jobId', jobId)
    const query = search.size === 0 ? '' : `?${search.toString()}`
    next.set(`${links.dataPrep(saved.outputGroup, saved.name)}${query}${hash}`)
  }

  /** Runs or downloads what is saved; the job of the run, if one has started. */
  async function perform(saved: DataPrepDetails, use: SavedUse): Promise<string | undefined> {
    if (use.kind === 'run') {
      setStarting(true)
      const prep = { ...saved, symbolCount: saved.symbols.length }
      return await startRun(prep, use).finally(() => setStarting(false))
    }
    setDownloading(true)
    try {
      message('Downloading the file will start soon.', 'info')
      await downloadPrep(saved, use.format).then(
        () => updateSettings({ downloadFormat: use.format }),
        toastDownloadError,
      )
    } catch (error) {
      toastError(error)
    } finally {
      setDownloading(false)
    }
    return undefined
  }

  /** The one path of every save; throws what the server refuses. */
  async function saveAs(
    purpose: SavePurpose,
    target: PrepTarget,
    { use, force = false }: { use?: SavedUse | undefined; force?: boolean } = {},
  ): Promise<void> {
    const sent = state.latestDraft()
    const definition = { ...definitionOf(sent, target.name), outputGroup: target.outputGroup }
    setSaving(true)
    try {
      const saved = await savePrep(purpose, definition, shown, { force })
      state.taken(saved, sent)
      setDialog(undefined)
      leadTo(saved, use === undefined ? undefined : await perform(saved, use))
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'prepChanged')) throw error
      setDialog({ kind: 'conflict', text: error.message, target, use })
    } finally {
      setSaving(false)
    }
  }

  async function save(use?: SavedUse): Promise<void> {
    if (saving) return
    await leaveField()
    if (refusesUnfinished()) return
    if (use === undefined && shown?.latest && state.latestDraft() === state.baseline) {
      message('There is nothing to save.', 'info')
      return
    }
    const { outputGroup } = state.latestDraft().settings
    if (shown === undefined || outputGroup.trim() === '') {
      setDialog({ kind: 'save', purpose: shown === undefined ? 'create' : 'edit', use })
      return
    }
    setDialog(undefined)
    await saveAs('edit', { name: shown.name, outputGroup }, { use }).catch(tellErrors)
  }

  /** Runs or downloads what is saved; what is not saved is asked about first. */
  async function request(use: SavedUse): Promise<void> {
    if (use.kind === 'run' && (given.isRunning || starting)) {
      tellRunning()
      return
    }
    await leaveField()
    if (refusesUnfinished()) return
    if (draft.basket.length === 0) {
      const purpose = use.kind === 'run' ? 'run' : 'download'
      message(`The basket is empty. Add at least one symbol before you ${purpose} the data prep.`, 'warn')
      return
    }
    if (shown === undefined || state.latestDraft() !== state.baseline) setDialog({ kind: 'unsaved', use })
    else {
      const jobId = await perform(shown, use)
      if (jobId !== undefined) given.onStarted(jobId)
    }
  }

  /** Leaves for another page without a question: there is nothing left to save. */
  function leave(href: string): void {
    state.settle()
    next.set(href)
  }

  return { saving, starting, downloading, save, saveAs, request, leave }
}

export type CreatorActions = ReturnType<typeof useCreatorActions>

/** A field that takes its text over when it is left does so before a save. */
async function leaveField(): Promise<void> {
  if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur()
  await new Promise((resolve) => setTimeout(resolve))
}

/** Outside of a form every error is told as a message, each wrong field by its own. */
function tellErrors(error: unknown): void {
  if (error instanceof ApiError && error.validationErrors.length > 0)
    for (const { message: text } of error.validationErrors) message(text, 'error')
  else toastError(error)
}
