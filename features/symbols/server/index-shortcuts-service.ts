import { createHash } from 'node:crypto'
import { AppError, invalidInput } from '@headwater/contract'
import type { GroupAccess } from '@headwater/groups/server'
import { formatCsvRow } from '@headwater/csv'
import { formatTypeSuffix } from '@headwater/ncsv'
import { isTimeZone } from '@headwater/zones'
import type { Clock, Principal } from '@headwater/server-kit'
import {
  dataQuery,
  defaultIndexGroup,
  indexKeys,
  maxPatternKeys,
  moduleMetadata,
  symbolErrors,
  type DataFilter,
  type DataQuery,
  type DataQueryInput,
} from '../contract/index.ts'
import { toJsonRows } from './csv-rows.ts'
import type { DataResult, DataQueryService } from './data-query-service.ts'
import type { DataQueryStore } from './data-query-store.ts'
import { localDay, parseLocalDate } from './local-date.ts'
import { startLookupTime } from './run-lookup.ts'
import type { SymbolFilter } from './symbol-filter.ts'
import { splitFilters } from './value-filters.ts'
import { readableGroup, type VisibleSymbols } from './visible-symbols.ts'

/** Dependencies of the shortcuts. */
export interface IndexShortcutsDependencies {
  /** Runs data queries. */
  data: DataQueryService
  /** Lists symbols. */
  store: DataQueryStore
  /** Checks access to groups. */
  access: GroupAccess
  /** Finds the symbols of groups with a range. */
  visible: VisibleSymbols
  /** Time that counts as now. */
  clock: Clock
}

/** Options of a shortcut. */
export interface ShortcutOptions {
  /** Format of the response. */
  format: 'csv' | 'json'
  /** Aborts the query. */
  signal?: AbortSignal | undefined
}

/** The service of the shortcuts. */
export type IndexShortcutsService = ReturnType<typeof createIndexShortcutsService>

/** Parameters of the URL. */
type Parameters = Record<string, unknown>

/** Creates the service of the two shortcuts of the General Index client. They convert URL parameters to a data query, or to a list of symbols. */
export function createIndexShortcutsService(deps: IndexShortcutsDependencies) {
  const { data, store, clock } = deps
  async function index(
    principal: Principal,
    parameters: Parameters,
    { format, signal }: ShortcutOptions,
  ): Promise<DataResult> {
    const given = byLowerName(parameters)
    const value = (name: string) => given.get(name.toLowerCase())?.value
    const group = await readableGroup(deps, principal, value('Group') ?? defaultIndexGroup)
    const module = value('Module')
    const named = indexKeys.filter((key) => (value(key) ?? '*') !== '*')
    if (module !== undefined && named.length > 0)
      throw invalidInput([
        { field: 'Module', message: `Module cannot be combined with ${named.join(', ')}. Use one of them.` },
      ])
    const metadata = value('Metadata')?.toLowerCase()
    const filters = await conditions(group.id, given)
    if (metadata === 'only')
      return rows(group, { keys: keysOf(group.name, value), filters, fields: [], withTypes: true, format })
    const timeZone = value('Timezone') ?? 'UTC'
    if (!isTimeZone(timeZone)) throw symbolErrors.noSuchTimeZone({ timeZone })
    const query = parsed({
      keys: keysOf(group.name, value),
      ...rangeOf(value, timeZone, clock.now().getTime()),
      filters,
      timeZone,
      delta: value('Delta'),
      metadata: metadata,
      order: value('Order') ?? 'desc',
      formatType: 'NCSV',
    })
    const result = await data.run(principal, query, { signal, withinRanges: true })
    return format === 'csv'
      ? result
      : { contentType: 'application/json; charset=utf-8', stream: toJsonRows(result.stream) }
  }

  /** Returns the conditions from parameters that the route does not define. Column names match regardless of case. */
  async function conditions(groupId: number, given: GivenParameters): Promise<DataFilter[]> {
    const columns = new Map(
      (await store.columns([groupId])).map(({ name }) => [name.toLowerCase(), name] as const),
    )
    const filters: DataFilter[] = []
    for (const [lower, { name, value }] of given) {
      if (lower === 'module') filters.push(condition(`metadata.${moduleMetadata}`, value))
      else if (lower.startsWith('metadata.')) filters.push(condition(name, value))
      else if (columns.has(lower)) filters.push({ name: columns.get(lower)!, operator: 'IN', value })
    }
    return filters
  }

  async function catalogue(
    principal: Principal,
    parameters: Parameters,
    { fields, ...options }: ShortcutOptions & { fields: string },
  ): Promise<DataResult> {
    const given = byLowerName(parameters)
    const value = (name: string) => given.get(name.toLowerCase())?.value
    const listed = listOf(fields)
    const group = await findGroup(deps, principal, value('Group') ?? defaultIndexGroup)
    if (group === undefined) {
      const isVisible = visibleIn(listed)
      return tableOf(indexKeys.filter(isVisible), noRows(), options.format)
    }
    const filters: DataFilter[] = []
    const module = value('Module')
    if (module !== undefined) filters.push(condition(`metadata.${moduleMetadata}`, module))
    filters.push(...(await fieldConditions(store, group, given)))
    if (!isTrue(value('NoModule'))) filters.push(condition(`metadata.${moduleMetadata}`, '*'))
    const onlyCode = (name: string) => (name === 'Code' ? value(name) : undefined)
    return rows(group, {
      keys: keysOf(group.name, onlyCode),
      filters,
      fields: listed,
      ...options,
    })
  }

  /** Lists one row for each symbol, with its keys and metadata. */
  async function rows(
    group: ReadableGroup,
    listing: {
      keys: readonly { symbols: Record<string, string> }[]
      filters: DataFilter[]
      fields: string[]
      /** Whether metadata names have a type suffix, as in a series file. */
      withTypes?: boolean
      format: 'csv' | 'json'
    },
  ): Promise<DataResult> {
    const { symbols: conditionsOfSymbols } = splitFilters(parsed({ filters: listing.filters }).filters)
    const lookup = { conditions: conditionsOfSymbols, time: startLookupTime() }
    const symbolFilters = listing.keys.map(({ symbols }) => ({
      ...wholeGroup(group),
      values: Object.entries(symbols).map(([name, pattern]) => ({
        kind: 'symbol' as const,
        name: name.toLowerCase(),
        pattern,
      })),
    }))
    const everyName = async (names: (filter: (typeof symbolFilters)[number]) => Promise<string[]>) =>
      [...new Set((await Promise.all(symbolFilters.map(names))).flat())].toSorted()
    const [matchingNames, metadataNames] = await Promise.all([
      everyName((filter) => store.keyNames(filter, lookup)),
      everyName((filter) => store.metadataNames(filter, lookup)),
    ])
    const namesOfGroup = () => store.keyNames(wholeGroup(group), { ...lookup, conditions: [] })
    const namesOrNone = matchingNames.length > 0 ? matchingNames : await namesOfGroup()
    const keyNames = namesOrNone.length > 0 ? namesOrNone : [...indexKeys]
    const isVisible = visibleIn(listing.fields)
    const columns = [
      ...keyNames.map((name) => ({ name, kind: 'keys' as const })),
      ...metadataNames.map((name) => ({ name, kind: 'metadata' as const })),
    ].filter(({ name }) => isVisible(name))
    const isWhole = keyNames.every(isVisible) && symbolFilters.length === 1
    const seen = new Set<string>()
    function isNew(row: readonly string[]): boolean {
      if (isWhole) return true
      const digest = createHash('sha256').update(JSON.stringify(row)).digest('base64')
      if (seen.has(digest)) return false
      seen.add(digest)
      return true
    }
    async function* pieces(): AsyncGenerator<string[][]> {
      for (const filter of symbolFilters)
        // No time limit, because the client determines the speed of reading.
        for await (const piece of store.scan(filter, { ...lookup, time: undefined }))
          yield piece
            .map((symbol) =>
              columns.map(({ kind, name }) => (Object.hasOwn(symbol[kind], name) ? symbol[kind][name]! : '')),
            )
            .filter(isNew)
    }
    const types = new Map(
      (listing.withTypes ? await store.metadataColumns([group.id]) : []).map(({ name, type }) => [
        name,
        type,
      ]),
    )
    const names = columns.map(({ name, kind }) => {
      const type = kind === 'metadata' ? types.get(name) : undefined
      return type === undefined ? name : `${name}${formatTypeSuffix(type, true)}`
    })
    return tableOf(names, pieces(), listing.format)
  }

  return { index, catalogue }
}

/**
 * Returns the group; undefined for the default group if the caller cannot read it, because clients request it by
 * default.
 */
async function findGroup(
  deps: IndexShortcutsDependencies,
  principal: Principal,
  name: string,
): Promise<ReadableGroup | undefined> {
  try {
    return await readableGroup(deps, principal, name)
  } catch (error) {
    const isUnreadable = error instanceof AppError && error.code === 'groupNotFound'
    if (isUnreadable && name === defaultIndexGroup) return undefined
    throw error
  }
}

type GivenParameters = Map<string, { name: string; value: string }>

/** Returns parameters by lower-case name. Repeated values are joined by commas; empty values are ignored. */
function byLowerName(parameters: Parameters): GivenParameters {
  const merged: GivenParameters = new Map()
  for (const [name, given] of Object.entries(parameters)) {
    const values = [given].flat().filter((each) => each !== undefined && each !== '')
    const lower = name.toLowerCase()
    const before = merged.get(lower)
    const value = [...(before === undefined ? [] : [before.value]), ...values.map(String)].join(',')
    if (value !== '') merged.set(lower, { name, value })
  }
  return merged
}

function listOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')
}

/** Returns one key for each combination of the given values. */
function keysOf(
  groupName: string,
  value: (name: (typeof indexKeys)[number]) => string | undefined,
): { groupName: string; pattern: true; symbols: Record<string, string> }[] {
  let combinations: Record<string, string>[] = [{}]
  for (const key of indexKeys) {
    const values = listOf(value(key) ?? '*')
    if (values.includes('*') || values.length === 0) continue
    if (combinations.length * values.length > maxPatternKeys)
      throw symbolErrors.tooManyPatterns({ limit: maxPatternKeys })
    combinations = combinations.flatMap((before) => values.map((each) => ({ ...before, [key]: each })))
  }
  return combinations.map((symbols) => ({ groupName, pattern: true, symbols }))
}

/** Returns a condition on a symbol: a list of values, or a string with `*` before, after or around it. */
function condition(name: string, value: string): DataFilter {
  const [, before, text, behind] = /^(\*?)([^*]*)(\*?)$/.exec(value) ?? []
  if (text === undefined || (before === '' && behind === '')) return { name, operator: 'IN', value }
  if (text === '') return { name, operator: 'IS_NOT_EMPTY', value: undefined }
  return {
    name,
    operator: before === '' ? 'STARTS_WITH' : behind === '' ? 'ENDS_WITH' : 'CONTAINS',
    value: text,
  }
}

/** Returns the range in the form of a data query. */
function rangeOf(
  value: (name: string) => string | undefined,
  timeZone: string,
  now: number,
): Pick<DataQueryInput, 'range' | 'startDate' | 'endDate' | 'lastTypeAmount'> {
  const from = value('From') ?? 'today'
  const to = value('To')
  const endDate = dayOf(to ?? 'today', 'To', timeZone, now)
  const [, values] = /^(\d{1,9})v$/i.exec(from.trim()) ?? []
  if (values !== undefined && isTrue(value('Delta')))
    throw invalidInput([
      { field: 'From', message: 'Delta cannot be combined with a number of values. Use days, such as 3d.' },
    ])
  if (values !== undefined)
    return { range: 'LAST', lastTypeAmount: Number(values), ...(to === undefined ? {} : { endDate }) }
  const startDate = dayOf(from, 'From', timeZone, now)
  return { range: 'BETWEEN', ...(startDate === undefined ? {} : { startDate }), endDate }
}

/** Parses `today`, `3d`, `2m`, `1y`, `all` or an ISO date; returns undefined for `all`. */
function dayOf(text: string, field: string, timeZone: string, now: number): string | undefined {
  const token = text.trim().toLowerCase()
  if (token === 'all') return undefined
  const [, amount, unit] = /^(\d{1,6})([dmy])$/.exec(token) ?? (token === 'today' ? ['', '0', 'd'] : [])
  if (amount === undefined) {
    if (parseLocalDate(text, timeZone, false) !== undefined) return text.trim()
    throw invalidInput([
      {
        field,
        message: `“${text}” is not a date. Write today, 3d, 2m, 1y, ${field === 'From' ? 'all, 5v, ' : ''}2024-01-31 or 2024-01-31T16:00:00.`,
      },
    ])
  }
  return localDay(now, timeZone, { [unit!]: -Number(amount) })
}

function isTrue(text: string | undefined): boolean {
  return text !== undefined && ['true', '1', 'yes'].includes(text.toLowerCase())
}

/** Returns the conditions of the parameters `field.<Name>`. */
async function fieldConditions(
  store: DataQueryStore,
  group: ReadableGroup,
  given: GivenParameters,
): Promise<DataFilter[]> {
  const fields = [...given].flatMap(([lower, { name, value }]) =>
    lower.startsWith('field.') ? [{ name: name.slice('field.'.length), value }] : [],
  )
  // Reading the names takes as long as reading the symbols.
  if (fields.length === 0) return []
  const keyNames = await store.keyNames(wholeGroup(group), { conditions: [] })
  const isKey = new Set(keyNames.map((name) => name.toLowerCase()))
  return fields.map(({ name, value }) =>
    condition(`${isKey.has(name.toLowerCase()) ? 'symbols' : 'metadata'}.${name}`, value),
  )
}

type ReadableGroup = Awaited<ReturnType<typeof readableGroup>>

function wholeGroup({ scope, limited }: ReadableGroup): SymbolFilter {
  return { scope, ...limited, groupNames: [], values: [], columns: [], terms: [] }
}

/** Parses a data query like its route. Errors use the field names of the data query. */
function parsed(query: DataQueryInput): DataQuery {
  const result = dataQuery.safeParse(query)
  if (result.success) return result.data
  throw invalidInput(
    result.error.issues.map(({ path, message }) => ({ field: String(path[0] ?? ''), message })),
  )
}

/** Returns whether a list of names includes a column; an empty list includes all of them. */
function visibleIn(fields: readonly string[]): (name: string) => boolean {
  const names = new Set(fields.map((name) => name.toLowerCase()))
  return (name) => names.size === 0 || names.has(name.toLowerCase())
}

/** Returns a table as a stream with one chunk for each piece of its rows. */
function tableOf(
  names: readonly string[],
  pieces: AsyncIterable<readonly string[][]>,
  format: 'csv' | 'json',
): DataResult {
  return format === 'csv'
    ? { contentType: 'text/csv; charset=utf-8', stream: csvOf(names, pieces) }
    : { contentType: 'application/json; charset=utf-8', stream: jsonOf(names, pieces) }
}

async function* noRows(): AsyncGenerator<string[][]> {}

async function* csvOf(
  names: readonly string[],
  pieces: AsyncIterable<readonly string[][]>,
): AsyncGenerator<Uint8Array> {
  yield csvLines([names])
  for await (const rows of pieces) if (rows.length > 0) yield csvLines(rows)
}

function csvLines(rows: readonly (readonly string[])[]): Uint8Array {
  return Buffer.from(rows.map((cells) => `${formatCsvRow(cells)}\n`).join(''))
}

async function* jsonOf(
  names: readonly string[],
  pieces: AsyncIterable<readonly string[][]>,
): AsyncGenerator<Uint8Array> {
  let separator = '['
  for await (const rows of pieces) {
    if (rows.length === 0) continue
    const objects = rows.map((row) =>
      JSON.stringify(Object.fromEntries(names.map((name, index) => [name, row[index]]))),
    )
    yield Buffer.from(separator + objects.join(','))
    separator = ','
  }
  yield Buffer.from(separator === '[' ? '[]' : ']')
}
