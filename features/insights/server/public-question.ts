import { isDeepStrictEqual } from 'node:util'
import {
  dataKey,
  dataRanges,
  defaultLastAmount,
  lastTypes,
  type DataKey,
  type DataQuery,
} from '@headwater/symbols/contract'
import { insightErrors, type AllowedParameter } from '../contract/index.ts'
import { chartDrawPoints } from '../contract/series/row-limit.ts'
import { unitMetadata } from '../contract/tiles/stats/stats-tile.ts'
import { rangeOfQuery, type ShownRequest, type ShownSeries } from './shown-series.ts'

/** What visitors of a public view may set, besides what the insight says. */
export interface Allowed {
  parameters: readonly AllowedParameter[]
  /** Whether they may choose the range of dates. */
  dates: boolean
}

/** What `*` among the values of a parameter stands for: any value. */
export const anyValue = '*'

/** How a field of a query of a visitor is checked. */
type FieldRule =
  /** By a function of its own, for each series. */
  | { check: 'own' }
  /** Not at all: it chooses only how rows are written, or fewer of them. `reason` says which. */
  | { check: 'none'; reason: string }
  /** It is absent, or one of the values that tiles send. */
  | { check: 'values'; values: readonly unknown[] }
  /** It is that of the saved data prep which shows the series. Tiles without one have `otherwise`. */
  | { check: 'prep'; otherwise: unknown }

const own: FieldRule = { check: 'own' }
const absent: FieldRule = { check: 'values', values: [] }
const fewerRows: FieldRule = { check: 'none', reason: 'leaves out rows that the series shows' }
const orderOfRows: FieldRule = { check: 'none', reason: 'puts the rows in another order' }
const withoutEffect: FieldRule = { check: 'none', reason: 'changes nothing' }
const digits: FieldRule = { check: 'none', reason: 'rounds values; tiles round for reading only' }

/** The rule of each field of a query. A field without one does not compile, so that somebody decides about it. */
const queryRules: Record<keyof DataQuery, FieldRule> = {
  keys: own,
  groupName: absent,
  range: own,
  startDate: own,
  endDate: own,
  lastType: own,
  lastTypeAmount: own,
  time: own,
  lastTypeOnTime: own,
  timezone: own,
  lastTypeOnTimeTimezone: own,
  holidayCalendar: own,
  onDateTime: own,
  timeZone: own,
  filters: own,
  corrections: { check: 'prep', otherwise: 'false' },
  delta: { check: 'prep', otherwise: false },
  metadata: { check: 'prep', otherwise: false },
  outputLayout: { check: 'prep', otherwise: 'ROWS' },
  skipEmptyColumns: { check: 'prep', otherwise: false },
  resample: { check: 'prep', otherwise: undefined },
  aggregate: absent,
  hours: { check: 'prep', otherwise: undefined },
  weekdays: { check: 'prep', otherwise: undefined },
  formatType: { check: 'values', values: ['NCSV'] },
  drawPoints: { check: 'values', values: [chartDrawPoints] },
  symbolSize: { check: 'values', values: [-1] },
  stats: { check: 'values', values: [false] },
  includeFileId: { check: 'values', values: [false] },
  nextPageToken: absent,
  dateFormat: absent,
  size: fewerRows,
  absoluteSize: fewerRows,
  windowStart: fewerRows,
  windowEnd: fewerRows,
  order: orderOfRows,
  sortSymbols: orderOfRows,
  decimalPrecision: digits,
  roundingMode: digits,
  csv: { check: 'none', reason: 'asks for NCSV, which is the only format' },
  countRows: { check: 'none', reason: 'counts rows that the series shows' },
  omitNulls: withoutEffect,
}

/** The rule of each field of a key, as {@link queryRules}. */
const keyRules: Record<keyof DataKey, FieldRule> = {
  groupName: own,
  symbols: own,
  columns: own,
  metadatas: own,
  pattern: own,
  patternExactMatch: own,
  symbolValuesExactMatch: own,
  offsetAmount: own,
  offsetType: own,
  fillType: own,
  avgPointsAmount: own,
  fillMaxAge: own,
  source: withoutEffect,
  type: withoutEffect,
}

/**
 * Throws unless a query of a visitor is one of the insight: every key a series it shows, with its columns, its range
 * and conditions, and no field that {@link queryRules} refuses. Groups are by their names.
 */
export function requireShown(query: DataQuery, series: readonly ShownSeries[], allowed: Allowed): void {
  requireValues(query, queryRules)
  for (const key of query.keys) requireValues(key, keyRules)
  const { keys } = query
  if (keys.length === 0) throw refused('whole groups')
  if (keys.some(({ metadatas }) => metadatas.some((name) => name !== unitMetadata))) throw refused('metadata')
  const index = indexOf(series, allowed)
  const requested = new Set<ShownSeries>()
  /** For each key and column, the series whose tile requests others together with it. */
  const dependent: ShownSeries[][] = []
  /** For each key and column, the series that show it. */
  const showing: ShownSeries[][] = []
  let compared = 0
  for (const key of keys) {
    const asked = columnByColumn(key)
    const candidates = index.candidates(key)
    compared += candidates.length * asked.length
    if (compared > maxCompared) throw refused('so many series at once')
    const named = candidates.filter((shown) => isOf(key, shown, allowed))
    const chosen = named.filter(
      (shown) => hasForm(query, shown, allowed) && hasFilters(query, shown, allowed),
    )
    for (const one of asked) {
      const known = named.filter((shown) => hasColumns(one, shown))
      if (known.length === 0) throw refused('this series')
      const own = chosen.filter((shown) => hasColumns(one, shown))
      if (own.length === 0) throw refused('points chosen like this')
      const free = own.filter((shown) => isChosenRange(query, shown, allowed))
      const ranged = own.filter((shown) => isWithin(query, shown))
      if (free.length + ranged.length === 0) throw refused('this range of dates')
      if (free.length === 0 && ranged.every(isCounted)) dependent.push(ranged)
      showing.push([...free, ...ranged])
    }
    for (const shown of chosen) if (isWhole(key, shown)) requested.add(shown)
  }
  const isComplete = completeRequests(requested, allowed)
  if (!dependent.every((shown) => shown.some(isComplete)))
    throw refused('these series or columns without the others of their tile')
  if (keys.some((key) => fillOf(key) !== '') && !haveCommonPart(showing))
    throw refused('filled values at the times of these series')
}

/** Refuses what tiles never send. */
function requireValues<Asked extends object>(asked: Asked, rules: Record<keyof Asked, FieldRule>): void {
  for (const [field, value] of Object.entries(asked) as [keyof Asked & string, unknown][]) {
    const rule = Object.hasOwn(rules, field) ? rules[field] : absent
    if (rule.check === 'values' && value !== undefined && !rule.values.includes(value))
      throw refused(`data for this value of “${field}”`)
  }
}

/** Whether LAST or NEXT decides which points a series shows. Then fewer columns or series bring other points. */
function isCounted({ place, query: own }: ShownSeries): boolean {
  const range = own !== undefined && place === rangeOfQuery ? own.range : rangeWord(place.range)
  return range !== 'ALL' && range !== 'BETWEEN'
}

/** Whether a key requests all that a series means: its symbols with all of its columns. */
function isWhole(key: DataKey, shown: ShownSeries): boolean {
  const { pattern, patternExactMatch, symbols, columns } = shown
  const isOne = patternExactMatch && !Object.values(symbols).some((value) => value.includes('*'))
  if (pattern && !key.pattern && !isOne) return false
  return key.columns.length === 0 || columns?.every((name) => key.columns.includes(name)) === true
}

/**
 * Finds whether a query has all that the tile requests together with a series. More columns and series bring only newer
 * points, as LAST counts rows with a value in any column, and time from the newest point of all series. Each request of a tile is
 * looked through once, however many keys are of it.
 */
function completeRequests(
  requested: ReadonlySet<ShownSeries>,
  { parameters }: Allowed,
): (shown: ShownSeries) => boolean {
  // With other values of parameters, the tile may request each group in a query of its own.
  const isApart = parameters.length > 0
  const missing = new Map<ShownRequest, ReadonlySet<string>>()
  return ({ groupName, request }) => {
    if (request === undefined) return false
    const groups =
      missing.get(request) ??
      new Set(request.series.filter((shown) => !requested.has(shown)).map((shown) => shown.groupName))
    missing.set(request, groups)
    return isApart ? !groups.has(groupName) : groups.size === 0
  }
}

/** Whether one tile shows all: gaps are filled at the timestamps of all series of a query. */
function haveCommonPart(showing: readonly ShownSeries[][]): boolean {
  const [first = new Set<object>(), ...others] = showing.map(
    (shown) => new Set(shown.flatMap(({ request }) => request?.part ?? [])),
  )
  return [...first].some((part) => others.every((parts) => parts.has(part)))
}

/** Tiles ask at once for all columns of a symbol, which an insight may name one by one. */
function columnByColumn(key: DataKey): DataKey[] {
  return key.columns.length < 2 ? [key] : key.columns.map((column) => ({ ...key, columns: [column] }))
}

/** So many series are looked at for one question; one that asks for what is shown looks at few. */
const maxCompared = 1_000_000

/** Finds the series that a key may ask for without looking at all of them. */
interface ShownIndex {
  candidates(key: DataKey): readonly ShownSeries[]
}

const indexes = new WeakMap<readonly ShownSeries[], Map<string, ShownIndex>>()

/** The index of a list of series, made once for each choice of parameters. */
function indexOf(series: readonly ShownSeries[], { parameters }: Allowed): ShownIndex {
  const free = new Set(parameters.map(({ name }) => name.toLowerCase()))
  const choice = JSON.stringify([...free].toSorted())
  const known = indexes.get(series) ?? new Map<string, ShownIndex>()
  indexes.set(series, known)
  const index = known.get(choice) ?? createIndex(series, free)
  known.set(choice, index)
  return index
}

function createIndex(series: readonly ShownSeries[], free: ReadonlySet<string>): ShownIndex {
  const named = new Map<string, ShownSeries[]>()
  const open = new Map<string, ShownSeries[]>()
  // What is named completely is asked for by its own values, but for those that parameters may change.
  const wordOf = (groupName: string | undefined, symbols: Record<string, string>) =>
    JSON.stringify([
      groupName,
      Object.entries(symbols)
        .filter(([name]) => !free.has(name.toLowerCase()))
        .toSorted(([a], [b]) => (a < b ? -1 : 1)),
    ])
  for (const shown of series) {
    const isOpen = shown.pattern || Object.keys(shown.symbols).length === 0
    const [list, word] = isOpen ? [open, shown.groupName] : [named, wordOf(shown.groupName, shown.symbols)]
    const before = list.get(word)
    if (before === undefined) list.set(word, [shown])
    else before.push(shown)
  }
  return {
    candidates: ({ groupName = '', symbols }) => [
      ...(named.get(wordOf(groupName, symbols)) ?? []),
      ...(open.get(groupName) ?? []),
    ],
  }
}

function refused(what: string) {
  return insightErrors.questionNotInInsight({ what })
}

/** Whether a key asks for a series that is shown, or for what an allowed parameter makes of it. */
function isOf(key: DataKey, shown: ShownSeries, allowed: Allowed): boolean {
  if (key.groupName !== shown.groupName) return false
  if (key.metadatas.length > 0 && !shown.showsUnit) return false
  // What is named completely is also asked for by a pattern that means exactly it.
  const isMadePattern = key.pattern && !shown.pattern
  if (isMadePattern && !key.patternExactMatch) return false
  // What a pattern means is also asked for by naming one of its symbols completely, as charts and stats do.
  if (key.pattern) {
    if (shown.patternExactMatch && !key.patternExactMatch) return false
    if (shown.symbolValuesExactMatch && !key.symbolValuesExactMatch) return false
  }
  if (fillOf(key) !== fillOf(shownFill(shown))) return false
  if (offsetOf(key.offsetType, key.offsetAmount) !== offsetOf(shown.offset.type, shown.offset.amount))
    return false
  const names = Object.keys(shown.symbols)
  const further = Object.keys(key.symbols).filter((name) => !names.includes(name))
  if (!names.every((name) => Object.hasOwn(key.symbols, name))) return false
  if (names.length === 0 && Object.keys(key.symbols).length === 0) return true
  const isOpen = shown.pattern || names.length === 0
  if (further.length > 0 && (!isOpen || shown.patternExactMatch)) return false
  return Object.entries(key.symbols).every(([name, value]) => {
    const isWild = key.pattern && !key.symbolValuesExactMatch && value.includes('*')
    if (!further.includes(name) && value === shown.symbols[name] && !(isWild && isMadePattern)) return true
    return isAllowed(name, value, isWild, allowed)
  })
}

/** Whether the columns of a key are among those of a series. */
function hasColumns({ columns: asked }: DataKey, { columns }: ShownSeries): boolean {
  return columns === undefined || (asked.length > 0 && asked.every((name) => columns.includes(name)))
}

/** Whether a link lets a visitor set a parameter to a value; `isWild`: a `*` in it stands for any text. */
export function isAllowed(name: string, value: string, isWild: boolean, { parameters }: Allowed): boolean {
  return parameters.some(
    (parameter) =>
      parameter.name.toLowerCase() === name.toLowerCase() &&
      (parameter.values.includes(anyValue) || (!isWild && parameter.values.includes(value))),
  )
}

/** What a link allows for a parameter, which is known in any letter case; undefined = nothing. */
export function allowedParameter({ parameters }: Allowed, name: string): AllowedParameter | undefined {
  return parameters.find((parameter) => parameter.name.toLowerCase() === name.toLowerCase())
}

/** The fields that are those of a saved data prep. */
const prepFields = Object.entries(queryRules).flatMap(([field, rule]) =>
  rule.check === 'prep' ? [{ field: field as keyof DataQuery, otherwise: rule.otherwise }] : [],
)

/** Whether what besides the series and its range decides which points are meant is that of the series. */
function hasForm(query: DataQuery, shown: ShownSeries, allowed: Allowed): boolean {
  return (
    prepFields.every(({ field, otherwise }) =>
      isDeepStrictEqual(query[field] ?? otherwise, shown.query?.[field] ?? otherwise),
    ) &&
    textOf(query.onDateTime) === textOf(shown.place.onDateTime) &&
    hasCalendar(query, shown, allowed) &&
    hasZone(query, shown)
  )
}

/** Dates in conditions and the moment of what was known are read in the zone of the query. */
function hasZone({ timeZone, filters, onDateTime }: DataQuery, { place, query: own }: ShownSeries): boolean {
  if (filters.length === 0 && onDateTime === undefined) return true
  return (
    zoneOf(timeZone) === zoneOf(own !== undefined && place === rangeOfQuery ? own.timeZone : place.timeZone)
  )
}

/** Whether the conditions of a series hold, and no others besides those of allowed parameters. */
function hasFilters(query: DataQuery, { filters }: ShownSeries, allowed: Allowed): boolean {
  const asked = query.filters.map(({ name, operator, value }) => ({
    name,
    operator,
    value: String(value ?? ''),
  }))
  const isSame = (a: { name: string; operator: string; value: string }, b: typeof a) =>
    a.name === b.name && a.operator === b.operator && a.value === b.value
  const isOfParameter = ({ name, operator, value }: (typeof asked)[number]) =>
    operator === 'EQUALS' &&
    name.startsWith('metadata.') &&
    isAllowed(name.slice('metadata.'.length), value, value.includes('*'), allowed)
  return (
    asked.every((filter) => filters.some((own) => isSame(own, filter)) || isOfParameter(filter)) &&
    filters.every((own) =>
      asked.some((filter) => isSame(own, filter) || (filter.name === own.name && isOfParameter(filter))),
    )
  )
}

/** Whether visitors choose the range of a series; a tile that keeps its own has no other. */
function isRangeFree({ isRangeKept }: ShownSeries, { dates }: Allowed): boolean {
  return dates && !isRangeKept
}

/** Whether a question has a range that a page offers: NEXT is a range of tiles alone. */
function isChosenRange(query: DataQuery, shown: ShownSeries, allowed: Allowed): boolean {
  return isRangeFree(shown, allowed) && query.range !== 'NEXT'
}

/** Whether a question stays within the range of the part that shows the series. */
function isWithin(query: DataQuery, { place, query: own }: ShownSeries): boolean {
  if (own !== undefined && place === rangeOfQuery)
    return (
      (['range', 'startDate', 'endDate', 'lastType', 'lastTypeAmount', 'timeZone'] as const).every(
        (field) => query[field] === own[field],
      ) && clockOf(query) === clockOf(own)
    )
  const wanted = rangeWord(place.range)
  if (wanted === 'ALL') return true
  if (wanted === 'BETWEEN') return clockOf(query) === '' && isBetween(query, place)
  const amount = Number(textOf(place.lastTypeAmount))
  const most = Number.isInteger(amount) && amount >= 1 ? amount : defaultLastAmount
  const unit = unitOf(place)
  return (
    (query.range ?? (query.lastTypeAmount === undefined ? undefined : 'LAST')) === wanted &&
    query.endDate === undefined &&
    query.startDate === undefined &&
    (query.lastType ?? 'VALUES') === unit &&
    (query.lastTypeAmount ?? defaultLastAmount) <= most &&
    clockOf(query) === clockOfPlace(place) &&
    // Points are counted alike in every zone, days are not.
    (unit === 'VALUES' || zoneOf(query.timeZone) === zoneOf(place.timeZone))
  )
}

/** LAST is also what stands for a word that nobody knows. */
function rangeWord(range: unknown): (typeof dataRanges)[number] {
  return dataRanges.find((word) => word === textOf(range)) ?? 'LAST'
}

function unitOf({ lastType }: Record<string, unknown>): (typeof lastTypes)[number] {
  return lastTypes.find((unit) => unit === textOf(lastType)) ?? 'VALUES'
}

/** The clock time that a question counts from, with its zone; empty = none. */
function clockOf(query: DataQuery): string {
  const time = query.lastTypeOnTime ?? query.time
  if (time === undefined) return ''
  return `${time} ${zoneOf(query.lastTypeOnTimeTimezone ?? query.timezone ?? query.timeZone)}`
}

function clockOfPlace(place: Record<string, unknown>): string {
  const time = textOf(place.time)
  return time === '' || unitOf(place) === 'VALUES'
    ? ''
    : `${time} ${zoneOf(place.timezone || place.timeZone)}`
}

function zoneOf(zone: unknown): string {
  return textOf(zone) || 'UTC'
}

/** Whether working days are counted by the calendar of the part that shows the series. */
function hasCalendar(query: DataQuery, shown: ShownSeries, allowed: Allowed): boolean {
  const { place, query: own } = shown
  const asked = textOf(query.holidayCalendar)
  const wanted =
    own !== undefined && place === rangeOfQuery
      ? textOf(own.holidayCalendar)
      : unitOf(place) === 'WORKING_DAYS'
        ? textOf(place.holidayCalendar)
        : ''
  // A range that the visitor chose need not count working days.
  return (
    asked === wanted ||
    (isRangeFree(shown, allowed) && (asked === '' || asked === textOf(place.holidayCalendar)))
  )
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?$/

function isBetween(query: DataQuery, place: Record<string, unknown>): boolean {
  if (query.range !== 'BETWEEN') return false
  if (zoneOf(query.timeZone) !== zoneOf(place.timeZone)) return false
  const from = boundOf(place.from, place.fromTime, '00:00:00.000')
  const to = boundOf(place.to, place.toTime, '23:59:59.999')
  const { startDate, endDate } = query
  if (from !== undefined && (startDate === undefined || !dateTime.test(startDate) || startDate < from))
    return false
  // Times compare as texts; one that ends earlier, as 12:00 does, stands for its whole minute.
  return to === undefined || (endDate !== undefined && dateTime.test(endDate) && endDate <= `${to}~`)
}

function boundOf(date: unknown, time: unknown, otherwise: string): string | undefined {
  if (typeof date !== 'string' || date === '') return undefined
  return `${date.slice(0, 10)}T${typeof time === 'string' && time !== '' ? time : otherwise}`
}

/** An offset counts only with a type and a whole amount. */
function offsetOf(type: unknown, amount: unknown): string {
  const whole = textOf(amount).trim()
  return textOf(type) === '' || !/^[+-]?\d+$/.test(whole) ? '' : `${textOf(type)} ${Number(whole)}`
}

/** How gaps are filled; empty = not at all. */
function fillOf({ fillType, avgPointsAmount, fillMaxAge }: Partial<DataKey>): string {
  if (fillType === undefined || fillType === 'NONE') return ''
  if (fillType !== 'AVERAGE') return `${fillType} ${fillMaxAge ?? ''}`
  const points = textOf(avgPointsAmount).trim()
  return points === '' ? '' : `${fillType} ${Number(points)}`
}

function shownFill({ fill }: ShownSeries): Partial<DataKey> {
  if (textOf(fill.type) === '') return {}
  return {
    fillType: dataKey.shape.fillType.safeParse(fill.type).data,
    avgPointsAmount: dataKey.shape.avgPointsAmount.safeParse(fill.points).data,
  }
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).toUpperCase() : ''
}
