import { callRaw } from '@headwater/web-kit'
import { getTileData } from '../../../contract/index.ts'
import type { TileDataRoute } from '@headwater/tiles/web'

/**
 * Data of a stored version of an insight.
 * @param fid id of the file of the version
 */
export function storedRoute(fid: string): TileDataRoute {
  return {
    key: `stored ${fid}`,
    scope: [],
    request: ({ choices, memberChoices }, signal) =>
      callRaw(getTileData, { params: { id: fid }, body: { ...choices, ...memberChoices } }, { signal }),
  }
}
