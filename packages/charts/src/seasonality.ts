import type { XY } from './grouping.ts'
import { clockOf } from './zones.ts'

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

/** Length of the common season, which includes 29 February. */
const COMMON_YEAR_MS = 366 * 86_400_000

/**
 * Options for the start of a seasonal year: the first day of a given month or of the current month; the day of the year
 * of the first recorded date; or the day after the last recorded date, so that the latest season is complete.
 */
export const SEASON_STARTS = [
  ...MONTHS,
  'Current month',
  'First recorded date',
  'Last recorded date',
] as const
/** Start of a seasonal year. */
export type SeasonStart = (typeof SEASON_STARTS)[number]

/** One seasonal year. */
export interface Season {
  /** "2024", or "2024/25" if the season does not start in January. */
  label: string
  /** Calendar year in which it starts. */
  year: number
  /** Positions in a common year, in milliseconds: draw them on a time axis with `format: 'dayOfYear'` in UTC. */
  x: Float64Array
  /** Values; NaN is a gap. */
  y: Float64Array
}

/**
 * Splits a series into seasonal years on a common time axis. Every day of the year has the same position in each of
 * them, including the days after 29 February.
 *
 * @param options.now the current time in milliseconds, for `Current month`
 * @param options.timeZone IANA zone in which days start; default UTC
 */
export function seasonality(
  { x, y }: XY,
  start: SeasonStart,
  options: { now: number; timeZone?: string },
): Season[] {
  const { toLocal } = clockOf(options.timeZone)
  const length = Math.min(x.length, y.length)
  const local = Array.from({ length }, (_, i) => toLocal(x[i]!))
  const order = Array.from(local.keys()).filter((i) => Math.abs(local[i]!) < 8.64e15)
  order.sort((a, b) => local[a]! - local[b]!)
  if (!order.length) return []
  const [month, day] = startDay(start, local[order[0]!]!, local[order.at(-1)!]!, toLocal(options.now))
  const wholeYear = month === 0 && day === 1
  const seasons = new Map<number, { x: number[]; y: number[] }>()
  for (const i of order) {
    const date = new Date(local[i]!)
    const begun = date.getUTCMonth() > month || (date.getUTCMonth() === month && date.getUTCDate() >= day)
    const year = date.getUTCFullYear() - (begun ? 0 : 1)
    let season = seasons.get(year)
    if (!season) seasons.set(year, (season = { x: [], y: [] }))
    season.x.push(common(date, begun, month, day))
    const value = y[i]
    season.y.push(typeof value === 'number' ? value : NaN)
  }
  return [...seasons].map(([year, season]) => ({
    year,
    label: wholeYear ? String(year) : `${year}/${String((year + 1) % 100).padStart(2, '0')}`,
    x: Float64Array.from(season.x),
    y: Float64Array.from(season.y),
  }))
}

/** Range and mean of several seasons for each day of the year. */
export interface SeasonalRange {
  /** Labels of the first and the last season: "2019–2023". */
  label: string
  /** Positions in a common year, as in {@link Season}, ascending. */
  x: Float64Array
  /** Minimum; NaN if no season has a value. */
  low: Float64Array
  /** Maximum; NaN if no season has a value. */
  high: Float64Array
  /** Mean; NaN if no season has a value. */
  mean: Float64Array
}

/**
 * Computes the range and the mean of the seasons before the last one. Days without a value in one season, such as
 * weekends, are interpolated linearly, including across the turn of the year. The range is rounded to the number of
 * decimals of the values.
 *
 * @param seasons as `seasonality` returns them
 * @param years number of calendar years before the last season, default 5; those without data are skipped
 * @returns undefined if there are fewer than two such seasons
 */
export function seasonalRange(seasons: readonly Season[], years = 5): SeasonalRange | undefined {
  const last = seasons.at(-1)
  const before = seasons.filter(({ year }) => last && year < last.year && year >= last.year - years)
  if (before.length < 2) return undefined
  const x = Float64Array.from(new Set(before.flatMap((season) => [...season.x]))).sort()
  const decimals = mostDecimals(before)
  const readers = before.map((season) => lineReader(withNeighbours(season, seasons)))
  const low = new Float64Array(x.length)
  const high = new Float64Array(x.length)
  const mean = new Float64Array(x.length)
  x.forEach((position, i) => {
    const values = readers.map((read) => read(position)).filter((value) => value === value)
    low[i] = values.length ? rounded(Math.min(...values), decimals) : NaN
    high[i] = values.length ? rounded(Math.max(...values), decimals) : NaN
    mean[i] = values.reduce((sum, value) => sum + value, 0) / values.length
  })
  return { label: `${before[0]!.label}–${before.at(-1)!.label}`, x, low, high, mean }
}

/** Returns the largest number of decimals in the values of the seasons, at most 10. */
function mostDecimals(seasons: readonly Season[]): number {
  let decimals = 0
  for (const { y } of seasons)
    for (const value of y)
      while (decimals < maxDecimals && Number.isFinite(value) && rounded(value, decimals) !== value)
        decimals++
  return decimals
}

const maxDecimals = 10

function rounded(value: number, decimals: number): number {
  return Number(value.toFixed(decimals))
}

/** Adds the last point of the previous season and the first point of the next one, if they have data. */
function withNeighbours(season: Season, seasons: readonly Season[]): XY {
  const before = seasons.find(({ year }) => year === season.year - 1)
  const next = seasons.find(({ year }) => year === season.year + 1)
  return {
    x: [
      ...(before ? [before.x.at(-1)! - COMMON_YEAR_MS] : []),
      ...season.x,
      ...(next ? [next.x[0]! + COMMON_YEAR_MS] : []),
    ],
    y: [...(before ? [before.y.at(-1)!] : []), ...season.y, ...(next ? [next.y[0]!] : [])],
  }
}

/** Interpolates linearly at ascending positions. Returns NaN outside the points and in gaps. */
function lineReader({ x, y }: XY): (position: number) => number {
  let i = 0
  return (position) => {
    while (i < x.length && x[i]! < position) i++
    const value = y[i] ?? NaN
    if (i === x.length || x[i] === position || i === 0) return x[i] === position ? value : NaN
    const [from, to] = [x[i - 1]!, x[i]!]
    const start = y[i - 1] ?? NaN
    return start + ((value - start) * (position - from)) / (to - from)
  }
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

/** Maps a date to the common season. Its year is 2004, a leap year. */
function common(date: Date, begun: boolean, month: number, day: number): number {
  const leapFirst = month === 0 || (month === 1 && day <= 29)
  const year = leapFirst === begun ? 2004 : leapFirst ? 2005 : 2003
  return new Date(date).setUTCFullYear(year, date.getUTCMonth(), date.getUTCDate())
}
