import { headingOf, visualisationTileTypes, type Tile } from '@headwater/tile-data/contract'
import type { PrintedParam } from './printed-params.ts'
import type { HeaderBox } from '@headwater/tile-data/core'
import { sheetOmission, type XlsxSheet, type TileExport, type TileExports } from '@headwater/tiles/web'

/** A header box or tile of an export, in the order of the page. */
export interface ExportPart {
  /** Id of the box or tile. */
  id: string
  /** Heading. */
  title: string
  /** Content. */
  exported: TileExport
}

/** Time without progress after which the remaining tiles count as failed. */
const stallTimeoutMs = 30_000
/** Polling interval. */
const pollMs = 100

/**
 * Waits until all tiles have loaded or failed, and returns them in order. Tiles of kinds that cannot be exported have a note.
 * @throws AbortError if the user cancels the export
 */
export async function readyParts(
  tiles: readonly Tile[],
  exports: TileExports,
  { signal, onProgress }: { signal: AbortSignal; onProgress: (ready: number) => void },
): Promise<ExportPart[]> {
  const awaited = tiles.filter(({ type }) => visualisationTileTypes.includes(type))
  let readyBefore = -1
  let waitedMs = 0
  for (;;) {
    signal.throwIfAborted()
    const ready = awaited.filter(({ id }) => (exports.find(id)?.state ?? 'loading') !== 'loading').length
    if (ready !== readyBefore) {
      readyBefore = ready
      waitedMs = 0
      onProgress(tiles.length - awaited.length + ready)
    }
    if (ready === awaited.length || waitedMs > stallTimeoutMs) break
    await new Promise((resolve) => setTimeout(resolve, pollMs))
    waitedMs += pollMs
  }
  return tiles.map((tile) => ({
    id: tile.id,
    title: headingOf(tile),
    exported: settled(exports.find(tile.id), awaited.includes(tile)),
  }))
}

/** Returns the header boxes as parts. */
export function boxParts(boxes: readonly HeaderBox[], exports: TileExports): ExportPart[] {
  return boxes.map(({ id, title }) => ({
    id,
    title,
    exported: exports.find(id) ?? { state: 'ready', figure: () => '' },
  }))
}

/** Returns the sheets of a workbook: an overview of the insight and its parameters, then a sheet for each tile with rows. */
export async function sheetsOf(given: {
  insightName: string
  groupName: string
  savedAt: string
  params: readonly PrintedParam[]
  boxes: readonly ExportPart[]
  parts: readonly ExportPart[]
}): Promise<XlsxSheet[]> {
  const { insightName, groupName, savedAt, params, boxes, parts } = given
  const about: [string, string][] = [
    ['Insight', insightName],
    ['Group', groupName],
    ['Saved', savedAt],
    ...params.map(({ label, value, isParameter }): [string, string] => [
      isParameter ? `Parameter ${label}` : label,
      value,
    ]),
    ...boxes.map(({ title, exported }): [string, string] => [title, exported.figure?.() ?? '']),
    ...parts
      .filter(({ exported }) => exported.table === undefined || exported.state !== 'ready')
      .map(({ title, exported }): [string, string] => [title, exported.problem ?? noRows(exported)]),
  ]
  const sheets: XlsxSheet[] = []
  for (const { title, exported } of parts) {
    if (exported.state !== 'ready' || exported.table === undefined) continue
    const table = await exported.table()
    sheets.push({ name: title, table })
    const omission = sheetOmission(table, exported.omission)
    if (omission !== undefined) about.push([title, omission])
  }
  const overview: XlsxSheet = {
    name: 'Insight',
    table: {
      columns: [
        { name: 'Property', kind: 'text' },
        { name: 'Value', kind: 'text' },
      ],
      rows: about,
    },
  }
  return [overview, ...sheets]
}

/** Returns the text of a part without rows in a workbook. */
function noRows({ note, picture, html }: TileExport): string {
  if (note !== undefined) return note
  if (picture !== undefined) return 'An image. Included in the PDF.'
  return html === undefined ? 'This tile has no rows.' : 'A text tile; see the PDF.'
}

function settled(exported: TileExport | undefined, wasAwaited: boolean): TileExport {
  if (exported === undefined)
    return wasAwaited
      ? { state: 'failed', problem: 'The tile timed out. Export again.' }
      : { state: 'ready', note: 'Exports do not include this tile type.' }
  return exported.state === 'loading'
    ? { ...exported, state: 'failed', problem: 'The data did not load in time.' }
    : exported
}
