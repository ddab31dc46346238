import {
  dataRanges,
  defaultLastAmount,
  lastTypes,
  type DataKey,
  type DataQuery,
} from '@headwater/symbols/contract'
import { insightErrors, type AllowedParameter } from '../contract/index.ts'
import { unitMetadata } from '../contract/tiles/stats/stats-tile.ts'
import { rangeOfQuery, type ShownSeries } from './shown-series.ts'

/** What visitors of a public view may set, besides what the insight says. */
export interface Allowed {
  parameters: readonly AllowedParameter[]
  /** Whether they may choose the range of dates. */
  dates: boolean
}

/** What `*` among the values of a parameter stands for: any value. */
export const anyValue = '*'

/**
 * Throws unless a question of a visitor is one of the insight: every key a series it shows, with its columns, its range
 * and conditions and nothing it does not show. Groups are by their names.
 */
export function requireShown(query: DataQuery, series: readonly ShownSeries[], allowed: Allowed): void {
  const { keys } = query
  if (keys.length === 0 || query.groupName !== undefined) throw refused('whole groups')
  if (keys.some(({ metadatas }) => metadatas.some((name) => name !== unitMetadata))) throw refused('metadata')
  if (query.includeFileId) throw refused('where points came from')
  const index = indexOf(series, allowed)
  let compared = 0
  for (const key of keys) {
    const candidates = index.candidates(key)
    const asked = columnByColumn(key)
    compared += candidates.length * asked.length
    if (compared > maxCompared) throw refused('so many series at once')
    for (const one of asked) {
      const known = candidates.filter((shown) => isOf(one, shown, allowed) && hasForm(query, shown, allowed))
      if (known.length === 0) throw refused('this series')
      const chosen = known.filter((shown) => hasFilters(query, shown, allowed))
      if (chosen.length === 0) throw refused('points chosen like this')
      if (!chosen.some((shown) => isChosenRange(query, shown, allowed) || isWithin(query, shown)))
        throw refused('this range of dates')
    }
  }
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
  const { columns } = shown
  if (
    columns !== undefined &&
    (key.columns.length === 0 || !key.columns.every((name) => columns.includes(name)))
  )
    return false
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

/** What besides the series decides which points are meant. */
const formFields = ['delta', 'corrections', 'metadata'] as const

function hasForm(query: DataQuery, shown: ShownSeries, allowed: Allowed): boolean {
  const plain = { delta: false, corrections: 'false', metadata: false }
  const wanted = shown.query ?? plain
  return (
    formFields.every((field) => (query[field] ?? plain[field]) === (wanted[field] ?? plain[field])) &&
    textOf(query.onDateTime) === textOf(shown.place.onDateTime) &&
    hasCalendar(query, shown, allowed)
  )
}

/** Whether the conditions of a series hold, and no others besides those of allowed parameters. */
function hasFilters(query: DataQuery, { filters }: ShownSeries, allowed: Allowed): boolean {
  const asked = query.filters.map(({ name, operator, value }) => ({ name, operator, value: String(value) }))
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

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).toUpperCase() : ''
}
