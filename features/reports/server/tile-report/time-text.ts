import { partsIn } from '@headwater/zones'

/**
 * Formats a timestamp like tables do: `2026-01-31` at midnight, else `2026-01-31 16:30:00`.
 * @param time epoch milliseconds
 */
export function timeText(time: number, timeZone: string): string {
  const { year, month, day, hour, minute, second } = partsIn(new Date(time), timeZone)
  const date = `${year}-${month}-${day}`
  const clock = `${hour}:${minute}:${second}`
  return clock === '00:00:00' ? date : `${date} ${clock}`
}
