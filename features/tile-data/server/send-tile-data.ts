import { errorBody, sendFrames, type Clock, type Log, type RouteContext } from '@headwater/server-kit'
import { type RequestedTile, type TileDataFrame } from '../contract/index.ts'
import { withGroups } from '../core/insight/groups-in-definition.ts'
import type { TileResults } from './tile-data-service.ts'

/** Maximum number of concurrent tiles of one request, so that a single page does not occupy the whole engine. */
const tilesAtOnce = 4

/** The tiles of one request, opened for one reader. */
export interface OpenTiles {
  /** Prepares the results of a tile. */
  read(tile: RequestedTile): Promise<TileResults>
  /** Returns the name of a group for the reader. */
  groupLabel(groupName: string): string
}

/** Sends the data of tiles as a stream of frames, each tile as soon as its data or its error are available. */
export function sendTileData(
  { reply }: Pick<RouteContext, 'reply'>,
  tiles: readonly RequestedTile[],
  { open, path, log, clock }: { open: OpenTiles; path: string; log: Log; clock: Clock },
) {
  const labelOf = (groupName: string) => (groupName === '' ? '' : open.groupLabel(groupName))
  return sendFrames<RequestedTile, TileDataFrame>(reply, tiles, {
    concurrency: tilesAtOnce,
    async respond(requested, { index: tile, write, signal }) {
      try {
        const { hiddenGroups, prep, symbols, results } = await open.read(requested)
        await write({
          tile,
          hiddenGroups: hiddenGroups.map(labelOf),
          ...(prep === undefined
            ? {}
            : { prep: { symbols: withGroups([...symbols], labelOf), timeZone: prep.timezone } }),
        })
        for (const { groupNames, timeZone, drawn, open: run } of results) {
          const { totalRows, stream } = await run(signal)
          await write({
            tile,
            groupNames: [...groupNames].map(labelOf),
            timeZone,
            drawn,
            ...(totalRows === undefined ? {} : { totalRows }),
          })
          for await (const part of stream)
            if (part.length > 0) await write({ tile, length: part.length }, part)
        }
        await write({ tile, done: true })
      } catch (error) {
        const explained = () => errorBody(error, { method: 'POST', path }, { log, clock })
        if (!signal.aborted) await write({ tile, error: explained() as TileDataFrame['error'] })
      }
    },
  })
}
