import { isRecord } from '@headwater/contract'
import {
  ownValue,
  traitsOf,
  type FileReference,
  type InsightContent,
  type Tile,
} from '../../contract/index.ts'

/** The latest version of a saved data prep, by id or by group and name. */
export type DataPrepAddress = { id: string } | { groupName: string; name: string }

/** A file in the lake: one version by its id, otherwise the newest version by group and name. */
export type FileAddress = FileReference & { fid?: string }

/** Returns whether a reference names a file. */
export function isNamed({ fid, fileName }: FileAddress): boolean {
  return fid !== undefined || fileName !== ''
}

/** The source of the rows of a tile. */
export type TileSource =
  /** The tile's own series. */
  | { kind: 'series' }
  /** The series in the basket of the insight. */
  | { kind: 'basket' }
  | { kind: 'dataPrep'; dataPrep: DataPrepAddress }
  /** A CSV or NCSV file in the lake. */
  | { kind: 'file'; file: FileAddress }
  /** CSV that was typed into the tile. */
  | { kind: 'text'; text: string }
  /** The rows of another tile. */
  | { kind: 'tile'; tileId: string }

/** Value of a source of type DATA_PREP that selects the basket. */
export const basketSource = 'BASKET'

/** Returns the field of a tile with the source of its data. In a code tile, `source` is the source of the code. */
export function sourceField({ type }: Pick<Tile, 'type'>): 'source' | 'dataSource' {
  return type === 'CODE' ? 'dataSource' : 'source'
}

/**
 * Returns the source of the data of a tile. In a source of type DATA_PREP, `BASKET` means the basket, another text the tile's own series,
 * and an object with `id`, or `groupName` and `name`, a saved data prep. In older definitions, a data prep with name and group but without
 * series also means a saved one.
 */
export function tileSourceOf(tile: Tile, dataPrep: unknown): TileSource {
  const source = tile[sourceField(tile)]
  const { type, value } = isRecord(source) ? source : {}
  switch (typeof type === 'string' ? type.toUpperCase() : '') {
    case 'FILE':
      return { kind: 'file', file: fileOf(value) }
    case 'EDITOR':
      return { kind: 'text', text: textOf(tile.dataContent) || typedText(tile) }
    case 'SOURCE_TILE':
      return { kind: 'tile', tileId: textOf(value) }
    default: {
      if (value === basketSource) return { kind: 'basket' }
      const saved = addressOf(value) ?? storedAddress(dataPrep)
      return saved === undefined ? { kind: 'series' } : { kind: 'dataPrep', dataPrep: saved }
    }
  }
}

/** The tile at the end of a chain of source tiles and its source, or the reason why there is no source. */
export type ResolvedSource =
  { tile: Tile; source: Exclude<TileSource, { kind: 'tile' }> } | { problem: string }

/** Follows source tiles to the tile that provides the rows. */
export function resolveSource(
  tile: Tile,
  content: Pick<InsightContent, 'tiles' | 'datapreps'>,
): ResolvedSource {
  const seen: Tile[] = []
  let at = tile
  for (;;) {
    const source = tileSourceOf(at, ownValue(content.datapreps, at.id))
    if (source.kind !== 'tile') return { tile: at, source }
    seen.push(at)
    const next = content.tiles.find(({ id }) => id === source.tileId)
    if (next === undefined)
      return {
        problem:
          source.tileId === ''
            ? 'No source tile has been chosen.'
            : 'The source tile no longer exists. Choose another one.',
      }
    if (seen.includes(next)) return { problem: circle([...seen.slice(seen.indexOf(next)), next]) }
    at = next
  }
}

/** Returns the tiles that a tile can use as its source without a cycle. */
export function possibleSourceTiles(
  tile: Tile,
  content: Pick<InsightContent, 'tiles' | 'datapreps'>,
): Tile[] {
  return content.tiles.filter((other) => {
    if (other.id === tile.id || traitsOf(other.type).isSource !== true) return false
    const trial = { ...tile, [sourceField(tile)]: { type: 'SOURCE_TILE', value: other.id } }
    const tiles = content.tiles.map((each) => (each.id === tile.id ? trial : each))
    return !('problem' in resolveSource(trial, { ...content, tiles }))
  })
}

function circle(tiles: readonly Tile[]): string {
  return `Circular data source: ${tiles.map(({ title }) => title || 'Untitled').join(' → ')}. Choose another source for one of them.`
}

function fileOf(value: unknown): FileAddress {
  if (!isRecord(value)) return { groupName: '', fileName: '' }
  const fid = textOf(value.fid ?? value.id)
  return {
    groupName: textOf(value.groupName),
    fileName: textOf(value.fileName ?? value.name),
    ...(fid === '' ? {} : { fid }),
  }
}

function addressOf(value: unknown): DataPrepAddress | undefined {
  if (!isRecord(value)) return undefined
  if (textOf(value.id) !== '') return { id: textOf(value.id) }
  const groupName = textOf(value.groupName ?? value.outputGroup)
  return { groupName, name: textOf(value.name) }
}

function storedAddress(dataPrep: unknown): DataPrepAddress | undefined {
  if (!isRecord(dataPrep)) return undefined
  const { id, name, outputGroup, symbols } = dataPrep
  const hasSeries = Array.isArray(symbols) && symbols.length > 0
  if (hasSeries || textOf(name) === '') return undefined
  if (textOf(id) !== '') return { id: textOf(id) }
  return textOf(outputGroup) === '' ? undefined : { groupName: textOf(outputGroup), name: textOf(name) }
}

/** Returns the text that was typed into a tile. In a code tile this is code and not data. */
function typedText({ type, templateContent }: Tile): string {
  return type === 'CODE' ? '' : textOf(templateContent)
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
