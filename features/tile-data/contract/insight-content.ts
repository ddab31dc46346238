import { z } from 'zod'
import { isRecord } from '@headwater/contract'
import { isWorkflowTile } from './tile-traits.ts'
import { tile } from './tile.ts'

/** Maximum number of tiles of an insight. */
export const maxTiles = 500

/** Series that a tile queries. */
export const dataPrepSymbols = z.looseObject({
  groupName: z.string().describe('Group of the symbols.'),
  symbols: z.record(z.string(), z.string()).describe('Symbol keys and their values.'),
  valueColumnNames: z.array(z.string()).optional().describe('Requested columns; absent or empty means all.'),
})
/** A parsed {@link dataPrepSymbols}. */
export type DataPrepSymbols = z.infer<typeof dataPrepSymbols>

/** The data prep of a tile: the series that it queries. */
export const tileDataPrep = z.looseObject({
  name: z.string().optional().describe('Name of the data prep.'),
  outputGroup: z.string().optional().describe('Group of the data prep.'),
  symbols: z.array(dataPrepSymbols).describe('The series, in the order they were picked.'),
})
/** A parsed {@link tileDataPrep}. */
export type TileDataPrep = z.infer<typeof tileDataPrep>

/** The definition of an insight: the JSON of its file. Unknown fields are preserved. */
export const insightContent = z
  .looseObject({
    type: z.string().optional().describe('VISUALISATION or WORKFLOW.'),
    tiles: z
      .array(tile)
      .max(maxTiles, `An insight can have at most ${maxTiles} tiles.`)
      .describe('In their order.'),
    headerBoxes: z.array(z.unknown()).optional().describe('Summary boxes above the tiles.'),
    footer: z.unknown().optional().describe('Buttons below the tiles.'),
    inputParams: z.record(z.string(), z.unknown()).optional().describe('Input parameters by id.'),
    datapreps: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The data prep of each tile, by the id of the tile.'),
    basket: z
      .unknown()
      .optional()
      .describe('Series that several tiles share: items, and settings with their range.'),
    mapData: z.unknown().optional().describe('Data of the map.'),
    mapConfig: z.unknown().optional().describe('Settings of the map, with dateFormat.'),
    summaryConfig: z.unknown().optional().describe('Settings of the summary.'),
    nodes: z.unknown().optional().describe('Nodes of the canvas.'),
    colorScheme: z.unknown().optional().describe('Colours of the insight.'),
    chartSync: z
      .unknown()
      .optional()
      .describe(
        'Interactions that time charts share: OFF, CURSOR (the cursor of one chart appears in all) or CURSOR_AND_ZOOM. Absent or any other value = OFF.',
      ),
  })
  .describe('The definition of an insight.')
/** A parsed {@link insightContent}. */
export type InsightContent = z.infer<typeof insightContent>

/** Interactions that the charts of an insight can share. */
export const chartSyncs = ['OFF', 'CURSOR', 'CURSOR_AND_ZOOM'] as const
/** One of {@link chartSyncs}. */
export type ChartSync = (typeof chartSyncs)[number]

/** Returns the interactions that the charts of an insight share; OFF for an unknown value. */
export function chartSyncOf({ chartSync }: Pick<InsightContent, 'chartSync'>): ChartSync {
  return chartSyncs.find((sync) => sync === chartSync) ?? 'OFF'
}

/** Returns the value of an own key of a record; undefined for inherited keys such as `constructor`. */
export function ownValue(record: Readonly<Record<string, unknown>> | undefined, key: string): unknown {
  return record !== undefined && Object.hasOwn(record, key) ? record[key] : undefined
}

/** Returns the definition of an empty insight. */
export function emptyContent(): InsightContent {
  return {
    type: 'VISUALISATION',
    tiles: [],
    headerBoxes: [],
    footer: { buttons: [] },
    inputParams: {},
    datapreps: {},
    mapData: [],
    mapConfig: {},
    summaryConfig: {},
    nodes: [],
    colorScheme: {},
  }
}

/**
 * Returns whether an insight counts as a workflow, which means that it has a tile of a workflow kind, a tile with
 * actions, or a footer button that downloads a data prep.
 */
export function isWorkflow(content: InsightContent): boolean {
  return (
    content.tiles.some(
      ({ type, actions }) => isWorkflowTile(type) || (Array.isArray(actions) && actions.length > 0),
    ) ||
    footerButtons(content).some(
      (button) => typeof button.type === 'string' && isDownloadDataPrep(button.type),
    )
  )
}

function footerButtons({ footer }: InsightContent): { type?: unknown }[] {
  const buttons = isRecord(footer) ? footer.buttons : footer
  return Array.isArray(buttons) ? buttons.filter(isRecord) : []
}

function isDownloadDataPrep(type: string): boolean {
  return type.replace(/[^a-z]/gi, '').toLowerCase() === 'downloaddataprep'
}
