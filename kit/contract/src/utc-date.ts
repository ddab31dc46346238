/**
 * Returns the date of an instant in UTC, for example `2026-01-31`.
 * @param at an instant in the years 0 to 9999, as a Date or in epoch milliseconds
 * @throws RangeError for an invalid date
 */
export function utcDate(at: Date | number): string {
  return new Date(at).toISOString().slice(0, 10)
}
