import { utcDate } from '@headwater/contract'
const isoDate = /^(\d{4})-(\d\d)-(\d\d)$/
const dayMs = 86_400_000

/** Returns whether a string is an existing date in the format `2026-01-31`. */
export function isIsoDate(text: string): boolean {
  return isoDate.test(text) && isoOf(Date.parse(`${text}T00:00:00Z`)) === text
}

/** Adds days to a date; a negative number subtracts. */
export function addDays(date: string, days: number): string {
  return isoOf(Date.parse(`${date}T00:00:00Z`) + days * dayMs)
}

/** Adds months to a date. If the month is too short, returns its last day. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number)
  const lastDay = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return isoOf(Date.UTC(year, month - 1 + months, Math.min(day, lastDay)))
}

/** Returns the six weeks around the month of a date, each from Monday to Sunday. */
export function weeksOf(date: string): string[][] {
  const first = `${date.slice(0, 8)}01`
  const monday = addDays(first, -((new Date(`${first}T00:00:00Z`).getUTCDay() + 6) % 7))
  return Array.from({ length: 6 }, (_, week) =>
    Array.from({ length: 7 }, (_day, index) => addDays(monday, week * 7 + index)),
  )
}

function isoOf(ms: number): string {
  return Number.isNaN(ms) ? '' : utcDate(ms)
}
