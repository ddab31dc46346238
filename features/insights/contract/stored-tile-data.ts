import { z } from 'zod'
import { defineRoute } from '@headwater/contract'
import {
  readInsights,
  memberTileDataChoices,
  streamedTileData,
  tileDataChoices,
} from '@headwater/tile-data/contract'

/** Route that streams data of tiles of a stored insight. */
export const getTileData = defineRoute({
  name: 'getTileData',
  method: 'POST',
  isAudited: false,
  path: '/insight/:id/data',
  summary: `Data of tiles of a stored insight, limited to data that the caller can read. ${streamedTileData}`,
  permission: readInsights,
  params: z.object({ id: z.string().min(1).max(100).describe('Id of the insight.') }),
  body: z.object({
    version: z.int().min(1).optional().describe('Version of the insight. Default: the latest.'),
    ...tileDataChoices,
    ...memberTileDataChoices,
  }),
  // names of symbols are keys in it
  allowsProtoNames: true,
  errors: ['insightGone', 'versionNotFound', 'insightDamaged'],
})
