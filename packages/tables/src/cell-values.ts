const numberPattern = /^-?(?:0|[1-9]\d{0,30})(?:\.(\d{1,30}))?(?:[eE][+-]?\d{1,3})?$/
const datePattern =
  /^(\d{4}-\d{2}-\d{2})(?:[T ](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?(Z|[+-]\d{2}:\d{2})?)?$/

/**
 * Parses a decimal number. Returns undefined if the text is not a number or if digits would be lost. `007` and `+1` do
 * not count as numbers. @param maxDigits number of significant digits that are exact
 */
export function parseNumberText(text: string, maxDigits: number): number | undefined {
  const match = text.length > 64 ? null : numberPattern.exec(text)
  if (match === null) return undefined
  const digits = text
    .replace(/[eE].*$/, '')
    .replaceAll(/[-.]/g, '')
    .replace(/^0+/, '')
  if (digits.length > maxDigits) return undefined
  const number = Number(text)
  if (!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number)))
    return undefined
  return number
}

/** A date or an instant. */
export interface DateValue {
  /** Microseconds since 1970: of the instant if there is a zone, otherwise of the local time. */
  micros: bigint
  /** Zone of the date: empty, `Z` or an offset such as `+02:00`. */
  zone: string
  /** Whether the date has a time of day. */
  hasTime: boolean
}

/** Parses an ISO date with an optional time and zone. Returns undefined for other texts and for non-existent days. */
export function parseDateText(text: string): DateValue | undefined {
  const match = text.length > 32 ? null : datePattern.exec(text)
  if (match === null) return undefined
  const [, day = '', time, seconds = '00', fraction = '', zone = ''] = match
  const local = Date.parse(`${day}T${time ?? '00:00'}:${seconds}Z`)
  // Rejects days such as 30 February, which would become 2 March.
  if (Number.isNaN(local) || new Date(local).toISOString().slice(0, 10) !== day) return undefined
  const ms = zone === '' ? local : Date.parse(`${day}T${time}:${seconds}${zone}`)
  if (Number.isNaN(ms)) return undefined
  const micros = BigInt(ms) * 1000n + BigInt(fraction.padEnd(6, '0'))
  return { micros, zone, hasTime: time !== undefined }
}
