import { callRaw } from '@headwater/web-kit'
import { getTileData } from '../../../contract/index.ts'
import type { TileDataRoute } from '@headwater/tile-data/web'

/** Data of a version of an insight. */
export function storedRoute({ id, version }: { id: string; version: number }): TileDataRoute {
  return {
    key: `stored ${id} ${version}`,
    scope: [],
    request: ({ choices, memberChoices }, signal) =>
      callRaw(getTileData, { params: { id }, body: { version, ...choices, ...memberChoices } }, { signal }),
  }
}
