import { commonErrors, type Page } from '@headwater/contract'
import type { Clock, Principal } from '@headwater/server-kit'
import type { WorkingCalendar } from '@headwater/timeseries'
import {
  symbolErrors,
  type HolidayCalendar,
  type HolidayCalendarDays,
  type NewHolidayCalendar,
} from '../contract/index.ts'
import type { HolidayCalendarsStore, OwnCalendar } from './holiday-calendars-store.ts'
import type { ShippedCalendars } from './shipped-calendars.ts'

/** Dependencies of the holiday calendars service. */
export interface HolidayCalendarsDependencies {
  /** Stores custom calendars. */
  store: HolidayCalendarsStore
  /** Built-in calendars. */
  shipped: ShippedCalendars
  /** Time that decides the default year. */
  clock: Clock
}

/** The service of holiday calendars. */
export type HolidayCalendarsService = ReturnType<typeof createHolidayCalendarsService>

/** Creates the service of holiday calendars. All users read them; company administrators change those of their company. */
export function createHolidayCalendarsService({ store, shipped, clock }: HolidayCalendarsDependencies) {
  async function findShipped(name: string): Promise<HolidayCalendar | undefined> {
    const wanted = name.toUpperCase()
    return (await shipped.list()).find((calendar) => calendar.name.toUpperCase() === wanted)
  }

  return {
    async list({
      query,
      from,
      size,
    }: {
      query: string
      from: number
      size: number
    }): Promise<Page<HolidayCalendar>> {
      const own = (await store.list()).map((calendar): HolidayCalendar => ({ ...calendar, source: 'own' }))
      const matches = wildcardTest(query)
      const matching = [...own, ...(await shipped.list())]
        .filter(({ name, description }) => matches(name) || matches(description))
        .toSorted((a, b) => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1))
      return { from, totalSize: matching.length, items: matching.slice(from, from + size) }
    },

    async get(
      name: string,
      range: { from?: string | undefined; to?: string | undefined },
    ): Promise<HolidayCalendarDays> {
      const from = range.from ?? `${(range.to ?? clock.now().toISOString()).slice(0, 4)}-01-01`
      const to = range.to ?? `${from.slice(0, 4)}-12-31`
      const isWanted = ({ date }: { date: string }) => date >= from && date <= to
      const own = await store.find(name)
      if (own !== undefined) return { ...toDays(own), days: own.days.filter(isWanted) }
      const calendar = await findShipped(name)
      if (calendar === undefined) throw symbolErrors.holidayCalendarNotFound({ name })
      if (to < from) return { ...calendar, weekend: [], days: [] }
      const { weekend, days } = await shipped.days(calendar.name, yearOf(from), yearOf(to))
      return { ...calendar, weekend, days: days.filter(isWanted) }
    },

    async save(
      principal: Principal,
      name: string,
      { description, weekend, days }: NewHolidayCalendar,
    ): Promise<HolidayCalendarDays> {
      if ((await findShipped(name)) !== undefined) throw symbolErrors.calendarIsShipped({ name })
      const calendar: OwnCalendar = {
        name,
        companyId: principal.companyId,
        description,
        weekend: weekend.toSorted((a, b) => a - b),
        days: days.toSorted((a, b) => (a.date < b.date ? -1 : 1)),
      }
      if (await store.save(calendar, principal.isAdministrator)) return toDays(calendar)
      const known = (await store.find(name))?.name
      if (known !== undefined && known !== name) throw symbolErrors.calendarNamedAlike({ name, known })
      throw commonErrors.forbidden({
        what: `change the calendar “${name}”, which belongs to another company`,
      })
    },

    async remove(principal: Principal, name: string): Promise<void> {
      const own = await store.find(name)
      if (own === undefined) {
        if ((await findShipped(name)) !== undefined) throw symbolErrors.calendarIsShipped({ name })
        throw symbolErrors.holidayCalendarNotFound({ name })
      }
      if (own.companyId !== principal.companyId && !principal.isAdministrator)
        throw commonErrors.forbidden({
          what: `delete the calendar “${own.name}”, which belongs to another company`,
        })
      await store.remove(own.name)
    },

    /**
     * Returns the working days of a calendar.
     * @param years range of years for a built-in calendar; ignored for a custom one
     * @throws AppError `noSuchHolidayCalendar`
     */
    async workingCalendar(
      name: string,
      years: { first: number; last: number },
      signal?: AbortSignal,
    ): Promise<WorkingCalendar> {
      const own = await store.find(name)
      if (own !== undefined) return { weekend: own.weekend, holidays: own.days.map(({ date }) => date) }
      const calendar = await findShipped(name)
      if (calendar === undefined) throw symbolErrors.noSuchHolidayCalendar({ name })
      const { weekend, days } = await shipped.days(calendar.name, years.first, years.last, signal)
      return { weekend, holidays: days.map(({ date }) => date) }
    },

    /** @throws AppError `noSuchHolidayCalendar` for an unknown name */
    async requireKnown(name: string): Promise<void> {
      if ((await store.find(name)) ?? (await findShipped(name))) return
      throw symbolErrors.noSuchHolidayCalendar({ name })
    },
  }
}

function toDays({ name, description, weekend, days }: OwnCalendar): HolidayCalendarDays {
  return { name, description, source: 'own', weekend, days }
}

function yearOf(date: string): number {
  return Number(date.slice(0, 4))
}

/** Returns a test whether a string contains the query, ignoring case; `*` matches any text. */
function wildcardTest(query: string): (text: string) => boolean {
  const parts = query.toLowerCase().split('*')
  return (text) => {
    const lower = text.toLowerCase()
    let at = 0
    for (const part of parts) {
      const position = lower.indexOf(part, at)
      if (position < 0) return false
      at = position + part.length
    }
    return true
  }
}
