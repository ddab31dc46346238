/**
 * Returns the date of an instant in UTC, for example `2026-01-31`.
 * @param at an instant in the years 0 to 9999, as a Date or in epoch milliseconds
 * @throws RangeError for an invalid date
 */
export function utcDate(at: Date | number): string {
  return new Date(at).toISOString().slice(0, 10)
}

/** Returns whether a string is a date that exists, `2026-01-31`. */
export function isCalendarDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const time = Date.parse(`${text}T00:00:00Z`)
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text)
}
