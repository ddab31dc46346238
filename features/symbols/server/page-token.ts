import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { Principal } from '@headwater/server-kit'
import type { DataQuery } from '../contract/index.ts'
import type { GroupState } from './data-query-store.ts'

/** State that the next page of a result needs from the previous pages. */
export interface PagePosition {
  /** Time that counted as now for the first page, UTC milliseconds. */
  now: number
  /** Number of rows on the previous pages. */
  offset: number
  /** State of each group at the first page. */
  states: GroupState[]
  /** Digest of the columns of the first page. */
  shape: string
}

/** Maximum number of groups of a query with pages, so that a token fits into a header. */
export const maxPagedGroups = 100

/** Fields of a group state, in the order in a token. */
const numbersOf = ['groupId', 'version', 'files', 'removed', 'symbolId', 'columnId', 'formulas'] as const

/** Writes and reads page tokens. */
export interface PageTokens {
  /** Returns the signed token of a position. */
  write(principal: Principal, query: DataQuery, position: PagePosition): string
  /** Returns the position of a token; undefined if it is forged, or belongs to another user or query. */
  read(principal: Principal, query: DataQuery, token: string): PagePosition | undefined
}

/** Creates the page tokens, signed with a key derived from the secret of the installation. */
export function createPageTokens(secret: string): PageTokens {
  const key = createHmac('sha256', secret).update('pages of data answers').digest()

  /** Signs content for one user and query; the page size can change. */
  function signature(principal: Principal, query: DataQuery, content: string): Buffer {
    const { size: _size, nextPageToken: _token, ...signedQuery } = query
    const queryHash = createHash('sha256').update(JSON.stringify(signedQuery)).digest('hex')
    return createHmac('sha256', key).update(`${principal.userId} ${queryHash} ${content}`).digest()
  }

  return {
    /** Returns the signed token of a position. */
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
