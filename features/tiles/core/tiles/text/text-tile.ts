import { z } from 'zod'
import type { Tile } from '../../../contract/index.ts'
import { textSource } from '../../common/loose-fields.ts'

/** The fields of a text tile besides those of every tile. */
export const textTile = z.looseObject({
  source: textSource.describe(
    'FILE: the latest version of a markdown file of the lake. EDITOR: the text of the tile.',
  ),
  templateContent: z.string().catch('').describe('The markdown of a tile whose source is EDITOR.'),
})
export type TextTile = z.output<typeof textTile>

/** A new text. */
export function newTextTile(id: string): Tile {
  return {
    id,
    type: 'Text',
    title: 'Text',
    tileWidth: 'full',
    tileHeight: 'quarter',
    source: { type: 'EDITOR' },
    templateContent: '',
  }
}
