import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router'
import { type SavedVersion, useUpdateSettings } from '@headwater/accounts/web'
import {
  ApiError,
  createStore,
  links,
  message,
  refusesUnfinished,
  toastDownloadError,
  toastError,
  toastErrors,
  useStore,
} from '@headwater/web-kit'
import type { DataPrepDetails } from '../../contract/index.ts'
import type { ItemTarget } from '@headwater/items/web'
import { usePrepCalls } from '../preps-client.ts'
import { startRun, warnRunning } from '../runs.ts'
import { type SavePurpose, useSavePrep } from '../use-save-prep.ts'
import { definitionOf } from './draft.ts'
import { type DownloadFormat, downloadPrep } from './download.ts'
import type { PrepDraftState } from './use-prep-draft.ts'

/** A download of a saved data prep; `isExact`: text that a spreadsheet would run as a formula is not escaped. */
interface DownloadUse {
  kind: 'download'
  format: DownloadFormat
  isExact?: boolean
}

/** Action after a data prep is saved. */
export type SavedUse = { kind: 'run'; download: boolean } | DownloadUse

/** The open dialog of the creator. */
export type CreatorDialog =
  | { kind: 'save'; purpose: SavePurpose; use?: SavedUse | undefined }
  | { kind: 'unsaved'; use: SavedUse }
  | { kind: 'conflict'; newer: SavedVersion; target: ItemTarget; use?: SavedUse | undefined }
  | { kind: 'delete' | 'versions' | 'schedule' }

/** Returns the actions of the creator: save, run and download. */
export function useCreatorActions(
  state: PrepDraftState,
  given: {
    /** Whether a run of this data prep is in progress. */
    isRunning: boolean
    setDialog: (dialog: CreatorDialog | undefined) => void
    /** Called with the job of a run that was started without a save. */
    onStarted: (jobId: string) => void
  },
) {
  const { stored, dirty, draft } = state
  const { setDialog } = given
  const savePrep = useSavePrep()
  const calls = usePrepCalls()
  const updateSettings = useUpdateSettings()
  const navigate = useNavigate()
  const [saving, setSaving] = useState(false)
  const [starting, setStarting] = useState(false)
  const [downloading, setDownloading] = useState(false)

  // Opens the page of the saved data prep only when nothing is unsaved, otherwise the guard would require
  // a confirmation.
  const [next] = useState(() => createStore<string | undefined>(undefined))
  const href = useStore(next)
  useEffect(() => {
    if (href === undefined || dirty) return
    next.set(undefined)
    void navigate(href, { replace: true })
  }, [href, next, dirty, navigate])

  /** Opens the page of the newest version. Keeps the tab and search; the job is the started run, if any. */
  function leadTo(saved: DataPrepDetails, jobId: string | undefined) {
    const { search: text, hash } = window.location
    const search = new URLSearchParams(text)
    // The basket now has the symbols of the URL.
    for (const name of ['groupName', 'symbol']) search.delete(name)
    if (jobId === undefined) search.delete('jobId')
    else search.set('jobId', jobId)
    const query = search.size === 0 ? '' : `?${search.toString()}`
    next.set(`${links.dataPrep(saved.outputGroup, saved.name)}${query}${hash}`)
  }

  /** Runs or downloads a saved data prep; returns the job of a started run. */
  async function perform(saved: DataPrepDetails, use: SavedUse): Promise<string | undefined> {
    if (use.kind === 'run') {
      setStarting(true)
      const prep = { ...saved, symbolCount: saved.symbols.length }
      return await startRun(prep, use).finally(() => setStarting(false))
    }
    setDownloading(true)
    try {
      message('Downloading the file will start soon.', 'info')
      await downloadPrep(saved, use.format, use).then(
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

  /** Saves the draft; throws errors of the server. */
  async function saveAs(
    purpose: SavePurpose,
    target: ItemTarget,
    { use, force = false }: { use?: SavedUse | undefined; force?: boolean } = {},
  ): Promise<void> {
    const sent = state.latestDraft()
    const definition = { ...definitionOf(sent, target.name), outputGroup: target.groupName }
    setSaving(true)
    try {
      const saved = await savePrep(purpose, definition, stored, { force })
      state.taken(saved, sent)
      setDialog(undefined)
      leadTo(saved, use === undefined ? undefined : await perform(saved, use))
    } catch (error) {
      if (!(error instanceof ApiError && error.code === 'prepChanged') || stored === undefined) throw error
      const { version, modifiedBy: author, modifyDate: savedAt } = await calls.newest(stored.id)
      setDialog({ kind: 'conflict', newer: { version, author, savedAt }, target, use })
    } finally {
      setSaving(false)
    }
  }

  async function save(use?: SavedUse): Promise<void> {
    if (saving) return
    await leaveField()
    if (refusesUnfinished()) return
    if (use === undefined && stored?.latest && state.latestDraft() === state.baseline) {
      message('There is nothing to save.', 'info')
      return
    }
    const { outputGroup } = state.latestDraft().settings
    if (stored === undefined || outputGroup.trim() === '') {
      setDialog({ kind: 'save', purpose: stored === undefined ? 'create' : 'edit', use })
      return
    }
    setDialog(undefined)
    await saveAs('edit', { name: stored.name, groupName: outputGroup }, { use }).catch(toastErrors)
  }

  /** Runs or downloads the data prep; asks to save unsaved changes first. */
  async function request(use: SavedUse): Promise<void> {
    if (use.kind === 'run' && (given.isRunning || starting)) {
      warnRunning()
      return
    }
    await leaveField()
    if (refusesUnfinished()) return
    if (draft.basket.length === 0) {
      const purpose = use.kind === 'run' ? 'run' : 'download'
      message(`The basket is empty. Add at least one symbol before you ${purpose} the data prep.`, 'warn')
      return
    }
    if (stored === undefined || state.latestDraft() !== state.baseline) setDialog({ kind: 'unsaved', use })
    else {
      const jobId = await perform(stored, use)
      if (jobId !== undefined) given.onStarted(jobId)
    }
  }

  /** Opens another page without the unsaved-changes prompt. */
  function leave(href: string): void {
    state.settle()
    next.set(href)
  }

  return { saving, starting, downloading, save, saveAs, request, leave }
}

/** Actions of the creator. */
export type CreatorActions = ReturnType<typeof useCreatorActions>

/** Blurs the focused field, so that it commits its text before a save. */
async function leaveField(): Promise<void> {
  if (document.activeElement instanceof HTMLInputElement) document.activeElement.blur()
  await new Promise((resolve) => setTimeout(resolve))
}
