import { useEffect, useRef, useState } from 'react'
import { session } from './browser-session.ts'
import { forgetKeptDraft, keepDraft, type KeptDraft, readKeptDraft } from './kept-draft.ts'
import { useSession } from './use-session.ts'

/** Which draft is meant. */
export interface DraftPlace {
  /** What the browser calls drafts of this kind, of which it keeps one. */
  key: string
  /** What is changed. */
  place: string
}

/** The draft that was kept at this place when the session of the same user ended; it is handed out once. */
export function useKeptDraft<T>({ key, place }: DraftPlace, mayEdit: boolean): T | undefined {
  const { userName } = useSession()
  const [kept] = useState(() =>
    mayEdit ? readKeptDraft<T>(window.sessionStorage, key, { userName, place }) : undefined,
  )
  const isKept = kept !== undefined
  useEffect(() => {
    if (isKept) forgetKeptDraft(window.sessionStorage, key)
  }, [isKept, key])
  return kept
}

/**
 * Keeps a draft for its author when the session ends under it, be it by a log out in another tab: the page gives way to the
 * log-in at once, without asking.
 * @param unsaved what is not saved, as plain values, asked for when the session ends; undefined while all is
 */
export function useKeepDraft<T>({ key, place }: DraftPlace, unsaved: (() => T) | undefined): void {
  const { userName } = useSession()
  const latest = useRef<() => KeptDraft<T>>(undefined)
  useEffect(() => {
    latest.current = unsaved && (() => ({ userName, place, content: unsaved() }))
  })
  useEffect(
    () => () => {
      if (latest.current === undefined || session.state.get().phase !== 'signed-out') return
      const draft = latest.current()
      keepDraft(window.sessionStorage, key, draft)
      forgetForOthers(key, draft.userName)
    },
    [key],
  )
}

/** As soon as somebody else signs in here, the draft goes. */
function forgetForOthers(key: string, userName: string): void {
  const stop = session.state.subscribe(() => {
    const state = session.state.get()
    if (state.phase !== 'signed-in') return
    stop()
    if (state.user.settings.userName !== userName) forgetKeptDraft(window.sessionStorage, key)
  })
}
