import type { DataQuery } from '@headwater/symbols/contract'
import { keepsOwnRange, type InsightContent, type Tile } from '../contract/index.ts'
import { completeFilters, paramFilters } from '../contract/params/param-set.ts'
import { splitByGroup } from '../contract/series/merge-answers.ts'
import { statMetadata, statsTile } from '../contract/tiles/stats/stats-tile.ts'

type Json = Record<string, unknown>

/** A series, or several by a pattern, that a definition shows. */
export interface ShownSeries {
  groupName: string
  symbols: Record<string, string>
  /** Undefined = all. */
  columns: string[] | undefined
  /** Whether `*` in values stands for any text. */
  pattern: boolean
  /** Whether only symbols with exactly the named keys are meant. */
  patternExactMatch: boolean
  /** Whether a `*` in values is a star. */
  symbolValuesExactMatch: boolean
  /** Fields that move timestamps, as they are stored. */
  offset: { type: unknown; amount: unknown }
  /** Fields that fill gaps, as they are stored. */
  fill: { type: unknown; points: unknown }
  /** Conditions that always hold. */
  filters: { name: string; value: string; operator: string }[]
  /** The tile or other part whose range holds. */
  place: Json
  /** Whether neither parameters nor visitors change that range. */
  isRangeKept: boolean
  /** Whether a figure shows the unit that its metadata name. */
  showsUnit: boolean
  /** Which of the lists of its part names it; the part requests the series of a list together. */
  list: string
  /** For the entries of a saved data prep: the whole question it is. */
  query?: DataQuery
  /** The query of its part; absent until all series of the part are known. */
  request?: ShownRequest
}

/** A query that a tile or another part sends. */
export interface ShownRequest {
  /** The same object for all queries of one part. */
  part: object
  series: readonly ShownSeries[]
}

/** The place of what keeps the range of its own question. */
export const rangeOfQuery: Record<string, unknown> = {}

/** A set of parameters, as far as it changes what is asked. */
interface BoundSet {
  values: { name: string; value: string }[]
  filters: ShownSeries['filters']
  /** In place of that of the tile; undefined when the set has none. */
  range: Json | undefined
}

/** Rows that a tile without a range hands on to others. */
const handedOnAmount = 100_000

/** So many different series of a definition count as shown; a page of people has some hundreds. */
const maxShownSeries = 50_000

/**
 * Every series that a definition shows, as its tiles ask for it before anybody chose a parameter: with the basket, the
 * tiles they take their data from, and the initial values of the parameters they are bound to.
 */
export function shownSeries(content: InsightContent): ShownSeries[] {
  const found: ShownSeries[] = []
  for (const series of everySeries(content)) {
    if (found.length === maxShownSeries) break
    found.push(series)
  }
  return found
}

/** Each series once for each place and set of parameters, however many tiles show it. */
function* everySeries(content: InsightContent): Generator<ShownSeries> {
  const originOf = originsOf(content)
  const parts = new Map<unknown, Map<Json, Part>>()
  const told = new Map<string, Map<Part, Set<Json | undefined>>>()

  /** What a part shows itself, read once; all that show the basket show the same. */
  function partOf(part: Json, place: Json): Part {
    const settings = basketOf(part, content)?.settings
    const source = settings === undefined ? part : content.basket
    const placed = settings ?? place
    const known = parts.get(source) ?? new Map<Json, Part>()
    parts.set(source, known)
    const found = known.get(placed) ?? { series: different(seriesOfPart(part, placed, content)) }
    known.set(placed, found)
    return found
  }
  function* once(
    part: Part,
    look: Pick<ShownSeries, 'isRangeKept' | 'showsUnit'>,
    ...sets: (Json | undefined)[]
  ): Generator<ShownSeries> {
    // Sets that follow one another are as good as one of their own only where they are the same.
    const [own, showing] = sets
    const key = showing === undefined ? own : pairOf(own, showing)
    const alike = told.get(JSON.stringify(look)) ?? new Map<Part, Set<Json | undefined>>()
    told.set(JSON.stringify(look), alike)
    const seen = alike.get(part) ?? new Set()
    alike.set(part, seen)
    if (seen.has(key)) return
    seen.add(key)
    yield* requestedTogether(part.series.map((series) => bound(bound({ ...series, ...look }, own), showing)))
  }
  const pairOf = createPairs()

  const handedOn = new Map<Tile, Json>()
  for (const tile of content.tiles) {
    const origin = originOf(tile)
    if (origin === undefined) continue
    let place: Json = origin
    if (origin !== tile && origin.range === undefined) {
      place = handedOn.get(origin) ?? {
        ...origin,
        range: 'LAST',
        lastType: 'VALUES',
        lastTypeAmount: handedOnAmount,
      }
      handedOn.set(origin, place)
    }
    yield* once(
      partOf(origin, place),
      {
        isRangeKept: keepsOwnRange(origin),
        showsUnit: origin === tile && tile.type === 'STATS' && hasNoUnit(tile),
      },
      setOf(origin, content),
      origin === tile ? undefined : setOf(tile, content),
    )
  }
  for (const box of content.headerBoxes ?? [])
    // A box shows one figure, whose range nobody but its author chooses.
    if (isRecord(box))
      yield* once(
        partOf(box, box),
        { isRangeKept: true, showsUnit: box.content === 'STATISTIC' && hasNoUnit(box) },
        setOf(box, content),
      )
}

/**
 * The series of a part, each with the query that the part sends for it: one for each of its lists, in which a symbol belongs to one
 * group only. A saved data prep is always one query.
 */
export function requestedTogether(series: readonly ShownSeries[]): ShownSeries[] {
  const part = {}
  const lists = Map.groupBy(
    series.filter(({ groupName }) => groupName !== ''),
    ({ list }) => list,
  )
  return [...lists.values()].flatMap((list) => {
    const requests = list.every(({ query }) => query !== undefined) ? [list] : splitByGroup(list)
    return requests.flatMap((members) => {
      const request: { part: object; series: readonly ShownSeries[] } = { part, series: [] }
      request.series = members.map((member) => ({ ...member, request }))
      return request.series
    })
  })
}

/** Series of one part, which have their place in common, each once. */
function different(series: readonly ShownSeries[]): ShownSeries[] {
  return [...new Map(series.map((shown) => [JSON.stringify({ ...shown, place: undefined }), shown])).values()]
}

/** What a tile, a box or the basket shows, before parameters. */
interface Part {
  series: readonly ShownSeries[]
}

function hasNoUnit(part: Json): boolean {
  return statMetadata(statsTile.parse(part)).length > 0
}

/** The same object for the same two. */
function createPairs(): (a: Json | undefined, b: Json) => Json {
  const first = new Map<Json | undefined, Map<Json, Json>>()
  return (a, b) => {
    const second = first.get(a) ?? new Map<Json, Json>()
    first.set(a, second)
    const pair = second.get(b) ?? {}
    second.set(b, pair)
    return pair
  }
}

/** The saved data preps that a definition shows, with the tiles that show them. */
export function shownPreps(content: InsightContent): { tile: Tile; address: PrepAddress }[] {
  return content.tiles.flatMap((tile) => {
    const address = prepOf(tile, content.datapreps?.[tile.id])
    return address === undefined ? [] : [{ tile, address }]
  })
}

/** A saved data prep, by id or by group and name. */
export type PrepAddress = { id: string } | { groupName: string; name: string }

/** The sets of parameters that change what the tiles ask which show a tile, itself first. */
export function bindingsOf(tile: Tile, content: InsightContent): Json[] {
  const originOf = originsOf(content)
  const showing = content.tiles.filter((other) => other === tile || originOf(other) === tile)
  const ids = new Set(showing.map(({ sourceInputParamsId }) => sourceInputParamsId))
  return Object.entries(content.inputParams ?? {}).flatMap(([id, set]) =>
    ids.has(id) && isRecord(set) ? [set] : [],
  )
}

/** A series as a set of parameters makes it. */
export function bound(series: ShownSeries, set: Json | undefined): ShownSeries {
  if (set === undefined) return series
  const { values, filters, range } = readSet(set)
  const isOpen = series.pattern || Object.keys(series.symbols).length === 0
  const symbols = { ...series.symbols }
  let changed = false
  for (const { name, value } of values) {
    const key = Object.keys(symbols).find((own) => own.toLowerCase() === name.toLowerCase())
    if (key === undefined && (!isOpen || value === '*')) continue
    symbols[key ?? name] = value
    changed = true
  }
  return {
    ...series,
    filters: [...series.filters, ...filters],
    // A range that is chosen takes the place of that of the tile; how it is counted and what was known then stay.
    place:
      range === undefined || series.isRangeKept
        ? series.place
        : { ...series.place, ...range, ...(series.query && { timeZone: series.query.timeZone }) },
    ...(changed
      ? { symbols, pattern: true, patternExactMatch: isOpen ? series.patternExactMatch : true }
      : {}),
  }
}

/** The series of a tile or box itself, or those of the basket where it shows them. */
function seriesOfPart(part: Json, place: Json, content: InsightContent): ShownSeries[] {
  const found: ShownSeries[] = []
  const basket = basketOf(part, content)
  if (basket !== undefined) collect(basket.items, { place, list: 'basket' }, found)
  else {
    collect(part.series, { place, list: 'series' }, found)
    if (typeof part.id === 'string')
      collect(content.datapreps?.[part.id], { place, list: 'datapreps' }, found)
    collect(part.dataPrep, { place, list: 'dataPrep' }, found)
  }
  return found
}

/** The basket, for what shows it. */
function basketOf(part: Json, content: InsightContent): { items: unknown; settings: Json } | undefined {
  const source = part[part.type === 'CODE' ? 'dataSource' : 'source']
  if (!isRecord(source) || source.value !== 'BASKET') return undefined
  const { items, settings } = isRecord(content.basket) ? content.basket : {}
  return { items, settings: isRecord(settings) ? settings : noSettings }
}

const noSettings: Json = {}

function setOf(part: Json, { inputParams }: InsightContent): Json | undefined {
  const id = part.sourceInputParamsId
  const set = typeof id === 'string' && Object.hasOwn(inputParams ?? {}, id) ? inputParams![id] : undefined
  return isRecord(set) ? set : undefined
}

/** Finds the tile behind all that hand their rows on; undefined for a circle and for one that is not there. */
function originsOf({ tiles }: InsightContent): (tile: Tile) => Tile | undefined {
  const byId = new Map<unknown, Tile>()
  for (const tile of tiles) if (!byId.has(tile.id)) byId.set(tile.id, tile)
  const known = new Map<Tile, Tile | undefined>()
  return (tile) => {
    const passed = new Set<Tile>()
    let at: Tile | undefined = tile
    while (at !== undefined && !known.has(at)) {
      const source: unknown = at[at.type === 'CODE' ? 'dataSource' : 'source']
      if (!isRecord(source) || source.type !== 'SOURCE_TILE') known.set(at, at)
      else {
        passed.add(at)
        const next = byId.get(source.value)
        at = next !== undefined && passed.has(next) ? undefined : next
      }
    }
    const origin = at && known.get(at)
    for (const each of passed) known.set(each, origin)
    return origin
  }
}

function prepOf(tile: Tile, stored: unknown): PrepAddress | undefined {
  const source = tile[tile.type === 'CODE' ? 'dataSource' : 'source']
  const { type, value } = isRecord(source) ? source : {}
  if (['FILE', 'EDITOR', 'SOURCE_TILE'].includes(textOf(type).toUpperCase()) || value === 'BASKET')
    return undefined
  const saved = isRecord(value) ? value : isRecord(stored) && !hasSeries(stored) ? stored : undefined
  if (saved === undefined) return undefined
  if (textOf(saved.id) !== '') return { id: textOf(saved.id) }
  const groupName = textOf(saved.groupName) || textOf(saved.outputGroup)
  const name = textOf(saved.name)
  return groupName === '' || name === '' ? undefined : { groupName, name }
}

function hasSeries({ symbols }: Json): boolean {
  return Array.isArray(symbols) && symbols.length > 0
}

function readSet(set: Json): BoundSet {
  const isOfSymbols = set.basicInputParamsType !== 'FILE'
  const keys = isOfSymbols && Array.isArray(set.keys) ? set.keys.filter(isRecord) : []
  const fields = keys.map((key) => ({
    name: textOf(key.symbolKey),
    value: textOf(key.defaultValue),
    isMetadata: key.symbolType === 'METADATA',
  }))
  const chosen = fields.filter(({ name, value }) => name !== '' && value !== '')
  return {
    values: chosen.filter(({ isMetadata }) => !isMetadata),
    filters: [
      ...completeFilters(paramFilters.parse(set.filters)),
      ...chosen
        .filter(({ isMetadata, value }) => isMetadata && value !== '*')
        .map(({ name, value }) => ({ name: `metadata.${name}`, value, operator: 'EQUALS' })),
    ],
    range:
      set.withDateRange === true
        ? {
            range: set.dataRange,
            from: set.from,
            to: set.to,
            fromTime: '',
            toTime: '',
            lastType: set.lastType,
            lastTypeAmount: set.lastValue,
            timeZone: set.timezone,
          }
        : undefined,
  }
}

function collect(value: unknown, from: Pick<ShownSeries, 'place' | 'list'>, found: ShownSeries[]): void {
  if (Array.isArray(value)) for (const inner of value) collect(inner, from, found)
  else if (isRecord(value)) {
    const { groupName } = value
    if (typeof groupName === 'string') {
      const more = {
        groupName,
        pattern: value.pattern === true,
        patternExactMatch: value.patternExactMatch === true,
        symbolValuesExactMatch: value.symbolValuesExactMatch === true,
        offset: { type: value.offsetType, amount: value.offsetAmount },
        fill: { type: value.fillType, points: value.avgPointsAmount },
        filters: [],
        ...from,
        isRangeKept: false,
        showsUnit: false,
      }
      if (isRecord(value.symbols))
        found.push({
          ...more,
          symbols: textsOf(value.symbols),
          columns:
            namesOf(value.valueColumnNames) ?? namesOf([value.valueColumnName]) ?? namesOf([value.column]),
        })
      for (const symbols of Array.isArray(value.symbolList) ? value.symbolList : [])
        if (isRecord(symbols))
          found.push({
            ...more,
            symbols: textsOf(symbols),
            columns: namesOf([value.column, value.columnXAxis]),
          })
    }
    for (const inner of Object.values(value)) collect(inner, from, found)
  }
}

function textsOf(symbols: Json): Record<string, string> {
  return Object.fromEntries(
    Object.entries(symbols).flatMap(([key, value]) => (textOf(value) === '' ? [] : [[key, textOf(value)]])),
  )
}

function namesOf(names: unknown): string[] | undefined {
  const list = Array.isArray(names) ? names.map(textOf).filter((name) => name !== '') : []
  return list.length === 0 ? undefined : list
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
    ? String(value)
    : ''
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
