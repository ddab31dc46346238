import type { Selection, SeriesLabel, SeriesQuery } from '@headwater/timeseries'
import { maxPatternKeys, symbolErrors, type DataKey, type DataQuery } from '../contract/index.ts'
import type { DataQueryStore, GroupColumn, StoredSeries } from './data-query-store.ts'
import { symbolDigest } from './symbol-digest.ts'
import type { SymbolFilter } from './symbol-filter.ts'

/** A key whose group is known and may be read. */
export interface GroupedKey {
  key: DataKey
  groupId: number
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
  query: DataQuery,
): Promise<SeriesPlan> {
  const symbolLimit = query.symbolSize === undefined || query.symbolSize < 0 ? Infinity : query.symbolSize
  const only = keys.length === 1 ? keys[0] : undefined
  if (only !== undefined && isOpen(only.key)) return planOpenKey(store, only, query, symbolLimit)
  return planKeys(store, keys, query, symbolLimit)
}

async function planOpenKey(
  store: DataQueryStore,
  { key, groupId }: GroupedKey,
  query: DataQuery,
  symbolLimit: number,
): Promise<SeriesPlan> {
  const filter = openFilter(key, groupId)
  const [keyNames, columnIds, columns] = await Promise.all([
    store.keyNames(filter),
    store.columnIds(filter),
    store.columns([groupId]),
  ])
  const symbolKeys = keyNames.toSorted()
  const metadataNames = query.metadata ? await store.metadataNames(filter) : []
  const metadataColumns = await describeMetadata(store, [groupId], [...metadataNames, ...key.metadatas])
  const label = labeller(symbolKeys, metadataColumns)
  async function* series(): AsyncGenerator<SeriesLabel> {
    let count = 0
    for await (const piece of store.scan(filter))
      for (const each of piece) {
        if (count++ >= symbolLimit) return
        yield label(each)
      }
  }
  const wanted = wantedColumns(key, columns, new Set(columnIds))
  const selections =
    wanted.length === 0 ? [] : [{ dataset: groupId, columns: byName(wanted), series: series() }]
  return { symbolKeys, metadataColumns, selections }
}

async function planKeys(
  store: DataQueryStore,
  keys: readonly GroupedKey[],
  query: DataQuery,
  symbolLimit: number,
): Promise<SeriesPlan> {
  const groupIds = [...new Set(keys.map(({ groupId }) => groupId))]
  const columns = await store.columns(groupIds)
  const found = await findSeries(store, keys, columns)
  const asked = [...found.values()].slice(0, symbolLimit)
  const symbolKeys = [...new Set(asked.flatMap(({ series }) => Object.keys(series.keys)))].toSorted()
  const metadataNames = query.metadata ? asked.flatMap(({ series }) => Object.keys(series.metadata)) : []
  const metadataColumns = await describeMetadata(store, groupIds, [
    ...metadataNames,
    ...keys.flatMap(({ key }) => key.metadatas),
  ])
  const label = labeller(symbolKeys, metadataColumns)
  const selections = new Map<string, Selection & { series: SeriesLabel[] }>()
  const columnById = new Map(columns.map((column) => [column.id, column]))
  for (const { series, columnIds } of asked) {
    if (columnIds.size === 0) continue
    const ids = [...columnIds].toSorted((a, b) => a - b)
    const place = `${series.groupId}:${ids.join(',')}`
    const selection = selections.get(place) ?? {
      dataset: series.groupId,
      columns: byName(ids.map((id) => columnById.get(id)!)),
      series: [],
    }
    selection.series.push(label(series))
    selections.set(place, selection)
  }
  return { symbolKeys, metadataColumns, selections: withColumnOrder([...selections.values()]) }
}

interface AskedSeries {
  series: StoredSeries
  columnIds: Set<number>
}

/** Every series that the keys mean once, with the columns that all of them together ask for, in the order of the keys. */
async function findSeries(
  store: DataQueryStore,
  keys: readonly GroupedKey[],
  columns: readonly GroupColumn[],
): Promise<Map<number, AskedSeries>> {
  const exact = await findExact(
    store,
    keys.filter(({ key }) => !isOpen(key)),
  )
  const found = new Map<number, AskedSeries>()
  const add = ({ key }: GroupedKey, series: StoredSeries) => {
    const asked = found.get(series.id) ?? { series, columnIds: new Set<number>() }
    const own = columns.filter((column) => column.groupId === series.groupId)
    for (const column of wantedColumns(key, own, new Set(series.columnIds))) asked.columnIds.add(column.id)
    found.set(series.id, asked)
    if (found.size > maxSymbols) throw symbolErrors.tooManySymbols({ limit: maxSymbols })
  }
  const sameFilter = Map.groupBy(
    keys.filter(({ key }) => isOpen(key)),
    ({ key, groupId }) => JSON.stringify(openFilter(key, groupId)),
  )
  if (sameFilter.size > maxPatternKeys) throw symbolErrors.tooManyPatterns({ limit: maxPatternKeys })
  for (const grouped of keys) {
    if (isOpen(grouped.key)) {
      const filter = openFilter(grouped.key, grouped.groupId)
      const same = sameFilter.get(JSON.stringify(filter))!
      if (same[0] !== grouped) continue
      for await (const piece of store.scan(filter))
        for (const series of piece) for (const each of same) add(each, series)
    } else {
      const series = exact.get(`${grouped.groupId}:${symbolDigest(grouped.key.symbols).toString('hex')}`)
      if (series !== undefined) add(grouped, series)
    }
  }
  return found
}

async function findExact(
  store: DataQueryStore,
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
    for (const series of await store.byDigest(groupId, list))
      found.set(`${groupId}:${symbolDigest(series.keys).toString('hex')}`, series)
  return found
}

/** Whether a key may mean more than one symbol. */
function isOpen(key: DataKey): boolean {
  return key.pattern || Object.keys(key.symbols).length === 0
}

function openFilter(key: DataKey, groupId: number): SymbolFilter {
  const values = Object.entries(key.symbols).map(([name, pattern]) => ({
    kind: 'symbol' as const,
    name: name.toLowerCase(),
    pattern,
    isLiteral: key.symbolValuesExactMatch,
  }))
  return {
    groups: [groupId],
    groupNames: [],
    values,
    columns: [],
    words: [],
    ...(key.patternExactMatch && values.length > 0 ? { keyCount: values.length } : {}),
  }
}

/** Columns a key asks for: the named ones, or all in which there are values. */
function wantedColumns(
  key: DataKey,
  columns: readonly GroupColumn[],
  withValues: ReadonlySet<number>,
): GroupColumn[] {
  if (key.columns.length === 0) return columns.filter((column) => withValues.has(column.id))
  const names = new Set(key.columns)
  const patterns = key.pattern ? key.columns.filter((name) => name.includes('*')) : []
  return columns.filter(
    (column) => names.has(column.name) || patterns.some((pattern) => matchesPattern(column.name, pattern)),
  )
}

// No regular expression: one of many stars would try every way to split a long name.
function matchesPattern(name: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop() ?? ''
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= name.length - last.length
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

function labeller(symbolKeys: readonly string[], metadataColumns: readonly { name: string }[]) {
  return (series: StoredSeries): SeriesLabel => ({
    sid: series.id,
    symbols: symbolKeys.map((key) => ownValue(series.keys, key)),
    ...(metadataColumns.length === 0
      ? {}
      : { metadata: metadataColumns.map(({ name }) => ownValue(series.metadata, name)) }),
  })
}

/** Names are those of users, who may call a key `constructor`, which every object inherits. */
function ownValue(map: Record<string, string>, name: string): string {
  return Object.hasOwn(map, name) ? map[name]! : ''
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
