import { useEffect } from 'react'
import { readStoredList, writeStoredList } from './stored-list.ts'

/** The types of recently opened objects, in display order. */
export const recentTypes = ['PIPELINE', 'DATA_PREP', 'GROUP', 'INSIGHT'] as const
/** Type of a recently opened object. */
export type RecentType = (typeof recentTypes)[number]

/** An object that was opened in this browser. */
export interface Recent {
  /** Type of the object. */
  type: RecentType
  /** Name of the object. */
  name: string
  /** Group of the object; for a group, its own name. */
  groupName: string
}

/** Storage key of the list, newest first. */
export const recentsKey = 'ng-recents'

/** Maximum number of recent objects per type. */
const recentsPerType = 5

/** Reads the objects that were opened in this browser, newest first. */
export function recents(): Recent[] {
  return readStoredList(recentsKey).filter(isRecent)
}

/** Adds an opened object; the oldest ones of its type are removed. */
export function keepRecent(recent: Recent): void {
  const { type, name, groupName } = recent
  const all = [{ type, name, groupName }, ...recents().filter((other) => !isSame(other, recent))]
  const latest = recentTypes.flatMap((each) =>
    all.filter((other) => other.type === each).slice(0, recentsPerType),
  )
  writeStoredList(recentsKey, latest)
}

/** Removes an object that no longer exists. */
export function forgetRecent(recent: Recent): void {
  writeStoredList(
    recentsKey,
    recents().filter((other) => !isSame(other, recent)),
  )
}

/** Adds the object of a page when it has loaded; pass undefined until then. */
export function useRecent(type: RecentType, object: { name: string; groupName: string } | undefined): void {
  const name = object?.name
  const groupName = object?.groupName
  useEffect(() => {
    if (name !== undefined && groupName !== undefined) keepRecent({ type, name, groupName })
  }, [type, name, groupName])
}

function isSame(one: Recent, other: Recent): boolean {
  return one.type === other.type && one.name === other.name && one.groupName === other.groupName
}

/** Returns whether an entry is valid. Older versions stored objects without a name, or with the name "undefined". */
function isRecent(entry: unknown): entry is Recent {
  if (typeof entry !== 'object' || entry === null) return false
  const { type, name, groupName } = entry as Record<string, unknown>
  return (recentTypes as readonly unknown[]).includes(type) && isName(name) && isName(groupName)
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value !== 'undefined'
}
