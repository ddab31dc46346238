import { knownZone } from '@headwater/web-kit'
import { partsIn } from '@headwater/zones'

/** What a template of a file name is filled with. */
export interface TemplateMoment {
  now: Date
  /** IANA zone of the dates. */
  timeZone: string
}

/**
 * A file name with its placeholders filled: `{millis}` is the current time in milliseconds since 1970, `{date}` the day
 * as `2026-01-31`, `{date:…}` the current time in a form made of yyyy, yy, MM, dd, HH, mm, ss and SSS. Anything else in
 * braces stays.
 */
export function fillFileName(template: string, { now, timeZone }: TemplateMoment): string {
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
