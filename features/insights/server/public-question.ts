import { defaultLastAmount, type DataKey, type DataQuery } from '@headwater/symbols/contract'
import { insightErrors, type AllowedParameter, type ShownSeries } from '../contract/index.ts'

/** What visitors of a public view may set, besides what the insight says. */
export interface Allowed {
  parameters: readonly AllowedParameter[]
  /** Whether they may choose the range of dates. */
  dates: boolean
}

/**
 * Throws unless a question of a visitor is one of the insight: every key a series it shows, with its columns, its range
 * and nothing it does not show. Groups are by their names.
 */
export function requireShown(query: DataQuery, series: readonly ShownSeries[], allowed: Allowed): void {
  const { keys } = query
  if (keys.length === 0 || query.groupName !== undefined) throw refused('whole groups')
  if (query.filters.length > 0) throw refused('chosen points')
  if (query.metadata || keys.some(({ metadatas }) => metadatas.length > 0)) throw refused('metadata')
  if (query.includeFileId) throw refused('files of points')
  if (query.delta || query.onDateTime !== undefined || (query.corrections ?? 'false') !== 'false')
    throw refused('older versions of points')
  for (const key of keys) {
    const known = series.filter((shown) => isOf(key, shown, allowed))
    if (known.length === 0) throw refused('this series')
    if (!allowed.dates && !known.some(({ place }) => isWithin(query, place)))
      throw refused('this range of dates')
  }
}

function refused(what: string) {
  return insightErrors.questionNotInInsight({ what })
}

/** Whether a key asks for a series that is shown, or for what an allowed parameter makes of it. */
function isOf(key: DataKey, shown: ShownSeries, allowed: Allowed): boolean {
  if (key.groupName !== shown.groupName || (key.pattern && !shown.pattern)) return false
  if (shown.pattern && !key.pattern) return false
  const { columns } = shown
  if (
    columns !== undefined &&
    (key.columns.length === 0 || !key.columns.every((name) => columns.includes(name)))
  )
    return false
  if (offsetOf(key.offsetType, key.offsetAmount) !== offsetOf(shown.offset.type, shown.offset.amount))
    return false
  const names = Object.keys(shown.symbols)
  if (names.length !== Object.keys(key.symbols).length) return false
  return names.every((name) => {
    const value = Object.hasOwn(key.symbols, name) ? key.symbols[name] : undefined
    return (
      value !== undefined &&
      (value === shown.symbols[name] ||
        // A star would stand for values that nobody allowed.
        (!(key.pattern && value.includes('*')) &&
          allowed.parameters.some(
            (parameter) => parameter.name === name && parameter.values.includes(value),
          )))
    )
  })
}

/** Whether a question stays within the range of the part that shows the series. */
function isWithin(query: DataQuery, place: Record<string, unknown>): boolean {
  const wanted = textOf(place.range) || 'LAST'
  if (wanted === 'ALL') return true
  if (query.time !== undefined || query.lastTypeOnTime !== undefined) return false
  if (wanted === 'BETWEEN') return isBetween(query, place)
  const amount = Number(place.lastTypeAmount)
  const most = Number.isInteger(amount) && amount >= 1 ? amount : defaultLastAmount
  return (
    (query.range ?? (query.lastTypeAmount === undefined ? undefined : 'LAST')) === 'LAST' &&
    query.endDate === undefined &&
    query.startDate === undefined &&
    (query.lastType ?? 'VALUES') === (textOf(place.lastType) || 'VALUES') &&
    (query.lastTypeAmount ?? defaultLastAmount) <= most
  )
}

const dateTime = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?$/

function isBetween(query: DataQuery, place: Record<string, unknown>): boolean {
  if (query.range !== 'BETWEEN') return false
  if ((textOf(query.timeZone) || 'UTC') !== (textOf(place.timeZone) || 'UTC')) return false
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
