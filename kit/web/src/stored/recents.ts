import { useEffect } from 'react'
import { readStoredList, writeStoredList } from './stored-list.ts'

/** The kinds of things whose recent ones are kept, in the order they are shown in. */
export const recentTypes = ['PIPELINE', 'DATA_PREP', 'GROUP', 'INSIGHT'] as const
export type RecentType = (typeof recentTypes)[number]

/** Something that was looked at in this browser. */
export interface Recent {
  type: RecentType
  name: string
  /** The group it lies in; of a group its own name. */
  groupName: string
}

/** Where the browser keeps what was looked at, the newest first. */
export const recentsKey = 'ng-recents'

/** How many of each type are kept. */
export const recentsPerType = 5

/** What was looked at in this browser, the newest first. */
export function recents(): Recent[] {
  return readStoredList(recentsKey).filter(isRecent)
}

/** Keeps that something was looked at; of its type the oldest ones are forgotten. */
export function keepRecent(recent: Recent): void {
  const { type, name, groupName } = recent
  const all = [{ type, name, groupName }, ...recents().filter((other) => !isSame(other, recent))]
  const kept = recentTypes.flatMap((each) =>
    all.filter((other) => other.type === each).slice(0, recentsPerType),
  )
  writeStoredList(recentsKey, kept)
}

/** Forgets what is there no more. */
export function forgetRecent(recent: Recent): void {
  writeStoredList(
    recentsKey,
    recents().filter((other) => !isSame(other, recent)),
  )
}

/** Keeps what a page shows as looked at, once it is there; undefined until then. */
export function useRecent(type: RecentType, shown: { name: string; groupName: string } | undefined): void {
  const name = shown?.name
  const groupName = shown?.groupName
  useEffect(() => {
    if (name !== undefined && groupName !== undefined) keepRecent({ type, name, groupName })
  }, [type, name, groupName])
}

function isSame(one: Recent, other: Recent): boolean {
  return one.type === other.type && one.name === other.name && one.groupName === other.groupName
}

/** Older versions stored things without a name, or with the word for that. */
function isRecent(entry: unknown): entry is Recent {
  if (typeof entry !== 'object' || entry === null) return false
  const { type, name, groupName } = entry as Record<string, unknown>
  return (recentTypes as readonly unknown[]).includes(type) && isName(name) && isName(groupName)
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && value !== 'undefined'
}
