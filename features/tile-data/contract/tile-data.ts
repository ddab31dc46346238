import { z } from 'zod'
import { defineRoute, largeBodyBytes } from '@headwater/contract'
import { dataPrepSymbols, insightContent } from './insight-content.ts'
import { readInsights } from './read-insights.ts'

/** Maximum number of tiles in one request for data. */
export const maxRequestedTiles = 200

/** Rows of a tile or header box that a page requests. */
export const requestedTile = z.object({
  id: z.string().max(1000).describe('Id of the tile or the header box.'),
  part: z.enum(['TILE', 'BOX']).default('TILE').describe('TILE, or BOX for a header box. Default TILE.'),
  all: z
    .boolean()
    .default(false)
    .describe('Raises the row limit of the tile to the limit of a page. Default false.'),
  undrawn: z
    .boolean()
    .default(false)
    .describe('Returns all rows instead of points selected for drawing. Default false.'),
  window: z
    .object({
      from: z.number().min(-8.64e15).max(8.64e15).describe('First instant, UTC milliseconds.'),
      to: z.number().min(-8.64e15).max(8.64e15).describe('Last instant, UTC milliseconds.'),
    })
    .optional()
    .describe('Only rows in this part of the time axis. Default: all.'),
})
/** A parsed {@link requestedTile}. */
export type RequestedTile = z.output<typeof requestedTile>
/** Input of {@link requestedTile}. */
export type RequestedTileInput = z.input<typeof requestedTile>

const rangeText = z
  .string()
  .max(100)
  .describe('`ALL`, `LAST 30 DAYS` or `2026-01-01..2026-01-31`, as in the URL of the page.')

/** Fields of a request for tile data that visitors and members can choose. */
export const tileDataChoices = {
  tiles: z
    .array(requestedTile)
    .min(1)
    .max(maxRequestedTiles, `A request can have at most ${maxRequestedTiles} tiles.`)
    .describe('The tiles. The response refers to them by position, from 0.'),
  parameters: z
    .record(z.string(), z.record(z.string(), z.string().max(10_000)))
    .default({})
    .describe(
      'Chosen values by the id of the set of input parameters, then by the name of the field; `@range` is the range of the set. Absent fields keep their initial value.',
    ),
  range: rangeText.optional().describe('Range chosen for the whole page. Default: the range of each tile.'),
}

/** Fields of a request for tile data that only members can choose. */
export const memberTileDataChoices = {
  basket: z
    .unknown()
    .optional()
    .describe('Basket that replaces the stored basket, in the same format. Default: the stored basket.'),
  preview: z
    .object({
      tileIds: z.array(z.string().max(1000)).max(500).describe('Tiles that show the details of the row.'),
      values: z.record(z.string(), z.string().max(10_000)).describe('Cells of the row by column name.'),
    })
    .optional()
    .describe('A table row whose details other tiles show. Default: none.'),
}

/**
 * One line of JSON in the response. The first frame of a tile has `hiddenGroups`. Each of its results begins with
 * `groupNames`. A frame with `length` is followed by that many bytes of CSV. `done` or `error` ends the tile.
 */
export const tileDataFrame = z.object({
  tile: z.int().min(0).describe('Position of the tile in the request, from 0.'),
  hiddenGroups: z.array(z.string()).optional().describe('Groups of the tile that the caller cannot read.'),
  prep: z
    .object({
      symbols: z.array(dataPrepSymbols).describe('The series that it queries.'),
      timeZone: z.string().describe('IANA zone of its dates.'),
    })
    .optional()
    .describe('The saved data prep that the tile shows. Only in a frame with `hiddenGroups`.'),
  groupNames: z.array(z.string()).optional().describe('Begins a result: the groups to which it belongs.'),
  timeZone: z.string().optional().describe('With `groupNames`: IANA zone of the dates of the result.'),
  drawn: z
    .boolean()
    .optional()
    .describe('With `groupNames`: whether points are selected for drawing if there are too many rows.'),
  totalRows: z.int().min(0).optional().describe('With `groupNames`: total number of rows, if counted.'),
  length: z.int().min(1).optional().describe('Number of bytes of the result that follow this line.'),
  done: z.literal(true).optional().describe('All results of the tile are complete.'),
  error: z
    .looseObject({
      status: z.int().describe('HTTP status of the error.'),
      code: z.string().describe('Stable code of the error.'),
      message: z.string().describe('Message for users.'),
    })
    .optional()
    .describe('Reason why the tile has no data, in the format of an error response.'),
})
/** A parsed {@link tileDataFrame}. */
export type TileDataFrame = z.infer<typeof tileDataFrame>

/** Summary of the response of each route for tile data. */
export const streamedTileData =
  'The response is a stream of frames, see `tileDataFrame`: each tile ends with its data or its error, as soon as it has them.'

/** Reads the data of tiles of an unsaved definition. */
export const getDraftTileData = defineRoute({
  name: 'getDraftTileData',
  method: 'POST',
  isAudited: false,
  path: '/insight/draft/data',
  summary: `Data of tiles of a definition that is not saved. It contains only data that the caller can read. ${streamedTileData}`,
  permission: readInsights,
  body: z.object({
    content: insightContent.describe('The definition, or the part of it that the tiles need.'),
    ...tileDataChoices,
    ...memberTileDataChoices,
  }),
  // Names of symbols are keys in it.
  allowsProtoNames: true,
  bodyBytes: largeBodyBytes,
})
