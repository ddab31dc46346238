import type { Router } from '@headwater/server-kit'
import {
  deleteHolidayCalendar,
  getHolidayCalendar,
  listHolidayCalendars,
  saveHolidayCalendar,
} from '../contract/index.ts'
import type { HolidayCalendarsService } from './holiday-calendars-service.ts'

/** Registers the routes of holiday calendars. */
export function registerHolidayCalendarsRoutes(router: Router, calendars: HolidayCalendarsService): void {
  router.add(listHolidayCalendars, ({ query }) => calendars.list(query))
  router.add(getHolidayCalendar, ({ params, query }) => calendars.get(params.name, query))
  router.add(saveHolidayCalendar, ({ params, body }, { principal }) =>
    calendars.save(principal, params.name, body),
  )
  router.add(deleteHolidayCalendar, async ({ params }, { principal }) => {
    await calendars.remove(principal, params.name)
    return {}
  })
}
