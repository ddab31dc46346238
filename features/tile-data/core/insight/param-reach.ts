import { basketSymbols } from '../basket/basket.ts'
import { keepsOwnRange, traitsOf, type InsightContent, type Tile } from '../../contract/index.ts'
import { dataPrepOf } from './tile-query.ts'
import type { AppliedInsight } from './applied-tile.ts'
import { headerBoxesOf, tileOfBox } from './header-box.ts'
import { resolveSource, type TileSource } from '../sources/tile-source.ts'
import { labelsIn, appliedHeading, symbolMapsIn, takesKey } from '../params/bind-tile.ts'
import { fieldsOf, type ParamField, type ParamSet } from '../params/param-set.ts'
import { rangeField } from '../params/param-values.ts'

/** Symbols and columns of data outside the definition; undefined until it is loaded. */
export interface KnownSources {
  /** The symbols that a saved data prep selects. */
  symbolsOf: (source: Extract<TileSource, { kind: 'dataPrep' }>) => readonly KeyedSymbols[] | undefined
  /** The names of the columns of a file or of typed rows. */
  columnsOf: (source: Extract<TileSource, { kind: 'file' | 'text' }>) => readonly string[] | undefined
}

interface KeyedSymbols {
  symbols: Readonly<Record<string, unknown>>
  pattern?: unknown
}

/** Fields of a set that change the data of a tile. */
export interface TileReach {
  /** The id of the tile. */
  id: string
  /** The visible heading of the tile. */
  heading: string
  /** Names of the fields that the tile follows; `rangeField` for the range. */
  followed: readonly string[]
  /** The fields that it does not follow. `reason` completes a sentence. */
  missed: readonly { name: string; label: string; reason: string }[]
}

/**
 * Returns the tiles that follow a set: bound tiles, tiles that display the rows of a bound tile, and tiles with one of
 * its labels in its text. Tiles whose data has not loaded yet count as following.
 */
export function tilesReached(
  set: ParamSet,
  tiles: readonly Tile[],
  insight: Omit<AppliedInsight, 'range'>,
  known: KnownSources,
): TileReach[] {
  const fields = fieldsOf(set)
  const labels = new Set(fields.map(({ label }) => label))
  return tiles.flatMap((tile) => {
    const named = labelsIn(tile)
    const isBound = isBoundTo(set, tile, insight.content)
    if (!isBound && ![...named].some((label) => labels.has(label))) return []
    const followed: string[] = []
    const missed: TileReach['missed'][number][] = []
    const note = (name: string, label: string, reason: string | undefined) => {
      if (reason === undefined) followed.push(name)
      // A tile that only contains a label in its text is not bound and is therefore not expected to follow other fields.
      else if (isBound) missed.push({ name, label, reason })
    }
    const hasData = isBound && traitsOf(tile.type).hasSeries === true
    for (const field of fields) {
      const isNamed = named.has(field.label)
      const inTexts = isNamed ? undefined : `it has no data and its text does not contain {{${field.label}}}`
      note(field.name, field.label, hasData ? fieldReason(tile, field, insight, known) : inTexts)
    }
    if (set.withDateRange && isBound) note(rangeField, 'Range', rangeReason(tile, set, insight))
    return [{ id: tile.id, heading: appliedHeading(tile, insight.sets), followed, missed }]
  })
}

/**
 * Returns the names of the columns of a set that change a query, because a bound tile shows series with a key of this name. Other columns
 * only filter the rows of files. The symbols of saved data preps are unknown, so tiles with one count as followed.
 */
export function queriedColumns(
  set: ParamSet,
  insight: Pick<AppliedInsight, 'content' | 'basket'>,
): ReadonlySet<string> {
  const { content } = insight
  const parts = [...content.tiles, ...headerBoxesOf(content).map(tileOfBox)]
  const tiles = parts.filter((tile) => {
    const resolved = resolveSource(tile, content)
    const isTable = 'source' in resolved && ['file', 'text'].includes(resolved.source.kind)
    return !isTable && isBoundTo(set, tile, content)
  })
  const unknown = { symbolsOf: () => undefined, columnsOf: () => undefined }
  const columns = fieldsOf(set).filter(({ kind }) => kind === 'column')
  return new Set(
    columns
      .filter((field) => tiles.some((tile) => fieldReason(tile, field, insight, unknown) === undefined))
      .map(({ name }) => name),
  )
}

/** Returns whether a tile is bound to a set, or shows the rows of a bound tile. */
export function isBoundTo(
  set: Pick<ParamSet, 'id'>,
  tile: Tile,
  content: Pick<InsightContent, 'tiles' | 'datapreps'>,
): boolean {
  if (tile.sourceInputParamsId === set.id) return true
  const resolved = resolveSource(tile, content)
  return 'tile' in resolved && resolved.tile.sourceInputParamsId === set.id
}

/** Returns the reason why the data of a tile do not follow a field; undefined if they do. */
function fieldReason(
  tile: Tile,
  { name, kind }: ParamField,
  { content, basket }: Pick<AppliedInsight, 'content' | 'basket'>,
  known: KnownSources,
): string | undefined {
  const resolved = resolveSource(tile, content)
  if ('problem' in resolved) return 'it has no data'
  const { source, tile: origin } = resolved
  switch (source.kind) {
    case 'file':
    case 'text': {
      const columns = known.columnsOf(source)
      const has = columns?.some((column) => column.toLowerCase() === name.toLowerCase()) ?? true
      return has ? undefined : `its rows have no column ${name}`
    }
    case 'series':
      return seriesReason([
        ...dataPrepOf(content, origin.id).symbols,
        ...symbolMapsIn(origin).map((symbols) => ({ symbols })),
      ])
    case 'basket':
      return seriesReason(basketSymbols(basket))
    case 'dataPrep':
      return seriesReason(known.symbolsOf(source))
  }

  function seriesReason(entries: readonly KeyedSymbols[] | undefined): string | undefined {
    if (entries?.length === 0) return 'it has no series'
    if (kind === 'dates') return 'its series have no date column'
    if (kind === 'metadata' || entries === undefined) return undefined
    return entries.some((entry) => takesKey(entry, name)) ? undefined : `its series have no key ${name}`
  }
}

/** Returns the reason why a tile does not follow the range of its set; undefined if it does. */
function rangeReason(
  tile: Tile,
  set: ParamSet,
  { content }: Pick<AppliedInsight, 'content'>,
): string | undefined {
  if (traitsOf(tile.type).hasSeries !== true) return 'it has no range'
  const resolved = resolveSource(tile, content)
  if ('problem' in resolved) return 'it has no data'
  const { source, tile: origin } = resolved
  if (source.kind === 'file' || source.kind === 'text') return 'files and inline CSV have no range'
  if (keepsOwnRange(origin))
    return origin === tile ? 'it keeps its own range' : 'the tile it shows keeps its own range'
  const isOfOther = origin.sourceInputParamsId !== set.id
  return isOfOther && source.kind !== 'dataPrep' ? 'it uses the range of its source tile' : undefined
}

/** Description of the tiles that follow a set or one of its fields. */
export interface ReachText {
  /** For example `Changes 3 tiles.` */
  summary: string
  /** A sentence for each tile that does not follow a field, with the id of the tile. */
  problems: readonly { id: string; text: string }[]
}

/**
 * Describes which tiles follow.
 * @param only name of one field, or `rangeField`; default all fields
 */
export function reachText(reached: readonly TileReach[], only?: string): ReachText {
  const isMeant = (name: string) => only === undefined || name === only
  const problems: ReachText['problems'][number][] = []
  let following = 0
  for (const { id, heading, followed, missed } of reached) {
    const follows = followed.some(isMeant)
    if (follows) following += 1
    const lacking = missed.filter(({ name }) => isMeant(name))
    if (lacking.length === 0) continue
    const reasons = [...new Set(lacking.map(({ reason }) => reason))].join('; ')
    const labels = lacking.map(({ label }) => label).join(', ')
    problems.push({ id, text: `“${heading}” ignores ${labels}: ${reasons}.` })
  }
  if (following === 0 && problems.length === 0) return { summary: 'No tile uses these parameters.', problems }
  const count = following === 0 ? 'no tile' : following === 1 ? '1 tile' : `${following} tiles`
  return { summary: `Changes ${count}.`, problems }
}
