import { isRecord } from '@headwater/contract'
/** Key of the form tokens in the storage of the browser, by insight. */
const storageKey = 'ng-public-access'
/** Maximum number of stored tokens. The oldest are dropped. */
const maxEntries = 50

/** Returns the token of the form of an insight that was submitted in this browser; empty if there is none. */
export function visitorToken(groupName: string, insightName: string): string {
  return read()[nameOf(groupName, insightName)] ?? ''
}

/** Stores the token of the submitted form of an insight. */
export function storeVisitorToken(groupName: string, insightName: string, token: string): void {
  const { [nameOf(groupName, insightName)]: _, ...others } = read()
  const entries = [...Object.entries(others).slice(1 - maxEntries), [nameOf(groupName, insightName), token]]
  try {
    localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(entries)))
  } catch {
    // If storage is unavailable, the form appears again after a reload.
  }
}

function nameOf(groupName: string, insightName: string): string {
  return JSON.stringify([groupName, insightName])
}

function read(): Record<string, string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    if (!isRecord(stored)) return {}
    return Object.fromEntries(
      Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}
