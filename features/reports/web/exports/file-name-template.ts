import { knownZone } from '@headwater/web-kit'
import { partsIn } from '@headwater/zones'

/** Values of the placeholders of a file name. */
export interface TemplateValues {
  /** Current time. */
  now: Date
  /** IANA time zone of the dates. */
  timeZone: string
}

/**
 * Replaces the placeholders of a file name: `{millis}` with the current time in epoch milliseconds, `{date}`
 * with the date as `2026-01-31`, and `{date:…}` with the current time in a format of yyyy, yy, MM, dd, HH,
 * mm, ss and SSS. Other braces remain unchanged.
 */
export function fillFileName(template: string, { now, timeZone }: TemplateValues): string {
  return template.replace(/\{(millis|date(?::([^{}]*))?)\}/g, (_, name: string, format?: string) =>
    name === 'millis' ? String(now.getTime()) : formatDate(format ?? 'yyyy-MM-dd', now, timeZone),
  )
}

function formatDate(format: string, now: Date, timeZone: string): string {
  const { year, month, day, hour, minute, second } = partsIn(now, knownZone(timeZone))
  const values: Record<string, string> = {
    yyyy: year,
    yy: year.slice(-2),
    MM: month,
    dd: day,
    HH: hour,
    mm: minute,
    ss: second,
    SSS: String(now.getUTCMilliseconds()).padStart(3, '0'),
  }
  return format.replace(/yyyy|yy|MM|dd|HH|mm|ss|SSS/g, (token) => values[token]!)
}
