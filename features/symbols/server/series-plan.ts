import type { AccessScope } from '@headwater/groups/server'
import { createZoneClock } from '@headwater/zones'
import type { Selection, SeriesFormula, SeriesLabel, SeriesQuery } from '@headwater/timeseries'
import { symbolErrors, valueOfKey, type DataKey } from '../contract/index.ts'
import type {
  DataQueryStore,
  GroupColumn,
  GroupState,
  LookupScope,
  StoredSeries,
} from './data-query-store.ts'
import { foldCase } from './fold-case.ts'
import type { FormulaView } from './formula-resolver.ts'
import { checkPatterns, columnMatcher, filterOfKey, isOpenKey } from './key-filter.ts'
import { startLookupTime } from './run-lookup.ts'
import type { SeriesVariant } from './series-variant.ts'
import { isoLocal } from './local-date.ts'
import { symbolDigest } from './symbol-digest.ts'
import type { SymbolCondition } from './value-filters.ts'

/** A key whose group is known and may be read. */
export interface GroupedKey {
  key: DataKey
  groupId: number
  /** What the caller can read of the group. */
  scope: AccessScope
  variant: SeriesVariant
}

/** What is asked, besides the keys. */
export interface PlanOptions {
  /** Whether all metadata are shown of symbols of keys that name none. */
  metadata: boolean
  /** The only keys that are shown of symbols, in any letter case; undefined for all. */
  shownKeys?: readonly string[] | undefined
  /** Zone of dates in the metadata. */
  timeZone: string
  /** At most this many symbols; undefined for all. */
  symbolSize?: number | undefined
  /** Conditions on symbols. */
  conditions: readonly SymbolCondition[]
  /** What has come to groups after these states is passed over. */
  states?: readonly GroupState[] | undefined
  /** Where series that formulas compute with are looked up. */
  inputs: Pick<DataQueryStore, 'byDigest' | 'columns'>
  /** What computes the values of symbols; those that it leaves out have none. */
  compute(
    this: void,
    symbolIds: readonly number[],
    view: Pick<FormulaView, 'byDigest' | 'columns'>,
  ): Promise<ReadonlyMap<number, SeriesFormula>>
}

/** Which series the engine is to read, and what is written beside their points. */
export type SeriesPlan = Pick<SeriesQuery, 'symbolKeys' | 'metadataColumns' | 'selections'>

/** Most symbols of a query with several keys; a single pattern or group has no limit. */
const maxSymbols = 250_000

/**
 * Finds the series of a query. A single pattern or whole group is read as the engine asks for it, so it may be of any size;
 * several keys are brought together first, as they may mean the same symbol.
 */
export async function planSeries(
  store: DataQueryStore,
  keys: readonly GroupedKey[],
  options: PlanOptions,
): Promise<SeriesPlan> {
  const only = keys.length === 1 ? keys[0] : undefined
  const lookup = createLookup(store, options)
  if (only !== undefined && isOpenKey(only.key)) return planOpenKey(lookup, only, options)
  return planKeys(lookup, keys, options)
}

/** The store as far as the options of a query let it be seen. */
type Lookup = ReturnType<typeof createLookup>

function createLookup(store: DataQueryStore, { conditions, states, inputs, compute }: PlanOptions) {
  const time = startLookupTime()
  const stateOf = new Map(states?.map((state) => [state.groupId, state]))
  const scopeOf = (groupId: number): LookupScope => ({
    conditions,
    lastSymbolId: stateOf.get(groupId)?.symbolId,
    time,
  })
  const isOld = (groupId: number, columnId: number) =>
    columnId <= (stateOf.get(groupId)?.columnId ?? Infinity)
  const columnsIn = async (from: Pick<DataQueryStore, 'columns'>, groupIds: readonly number[]) =>
    (await from.columns(groupIds)).filter(({ groupId, id }) => isOld(groupId, id))
  return {
    store,
    scopeOf,
    columns: (groupIds: readonly number[]): Promise<GroupColumn[]> => columnsIn(store, groupIds),
    /** Formulas of those of the series that have one, by id. */
    async formulasOf(series: readonly StoredSeries[]): Promise<ReadonlyMap<number, SeriesFormula>> {
      const ids = series.filter(({ isFormula }) => isFormula).map(({ id }) => id)
      if (ids.length === 0) return new Map()
      return compute(ids, {
        byDigest: (groupId, digests) =>
          inputs.byDigest(groupId, digests, { ...scopeOf(groupId), conditions: [] }),
        columns: (groupIds) => columnsIn(inputs, groupIds),
      })
    },
  }
}

async function planOpenKey(lookup: Lookup, grouped: GroupedKey, options: PlanOptions): Promise<SeriesPlan> {
  const { key, groupId, scope: readable, variant } = grouped
  const { symbolSize = Infinity, shownKeys } = options
  const { store } = lookup
  const filter = filterOfKey(key, readable)
  const scope = lookup.scopeOf(groupId)
  const [symbolKeys, columnIds, columns, computed] = await Promise.all([
    shownKeys ?? store.keyNames(filter, scope).then((names) => names.toSorted()),
    store.columnIds(filter, scope),
    lookup.columns([groupId]),
    store.computed(filter, scope),
  ])
  if (computed.length > 0 && symbolSize < Infinity) return planKeys(lookup, [grouped], options)
  const formulas = await lookup.formulasOf(computed)
  const shown = shownMetadata(key, options)
  const metadataNames = shown === 'all' ? await store.metadataNames(filter, scope) : shown
  const metadataColumns = await describeMetadata(store, [groupId], metadataNames)
  const label = labeller(symbolKeys, metadataColumns, options)
  async function* series(): AsyncGenerator<SeriesLabel> {
    let count = 0
    // Read while the response is written, as slowly as its reader takes it.
    for await (const piece of store.scan(filter, { ...scope, time: undefined }))
      for (const each of piece) {
        if (formulas.has(each.id)) continue
        if (count++ >= symbolSize) return
        yield label(each)
      }
  }
  const wanted = wantedColumns(key, columns, new Set(columnIds))
  const stored: Selection[] =
    wanted.length === 0 ? [] : [{ dataset: groupId, columns: byName(wanted), series: series(), ...variant }]
  const ofFormulas = computed.flatMap((each): Selection[] => {
    const formula = formulas.get(each.id)
    const own = byName(wanted.filter(({ id }) => each.columnIds.includes(id)))
    if (formula === undefined || own.length === 0) return []
    return [{ dataset: groupId, columns: own, series: [label(each)], formula, ...variant }]
  })
  return { symbolKeys, metadataColumns, selections: withColumnOrder([...stored, ...ofFormulas]) }
}

async function planKeys(
  lookup: Lookup,
  keys: readonly GroupedKey[],
  options: PlanOptions,
): Promise<SeriesPlan> {
  const { store } = lookup
  const { symbolSize = Infinity, shownKeys } = options
  const groupIds = [...new Set(keys.map(({ groupId }) => groupId))]
  const columns = await lookup.columns(groupIds)
  const found = await findSeries(lookup, keys, { columns, options })
  const asked = [...found.values()].slice(0, symbolSize)
  const formulas = await lookup.formulasOf(asked.map(({ series }) => series))
  const ownKeys = [...new Set(asked.flatMap(({ series }) => Object.keys(series.keys)))].toSorted()
  const symbolKeys = shownKeys ?? ownKeys
  const metadataNames = asked.flatMap(({ series, metadata }) =>
    metadata === 'all' ? Object.keys(series.metadata) : [],
  )
  const metadataColumns = await describeMetadata(store, groupIds, [
    ...metadataNames,
    ...keys.flatMap(({ key }) => key.metadatas),
  ])
  const label = labeller(symbolKeys, metadataColumns, options)
  const selections = new Map<string, Selection & { series: SeriesLabel[] }>()
  const columnById = new Map(columns.map((column) => [column.id, column]))
  for (const { series, columnIds, variant, metadata } of asked) {
    const formula = formulas.get(series.id)
    const ids = [...columnIds]
      .filter((id) => formula === undefined || series.columnIds.includes(id))
      .toSorted((a, b) => a - b)
    if (ids.length === 0) continue
    const computed = formula === undefined ? '' : `${series.id}:`
    const place = `${computed}${series.groupId}:${ids.join(',')}:${JSON.stringify(variant)}`
    const selection = selections.get(place) ?? {
      dataset: series.groupId,
      columns: byName(ids.map((id) => columnById.get(id)!)),
      series: [],
      ...(formula === undefined ? {} : { formula }),
      ...variant,
    }
    selection.series.push(label(series, metadata))
    selections.set(place, selection)
  }
  return { symbolKeys, metadataColumns, selections: withColumnOrder([...selections.values()]) }
}

interface AskedSeries {
  series: StoredSeries
  columnIds: Set<number>
  variant: SeriesVariant
  /** Names of the metadata that are shown of it. */
  metadata: readonly string[] | 'all'
}

/**
 * Every series that the keys mean once for each of its variants, with the columns that all of these keys together ask for,
 * in the order of the keys.
 */
async function findSeries(
  lookup: Lookup,
  keys: readonly GroupedKey[],
  { columns, options }: { columns: readonly GroupColumn[]; options: PlanOptions },
): Promise<Map<string, AskedSeries>> {
  const exact = await findExact(
    lookup,
    keys.filter(({ key }) => !isOpenKey(key)),
  )
  const found = new Map<string, AskedSeries>()
  const columnsOf = Map.groupBy(columns, ({ groupId }) => groupId)
  const add = ({ key, variant }: GroupedKey, series: StoredSeries) => {
    const place = `${series.id}:${JSON.stringify(variant)}`
    const asked = found.get(place) ?? { series, columnIds: new Set<number>(), variant, metadata: [] }
    const own = columnsOf.get(series.groupId) ?? []
    for (const column of wantedColumns(key, own, new Set(series.columnIds))) asked.columnIds.add(column.id)
    asked.metadata = bothMetadata(asked.metadata, shownMetadata(key, options))
    found.set(place, asked)
    if (found.size > maxSymbols) throw symbolErrors.tooManySymbols({ limit: maxSymbols })
  }
  const sameFilter = Map.groupBy(
    keys.filter(({ key }) => isOpenKey(key)),
    ({ key, scope }) => JSON.stringify(filterOfKey(key, scope)),
  )
  checkPatterns([...sameFilter.values()].map(([grouped]) => grouped!.key))
  // Keys that differ in their offset or fill only are looked up once, and each comes at its own place.
  const scanned = new Map<string, StoredSeries[]>()
  for (const grouped of keys) {
    if (isOpenKey(grouped.key)) {
      const filter = filterOfKey(grouped.key, grouped.scope)
      const text = JSON.stringify(filter)
      const known = scanned.get(text)
      if (known !== undefined) {
        for (const series of known) add(grouped, series)
        continue
      }
      const kept: StoredSeries[] | undefined = sameFilter.get(text)!.length > 1 ? [] : undefined
      if (kept) scanned.set(text, kept)
      for await (const piece of lookup.store.scan(filter, lookup.scopeOf(grouped.groupId)))
        for (const series of piece) {
          add(grouped, series)
          kept?.push(series)
        }
    } else {
      const series = exact.get(`${grouped.groupId}:${symbolDigest(grouped.key.symbols).toString('hex')}`)
      if (series !== undefined) add(grouped, series)
    }
  }
  return found
}

async function findExact(
  { store, scopeOf }: Lookup,
  keys: readonly GroupedKey[],
): Promise<Map<string, StoredSeries>> {
  const digests = new Map<number, Buffer[]>()
  for (const { key, groupId } of keys) {
    const list = digests.get(groupId) ?? []
    list.push(symbolDigest(key.symbols))
    digests.set(groupId, list)
  }
  const found = new Map<string, StoredSeries>()
  for (const [groupId, list] of digests)
    for (const series of await store.byDigest(groupId, list, scopeOf(groupId)))
      found.set(`${groupId}:${symbolDigest(series.keys).toString('hex')}`, series)
  return found
}

/** Columns a key asks for: the named ones, or all in which there are values. */
function wantedColumns(
  key: DataKey,
  columns: readonly GroupColumn[],
  withValues: ReadonlySet<number>,
): GroupColumn[] {
  if (key.columns.length === 0) return columns.filter((column) => withValues.has(column.id))
  const isAsked = columnMatcher(key)
  return columns.filter((column) => isAsked(column.name))
}

/** Names of the metadata that a key asks for. */
function shownMetadata(key: DataKey, { metadata }: PlanOptions): readonly string[] | 'all' {
  return metadata && key.metadatas.length === 0 ? 'all' : key.metadatas
}

function bothMetadata(
  first: readonly string[] | 'all',
  second: readonly string[] | 'all',
): readonly string[] | 'all' {
  if (first === 'all' || second === 'all') return 'all'
  return first.length === 0 ? second : [...new Set([...first, ...second])]
}

async function describeMetadata(
  store: DataQueryStore,
  groupIds: readonly number[],
  names: readonly string[],
): Promise<NonNullable<SeriesPlan['metadataColumns']>> {
  if (names.length === 0) return []
  const wanted = new Set(names)
  const known = await store.metadataColumns(groupIds)
  return known.filter(({ name }) => wanted.has(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function labeller(
  symbolKeys: readonly string[],
  metadataColumns: NonNullable<SeriesPlan['metadataColumns']>,
  { timeZone, shownKeys }: PlanOptions,
) {
  const valueOf = shownKeys === undefined ? valueOfKey : valueOfAnyCase
  const hasDates = metadataColumns.some(({ type }) => type === 'date')
  const clock = hasDates && timeZone !== 'UTC' ? createZoneClock(timeZone) : undefined
  // The store has dates as texts in UTC.
  const inZone = (text: string) =>
    clock === undefined || text === '' ? text : isoLocal(clock.toLocal(Date.parse(`${text}Z`)))
  return (series: StoredSeries, shown: readonly string[] | 'all' = 'all'): SeriesLabel => ({
    sid: series.id,
    symbols: symbolKeys.map((key) => valueOf(series.keys, key)),
    ...(metadataColumns.length === 0
      ? {}
      : {
          metadata: metadataColumns.map(({ name, type }) => {
            if (shown !== 'all' && !shown.includes(name)) return ''
            const text = valueOfKey(series.metadata, name)
            return type === 'date' ? inZone(text) : text
          }),
        }),
  })
}

/** The value of a key in any letter case, as conditions see it; the key that is written alike comes first. */
function valueOfAnyCase(keys: Readonly<Record<string, string>>, name: string): string {
  if (Object.hasOwn(keys, name)) return keys[name]!
  const folded = foldCase(name)
  const values = Object.entries(keys).flatMap(([key, value]) => (foldCase(key) === folded ? [value] : []))
  return values.toSorted()[0] ?? ''
}

function byName(columns: readonly GroupColumn[]): Selection['columns'] {
  return columns
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ id, name, type }) => ({ id, name, type }))
}

// The engine shows columns in the order in which selections name them; an empty selection in front puts them in order by name.
function withColumnOrder(selections: Selection[]): Selection[] {
  if (selections.length < 2) return selections
  const columns = selections
    .flatMap((selection) => selection.columns)
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return [{ dataset: selections[0]!.dataset, series: [], columns }, ...selections]
}
