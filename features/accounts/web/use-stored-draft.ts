import { type RefObject, useEffect, useRef, useState } from 'react'
import { session } from './browser-session.ts'
import { removeStoredDraft, storeDraft, type StoredDraft, readStoredDraft } from './stored-draft.ts'
import { useSession } from './use-session.ts'

/** Identifies a draft. */
export interface DraftLocation {
  /** Storage key; one draft per key. */
  key: string
  /** Identifies the edited object. */
  location: string
}

/** Returns, once, the draft that the same user left at this location when the session or the page ended. */
export function useStoredDraft<T>({ key, location }: DraftLocation, canEdit: boolean): T | undefined {
  const { userName } = useSession()
  const [stored] = useState(() =>
    canEdit ? readStoredDraft<T>(window.sessionStorage, key, { userName, location }) : undefined,
  )
  const hasStored = stored !== undefined
  useEffect(() => {
    if (hasStored) removeStoredDraft(window.sessionStorage, key)
  }, [hasStored, key])
  return stored
}

/**
 * Stores a draft for its author when the session ends, for example by a log out in another tab: the page is replaced by
 * the login at once, without confirmation. A draft also survives a reload of the page.
 * @param unsaved returns the unsaved changes as plain values when the session or the page ends; undefined without changes
 */
export function useDraftStorage<T>({ key, location }: DraftLocation, unsaved: (() => T) | undefined): void {
  const { userName } = useSession()
  const latest = useRef<() => StoredDraft<T>>(undefined)
  useEffect(() => {
    latest.current = unsaved && (() => ({ userName, location, content: unsaved() }))
  })
  useKeepAcrossReload(key, latest)
  useEffect(
    () => () => {
      if (latest.current === undefined || session.state.get().phase !== 'signed-out') return
      const draft = latest.current()
      storeDraft(window.sessionStorage, key, draft)
      forgetForOthers(key, draft.userName)
    },
    [key],
  )
}

/** Stores the draft when the browser leaves the page, and removes it when the browser restores the page from its cache. */
function useKeepAcrossReload<T>(key: string, latest: RefObject<(() => StoredDraft<T>) | undefined>): void {
  useEffect(() => {
    const keep = () => {
      if (latest.current !== undefined) storeDraft(window.sessionStorage, key, latest.current())
    }
    const forget = ({ persisted }: PageTransitionEvent) => {
      if (persisted) removeStoredDraft(window.sessionStorage, key)
    }
    window.addEventListener('pagehide', keep)
    window.addEventListener('pageshow', forget)
    return () => {
      window.removeEventListener('pagehide', keep)
      window.removeEventListener('pageshow', forget)
    }
  }, [key, latest])
}

/** Removes the draft when another user signs in. */
function forgetForOthers(key: string, userName: string): void {
  const stop = session.state.subscribe(() => {
    const state = session.state.get()
    if (state.phase !== 'signed-in') return
    stop()
    if (state.user.settings.userName !== userName) removeStoredDraft(window.sessionStorage, key)
  })
}
