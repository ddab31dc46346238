import { z } from 'zod'
import { parseJson } from '@headwater/contract'
import { isTimeZone } from '@headwater/zones'
import type { TaskParam, ValueType } from '../contract/index.ts'

/** Display names of the value types. */
export const valueTypeLabels: Readonly<Record<ValueType, string>> = {
  TEXT: 'Text',
  LONG_TEXT: 'Long text',
  NUMBER: 'Number',
  BOOLEAN: 'Yes or no',
  DATE: 'Date',
  DATE_TIME: 'Date and time',
  DURATION: 'Duration',
  CHOICE: 'Choice',
  LIST: 'List',
  JSON: 'JSON',
  GROUP: 'Group',
  FILE: 'File',
  DATA_PREP: 'Data prep',
  INSIGHT: 'Insight',
  SERIES: 'Series',
  CRON: 'Cron expression',
  TIME_ZONE: 'Time zone',
  ADDRESSES: 'E-mail addresses',
  SCRIPT: 'Script',
  SECRET: 'Secret',
}

/** Duration units in milliseconds. */
const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }
const durationPattern = /^(\d{1,9}\s*[dhms]\s*)+$/i
/** Maximum number of items in a list. */
const maxItems = 1000
/** Maximum nesting depth of lists and objects in a list. */
const maxLevels = 100

/** Returns a duration such as `1h 30m` in milliseconds; undefined for other strings. Units: d, h, m and s. */
export function parseDuration(text: string): number | undefined {
  if (text.length > 100 || !durationPattern.test(text.trim())) return undefined
  const parts = text.matchAll(/(\d+)\s*([dhms])/gi)
  return [...parts].reduce((sum, [, count, unit]) => sum + Number(count) * unitMs[unit!.toLowerCase()]!, 0)
}

/** Returns whether a string is an e-mail address. */
export function isEmailAddress(text: string): boolean {
  return z.email().safeParse(text).success
}

/** Returns the items of a list, which is a JSON array of strings, numbers and booleans, or strings separated by commas. */
export function listOf(text: string): string[] {
  const items = jsonList(text)?.map(itemText) ?? text.split(',')
  return items.map((item) => item.trim()).filter((item) => item !== '')
}

/** Returns the parameter value for a list with these items. */
export function listText(items: readonly string[]): string {
  return items.length === 0 ? '' : JSON.stringify(items)
}

/** Returns an error message for an invalid parameter value; undefined if it is valid or empty. */
export function problemOfValue(
  { valueType, choices = [] }: Pick<TaskParam, 'valueType'> & Partial<Pick<TaskParam, 'choices'>>,
  value: string,
): string | undefined {
  const text = value.trim()
  if (text === '') return undefined
  switch (valueType) {
    case 'NUMBER':
      return isNumber(text) ? undefined : 'Enter a number such as 12.5.'
    case 'BOOLEAN':
      return /^(true|false)$/i.test(text) ? undefined : 'Choose Yes or No: the value is true or false.'
    case 'DATE':
      return z.iso.date().safeParse(text).success ? undefined : 'Enter a date such as 2026-01-31.'
    case 'DATE_TIME':
      return z.iso.datetime({ offset: true }).safeParse(text).success
        ? undefined
        : 'Enter a date and time such as 2026-01-31T07:30:00Z.'
    case 'DURATION':
      return parseDuration(text) === undefined ? 'Enter a duration such as 15m, 1h 30m or 2d.' : undefined
    case 'CHOICE':
      return choices.length === 0 || choices.includes(value)
        ? undefined
        : `Choose one of these values: ${choices.join(', ')}.`
    case 'LIST':
      return problemOfList(text)
    case 'JSON':
      return parseJson(text) === undefined ? 'Enter valid JSON, such as {"a": 1}.' : undefined
    case 'TIME_ZONE':
      return isTimeZone(text) ? undefined : 'Enter a time zone such as Europe/Berlin.'
    case 'ADDRESSES':
      return problemOfAddresses(text)
    case 'SERIES':
      return seriesValue.safeParse(parseJson(text)).success
        ? undefined
        : 'Choose a group, a symbol and a column.'
    default:
      return undefined
  }
}

/** Value of a SERIES parameter: one column of one symbol, as JSON. */
export const seriesValue = z.object({
  groupName: z.string().min(1).max(300),
  symbols: z.record(z.string(), z.string()),
  column: z.string().min(1).max(300),
})

/** Value of a FILE or DATA_PREP parameter as clients write it: JSON with the id, name and group. */
export const objectValue = z.looseObject({
  id: z.string().min(1).max(300),
  name: z.string().max(300).optional(),
  groupName: z.string().max(300).optional(),
})
/** Value of a FILE or DATA_PREP parameter. */
export type ObjectValue = z.output<typeof objectValue>

/**
 * Returns the object that the value of a FILE or DATA_PREP parameter refers to, either as JSON or as a plain id. Undefined if
 * the value is empty.
 */
export function parseObjectValue(value: string): ObjectValue | undefined {
  const text = value.trim()
  if (text === '') return undefined
  const parsed = objectValue.safeParse(parseJson(text))
  return parsed.success ? parsed.data : { id: text }
}

function isNumber(text: string): boolean {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) && Number.isFinite(Number(text))
}

function problemOfList(text: string): string | undefined {
  if (text.startsWith('[') && jsonList(text) === undefined)
    return 'Enter a JSON array such as ["a", "b"], or items separated by commas.'
  return listOf(text).length > maxItems ? `A list can have at most ${maxItems} items.` : undefined
}

function problemOfAddresses(text: string): string | undefined {
  const addresses = listOf(text)
  const wrong = addresses.find((address) => !isEmailAddress(address))
  if (wrong !== undefined) return `“${wrong}” is not an e-mail address.`
  return addresses.length > maxItems ? `Enter at most ${maxItems} addresses.` : undefined
}

/** Returns the items of a JSON array with at most {@link maxLevels} levels; undefined for any other text. */
function jsonList(text: string): unknown[] | undefined {
  const given = text.trim().startsWith('[') ? parseJson(text) : undefined
  if (!Array.isArray(given)) return undefined
  // This is not recursive, because texts can have any number of levels.
  let level: object[] = [given]
  for (let depth = 1; level.length > 0; depth++) {
    if (depth > maxLevels) return undefined
    level = level
      .flatMap((each) => Object.values(each))
      .filter((each) => typeof each === 'object' && each !== null)
  }
  return given
}

function itemText(item: unknown): string {
  return typeof item === 'string' ? item : (JSON.stringify(item) ?? '')
}
