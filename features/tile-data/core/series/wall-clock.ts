import { createZoneClock } from '@headwater/zones'

const isoTime = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?/

/** Returns a parser of local times of a zone: text such as `2026-08-18T00:00:00` to UTC milliseconds, NaN for other text. */
export function wallClockReader(timeZone: string): (text: string) => number {
  const { toUtc } = createZoneClock(timeZone)
  return (text) => toUtc(wallMs(text))
}

function wallMs(text: string): number {
  const whole = wholeSeconds(text)
  if (whole !== undefined) return whole
  const parts = isoTime.exec(text)
  if (parts === null) return Number.NaN
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = ''] = parts
  const time = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour),
    Number(minute),
    Number(second),
  )
  return time + Number(fraction.padEnd(3, '0') || 0)
}

/** Parses `2026-08-18T00:00:00`, the form of nearly all times in results, to milliseconds; undefined for any other text. */
function wholeSeconds(text: string): number | undefined {
  if (text.length !== 19 || text[4] !== '-' || text[7] !== '-' || text[13] !== ':' || text[16] !== ':')
    return undefined
  if (text[10] !== 'T' && text[10] !== ' ') return undefined
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const time = Date.UTC(
    year,
    twoDigits(text, 5) - 1,
    twoDigits(text, 8),
    twoDigits(text, 11),
    twoDigits(text, 14),
    twoDigits(text, 17),
  )
  return Number.isNaN(time) ? undefined : time
}

/** Parses two digits of a string; NaN for other characters. */
function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens < 0 || tens > 9 || ones < 0 || ones > 9 ? Number.NaN : tens * 10 + ones
}
