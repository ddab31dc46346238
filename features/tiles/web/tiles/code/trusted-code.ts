import { useContext, useState, useSyncExternalStore } from 'react'
import { useSession } from '@headwater/accounts/web'
import { useInsightData, VisitorLimitsContext } from '@headwater/tile-data/web'
import { readStoredList, writeStoredList } from '@headwater/web-kit'

/** Where the code of a tile comes from. */
export type CodeOrigin =
  | { type: 'FILE'; fid: string; fileName: string }
  /** `isTyped`: the tile was empty when the page opened it, so the user has written the code. */
  | { type: 'EDITOR'; isTyped: boolean }

const storageKey = 'ng-trusted-code'
/** Maximum number of stored entries; the oldest are removed first. */
const maxEntries = 200
const listeners = new Set<() => void>()
let trusted: readonly unknown[] | undefined

/**
 * Returns whose code must not get data yet, for example `anna@example.com`, and a function that allows it. Users do not need to
 * allow their own code. Data of visitors are limited to the access of the author already. The owner of a file is not always
 * its author, because files can be transferred; so each version of a file is allowed separately.
 */
export function useUntrustedCode(origin: CodeOrigin): { origin: string | undefined; allow: () => void } {
  const isVisitor = useContext(VisitorLimitsContext) !== undefined
  const { author } = useInsightData()
  const { userName } = useSession()
  const entries = useSyncExternalStore(subscribe, trustedEntries)
  const [isAllowedHere, setAllowedHere] = useState(false)
  const entry = entryOf(userName, origin, author)
  const isOwn = origin.type === 'EDITOR' && (author === undefined ? origin.isTyped : author === userName)
  const isTrusted = isVisitor || isOwn || isAllowedHere || (entry !== undefined && entries.includes(entry))
  return {
    origin: isTrusted ? undefined : nameOf(origin, author),
    allow() {
      if (entry === undefined) setAllowedHere(true)
      else trust(entry)
    },
  }
}

function nameOf(origin: CodeOrigin, author: string | undefined): string {
  if (origin.type === 'FILE') return origin.fileName
  return author ?? 'the template'
}

/** Code of an unsaved insight has no entry: it is allowed for its page only. */
function entryOf(userName: string, origin: CodeOrigin, author: string | undefined): string | undefined {
  if (origin.type === 'FILE') return JSON.stringify([userName, 'file', origin.fid])
  return author === undefined ? undefined : JSON.stringify([userName, 'author', author])
}

function trustedEntries(): readonly unknown[] {
  trusted ??= readStoredList(storageKey)
  return trusted
}

function trust(entry: string): void {
  trusted = [entry, ...readStoredList(storageKey).filter((other) => other !== entry)].slice(0, maxEntries)
  writeStoredList(storageKey, trusted)
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}
