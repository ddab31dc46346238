/** Where the browser keeps what the form in front of the tiles answered with, by insight. */
const storageKey = 'ng-public-access'
/** How many insights are remembered; the oldest go first. */
const maxEntries = 50

/** What the form of an insight answered with in this browser; empty when it was not filled in. */
export function visitorToken(groupName: string, insightName: string): string {
  return read()[nameOf(groupName, insightName)] ?? ''
}

/** Keeps what the form of an insight answered with. */
export function keepVisitorToken(groupName: string, insightName: string, token: string): void {
  const { [nameOf(groupName, insightName)]: _, ...others } = read()
  const entries = [...Object.entries(others).slice(1 - maxEntries), [nameOf(groupName, insightName), token]]
  try {
    localStorage.setItem(storageKey, JSON.stringify(Object.fromEntries(entries)))
  } catch {
    // A browser that stores nothing asks again after a reload.
  }
}

function nameOf(groupName: string, insightName: string): string {
  return JSON.stringify([groupName, insightName])
}

function read(): Record<string, string> {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '{}')
    if (typeof stored !== 'object' || stored === null || Array.isArray(stored)) return {}
    return Object.fromEntries(
      Object.entries(stored).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
    )
  } catch {
    return {}
  }
}
