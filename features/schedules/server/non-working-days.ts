import type { NonWorkingDays } from '@headwater/cron'
import { createTimedCache, type Clock } from '@headwater/server-kit'
import type { Trigger } from './schedules-store.ts'

/**
 * Returns the non-working days of a holiday calendar in a range of years.
 * @throws AppError for an unknown calendar
 */
export type FindHolidays = (
  calendar: string,
  years: { first: number; last: number },
) => Promise<{ weekend: readonly number[]; holidays: readonly string[] }>

/** Non-working days by the name of their holiday calendar. */
export type NonWorkingDaysByCalendar = ReadonlyMap<string, NonWorkingDays>

/** Cache lifetime of the non-working days of a calendar; a changed calendar applies after this time. */
const cacheMs = 10 * 60_000
/** Number of years after the current one that are searched for occurrences. */
const yearsAhead = 6

/** Creates a function that loads the non-working days of the calendars that triggers use. */
export function createNonWorkingDays({ findHolidays, clock }: { findHolidays: FindHolidays; clock: Clock }) {
  const cache = createTimedCache<string, NonWorkingDays>({
    async load(key) {
      const year = Number(key.slice(0, 4))
      const days = await findHolidays(key.slice(5), { first: year - 1, last: year + yearsAhead })
      return { weekend: days.weekend, holidays: new Set(days.holidays) }
    },
    ttlMs: cacheMs,
    maxEntries: 100,
    clock,
  })
  return async (triggers: readonly Trigger[], after: Date): Promise<NonWorkingDaysByCalendar> => {
    const names = new Set(triggers.flatMap(({ holidayCalendar }) => holidayCalendar ?? []))
    const loaded = new Map<string, NonWorkingDays>()
    for (const name of names) loaded.set(name, await cache.get(`${after.getUTCFullYear()} ${name}`))
    return loaded
  }
}
