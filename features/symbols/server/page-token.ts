import { createCipheriv, createDecipheriv, createHash, createHmac, randomBytes } from 'node:crypto'
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
  /** Returns the encrypted token of a position. */
  write(principal: Principal, query: DataQuery, position: PagePosition): string
  /** Returns the position of a token; undefined if it is forged, or belongs to another user or query. */
  read(principal: Principal, query: DataQuery, token: string): PagePosition | undefined
}

const algorithm = 'aes-256-gcm'
const nonceBytes = 12
const tagBytes = 16
/**
 * Contents are padded to a multiple of this length, so that the length of a token does not reveal the size of its
 * numbers.
 */
const blockCharacters = 256

/**
 * Creates the page tokens. They are encrypted with a key derived from the secret of the installation, because the
 * states of groups reveal when and how much data was written, even outside the range of a share and to groups of
 * formulas that the caller cannot read.
 */
export function createPageTokens(secret: string): PageTokens {
  const key = createHmac('sha256', secret).update('encrypted pages of data responses').digest()

  /** Returns the bytes that bind a token to one user and query; the page size can change. */
  function contextOf(principal: Principal, query: DataQuery): Buffer {
    const { size: _size, nextPageToken: _token, ...boundQuery } = query
    const queryHash = createHash('sha256').update(JSON.stringify(boundQuery)).digest('hex')
    return Buffer.from(`${principal.userId} ${queryHash}`)
  }

  function decrypt(principal: Principal, query: DataQuery, token: string): string | undefined {
    const bytes = Buffer.from(token, 'base64url')
    if (bytes.length < nonceBytes + tagBytes || bytes.toString('base64url') !== token) return undefined
    const decipher = createDecipheriv(algorithm, key, bytes.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
    decipher.setAAD(contextOf(principal, query))
    decipher.setAuthTag(bytes.subarray(-tagBytes))
    const text = decipher.update(bytes.subarray(nonceBytes, -tagBytes))
    try {
      return Buffer.concat([text, decipher.final()]).toString()
    } catch {
      // The token was changed, or belongs to another user or query.
      return undefined
    }
  }

  return {
    write(principal, query, { now, offset, states, shape }) {
      const groups = states.map((state) => numbersOf.map((name) => state[name]))
      const content = JSON.stringify([now, offset, shape, groups])
      const padded = content.padEnd(Math.ceil(content.length / blockCharacters) * blockCharacters)
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes })
      cipher.setAAD(contextOf(principal, query))
      const encrypted = [nonce, cipher.update(padded), cipher.final(), cipher.getAuthTag()]
      return Buffer.concat(encrypted).toString('base64url')
    },
    read(principal, query, token) {
      const content = decrypt(principal, query, token)
      if (content === undefined) return undefined
      const [now, offset, shape, groups] = JSON.parse(content) as [number, number, string, number[][]]
      const states = groups.map(
        (numbers) =>
          Object.fromEntries(numbersOf.map((name, at) => [name, numbers[at]])) as unknown as GroupState,
      )
      return { now, offset, states, shape }
    },
  }
}
