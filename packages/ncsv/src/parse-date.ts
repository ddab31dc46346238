import type { ZoneClock } from '@headwater/zones'

/** Earliest allowed date in UTC milliseconds: the start of 1677. */
export const earliestMs = Date.UTC(1677, 0, 1)
/** Latest allowed date in UTC milliseconds: the end of 2299. */
export const latestMs = Date.UTC(2299, 11, 31, 23, 59, 59, 999)

/**
 * Parses an ISO 8601 date from ASCII bytes: `2024-05-26`, `2024-05-26T10:00`, `2024-05-26 10:00:00.123`, where times
 * can be followed by `Z` or an offset `+02:00`, `+0200`, `+02`. Fractions are truncated to milliseconds. Without an
 * offset, the date is local time in `zone`.
 * @returns UTC milliseconds, or NaN if it is not a date in the years 1677 to 2299
 */
export function parseDateBytes(bytes: Buffer, start: number, end: number, zone: ZoneClock): number {
  while (start < end && bytes[start] === 0x20) start++
  while (end > start && bytes[end - 1] === 0x20) end--
  if (end - start < 10 || bytes[start + 4] !== 0x2d || bytes[start + 7] !== 0x2d) return Number.NaN
  const year = twoDigits(bytes, start) * 100 + twoDigits(bytes, start + 2)
  let ms = daysSinceEpoch(year, twoDigits(bytes, start + 5), twoDigits(bytes, start + 8)) * 86_400_000
  if (Number.isNaN(ms)) return Number.NaN
  let at = start + 10
  let isLocal = true
  if (at < end) {
    const separator = bytes[at]
    if (
      (separator !== 0x54 && separator !== 0x20 && separator !== 0x74) ||
      end - at < 6 ||
      bytes[at + 3] !== 0x3a
    )
      return Number.NaN
    const hour = twoDigits(bytes, at + 1)
    const minute = twoDigits(bytes, at + 4)
    if (!(hour <= 23 && minute <= 59)) return Number.NaN
    ms += hour * 3_600_000 + minute * 60_000
    at += 6
    if (at < end && bytes[at] === 0x3a) {
      if (end - at < 3) return Number.NaN
      const second = twoDigits(bytes, at + 1)
      if (!(second <= 59)) return Number.NaN
      ms += second * 1000
      at += 3
      if (at < end && (bytes[at] === 0x2e || bytes[at] === 0x2c)) {
        const fractionStart = ++at
        let scale = 100
        for (; at < end && bytes[at]! >= 0x30 && bytes[at]! <= 0x39; at++) {
          ms += Math.trunc(scale) * (bytes[at]! - 0x30)
          scale /= 10
        }
        if (at === fractionStart) return Number.NaN
      }
    }
    if (at < end) {
      const offset = parseOffset(bytes, at, end)
      if (Number.isNaN(offset)) return Number.NaN
      ms -= offset
      isLocal = false
    }
  }
  if (isLocal) ms = zone.toUtc(ms)
  return ms >= earliestMs && ms <= latestMs ? ms : Number.NaN
}

/** Parses `Z`, `+hh:mm`, `+hhmm` or `+hh` up to `end`. Returns milliseconds, or NaN for any other text. */
function parseOffset(bytes: Buffer, at: number, end: number): number {
  const first = bytes[at]
  if ((first === 0x5a || first === 0x7a) && at + 1 === end) return 0
  if (first !== 0x2b && first !== 0x2d) return Number.NaN
  const length = end - at - 1
  if (length !== 2 && length !== 4 && !(length === 5 && bytes[at + 3] === 0x3a)) return Number.NaN
  const hours = twoDigits(bytes, at + 1)
  const minutes = length === 2 ? 0 : twoDigits(bytes, end - 2)
  if (!(hours <= 18 && minutes <= 59)) return Number.NaN
  const ms = (hours * 60 + minutes) * 60_000
  return first === 0x2d ? -ms : ms
}

function twoDigits(bytes: Buffer, at: number): number {
  const tens = bytes[at]! - 0x30
  const ones = bytes[at + 1]! - 0x30
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

const firstYear = 1676
const yearCount = 625
const monthsOfYear = 12

/** Days from 1970-01-01 to the first day of every month, for the allowed years and one year before and after them. */
const monthStarts = Int32Array.from(
  { length: yearCount * monthsOfYear + 1 },
  (_, month) => Date.UTC(firstYear, month, 1) / 86_400_000,
)

/**
 * Returns the days from 1970-01-01 in the Gregorian calendar; NaN if there is no such day in the years 1676 to 2300.
 */
export function daysSinceEpoch(year: number, month: number, day: number): number {
  if (!(year >= firstYear && year < firstYear + yearCount && month >= 1 && month <= monthsOfYear))
    return Number.NaN
  const index = (year - firstYear) * monthsOfYear + month - 1
  const start = monthStarts[index]!
  return day >= 1 && day <= monthStarts[index + 1]! - start ? start + day - 1 : Number.NaN
}
