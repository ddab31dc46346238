import { z } from 'zod'

/** Kinds of tiles, as stored in the field `type`. */
export const tileTypes = [
  'Text',
  'Chart',
  'Table',
  'CODE',
  'FTL',
  'PDF',
  'IMAGE',
  'AUTO_PIPELINE',
  'STATUS',
  'DIAGRAM',
  'HEADER',
  'FOOTER',
  'MAP',
  'INPUT_PARAMS',
  'SEARCH',
  'STATS',
] as const
/** One of {@link tileTypes}. */
export type TileType = (typeof tileTypes)[number]

/** Widths of a tile: the whole row or half of it. */
export const tileWidths = ['full', 'half'] as const
/** One of {@link tileWidths}. */
export type TileWidth = (typeof tileWidths)[number]

/** Heights of a tile: the full, half or quarter height of the page. */
export const tileHeights = ['full', 'half', 'quarter'] as const
/** One of {@link tileHeights}. */
export type TileHeight = (typeof tileHeights)[number]

/** Width and height of a tile. */
export interface TileSize {
  /** Width: the whole row or half of it. */
  tileWidth: TileWidth
  /** Height: full, half or a quarter of the page. */
  tileHeight: TileHeight
}

/** Returns the size of a tile. Invalid values become the default: full width, half height. */
export function tileSizeOf({ tileWidth, tileHeight }: Pick<Tile, 'tileWidth' | 'tileHeight'>): TileSize {
  return {
    tileWidth: tileWidth === 'half' ? 'half' : 'full',
    tileHeight: tileHeight === 'full' || tileHeight === 'quarter' ? tileHeight : 'half',
  }
}

/** Sources of the content of a tile. */
export const sourceTypes = ['FILE', 'EDITOR', 'SOURCE_TILE', 'DATA_PREP'] as const

/** The latest version of a file in the lake, by group and name. */
export const fileReference = z.object({
  groupName: z.string().describe('Group of the file.'),
  fileName: z.string().describe('Name of the file with its extension.'),
})
/** A parsed {@link fileReference}. */
export type FileReference = z.infer<typeof fileReference>

/** Maximum length of the id of a tile, in characters. */
export const maxTileId = 200
/** Maximum length of the kind of a tile, in characters. */
export const maxTileType = 100
/** Maximum length of the title of a tile, in characters. */
export const maxTileTitle = 500

/** The fields of every tile. Other fields belong to the kind of the tile and are preserved. */
export const tile = z
  .looseObject({
    id: z.string().min(1).max(maxTileId).describe('Unique within the insight.'),
    title: z
      .string()
      .max(maxTileTitle, `A title can have at most ${maxTileTitle} characters.`)
      .describe('Unique within the insight.'),
    heading: z
      .unknown()
      .optional()
      .describe('Text that replaces the title on screens, with any characters; empty means the title.'),
    type: z.string().min(1).max(maxTileType).describe('Kind of the tile. Unknown kinds are preserved.'),
    tileWidth: z.string().optional().describe('`full` or `half`, default full.'),
    tileHeight: z.string().optional().describe('`full`, `half` or `quarter`, default half.'),
    titleTooltip: z.unknown().optional().describe('Whether the title has a tooltip.'),
    titleTooltipText: z.unknown().optional().describe('Text of the tooltip.'),
    titleTooltipUrl: z.unknown().optional().describe('Link of the tooltip.'),
    hidden: z.unknown().optional().describe('Whether readers do not see the tile.'),
    actions: z.unknown().optional().describe('Actions: actionName, type and their targets.'),
    source: z
      .unknown()
      .optional()
      .describe(
        'Where the content comes from: type (FILE, EDITOR, SOURCE_TILE, DATA_PREP) and value: a file, the name ' +
          'of the file with the text of the editor, or an id.',
      ),
    range: z.unknown().optional().describe('ALL, BETWEEN, LAST or NEXT, default LAST.'),
    from: z.unknown().optional().describe('First date of BETWEEN, `2024-01-31`; empty for an open start.'),
    to: z.unknown().optional().describe('Last date of BETWEEN; empty for an open end.'),
    fromTime: z.unknown().optional().describe('Time of the first date, default 00:00:00.'),
    toTime: z.unknown().optional().describe('Time of the last date, default 23:59:59.999.'),
    lastType: z.unknown().optional().describe('Unit of LAST, default VALUES.'),
    lastTypeAmount: z.unknown().optional().describe('Amount of LAST, default 500.'),
    timeZone: z.unknown().optional().describe('IANA zone of the data, default UTC.'),
    keepOwnRange: z
      .unknown()
      .optional()
      .describe('Whether the tile ignores the range of the page and of its parameters. Default false.'),
    templateContent: z.unknown().optional().describe('Text of a tile whose source is EDITOR.'),
    codeFromLink: z
      .unknown()
      .optional()
      .describe(
        'Unique id of a link. A template has inserted values from this link into the code. Absent: the user who saved the insight is the author of the code.',
      ),
  })
  .describe('A tile. Unknown fields are preserved.')
/** A parsed {@link tile}. */
export type Tile = z.infer<typeof tile>

/** Returns whether a tile ignores the range of the page and of its parameters. */
export function keepsOwnRange({ keepOwnRange }: Pick<Tile, 'keepOwnRange'>): boolean {
  return keepOwnRange === true
}

/** Returns whether a tile compares years. A range chosen for the page would cut off the earlier years. */
export function comparesYears({ type, basicChartType }: Tile): boolean {
  return type === 'Chart' && basicChartType === 'seasonality'
}
