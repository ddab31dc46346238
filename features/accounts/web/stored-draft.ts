/** Changes of a user that were not saved when the session ended. */
export interface StoredDraft<T> {
  /** User name of the author; other users never see the draft. */
  userName: string
  /** Identifies the edited object; the feature that stores the draft chooses the format. */
  location: string
  /** Plain values only, because the draft is stored as JSON. */
  content: T
}

/** Key of the location in the stored JSON. Browsers contain values of earlier versions, so it does not change. */
const locationKey = 'place'

type StoredValue<T> = Omit<StoredDraft<T>, 'location'> & { [locationKey]: string }

/**
 * Stores a draft in this browser tab until the same user returns to its location. Does nothing if the storage is full or forbidden.
 * @param key key in the storage; one draft per key
 */
export function storeDraft<T>(storage: Storage, key: string, draft: StoredDraft<T>): void {
  try {
    const { userName, location, content } = draft
    const stored: StoredValue<T> = { userName, [locationKey]: location, content }
    storage.setItem(key, JSON.stringify(stored))
  } catch {
    // the draft is lost
  }
}

/** Returns the content of the draft of a user at a location; undefined if there is no such draft. */
export function readStoredDraft<T>(
  storage: Storage,
  key: string,
  { userName, location }: Pick<StoredDraft<T>, 'userName' | 'location'>,
): T | undefined {
  try {
    const stored = JSON.parse(storage.getItem(key) ?? 'null') as StoredValue<T> | null
    return stored?.userName === userName && stored[locationKey] === location ? stored.content : undefined
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
