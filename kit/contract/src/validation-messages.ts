import { z } from 'zod'
import { cutText } from './error.ts'
import { countOf, formatNumber } from './number.ts'

type Issue = z.core.$ZodRawIssue

/** Maximum number of choices that a message lists. */
const listedChoices = 30
/** Maximum number of unknown fields that a message lists. */
const namedFields = 5

const typeNames: Record<string, string> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  bigint: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  set: 'a list',
  tuple: 'a list',
  object: 'an object',
  record: 'an object',
  map: 'an object',
  date: 'a date',
  null: 'null',
}

const formatMessages: Record<string, string> = {
  email: 'Enter an e-mail address, for example jane@example.com.',
  url: 'Enter a web address, for example https://example.com.',
  uuid: 'This must be a UUID.',
  guid: 'This must be a UUID.',
  date: 'Enter a date such as 2026-01-31.',
  time: 'Enter a time such as 07:30 or 07:30:15.',
  datetime: 'Enter a date and time in ISO 8601, for example 2026-01-31T07:30:00Z.',
}

/**
 * Replaces the default messages of zod, which address programmers, unless a schema has its own message. Applies to the whole
 * process or page. This is a function because the web build would drop a module that is imported only for its side effect.
 */
export function configureValidationMessages(): void {
  z.config({ customError: validationMessage })
}

/**
 * Returns a message for users that states what is wrong with a value and what is allowed. The caller adds the field.
 */
function validationMessage(issue: Issue): string | undefined {
  const isMissing = issue.input === undefined
  switch (issue.code) {
    case 'invalid_type':
      return isMissing ? 'This field is required.' : typeMessage([issue.expected], issue.input)
    case 'invalid_value':
      return isMissing ? 'This field is required.' : choiceMessage(issue.values)
    case 'invalid_union':
      return isMissing ? 'This field is required.' : unionMessage(issue)
    case 'too_big':
      return tooBigMessage(issue)
    case 'too_small':
      return tooSmallMessage(issue)
    case 'not_multiple_of':
      return `This must be a multiple of ${issue.divisor}.`
    case 'unrecognized_keys':
      return unknownFieldsMessage(issue.keys)
    case 'invalid_format':
      return formatMessages[issue.format] ?? 'The format is not valid. See the description of this field.'
    case 'invalid_key':
      return 'Invalid key. Use a key from the API reference.'
    default:
      return 'This value is not allowed.'
  }
}

function typeMessage(expected: readonly string[], input: unknown): string {
  const names = [...new Set(expected.map((type) => typeNames[type] ?? type))].join(' or ')
  // Text that does not parse as a number. The issue of zod does not contain the original text.
  if (Number.isNaN(input)) return `This must be ${names}.`
  return `This must be ${names}, not ${nameOf(input)}.`
}

function nameOf(input: unknown): string {
  if (input === null) return 'null'
  if (Array.isArray(input)) return 'a list'
  if (typeof input === 'number' && !Number.isInteger(input)) return 'a fraction'
  if (typeof input === 'boolean') return String(input)
  return typeNames[typeof input] ?? typeof input
}

function choiceMessage(values: readonly unknown[]): string {
  const texts = values.map((value) => (typeof value === 'string' ? `“${value}”` : String(value)))
  if (texts.length === 1) return `This must be ${texts[0]}.`
  const others = texts.length > listedChoices ? ` or ${formatNumber(texts.length - listedChoices)} more` : ''
  return `This must be one of: ${texts.slice(0, listedChoices).join(', ')}${others}.`
}

/** Returns the message for a union. Lists the allowed types if the options differ only by type. */
function unionMessage(issue: Extract<Issue, { code: 'invalid_union' }>): string {
  const options = 'options' in issue && Array.isArray(issue.options) ? issue.options : []
  if (options.length > 0) return choiceMessage(options)
  const types = (issue.errors ?? []).map(([first]) =>
    first?.code === 'invalid_type' && first.path.length === 0 ? first.expected : undefined,
  )
  const isOfTypes = types.length > 0 && types.every((type) => type !== undefined)
  return isOfTypes ? typeMessage(types, issue.input) : 'This value is not allowed.'
}

function tooBigMessage(issue: Extract<Issue, { code: 'too_big' }>): string {
  const { maximum, inclusive, exact } = issue
  const amount = amountOf(issue.origin, maximum)
  if (amount === undefined)
    return `This must be ${inclusive === false ? 'less than' : 'at most'} ${formatNumber(Number(maximum))}.`
  const be = Number(maximum) === 1 ? 'is' : 'are'
  return exact === true ? `Exactly ${amount} ${be} required.` : `At most ${amount} ${be} allowed.`
}

function tooSmallMessage(issue: Extract<Issue, { code: 'too_small' }>): string {
  const { minimum, inclusive, exact } = issue
  const amount = amountOf(issue.origin, minimum)
  if (amount === undefined)
    return `This must be ${inclusive === false ? 'more than' : 'at least'} ${formatNumber(Number(minimum))}.`
  if (issue.origin === 'string' && Number(minimum) === 1) return 'This must not be empty.'
  return `${exact === true ? 'Exactly' : 'At least'} ${amount} ${Number(minimum) === 1 ? 'is' : 'are'} required.`
}

/** Formats a size with its unit; undefined for a number, which has none. */
function amountOf(origin: string, size: number | bigint): string | undefined {
  if (origin === 'string') return countOf(Number(size), 'character')
  if (origin === 'array' || origin === 'set') return countOf(Number(size), 'item')
  if (origin === 'map') return countOf(Number(size), 'entry', 'entries')
  return undefined
}

function unknownFieldsMessage(keys: readonly string[]): string {
  const named = keys.slice(0, namedFields).map((key) => `“${cutText(key)}”`)
  const others = keys.length > named.length ? ` and ${formatNumber(keys.length - named.length)} more` : ''
  return keys.length === 1
    ? `Unknown field ${named[0]}. Remove it.`
    : `Unknown fields ${named.join(', ')}${others}. Remove them.`
}
