/** Meaning of a number with a date format. A duration can have more than 24 hours. */
export type DateKind = 'date' | 'time' | 'duration'

/** Ranges of built-in date formats, which workbooks do not declare: the first and last number of each. */
const builtInKinds: readonly (readonly [first: number, last: number, kind: DateKind])[] = [
  [14, 17, 'date'],
  [18, 21, 'time'],
  [22, 22, 'date'],
  [27, 31, 'date'],
  [32, 33, 'time'],
  [34, 36, 'date'],
  [45, 45, 'time'],
  [46, 46, 'duration'],
  [47, 47, 'time'],
  [50, 58, 'date'],
]
const dayMs = 86_400_000
/** 31 December 9999, the last day that spreadsheets support. */
const lastDay = 2_958_466
/** Number of 29 February 1900, which spreadsheets count although it did not exist. */
const fictitiousDay = 60

/**
 * Returns the meaning of numbers with a format; undefined for plain numbers.
 * @param id number of the format
 * @param code format code, if the workbook contains it
 */
export function dateKindOf(id: number, code: string | undefined): DateKind | undefined {
  if (code === undefined) return builtInKinds.find(([first, last]) => id >= first && id <= last)?.[2]
  const [section = ''] = code
    .slice(0, 255)
    .replaceAll(/"[^"]*"|\\.|_.|\*./g, '')
    .toLowerCase()
    .split(';')
  if (/\[(?:h+|m+|s+)\]/.test(section)) return 'duration'
  const codes = section.replaceAll(/\[[^\]]*\]/g, '').replaceAll(/am\/pm|a\/p/g, 'h')
  if (codes.trim() === 'general' || codes.trim() === '@') return undefined
  if (/[dy]/.test(codes)) return 'date'
  if (/[hs]/.test(codes)) return 'time'
  return codes.includes('m') ? 'date' : undefined
}

/**
 * Returns the ISO text of a number with a date format: a date, a date with a time, a time, or hours, minutes and seconds.
 * @param is1904 whether days are counted from 1904, as in old Macintosh workbooks
 */
export function dateText(serial: number, kind: DateKind, is1904: boolean): string {
  const ms = Math.round(serial * dayMs)
  if (kind === 'duration') return durationText(ms)
  if (serial < 0 || serial >= lastDay) return String(serial)
  if (kind === 'time' && ms < dayMs) return timeText(ms)
  const start = is1904 ? start1904 : serial < fictitiousDay ? startOfFirstDays : startOfDays
  const text = new Date(start + ms).toISOString()
  return ms % dayMs === 0 && kind === 'date'
    ? text.slice(0, 10)
    : text.slice(0, text.endsWith('.000Z') ? 19 : 23)
}

const start1904 = Date.UTC(1904, 0, 1)
const startOfFirstDays = Date.UTC(1899, 11, 31)
const startOfDays = Date.UTC(1899, 11, 30)

function timeText(ms: number): string {
  const text = new Date(ms).toISOString()
  return text.slice(11, text.endsWith('.000Z') ? 19 : 23)
}

function durationText(ms: number): string {
  const seconds = Math.abs(Math.round(ms / 1000))
  const two = (value: number) => String(value).padStart(2, '0')
  return `${ms < 0 ? '-' : ''}${Math.floor(seconds / 3600)}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
}
