import { getDraftTileData, getTileData } from '../contract/index.ts'
import { callRaw } from '@headwater/web-kit'
import type { TileDataPlace } from './tile-data/tile-data-place.ts'

/** Requests the data of a stored version, which is what the page shows. */
export function storedVersion(fid: string): TileDataPlace {
  return {
    key: `stored ${fid}`,
    send: ({ choices, memberChoices }, signal) =>
      callRaw(getTileData, { params: { id: fid }, body: { ...choices, ...memberChoices } }, { signal }),
  }
}

/** Requests the data of a definition that is sent along. */
export const draftData: TileDataPlace = {
  key: 'draft',
  send: ({ choices, memberChoices, content }, signal) =>
    callRaw(getDraftTileData, { body: { ...choices, ...memberChoices, content: content() } }, { signal }),
}
