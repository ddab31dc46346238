import type { DataPrepSymbols } from '../../contract/index.ts'
import type { DataQueryInput } from '@headwater/symbols/contract'
import { splitByGroup } from './merge-results.ts'
import { rowLimitOf } from './row-limit.ts'
import type { SeriesRange } from './series-range.ts'

/** A request to the data query route. */
export interface SeriesRequest {
  /** Query parameters. */
  query: { size: number; order: 'desc'; sortSymbols: boolean; omitNulls: boolean; absoluteSize?: number }
  /** Request body. */
  body: DataQueryInput
}

/** A data query and its groups. */
export interface SeriesQuery {
  /** Groups of the series. */
  groupNames: ReadonlySet<string>
  /** The request. */
  request: SeriesRequest
}

/** Returns the queries for series. Usually there is one: within each query a symbol belongs to one group only. */
export function seriesQueries(
  symbols: readonly DataPrepSymbols[],
  range: SeriesRange,
  options: Parameters<typeof seriesRequest>[2] = {},
): SeriesQuery[] {
  return splitByGroup(symbols).map((entries) => ({
    groupNames: new Set(entries.map(({ groupName }) => groupName)),
    request: seriesRequest(entries, range, options),
  }))
}

/**
 * Returns one request for all series, newest rows first.
 * @param options `warehouse`: whether the user's data come from the warehouse; `all`: whether the row limit of a page
 * applies; `drawn`: whether a chart draws the stored points; `metadata`: names of metadata to return; `filters`: filters on
 * symbols, metadata or values
 */
export function seriesRequest(
  symbols: readonly DataPrepSymbols[],
  range: SeriesRange,
  options: {
    warehouse?: boolean
    all?: boolean | undefined
    drawn?: boolean | undefined
    metadata?: readonly string[] | undefined
    filters?: DataQueryInput['filters']
  } = {},
): SeriesRequest {
  const { all = false, drawn = false, metadata = [] } = options
  const selection = {
    keys: mergedKeys(symbols, { warehouse: options.warehouse === true, metadata }),
    ...rangeFields(range),
  }
  const limit = rowLimitOf(selection, { absoluteSize: all ? null : range.absoluteSize, drawn })
  return {
    query: {
      size: -1,
      order: 'desc',
      sortSymbols: false,
      omitNulls: false,
      ...(limit.absoluteSize === undefined ? {} : { absoluteSize: limit.absoluteSize }),
    },
    body: {
      ...selection,
      ...limit.fields,
      timeZone: range.timeZone,
      formatType: 'NCSV',
      corrections: 'false',
      ...(range.decimalPrecision === null
        ? {}
        : { decimalPrecision: range.decimalPrecision, roundingMode: range.roundingMode }),
      ...((options.filters?.length ?? 0) === 0 ? {} : { filters: options.filters }),
    },
  }
}

/** Formats a date and a time for a request; a missing time is the start or the end of the day. */
export function dateBound(date: string, time: string, edge: 'start' | 'end'): string | undefined {
  if (date === '') return undefined
  const day = date.slice(0, 10)
  if (time === '') return `${day}${edge === 'start' ? 'T00:00:00.000' : 'T23:59:59.999'}`
  const [hours = '00', minutes = '00', seconds = '00'] = time.split(':')
  const [whole = '00', fraction = ''] = seconds.split('.')
  return `${day}T${hours.padStart(2, '0')}:${minutes.padStart(2, '0')}:${whole.padStart(2, '0')}.${fraction.padEnd(3, '0').slice(0, 3)}`
}

/** Returns whether a range between two dates ends before it begins. */
export function isBackwards(range: SeriesRange): boolean {
  const { startDate, endDate } = rangeFields(range)
  return typeof startDate === 'string' && typeof endDate === 'string' && startDate > endDate
}

function rangeFields(range: SeriesRange): Partial<DataQueryInput> {
  const known = range.onDateTime === undefined ? {} : { onDateTime: range.onDateTime }
  if (range.range === 'ALL') return { range: 'ALL', ...known }
  if (range.range === 'BETWEEN')
    return {
      range: 'BETWEEN',
      startDate: dateBound(range.from, range.fromTime, 'start'),
      endDate: dateBound(range.to, range.toTime, 'end'),
      ...known,
    }
  const { lastType, lastTypeAmount, time, holidayCalendar } = range
  const isClocked = time !== undefined && lastType !== 'VALUES'
  return {
    range: range.range,
    lastType,
    lastTypeAmount,
    ...(isClocked ? { lastTypeOnTime: time, lastTypeOnTimeTimezone: range.timezone ?? range.timeZone } : {}),
    ...(holidayCalendar !== undefined && lastType === 'WORKING_DAYS' ? { holidayCalendar } : {}),
    ...known,
  }
}

/** Merges entries of the same symbol into one key with all their columns. */
function mergedKeys(
  symbols: readonly DataPrepSymbols[],
  { warehouse, metadata }: { warehouse: boolean; metadata: readonly string[] },
): NonNullable<DataQueryInput['keys']> {
  const keys = new Map<string, NonNullable<DataQueryInput['keys']>[number] & { columns: string[] }>()
  for (const entry of symbols) {
    const names = Object.keys(entry.symbols).sort()
    const extras = { ...offsetOf(entry), ...fillOf(entry) }
    const signature = JSON.stringify([
      entry.groupName,
      names.map((name) => [name, entry.symbols[name]]),
      extras,
      patternOf(entry),
    ])
    const columns = columnsOf(entry)
    const known = keys.get(signature)
    if (known === undefined)
      keys.set(signature, {
        groupName: entry.groupName,
        symbols: entry.symbols,
        metadatas: [...metadata],
        columns: [...columns],
        ...patternOf(entry),
        ...extras,
        ...(warehouse ? { source: 'WAREHOUSE' } : {}),
      })
    else if (known.columns.length > 0)
      known.columns = columns.length === 0 ? [] : Array.from(new Set(known.columns.concat(columns)))
  }
  return [...keys.values()]
}

/** The columns of an entry; older definitions have a separate field for a single column. */
function columnsOf({ valueColumnNames = [], valueColumnName }: DataPrepSymbols): string[] {
  if (valueColumnNames.length > 0) return valueColumnNames
  return typeof valueColumnName === 'string' && valueColumnName !== '' ? [valueColumnName] : []
}

function patternOf({ pattern, patternExactMatch, symbolValuesExactMatch }: DataPrepSymbols): object {
  if (pattern !== true) return {}
  return {
    pattern,
    ...(patternExactMatch === true ? { patternExactMatch } : {}),
    ...(symbolValuesExactMatch === true ? { symbolValuesExactMatch } : {}),
  }
}

/** An offset applies only if it has a type and a whole amount. */
function offsetOf({ offsetType, offsetAmount }: DataPrepSymbols): object {
  const amount = typeof offsetAmount === 'number' ? String(offsetAmount) : offsetAmount
  if (typeof offsetType !== 'string' || offsetType === '') return {}
  if (typeof amount !== 'string' || !/^[+-]?\d+$/.test(amount.trim())) return {}
  return { offsetType, offsetAmount: Number(amount) }
}

/** A fill by average applies only if it has a number of points. */
function fillOf({ fillType, avgPointsAmount }: DataPrepSymbols): object {
  if (typeof fillType !== 'string' || fillType === '') return {}
  if (!/AVG|AVERAGE/i.test(fillType)) return { fillType }
  const amount = typeof avgPointsAmount === 'number' ? String(avgPointsAmount) : avgPointsAmount
  return typeof amount === 'string' && amount.trim() !== '' ? { fillType, avgPointsAmount: amount } : {}
}
