import { ApiError, callRaw } from '@headwater/web-kit'
import { getPublicTileData } from '../../contract/index.ts'
import type { TileDataPlace } from '../tile-data/tile-data-place.ts'

/** Requests the data of a public insight for a visitor. */
export function visitorDataPlace({
  groupName,
  insightName,
  link,
  token,
  version,
  reload,
}: {
  groupName: string
  insightName: string
  link: string
  token: string
  version: string
  /** Loads the view again, when there is a newer version. */
  reload: () => Promise<unknown>
}): TileDataPlace {
  const scope = [groupName, insightName, link, token, version]
  return {
    key: JSON.stringify(scope),
    scope,
    async send({ choices }, signal) {
      const params = { groupName, fileName: `${insightName}.json` }
      try {
        return await callRaw(
          getPublicTileData,
          { params, query: { link, token }, body: { ...choices, version } },
          { signal },
        )
      } catch (error) {
        if (error instanceof ApiError && error.code === 'publicVersionGone') await reload()
        throw error
      }
    },
  }
}
