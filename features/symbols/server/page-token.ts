import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Principal } from '@headwater/server-kit'
import type { DataQuery } from '../contract/index.ts'
import type { GroupState } from './data-query-store.ts'

/** What the next page of an answer has to know of the pages before. */
export interface PagePosition {
  /** The moment that counted as now at the first page, UTC milliseconds. */
  now: number
  /** Rows of the pages before. */
  offset: number
  /** How far the data of each group had come at the first page. */
  states: GroupState[]
  /** Digest of the columns of the first page. */
  shape: string
}

/** Most groups of a query whose answer comes in pages, so that a token fits into a header. */
export const maxPagedGroups = 100

/** The numbers of a group, in the order in which a token has them. */
const numbersOf = ['groupId', 'version', 'files', 'removed', 'symbolId', 'columnId', 'formulas'] as const

/** Writes and reads the tokens that lead from page to page. */
export interface PageTokens {
  write(principal: Principal, query: DataQuery, position: PagePosition): string
  /** The position in a token; undefined if it is not genuine, or of another user or question. */
  read(principal: Principal, query: DataQuery, token: string): PagePosition | undefined
}

/** Creates the tokens with a key derived from the secret of the installation, so that no other signature fits. */
export function createPageTokens(secret: string): PageTokens {
  const key = createHmac('sha256', secret).update('pages of data answers').digest()

  /** Holds for one user and one question; how many rows a page has does not matter. */
  function signature(principal: Principal, query: DataQuery, content: string): Buffer {
    const { size: _size, nextPageToken: _token, ...question } = query
    const asked = createHash('sha256').update(JSON.stringify(question)).digest('hex')
    return createHmac('sha256', key).update(`${principal.userId} ${asked} ${content}`).digest()
  }

  return {
    write(principal, query, { now, offset, states, shape }) {
      const groups = states.map((state) => numbersOf.map((name) => state[name]))
      const content = Buffer.from(JSON.stringify([now, offset, shape, groups])).toString('base64url')
      return `${content}.${signature(principal, query, content).toString('base64url')}`
    },
    read(principal, query, token) {
      const [, content, given] = /^([\w-]+)\.([\w-]{43})$/.exec(token) ?? []
      if (content === undefined || given === undefined) return undefined
      if (!timingSafeEqual(Buffer.from(given, 'base64url'), signature(principal, query, content)))
        return undefined
      const [now, offset, shape, groups] = JSON.parse(Buffer.from(content, 'base64url').toString()) as [
        number,
        number,
        string,
        number[][],
      ]
      const states = groups.map(
        (numbers) =>
          Object.fromEntries(numbersOf.map((name, at) => [name, numbers[at]])) as unknown as GroupState,
      )
      return { now, offset, states, shape }
    },
  }
}
