import { errorBody, isRefusal, type Clock, type Log } from '@headwater/server-kit'
import { SeriesResultError } from '@headwater/tiles/core'

/** Why a tile shows nothing, in words for people. */
export class TileProblem extends Error {
  /** Whether what it asks for is not there for the user, or not at all. */
  readonly isRefusal: boolean

  constructor(message: string, { isRefusal = false }: { isRefusal?: boolean } = {}) {
    super(message)
    this.isRefusal = isRefusal
  }
}

/** Whether a tile shows nothing as its user may not read what it asks for, or as that is not there. */
export function isRefusalOfTile(error: unknown): boolean {
  return error instanceof TileProblem ? error.isRefusal : isRefusal(error)
}

/**
 * What is said in place of a tile. What nobody expected is logged and gets an id.
 * @throws the error itself when it is none of this tile, such as a database that does not answer
 */
export function problemOf(error: unknown, parts: { log: Log; clock: Clock }): string {
  if (error instanceof TileProblem || error instanceof SeriesResultError) return error.message
  const { status, code, message } = errorBody(error, { method: 'read', path: 'tile of a report' }, parts)
  if (status >= 500 && code !== 'unexpected') throw error
  return message
}
