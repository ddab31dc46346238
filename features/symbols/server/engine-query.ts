import { invalidInput } from '@headwater/contract'
import { isTimeZone } from '@headwater/zones'
import type { AggregateFunction, ResampleFunction, SeriesQuery, SeriesRange } from '@headwater/timeseries'
import { defaultLastAmount, maxVariants, symbolErrors, type DataQuery } from '../contract/index.ts'
import { latestAtTimeOfDay, parseLocalDate, parseTimeOfDay } from './local-date.ts'
import { parseRelativeDate } from './relative-date.ts'
import { fillOf, type SeriesVariant } from './series-variant.ts'

/** The parts of an engine query that depend neither on the selected series nor on stored data. */
export type EngineQuery = Omit<
  SeriesQuery,
  'symbolKeys' | 'metadataColumns' | 'selections' | 'calendar' | 'filters' | 'versionTexts'
> & { timeZone: string; range: SeriesRange }

/**
 * Converts a data query for the engine.
 * @param now start of NEXT and end of deltas if the query has none, UTC milliseconds
 * @throws AppError for an invalid combination
 */
export function toEngineQuery(query: DataQuery, now: number): EngineQuery {
  const timeZone = query.timeZone ?? 'UTC'
  if (!isTimeZone(timeZone)) throw symbolErrors.noSuchTimeZone({ timeZone })
  const format = query.csv ? 'NCSV' : (query.formatType ?? 'NCSV')
  const corrections = query.corrections ?? 'false'
  checkLayout(query, format, corrections)
  checkAggregate(query, corrections)
  const limit = rowLimit(query)
  const asOf = dateOf(query, 'onDateTime', { timeZone, now, dayEnd: true })
  const window = windowOf(query, timeZone, now)
  const hasStatistics = format === 'STANDARD' || format === 'UI'
  return {
    range: rangeOf(query, timeZone, now),
    corrections,
    delta: query.delta,
    order: query.order ?? 'asc',
    // With a limit, the result contains rows of all series and not all rows of the first series.
    sortBy: (query.sortSymbols ?? limit === undefined) ? 'series' : 'time',
    timeZone,
    format,
    statistics: query.stats && hasStatistics,
    repeatAsData: true,
    ...(query.skipEmptyColumns ? { skipEmptyColumns: true } : {}),
    ...(query.outputLayout === 'COLUMNS' ? { layout: 'columns' } : {}),
    ...(asOf === undefined ? {} : { asOf: asOf * 1000 + 999 }),
    ...(limit === undefined ? {} : { limit }),
    ...(query.drawPoints === undefined ? {} : { drawPoints: query.drawPoints }),
    ...(window === undefined ? {} : { window }),
    ...(query.countRows ? { countRows: true } : {}),
    ...(query.hours === undefined ? {} : { hours: query.hours }),
    ...(query.weekdays === undefined ? {} : { weekdays: query.weekdays }),
    ...(query.resample === undefined ? {} : { resample: resampleOf(query.resample) }),
    ...(query.aggregate === undefined
      ? {}
      : { aggregate: { functions: functionsOf<AggregateFunction>(query.aggregate.functions) } }),
    ...(query.dateFormat === undefined ? {} : { dateFormat: query.dateFormat }),
    ...(query.decimalPrecision === undefined
      ? {}
      : { decimalPrecision: query.decimalPrecision, roundingMode: query.roundingMode ?? 'HALF_UP' }),
  }
}

/** Fields of a query that do not affect which values its result contains. */
const fieldsOfForm: ReadonlySet<string> = new Set<keyof DataQuery>([
  'groupName',
  'order',
  'timeZone',
  'metadata',
  'csv',
  'dateFormat',
  'decimalPrecision',
  'roundingMode',
])

/** Returns whether the result of a query contains every current value of the symbols of its keys, in rows of text. */
export function hasAllValues({ keys, range = 'ALL', formatType = 'NCSV', ...others }: DataQuery): boolean {
  const isUnset = (value: unknown) =>
    value === undefined || value === false || (Array.isArray(value) && value.length === 0)
  return (
    range === 'ALL' &&
    formatType === 'NCSV' &&
    (others.corrections ?? 'false') === 'false' &&
    keys.every(({ columns, offsetAmount, fillType }) =>
      [columns, offsetAmount, fillType].every((value) => isUnset(value)),
    ) &&
    Object.entries(others).every(
      ([name, value]) => isUnset(value) || name === 'corrections' || fieldsOfForm.has(name),
    )
  )
}

/**
 * Checks the number of different offsets and fills.
 * @throws AppError `tooManyVariants`
 */
export function checkVariantCount(variants: readonly SeriesVariant[]): void {
  const count = new Set(variants.map((variant) => JSON.stringify(variant))).size
  if (count > maxVariants) throw symbolErrors.tooManyVariants({ count, limit: maxVariants })
}

/** Rejects too many offsets and fills, and those that conflict with the rest of the query. */
export function checkVariants(variants: readonly SeriesVariant[], query: DataQuery): void {
  checkVariantCount(variants)
  const isCorrected = (query.corrections ?? 'false') !== 'false'
  for (const [index, { shift, fill }] of variants.entries()) {
    const refuse = (field: string, message: string) => {
      throw invalidInput([{ field: `keys[${index}].${field}`, message }])
    }
    if (shift !== undefined && (isCorrected || query.delta))
      refuse('offsetAmount', 'An offset cannot be combined with corrections or delta. Remove one of them.')
    if (fill !== undefined && query.resample !== undefined)
      refuse('fillType', 'fillType cannot be combined with resample. Remove one of them.')
    if (fill !== undefined && isCorrected)
      refuse('fillType', 'fillType cannot be combined with corrections. Remove one of them.')
  }
}

/** Returns the maximum number of rows of a result; undefined if there is no limit. */
export function rowLimit({
  size = -1,
  absoluteSize = -1,
}: Pick<DataQuery, 'size' | 'absoluteSize'>): number | undefined {
  const limits = [size, absoluteSize].filter((limit) => limit >= 0)
  return limits.length === 0 ? undefined : Math.min(...limits)
}

function checkLayout(query: DataQuery, format: string, corrections: string): void {
  const refuse = (field: string, message: string) => {
    throw invalidInput([{ field, message }])
  }
  if (query.drawPoints !== undefined) {
    if (format !== 'UI' && format !== 'NCSV')
      refuse('drawPoints', `drawPoints needs formatType UI or NCSV, not ${format}.`)
    if ((query.size ?? -1) >= 0 || query.nextPageToken !== undefined)
      refuse(
        'drawPoints',
        'drawPoints cannot be combined with size or nextPageToken. Use absoluteSize instead.',
      )
    if (query.absoluteSize === 0)
      refuse('absoluteSize', 'With drawPoints, absoluteSize must be at least 1, or -1 for no limit.')
    if (query.outputLayout === 'COLUMNS')
      refuse('outputLayout', 'drawPoints needs the layout ROWS, not COLUMNS.')
  }
  if (query.resample !== undefined) {
    if (corrections !== 'false')
      refuse('resample', 'resample cannot be combined with corrections. Remove one of them.')
    if (query.drawPoints !== undefined)
      refuse('drawPoints', 'drawPoints cannot be combined with resample. Remove one of them.')
    if (query.includeFileId)
      refuse('includeFileId', 'A span can come from several files. Remove includeFileId or resample.')
    if (query.outputLayout === 'COLUMNS')
      refuse('outputLayout', 'resample needs the layout ROWS, not COLUMNS.')
  }
  if (query.outputLayout !== 'COLUMNS') return
  if (format === 'UI' || format === 'PANDAS')
    refuse('outputLayout', `COLUMNS needs NCSV, STANDARD or ARROW, not ${format}.`)
  if (corrections !== 'false')
    refuse('outputLayout', 'COLUMNS has one value for each timestamp. Use ROWS for corrections.')
}

function checkAggregate({ aggregate, keys, metadata, includeFileId }: DataQuery, corrections: string): void {
  if (aggregate === undefined) return
  const refuse = (field: string, message: string) => {
    throw invalidInput([{ field, message }])
  }
  if (corrections !== 'false')
    refuse('aggregate', 'aggregate cannot be combined with corrections. Remove one of them.')
  if (includeFileId)
    refuse(
      'includeFileId',
      'An aggregated value can come from several files. Remove includeFileId or aggregate.',
    )
  const message =
    'An aggregated series has no metadata. Remove metadata or aggregate; filters can use metadata.'
  if (metadata) refuse('metadata', message)
  const index = keys.findIndex(({ metadatas }) => metadatas.length > 0)
  if (index >= 0) refuse(`keys[${index}].metadatas`, message)
}

function rangeOf(query: DataQuery, timeZone: string, now: number): SeriesRange {
  const start = dateOf(query, 'startDate', { timeZone, now, dayEnd: false })
  const end = dateOf(query, 'endDate', { timeZone, now, dayEnd: true })
  const timed = timeAnchor(query, timeZone, now)
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
  // All points of an upload have the same insertion time, so none of them is the newest.
  if (query.delta && unit === 'VALUES')
    throw invalidInput([
      {
        field: 'lastType',
        message:
          'With delta the range cannot count VALUES, because all points of an upload have the same insertion time. Use a unit such as DAYS, or BETWEEN.',
      },
    ])
  const atTime = unit === 'VALUES' ? undefined : timed
  if (kind === 'NEXT') return { kind, unit, amount, anchor: start ?? atTime ?? now }
  const anchor = end ?? atTime ?? (query.delta ? now : undefined)
  return { kind, unit, amount, ...(anchor === undefined ? {} : { anchor }) }
}

function resampleOf({
  origin: text,
  functions,
  fill: fillType,
  fillMaxAge,
  unit,
  amount,
}: NonNullable<DataQuery['resample']>): NonNullable<SeriesQuery['resample']> {
  const fill = fillOf({ fillType, fillMaxAge }, 'resample')
  const spans = {
    unit,
    amount,
    functions: functionsOf<ResampleFunction>(functions),
    ...(fill === undefined ? {} : { fill }),
  }
  if (text === undefined) return spans
  // Weeks start on Monday; 1970-01-01 was a Thursday.
  const firstDay = unit === 'WEEKS' ? -3 * 86_400_000 : 0
  const timeOfDay = parseTimeOfDay(text)
  const hasOffset = /(Z|\d[+-]\d\d:?\d\d)$/i.test(text.slice(10))
  const origin = timeOfDay === undefined ? parseLocalDate(text, 'UTC', false) : firstDay + timeOfDay
  if (origin === undefined || hasOffset)
    throw invalidInput([
      {
        field: 'resample.origin',
        message: `“${text}” is not a time on the clock. Write 06:00, 2024-01-07 or 2024-10-01T06:00.`,
      },
    ])
  return { ...spans, origin }
}

/** Converts names of functions for the engine. */
function functionsOf<Name extends ResampleFunction>(names: readonly string[]): Name[] {
  return names.map((name) => name.toLowerCase() as Name)
}

function windowOf(query: DataQuery, timeZone: string, now: number): SeriesQuery['window'] {
  const from = dateOf(query, 'windowStart', { timeZone, now, dayEnd: false })
  const to = dateOf(query, 'windowEnd', { timeZone, now, dayEnd: true })
  if (from === undefined && to === undefined) return undefined
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** Returns the time from which to count for the time of day of a query; undefined if it has none. */
function timeAnchor(query: DataQuery, queryZone: string, now: number): number | undefined {
  const field = query.lastTypeOnTime === undefined ? 'time' : 'lastTypeOnTime'
  const text = query[field]
  if (text === undefined) return undefined
  const timeOfDay = parseTimeOfDay(text)
  if (timeOfDay === undefined)
    throw invalidInput([{ field, message: `“${text}” is not a time. Write 16:30 or 16:30:00.` }])
  const zoneField = query.lastTypeOnTimeTimezone === undefined ? 'timezone' : 'lastTypeOnTimeTimezone'
  const timeZone = query[zoneField] ?? queryZone
  if (!isTimeZone(timeZone))
    throw invalidInput([
      {
        field: zoneField,
        message: `“${timeZone}” is not a time zone. Use an IANA name such as Europe/London, or UTC.`,
      },
    ])
  return latestAtTimeOfDay(timeOfDay, timeZone, now)
}

function dateOf(
  query: DataQuery,
  field: 'startDate' | 'endDate' | 'onDateTime' | 'windowStart' | 'windowEnd',
  { timeZone, now, dayEnd }: { timeZone: string; now: number; dayEnd: boolean },
): number | undefined {
  const text = query[field]
  if (text === undefined) return undefined
  const date = parseRelativeDate(text, timeZone, now, dayEnd) ?? parseLocalDate(text, timeZone, dayEnd)
  if (date !== undefined) return date
  throw invalidInput([
    { field, message: `“${text}” is not a date. Write 2024-01-31 or 2024-01-31T16:00:00.` },
  ])
}
