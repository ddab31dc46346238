import { z } from 'zod'
import type { Tile } from '@headwater/tile-data/contract'
import { fileSource, text } from '@headwater/tile-data/core'

/** Fit of a picture into its tile. */
const imageFits = ['contain', 'cover', 'width', 'none'] as const

/** The fields of an image tile in addition to {@link commonTile}. */
export const imageTile = z.looseObject({
  source: fileSource,
  fit: z
    .enum(imageFits)
    .catch('contain')
    .describe(
      'contain: fits into the tile; cover: fills the tile; width: as wide as the tile; none: original size. Default contain.',
    ),
  alternativeText: text.describe('Alternative text; empty means the title.'),
})
/** A parsed {@link imageTile}. */
export type ImageTile = z.output<typeof imageTile>

/** Creates an image tile. */
export function newImageTile(id: string): Tile {
  return {
    id,
    type: 'IMAGE',
    title: 'Image',
    tileWidth: 'half',
    tileHeight: 'half',
    source: { type: 'FILE', value: { groupName: '', fileName: '' } },
    fit: 'contain',
    alternativeText: '',
  }
}
