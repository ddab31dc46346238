/** Number format of a column. */
export interface NumberStyle {
  /** Unit; empty if there is none. */
  unit: string
  /** Whether the unit precedes the number. */
  unitOnFront: boolean
  /** Number of decimals. Default: as many as each number has. */
  decimals?: number
}

/** Maximum length of a number on one line, in characters. */
const longestOnOneLine = 9

/**
 * Formats a number with thousands separators and unit; returns other text unchanged. A number of more than nine characters breaks after its
 * first comma.
 */
export function formatCellNumber(text: string, { unit, unitOnFront, decimals }: NumberStyle): string {
  const value = text.trim() === '' ? Number.NaN : Number(text)
  if (!Number.isFinite(value)) return text
  const number = numberFormat(decimals ?? decimalsIn(text)).format(value)
  const broken = number.length > longestOnOneLine ? number.replace(',', ',\n') : number
  if (unit === '') return broken
  if (unitOnFront) return broken.startsWith('-') ? `-${unit}${broken.slice(1)}` : `${unit}${broken}`
  return unit === '%' || /^\p{L}/u.test(unit) ? `${broken}\u00a0${unit}` : `${broken}${unit}`
}

const numberFormats = new Map<number, Intl.NumberFormat>()

/** Cached, because creating a format takes far longer than using it. */
function numberFormat(digits: number): Intl.NumberFormat {
  let format = numberFormats.get(digits)
  if (format === undefined) {
    format = new Intl.NumberFormat('en-US', { minimumFractionDigits: digits, maximumFractionDigits: digits })
    numberFormats.set(digits, format)
  }
  return format
}

/** Returns the number of decimals of a number text, at most 15. */
export function decimalsIn(text: string): number {
  return Math.min(15, /\.(\d+)$/.exec(text.trim())?.[1]?.length ?? 0)
}

const dateFormats = new Map<string, readonly string[]>()
const datePart = /yyyy|yy|MMMM|MMM|MM|M|dd|d|EEEE|EEE|HH|H|mm|ss|SSS|'[^']*'|[^A-Za-z']+|./g

/**
 * Formats a date by a pattern: `yyyy`, `MM`, `MMM`, `dd`, `EEE`, `HH`, `mm`, `ss`, `SSS`; literal text in quotes. Returns other text
 * unchanged.
 */
export function formatCellDate(text: string, pattern: string): string {
  const at = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}):(\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?)?/.exec(text)
  if (at === null) return text
  const [, year = '', month = '', day = '', hour = '00', minute = '00', second = '00', fraction = ''] = at
  const named = (options: Intl.DateTimeFormatOptions) =>
    new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).toLocaleDateString('en-GB', {
      ...options,
      timeZone: 'UTC',
    })
  let parts = dateFormats.get(pattern)
  if (parts === undefined) dateFormats.set(pattern, (parts = pattern.match(datePart) ?? []))
  return parts
    .map((part) => {
      switch (part) {
        case 'yyyy':
          return year
        case 'yy':
          return year.slice(2)
        case 'MMMM':
          return named({ month: 'long' })
        case 'MMM':
          return named({ month: 'short' })
        case 'MM':
          return month
        case 'M':
          return String(Number(month))
        case 'dd':
          return day
        case 'd':
          return String(Number(day))
        case 'EEEE':
          return named({ weekday: 'long' })
        case 'EEE':
          return named({ weekday: 'short' })
        case 'HH':
          return hour
        case 'H':
          return String(Number(hour))
        case 'mm':
          return minute
        case 'ss':
          return second
        case 'SSS':
          return fraction.padEnd(3, '0')
        default:
          return part.startsWith("'") ? part.replaceAll("'", '') : part
      }
    })
    .join('')
}
