import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { useIsOpenedFromView } from './use-page-address.ts'
import { ApiError, links, message, refusesUnfinished, toastError, toastErrors } from '@headwater/web-kit'
import { infoValue, type Insight } from '../../../contract/index.ts'
import { type InsightForm, readLatest, useInsightCalls } from '../../insights-client.ts'
import type { DraftState } from './use-draft.ts'

/** Purpose of the form of an insight. */
export type FormPurpose = 'create' | 'copy' | 'details'

/** Saves the draft of an insight under its name or through a form. */
export function useSaving(
  state: DraftState,
  given: {
    /** Adds pending changes to the draft; returns false, after a message, if that is not possible. */
    beforeSave: () => boolean
    /** Called when a new insight needs a name. */
    onNameNeeded: () => void
    /** Called if another version was saved in the meantime. */
    onConflict: (latest: Insight) => void
    /** Called when everything is saved. */
    onSaved: () => void
  },
) {
  const { stored, dirty } = state
  const navigate = useNavigate()
  const calls = useInsightCalls()
  const [saving, setSaving] = useState(false)
  /** This is a ref, because a second click can occur before the next render. */
  const isSaving = useRef(false)

  // A renamed insight moves to its new URL when the draft has no unsaved changes. Before that, the guard would require
  // confirmation.
  const [renamed, setRenamed] = useState<Insight>()
  const isOpenedFromView = useIsOpenedFromView()
  useEffect(() => {
    if (renamed === undefined || dirty) return
    // The history entry of the view has the old name. It is replaced after the return to the view.
    if (isOpenedFromView) void navigate(-1)
    else void navigate(links.insight(renamed.groupName, renamed.insightName), { replace: true })
  }, [renamed, dirty, isOpenedFromView, navigate])

  async function save(options: { force?: boolean } = {}) {
    if (isSaving.current) return
    isSaving.current = true
    try {
      await saveOnce(options)
    } finally {
      isSaving.current = false
    }
  }

  async function saveOnce({ force = false }: { force?: boolean }) {
    const field = await leaveField()
    if (refusesUnfinished() || !given.beforeSave()) return
    if (stored === undefined) {
      given.onNameNeeded()
      return
    }
    setSaving(true)
    const content = state.latestContent()
    try {
      const { insight } = await calls.update(stored, {
        content,
        expectedFileId: force ? undefined : stored.fid,
      })
      message('Insight has been saved.')
      if (state.handleSaved(insight, content)) given.onSaved()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'insightChanged') await reportConflict(stored)
      else toastErrors(error)
    } finally {
      setSaving(false)
      if (document.activeElement === document.body) field?.focus({ preventScroll: true })
    }
  }

  async function reportConflict(base: Insight): Promise<void> {
    try {
      given.onConflict(await readLatest(base))
    } catch (error) {
      toastErrors(error)
    }
  }

  /** Saves a form. Throws the errors of the server, which the form shows. */
  async function saveForm(purpose: FormPurpose, form: InsightForm) {
    if (purpose === 'details' && stored !== undefined) {
      const saved = await calls.update(stored, { content: stored.content, form, expectedFileId: stored.fid })
      const { insight, logoError } = saved
      const isMoved = insight.groupName !== stored.groupName
      state.reset(insight)
      message(isMoved ? 'Insight has been moved to the new group.' : 'Insight has been saved.')
      if (isMoved || insight.insightName !== stored.insightName) {
        if (logoError !== undefined) toastError(logoError)
        setRenamed(insight)
      } else if (logoError !== undefined) throw logoError
      return
    }
    const logoId = stored && infoValue(stored.fields, 'logo')
    const { insight, logoError } = await calls.create(form, state.latestContent(), logoId)
    if (logoError !== undefined) toastError(logoError)
    message(purpose === 'copy' ? 'New Insight has been created.' : 'Insight has been created.')
    state.settle()
    setRenamed(insight)
  }

  return { saving, save, saveForm }
}

/** Blurs the focused field, so that it applies its text before a save; returns it. */
async function leaveField(): Promise<HTMLElement | undefined> {
  const field = document.activeElement instanceof HTMLElement ? document.activeElement : undefined
  field?.blur()
  await new Promise((resolve) => setTimeout(resolve))
  return field
}
