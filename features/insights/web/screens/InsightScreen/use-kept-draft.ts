import { useEffect, useRef, useState } from 'react'
import { useLocation } from 'react-router'
import { session, useSession } from '@headwater/accounts/web'
import type { InsightContent } from '../../../contract/index.ts'
import { forgetKeptDraft, keepDraft, type KeptDraft, readKeptDraft } from './kept-draft.ts'

/** The draft that was kept on this page when the session of the same user ended. */
export function useKeptDraft(mayEdit: boolean): KeptDraft | undefined {
  const { userName } = useSession()
  const { pathname: path } = useLocation()
  const [kept] = useState(() =>
    mayEdit ? readKeptDraft(window.sessionStorage, { userName, path }) : undefined,
  )
  useEffect(() => {
    if (mayEdit) forgetKeptDraft(window.sessionStorage)
  }, [mayEdit])
  return kept
}

/**
 * Keeps a draft for its author when the session ends under it, be it by a log out in another tab: the page gives way to the
 * log-in at once, without asking.
 * @param unsaved what is not saved; undefined while nothing is
 */
export function useKeepDraft(
  unsaved: { fid: string | undefined; content: InsightContent } | undefined,
): void {
  const { userName } = useSession()
  const { pathname: path } = useLocation()
  const latest = useRef<KeptDraft>(undefined)
  useEffect(() => {
    latest.current = unsaved && { userName, path, ...unsaved }
  })
  useEffect(
    () => () => {
      const draft = latest.current
      if (draft === undefined || session.state.get().phase !== 'signed-out') return
      keepDraft(window.sessionStorage, draft)
      forgetForOthers(draft.userName)
    },
    [],
  )
}

/** As soon as somebody else signs in here, the draft goes. */
function forgetForOthers(userName: string): void {
  const stop = session.state.subscribe(() => {
    const state = session.state.get()
    if (state.phase !== 'signed-in') return
    stop()
    if (state.user.settings.userName !== userName) forgetKeptDraft(window.sessionStorage)
  })
}
