import { useEffect, useRef, useState } from 'react'
import { useNavigate } from 'react-router'
import { ApiError, links, message, refusesUnfinished, toastError } from '@headwater/web-kit'
import { infoValue, type Insight } from '../../../contract/index.ts'
import { type InsightForm, readLatest, useInsightCalls } from '../../insights-client.ts'
import type { DraftState } from './use-draft.ts'

/** What a form of an insight is for. */
export type FormPurpose = 'create' | 'copy' | 'details'

/** Saves the draft of an insight, under its name or through a form. */
export function useSaving(
  state: DraftState,
  given: {
    /** Takes over what is to be saved and does not stand in the draft yet; false when it cannot, which has been told. */
    beforeSave: () => boolean
    /** A new insight needs a name first. */
    onNameNeeded: () => void
    /** Somebody else saved meanwhile. */
    onConflict: (latest: Insight) => void
    /** The insight is saved and nothing is left to save. */
    onSaved: () => void
  },
) {
  const { shown, dirty } = state
  const navigate = useNavigate()
  const calls = useInsightCalls()
  const [saving, setSaving] = useState(false)
  /** Known at once, unlike what is drawn: a second click comes before that. */
  const isSaving = useRef(false)

  // An insight with a new name moves to its own page only once nothing is unsaved any more, or the guard would ask.
  const [renamed, setRenamed] = useState<Insight>()
  useEffect(() => {
    if (renamed !== undefined && !dirty)
      void navigate(links.insight(renamed.groupName, renamed.insightName), { replace: true })
  }, [renamed, dirty, navigate])

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
    if (shown === undefined) {
      given.onNameNeeded()
      return
    }
    setSaving(true)
    const content = state.latestContent()
    try {
      const { insight } = await calls.update(shown, {
        content,
        expectedFileId: force ? undefined : shown.fid,
      })
      message('Insight has been saved.')
      if (state.taken(insight, content)) given.onSaved()
    } catch (error) {
      if (error instanceof ApiError && error.code === 'insightChanged') await tellConflict(shown)
      else tellErrors(error)
    } finally {
      setSaving(false)
      if (document.activeElement === document.body) field?.focus({ preventScroll: true })
    }
  }

  async function tellConflict(base: Insight): Promise<void> {
    try {
      given.onConflict(await readLatest(base))
    } catch (error) {
      tellErrors(error)
    }
  }

  /** Throws what the server refuses, for the form to show. */
  async function saveForm(purpose: FormPurpose, form: InsightForm) {
    if (purpose === 'details' && shown !== undefined) {
      const saved = await calls.update(shown, { content: shown.content, form, expectedFileId: shown.fid })
      const { insight, logoError } = saved
      const isMoved = insight.groupName !== shown.groupName
      state.take(insight)
      message(isMoved ? 'Insight has been moved to the new group.' : 'Insight has been saved.')
      if (isMoved || insight.insightName !== shown.insightName) {
        if (logoError !== undefined) toastError(logoError)
        setRenamed(insight)
      } else if (logoError !== undefined) throw logoError
      return
    }
    const logoId = shown && infoValue(shown.fields, 'logo')
    const { insight, logoError } = await calls.create(form, state.latestContent(), logoId)
    if (logoError !== undefined) toastError(logoError)
    message(purpose === 'copy' ? 'New Insight has been created.' : 'Insight has been created.')
    state.settle()
    setRenamed(insight)
  }

  return { saving, save, saveForm }
}

/** A field that takes its text over when it is left does so before a save. Answers with what had the focus. */
async function leaveField(): Promise<HTMLElement | undefined> {
  const field = document.activeElement instanceof HTMLElement ? document.activeElement : undefined
  field?.blur()
  await new Promise((resolve) => setTimeout(resolve))
  return field
}

/** Outside of a form every error is told as a message, each wrong field by its own. */
function tellErrors(error: unknown): void {
  if (error instanceof ApiError && error.validationErrors.length > 0)
    for (const { message: text } of error.validationErrors) message(text, 'error')
  else toastError(error)
}
