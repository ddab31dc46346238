import { partsIn } from '@headwater/zones'

/** A moment, epoch milliseconds, as tables write it in a zone: `2026-01-31`, or `2026-01-31 16:30:00` within a day. */
export function momentText(time: number, timeZone: string): string {
  const { year, month, day, hour, minute, second } = partsIn(new Date(time), timeZone)
  const date = `${year}-${month}-${day}`
  const clock = `${hour}:${minute}:${second}`
  return clock === '00:00:00' ? date : `${date} ${clock}`
}
