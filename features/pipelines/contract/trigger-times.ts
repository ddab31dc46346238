import { z } from 'zod'

/** Local time of a day, `07:00`. */
export const clockTime = z
  .string()
  .regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'Write the time as 07:00, from 00:00 to 23:59.')

/** Local date and time, `2026-01-31T08:00`. */
export const localMinute = z.string().refine(isLocalMinute, 'Write date and time as 2026-01-31T08:00.')

function isLocalMinute(text: string): boolean {
  if (!/^(?:19|20|21|22)\d{2}-\d{2}-\d{2}T\d{2}:\d{2}$/.test(text)) return false
  const instant = Date.parse(`${text}Z`)
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text)
}
