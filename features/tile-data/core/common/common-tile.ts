import { z } from 'zod'
import { tileHeights, tileWidths } from '../../contract/tile.ts'
import { text } from './loose-fields.ts'

const flag = z.boolean().catch(false)

/** The settings of every tile. Invalid values become the default. */
export const commonTile = z.looseObject({
  heading: text.describe('Text that replaces the title on screens; empty means the title.'),
  tileWidth: z.enum(tileWidths).catch('full').describe('Width of the tile. Default full.'),
  tileHeight: z.enum(tileHeights).catch('half').describe('Height of the tile. Default half.'),
  titleTooltip: flag.describe('Whether the title has a tooltip. Default false.'),
  titleTooltipText: text.describe('Text of the tooltip.'),
  titleTooltipUrl: text.describe('Link of the tooltip; empty if there is none.'),
  hidden: flag.describe('Whether the tile is hidden from readers. Default false.'),
  downloadable: z.boolean().catch(true).describe('Whether readers can save its data. Default true.'),
  keepOwnRange: flag.describe(
    'Whether the tile ignores the range of the page and of its parameters. Default false.',
  ),
})
/** A parsed {@link commonTile}. */
export type CommonTile = z.output<typeof commonTile>
