import type { SeriesRange } from '@headwater/timeseries'
import { firstHolidayYear, lastHolidayYear } from '../contract/index.ts'
import type { SeriesVariant } from './series-variant.ts'

/** Working days of which a year has more, whatever its holidays. */
const fewWorkingDays = 150

/** Whether a question counts working days anywhere. */
export function countsWorkingDays(range: SeriesRange, variants: readonly SeriesVariant[]): boolean {
  return (
    ('unit' in range && range.unit === 'WORKING_DAYS') ||
    variants.some(({ shift }) => shift?.unit === 'WORKING_DAYS')
  )
}

/**
 * The years whose holidays a question may ask for: those of the data and of the ends of the range, and as many before and
 * after as the working days to count may reach.
 * @param span first and last timestamp of the data, UTC milliseconds
 */
export function workingYears(
  range: SeriesRange,
  variants: readonly SeriesVariant[],
  span: { first: number; last: number } | undefined,
  now: number,
): { first: number; last: number } {
  const moments = [
    ...(span === undefined ? [now] : [span.first, span.last]),
    ...('anchor' in range ? [range.anchor] : []),
    ...(range.kind === 'BETWEEN' ? [range.from, range.to] : []),
  ].filter((moment) => moment !== undefined)
  const counted = variants.map(({ shift }) => (shift?.unit === 'WORKING_DAYS' ? shift.amount : 0))
  if ('unit' in range && range.unit === 'WORKING_DAYS')
    counted.push(range.kind === 'LAST' ? -range.amount : range.amount)
  const years = moments.map((moment) => new Date(moment).getUTCFullYear())
  const back = Math.ceil(-least(counted) / fewWorkingDays) + 1
  const ahead = Math.ceil(-least(counted.map((amount) => -amount)) / fewWorkingDays) + 1
  const first = least(years) - back
  const last = -least(years.map((year) => -year)) + ahead
  return {
    first: Math.min(lastHolidayYear, Math.max(firstHolidayYear, first)),
    last: Math.max(firstHolidayYear, Math.min(lastHolidayYear, last)),
  }
}

// Math.min takes its arguments from the stack, which ten thousand keys may overflow.
function least(numbers: readonly number[]): number {
  return numbers.reduce((smallest, each) => Math.min(smallest, each), Number.POSITIVE_INFINITY)
}
