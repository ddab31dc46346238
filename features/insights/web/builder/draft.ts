import {
  cleanTitle,
  newTitle,
  ownValue,
  uniqueTitle,
  type InsightContent,
  type Tile,
  type TileDataPrep,
  type TileSize,
} from '@headwater/tile-data/contract'
import {
  setToFollow,
  dataPrepOf,
  automaticTitle,
  freeTitle,
  isAutomatic,
  headerBoxesOf,
} from '@headwater/tile-data/core'
import { footerButtonsOf } from '../footer/footer-button.ts'

/** Maximum number of steps to undo. */
const maxSteps = 200

/** An insight in the builder: its definition, its history and the selected tile. */
export interface Draft {
  /** The current definition. */
  content: InsightContent
  /** Earlier definitions for undo; the last one is undone first. */
  past: readonly InsightContent[]
  /** Undone definitions for redo; the last one is redone first. */
  future: readonly InsightContent[]
  /** Id of the selected tile, box or button; undefined if nothing is selected. */
  selectedId: string | undefined
  /** Topic of the last change; the next change of the same topic belongs to the same step. */
  lastTopic: string | undefined
}

/** An action on a draft. */
export type DraftAction =
  /** Adds and selects a tile, after the selected one or at the end. */
  | { type: 'add'; tile: Tile; dataPrep?: TileDataPrep }
  | { type: 'duplicate'; id: string; newId: string }
  | { type: 'remove'; id: string }
  /** Moves a tile; `to` is its index among the other tiles. */
  | { type: 'move'; id: string; to: number }
  /** Sets the size of a tile, always as a separate step. */
  | { type: 'resize'; id: string; size: TileSize }
  /** Sets fields of a tile. Consecutive changes of one `topic`, such as typing, are one step. */
  | { type: 'change'; id: string; fields: Partial<Tile>; topic?: string }
  | { type: 'changeData'; id: string; fields?: Partial<Tile>; dataPrep: TileDataPrep }
  /** Replaces a tile; its id and title are preserved. */
  | { type: 'replace'; id: string; tile: Tile; dataPrep?: TileDataPrep }
  /** Sets fields of the definition that are not tiles. Consecutive changes of one `topic` are one step. */
  | { type: 'setContent'; fields: Partial<InsightContent>; topic?: string }
  | { type: 'select'; id: string | undefined }
  | { type: 'undo' }
  | { type: 'redo' }
  | { type: 'reset'; content: InsightContent }

/** Creates a draft of a definition. */
export function newDraft(content: InsightContent): Draft {
  return { content, past: [], future: [], selectedId: undefined, lastTopic: undefined }
}

/** Returns the draft after an action, or the same object if nothing changes. */
export function reduceDraft(draft: Draft, action: DraftAction): Draft {
  switch (action.type) {
    case 'select':
      return action.id === draft.selectedId
        ? draft
        : { ...draft, selectedId: action.id, lastTopic: undefined }
    case 'reset':
      return { ...newDraft(action.content), selectedId: draft.selectedId }
    case 'undo':
      return step(draft, draft.past, draft.future, 'undo')
    case 'redo':
      return step(draft, draft.future, draft.past, 'redo')
    case 'add':
      return add(draft, action.tile, action.dataPrep)
    case 'duplicate':
      return duplicate(draft, action.id, action.newId)
    case 'remove':
      return remove(draft, action.id)
    case 'move':
      return move(draft, action.id, action.to)
    case 'resize':
      return change(draft, action.id, { fields: { ...action.size } })
    case 'change':
      return change(draft, action.id, {
        fields: action.fields,
        topic: action.topic ?? Object.keys(action.fields).join(),
      })
    case 'changeData':
      return change(draft, action.id, { fields: action.fields ?? {}, dataPrep: action.dataPrep })
    case 'setContent':
      return setContent(draft, action.fields, action.topic)
    case 'replace':
      return replace(draft, action.id, action.tile, action.dataPrep)
  }
}

function titlesBut(content: InsightContent, id?: string): string[] {
  return content.tiles.filter((tile) => tile.id !== id).map(({ title }) => title)
}

function add(draft: Draft, tile: Tile, dataPrep: TileDataPrep | undefined): Draft {
  const { content } = draft
  const selected = content.tiles.findIndex(({ id }) => id === draft.selectedId)
  const index = selected === -1 ? content.tiles.length : selected + 1
  const named = { ...tile, title: newTitle(cleanTitle(tile.title), titlesBut(content)) }
  const next = withDataPrep(
    { ...content, tiles: content.tiles.toSpliced(index, 0, named) },
    tile.id,
    dataPrep,
  )
  return { ...commit(draft, following(next, tile.id, content)), selectedId: tile.id }
}

function duplicate(draft: Draft, id: string, newId: string): Draft {
  const { content } = draft
  const index = content.tiles.findIndex((tile) => tile.id === id)
  const original = content.tiles[index]
  if (original === undefined) return draft
  const title = uniqueTitle(original.title, titlesBut(content))
  const copy = withOwnSource({ ...structuredClone(original), id: newId, title }, id)
  const prep = ownValue(content.datapreps, id)
  const tiles = content.tiles.toSpliced(index + 1, 0, copy)
  const datapreps =
    prep === undefined ? content.datapreps : { ...content.datapreps, [newId]: structuredClone(prep) }
  return { ...commit(draft, { ...content, tiles, datapreps }), selectedId: newId }
}

function remove(draft: Draft, id: string): Draft {
  const { content } = draft
  const index = content.tiles.findIndex((tile) => tile.id === id)
  if (index === -1) return draft
  const datapreps = Object.fromEntries(Object.entries(content.datapreps ?? {}).filter(([key]) => key !== id))
  const tiles = content.tiles.toSpliced(index, 1)
  const neighbour = draft.selectedId === id ? undefined : draft.selectedId
  return { ...commit(draft, { ...content, tiles, datapreps }), selectedId: neighbour }
}

function move(draft: Draft, id: string, to: number): Draft {
  const { content } = draft
  const index = content.tiles.findIndex((tile) => tile.id === id)
  const tile = content.tiles[index]
  const target = Math.max(0, Math.min(content.tiles.length - 1, to))
  if (tile === undefined || target === index) return draft
  return commit(draft, { ...content, tiles: content.tiles.toSpliced(index, 1).toSpliced(target, 0, tile) })
}

function change(
  draft: Draft,
  id: string,
  given: { fields: Partial<Tile>; dataPrep?: TileDataPrep; topic?: string },
): Draft {
  const { content } = draft
  const index = content.tiles.findIndex((tile) => tile.id === id)
  const tile = content.tiles[index]
  if (tile === undefined) return draft
  const fields = { ...given.fields }
  if (fields.title !== undefined) fields.title = uniqueTitle(cleanTitle(fields.title), titlesBut(content, id))
  else Object.assign(fields, followedTitle(draft, tile, { ...tile, ...fields }, given.dataPrep))
  const differs = Object.entries(fields).some(([name, value]) => !sameJson(tile[name], value))
  const sameData = given.dataPrep === undefined || sameJson(ownValue(content.datapreps, id), given.dataPrep)
  if (!differs && sameData) return draft
  const tiles = differs ? content.tiles.with(index, withoutUndefined({ ...tile, ...fields })) : content.tiles
  const next = withDataPrep({ ...content, tiles }, id, given.dataPrep)
  return commit(
    draft,
    following(next, id, content),
    given.topic === undefined ? undefined : `${id} ${given.topic}`,
  )
}

/** Returns the new automatic title of a tile when its first series changes. Edited titles stay unchanged. */
function followedTitle(
  { content }: Draft,
  before: Tile,
  after: Tile,
  dataPrep = dataPrepOf(content, after.id),
): Pick<Tile, 'title'> | undefined {
  const earlier = automaticTitle(before, dataPrepOf(content, before.id))
  const title = automaticTitle(after, dataPrep)
  if (title === undefined || title === earlier || !isAutomatic(before.title, earlier)) return undefined
  return { title: freeTitle(after, title, titlesBut(content, before.id)) }
}

function setContent(draft: Draft, fields: Partial<InsightContent>, topic: string | undefined): Draft {
  const { content } = draft
  if (Object.entries(fields).every(([name, value]) => sameJson(content[name], value))) return draft
  return commit(draft, { ...content, ...fields }, topic)
}

function replace(draft: Draft, id: string, tile: Tile, dataPrep: TileDataPrep | undefined): Draft {
  const { content } = draft
  const index = content.tiles.findIndex((each) => each.id === id)
  const before = content.tiles[index]
  if (before === undefined) return draft
  const moved = withOwnSource({ ...tile, id, title: before.title }, tile.id)
  const sameData = dataPrep === undefined || sameJson(ownValue(content.datapreps, id), dataPrep)
  if (sameData && sameJson(before, moved)) return draft
  return commit(draft, withDataPrep({ ...content, tiles: content.tiles.with(index, moved) }, id, dataPrep))
}

/** Binds a tile to the parameter set that its first series can follow. */
function following(content: InsightContent, id: string, before: InsightContent): InsightContent {
  const setId = setToFollow(id, content, before)
  if (setId === undefined) return content
  const tiles = content.tiles.map((tile) => (tile.id === id ? { ...tile, sourceInputParamsId: setId } : tile))
  return { ...content, tiles }
}

/** Updates the source of a tile that uses its own data prep, which has the id of the tile. */
function withOwnSource(tile: Tile, oldId: string): Tile {
  const { source } = tile
  const isOwn = typeof source === 'object' && source !== null && 'value' in source && source.value === oldId
  return isOwn ? { ...tile, source: { ...source, value: tile.id } } : tile
}

function withDataPrep(
  content: InsightContent,
  id: string,
  dataPrep: TileDataPrep | undefined,
): InsightContent {
  return dataPrep === undefined
    ? content
    : { ...content, datapreps: { ...content.datapreps, [id]: dataPrep } }
}

function commit(draft: Draft, content: InsightContent, topic?: string): Draft {
  const joins = topic !== undefined && topic === draft.lastTopic && draft.past.length > 0
  return {
    ...draft,
    content,
    past: joins ? draft.past : [...draft.past, draft.content].slice(-maxSteps),
    future: [],
    lastTopic: topic,
  }
}

function step(
  draft: Draft,
  from: readonly InsightContent[],
  to: readonly InsightContent[],
  direction: 'undo' | 'redo',
): Draft {
  const content = from.at(-1)
  if (content === undefined) return draft
  const rest = from.slice(0, -1)
  const other = [...to, draft.content]
  const { tiles, headerBoxes, footer } = content
  const isPresent = [...tiles, ...headerBoxesOf({ headerBoxes }), ...footerButtonsOf({ footer })].some(
    ({ id }) => id === draft.selectedId,
  )
  return {
    content,
    past: direction === 'undo' ? rest : other,
    future: direction === 'undo' ? other : rest,
    selectedId: isPresent ? draft.selectedId : undefined,
    lastTopic: undefined,
  }
}

function sameJson(a: unknown, b: unknown): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

function withoutUndefined(tile: Tile): Tile {
  return Object.fromEntries(Object.entries(tile).filter(([, value]) => value !== undefined)) as Tile
}
