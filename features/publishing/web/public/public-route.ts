import { callRaw } from '@headwater/web-kit'
import { getPublicTileData } from '../../contract/index.ts'
import type { TileDataRoute } from '@headwater/tiles/web'

/** The version of a public insight that a visitor has opened. */
export interface VisitedVersion {
  groupName: string
  insightName: string
  link: string
  token: string
  /** `version` of the public insight that the page shows. */
  version: string
}

/** Data of a public view. `reload` loads the view again when there is a newer version. */
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
