import type { WorkingCalendar } from './query-options.ts'
import { SeriesEngineError } from './series-engine-error.ts'

const dayMs = 86_400_000
/**
 * First day of the calendar, in days since 1970. It is somewhat before 1677, because the local date can differ and shifts
 * can leave the range.
 */
export const firstDay = Date.UTC(1676, 9, 1) / dayMs
/** Last day of the calendar, in days since 1970: somewhat after 2299. */
export const lastDay = Date.UTC(2300, 2, 31) / dayMs

const mondayToFriday: WorkingCalendar = { weekend: [6, 7], holidays: [] }
const maxHolidays = 100_000

/** Counts working days. A day is a number, counted from 1970-01-01. */
export class WorkingDays {
  /** All working days, in order. */
  readonly #days: Int32Array

  /** @throws SeriesEngineError `invalid` for an invalid calendar */
  constructor({ weekend, holidays }: WorkingCalendar = mondayToFriday) {
    const isFree = new Set(weekend)
    if (isFree.size > 6 || weekend.some((day) => !Number.isInteger(day) || day < 1 || day > 7)) {
      throw new SeriesEngineError(
        'invalid',
        `The weekend of the calendar is ${weekend.join(', ').slice(0, 100)}; allowed are at most six days from 1 (Monday) to 7 (Sunday).`,
      )
    }
    if (holidays.length > maxHolidays) {
      throw new SeriesEngineError(
        'invalid',
        `The calendar has ${holidays.length} holidays; at most ${maxHolidays} are allowed.`,
      )
    }
    const holidayDays = new Set(holidays.map(parseDay))
    const days = new Int32Array(lastDay - firstDay + 1)
    let count = 0
    for (let day = firstDay; day <= lastDay; day++) {
      if (!isFree.has(weekdayOf(day)) && !holidayDays.has(day)) days[count++] = day
    }
    this.#days = days.subarray(0, count)
  }

  /**
   * Returns the `amount`-th working day after a day, or before it if the amount is negative. Undefined outside the calendar.
   */
  add(day: number, amount: number): number | undefined {
    const next = amount > 0 ? this.#indexFrom(day + 1) - 1 : this.#indexFrom(day)
    return this.#days[next + amount]
  }

  /** Returns the index of the first working day not before a day. */
  #indexFrom(day: number): number {
    let low = 0
    let high = this.#days.length
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#days[middle]! < day) low = middle + 1
      else high = middle
    }
    return low
  }
}

/** 1 = Monday to 7 = Sunday. */
function weekdayOf(day: number): number {
  return ((((day + 3) % 7) + 7) % 7) + 1
}

function parseDay(text: string): number {
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) / dayMs : Number.NaN
  if (!Number.isInteger(day) || new Date(day * dayMs).toISOString().slice(0, 10) !== text) {
    throw new SeriesEngineError('invalid', `“${text.slice(0, 40)}” is not a date; write yyyy-MM-dd.`)
  }
  return day
}
