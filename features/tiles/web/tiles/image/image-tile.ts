import { z } from 'zod'
import type { Tile } from '../../../contract/index.ts'
import { fileSource, text } from '../../../core/common/loose-fields.ts'

/** How a picture sits in its tile. */
export const imageFits = ['contain', 'cover', 'width', 'none'] as const
export type ImageFit = (typeof imageFits)[number]

/** The fields of an image tile besides those of every tile. */
export const imageTile = z.looseObject({
  source: fileSource,
  fit: z
    .enum(imageFits)
    .catch('contain')
    .describe(
      'contain: whole in the tile; cover: fills it; width: as wide as the tile; none: its own size. Default contain.',
    ),
  alternativeText: text.describe('What the picture shows, for those who cannot see it; empty = the title.'),
})
export type ImageTile = z.output<typeof imageTile>

/** A new image. */
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
