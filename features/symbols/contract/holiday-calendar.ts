import { z } from 'zod'
import { defineRoute, largeBodyBytes, objectName, pageOf, pageQuery } from '@headwater/contract'

/** First and last year that holidays are known of. */
export const firstHolidayYear = 1900
export const lastHolidayYear = 2299

/** Most free days of a calendar that somebody keeps. */
export const maxHolidays = 10_000

const calendarDate = z
  .string()
  .refine(isCalendarDate, `Write a date from ${firstHolidayYear} to ${lastHolidayYear} as 2024-12-25.`)

/** A free day. */
export const holiday = z.object({
  date: calendarDate.describe('The day, `yyyy-MM-dd`.'),
  name: z
    .string()
    .trim()
    .max(200, 'The name of a day has at most 200 characters.')
    .default('')
    .describe('What it is called; may be empty.'),
})
export type Holiday = z.output<typeof holiday>

const name = z.string().max(200).describe('Name of the calendar, in any letter case.')

/** A calendar as lists show it. */
export const holidayCalendar = z.object({
  name: z
    .string()
    .describe(
      'Name by which queries mean it. A shipped one is a country, a part of it, or a part of that: GB, GB-ENG, DE-BY-A.',
    ),
  description: z.string().describe('What it is about; for shipped ones the country and the part.'),
  countryCode: z.string().optional().describe('ISO 3166 code of the country; absent for own calendars.'),
  source: z
    .enum(['shipped', 'own'])
    .describe('shipped: comes with the product. own: kept by the administrators of a company.'),
})
export type HolidayCalendar = z.output<typeof holidayCalendar>

/** Days of the week from 1 = Monday to 7 = Sunday. */
const weekend = z
  .array(z.int().min(1).max(7))
  .max(6, 'At least one day of the week is a working day.')
  .refine((days) => new Set(days).size === days.length, 'A day of the week stands there twice.')
  .describe('Free days of the week, 1 = Monday to 7 = Sunday, at most six.')

/** A calendar with its days. */
export const holidayCalendarDays = holidayCalendar.extend({
  weekend,
  days: z.array(holiday).describe('Its free days, by date ascending; weekends do not stand there.'),
})
export type HolidayCalendarDays = z.output<typeof holidayCalendarDays>

/** What an own calendar is made of. */
export const newHolidayCalendar = z.object({
  description: z
    .string()
    .trim()
    .max(1000, 'A description has at most 1,000 characters.')
    .default('')
    .describe('What it is about; default empty.'),
  weekend: weekend.default([6, 7]),
  days: z
    .array(holiday)
    .max(maxHolidays, `A calendar has at most ${maxHolidays} days.`)
    .superRefine((days, context) => {
      const seen = new Set<string>()
      for (const [index, { date }] of days.entries()) {
        if (seen.has(date))
          context.addIssue({ code: 'custom', path: [index, 'date'], message: `${date} stands there twice.` })
        seen.add(date)
      }
    })
    .default([])
    .describe(`Its free days, at most ${maxHolidays}, each once; default none.`),
})
export type NewHolidayCalendar = z.output<typeof newHolidayCalendar>

const manage = { resource: 'MyAccount/Companies', mode: 'RW' } as const

export const listHolidayCalendars = defineRoute({
  name: 'listHolidayCalendars',
  method: 'GET',
  path: '/ts/holidayCalendar',
  summary: 'Calendars that WORKING_DAYS can count by, shipped and own ones, by name ascending.',
  permission: 'signed-in',
  query: z.object({
    ...pageQuery(),
    query: z
      .string()
      .max(200)
      .default('')
      .describe('Part of the name or description, in any letter case; `*` stands for any text.'),
  }),
  output: pageOf(holidayCalendar),
})

export const getHolidayCalendar = defineRoute({
  name: 'getHolidayCalendar',
  method: 'GET',
  path: '/ts/holidayCalendar/:name',
  summary: 'One calendar with its free days.',
  permission: 'signed-in',
  params: z.object({ name }),
  query: z.object({
    from: calendarDate.optional().describe('First day wanted; default the first of this year.'),
    to: calendarDate.optional().describe('Last day wanted; default the end of the year of `from`.'),
  }),
  output: holidayCalendarDays,
  errors: ['holidayCalendarNotFound'],
})

export const saveHolidayCalendar = defineRoute({
  name: 'saveHolidayCalendar',
  method: 'PUT',
  path: '/ts/holidayCalendar/:name',
  summary: 'Makes an own calendar, or replaces all of it. For administrators of companies.',
  permission: manage,
  params: z.object({
    name: objectName('a calendar', { max: 100, refused: '*' }).describe(
      'Name, unique in any letter case, 1 to 100 characters.',
    ),
  }),
  body: newHolidayCalendar,
  bodyBytes: largeBodyBytes,
  output: holidayCalendarDays,
  errors: ['calendarIsShipped', 'calendarNamedAlike'],
})

export const deleteHolidayCalendar = defineRoute({
  name: 'deleteHolidayCalendar',
  method: 'DELETE',
  path: '/ts/holidayCalendar/:name',
  summary: 'Deletes an own calendar. Queries that name it are refused from then on.',
  permission: manage,
  params: z.object({ name }),
  output: z.object({}),
  errors: ['holidayCalendarNotFound', 'calendarIsShipped'],
})

function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const year = Number(text.slice(0, 4))
  if (year < firstHolidayYear || year > lastHolidayYear) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
