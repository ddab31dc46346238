import { lastTypes, roundingMode } from '@headwater/symbols/contract'
import { z } from 'zod'

/** Number of values a new tile asks for of each series. */
export const defaultLastAmount = 500
/** Rows an answer has at most unless the tile says otherwise. */
export const defaultRowLimit = 5000
/** Decimals values are rounded to unless the tile says otherwise. */
export const defaultDecimals = 2

const text = z.string().catch('')
const optional = z.string().min(1).optional().catch(undefined)

/** Which part of its series a tile asks for. What cannot be understood becomes the default. */
export const seriesRange = z.object({
  range: z
    .string()
    .transform((value) => value.toUpperCase())
    .pipe(z.enum(['ALL', 'BETWEEN', 'LAST', 'NEXT']))
    .catch('LAST')
    .describe('ALL, BETWEEN, LAST or NEXT, default LAST.'),
  from: text.describe('First date of BETWEEN, `2024-01-31`; empty = open.'),
  fromTime: text.describe('Its time, default 00:00:00.'),
  to: text.describe('Last date of BETWEEN; empty = open.'),
  toTime: text.describe('Its time, default 23:59:59.999.'),
  lastType: z
    .string()
    .transform((value) => value.toUpperCase())
    .pipe(z.enum(lastTypes))
    .catch('VALUES')
    .describe('Unit of LAST and NEXT, default VALUES.'),
  lastTypeAmount: z.coerce
    .number()
    .int()
    .min(1)
    .catch(defaultLastAmount)
    .describe('Amount of LAST and NEXT, default 500.'),
  time: optional.describe('Clock time that LAST and NEXT count units of time from, `16:30`; absent = none.'),
  timezone: optional.describe('IANA zone of that time; absent = the zone of the dates.'),
  holidayCalendar: optional.describe('Calendar that WORKING_DAYS count by; absent = Monday to Friday.'),
  onDateTime: optional.describe('Show the data as they were known then, `2026-01-31`; absent = now.'),
  timeZone: z.string().min(1).catch('UTC').describe('IANA zone of the dates, default UTC.'),
  decimalPrecision: z
    .int()
    .min(0)
    .max(15)
    .nullable()
    .catch(defaultDecimals)
    .describe('Decimals values are rounded to, default 2; null = as stored.'),
  roundingMode: roundingMode
    .transform((mode) => mode ?? 'HALF_UP')
    .catch('HALF_UP')
    .describe('How they are rounded, also half expand, expand and trunc; default HALF_UP.'),
  absoluteSize: z
    .int()
    .min(1)
    .nullable()
    .catch(defaultRowLimit)
    .describe(
      'Rows of the answer at most, the newest ones; default 5000; null = as many as a page loads, 100,000.',
    ),
})
export type SeriesRange = z.output<typeof seriesRange>

/** The range of a tile that says nothing about it: the last 500 values, UTC, 2 decimals, half up. */
export function newSeriesRange(): SeriesRange {
  return seriesRange.parse({})
}
