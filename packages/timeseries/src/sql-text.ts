/** Text as a SQL literal. Only for text of this program or of its configuration; text of users goes as a parameter. */
export function quoteText(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

/** A timestamp as SQL, in whole milliseconds. */
export function quoteTimestamp(ms: number): string {
  return `fromUnixTimestamp64Milli(toInt64(${quoteInteger(ms)}), 'UTC')`
}

/** A whole number as SQL. */
export function quoteInteger(value: number): string {
  if (!Number.isSafeInteger(value)) throw new RangeError(`${value} is not a whole number.`)
  return Object.is(value, -0) ? '0' : String(value)
}

/** SQL of a number that is NULL where it is beyond what a double holds, or not defined. */
export function finiteSql(expression: string): string {
  return `ifNotFinite(${expression}, NULL)`
}

/** A number as SQL. */
export function quoteNumber(value: number): string {
  if (!Number.isFinite(value)) throw new RangeError(`${value} is not a number.`)
  return Number.isSafeInteger(value) ? quoteInteger(value) : String(value)
}
