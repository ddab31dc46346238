import { isTimeZone, localDate, offsetMinutes, partsIn } from '@headwater/zones'

/** A time: ISO text (UTC if it has no zone), epoch milliseconds, or a Date. */
export type TimeInput = string | number | Date

/** Style of a formatted time. `minute` is `datetime` without seconds; `compact` is the time today, `Yesterday`, `17 Aug` in this year, else `17 Aug 2025`. */
export type TimeStyle = 'compact' | 'datetime' | 'minute' | 'date' | 'time'

/** Parses a time; `undefined` for text that is not a time. */
export function parseTime(value: TimeInput): Date | undefined {
  const date = new Date(typeof value === 'string' ? withZone(value) : value)
  return Number.isNaN(date.getTime()) ? undefined : date
}

function withZone(text: string): string {
  const hasTime = /\d[T ]\d/.test(text)
  return hasTime && !/(Z|[+-]\d{2}:?\d{2})$/i.test(text) ? `${text.replace(' ', 'T')}Z` : text
}

/** Returns the zone if the browser knows it, otherwise UTC. */
export function knownZone(zone: string | undefined): string {
  return zone !== undefined && isTimeZone(zone) ? zone : 'UTC'
}

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const dayMs = 86_400_000

/** Formats a time in a zone, for example `2026-08-18 14:31:41`; `now` determines the current day for `compact`. */
export function formatTime(value: TimeInput, zone: string, style: TimeStyle, now: Date): string {
  const date = parseTime(value)
  if (!date) return String(value)
  const parts = partsIn(date, zone)
  const day = localDate(date, zone)
  const time = `${parts.hour}:${parts.minute}:${parts.second}`
  if (style === 'date') return day
  if (style === 'time') return time
  if (style === 'datetime') return `${day} ${time}`
  if (style === 'minute') return `${day} ${time.slice(0, 5)}`
  if (day === localDate(now, zone)) return `${parts.hour}:${parts.minute}`
  if (day === localDate(new Date(now.getTime() - dayMs), zone)) return 'Yesterday'
  const short = `${Number(parts.day)} ${months[Number(parts.month) - 1]}`
  return parts.year === partsIn(now, zone).year ? short : `${short} ${parts.year}`
}

/** Formats a time in UTC for tooltips: `2026-08-18 12:31:41 UTC`. */
export function formatUtc(value: TimeInput): string {
  return `${formatTime(value, 'UTC', 'datetime', new Date(0))} UTC`
}

/** Months and years are used from two on, because 59 days are not close to one month. */
const steps: { unit: Intl.RelativeTimeFormatUnit; sizeMs: number; fromMs: number }[] = [
  { unit: 'year', sizeMs: 365 * dayMs, fromMs: 730 * dayMs },
  { unit: 'month', sizeMs: 30 * dayMs, fromMs: 60 * dayMs },
  { unit: 'day', sizeMs: dayMs, fromMs: dayMs },
  { unit: 'hour', sizeMs: 3_600_000, fromMs: 3_600_000 },
  { unit: 'minute', sizeMs: 60_000, fromMs: 60_000 },
]
const relative = new Intl.RelativeTimeFormat('en')

/** Formats a time relative to now, in one unit: `3 minutes ago`; for less than a minute, `just now`. */
export function formatRelative(value: TimeInput, now: Date): string {
  const date = parseTime(value)
  if (!date) return ''
  const difference = date.getTime() - now.getTime()
  for (const { unit, sizeMs, fromMs } of steps) {
    if (Math.abs(difference) >= fromMs) return relative.format(Math.trunc(difference / sizeMs), unit)
  }
  return 'just now'
}

/** Formats the offset of a zone: `UTC`, `UTC+1`, `UTC+5:30`, `UTC−3`. */
export function offsetLabel(zone: string, at: Date): string {
  const minutes = offsetMinutes(zone, at)
  if (minutes === 0) return 'UTC'
  const hours = Math.floor(Math.abs(minutes) / 60)
  const rest = Math.abs(minutes) % 60
  return `UTC${minutes < 0 ? '−' : '+'}${hours}${rest === 0 ? '' : `:${String(rest).padStart(2, '0')}`}`
}

/** Returns the short name of a zone: `Europe/Berlin` is `Berlin`, `America/New_York` is `New York`. */
export function zoneCity(zone: string): string {
  return (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')
}
