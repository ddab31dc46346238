import { isRecord } from '@headwater/contract'
import { visualisationTileTypes, type InsightContent, type Tile } from '@headwater/tile-data/contract'
import { groupsIn } from '@headwater/tile-data/core'

type Json = Record<string, unknown>

/** Fields with actions, which are removed for visitors. */
const actingFields = ['actions']

/**
 * Returns the number of tiles, 0 to 4, that visitors see before they submit the form; undefined if there is no form.
 */
export function selfActivationOf(valueOf: (name: string) => string | undefined): number | undefined {
  if (valueOf('is_self_activation_required') !== 'true') return undefined
  const tiles = Number(valueOf('self_activation_tiles') ?? '0')
  return Number.isInteger(tiles) && tiles > 0 ? Math.min(tiles, 4) : 0
}

/** Returns the tiles of a definition that visitors can see, in order: visualisations that are not hidden. */
export function publicTiles({ tiles }: InsightContent): Tile[] {
  return tiles.filter(({ type, hidden }) => visualisationTileTypes.includes(type) && hidden !== true)
}

/**
 * Returns the part of a definition that visitors see: visualisation tiles without their actions, the data that these
 * tiles need, and no footer. Hidden tiles are included if a visible tile takes its data from them.
 * @param tiles maximum number of visible tiles; absent for all
 */
export function publicContent(content: InsightContent, tiles?: number): InsightContent {
  const visible = publicTiles(content).slice(0, tiles)
  const sources = sourceTilesOf(content, visible)
  const isAll = tiles === undefined
  const published = content.tiles.filter((tile) => visible.includes(tile) || sources.includes(tile))
  const ids = new Set(published.map(({ id }) => id))
  const tileIds = new Set(content.tiles.map(({ id }) => id))
  const datapreps = Object.entries(content.datapreps ?? {}).filter(([id]) =>
    isAll ? ids.has(id) || !tileIds.has(id) : ids.has(id),
  )
  return {
    type: 'VISUALISATION',
    tiles: published.map((tile) => withoutActions(tile) as Tile),
    headerBoxes: isAll ? (withoutActions(content.headerBoxes ?? []) as unknown[]) : [],
    footer: { buttons: [] },
    inputParams: withoutActions(content.inputParams ?? {}) as Json,
    datapreps: Object.fromEntries(datapreps.map(([id, data]) => [id, withoutActions(data)])),
    ...(content.chartSync === undefined ? {} : { chartSync: content.chartSync }),
    ...(content.colorScheme === undefined ? {} : { colorScheme: content.colorScheme }),
    ...(content.basket === undefined || !published.some(isOfBasket) ? {} : { basket: content.basket }),
  }
}

function isOfBasket(tile: Tile): boolean {
  return [tile.source, tile.dataSource].some((source) => isRecord(source) && source.value === 'BASKET')
}

/** Returns the tiles from which others take their data, directly or through a chain. */
function sourceTilesOf({ tiles }: InsightContent, visible: readonly Tile[]): Tile[] {
  const sources = new Set<Tile>()
  const queue = [...visible]
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    for (const source of [next.source, next.dataSource]) {
      if (!isRecord(source) || source.type !== 'SOURCE_TILE') continue
      const from = tiles.find(({ id, type }) => id === source.value && visualisationTileTypes.includes(type))
      if (from === undefined || sources.has(from) || visible.includes(from)) continue
      sources.add(from)
      queue.push(from)
    }
  }
  return [...sources]
}

function withoutActions(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutActions)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !actingFields.includes(key))
      .map(([key, inner]) => [key, withoutActions(inner)]),
  )
}

/**
 * Returns the groups whose data an insight displays in its visualisation tiles, basket, header boxes and input
 * parameters.
 */
export function visibleGroups(content: InsightContent): string[] {
  const workflow = new Set(
    content.tiles.filter(({ type }) => !visualisationTileTypes.includes(type)).map(({ id }) => id),
  )
  const datapreps = Object.entries(content.datapreps ?? {}).filter(([id]) => !workflow.has(id))
  const groups = groupsIn(
    withoutActions([
      content.tiles.filter(({ id }) => !workflow.has(id)),
      content.basket ?? [],
      content.headerBoxes ?? [],
      content.inputParams ?? {},
      Object.fromEntries(datapreps),
    ]),
  )
  return [...groups].toSorted()
}

/** Returns the definition without file ids; group and name identify its files. */
export function withoutFileIds<T>(value: T): T {
  if (Array.isArray(value)) return value.map((inner: unknown) => withoutFileIds(inner)) as T
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      const isFile = key === 'csvFile' || (key === 'value' && isFileType(value.type))
      return [key, withoutFileIds(isFile && isRecord(inner) ? withoutIds(inner) : inner)]
    }),
  ) as T
}

function withoutIds({ id: _id, fid: _fid, ...rest }: Json): Json {
  return rest
}

function isFileType(type: unknown): boolean {
  return typeof type === 'string' && type.toUpperCase() === 'FILE'
}

/** A lake file that a definition displays. */
export interface VisibleFile {
  /** Name of the group of the file. */
  groupName: string
  /** Name of the file, with its extension. */
  fileName: string
}

/** Returns every file that a definition references together with its group. */
export function visibleFiles(value: unknown, files: VisibleFile[] = []): VisibleFile[] {
  if (Array.isArray(value)) for (const inner of value) visibleFiles(inner, files)
  else if (isRecord(value)) {
    const { groupName, type } = value
    if (isFileType(type) && isRecord(value.value)) {
      const { groupName: group, fileName, name } = value.value
      const file = fileName ?? name
      if (typeof group === 'string' && typeof file === 'string' && file !== '')
        files.push({ groupName: group, fileName: file })
    }
    // The file of a parameter set. Its group can be that of the set.
    if (isRecord(value.csvFile) && typeof value.csvFile.name === 'string' && value.csvFile.name !== '') {
      const group = value.csvFile.groupName || groupName
      if (typeof group === 'string') files.push({ groupName: group, fileName: value.csvFile.name })
    }
    for (const inner of Object.values(value)) visibleFiles(inner, files)
  }
  return files
}
