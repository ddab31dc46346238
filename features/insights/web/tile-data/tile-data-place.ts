import type { InsightContent, RequestedTileInput } from '../../contract/index.ts'

/** What a page requests of some of its tiles. */
export interface TileDataRequest {
  /** What visitors and members choose alike. */
  choices: {
    tiles: RequestedTileInput[]
    parameters: Record<string, Record<string, string>>
    range?: string
  }
  /** What only members choose. */
  memberChoices: {
    basket?: unknown
    preview?: { tileIds: string[]; values: Record<string, string> }
  }
  /** Returns the part of the definition that the tiles need. */
  content: () => InsightContent
}

/** Where a page requests the data of its tiles. */
export interface TileDataPlace {
  /** Identifies the place: places with the same key are the same. */
  key: string
  /** Tells its data apart from those of other places. Default: signed-in users see the same data in all insights. */
  scope?: readonly string[]
  /** Sends a request and returns the response, a stream of frames. */
  send: (request: TileDataRequest, signal: AbortSignal) => Promise<Response>
}

/** First part of the keys under which the data of tiles are cached. */
export const tileDataKey = 'tileData'

/** A page without data: its tiles show what is typed in them. */
export const noTileData: TileDataPlace = {
  key: 'none',
  send: () => Promise.reject(new Error('This page has no data for its tiles.')),
}
