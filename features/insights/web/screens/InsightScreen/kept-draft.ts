import type { InsightContent } from '../../../contract/index.ts'

/** Changes of an insight that were not saved when the session ended. */
export interface KeptDraft {
  /** Whose changes they are; nobody else is shown them. */
  userName: string
  /** The page they were made on. */
  path: string
  /** The stored version they began with; undefined for a new insight. */
  fid: string | undefined
  content: InsightContent
}

const key = 'ng-insight-draft'

/** Keeps a draft in this tab of the browser until the same user is back on the page. A full or forbidden storage keeps none. */
export function keepDraft(storage: Storage, draft: KeptDraft): void {
  try {
    storage.setItem(key, JSON.stringify(draft))
  } catch {
    // the draft is lost, as it would be without a storage
  }
}

/** The kept draft of a user on a page; undefined when there is none. */
export function readKeptDraft(
  storage: Storage,
  { userName, path }: { userName: string; path: string },
): KeptDraft | undefined {
  try {
    const draft = JSON.parse(storage.getItem(key) ?? 'null') as KeptDraft | null
    return draft?.userName === userName && draft.path === path ? draft : undefined
  } catch {
    return undefined
  }
}

/** Forgets the kept draft, whose ever it is. */
export function forgetKeptDraft(storage: Storage): void {
  try {
    storage.removeItem(key)
  } catch {
    // a storage that cannot be had holds nothing
  }
}
