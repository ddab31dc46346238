/** Changes of a user that were not saved when the session or the page ended. */
export interface StoredDraft<T> {
  /** User name of the author; other users never see the draft. */
  userName: string
  /** Kind of the draft, such as `ng-insight-draft`. */
  key: string
  /** Identifies the edited object; the feature that stores the draft chooses the format. */
  location: string
  /** Time at which the draft was stored, in milliseconds since 1970. */
  time: number
  /** Plain values only, because the draft is stored as JSON. */
  content: T
}

/** Identifies the draft of a user. */
export type DraftAddress = Pick<StoredDraft<unknown>, 'userName' | 'key' | 'location'>

/** Key of the drafts of pages that ended. All tabs share it, and log-out removes it. */
export const endedDraftsKey = 'ng-drafts'
/** Maximum number of drafts of pages that ended; the oldest are removed. */
export const maxEndedDrafts = 20

/** A draft of a page that ended, such as one of a closed tab. */
type EndedDraft<T = unknown> = StoredDraft<T> & {
  /** Identifies the tab. */
  tab: string
}

/**
 * Stores a draft of a page that ends. It replaces the previous draft of the same tab and object, but none of other tabs. If the
 * storage is full, the oldest drafts are removed; if it is forbidden, the draft is lost.
 */
export function storeEndedDraft<T>(storage: Storage, tab: string, draft: StoredDraft<T>): void {
  removeEndedDraft(storage, tab, draft)
  const newest = [{ ...draft, tab }, ...readList(storage)].slice(0, maxEndedDrafts)
  while (newest.length > 0 && !writeList(storage, newest)) newest.pop()
}

/** Returns the draft of an object: that of the same tab, otherwise the newest one. */
export function readEndedDraft<T>(
  storage: Storage,
  tab: string,
  address: DraftAddress,
): EndedDraft<T> | undefined {
  const fitting = readList(storage).filter((draft) => isAt(draft, address))
  return (fitting.find((draft) => draft.tab === tab) ?? fitting[0]) as EndedDraft<T> | undefined
}

/** Removes the draft that a tab stored of an object. */
export function removeEndedDraft(storage: Storage, tab: string, address: DraftAddress): void {
  const all = readList(storage)
  const others = all.filter((draft) => !(isAt(draft, address) && draft.tab === tab))
  if (others.length < all.length) writeList(storage, others)
}

/** Removes the drafts of all other users. */
export function removeDraftsOfOthers(storage: Storage, userName: string): void {
  const all = readList(storage)
  const own = all.filter((draft) => draft.userName === userName)
  if (own.length < all.length) writeList(storage, own)
}

/** Stores a draft in this tab until the same user returns to its object after the next log-in. */
export function storeDraft<T>(storage: Storage, draft: StoredDraft<T>): void {
  try {
    storage.setItem(draft.key, JSON.stringify(draft))
  } catch {
    // the draft is lost
  }
}

/** Key of the location in drafts of earlier versions, which had no time. */
export const earlierLocationKey = 'place'

type EarlierDraft<T> = Pick<StoredDraft<T>, 'userName' | 'content'> & { [earlierLocationKey]: string }

/** Returns the draft of this tab; undefined if there is none of this user and object. */
export function readStoredDraft<T>(
  storage: Storage,
  { key, ...address }: DraftAddress,
): StoredDraft<T> | undefined {
  try {
    const stored = JSON.parse(storage.getItem(key) ?? 'null') as StoredDraft<T> | EarlierDraft<T> | null
    if (stored === null) return undefined
    // An earlier version stores its draft just before this page reads it.
    const draft =
      earlierLocationKey in stored
        ? { ...stored, key, location: stored[earlierLocationKey], time: Date.now() }
        : stored
    return isAt(draft, { ...address, key }) ? draft : undefined
  } catch {
    return undefined
  }
}

/** Removes the draft of any user. */
export function removeStoredDraft(storage: Storage, key: string): void {
  try {
    storage.removeItem(key)
  } catch {
    // a forbidden storage contains no draft
  }
}

function isAt(draft: DraftAddress, { userName, key, location }: DraftAddress): boolean {
  return draft.userName === userName && draft.key === key && draft.location === location
}

function readList(storage: Storage): EndedDraft[] {
  try {
    const stored: unknown = JSON.parse(storage.getItem(endedDraftsKey) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isEndedDraft) : []
  } catch {
    return []
  }
}

function isEndedDraft(entry: unknown): entry is EndedDraft {
  if (typeof entry !== 'object' || entry === null) return false
  const { userName, time } = entry as Record<string, unknown>
  return typeof userName === 'string' && typeof time === 'number'
}

/** Returns whether the list was written. */
function writeList(storage: Storage, list: readonly EndedDraft[]): boolean {
  try {
    if (list.length === 0) storage.removeItem(endedDraftsKey)
    else storage.setItem(endedDraftsKey, JSON.stringify(list))
    return true
  } catch {
    return false
  }
}
