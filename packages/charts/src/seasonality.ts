import type { XY } from './grouping.ts'
import { zoneOffset } from './zones.ts'

const MONTHS = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const

/**
 * Where a seasonal year begins: on the first of a month; of the current month; on the day of the year of the first
 * recorded date; or on the day after that of the last recorded date, so that the latest season is complete.
 */
export const SEASON_STARTS = [
  ...MONTHS,
  'Current month',
  'First recorded date',
  'Last recorded date',
] as const
export type SeasonStart = (typeof SEASON_STARTS)[number]

/** One seasonal year. */
export interface Season {
  /** "2024", or "2024/25" if the season does not begin in January. */
  label: string
  /** Places in a common year, in milliseconds: draw them on a time axis with `format: 'dayOfYear'` in UTC. */
  x: Float64Array
  y: Float64Array
}

/**
 * Cuts a series into seasonal years and lays them over one another. Every day of the year has the same place in
 * each of them, also after a 29 February.
 *
 * @param options.now the current moment in milliseconds, for `Current month`
 * @param options.timeZone IANA zone in which days begin; default UTC
 */
export function seasonality(
  { x, y }: XY,
  start: SeasonStart,
  options: { now: number; timeZone?: string },
): Season[] {
  const offset = zoneOffset(options.timeZone)
  const length = Math.min(x.length, y.length)
  const wall = Array.from({ length }, (_, i) => x[i]! + offset(x[i]!))
  const order = Array.from(wall.keys()).filter((i) => Math.abs(wall[i]!) < 8.64e15)
  order.sort((a, b) => wall[a]! - wall[b]!)
  if (!order.length) return []
  const [month, day] = startDay(
    start,
    wall[order[0]!]!,
    wall[order.at(-1)!]!,
    options.now + offset(options.now),
  )
  const wholeYear = month === 0 && day === 1
  const seasons = new Map<number, { x: number[]; y: number[] }>()
  for (const i of order) {
    const date = new Date(wall[i]!)
    const begun = date.getUTCMonth() > month || (date.getUTCMonth() === month && date.getUTCDate() >= day)
    const year = date.getUTCFullYear() - (begun ? 0 : 1)
    let season = seasons.get(year)
    if (!season) seasons.set(year, (season = { x: [], y: [] }))
    season.x.push(common(date, begun, month, day))
    const value = y[i]
    season.y.push(typeof value === 'number' ? value : NaN)
  }
  return [...seasons].map(([year, season]) => ({
    label: wholeYear ? String(year) : `${year}/${String((year + 1) % 100).padStart(2, '0')}`,
    x: Float64Array.from(season.x),
    y: Float64Array.from(season.y),
  }))
}

function startDay(
  start: SeasonStart,
  first: number,
  last: number,
  now: number,
): [month: number, day: number] {
  const month = (MONTHS as readonly string[]).indexOf(start)
  if (month >= 0) return [month, 1]
  if (start === 'Current month') return [new Date(now).getUTCMonth(), 1]
  const date = new Date(start === 'First recorded date' ? first : last + 86_400_000)
  return [date.getUTCMonth(), date.getUTCDate()]
}

/** The same moment in the common season, which contains the 29 February of the leap year 2004. */
function common(date: Date, begun: boolean, month: number, day: number): number {
  const leapFirst = month === 0 || (month === 1 && day <= 29)
  const year = leapFirst === begun ? 2004 : leapFirst ? 2005 : 2003
  return new Date(date).setUTCFullYear(year, date.getUTCMonth(), date.getUTCDate())
}
