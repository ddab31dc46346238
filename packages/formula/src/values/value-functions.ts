import { roundHalfUp } from '../round-half-up.ts'
import { dateFunctions } from './date-functions.ts'
import { valueFunction, type ValueFunction, type ValueWork } from './value-function.ts'
import {
  checked,
  fromUnknown,
  isTrue,
  maxTextLength,
  numberOf,
  toList,
  toNumber,
  toText,
  ValueError,
  type Value,
} from './value.ts'

/** Maximum number of arguments of a function. */
const many = 100

const conditions = {
  if: lazy(2, 3, 'if(condition, x, y)', 'x if the condition is met, otherwise y.', 'if(1 < 2, "yes", "no")'),
  and: lazy(1, many, 'and(a, b, …)', 'Whether all conditions are met.', 'and(1 < 2, 2 < 3)'),
  or: lazy(1, many, 'or(a, b, …)', 'Whether one condition is met.', 'or(1 > 2, 2 < 3)'),
  not: of(1, 'not(a)', 'Whether the condition is not met.', 'not(1 > 2)', ([a]) => !isTrue(a!)),
  coalesce: lazy(1, many, 'coalesce(x, y, …)', 'The first value that is not empty.', 'coalesce("", "Brent")'),
  isempty: of(1, 'isempty(x)', 'Whether a value is empty.', 'isempty("")', ([x]) => toText(x!).trim() === ''),
}

const texts = {
  text: of(1, 'text(x)', 'The value as text.', 'text(12)', ([x]) => toText(x!)),
  upper: of(1, 'upper(x)', 'The text in upper case.', 'upper("wti")', ([x]) => toText(x!).toUpperCase()),
  lower: of(1, 'lower(x)', 'The text in lower case.', 'lower("WTI")', ([x]) => toText(x!).toLowerCase()),
  trim: of(1, 'trim(x)', 'The text without spaces at its ends.', 'trim(" a ")', ([x]) => toText(x!).trim()),
  length: of(1, 'length(x)', 'The number of characters.', 'length("Brent")', ([x]) => toText(x!).length),
  contains: of(
    2,
    'contains(x, part)',
    'Whether text contains a part, or a list an item.',
    'contains("Brent", "ren")',
    ([x, part]) =>
      Array.isArray(x)
        ? x.some((item: Value) => compareValues(item, part!) === 0)
        : toText(x!).includes(toText(part!)),
  ),
  startswith: of(
    2,
    'startswith(x, part)',
    'Whether the text begins with the part.',
    'startswith("Brent", "Br")',
    ([x, part]) => toText(x!).startsWith(toText(part!)),
  ),
  endswith: of(
    2,
    'endswith(x, part)',
    'Whether the text ends with the part.',
    'endswith("a.csv", ".csv")',
    ([x, part]) => toText(x!).endsWith(toText(part!)),
  ),
  replace: of(
    3,
    'replace(x, part, by)',
    'The text with all occurrences of the part replaced.',
    'replace("a.csv", ".csv", ".json")',
    replaced,
  ),
  slice: valueFunction(
    2,
    3,
    'slice(x, from, to)',
    'The characters from position `from` (from 0) to before `to` (default: the end); negative positions count from the end.',
    'slice("Brent", 0, 2)',
    ([x, from, to]) => toText(x!).slice(whole(from!), to === undefined ? undefined : whole(to)),
  ),
  split: of(2, 'split(x, separator)', 'The parts of the text as a list.', 'split("a;b", ";")', splitText),
  join: of(
    2,
    'join(list, separator)',
    'The items of a list as one text.',
    'join(["a", "b"], ", ")',
    ([list, separator]) => toList(list!).map(toText).join(toText(separator!)),
  ),
  padstart: of(
    3,
    'padstart(x, length, by)',
    'The text, filled up at its start.',
    'padstart(7, 3, "0")',
    ([x, length, by]) => toText(x!).padStart(Math.min(whole(length!), maxTextLength), toText(by!)),
  ),
  urlencode: of(1, 'urlencode(x)', 'The text encoded for a part of a URL.', 'urlencode("a b")', ([x]) =>
    encodeURIComponent(toText(x!).toWellFormed()),
  ),
  json: of(1, 'json(x)', 'The value as JSON.', 'json("a")', ([x]) => JSON.stringify(x)),
  get: of(
    2,
    'get(json, path)',
    'The value at a path of a JSON text; empty if there is nothing.',
    'get("{\\"a\\": [1, 2]}", "a.1")',
    valueAt,
  ),
}

const numbers = {
  number: of(1, 'number(x)', 'The number in the text.', 'number("12.5")', ([x]) => toNumber(x!)),
  abs: of(1, 'abs(x)', 'The number without its sign.', 'abs(-2)', ([x]) => Math.abs(toNumber(x!))),
  round: valueFunction(
    1,
    2,
    'round(x, n)',
    'The number rounded to n decimals (default 0), halves away from zero.',
    'round(2.345, 2)',
    ([x, n = 0]) => rounded(toNumber(x!), whole(n)),
  ),
  floor: of(1, 'floor(x)', 'The largest whole number not above the number.', 'floor(2.5)', ([x]) =>
    Math.floor(toNumber(x!)),
  ),
  ceil: of(1, 'ceil(x)', 'The smallest whole number not below the number.', 'ceil(2.5)', ([x]) =>
    Math.ceil(toNumber(x!)),
  ),
  mod: of(2, 'mod(x, y)', 'The remainder of a division, with the sign of y.', 'mod(7, 3)', ([x, y]) => {
    const [a, b] = [toNumber(x!), toNumber(y!)]
    return a - b * Math.floor(a / b)
  }),
  min: valueFunction(
    1,
    many,
    'min(x, y, …)',
    'The smallest number, including those in lists.',
    'min(3, [1, 2])',
    (values) => Math.min(...numbersIn(values)),
  ),
  max: valueFunction(
    1,
    many,
    'max(x, y, …)',
    'The largest number, including those in lists.',
    'max(3, [1, 2])',
    (values) => Math.max(...numbersIn(values)),
  ),
  sum: valueFunction(
    1,
    many,
    'sum(x, y, …)',
    'The sum of numbers, including those in lists.',
    'sum([1, 2], 3)',
    (values) => numbersIn(values).reduce((sum, number) => sum + number, 0),
  ),
}

const lists = {
  count: of(1, 'count(list)', 'The number of items.', 'count(["a", "b"])', ([list]) => toList(list!).length),
  first: of(
    1,
    'first(list)',
    'The first item; empty for an empty list.',
    'first(["a", "b"])',
    ([list]) => toList(list!)[0] ?? null,
  ),
  last: of(
    1,
    'last(list)',
    'The last item; empty for an empty list.',
    'last(["a", "b"])',
    ([list]) => toList(list!).at(-1) ?? null,
  ),
  item: of(
    2,
    'item(list, n)',
    'The item at position n, from 0.',
    'item(["a", "b"], 1)',
    ([list, n]) => toList(list!)[whole(n!)] ?? null,
  ),
  sort: of(1, 'sort(list)', 'The items in ascending order.', 'sort(["b", "a"])', ([list]) =>
    [...toList(list!)].sort(compareValues),
  ),
  unique: of(1, 'unique(list)', 'Each item once.', 'unique(["a", "a"])', ([list]) => {
    const byText = new Map(toList(list!).map((item) => [JSON.stringify(item), item]))
    return [...byText.values()]
  }),
}

const functions = { ...conditions, ...texts, ...numbers, ...lists, ...dateFunctions }

/** The only list of functions of value expressions, by name. Parser, evaluation, editor and guide use it. */
export const valueFunctions: Readonly<Record<string, ValueFunction>> = functions

/** Finds a function by its case-insensitive name; undefined if there is none. */
export function findValueFunction(name: string): { name: string; rule: ValueFunction } | undefined {
  const known = name.toLowerCase()
  return Object.hasOwn(functions, known) ? { name: known, rule: valueFunctions[known]! } : undefined
}

/** Returns the order of two values: as numbers if both are, otherwise in the order of their characters. */
export function compareValues(left: Value, right: Value): number {
  const [a, b] = [numberOf(left), numberOf(right)]
  if (a !== undefined && b !== undefined) return a - b
  const [first, second] = [toText(left), toText(right)]
  return first === second ? 0 : first < second ? -1 : 1
}

function of(
  count: number,
  usage: string,
  meaning: string,
  example: string,
  compute: ValueFunction['compute'],
): ValueFunction {
  return valueFunction(count, count, usage, meaning, example, compute)
}

/** The evaluator handles these functions itself, because they do not need all of their arguments. */
function lazy(least: number, most: number, usage: string, meaning: string, example: string): ValueFunction {
  return { least, most, usage, meaning, example, compute: () => null }
}

function whole(value: Value): number {
  const number = toNumber(value)
  if (!Number.isInteger(number)) throw new ValueError(`${number} is not a whole number.`)
  return number
}

function rounded(number: number, decimals: number): number {
  if (decimals < 0 || decimals > 15) throw new ValueError('round takes 0 to 15 decimals.')
  return roundHalfUp(number, decimals)
}

function numbersIn(values: readonly Value[]): number[] {
  const all = values.flatMap((value) => toList(value)).map(toNumber)
  if (all.length === 0) throw new ValueError('There are no numbers in the list.')
  return all
}

function replaced([x, part, by]: readonly Value[], { budget }: ValueWork): Value {
  const [text, old, replacement] = [toText(x!), toText(part!), toText(by!)]
  if (old === '') return text
  const pieces = text.split(old)
  // Checked before the text is created, because a short expression could otherwise create a very long text.
  if (text.length + (pieces.length - 1) * (replacement.length - old.length) > maxTextLength)
    throw new ValueError(`A text can have at most ${maxTextLength.toLocaleString('en')} characters.`)
  budget.spend(text)
  return pieces.join(replacement)
}

function splitText([x, separator]: readonly Value[]): Value {
  const by = toText(separator!)
  if (by === '') throw new ValueError('split needs a separator.')
  return checked(toText(x!).split(by))
}

function valueAt([json, path]: readonly Value[]): Value {
  let value: unknown = typeof json === 'string' ? parsed(json) : json
  for (const key of toText(path!).split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return null
    value = (value as Record<string, unknown>)[key]
  }
  return fromUnknown(value)
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json)
  } catch {
    throw new ValueError(`${json.length > 40 ? 'The text' : `“${json}”`} is not JSON.`)
  }
}
