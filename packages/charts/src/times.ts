import type { ZoneClock } from '@headwater/zones'
import { niceStep } from './domains.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH = 30.44 * DAY
const YEAR = 365.25 * DAY

type Unit = 'ms' | 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year'

/** Steps between ticks, each with the room in CSS pixels its labels need. */
const STEPS: readonly [unit: Unit, count: number, ms: number, room: number][] = [
  ...[1, 5, 15, 30].map((n) => ['second', n, n * SECOND, 72] as const),
  ...[1, 5, 15, 30].map((n) => ['minute', n, n * MINUTE, 68] as const),
  ...[1, 3, 6, 12].map((n) => ['hour', n, n * HOUR, 68] as const),
  ...[1, 2, 7, 14].map((n) => ['day', n, n * DAY, 62] as const),
  ...[1, 2, 3, 6].map((n) => ['month', n, n * MONTH, 48] as const),
].map(([unit, count, ms, room]) => [unit, count, ms, room])

/** Names of months and weekdays in one language. */
export interface DateNames {
  months: readonly string[]
  weekdays: readonly string[]
}

const namesByLocale = new Map<string, DateNames>()

/** Short names, January and Sunday first. */
export function dateNames(locale: string): DateNames {
  let names = namesByLocale.get(locale)
  if (!names) namesByLocale.set(locale, (names = readNames(locale)))
  return names
}

/**
 * Ticks of a time axis at round moments of the zone's calendar, with labels.
 *
 * @param pixels length of the axis
 * @param before room for labels before its begin
 * @param precision of the points; those of whole days have no ticks within days
 */
export function timeTicks(
  from: number,
  to: number,
  pixels: number,
  before: number,
  zone: ZoneClock,
  names: DateNames,
  seasonal: boolean,
  precision: Precision,
): { at: number[]; labels: string[] } {
  const span = to - from
  if (!(span > 0) || Math.max(Math.abs(from), Math.abs(to)) > 8.6e15) return { at: [], labels: [] }
  const [unit, count] = chooseStep(span, pixels, precision === 'day' ? DAY : 0)
  const wall: number[] = []
  const start = zone.toLocal(from)
  const end = zone.toLocal(to)
  for (
    let tick = floorTo(start, unit, count);
    tick <= end && wall.length < 1000;
    tick = next(tick, unit, count)
  ) {
    if (tick >= start) wall.push(tick)
  }
  // The first label with room for it also tells the year (or day) if no other does.
  const half = unit === 'day' || unit === 'month' ? 31 : 39
  const fits = (tick: number) => ((tick - start) / (end - start)) * pixels + before >= half
  const lonely = hasContext(wall, unit) ? -1 : wall.findIndex(fits)
  return {
    at: wall.map((tick) => zone.toUtc(tick)),
    labels: wall.map((tick, i) => tickLabel(tick, unit, names, seasonal, i === lonely)),
  }
}

/** How finely moments must be written so that no two of them look alike. */
export type Precision = 'day' | 'minute' | 'second' | 'ms'

/** The coarsest precision which still writes every given moment exactly (looks at up to 500 of them). */
export function precisionOf(list: ArrayLike<number>, zone: ZoneClock): Precision {
  const step = Math.max(1, Math.floor(list.length / 500))
  let precision: Precision = 'day'
  for (let i = 0; i < list.length; i += step) {
    const wall = list[i]!
    if (wall % SECOND !== 0) return 'ms'
    if (wall % MINUTE !== 0) precision = 'second'
    else if (precision === 'day' && zone.toLocal(wall) % DAY !== 0) precision = 'minute'
  }
  return precision
}

/** A moment for people: "Fri 02 May 2025", with the time of day if the precision asks for it. */
export function formatMoment(
  utcMs: number,
  precision: Precision,
  zone: ZoneClock,
  names: DateNames,
  seasonal: boolean,
): string {
  const date = new Date(zone.toLocal(utcMs))
  if (Number.isNaN(date.getTime())) return String(utcMs)
  const day = `${two(date.getUTCDate())} ${names.months[date.getUTCMonth()]}`
  const full = seasonal ? day : `${names.weekdays[date.getUTCDay()]} ${day} ${date.getUTCFullYear()}`
  return precision === 'day' ? full : `${full} ${clock(date, precision)}`
}

function chooseStep(span: number, pixels: number, leastMs: number): [Unit, number] {
  const found = STEPS.find(([, , ms, room]) => ms >= leastMs && (ms / span) * pixels >= room)
  const tightest = Math.max(leastMs, (span / Math.max(1, pixels)) * 72)
  if (tightest < SECOND) return ['ms', Math.max(1, niceStep(tightest))]
  if (found) return [found[0], found[1]]
  return ['year', Math.max(1, niceStep(((span / Math.max(1, pixels)) * 44) / YEAR, [1, 2, 5]))]
}

function floorTo(wall: number, unit: Unit, count: number): number {
  const date = new Date(wall)
  if (unit === 'year') return Date.UTC(Math.floor(date.getUTCFullYear() / count) * count, 0)
  if (unit === 'month') {
    return Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / count) * count)
  }
  const size =
    unit === 'ms' ? 1 : unit === 'second' ? SECOND : unit === 'minute' ? MINUTE : unit === 'hour' ? HOUR : DAY
  // Day 4 of 1970 was a Monday: weeks begin there.
  const origin = unit === 'day' && count >= 7 ? 4 * DAY : 0
  if (unit === 'day' && count === 2) {
    return Date.UTC(
      date.getUTCFullYear(),
      date.getUTCMonth(),
      date.getUTCDate() - ((date.getUTCDate() - 1) % 2),
    )
  }
  return Math.floor((wall - origin) / (size * count)) * size * count + origin
}

function next(wall: number, unit: Unit, count: number): number {
  const date = new Date(wall)
  if (unit === 'year') return Date.UTC(date.getUTCFullYear() + count, 0)
  if (unit === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count)
  if (unit === 'day' && count === 2) {
    // Odd days of the month; the 31st would stand too close to the 1st.
    const after = new Date(wall + 2 * DAY)
    const turned = after.getUTCMonth() !== date.getUTCMonth() || after.getUTCDate() === 31
    return turned ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) : after.getTime()
  }
  const size =
    unit === 'ms' ? 1 : unit === 'second' ? SECOND : unit === 'minute' ? MINUTE : unit === 'hour' ? HOUR : DAY
  return wall + size * count
}

function tickLabel(wall: number, unit: Unit, names: DateNames, seasonal: boolean, lonely: boolean): string {
  const date = new Date(wall)
  const month = names.months[date.getUTCMonth()]!
  const year = seasonal ? '' : String(date.getUTCFullYear())
  const day = `${date.getUTCDate()} ${month}`
  if (unit === 'year') return year || month
  if (unit === 'month')
    return date.getUTCMonth() === 0 && year ? year : lonely ? `${month} ${year}`.trim() : month
  if (unit === 'day') return lonely ? `${day} ${year}`.trim() : day
  if (wall % DAY === 0) return day
  const time = clock(date, unit === 'ms' ? 'ms' : unit === 'second' ? 'second' : 'minute')
  return lonely ? `${day}, ${time}` : time
}

/** Whether some label tells the year (months) or the day (times), so that the others can be read. */
function hasContext(wall: readonly number[], unit: Unit): boolean {
  if (unit === 'year') return true
  if (unit === 'month') return wall.some((tick) => new Date(tick).getUTCMonth() === 0)
  if (unit === 'day') return false
  return wall.some((tick) => tick % DAY === 0)
}

function clock(date: Date, precision: Precision): string {
  return date.toISOString().slice(11, precision === 'ms' ? 23 : precision === 'second' ? 19 : 16)
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function readNames(locale: string): DateNames {
  const list = (options: Intl.DateTimeFormatOptions, count: number, dayStep: number) => {
    const format = new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options })
    return Array.from({ length: count }, (_, i) => format.format(Date.UTC(2023, 0, 1 + i * dayStep)))
  }
  return {
    // "Sept" of British English is as wide as no other month.
    months: list({ month: 'short' }, 12, 31).map((name) => name.replace(/^Sept$/, 'Sep')),
    weekdays: list({ weekday: 'short' }, 7, 1),
  }
}
