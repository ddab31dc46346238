/**
 * Quotes text as a SQL literal. Use it only for constants and configuration; user input must be a parameter.
 */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** Formats a timestamp as SQL, in whole milliseconds. */
export function quoteTimestamp(ms: number): string {
  return `fromUnixTimestamp64Milli(toInt64(${quoteInteger(ms)}), 'UTC')`
}

/** Formats a whole number as SQL. */
export function quoteInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number.`)
  return Object.is(value, -0) ? '0' : String(value)
}

/** Builds SQL that returns a number, or NULL if it exceeds the range of a double or is not defined. */
export function finiteSql(expression: string): string {
  return `ifNotFinite(${expression}, NULL)`
}

/** Formats a number as SQL. */
export function quoteNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a number.`)
  return Number.isSafeInteger(value) ? quoteInteger(value) : String(value)
}
