import { comparesYears, keepsOwnRange, traitsOf, type Tile } from '../../contract/index.ts'
import { setOfTile, symbolMapsIn, type AppliedSet } from '../params/bind-tile.ts'
import type { ChosenRange } from '../params/param-values.ts'
import { seriesRange, type SeriesRange } from '../series/series-range.ts'
import { tileQuery, dataPrepOf, isChosen } from './tile-query.ts'
import { appliedTile, type AppliedInsight } from './applied-tile.ts'
import { resolveSource } from '../sources/tile-source.ts'

/** Origin of the range of a tile. */
export type TileRange =
  /** The rows have no range, because they come from a file, were typed, or do not exist. */
  | { by: 'nothing' }
  | { by: 'page'; range: ChosenRange }
  | { by: 'parameters'; set: AppliedSet['set']; range: ChosenRange }
  /**
   * The tile itself determines the range. `isFixed`: the range of the page does not change it; `comparesYears`: the
   * reason is that it compares years; `range`: undefined if a saved data prep determines it.
   */
  | { by: 'tile'; isFixed: boolean; comparesYears: boolean; range: SeriesRange | undefined }

/**
 * Returns what determines the range of a tile. For a tile that displays the rows of another tile, this is what
 * determines the range of that tile.
 */
export function tileRange(tile: Tile, insight: AppliedInsight): TileRange {
  if (traitsOf(tile.type).hasRange !== true) return { by: 'nothing' }
  const resolved = resolveSource(tile, insight.content)
  if ('problem' in resolved) return { by: 'nothing' }
  const { source, tile: origin } = resolved
  if (source.kind === 'file' || source.kind === 'text') return { by: 'nothing' }
  const stored = dataPrepOf(insight.content, origin.id)
  const isOfYears = comparesYears(tile) || comparesYears(origin)
  const around = isOfYears ? { ...insight, range: undefined } : insight
  const applied = appliedTile(origin, stored, around)
  const query = tileQuery(applied.tile, applied.dataPrep.symbols, around)
  if (origin.type !== 'SEARCH' && !isChosen(query) && symbolMapsIn(origin).length === 0)
    return { by: 'nothing' }
  if (keepsOwnRange(origin)) return own(true)
  const sets = [origin, ...(source.kind === 'dataPrep' ? [tile] : [])].map((each) =>
    setOfTile(each, insight.sets),
  )
  const set = sets.find((each) => each?.chosen.range !== undefined)
  if (set?.chosen.range !== undefined) return { by: 'parameters', set: set.set, range: set.chosen.range }
  if (isOfYears) return own(true, true)
  return insight.range === undefined ? own(false) : { by: 'page', range: insight.range }

  function own(isFixed: boolean, forYears = false): TileRange {
    return {
      by: 'tile',
      isFixed,
      comparesYears: forYears,
      range: source.kind === 'dataPrep' ? undefined : seriesRange.parse(applied.tile),
    }
  }
}

/** Returns whether the range of the page changes a tile. */
export function followsPage(tile: Tile, insight: AppliedInsight): boolean {
  const decided = tileRange(tile, insight)
  return decided.by === 'page' || (decided.by === 'tile' && !decided.isFixed)
}
