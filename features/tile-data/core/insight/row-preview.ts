import type { Tile, TileDataPrep } from '../../contract/index.ts'
import { boundTile, type AppliedSet } from '../params/bind-tile.ts'
import { paramSet } from '../params/param-set.ts'

/** A table row whose details other tiles show. */
export interface RowPreview {
  /** Ids of the tiles that show the details. */
  tileIds: readonly string[]
  /** The texts of the row by column name. */
  values: Readonly<Record<string, string>>
}

/** Returns the parameter values of a previewed row for a tile; undefined if the preview does not include the tile. */
export function previewFor(
  { id }: Pick<Tile, 'id'>,
  preview: RowPreview | undefined,
): AppliedSet | undefined {
  if (preview === undefined || !preview.tileIds.includes(id)) return undefined
  const keys = Object.keys(preview.values).map((name) => ({ symbolKey: name, label: name }))
  return {
    set: { id: previewId, ...paramSet.parse({ title: 'Row', keys }) },
    chosen: { values: { ...preview.values }, range: undefined },
  }
}

const previewId = 'row-preview'

/** Applies a previewed row to a tile: its series get the symbols of the row. */
export function previewedTile(
  tile: Tile,
  dataPrep: TileDataPrep,
  preview: RowPreview | undefined,
): { tile: Tile; dataPrep: TileDataPrep } {
  const applied = previewFor(tile, preview)
  if (applied === undefined) return { tile, dataPrep }
  const bound = boundTile({ ...tile, sourceInputParamsId: previewId }, dataPrep, [applied])
  const series = tile.type === 'Chart' ? { series: oncePerSymbol(tile.series, bound.tile.series) } : {}
  return { ...bound, tile: { ...bound.tile, ...series, sourceInputParamsId: tile.sourceInputParamsId } }
}

/** Merges lines of a chart that have become equal. The name of a replaced symbol is not used as a label. */
function oncePerSymbol(before: unknown, after: unknown): unknown {
  if (!Array.isArray(before) || !Array.isArray(after)) return after
  const seen = new Set<string>()
  return (after as unknown[]).flatMap((each, index): unknown[] => {
    if (typeof each !== 'object' || each === null || !('symbolList' in each)) return [each]
    const old: unknown = before[index]
    const { groupName, symbolList, column } = each as Record<string, unknown>
    const key = JSON.stringify([groupName, symbolList, column])
    if (seen.has(key)) return []
    seen.add(key)
    const was = typeof old === 'object' && old !== null && 'symbolList' in old ? old.symbolList : undefined
    return [JSON.stringify(was) === JSON.stringify(symbolList) ? each : { ...each, label: '' }]
  })
}
