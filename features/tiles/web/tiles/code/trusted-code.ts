import { useCallback, useContext, useState } from 'react'
import { useSession } from '@headwater/accounts/web'
import { useInsightData, VisitorLimitsContext } from '@headwater/tile-data/web'
import { createTrustedEntries } from '@headwater/web-kit'

/** Where the code of a tile comes from. */
export type CodeOrigin =
  | { type: 'FILE'; fid: string; fileName: string }
  /**
   * `isTyped`: the tile was empty when the page opened it, so the user has written the code. `link`: id of the link that inserted
   * values into the code.
   */
  | { type: 'EDITOR'; isTyped: boolean; link?: string | undefined }

const trusted = createTrustedEntries('ng-trusted-code', 200)

/** Whether code of other users can get data. */
export interface CodePermission {
  /** Origin of code that must not get data yet, for example `of anna@example.com`; undefined if the code can run. */
  blocked: string | undefined
  /** Origin of code that the user has allowed; undefined if the code needed no permission, or does not have it. */
  allowed: string | undefined
  /** Allows the code. */
  allow: () => void
  /** Withdraws the permission. */
  withdraw: () => void
}

/**
 * Returns whether code can get data. Users do not need to allow their own code. Code with values from a link needs a second
 * permission, because the author of the link could have inserted code. Data of visitors are limited to the access of the
 * author already. The owner of a file is not always its author, because files can be transferred; so each version of a file
 * is allowed separately.
 */
export function useCodePermission(origin: CodeOrigin): CodePermission {
  const isVisitor = useContext(VisitorLimitsContext) !== undefined
  const { author } = useInsightData()
  const { userName } = useSession()
  const [isAllowedHere, setAllowedHere] = useState(false)
  const entry = entryOf(userName, origin, author)
  const isStored = trusted.useHas(entry)
  const isOwn = origin.type === 'EDITOR' && (author === undefined ? origin.isTyped : author === userName)
  const link = linkEntryOf(userName, origin)
  const isLinkStored = trusted.useHas(link)
  const isLinkAllowed = link === undefined || isLinkStored
  const needsNone = isVisitor || (isOwn && link === undefined)
  const isAllowed = isLinkAllowed && (isOwn || isAllowedHere || isStored)
  return {
    blocked: needsNone || isAllowed ? undefined : nameOf(origin, author, !isLinkAllowed),
    allowed: !needsNone && isAllowed ? nameOf(origin, author, link !== undefined) : undefined,
    allow() {
      if (link !== undefined) trusted.add(link)
      if (entry === undefined) setAllowedHere(true)
      else if (isLinkAllowed) trusted.add(entry)
    },
    withdraw: useCallback(() => {
      setAllowedHere(false)
      // The permission of the author also applies to other code.
      if (link !== undefined) trusted.remove(link)
      else if (entry !== undefined) trusted.remove(entry)
    }, [entry, link]),
  }
}

/** @param isOfLink whether the permission is about the values from a link */
function nameOf(origin: CodeOrigin, author: string | undefined, isOfLink: boolean): string {
  if (origin.type === 'FILE') return `of ${origin.fileName}`
  if (isOfLink) return 'with values from a link'
  return `of ${author ?? 'the template'}`
}

function linkEntryOf(userName: string, origin: CodeOrigin): string | undefined {
  return origin.type === 'FILE' || origin.link === undefined
    ? undefined
    : JSON.stringify([userName, 'link', origin.link])
}

/** Code of an unsaved insight has no entry, so the permission applies only to the open page. */
function entryOf(userName: string, origin: CodeOrigin, author: string | undefined): string | undefined {
  if (origin.type === 'FILE') return JSON.stringify([userName, 'file', origin.fid])
  return author === undefined ? undefined : JSON.stringify([userName, 'author', author])
}
