import { beginningOf, isRecord } from '@headwater/contract'
import {
  maxTiles,
  ownValue,
  type InsightContent,
  maxTileId,
  maxTileType,
  type Tile,
  type TileHeight,
  type TileWidth,
  uniqueTitle,
} from '@headwater/tile-data/contract'

type Json = Record<string, unknown>

/** Thrown if a text is not a definition. The message states the reason and can be shown to users. */
export class DefinitionError extends Error {}

/** Maximum nesting of a definition. */
const maxDepth = 60
/** Maximum size of data copied for tiles that share an id, in characters of JSON. */
const maxCopied = 500_000

/** Returns whether a value is nested deeper than a definition allows. */
export function isTooDeep(value: unknown): boolean {
  const open: { value: unknown; depth: number }[] = [{ value, depth: 1 }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (typeof next.value !== 'object' || next.value === null) continue
    if (next.depth > maxDepth) return true
    for (const inner of Object.values(next.value)) open.push({ value: inner, depth: next.depth + 1 })
  }
  return false
}

/** Parses and upgrades the definition in an insight file. Throws a DefinitionError for invalid text. */
export function parseDefinition(text: string, createId: () => string): InsightContent {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw new DefinitionError('it is not JSON.')
  }
  if (!isRecord(value)) throw new DefinitionError('it is JSON, but not an object with tiles.')
  if (isTooDeep(value)) throw new DefinitionError('it is nested too deeply.')
  const content = upgradeContent(value, createId)
  // The upgrade moves nodes of old diagrams one level deeper.
  if (isTooDeep(content)) throw new DefinitionError('it is nested too deeply.')
  return content
}

/**
 * Upgrades a definition of any age to the current form, which can be saved. Unknown fields and tiles of unknown kinds stay
 * unchanged; only entries of `tiles` that are not objects are omitted, and values that cannot be stored are
 * replaced with defaults. A second upgrade changes nothing.
 * @param createId creates the id of a tile without a valid one
 * @throws DefinitionError if it has more tiles than an insight can have
 */
export function upgradeContent(given: Json, createId: () => string): InsightContent {
  const old = storableValue(given, otherIds(given, createId)) as Json
  const entries = tilesOf(old)
  const count = entries.filter(({ type }) => type !== 'INPUT_PARAMS').length
  if (count > maxTiles)
    throw new DefinitionError(`it has ${count} tiles, but an insight can have at most ${maxTiles}.`)
  const datapreps: Json = { ...(isRecord(old.datapreps) ? old.datapreps : {}) }
  const inputParams: Json = { ...(isRecord(old.inputParams) ? old.inputParams : {}) }
  const tiles: Tile[] = []
  const ids = new Set<string>()
  const titles = new Set<string>()
  const canCopy = copyLimit(datapreps)
  entries.forEach((entry, index) => {
    const tile = upgradeTile(entry, createId)
    const { id } = tile
    if (ids.has(id)) {
      giveOwnId(tile, createId())
      // Both tiles with this id use the same data.
      if (canCopy(id)) datapreps[tile.id] = datapreps[id]
    }
    ids.add(tile.id)
    takeDataPrep({ old: old.datapreps, datapreps, index, tile, hadId: isText(entry.id) })
    if (tile.type === 'INPUT_PARAMS') {
      inputParams[tile.id] = ownValue(inputParams, tile.id) ?? tile
      return
    }
    tile.title = uniqueTitle(tile.title, titles)
    titles.add(tile.title)
    tiles.push(tile)
  })
  const { type, ...rest } = old
  return {
    ...(typeof type === 'string' ? { type } : {}),
    ...rest,
    tiles,
    headerBoxes: withIds(old.headerBoxes, createId),
    footer: upgradeFooter(old.footer, createId),
    datapreps,
    inputParams,
  }
}

function tilesOf({ tiles }: Json): Json[] {
  return Array.isArray(tiles) ? tiles.filter(isRecord) : []
}

/** Returns new ids for invalid ids, by the old id. */
function otherIds(old: Json, createId: () => string): Map<string, string> {
  const named = [
    ...tilesOf(old).map(({ id }) => id),
    ...(isRecord(old.inputParams) ? Object.keys(old.inputParams) : []),
  ].filter(isText)
  const unusable = new Set(named.filter((id) => id.length > maxTileId || id === '__proto__'))
  return new Map([...unusable].map((id) => [id, createId()]))
}

/**
 * Returns the value in a form that can be sent and stored: with replaced ids, without unpaired surrogates, and without
 * `constructor` properties that have a prototype.
 */
function storableValue(value: unknown, ids: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string') return (ids.get(value) ?? value).toWellFormed()
  if (Array.isArray(value)) return value.map((inner) => storableValue(inner, ids))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      (ids.get(key) ?? key).toWellFormed(),
      storableValue(
        key === 'constructor' && isRecord(inner) ? without(inner, 'prototype') : inner,
        key === 'title' ? new Map() : ids,
      ),
    ]),
  )
}

function without(record: Json, key: string): Json {
  return Object.fromEntries(Object.entries(record).filter(([other]) => other !== key))
}

/** Changes the id of a tile and the references of its own sources. */
function giveOwnId(tile: Tile, id: string): void {
  for (const key of ['source', 'dataSource'] as const) {
    const source = tile[key]
    if (isRecord(source) && source.type === 'DATA_PREP' && source.value === tile.id)
      tile[key] = { ...source, value: id }
  }
  tile.id = id
}

/**
 * Returns a function that decides whether the query of a tile can be copied again. Copies must not make a definition
 * too large.
 */
function copyLimit(datapreps: Json): (id: string) => boolean {
  const sizes = new Map<string, number>()
  let copied = 0
  return (id) => {
    const prep = ownValue(datapreps, id)
    if (!isRecord(prep)) return false
    if (!sizes.has(id)) sizes.set(id, JSON.stringify(prep).length)
    copied += sizes.get(id)!
    return copied <= maxCopied
  }
}

/** Returns the entries that are objects, each with a unique id. Returns an empty list if the value is not a list. */
function withIds(list: unknown, createId: () => string): Json[] {
  const ids = new Set<string>()
  return (Array.isArray(list) ? list : []).filter(isRecord).map((entry) => {
    const id = isText(entry.id) && !ids.has(entry.id) ? entry.id : createId()
    ids.add(id)
    return id === entry.id ? entry : { ...entry, id }
  })
}

/** A footer is an object with buttons; older definitions contain only the list of buttons. */
function upgradeFooter(footer: unknown, createId: () => string): Json {
  if (isRecord(footer)) return { ...footer, buttons: withIds(footer.buttons, createId) }
  return { buttons: withIds(footer, createId) }
}

/** In the oldest definitions, data preps are a list, or have the `nodePosition` of the tile as the key. */
function takeDataPrep(given: {
  old: unknown
  datapreps: Json
  index: number
  tile: Tile
  hadId: boolean
}): void {
  const { old, datapreps, index, tile, hadId } = given
  if (Array.isArray(old)) {
    if (isRecord(old[index])) datapreps[tile.id] = old[index]
  } else if (!hadId && isRecord(ownValue(datapreps, String(index)))) {
    datapreps[tile.id] = datapreps[index]
    delete datapreps[index]
  }
}

function upgradeTile(old: Json, createId: () => string): Tile {
  const tile = renameSourceTileId(old) as Json
  tile.id = isText(tile.id) ? tile.id : createId()
  tile.type = isText(tile.type) ? beginningOf(tile.type, maxTileType) : 'UNKNOWN'
  tile.title = typeof tile.title === 'string' ? tile.title : ''
  upgradeSize(tile)
  upgradeActions(tile)
  upgradeCode(tile)
  upgradeSource(tile)
  upgradeDiagram(tile)
  upgradeChart(tile)
  return tile as Tile
}

/** Renames `sourceTileId` to `sourceInputParamsId` at any depth of a tile. */
function renameSourceTileId(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(renameSourceTileId)
  if (!isRecord(value)) return value
  const renamed: Json = {}
  for (const [key, inner] of Object.entries(value)) {
    if (key !== 'sourceTileId') setOwn(renamed, key, renameSourceTileId(inner))
    else if (!Object.hasOwn(value, 'sourceInputParamsId'))
      renamed.sourceInputParamsId = renameSourceTileId(inner)
  }
  return renamed
}

function upgradeSize(tile: Json): void {
  if ('sectionSize' in tile) {
    tile.tileWidth ??= widthOf(tile.sectionSize)
    delete tile.sectionSize
  }
  if ('sectionHeight' in tile) {
    tile.tileHeight ??= heightOf(tile.sectionHeight)
    delete tile.sectionHeight
  }
  for (const key of ['tileWidth', 'tileHeight'] as const) if (typeof tile[key] !== 'string') delete tile[key]
}

/** Old definitions describe half sizes by name, as a percentage or as six of twelve columns. */
function widthOf(size: unknown): TileWidth {
  const text = textOf(size).toLowerCase().replace(/\s|%/g, '')
  return ['half', '50', '6', '0.5'].includes(text) ? 'half' : 'full'
}

/** Heights used to be in pixels, as a number or a text. */
function heightOf(height: unknown): TileHeight {
  const pixels = Number(textOf(height) || Number.NaN)
  if (pixels > 1000) return 'full'
  return pixels < 500 ? 'quarter' : 'half'
}

function upgradeActions(tile: Json): void {
  if (!Array.isArray(tile.actions)) return
  tile.actions = tile.actions.map((action: unknown) =>
    isRecord(action) && !isText(action.actionName) && isText(action.type)
      ? { ...action, actionName: action.type }
      : action,
  )
}

function upgradeCode(tile: Json): void {
  if (tile.type !== 'FTL') return
  tile.type = 'CODE'
  tile.codeType ??= 'html'
  if (typeof tile.ftlContent !== 'string') return
  tile.templateContent ??= tile.ftlContent
  tile.source ??= { type: 'EDITOR' }
  delete tile.ftlContent
}

/**
 * A CSV file and a template of the lake become a source of type FILE, markdown text a source of type EDITOR; markdown
 * that references a file becomes FILE.
 */
function upgradeSource(tile: Json): void {
  for (const key of ['csvFile', 'csv', 'dlTemplate']) {
    const file = fileOf(tile[key], tile)
    if (file === undefined) continue
    tile.source ??= { type: 'FILE', value: file }
    delete tile[key]
  }
  if (!('markdown' in tile)) return
  const file = isRecord(tile.markdown) ? fileOf(tile.markdown, tile) : undefined
  if (file !== undefined) tile.source ??= { type: 'FILE', value: file }
  else if (typeof tile.markdown === 'string') {
    tile.templateContent ??= tile.markdown
    tile.source ??= { type: 'EDITOR' }
  } else return
  delete tile.markdown
}

function fileOf(value: unknown, tile: Json): { groupName: string; fileName: string } | undefined {
  if (isText(value)) return { groupName: isText(tile.groupName) ? tile.groupName : '', fileName: value }
  if (!isRecord(value)) return undefined
  const fileName = value.fileName ?? value.name
  return isText(fileName)
    ? { groupName: isText(value.groupName) ? value.groupName : '', fileName }
    : undefined
}

/** Old diagrams consist of three lists: nodes, their positions, and links. Links without both ends are omitted. */
function upgradeDiagram(tile: Json): void {
  if (tile.type !== 'DIAGRAM' || tile.diagram !== undefined || !Array.isArray(tile.nodes)) return
  const positions = tile.positions
  const nodes = tile.nodes.filter(isRecord).map((node, index) => {
    const position = Array.isArray(positions)
      ? positions[index]
      : isRecord(positions)
        ? ownValue(positions, nameOf(node))
        : undefined
    const nodePosition = isRecord(position)
      ? { x: numberOr(position.x, 150 + 250 * index), y: numberOr(position.y, 200) }
      : undefined
    return { ...node, position: nodePosition ?? { x: 150 + 250 * index, y: 200 } }
  })
  const names = new Set(nodes.map(nameOf))
  const links = (Array.isArray(tile.links) ? tile.links : []).filter(isRecord).filter((link) => {
    const ends = [link.input, link.output]
    return ends.every((end) => isRecord(end) && names.has(textOf(end.task)))
  })
  tile.diagram = { nodes, links }
}

function nameOf(node: Json): string {
  return textOf(node.id ?? node.name ?? node.label)
}

function upgradeChart(tile: Json): void {
  if (tile.type !== 'Chart') return
  if (!isText(tile.basicChartType))
    tile.basicChartType = /season/i.test(textOf(tile.chartType)) ? 'seasonality' : 'composed'
  tile.source ??= { type: 'DATA_PREP', value: tile.id }
}

function numberOr(value: unknown, otherwise: number): number {
  return typeof value === 'number' && Number.isFinite(value) ? value : otherwise
}

/** Returns a text, or a number as text; empty for other values. */
function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

/** Sets a key as an own property even if it is `__proto__`. */
function setOwn(target: Json, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true })
}
