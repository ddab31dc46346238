import { isTimeZone } from '@headwater/ncsv'
import type { SeriesQuery, SeriesRange } from '@headwater/timeseries'
import { defaultLastAmount, symbolErrors, type DataQuery } from '../contract/index.ts'
import { parseLocalDate } from './local-date.ts'

/** The parts of the engine's question that do not depend on which series are asked. */
export type SeriesQuestion = Omit<SeriesQuery, 'symbolKeys' | 'metadataColumns' | 'selections'>

/**
 * Translates a data query for the engine.
 * @param now the moment NEXT begins and deltas end at when the query names none, UTC milliseconds
 * @throws AppError for what makes no sense or is not supported
 */
export function toSeriesQuestion(query: DataQuery, now: number): SeriesQuestion {
  refuseUnsupported(query)
  const timeZone = query.timeZone ?? 'UTC'
  if (!isTimeZone(timeZone)) throw symbolErrors.noSuchTimeZone({ timeZone })
  const limit = rowLimit(query)
  const asOf = dateOf(query, 'onDateTime', timeZone, true)
  return {
    range: rangeOf(query, timeZone, now),
    corrections: query.corrections ?? 'false',
    delta: query.delta,
    order: query.order ?? 'asc',
    // A limit is to take the newest rows of all series, not all rows of the first series.
    sortBy: (query.sortSymbols ?? limit === undefined) ? 'series' : 'time',
    timeZone,
    format: query.csv ? 'NCSV' : (query.formatType ?? 'NCSV'),
    statistics: query.stats,
    repeatAsData: true,
    ...(asOf === undefined ? {} : { asOf: asOf * 1000 + 999 }),
    ...(limit === undefined ? {} : { limit }),
    ...(query.dateFormat === undefined ? {} : { dateFormat: query.dateFormat }),
    ...(query.decimalPrecision === undefined
      ? {}
      : { decimalPrecision: query.decimalPrecision, roundingMode: query.roundingMode ?? 'HALF_UP' }),
  }
}

function rowLimit({ size = -1, absoluteSize = -1 }: DataQuery): number | undefined {
  const limits = [size, absoluteSize].filter((limit) => limit >= 0)
  return limits.length === 0 ? undefined : Math.min(...limits)
}

function rangeOf(query: DataQuery, timeZone: string, now: number): SeriesRange {
  const start = dateOf(query, 'startDate', timeZone, false)
  const end = dateOf(query, 'endDate', timeZone, true)
  const hasDate = start !== undefined || end !== undefined
  const kind = query.range ?? (hasDate ? 'BETWEEN' : query.lastTypeAmount === undefined ? 'ALL' : 'LAST')
  const unit = query.lastType ?? 'VALUES'
  const amount = query.lastTypeAmount ?? defaultLastAmount
  if (kind === 'ALL') return { kind }
  if (kind === 'BETWEEN')
    return {
      kind,
      ...(start === undefined ? {} : { from: start }),
      ...(end === undefined ? {} : { to: end }),
    }
  if (kind === 'NEXT') return { kind, unit, amount, anchor: start ?? now }
  const anchor = end ?? (query.delta ? now : undefined)
  return { kind, unit, amount, ...(anchor === undefined ? {} : { anchor }) }
}

function dateOf(
  query: DataQuery,
  field: 'startDate' | 'endDate' | 'onDateTime',
  timeZone: string,
  dayEnd: boolean,
): number | undefined {
  const text = query[field]
  if (text === undefined) return undefined
  const date = parseLocalDate(text, timeZone, dayEnd)
  if (date === undefined) throw symbolErrors.notADate({ field, text })
  return date
}

/** What a client may ask for and would not get: it is told so instead of being answered with something else. */
function refuseUnsupported(query: DataQuery): void {
  const refuse = (field: string, allowed: string) => {
    throw symbolErrors.notSupported({ field, allowed })
  }
  if (query.includeFileId) refuse('includeFileId', 'Leave it out, or send false.')
  if (query.skipEmptyColumns)
    refuse('skipEmptyColumns', 'Leave it out, or send false; name the wanted columns.')
  if (query.filters.length > 0) refuse('filters', 'Leave them out, or send an empty list.')
  if (query.holidayCalendar !== undefined && query.holidayCalendar !== null && query.holidayCalendar !== '')
    refuse('holidayCalendar', 'Leave it out; LAST and NEXT count calendar days.')
  if (
    query.delta &&
    (query.range === 'LAST' || query.range === 'NEXT') &&
    (query.lastType ?? 'VALUES') === 'VALUES'
  )
    refuse('delta with lastType VALUES', 'Use a unit of time such as DAYS, or BETWEEN.')
  const format = query.csv ? 'NCSV' : (query.formatType ?? 'NCSV')
  if (query.stats && format !== 'STANDARD' && format !== 'UI')
    refuse(`stats with ${format}`, 'Use STANDARD or UI.')
  for (const [index, key] of query.keys.entries()) {
    const at = `keys[${index}]`
    if (key.fillType !== undefined && key.fillType.toUpperCase() !== 'NONE')
      refuse(`${at}.fillType`, 'Leave it out, or send NONE; gaps stay gaps.')
    if (key.offsetType !== undefined && isWholeAmount(key.offsetAmount) && Number(key.offsetAmount) !== 0)
      refuse(`${at}.offsetAmount`, 'Leave offsetAmount and offsetType out.')
  }
}

/** An offset counts only when its amount is a whole number, written without a decimal point. */
function isWholeAmount(amount: number | string | null | undefined): boolean {
  return amount !== null && amount !== undefined && /^[+-]?\d+$/.test(String(amount).trim())
}
