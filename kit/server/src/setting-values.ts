/**
 * Returns the error for a setting with an invalid value. Do not use it for settings that can contain a password, because the
 * message contains the value.
 */
export function notAllowed(name: string, given: string, allowed: string): Error {
  return new Error(`${name} is “${given}”; it must be ${allowed}.`)
}

/** Reads a TCP port. Returns undefined for an absent or empty value. */
export function readPort(name: string, text: string | undefined): number | undefined {
  if (text === undefined || text === '') return undefined
  if (/^\d{1,5}$/.test(text) && Number(text) <= 65_535) return Number(text)
  throw notAllowed(name, text, 'a whole number from 0 to 65535')
}

/**
 * Reads a whole number.
 * @param options.least minimum
 * @param options.digits maximum number of digits; default 6
 */
export function readWholeNumber(
  name: string,
  text: string,
  { least, digits = 6 }: { least: 0 | 1; digits?: number },
): number {
  const isNumber = least === 0 ? /^\d+$/.test(text) : /^[1-9]\d*$/.test(text)
  if (isNumber && text.length <= digits) return Number(text)
  throw notAllowed(name, text, `a whole number from ${least} to ${'9'.repeat(digits)}`)
}
