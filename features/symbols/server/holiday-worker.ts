import { utcDate } from '@headwater/contract'
import { parentPort, workerData } from 'node:worker_threads'
import Holidays from 'date-holidays'
import type { Holiday, HolidayCalendar } from '../contract/holiday-calendar.ts'

/** Task of the worker. */
export type HolidayTask =
  { kind: 'list' } | { kind: 'days'; name: string; firstYear: number; lastYear: number }

/** Holidays of a built-in calendar. */
export interface ShippedDays {
  /** Weekly non-working days, 1 = Monday to 7 = Sunday. */
  weekend: number[]
  /** Holidays by date ascending. */
  days: Holiday[]
}

const language = 'en'
const dayMs = 86_400_000

/** Lists the calendars of all countries, states and regions. */
function listCalendars(): HolidayCalendar[] {
  const rules = new Holidays()
  const calendars: HolidayCalendar[] = []
  const add = (codes: string[], names: string[]) =>
    calendars.push({
      name: codes.join('-'),
      description: names.join(' – '),
      countryCode: codes[0]!,
      source: 'shipped',
    })
  for (const [country, countryName] of Object.entries(rules.getCountries(language))) {
    add([country], [countryName])
    for (const [state, stateName] of Object.entries(rules.getStates(country, language) ?? {})) {
      add([country, state], [countryName, stateName])
      for (const [region, regionName] of Object.entries(rules.getRegions(country, state, language) ?? {}))
        add([country, state, region], [countryName, stateName, regionName])
    }
  }
  return calendars
}

function daysOf(name: string, firstYear: number, lastYear: number): ShippedDays {
  const [country = '', state = '', region = ''] = name.split('-')
  const rules = new Holidays(country, state, region, { languages: language, types: ['public', 'bank'] })
  const days = new Map<string, string>()
  // Days around New Year can belong to a holiday of the year before.
  for (let year = firstYear - 1; year <= lastYear; year++)
    for (const each of rules.getHolidays(year, language))
      for (const day of daysOfHoliday(each)) if (!days.has(day)) days.set(day, each.name)
  return {
    weekend: weekendOf(country),
    days: [...days]
      .map(([date, holidayName]) => ({ date, name: holidayName }))
      .filter(({ date }) => Number(date.slice(0, 4)) >= firstYear && Number(date.slice(0, 4)) <= lastYear)
      .toSorted((a, b) => (a.date < b.date ? -1 : 1)),
  }
}

/** Returns the days whose noon lies within a holiday, so that a free afternoon leaves a working day. */
function daysOfHoliday({ date, start, end }: { date: string; start: Date; end: Date }): string[] {
  const begins = Date.parse(`${date.slice(0, 10)}T${date.slice(11, 19)}Z`)
  const ends = begins + (end.getTime() - start.getTime())
  const days: string[] = []
  for (let noon = Math.floor(begins / dayMs) * dayMs + dayMs / 2; noon < ends; noon += dayMs)
    if (noon > begins) days.push(utcDate(noon))
  return days
}

function weekendOf(country: string): number[] {
  const locale = new Intl.Locale(`und-${country}`) as Intl.Locale & {
    getWeekInfo(): { weekend: number[] }
  }
  try {
    return locale.getWeekInfo().weekend
  } catch {
    return [6, 7]
  }
}

const task = workerData as HolidayTask
parentPort!.postMessage(
  task.kind === 'list' ? listCalendars() : daysOf(task.name, task.firstYear, task.lastYear),
)
