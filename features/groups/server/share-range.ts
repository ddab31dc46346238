import { createZoneClock, isTimeZone, type ZoneClock } from '@headwater/zones'
import type { Share } from '../contract/index.ts'
import type { DataRange } from './access-scope.ts'

/** A field of a share with the reason why it is rejected. */
export interface RangeProblem {
  /** Name of the field. */
  field: keyof Share
  /** Message for users. */
  message: string
}

const dayMs = 86_400_000

/** Returns the data range of a share as instants (null for all data), or the reason why the share is rejected. */
export function readShareRange(
  share: Pick<Share, 'dataStart' | 'dataEnd' | 'timeZone' | 'access'>,
): DataRange | null | RangeProblem {
  const { dataStart = null, dataEnd = null, timeZone, access } = share
  if (!isTimeZone(timeZone))
    return {
      field: 'timeZone',
      message: `There is no time zone “${timeZone}”. Use an IANA name such as Europe/Warsaw.`,
    }
  if (dataStart === null && dataEnd === null) return null
  if (access !== 'R')
    return {
      field: 'access',
      message: 'A share with a data range is read-only. Set the access to R, or remove the range.',
    }
  const clock = createZoneClock(timeZone)
  const range = { from: instantOf(dataStart, clock, 0), to: instantOf(dataEnd, clock, dayMs) }
  if (range.from !== null && range.to !== null && range.from >= range.to)
    return { field: 'dataEnd', message: 'The range ends before it starts. Choose a later end.' }
  return range
}

/**
 * Parses a bound of a range; null if there is none.
 * @param dateMs for a date without a time, the offset of its instant from the start of the day
 */
function instantOf(text: string | null, clock: ZoneClock, dateMs: number): Date | null {
  if (text === null) return null
  if (/^\d{4}-\d{2}-\d{2}$/.test(text)) return new Date(clock.toUtc(Date.parse(`${text}T00:00:00Z`) + dateMs))
  if (/(?:Z|[+-]\d{2}:?\d{2})$/.test(text)) return new Date(text)
  return new Date(clock.toUtc(Date.parse(`${text}Z`)))
}
