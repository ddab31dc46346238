/** A value of a value expression. Dates are strings: `2026-01-31` for days, `2026-01-31T07:30:00Z` for instants. */
export type Value = string | number | boolean | null | readonly Value[]

/** Maximum length of a string, in characters. */
export const maxTextLength = 100_000
/** Maximum nesting depth of lists and objects. */
const maxLevels = 100
/** Maximum number of items of a list. */
const maxListItems = 1000
/**
 * Maximum work of an evaluation. Each operation costs one unit, plus one for every 16 characters of its strings and one for
 * each list item.
 */
const maxWork = 100_000

/** An error while an expression is evaluated. The message is a sentence for users. */
export class ValueError extends Error {}

/** Counts the work of an evaluation and ends it at the limit. */
export class Budget {
  #left = maxWork

  /** Counts an operation and its arguments. */
  spend(...values: readonly Value[]): void {
    this.#left -= 1
    for (const value of values) this.#left -= costOf(value)
    if (this.#left < 0)
      throw new ValueError('The expression needs too much work. Use shorter texts and lists.')
  }
}

/** Returns a value as text. */
export function toText(value: Value): string {
  if (value === null) return ''
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Returns a value as a number. */
export function toNumber(value: Value): number {
  const number = numberOf(value)
  if (number === undefined) throw new ValueError(`${quoted(value)} is not a number.`)
  return number
}

/** Returns a number, or the number in a string; undefined for any other value. */
export function numberOf(value: Value): number | undefined {
  if (typeof value === 'number') return value
  if (typeof value !== 'string' || !/^\s*[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?\s*$/i.test(value))
    return undefined
  const number = Number(value)
  return Number.isFinite(number) ? number : undefined
}

/** Returns whether a condition is met: true, a number other than 0, or the text `true`. */
export function isTrue(value: Value): boolean {
  if (typeof value === 'string') return value.trim().toLowerCase() === 'true' || (numberOf(value) ?? 0) !== 0
  return value === true || (typeof value === 'number' && value !== 0)
}

/** Returns a value as a list: a list, a JSON array, or one item. An empty value has no items. */
export function toList(value: Value): readonly Value[] {
  if (typeof value === 'string' && value.trimStart().startsWith('[')) {
    const parsed = fromJson(value)
    if (Array.isArray(parsed)) return checked(parsed) as readonly Value[]
  }
  if (Array.isArray(value)) return value as readonly Value[]
  return value === null || value === '' ? [] : [value]
}

/** Parses JSON; undefined if the text is not JSON. Objects become strings of JSON. */
function fromJson(text: string): Value | undefined {
  try {
    return fromUnknown(JSON.parse(text))
  } catch (error) {
    if (error instanceof ValueError) throw error
    return undefined
  }
}

/**
 * Converts a parsed JSON value to a value. Objects become strings of JSON. Throws a {@link ValueError} if it exceeds
 * {@link maxLevels}.
 */
export function fromUnknown(given: unknown): Value {
  checkLevels(given)
  return valueOf(given)
}

/** This is not recursive, because a string of 100,000 characters can have 50,000 levels. */
function checkLevels(given: unknown): void {
  let level: unknown[] = [given]
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > maxLevels) throw new ValueError(`Lists and objects can have at most ${maxLevels} levels.`)
    level = level.flatMap((each) => (typeof each === 'object' && each !== null ? Object.values(each) : []))
  }
}

function valueOf(given: unknown): Value {
  if (given === null || given === undefined) return null
  if (typeof given === 'string' || typeof given === 'number' || typeof given === 'boolean') return given
  if (Array.isArray(given)) return given.map(valueOf)
  return JSON.stringify(given)
}

/** Returns the value if it is within the limits. */
export function checked(value: Value): Value {
  if (typeof value === 'string' && value.length > maxTextLength)
    throw new ValueError(`A text can have at most ${maxTextLength.toLocaleString('en')} characters.`)
  if (typeof value === 'number' && !Number.isFinite(value))
    throw new ValueError('The result is not a finite number. Check for a division by 0.')
  if (Array.isArray(value) && value.length > maxListItems)
    throw new ValueError(`A list can have at most ${maxListItems.toLocaleString('en')} items.`)
  return value
}

/** Formats a value for a message. */
export function quoted(value: Value): string {
  const text = toText(value)
  return `“${text.length > 40 ? `${text.slice(0, 40)}…` : text}”`
}

function costOf(value: Value): number {
  if (typeof value === 'string') return Math.ceil(value.length / 16)
  return typeof value === 'object' && value !== null
    ? (value as readonly Value[]).reduce<number>((sum, item) => sum + 1 + costOf(item), 0)
    : 0
}
