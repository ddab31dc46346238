import { useCallback, useContext, useState } from 'react'
import { useSession } from '@headwater/accounts/web'
import { useInsightData, VisitorLimitsContext } from '@headwater/tile-data/web'
import { createTrustedEntries } from '@headwater/web-kit'

/** Where the code of a tile comes from. */
export type CodeOrigin =
  | { type: 'FILE'; fid: string; fileName: string }
  /** `isTyped`: the tile was empty when the page opened it, so the user has written the code. */
  | { type: 'EDITOR'; isTyped: boolean }

const trusted = createTrustedEntries('ng-trusted-code', 200)

/** Whether code of other users can get data. */
export interface CodePermission {
  /** Whose code must not get data yet, for example `anna@example.com`; undefined if the code can run. */
  blocked: string | undefined
  /** Whose code the user has allowed; undefined if the code needed no permission, or does not have it. */
  allowed: string | undefined
  /** Allows the code. */
  allow: () => void
  /** Withdraws the permission. */
  withdraw: () => void
}

/**
 * Returns whether code can get data. Users do not need to allow their own code. Data of visitors are limited to the access of the
 * author already. The owner of a file is not always its author, because files can be transferred; so each version of a
 * file is allowed separately.
 */
export function useCodePermission(origin: CodeOrigin): CodePermission {
  const isVisitor = useContext(VisitorLimitsContext) !== undefined
  const { author } = useInsightData()
  const { userName } = useSession()
  const [isAllowedHere, setAllowedHere] = useState(false)
  const entry = entryOf(userName, origin, author)
  const isStored = trusted.useHas(entry)
  const isOwn = origin.type === 'EDITOR' && (author === undefined ? origin.isTyped : author === userName)
  const needsNone = isVisitor || isOwn
  const isAllowed = isAllowedHere || isStored
  const name = nameOf(origin, author)
  return {
    blocked: needsNone || isAllowed ? undefined : name,
    allowed: !needsNone && isAllowed ? name : undefined,
    allow() {
      if (entry === undefined) setAllowedHere(true)
      else trusted.add(entry)
    },
    withdraw: useCallback(() => {
      setAllowedHere(false)
      if (entry !== undefined) trusted.remove(entry)
    }, [entry]),
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
