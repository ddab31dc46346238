import type { Tile, TileDataPrep } from '../../contract/index.ts'
import { boundTile, type AppliedSet } from '../params/bind-tile.ts'
import { paramSet } from '../params/param-set.ts'

/** The row of a table that other tiles show the details of. */
export interface RowPreview {
  tileIds: readonly string[]
  /** The words of the row by the names of their columns. */
  values: Readonly<Record<string, string>>
}

/** What a previewed row chooses for a tile; undefined when it is not about that tile. */
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

/** A tile as it shows the details of the previewed row: its series get the symbols of the row. */
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

/** Lines of a chart that have become the same are one; the name of a symbol that has been replaced is no label any more. */
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
