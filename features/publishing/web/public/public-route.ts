import { callRaw } from '@headwater/web-kit'
import { getPublicTileData } from '../../contract/index.ts'
import type { TileDataRoute } from '@headwater/tile-data/web'

/** The version of a public insight that a visitor opened. */
export interface VisitedVersion {
  /** Group of the insight. */
  groupName: string
  /** Name of the insight. */
  insightName: string
  /** Signed part of the link; empty without choices. */
  link: string
  /** Token of the submitted form; empty without one. */
  token: string
  /** `version` of the public insight on the page. */
  version: string
}

/**
 * Returns the route for the data of tiles of a public view.
 * @param reload loads the view again if a newer version exists
 */
export function publicRoute(
  { groupName, insightName, link, token, version }: VisitedVersion,
  reload: () => Promise<unknown>,
): TileDataRoute {
  const scope = [groupName, insightName, link, token, version]
  return {
    key: JSON.stringify(['public', ...scope]),
    scope,
    reload,
    request: ({ choices }, signal) =>
      callRaw(
        getPublicTileData,
        {
          params: { groupName, fileName: `${insightName}.json` },
          query: { link, token },
          body: { ...choices, version },
        },
        { signal },
      ),
  }
}
