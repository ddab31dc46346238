/** A timestamp of data: ISO date-time without a zone. */
const localIso = /^\d{4}-\d\d-\d\dT\d\d:\d\d/
const midnight = /T00:00:00(?:\.0+)?$/

/**
 * Formats a timestamp of data: `2026-01-31 07:00:00`, at midnight `2026-01-31`. Any other text stays unchanged.
 * @param keepsMidnight set for columns in which some timestamps have a time of day
 */
export function formatTimestamp(text: string, { keepsMidnight = false } = {}): string {
  if (!localIso.test(text)) return text
  return (keepsMidnight ? text : text.replace(midnight, '')).replace('T', ' ')
}

/** Returns whether a string is a timestamp of data with a time of day other than midnight. */
export function hasTimeOfDay(text: string): boolean {
  return localIso.test(text) && !midnight.test(text)
}

/**
 * Returns the number of decimals for all numbers of a column, so that the points align.
 * @param most maximum number of decimals, because computed values have rounding errors
 */
export function sharedDecimals(values: Iterable<unknown>, most: number): number {
  let decimals = 0
  for (const value of values)
    if (typeof value === 'number')
      decimals = Math.max(decimals, String(Number(value.toFixed(most))).split('.')[1]?.length ?? 0)
  return decimals
}
