import type { SeriesRange } from '@headwater/timeseries'
import { firstHolidayYear, lastHolidayYear } from '../contract/index.ts'
import type { SeriesVariant } from './series-variant.ts'

/** Lower bound for the number of working days in a year. */
const fewWorkingDays = 150

/** Returns whether a query counts working days. */
export function countsWorkingDays(range: SeriesRange, variants: readonly SeriesVariant[]): boolean {
  return (
    ('unit' in range && range.unit === 'WORKING_DAYS') ||
    variants.some(({ shift }) => shift?.unit === 'WORKING_DAYS')
  )
}

/**
 * Returns the years whose holidays a query can need: those of the data and of the ends of the range, extended by the working days to
 * count.
 * @param span first and last timestamp of the data, UTC milliseconds
 */
export function workingYears(
  range: SeriesRange,
  variants: readonly SeriesVariant[],
  span: { first: number; last: number } | undefined,
  now: number,
): { first: number; last: number } {
  const instants = [
    ...(span === undefined ? [now] : [span.first, span.last]),
    ...('anchor' in range ? [range.anchor] : []),
    ...(range.kind === 'BETWEEN' ? [range.from, range.to] : []),
  ].filter((instant) => instant !== undefined)
  const counted = variants.map(({ shift }) => (shift?.unit === 'WORKING_DAYS' ? shift.amount : 0))
  if ('unit' in range && range.unit === 'WORKING_DAYS')
    counted.push(range.kind === 'LAST' ? -range.amount : range.amount)
  const years = instants.map((instant) => new Date(instant).getUTCFullYear())
  const back = Math.ceil(-least(counted) / fewWorkingDays) + 1
  const ahead = Math.ceil(-least(counted.map((amount) => -amount)) / fewWorkingDays) + 1
  const first = least(years) - back
  const last = -least(years.map((year) => -year)) + ahead
  return {
    first: Math.min(lastHolidayYear, Math.max(firstHolidayYear, first)),
    last: Math.max(firstHolidayYear, Math.min(lastHolidayYear, last)),
  }
}

// Does not spread into Math.min, because ten thousand keys could overflow the stack.
function least(numbers: readonly number[]): number {
  return numbers.reduce((smallest, each) => Math.min(smallest, each), Number.POSITIVE_INFINITY)
}
