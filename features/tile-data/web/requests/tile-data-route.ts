import { callRaw } from '@headwater/web-kit'
import { getDraftTileData, type InsightContent, type RequestedTileInput } from '../../contract/index.ts'
import { contentOfParts } from '../../core/insight/part-query.ts'

/** First part of the keys under which the browser caches the data of tiles. */
export const tileDataKey = 'tileData'

/** A request of a page for some of its tiles. */
export interface TileDataRequest {
  /** The tiles, and the choices that visitors and members can make. */
  choices: {
    tiles: (RequestedTileInput & Required<Pick<RequestedTileInput, 'part'>>)[]
    parameters: Record<string, Record<string, string>>
    range?: string
  }
  /** Choices that only members have. */
  memberChoices: {
    basket?: unknown
    preview?: { tileIds: string[]; values: Record<string, string> }
  }
  /** The definition that the page shows. */
  content: InsightContent
}

/** The route through which a page requests the data of its tiles. */
export interface TileDataRoute {
  /** Identifies the route and its parameters. A page requests its data again when this key changes. */
  key: string
  /** Part of the cache key. Empty for signed-in users, who see the same data in all insights. */
  scope: readonly string[]
  /** Sends a request for tile data. */
  request(this: void, request: TileDataRequest, signal: AbortSignal): Promise<Response>
  /** Loads the definition again after the server has a newer version; absent if the page displays a fixed version. */
  reload?: (() => Promise<unknown>) | undefined
}

/** The route for an unsaved definition, which the request contains. */
export const draftRoute: TileDataRoute = {
  key: 'draft',
  scope: [],
  request: ({ choices, memberChoices, content }, signal) =>
    callRaw(
      getDraftTileData,
      { body: { ...choices, ...memberChoices, content: contentOfParts(content, choices.tiles) } },
      { signal },
    ),
}
