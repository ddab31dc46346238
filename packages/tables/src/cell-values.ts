const numberPattern = /^-?(?:0|[1-9]\d{0,30})(?:\.(\d{1,30}))?(?:[eE][+-]?\d{1,3})?$/
const datePattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * Parses a decimal number. Returns undefined if the text is not a number or if digits would be lost. `007` and `+1`
 * do not count as numbers.
 * @param maxDigits number of significant digits that are exact
 */
export function parseNumberText(text: string, maxDigits: number): number | undefined {
  const match = text.length > 64 ? null : numberPattern.exec(text)
  if (match === null) return undefined
  if (text.length > maxDigits && countDigits(text) > maxDigits) return undefined
  const number = Number(text)
  if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number)))
    return undefined
  return number
}

/** Counts the digits of a number without its leading zeros and its exponent. */
function countDigits(text: string): number {
  return text
    .replace(/[eE].*$/, '')
    .replaceAll(/[-.]/g, '')
    .replace(/^0+/, '').length
}

/** A date or an instant. */
export interface DateValue {
  /** Whole milliseconds since 1970, of the instant if the date has a zone, otherwise of the local time. */
  ms: number
  /** Microseconds after them, 0 to 999. */
  micros: number
  /** Zone of the date: empty, `Z` or an offset such as `+02:00`. */
  zone: string
  /** Whether the date has a time of day. */
  hasTime: boolean
}

/** Parses an ISO date with an optional time and zone. Returns undefined for other texts and for non-existent days. */
export function parseDateText(text: string): DateValue | undefined {
  const match = text.length > 32 ? null : datePattern.exec(text)
  if (match === null) return undefined
  const [, , time, seconds = '', fraction = '', zone = ''] = match
  const dayMs = dayToMs(numberAt(text, 0, 4), numberAt(text, 5, 7), numberAt(text, 8, 10))
  if (dayMs === undefined) return undefined
  if (time === undefined) return { ms: dayMs, micros: 0, zone, hasTime: false }
  const clockMs = clockToMs(time, seconds)
  const offsetMs = zone.length < 2 ? 0 : clockToMs(zone.slice(1), '')
  if (clockMs === undefined || offsetMs === undefined) return undefined
  const second = dayMs + clockMs - (zone.startsWith('-') ? -offsetMs : offsetMs)
  if (fraction === '') return { ms: second, micros: 0, zone, hasTime: true }
  const micros = Number(fraction.padEnd(6, '0'))
  return { ms: second + Math.floor(micros / 1000), micros: micros % 1000, zone, hasTime: true }
}

const secondMs = 1000
const minuteMs = 60 * secondMs
const hourMs = 60 * minuteMs
const monthDays = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/** Returns the number that the digits from `start` to before `end` form. */
function numberAt(text: string, start: number, end: number): number {
  let number = 0
  for (let at = start; at < end; at++) number = 10 * number + text.charCodeAt(at) - 48
  return number
}

/** Converts a time `HH:mm` and its seconds to milliseconds since midnight; undefined for a time that does not exist. */
function clockToMs(time: string, seconds: string): number | undefined {
  const [hour, minute, second] = [
    numberAt(time, 0, 2),
    numberAt(time, 3, 5),
    numberAt(seconds, 0, seconds.length),
  ]
  if (hour > 23 || minute > 59 || second > 59) return undefined
  return hour * hourMs + minute * minuteMs + second * secondMs
}

/**
 * Returns the milliseconds from 1970 to a day by the algorithm `days_from_civil` of Howard Hinnant (chrono-Compatible
 * Low-Level Date Algorithms); undefined for a day that does not exist. `Date.parse` is slow for millions of cells.
 */
function dayToMs(year: number, month: number, day: number): number | undefined {
  const isLeap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  const days = month === 2 && isLeap ? 29 : monthDays[month - 1]
  if (days === undefined || day < 1 || day > days) return undefined
  // Years begin in March, so that the leap day is the last one.
  const shifted = month > 2 ? year : year - 1
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return (era * 146_097 + dayOfEra - 719_468) * 24 * hourMs
}
