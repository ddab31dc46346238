import { z } from 'zod'
import { isCalendarDate } from '@headwater/contract'

/** Local time of day, such as `07:00`. */
export const clockTime = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Write the time as 07:00, from 00:00 to 23:59.')

/** Local date and time, such as `2026-01-31T08:00`. */
export const localMinute = z.string().refine(isLocalMinute, 'Write date and time as 2026-01-31T08:00.')

function isLocalMinute(text: string): boolean {
  return (
    /^(?:19|20|21|22)\d{2}-\d{2}-\d{2}T(?:[01]\d|2[0-3]):[0-5]\d$/.test(text) &&
    isCalendarDate(text.slice(0, 10))
  )
}
