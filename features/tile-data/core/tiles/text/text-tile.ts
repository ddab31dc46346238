import { z } from 'zod'
import type { Tile } from '../../../contract/index.ts'
import { textSource } from '../../common/loose-fields.ts'

/** The fields of a text tile in addition to {@link commonTile}. */
export const textTile = z.looseObject({
  source: textSource.describe(
    'FILE: the latest version of a markdown file in the lake. EDITOR: the text of the tile.',
  ),
  templateContent: z.string().catch('').describe('The markdown of a tile whose source is EDITOR.'),
})
/** A parsed {@link textTile}. */
export type TextTile = z.output<typeof textTile>

/** Creates a text tile. */
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
