import type { AccessScope, DataRange } from '@headwater/groups/server'
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
import { limitsOf, type RangedSymbols } from './points-in-range.ts'
import { symbolDigest } from './symbol-digest.ts'
import type { SymbolCondition } from './value-filters.ts'

/** A key with a readable group. */
export interface GroupedKey {
  /** The key. */
  key: DataKey
  /** Id of its group. */
  groupId: number
  /** Access of the caller to the group. */
  scope: AccessScope
  /** Range of the readable data of the group; undefined for all data. */
  range?: DataRange | undefined
  /** Offset and fill of its series. */
  variant: SeriesVariant
}

/** Options of a plan. */
export interface PlanOptions {
  /** Whether symbols of keys without metadata names return all metadata. */
  metadata: boolean
  /** Symbol keys to return, regardless of case; undefined for all. */
  visibleKeys?: readonly string[] | undefined
  /** Time zone of dates in the metadata. */
  timeZone: string
  /** Maximum number of symbols; undefined for all. */
  symbolSize?: number | undefined
  /** Conditions on symbols. */
  conditions: readonly SymbolCondition[]
  /** States of the groups; later data is ignored. */
  states?: readonly GroupState[] | undefined
  /** Looks up the inputs of formulas. */
  inputs: Pick<DataQueryStore, 'byDigest' | 'columns'>
  /** Returns the ids of the symbols of a group that have a point within limits, with the columns that have a value there. */
  withPoints(this: void, symbols: RangedSymbols): Promise<ReadonlyMap<number, readonly number[]>>
  /** Whether the result contains every value of the selected symbols, so that columns without values are those of {@link withPoints}. */
  hasAllValues: boolean
  /** Resolves formulas; omitted ones have no values. */
  compute(
    this: void,
    symbolIds: readonly number[],
    view: Pick<FormulaView, 'byDigest' | 'columns'>,
  ): Promise<ReadonlyMap<number, SeriesFormula>>
}

/** Series that the engine reads, with the keys and metadata to return. */
export type SeriesPlan = Pick<SeriesQuery, 'symbolKeys' | 'metadataColumns' | 'selections'>

/** Maximum number of symbols of a query with several keys; single patterns and groups have no limit. */
const maxSymbols = 250_000

/**
 * Finds the series of a query. A single pattern or whole group is streamed to the engine, so it can have any size. Several keys are
 * merged first, because they can match the same symbol.
 */
export async function planSeries(
  store: DataQueryStore,
  keys: readonly GroupedKey[],
  options: PlanOptions,
): Promise<SeriesPlan> {
  const only = keys.length === 1 ? keys[0] : undefined
  const ranges = new Map(
    keys.flatMap(({ groupId, range }) => (range === undefined ? [] : [[groupId, range]])),
  )
  const lookup = createLookup(store, ranges, options)
  // For a range, the matching symbols must be determined first, because a symbol can have points only before and after
  // the range.
  const isStreamed = only !== undefined && isOpenKey(only.key) && ranges.size === 0
  const plan = await (isStreamed ? planOpenKey(lookup, only, options) : planKeys(lookup, keys, options))
  return { ...plan, selections: plan.selections.map((each) => withinRange(each, ranges.get(each.dataset))) }
}

function withinRange(selection: Selection, range: DataRange | undefined): Selection {
  return range === undefined ? selection : { ...selection, limits: limitsOf(range) }
}

/**
 * Returns the series without those of groups with a range that have no point in it. Of these groups, it also removes the columns in
 * which none of the series has a value in the range.
 */
async function withPointsInRange(
  { ranges, store }: Lookup,
  matches: readonly SelectedSeries[],
  columns: readonly GroupColumn[],
  { withPoints, hasAllValues }: PlanOptions,
): Promise<SelectedSeries[]> {
  const hidden = new Set<number>()
  const hiddenColumns = new Set<number>()
  for (const [groupId, range] of ranges) {
    const ids = matches.flatMap(({ series }) => (series.groupId === groupId ? [series.id] : []))
    const symbolIds = [...new Set(ids)]
    // Without points outside the range, nothing is hidden.
    if (hasAllValues && (await store.areWithin(symbolIds, range))) continue
    const own = byName(columns.filter((column) => column.groupId === groupId))
    const symbols = { groupId, symbolIds, columns: own, limits: limitsOf(range) }
    const visible = await withPoints(symbols)
    for (const id of ids) if (!visible.has(id)) hidden.add(id)
    const withValues = new Set([...visible.values()].flat())
    for (const { id } of own) if (!withValues.has(id)) hiddenColumns.add(id)
  }
  return matches
    .filter(({ series }) => !hidden.has(series.id))
    .map((match) => ({
      ...match,
      columnIds: new Set([...match.columnIds].filter((id) => !hiddenColumns.has(id))),
    }))
}

/** The store within the options of a query. */
type Lookup = ReturnType<typeof createLookup>

function createLookup(
  store: DataQueryStore,
  ranges: ReadonlyMap<number, DataRange>,
  { conditions, states, inputs, compute }: PlanOptions,
) {
  const time = startLookupTime()
  const stateOf = new Map(states?.map((state) => [state.groupId, state]))
  const scopeOf = (groupId: number): LookupScope => ({
    conditions,
    lastSymbolId: stateOf.get(groupId)?.symbolId,
    range: ranges.get(groupId),
    time,
  })
  const isOld = (groupId: number, columnId: number) =>
    columnId <= (stateOf.get(groupId)?.columnId ?? Infinity)
  const columnsIn = async (from: Pick<DataQueryStore, 'columns'>, groupIds: readonly number[]) =>
    (await from.columns(groupIds)).filter(({ groupId, id }) => isOld(groupId, id))
  return {
    store,
    ranges,
    scopeOf,
    columns: (groupIds: readonly number[]): Promise<GroupColumn[]> => columnsIn(store, groupIds),
    /** Returns the formulas among series, by id. */
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
  const { symbolSize = Infinity, visibleKeys } = options
  const { store } = lookup
  const filter = filterOfKey(key, readable)
  const scope = lookup.scopeOf(groupId)
  const [symbolKeys, columnIds, columns, computed] = await Promise.all([
    visibleKeys ?? store.keyNames(filter, scope).then((names) => names.toSorted()),
    store.columnIds(filter, scope),
    lookup.columns([groupId]),
    store.computed(filter, scope),
  ])
  if (computed.length > 0 && symbolSize < Infinity) return planKeys(lookup, [grouped], options)
  const formulas = await lookup.formulasOf(computed)
  const requested = requestedMetadata(key, options)
  const metadataNames = requested === 'all' ? await store.metadataNames(filter, scope) : requested
  const metadataColumns = await describeMetadata(store, [groupId], metadataNames)
  const label = labeller(symbolKeys, metadataColumns, options)
  async function* series(): AsyncGenerator<SeriesLabel> {
    let count = 0
    // No time limit, because the client determines the speed of reading.
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
  const { symbolSize = Infinity, visibleKeys } = options
  const groupIds = [...new Set(keys.map(({ groupId }) => groupId))]
  const columns = await lookup.columns(groupIds)
  const matches = await findSeries(lookup, keys, { columns, options })
  const visible = await withPointsInRange(lookup, [...matches.values()], columns, options)
  const selected = visible.slice(0, symbolSize)
  const formulas = await lookup.formulasOf(selected.map(({ series }) => series))
  const ownKeys = [...new Set(selected.flatMap(({ series }) => Object.keys(series.keys)))].toSorted()
  const symbolKeys = visibleKeys ?? ownKeys
  const metadataNames = selected.flatMap(({ series, metadata }) =>
    metadata === 'all' ? Object.keys(series.metadata) : [],
  )
  const metadataColumns = await describeMetadata(
    store,
    groupIds,
    [...metadataNames, ...keys.flatMap(({ key }) => key.metadatas)],
    { ranges: lookup.ranges, selected },
  )
  const label = labeller(symbolKeys, metadataColumns, options)
  const selections = new Map<string, Selection & { series: SeriesLabel[] }>()
  const columnById = new Map(columns.map((column) => [column.id, column]))
  for (const { series, columnIds, variant, metadata } of selected) {
    const formula = formulas.get(series.id)
    const ids = [...columnIds]
      .filter((id) => formula === undefined || series.columnIds.includes(id))
      .toSorted((a, b) => a - b)
    if (ids.length === 0) continue
    const computed = formula === undefined ? '' : `${series.id}:`
    const selectionKey = `${computed}${series.groupId}:${ids.join(',')}:${JSON.stringify(variant)}`
    const selection = selections.get(selectionKey) ?? {
      dataset: series.groupId,
      columns: byName(ids.map((id) => columnById.get(id)!)),
      series: [],
      ...(formula === undefined ? {} : { formula }),
      ...variant,
    }
    selection.series.push(label(series, metadata))
    selections.set(selectionKey, selection)
  }
  return { symbolKeys, metadataColumns, selections: withColumnOrder([...selections.values()]) }
}

interface SelectedSeries {
  series: StoredSeries
  columnIds: Set<number>
  variant: SeriesVariant
  /** Names of the metadata to return. */
  metadata: readonly string[] | 'all'
}

/**
 * Returns every matching series once per variant, with the columns that all its keys select, in the order of the keys.
 */
async function findSeries(
  lookup: Lookup,
  keys: readonly GroupedKey[],
  { columns, options }: { columns: readonly GroupColumn[]; options: PlanOptions },
): Promise<Map<string, SelectedSeries>> {
  const exact = await findExact(
    lookup,
    keys.filter(({ key }) => !isOpenKey(key)),
  )
  const matches = new Map<string, SelectedSeries>()
  const columnsOf = Map.groupBy(columns, ({ groupId }) => groupId)
  const add = ({ key, variant }: GroupedKey, series: StoredSeries) => {
    const selectionKey = `${series.id}:${JSON.stringify(variant)}`
    const entry = matches.get(selectionKey) ?? { series, columnIds: new Set<number>(), variant, metadata: [] }
    const own = columnsOf.get(series.groupId) ?? []
    for (const column of wantedColumns(key, own, new Set(series.columnIds))) entry.columnIds.add(column.id)
    entry.metadata = bothMetadata(entry.metadata, requestedMetadata(key, options))
    matches.set(selectionKey, entry)
    if (matches.size > maxSymbols) throw symbolErrors.tooManySymbols({ limit: maxSymbols })
  }
  const sameFilter = Map.groupBy(
    keys.filter(({ key }) => isOpenKey(key)),
    ({ key, scope }) => JSON.stringify(filterOfKey(key, scope)),
  )
  checkPatterns([...sameFilter.values()].map(([grouped]) => grouped!.key))
  // Keys that differ only in offset or fill share one lookup, and keep their positions.
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
      const scannedSeries: StoredSeries[] | undefined = sameFilter.get(text)!.length > 1 ? [] : undefined
      if (scannedSeries) scanned.set(text, scannedSeries)
      for await (const piece of lookup.store.scan(filter, lookup.scopeOf(grouped.groupId)))
        for (const series of piece) {
          add(grouped, series)
          scannedSeries?.push(series)
        }
    } else {
      const series = exact.get(`${grouped.groupId}:${symbolDigest(grouped.key.symbols).toString('hex')}`)
      if (series !== undefined) add(grouped, series)
    }
  }
  return matches
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
  const matches = new Map<string, StoredSeries>()
  for (const [groupId, list] of digests)
    for (const series of await store.byDigest(groupId, list, scopeOf(groupId)))
      matches.set(`${groupId}:${symbolDigest(series.keys).toString('hex')}`, series)
  return matches
}

/** Returns the columns of a key: the named ones, or all with values. */
function wantedColumns(
  key: DataKey,
  columns: readonly GroupColumn[],
  withValues: ReadonlySet<number>,
): GroupColumn[] {
  if (key.columns.length === 0) return columns.filter((column) => withValues.has(column.id))
  const isRequested = columnMatcher(key)
  return columns.filter((column) => isRequested(column.name))
}

/** Returns the names of the metadata that a key selects. */
function requestedMetadata(key: DataKey, { metadata }: PlanOptions): readonly string[] | 'all' {
  return metadata && key.metadatas.length === 0 ? 'all' : key.metadatas
}

function bothMetadata(
  first: readonly string[] | 'all',
  second: readonly string[] | 'all',
): readonly string[] | 'all' {
  if (first === 'all' || second === 'all') return 'all'
  return first.length === 0 ? second : [...new Set([...first, ...second])]
}

/**
 * Describes metadata columns. For a group with a range, only the metadata of the selected series exist for the caller.
 */
async function describeMetadata(
  store: DataQueryStore,
  groupIds: readonly number[],
  names: readonly string[],
  limited?: { ranges: ReadonlyMap<number, DataRange>; selected: readonly SelectedSeries[] },
): Promise<NonNullable<SeriesPlan['metadataColumns']>> {
  if (names.length === 0) return []
  const wanted = new Set(names)
  const known = await store.metadataColumns(groupIds)
  if (limited !== undefined && limited.ranges.size > 0) {
    const { ranges, selected } = limited
    const visible = new Set(
      selected.flatMap(({ series }) => (ranges.has(series.groupId) ? Object.keys(series.metadata) : [])),
    )
    const ofWhole = await store.metadataColumns(groupIds.filter((id) => !ranges.has(id)))
    return [
      ...known.filter(({ name }) => visible.has(name)),
      ...ofWhole.filter(({ name }) => !visible.has(name)),
    ]
      .filter(({ name }) => wanted.has(name))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  }
  return known.filter(({ name }) => wanted.has(name)).toSorted((a, b) => (a.name < b.name ? -1 : 1))
}

function labeller(
  symbolKeys: readonly string[],
  metadataColumns: NonNullable<SeriesPlan['metadataColumns']>,
  { timeZone, visibleKeys }: PlanOptions,
) {
  const valueOf = visibleKeys === undefined ? valueOfKey : valueOfAnyCase
  const hasDates = metadataColumns.some(({ type }) => type === 'date')
  const clock = hasDates && timeZone !== 'UTC' ? createZoneClock(timeZone) : undefined
  // Dates are stored as texts in UTC.
  const inZone = (text: string) =>
    clock === undefined || text === '' ? text : isoLocal(clock.toLocal(Date.parse(`${text}Z`)))
  return (series: StoredSeries, visible: readonly string[] | 'all' = 'all'): SeriesLabel => ({
    sid: series.id,
    symbols: symbolKeys.map((key) => valueOf(series.keys, key)),
    ...(metadataColumns.length === 0
      ? {}
      : {
          metadata: metadataColumns.map(({ name, type }) => {
            if (visible !== 'all' && !visible.includes(name)) return ''
            const text = valueOfKey(series.metadata, name)
            return type === 'date' ? inZone(text) : text
          }),
        }),
  })
}

/** Returns the value of a key regardless of case, like conditions; exact matches take precedence. */
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

// The engine returns columns in the order of the selections. An empty selection in front sorts them by name.
function withColumnOrder(selections: Selection[]): Selection[] {
  if (selections.length < 2) return selections
  const columns = selections
    .flatMap((selection) => selection.columns)
    .toSorted((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0))
  return [{ dataset: selections[0]!.dataset, series: [], columns }, ...selections]
}
