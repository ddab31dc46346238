import { z } from 'zod'
import {
  defineRoute,
  isCalendarDate,
  largeBodyBytes,
  objectName,
  pageOf,
  pageQuery,
} from '@headwater/contract'

/** First year of holiday calendars. */
export const firstHolidayYear = 1900
/** Last year of holiday calendars. */
export const lastHolidayYear = 2299

/** Maximum number of holidays of a custom calendar. */
export const maxHolidays = 10_000

const calendarDate = z
  .string()
  .refine(isHoliday, `Write a date from ${firstHolidayYear} to ${lastHolidayYear} as 2024-12-25.`)

/** A holiday. */
export const holiday = z.object({
  date: calendarDate.describe('The day, `yyyy-MM-dd`.'),
  name: z
    .string()
    .trim()
    .max(200, 'The name of a day can have at most 200 characters.')
    .default('')
    .describe('Name of the day; can be empty.'),
})
/** A parsed {@link holiday}. */
export type Holiday = z.output<typeof holiday>

const name = z.string().max(200).describe('Name of the calendar, case-insensitive.')

/** A holiday calendar in a list. */
export const holidayCalendar = z.object({
  name: z
    .string()
    .describe(
      'Name that queries use. A built-in calendar is named after a country, a state or a region: GB, GB-ENG, DE-BY-A.',
    ),
  description: z.string().describe('Description; for built-in calendars the country, state and region.'),
  countryCode: z.string().optional().describe('ISO 3166 code of the country; absent for custom calendars.'),
  source: z
    .enum(['shipped', 'own'])
    .describe('shipped: built in. own: a custom calendar, maintained by the administrators of a company.'),
})
/** A parsed {@link holidayCalendar}. */
export type HolidayCalendar = z.output<typeof holidayCalendar>

/** Days of the week from 1 = Monday to 7 = Sunday. */
const weekend = z
  .array(z.int().min(1).max(7))
  .max(6, 'At least one day of the week is a working day.')
  .refine((days) => new Set(days).size === days.length, 'A day of the week is listed twice.')
  .describe('Weekly non-working days, 1 = Monday to 7 = Sunday, at most six.')

/** A calendar with its days. */
export const holidayCalendarDays = holidayCalendar.extend({
  weekend,
  days: z.array(holiday).describe('Holidays by date ascending, without weekends.'),
})
/** Parsed {@link holidayCalendarDays}. */
export type HolidayCalendarDays = z.output<typeof holidayCalendarDays>

/** Definition of a custom calendar. */
export const newHolidayCalendar = z.object({
  description: z
    .string()
    .trim()
    .max(1000, 'A description can have at most 1,000 characters.')
    .default('')
    .describe('Description; default empty.'),
  weekend: weekend.default([6, 7]),
  days: z
    .array(holiday)
    .max(maxHolidays, `A calendar can have at most ${maxHolidays} days.`)
    .superRefine((days, context) => {
      const seen = new Set<string>()
      for (const [index, { date }] of days.entries()) {
        if (seen.has(date))
          context.addIssue({ code: 'custom', path: [index, 'date'], message: `${date} is listed twice.` })
        seen.add(date)
      }
    })
    .default([])
    .describe(`Holidays, at most ${maxHolidays}, each once; default none.`),
})
/** A parsed {@link newHolidayCalendar}. */
export type NewHolidayCalendar = z.output<typeof newHolidayCalendar>

const manage = { resource: 'MyAccount/Companies', mode: 'RW' } as const

/** Route that lists holiday calendars. */
export const listHolidayCalendars = defineRoute({
  name: 'listHolidayCalendars',
  method: 'GET',
  path: '/ts/holidayCalendar',
  summary: 'Lists the calendars for WORKING_DAYS, built-in and custom, by name ascending.',
  permission: 'signed-in',
  allowsRunTokens: true,
  query: z.object({
    ...pageQuery(),
    query: z
      .string()
      .max(200)
      .default('')
      .describe('Part of the name or description, case-insensitive; `*` matches any text.'),
  }),
  output: pageOf(holidayCalendar),
})

/** Route that returns a holiday calendar. */
export const getHolidayCalendar = defineRoute({
  name: 'getHolidayCalendar',
  method: 'GET',
  path: '/ts/holidayCalendar/:name',
  summary: 'Returns a calendar with its holidays and weekend.',
  permission: 'signed-in',
  allowsRunTokens: true,
  params: z.object({ name }),
  query: z.object({
    from: calendarDate.optional().describe('First day to return; default the first day of this year.'),
    to: calendarDate.optional().describe('Last day to return; default the last day of the year of `from`.'),
  }),
  output: holidayCalendarDays,
  errors: ['holidayCalendarNotFound'],
})

/** Route that saves a custom calendar. */
export const saveHolidayCalendar = defineRoute({
  name: 'saveHolidayCalendar',
  method: 'PUT',
  path: '/ts/holidayCalendar/:name',
  summary: 'Creates a custom calendar, or replaces it completely. For company administrators.',
  permission: manage,
  params: z.object({
    name: objectName('a calendar', { max: 100, refused: '*' }).describe(
      'Name, unique regardless of case, 1 to 100 characters.',
    ),
  }),
  body: newHolidayCalendar,
  bodyBytes: largeBodyBytes,
  output: holidayCalendarDays,
  errors: ['calendarIsShipped', 'calendarNamedAlike'],
})

/** Route that deletes a custom calendar. */
export const deleteHolidayCalendar = defineRoute({
  name: 'deleteHolidayCalendar',
  method: 'DELETE',
  path: '/ts/holidayCalendar/:name',
  summary: 'Deletes a custom calendar. Queries that use it then fail.',
  permission: manage,
  params: z.object({ name }),
  output: z.object({}),
  errors: ['holidayCalendarNotFound', 'calendarIsShipped'],
})

function isHoliday(text: string): boolean {
  const year = Number(text.slice(0, 4))
  return year >= firstHolidayYear && year <= lastHolidayYear && isCalendarDate(text)
}
