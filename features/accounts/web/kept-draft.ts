/** Changes of a user that were not saved when the session ended. */
export interface KeptDraft<T> {
  /** Whose changes they are; nobody else is shown them. */
  userName: string
  /** What was changed, as the room that keeps it names it. */
  place: string
  /** Plain values only: it is kept as JSON. */
  content: T
}

/**
 * Keeps a draft in this tab of the browser until the same user is back at its place. A full or forbidden storage keeps none.
 * @param key what the storage calls drafts of this kind, of which it holds one
 */
export function keepDraft<T>(storage: Storage, key: string, draft: KeptDraft<T>): void {
  try {
    storage.setItem(key, JSON.stringify(draft))
  } catch {
    // the draft is lost, as it would be without a storage
  }
}

/** The content of the kept draft of a user at a place; undefined when there is none. */
export function readKeptDraft<T>(
  storage: Storage,
  key: string,
  { userName, place }: Pick<KeptDraft<T>, 'userName' | 'place'>,
): T | undefined {
  try {
    const draft = JSON.parse(storage.getItem(key) ?? 'null') as KeptDraft<T> | null
    return draft?.userName === userName && draft.place === place ? draft.content : undefined
  } catch {
    return undefined
  }
}

/** Forgets the kept draft, whose ever it is. */
export function forgetKeptDraft(storage: Storage, key: string): void {
  try {
    storage.removeItem(key)
  } catch {
    // a storage that cannot be had holds nothing
  }
}
