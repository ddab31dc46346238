/** A date without a zone, and the UTC offset if the text contains one. */
export interface LocalDate {
  /** UTC milliseconds of the same date and time. */
  localMs: number
  /** Whether the format has a time of day. */
  hasTime: boolean
  /** UTC offset of the text in milliseconds; undefined if the date is local time. */
  offsetMs?: number
}

/** Date formats that the screens offer, most frequent first. Any other pattern of the same letters is also valid. */
export const dateFormats = [
  'yyyy-MM-dd',
  "yyyy-MM-dd'T'HH:mm:ss",
  "yyyy-MM-dd'T'HH:mm:ss.SSS",
  "yyyy-MM-dd'T'HH:mm:ssXXX",
  "yyyy-MM-dd'T'HH:mm:ss.SSSXXX",
  "yyyy-MM-dd'T'HH:mm",
  'yyyy-MM-dd HH:mm:ss',
  'yyyy-MM-dd HH:mm:ss.SSS',
  'yyyy-MM-dd HH:mm:ssXXX',
  'yyyy-MM-dd HH:mm',
  'yyyy/MM/dd',
  'yyyy/MM/dd HH:mm:ss',
  'yyyy/MM/dd HH:mm',
  'yyyy.MM.dd',
  'yyyyMMdd',
  'yyyyMMddHHmmss',
  'yyyyMMdd HH:mm:ss',
  'yyyy-MM',
  'dd/MM/yyyy',
  'MM/dd/yyyy',
  'dd/MM/yyyy HH:mm:ss',
  'MM/dd/yyyy HH:mm:ss',
  'dd/MM/yyyy HH:mm',
  'MM/dd/yyyy HH:mm',
  'MM/dd/yyyy hh:mm:ss a',
  'MM/dd/yyyy hh:mm a',
  'dd.MM.yyyy',
  'dd.MM.yyyy HH:mm:ss',
  'dd.MM.yyyy HH:mm',
  'dd-MM-yyyy',
  'MM-dd-yyyy',
  'dd-MM-yyyy HH:mm:ss',
  'dd-MM-yyyy HH:mm',
  'MM-dd-yyyy HH:mm:ss',
  'MM-dd-yyyy HH:mm',
  'dd/MM/yy',
  'MM/dd/yy',
  'dd.MM.yy',
  'dd MMM yyyy',
  'dd-MMM-yyyy',
  'dd-MMM-yy',
  'MMM dd, yyyy',
  'MMM yyyy',
  'epoch seconds',
  'epoch milliseconds',
] as const

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/**
 * Regular expression of each part of a pattern. Days, months and hours next to a separator can omit the leading zero.
 */
const parts: Record<string, string> = {
  yyyy: '(\\d{4})',
  yy: '(\\d{2})',
  MMM: '([A-Za-z]{3,9})\\.?',
  MM: '(\\d{1,2})',
  M: '(\\d{1,2})',
  dd: '(\\d{1,2})',
  d: '(\\d{1,2})',
  HH: '(\\d{1,2})',
  H: '(\\d{1,2})',
  hh: '(\\d{1,2})',
  h: '(\\d{1,2})',
  mm: '(\\d{2})',
  ss: '(\\d{2})',
  SSS: '(\\d{1,9})',
  a: '([AaPp])\\.?[Mm]\\.?',
  XXX: '(Z|[+-]\\d{2}(?::?\\d{2})?)',
}

/** Matches literal text, the letters of a part, or any other character. */
const tokens = /'([^']*)'|yyyy|yy|MMM|MM|M|dd|d|HH|H|hh|h|mm|ss|SSS|a|XXX|[^]/g

interface CompiledFormat {
  expression: RegExp
  fields: string[]
}

const compiled = new Map<string, CompiledFormat>()

/**
 * Returns whether a string is a date format: letters of {@link dateFormats} with a year and a month, or `epoch seconds`,
 * `epoch milliseconds`. Text in apostrophes is literal.
 */
export function isDateFormat(format: string): boolean {
  if (epochFactor(format) !== undefined) return true
  if (format.length > 100) return false
  const { fields } = compile(format)
  const has = (...names: string[]) => names.some((name) => fields.includes(name))
  return has('yyyy', 'yy') && has('MMM', 'MM', 'M') && new Set(fields).size === fields.length
}

/**
 * Parses a date in a format. Surrounding spaces are ignored. Years with two digits are between 1970 and 2069.
 * @returns undefined if the text does not match the format, or if there is no such date
 */
export function parseDate(format: string, text: string): LocalDate | undefined {
  const trimmed = text.trim()
  const factor = epochFactor(format)
  if (factor !== undefined) {
    const isNumber = /^-?\d{1,15}(\.\d{1,6})?$/.test(trimmed)
    return isNumber
      ? { localMs: Math.trunc(Number(trimmed) * factor), hasTime: true, offsetMs: 0 }
      : undefined
  }
  const { expression, fields } = compile(format)
  const match = trimmed.length > 100 ? null : expression.exec(trimmed)
  if (match === null) return undefined
  return dateOf(new Map(fields.map((field, index) => [field, match[index + 1]!])))
}

/** Parts of the example date for a pattern: 31 December 2026 at 14:05:09. */
const exampleParts: Record<string, string> = {
  yyyy: '2026',
  yy: '26',
  MMM: 'Dec',
  MM: '12',
  M: '12',
  dd: '31',
  d: '31',
  HH: '14',
  H: '14',
  hh: '02',
  h: '2',
  mm: '05',
  ss: '09',
  SSS: '000',
  a: 'PM',
  XXX: 'Z',
}

/** Returns an example date in a format, such as `31.12.2026` for `dd.MM.yyyy`. */
export function dateExample(format: string): string {
  const factor = epochFactor(format)
  if (factor !== undefined) return String(Date.UTC(2026, 11, 31, 14, 5, 9) / factor)
  return format.replaceAll(
    tokens,
    (token, literal: string | undefined) => literal ?? exampleParts[token] ?? token,
  )
}

/** Formats a date for NCSV: ISO 8601, with the offset as UTC if it has one. */
export function formatLocalDate({ localMs, hasTime, offsetMs }: LocalDate): string {
  const text = new Date(localMs - (offsetMs ?? 0)).toISOString()
  if (offsetMs !== undefined) return text
  return hasTime ? text.slice(0, -1) : text.slice(0, 10)
}

/**
 * Returns the formats of {@link dateFormats} that fit all texts, the most probable first. If days and months cannot be
 * distinguished, the format in which the dates ascend or descend comes first, otherwise the one with the day first.
 * @param texts some cells of a column; empty ones are ignored
 */
export function detectDateFormats(texts: readonly string[]): string[] {
  return formatsWithErrors(texts, () => 0)
}

/**
 * Same as {@link detectDateFormats}, but if no format fits all texts, returns those that fit the most. At most 10% of the
 * texts, or one text of at least four, can have another format; the conversion reports them.
 */
export function detectDateFormatsWithErrors(texts: readonly string[]): string[] {
  return formatsWithErrors(texts, (count) => (count < 4 ? 0 : Math.max(1, Math.floor(count / 10))))
}

function formatsWithErrors(texts: readonly string[], maxErrorsOf: (count: number) => number): string[] {
  const filled = texts.filter((text) => text.trim() !== '')
  if (filled.length === 0) return []
  const candidates = dateFormats.map((format) => {
    const times = filled.flatMap((text) => {
      const date = parseDate(format, text)
      const isDate = date !== undefined && (epochFactor(format) === undefined || isLikelyEpoch(date.localMs))
      return isDate ? date.localMs : []
    })
    return { format, errors: filled.length - times.length, reversals: countReversals(times) }
  })
  const errors = Math.min(...candidates.map((each) => each.errors))
  if (errors > maxErrorsOf(filled.length)) return []
  return candidates
    .filter((each) => each.errors === errors)
    .toSorted((a, b) => a.reversals - b.reversals)
    .map(({ format }) => format)
}

function epochFactor(format: string): number | undefined {
  if (format === 'epoch seconds') return 1000
  return format === 'epoch milliseconds' ? 1 : undefined
}

/** Only seconds or milliseconds in the years 1980 to 2100 count, so that other numbers are not mistaken for dates. */
function isLikelyEpoch(ms: number): boolean {
  return ms >= Date.UTC(1980, 0, 1) && ms < Date.UTC(2100, 0, 1)
}

/** Returns how often the order of dates changes between ascending and descending. */
function countReversals(times: readonly number[]): number {
  let reversals = 0
  let direction = 0
  for (let at = 1; at < times.length; at++) {
    const step = Math.sign(times[at]! - times[at - 1]!)
    if (step !== 0 && direction !== 0 && step !== direction) reversals++
    if (step !== 0) direction = step
  }
  return reversals
}

function compile(format: string): CompiledFormat {
  const known = compiled.get(format)
  if (known) return known
  const fields: string[] = []
  const source = format.replaceAll(tokens, (token, literal: string | undefined, at: number) => {
    const part = literal === undefined ? parts[token] : undefined
    if (part === undefined) return escapeExpression(literal ?? token)
    fields.push(token)
    const hasNoSeparator = /^(MM|dd|HH)$/.test(token) && isLetter(format[at - 1]) && at > 0
    return hasNoSeparator ? '(\\d{2})' : part
  })
  const result = { expression: new RegExp(`^${source}$`), fields }
  // Limits the cache, because formats can come from requests.
  if (compiled.size >= 1000) compiled.clear()
  compiled.set(format, result)
  return result
}

function isLetter(character: string | undefined): boolean {
  return character !== undefined && /[A-Za-z]/.test(character)
}

function escapeExpression(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}

function dateOf(fields: ReadonlyMap<string, string>): LocalDate | undefined {
  const number = (...names: string[]) => {
    const present = names.find((name) => fields.has(name))
    return present === undefined ? undefined : Number(fields.get(present))
  }
  const shortYear = number('yy')
  const year =
    number('yyyy') ?? (shortYear === undefined ? Number.NaN : shortYear + (shortYear < 70 ? 2000 : 1900))
  const month =
    number('MM', 'M') ?? monthNames.indexOf((fields.get('MMM') ?? '').slice(0, 3).toLowerCase()) + 1
  const day = number('dd', 'd') ?? 1
  const half = fields.get('a')?.toLowerCase()
  const clockHour = number('HH', 'H', 'hh', 'h')
  if (half !== undefined && !(clockHour !== undefined && clockHour >= 1 && clockHour <= 12)) return undefined
  const hour = half === undefined ? (clockHour ?? 0) : (clockHour! % 12) + (half === 'p' ? 12 : 0)
  const minute = number('mm') ?? 0
  const second = number('ss') ?? 0
  const ms = Number((fields.get('SSS') ?? '0').padEnd(3, '0').slice(0, 3))
  const localMs = Date.UTC(year, month - 1, day, hour, minute, second, ms)
  const date = new Date(localMs)
  const exists = year >= 100 && month >= 1 && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
  if (!exists || hour > 23 || minute > 59 || second > 59) return undefined
  const offsetMs = offsetOf(fields.get('XXX'))
  if (Number.isNaN(offsetMs)) return undefined
  return { localMs, hasTime: clockHour !== undefined, ...(offsetMs === undefined ? {} : { offsetMs }) }
}

function offsetOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  if (text === 'Z') return 0
  const hours = Number(text.slice(1, 3))
  const minutes = text.length > 3 ? Number(text.slice(-2)) : 0
  if (hours > 18 || minutes > 59) return Number.NaN
  return (text.startsWith('-') ? -1 : 1) * (hours * 60 + minutes) * 60_000
}
