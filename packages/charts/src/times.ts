import type { ZoneClock } from '@headwater/zones'
import { niceStep } from './domains.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const MONTH = 30.44 * DAY
const YEAR = 365.25 * DAY

type Unit = 'ms' | 'second' | 'minute' | 'hour' | 'day' | 'month' | 'year'

/** Steps between ticks, each with the width of its labels in CSS pixels. */
const STEPS: readonly [unit: Unit, count: number, ms: number, labelPixels: number][] = [
  ...[1, 5, 15, 30].map((n) => ['second', n, n * SECOND, 72] as const),
  ...[1, 5, 15, 30].map((n) => ['minute', n, n * MINUTE, 68] as const),
  ...[1, 3, 6, 12].map((n) => ['hour', n, n * HOUR, 68] as const),
  ...[1, 2, 7, 14].map((n) => ['day', n, n * DAY, 62] as const),
  ...[1, 2, 3, 6].map((n) => ['month', n, n * MONTH, 48] as const),
].map(([unit, count, ms, labelPixels]) => [unit, count, ms, labelPixels])

/** Names of months and weekdays in one language. */
export interface DateNames {
  /** Short names, January first. */
  months: readonly string[]
  /** Short names, Sunday first. */
  weekdays: readonly string[]
}

const namesByLocale = new Map<string, DateNames>()

/** Returns the names in a language (BCP 47). */
export function dateNames(locale: string): DateNames {
  let names = namesByLocale.get(locale)
  if (!names) namesByLocale.set(locale, (names = readNames(locale)))
  return names
}

/**
 * Returns ticks of a time axis at round times of the zone's calendar, with labels.
 *
 * @param pixels length of the axis
 * @param before space for labels before its start
 * @param precision precision of the points; points of whole days have no ticks within a day
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
  const local: number[] = []
  const start = zone.toLocal(from)
  const end = zone.toLocal(to)
  for (
    let tick = floorTo(start, unit, count);
    tick <= end && local.length < 1000;
    tick = next(tick, unit, count)
  ) {
    if (tick >= start) local.push(tick)
  }
  // The first label that fits also contains the year (or day) if no other does.
  const half = unit === 'day' || unit === 'month' ? 31 : 39
  const fits = (tick: number) => ((tick - start) / (end - start)) * pixels + before >= half
  const lonely = hasContext(local, unit) ? -1 : local.findIndex(fits)
  return {
    at: local.map((tick) => zone.toUtc(tick)),
    labels: local.map((tick, i) => tickLabel(tick, unit, names, seasonal, i === lonely)),
  }
}

/** Precision needed to distinguish all timestamps. */
export type Precision = 'day' | 'minute' | 'second' | 'ms'

/** Returns the coarsest precision that represents every timestamp exactly (samples up to 500 of them). */
export function precisionOf(list: ArrayLike<number>, zone: ZoneClock): Precision {
  const step = Math.max(1, Math.floor(list.length / 500))
  let precision: Precision = 'day'
  for (let i = 0; i < list.length; i += step) {
    const local = list[i]!
    if (local % SECOND !== 0) return 'ms'
    if (local % MINUTE !== 0) precision = 'second'
    else if (precision === 'day' && zone.toLocal(local) % DAY !== 0) precision = 'minute'
  }
  return precision
}

/** Formats a timestamp for display: "Fri 02 May 2025", with the time of day if the precision requires it. */
export function formatTimestamp(
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
  const step = STEPS.find(([, , ms, labelPixels]) => ms >= leastMs && (ms / span) * pixels >= labelPixels)
  const tightest = Math.max(leastMs, (span / Math.max(1, pixels)) * 72)
  if (tightest < SECOND) return ['ms', Math.max(1, niceStep(tightest))]
  if (step) return [step[0], step[1]]
  return ['year', Math.max(1, niceStep(((span / Math.max(1, pixels)) * 44) / YEAR, [1, 2, 5]))]
}

function floorTo(local: number, unit: Unit, count: number): number {
  const date = new Date(local)
  if (unit === 'year') return Date.UTC(Math.floor(date.getUTCFullYear() / count) * count, 0)
  if (unit === 'month') {
    return Date.UTC(date.getUTCFullYear(), Math.floor(date.getUTCMonth() / count) * count)
  }
  const size =
    unit === 'ms' ? 1 : unit === 'second' ? SECOND : unit === 'minute' ? MINUTE : unit === 'hour' ? HOUR : DAY
  // 5 January 1970 was a Monday, on which weeks start.
  const origin = unit === 'day' && count >= 7 ? 4 * DAY : 0
  if (unit === 'day' && count === 2) {
    return Date.UTC(
      date.getUTCFullYear(),
      date.getUTCMonth(),
      date.getUTCDate() - ((date.getUTCDate() - 1) % 2),
    )
  }
  return Math.floor((local - origin) / (size * count)) * size * count + origin
}

function next(local: number, unit: Unit, count: number): number {
  const date = new Date(local)
  if (unit === 'year') return Date.UTC(date.getUTCFullYear() + count, 0)
  if (unit === 'month') return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + count)
  if (unit === 'day' && count === 2) {
    // Odd days of the month, except the 31st, which would be too close to the 1st.
    const after = new Date(local + 2 * DAY)
    const turned = after.getUTCMonth() !== date.getUTCMonth() || after.getUTCDate() === 31
    return turned ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1) : after.getTime()
  }
  const size =
    unit === 'ms' ? 1 : unit === 'second' ? SECOND : unit === 'minute' ? MINUTE : unit === 'hour' ? HOUR : DAY
  return local + size * count
}

function tickLabel(local: number, unit: Unit, names: DateNames, seasonal: boolean, lonely: boolean): string {
  const date = new Date(local)
  const month = names.months[date.getUTCMonth()]!
  const year = seasonal ? '' : String(date.getUTCFullYear())
  const day = `${date.getUTCDate()} ${month}`
  if (unit === 'year') return year || month
  if (unit === 'month')
    return date.getUTCMonth() === 0 && year ? year : lonely ? `${month} ${year}`.trim() : month
  if (unit === 'day') return lonely ? `${day} ${year}`.trim() : day
  if (local % DAY === 0) return day
  const time = clock(date, unit === 'ms' ? 'ms' : unit === 'second' ? 'second' : 'minute')
  return lonely ? `${day}, ${time}` : time
}

/**
 * Returns whether at least one label contains the year (for months) or the day (for times). The other labels are unambiguous
 * then.
 */
function hasContext(local: readonly number[], unit: Unit): boolean {
  if (unit === 'year') return true
  if (unit === 'month') return local.some((tick) => new Date(tick).getUTCMonth() === 0)
  if (unit === 'day') return false
  return local.some((tick) => tick % DAY === 0)
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
    // Shortens "Sept", which is wider than all other month names in British English.
    months: list({ month: 'short' }, 12, 31).map((name) => name.replace(/^Sept$/, 'Sep')),
    weekdays: list({ weekday: 'short' }, 7, 1),
  }
}
