import { invalidInput } from '@headwater/contract'
import { isTimeZone } from '@headwater/zones'
import type { AggregateFunction, ResampleFunction, SeriesQuery, SeriesRange } from '@headwater/timeseries'
import { defaultLastAmount, maxVariants, symbolErrors, type DataQuery } from '../contract/index.ts'
import { latestAtTimeOfDay, parseLocalDate, parseTimeOfDay } from './local-date.ts'
import { parseRelativeDate } from './relative-date.ts'
import { fillOf, type SeriesVariant } from './series-variant.ts'

/** The parts of the engine's question that depend neither on which series are asked nor on what is stored. */
export type SeriesQuestion = Omit<
  SeriesQuery,
  'symbolKeys' | 'metadataColumns' | 'selections' | 'calendar' | 'filters' | 'versionTexts'
> & { timeZone: string; range: SeriesRange }

/**
 * Translates a data query for the engine.
 * @param now the moment NEXT begins and deltas end at when the query names none, UTC milliseconds
 * @throws AppError for what makes no sense
 */
export function toSeriesQuestion(query: DataQuery, now: number): SeriesQuestion {
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
    // A limit is to take the newest rows of all series, not all rows of the first series.
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

/** @throws AppError `tooManyVariants` */
export function checkVariantCount(variants: readonly SeriesVariant[]): void {
  const count = new Set(variants.map((variant) => JSON.stringify(variant))).size
  if (count > maxVariants) throw symbolErrors.tooManyVariants({ count, limit: maxVariants })
}

/** Refuses offsets and fills that are too many or contradict the rest of the query. */
export function checkVariants(variants: readonly SeriesVariant[], query: DataQuery): void {
  checkVariantCount(variants)
  const isCorrected = (query.corrections ?? 'false') !== 'false'
  for (const [index, { shift, fill }] of variants.entries()) {
    const refuse = (field: string, message: string) => {
      throw invalidInput([{ field: `keys[${index}].${field}`, message }])
    }
    if (shift !== undefined && (isCorrected || query.delta))
      refuse('offsetAmount', 'An offset goes with neither corrections nor delta. Leave one of them out.')
    if (fill !== undefined && query.resample !== undefined)
      refuse('fillType', 'Gaps are filled of points, not of spans. Leave fillType or resample out.')
    if (fill !== undefined && isCorrected)
      refuse('fillType', 'Gaps are filled of current values only. Leave fillType or corrections out.')
  }
}

/** How many rows an answer has at most; undefined without a limit. */
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
      refuse('drawPoints', `Points are chosen for drawing with formatType UI and NCSV, not with ${format}.`)
    if ((query.size ?? -1) >= 0 || query.nextPageToken !== undefined)
      refuse('drawPoints', 'Points are chosen for drawing out of all. Leave size out, or use absoluteSize.')
    if (query.absoluteSize === 0)
      refuse(
        'absoluteSize',
        'A drawing has at least four points of each series. Use 1 or more, or -1 for all.',
      )
    if (query.outputLayout === 'COLUMNS')
      refuse('outputLayout', 'Points are chosen for drawing in ROWS only, not in COLUMNS.')
  }
  if (query.resample !== undefined) {
    if (corrections !== 'false')
      refuse('resample', 'Spans are made of current values only. Leave resample or corrections out.')
    if (query.drawPoints !== undefined)
      refuse('drawPoints', 'Points are chosen for drawing, or brought together by resample; leave one out.')
    if (query.includeFileId)
      refuse('includeFileId', 'A span comes from many files. Leave includeFileId or resample out.')
    if (query.outputLayout === 'COLUMNS')
      refuse('outputLayout', 'Spans of resample come in ROWS only, not in COLUMNS.')
  }
  if (query.outputLayout !== 'COLUMNS') return
  if (format === 'UI' || format === 'PANDAS')
    refuse('outputLayout', `COLUMNS goes with NCSV, STANDARD and ARROW, not with ${format}.`)
  if (corrections !== 'false')
    refuse('outputLayout', 'COLUMNS has one value for each timestamp; use ROWS to see corrections.')
}

function checkAggregate({ aggregate, keys, metadata, includeFileId }: DataQuery, corrections: string): void {
  if (aggregate === undefined) return
  const refuse = (field: string, message: string) => {
    throw invalidInput([{ field, message }])
  }
  if (corrections !== 'false')
    refuse('aggregate', 'Series are combined from current values only. Leave aggregate or corrections out.')
  if (includeFileId)
    refuse(
      'includeFileId',
      'A combined value comes from several files. Leave includeFileId or aggregate out.',
    )
  const message =
    'A combined series has no metadata. Leave metadata or aggregate out; filters may use metadata.'
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
  // The points of an upload have one and the same time of insertion, so there is no newest of them by it.
  if (query.delta && unit === 'VALUES')
    throw invalidInput([
      {
        field: 'lastType',
        message:
          'With delta the range counts time, not VALUES: all points of an upload came at one moment. Use a unit such as DAYS, or BETWEEN.',
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
  // Weeks are counted from a Monday; the first day of 1970 was a Thursday.
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

/** The names that the engine has for functions. */
function functionsOf<Name extends ResampleFunction>(names: readonly string[]): Name[] {
  return names.map((name) => name.toLowerCase() as Name)
}

function windowOf(query: DataQuery, timeZone: string, now: number): SeriesQuery['window'] {
  const from = dateOf(query, 'windowStart', { timeZone, now, dayEnd: false })
  const to = dateOf(query, 'windowEnd', { timeZone, now, dayEnd: true })
  if (from === undefined && to === undefined) return undefined
  return { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }
}

/** The moment that the time of day of a query means; undefined if it names none. */
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
