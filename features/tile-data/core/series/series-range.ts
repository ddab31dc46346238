import { lastTypes, roundingMode } from '@headwater/symbols/contract'
import { z } from 'zod'

/** Default number of values of each series. */
export const defaultLastAmount = 500
/** Default row limit. */
const defaultRowLimit = 5000
/** Default number of decimals. */
const defaultDecimals = 2

const text = z.string().catch('')
const optional = z.string().min(1).optional().catch(undefined)

/** The range of a tile: the part of its series that it queries. Invalid values become the default. */
export const seriesRange = z.object({
  range: z
    .string()
    .transform((value) => value.toUpperCase())
    .pipe(z.enum(['ALL', 'BETWEEN', 'LAST', 'NEXT']))
    .catch('LAST')
    .describe('ALL, BETWEEN, LAST or NEXT, default LAST.'),
  from: text.describe('First date of BETWEEN, `2024-01-31`; empty if the range is open.'),
  fromTime: text.describe('Its time, default 00:00:00.'),
  to: text.describe('Last date of BETWEEN; empty if the range is open.'),
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
  time: optional.describe('Time of day that LAST and NEXT count from, `16:30`. Default: none.'),
  timezone: optional.describe('IANA zone of that time. Default: the zone of the dates.'),
  holidayCalendar: optional.describe('Calendar that WORKING_DAYS count by; absent = Monday to Friday.'),
  onDateTime: optional.describe(
    'Ignore corrections after this date, `2026-01-31`. Default: the latest values.',
  ),
  timeZone: z.string().min(1).catch('UTC').describe('IANA zone of the dates, default UTC.'),
  decimalPrecision: z
    .int()
    .min(0)
    .max(15)
    .nullable()
    .catch(defaultDecimals)
    .describe('Decimals values are rounded to, default 2; null means as stored.'),
  roundingMode: roundingMode
    .transform((mode) => mode ?? 'HALF_UP')
    .catch('HALF_UP')
    .describe('Rounding mode, also half expand, expand and trunc; default HALF_UP.'),
  absoluteSize: z
    .int()
    .min(1)
    .nullable()
    .catch(defaultRowLimit)
    .describe(
      'Row limit; the newest rows are retained. Default 5000; null means the row limit of a page, 100,000.',
    ),
})
/** A parsed {@link seriesRange}. */
export type SeriesRange = z.output<typeof seriesRange>

/** Returns the default range: the last 500 values, UTC, 2 decimals, half up. */
export function newSeriesRange(): SeriesRange {
  return seriesRange.parse({})
}
