import { z } from 'zod'
import { defineRoute, largeBodyBytes } from '@headwater/contract'
import { insightContent } from './insight-content.ts'
import { readInsights } from './names.ts'
import { tileChoices, tileDataStream } from './tile-data.ts'

/** What only members choose. */
const memberChoices = {
  basket: z
    .unknown()
    .optional()
    .describe('Basket in place of the stored one, in the same form; absent = the stored one.'),
  preview: z
    .object({
      tileIds: z.array(z.string().max(1000)).max(500).describe('Tiles that show the details of the row.'),
      values: z
        .record(z.string(), z.string().max(10_000))
        .describe('Cells of the row by the names of their columns.'),
    })
    .optional()
    .describe('A table row whose details other tiles show; absent = none.'),
}

export const getTileData = defineRoute({
  name: 'getTileData',
  method: 'POST',
  path: '/insight/:id/data',
  summary: `Data of tiles of a stored insight, as far as the caller may read them. ${tileDataStream}`,
  permission: readInsights,
  params: z.object({ id: z.string().min(1).max(100).describe('Id of the file of the version.') }),
  body: z.object({ ...tileChoices, ...memberChoices }),
  // names of symbols are keys in it
  allowsProtoNames: true,
  errors: ['fileNotFound', 'insightDamaged'],
})

export const getDraftTileData = defineRoute({
  name: 'getDraftTileData',
  method: 'POST',
  path: '/insight/draft/data',
  summary: `Data of tiles of a definition that is not saved, as far as the caller may read them. ${tileDataStream}`,
  permission: readInsights,
  body: z.object({
    content: insightContent.describe('The definition, or the part of it that the tiles need.'),
    ...tileChoices,
    ...memberChoices,
  }),
  // names of symbols are keys in it
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
})
