import { isRecord } from '@headwater/contract'
import { ownValue, type InsightContent, type Tile } from '@headwater/tile-data/contract'

/** One field that differs between two definitions. */
export interface FieldChange {
  /** Path of the field, for example `series[0].label`. */
  path: string
  /** Value in the older definition; undefined if the field is missing. */
  before: unknown
  /** Value in the newer definition; undefined if the field is missing. */
  after: unknown
}

/** Difference of one tile between two definitions. */
export interface TileChange {
  /** Id of the tile. */
  id: string
  /** Title in the newer definition, or in the older one for a removed tile. */
  title: string
  /** Kind of the tile. */
  type: string
  /** Whether the tile was added, removed or changed. */
  change: 'added' | 'removed' | 'changed'
  /** The fields that differ, at most {@link maxFieldChanges}; empty for added and removed tiles. */
  fields: FieldChange[]
}

/** Difference between two definitions of an insight. */
export interface ContentDiff {
  /** Added, removed and changed tiles, in the order of the newer definition; removed tiles come last. */
  tiles: TileChange[]
  /** Whether tiles that both definitions contain are in a different order. */
  reordered: boolean
  /** Differing fields outside the tiles: header boxes, footer, input parameters and others. */
  rest: FieldChange[]
}

/** Maximum number of differing fields that are listed for one tile. */
export const maxFieldChanges = 200

/** Compares two definitions tile by tile and field by field. Tiles are matched by id. */
export function diffContents(before: InsightContent, after: InsightContent): ContentDiff {
  const old = new Map(before.tiles.map((tile) => [tile.id, tile]))
  const now = new Map(after.tiles.map((tile) => [tile.id, tile]))
  const tiles: TileChange[] = []
  for (const tile of after.tiles) {
    const was = old.get(tile.id)
    if (was === undefined) tiles.push(changeOf(tile, 'added', []))
    else {
      const fields = diffValues(withData(was, before), withData(tile, after))
      if (fields.length > 0) tiles.push(changeOf(tile, 'changed', fields))
    }
  }
  for (const tile of before.tiles) if (!now.has(tile.id)) tiles.push(changeOf(tile, 'removed', []))
  const commonIds = (content: InsightContent, other: Map<string, Tile>) =>
    content.tiles.filter(({ id }) => other.has(id)).map(({ id }) => id)
  return {
    tiles,
    reordered: commonIds(before, now).join('\n') !== commonIds(after, old).join('\n'),
    rest: diffValues(restOf(before), restOf(after)),
  }
}

/** Returns whether two definitions are equal. */
export function isSame({ tiles, reordered, rest }: ContentDiff): boolean {
  return tiles.length === 0 && !reordered && rest.length === 0
}

function changeOf(
  { id, title, type }: Tile,
  change: TileChange['change'],
  fields: FieldChange[],
): TileChange {
  return { id, title, type, change, fields }
}

/**
 * The stored text of a tile counts as one of its fields. Its file is ignored, because the file name contains the name
 * of the insight.
 */
function withData(tile: Tile, { datapreps }: InsightContent): unknown {
  const data = ownValue(datapreps, tile.id)
  const { source } = tile
  const isWritten = isRecord(source) && source.type === 'EDITOR' && typeof source.value === 'string'
  return {
    ...tile,
    ...(isWritten ? { source: { ...source, value: undefined } } : {}),
    ...(data === undefined ? {} : { data }),
  }
}

/** Returns the definition without its tiles and their data. */
function restOf({ tiles, datapreps, ...rest }: InsightContent): unknown {
  const ids = new Set(tiles.map(({ id }) => id))
  const others = Object.entries(datapreps ?? {}).filter(([id]) => !ids.has(id))
  return others.length === 0 ? rest : { ...rest, datapreps: Object.fromEntries(others) }
}

function diffValues(before: unknown, after: unknown): FieldChange[] {
  const changes: FieldChange[] = []
  compare(before, after, '', changes)
  return changes
}

function compare(before: unknown, after: unknown, path: string, changes: FieldChange[]): void {
  if (changes.length >= maxFieldChanges || Object.is(before, after)) return
  if (Array.isArray(before) && Array.isArray(after)) {
    for (let index = 0; index < Math.max(before.length, after.length); index += 1)
      compare(before[index], after[index], `${path}[${index}]`, changes)
    return
  }
  if (isRecord(before) && isRecord(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      compare(ownValue(before, key), ownValue(after, key), path === '' ? key : `${path}.${key}`, changes)
    return
  }
  changes.push({ path, before, after })
}
