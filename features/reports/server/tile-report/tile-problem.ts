import { errorBody, isRefusal, type Clock, type Log } from '@headwater/server-kit'
import { SeriesResultError } from '@headwater/tile-data/core'

/** Reason why a tile has no content. The message is for users. */
export class TileProblem extends Error {
  /** Whether the data does not exist or the user cannot read it. */
  readonly isRefusal: boolean

  constructor(message: string, { isRefusal = false }: { isRefusal?: boolean } = {}) {
    super(message)
    this.isRefusal = isRefusal
  }
}

/** Returns whether a tile has no content because its data does not exist or the user cannot read it. */
export function isRefusalOfTile(error: unknown): boolean {
  return error instanceof TileProblem ? error.isRefusal : isRefusal(error)
}

/**
 * Returns the note for a tile that failed. Unexpected errors are logged with an id.
 * @throws the error itself if it is not specific to the tile, for example if the database does not respond
 */
export function problemOf(error: unknown, parts: { log: Log; clock: Clock }): string {
  if (error instanceof TileProblem || error instanceof SeriesResultError) return error.message
  const { status, code, message } = errorBody(error, { method: 'read', path: 'tile of a report' }, parts)
  if (status >= 500 && code !== 'unexpected') throw error
  return message
}
