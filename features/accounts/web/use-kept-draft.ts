import { type RefObject, useEffect, useRef, useState } from 'react'
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

/** The draft that the same user left at this place when the session or the page ended; it is handed out once. */
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
 * log-in at once, without asking. A draft also outlives a reload of the page.
 * @param unsaved what is not saved, as plain values, asked for when the session or the page ends; undefined while all is
 */
export function useKeepDraft<T>({ key, place }: DraftPlace, unsaved: (() => T) | undefined): void {
  const { userName } = useSession()
  const latest = useRef<() => KeptDraft<T>>(undefined)
  useEffect(() => {
    latest.current = unsaved && (() => ({ userName, place, content: unsaved() }))
  })
  useKeepAcrossReload(key, latest)
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

/** Keeps the draft when the browser leaves the page, and forgets it when the browser comes back to the page as it was. */
function useKeepAcrossReload<T>(key: string, latest: RefObject<(() => KeptDraft<T>) | undefined>): void {
  useEffect(() => {
    const keep = () => {
      if (latest.current !== undefined) keepDraft(window.sessionStorage, key, latest.current())
    }
    const forget = ({ persisted }: PageTransitionEvent) => {
      if (persisted) forgetKeptDraft(window.sessionStorage, key)
    }
    window.addEventListener('pagehide', keep)
    window.addEventListener('pageshow', forget)
    return () => {
      window.removeEventListener('pagehide', keep)
      window.removeEventListener('pageshow', forget)
    }
  }, [key, latest])
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
