import { headingOf, visualisationTileTypes, type Tile } from '@headwater/tiles/contract'
import type { PrintedParam } from './printed-params.ts'
import type { HeaderBox } from '@headwater/tiles/core'
import type { XlsxSheet, TileExport, TileExports } from '@headwater/tiles/web'

/** A part of an insight that leaves the page: a header box or a tile, in the order of the page. */
export interface ExportPart {
  id: string
  title: string
  exported: TileExport
}

/** How long no further tile may get ready until the rest counts as failed, in milliseconds. */
const patienceMs = 30_000
/** How often is looked, in milliseconds. */
const lookEveryMs = 100

/**
 * Waits until all tiles have their data or have failed, and answers with them in order. A tile of a kind that leaves the
 * page as nothing says so in its note.
 * @throws AbortError when it is cancelled
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
    if (ready === awaited.length || waitedMs > patienceMs) break
    await new Promise((resolve) => setTimeout(resolve, lookEveryMs))
    waitedMs += lookEveryMs
  }
  return tiles.map((tile) => ({
    id: tile.id,
    title: headingOf(tile),
    exported: settled(exports.find(tile.id), awaited.includes(tile)),
  }))
}

/** The header boxes as parts. */
export function boxParts(boxes: readonly HeaderBox[], exports: TileExports): ExportPart[] {
  return boxes.map(({ id, title }) => ({
    id,
    title,
    exported: exports.find(id) ?? { state: 'ready', figure: () => '' },
  }))
}

/** A workbook of an insight: what it is and what its parameters say, then a sheet for each tile with rows. */
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
    const omission = table.omission ?? exported.omission
    if (omission !== undefined) about.push([title, omission])
  }
  const overview: XlsxSheet = {
    name: 'Insight',
    table: {
      columns: [
        { name: 'What', kind: 'text' },
        { name: 'Value', kind: 'text' },
      ],
      rows: about,
    },
  }
  return [overview, ...sheets]
}

/** What stands in a workbook for a part without rows. */
function noRows({ note, picture, html }: TileExport): string {
  if (note !== undefined) return note
  if (picture !== undefined) return 'A picture, which a workbook does not hold. It is part of the PDF.'
  return html === undefined ? 'This tile has no rows.' : 'A text tile; see the PDF.'
}

function settled(exported: TileExport | undefined, wasAwaited: boolean): TileExport {
  if (exported === undefined)
    return wasAwaited
      ? { state: 'failed', problem: 'The tile was not ready in time.' }
      : { state: 'ready', note: 'Tiles of this kind are not part of an export.' }
  return exported.state === 'loading'
    ? { ...exported, state: 'failed', problem: 'The data did not load in time.' }
    : exported
}
