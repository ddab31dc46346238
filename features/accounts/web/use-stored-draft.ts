import { type RefObject, useEffect, useRef, useState } from 'react'
import { session } from './browser-session.ts'
import {
  type DraftAddress,
  readEndedDraft,
  readStoredDraft,
  removeDraftsOfOthers,
  removeEndedDraft,
  removeStoredDraft,
  storeDraft,
  type StoredDraft,
  storeEndedDraft,
} from './stored-draft.ts'
import { useSession } from './use-session.ts'

/** Identifies a draft. */
export interface DraftLocation {
  /** Kind of the draft: each kind has its own storage key. */
  key: string
  /** Identifies the edited object. */
  location: string
}

/**
 * Returns, once, the draft that the same user left of this object when the session or the page ended, in this tab or in one that is
 * closed. Other open tabs retain their own drafts, because only pages that ended have stored theirs.
 */
export function useStoredDraft<T>(
  { key, location }: DraftLocation,
  canEdit: boolean,
): RestoredDraft<T> | undefined {
  const { userName } = useSession()
  const [stored] = useState(() =>
    canEdit ? storages((drafts) => readDraft<T>(drafts, { userName, key, location })) : undefined,
  )
  // A page that suspends before its first effect reads the draft again.
  useEffect(() => {
    if (stored !== undefined) storages(stored.remove)
  }, [stored])
  return stored
}

/** A draft with its time. */
export interface RestoredDraft<T> {
  content: T
  /** Time at which the session or the page ended, in milliseconds since 1970. */
  time: number
}

/** The storages of drafts. */
interface Drafts {
  /** Storage of this tab: the draft of a session that ended. */
  ofTab: Storage
  /** Storage of all tabs: drafts of pages that ended. */
  ofAll: Storage
  /** Identifies this tab. */
  tab: string
}

function readDraft<T>(
  { ofTab, ofAll, tab }: Drafts,
  address: DraftAddress,
): (RestoredDraft<T> & { remove: (drafts: Drafts) => void }) | undefined {
  const ofSession = readStoredDraft<T>(ofTab, address)
  if (ofSession !== undefined)
    return { ...ofSession, remove: (drafts) => removeStoredDraft(drafts.ofTab, address.key) }
  const ended = readEndedDraft<T>(ofAll, tab, address)
  return ended && { ...ended, remove: (drafts) => removeEndedDraft(drafts.ofAll, ended.tab, address) }
}

/**
 * Stores a draft for its author when the session ends, for example by a logout in another tab, which replaces the page
 * by the login screen without confirmation. A draft also survives a reload of the page and the end of its tab.
 * @param unsaved returns the unsaved changes as plain values when the session or the page ends; undefined without changes
 */
export function useDraftStorage<T>({ key, location }: DraftLocation, unsaved: (() => T) | undefined): void {
  const { userName } = useSession()
  const latest = useRef<() => StoredDraft<T>>(undefined)
  useEffect(() => {
    latest.current = unsaved && (() => ({ userName, key, location, time: Date.now(), content: unsaved() }))
  })
  useKeepAfterPage(latest)
  useEffect(
    () => () => {
      if (latest.current === undefined || session.state.get().phase !== 'signed-out') return
      const draft = latest.current()
      storages(({ ofTab }) => storeDraft(ofTab, draft))
      forgetForOthers(key, draft.userName)
    },
    [key],
  )
}

/** Stores the draft when the browser leaves the page, and removes it when the browser restores the page from its cache. */
function useKeepAfterPage<T>(latest: RefObject<(() => StoredDraft<T>) | undefined>): void {
  useEffect(() => {
    const keep = () => {
      const draft = latest.current?.()
      if (draft !== undefined) storages(({ ofAll, tab }) => storeEndedDraft(ofAll, tab, draft))
    }
    const forget = ({ persisted }: PageTransitionEvent) => {
      const draft = persisted ? latest.current?.() : undefined
      if (draft !== undefined) storages(({ ofAll, tab }) => removeEndedDraft(ofAll, tab, draft))
    }
    window.addEventListener('pagehide', keep)
    window.addEventListener('pageshow', forget)
    return () => {
      window.removeEventListener('pagehide', keep)
      window.removeEventListener('pageshow', forget)
    }
  }, [latest])
}

/** Removes the drafts of other users from this browser when a user signs in. */
export function forgetDraftsOfOthers(): void {
  session.state.subscribe(() => {
    const state = session.state.get()
    if (state.phase !== 'signed-in') return
    const { userName } = state.user.settings
    storages(({ ofAll }) => removeDraftsOfOthers(ofAll, userName))
  })
}

/** Removes the draft of this tab when another user signs in. */
function forgetForOthers(key: string, userName: string): void {
  const stop = session.state.subscribe(() => {
    const state = session.state.get()
    if (state.phase !== 'signed-in') return
    stop()
    if (state.user.settings.userName !== userName) storages(({ ofTab }) => removeStoredDraft(ofTab, key))
  })
}

const tabKey = 'ng-tab'

/** Calls back with the storages of drafts; returns undefined without a call if the browser forbids storage. */
function storages<T>(work: (drafts: Drafts) => T): T | undefined {
  try {
    const { sessionStorage: ofTab, localStorage: ofAll } = window
    const tab = ofTab.getItem(tabKey) ?? String(Math.random()).slice(2)
    ofTab.setItem(tabKey, tab)
    return work({ ofTab, ofAll, tab })
  } catch {
    return undefined
  }
}
