import { z } from 'zod'
import type { Patterns } from './patterns.ts'

/** Conditions of conditional formatting, as stored. */
export const conditions = [
  '>',
  '>=',
  '<',
  '<=',
  '==',
  '!=',
  'between',
  'not between',
  'one of',
  'not one of',
  'regex',
  'for every different value',
  'contains',
  '!contains',
  'includes',
  '!includes',
] as const
export type Condition = (typeof conditions)[number]

/** What a condition is called on the screen. */
export function conditionLabel(kind: Condition): string {
  if (kind === '!contains') return 'does not contain'
  return kind === '!includes' ? 'does not include' : kind
}

/** A stored condition; an unknown one becomes `==`. */
export const condition = z.enum(conditions).catch('==')

/** A condition as it is stored: its kind and the values to compare with. */
export interface StoredCondition {
  condition: Condition
  conditionValueA: string
  conditionValueB: string
}

/** The patterns of conditions, each once; without any, the matcher for patterns is not needed. */
export function patternsIn(
  conditions: readonly { condition?: Condition | undefined; conditionValueA: string }[],
): string[] {
  const patterns = conditions.flatMap(({ condition: kind, conditionValueA }) =>
    kind === 'regex' && conditionValueA.trim() !== '' ? [conditionValueA] : [],
  )
  return [...new Set(patterns)]
}

/**
 * Whether a value meets a condition. Values that are numbers on both sides are compared as numbers, others as text;
 * between includes both ends and needs both; a condition without a value to compare with is never met; the choices of `one of` are
 * separated by commas; a pattern that cannot be used is never met. `for every different value` is always met. `contains` looks for a text anywhere in the value, in any letter case; `includes` reads
 * the value as a list separated by commas, semicolons or bars and looks for one whole entry.
 * @param patterns undefined while the matcher is not loaded: no pattern is met then
 */
export function meets(value: string, stored: StoredCondition, patterns: Patterns | undefined): boolean {
  const { condition: kind, conditionValueA: a, conditionValueB: b } = stored
  if (isUnset(kind, a, b)) return false
  switch (kind) {
    case '>':
      return compare(value, a) > 0
    case '>=':
      return compare(value, a) >= 0
    case '<':
      return compare(value, a) < 0
    case '<=':
      return compare(value, a) <= 0
    case '==':
      return compare(value, a) === 0
    case '!=':
      return compare(value, a) !== 0
    case 'between':
      return isBetween(value, a, b)
    case 'not between':
      return value !== '' && !isBetween(value, a, b)
    case 'one of':
      return choices(a).some((choice) => compare(value, choice) === 0)
    case 'not one of':
      return choices(a).every((choice) => compare(value, choice) !== 0)
    case 'regex':
      return patterns?.matches(value, a) === true
    case 'for every different value':
      return true
    case 'contains':
      return contains(value, a)
    case '!contains':
      return !contains(value, a)
    case 'includes':
      return includes(value, a)
    case '!includes':
      return !includes(value, a)
  }
}

/** Whether nothing was typed that a value could be compared with. */
function isUnset(kind: Condition, a: string, b: string): boolean {
  if (kind === 'for every different value') return false
  const isRange = kind === 'between' || kind === 'not between'
  return a.trim() === '' || (isRange && b.trim() === '')
}

function isBetween(value: string, a: string, b: string): boolean {
  const [low, high] = compare(a, b) <= 0 ? [a, b] : [b, a]
  return compare(value, low) >= 0 && compare(value, high) <= 0
}

/** Negative, zero or positive; NaN, which meets no comparison but `!=`, when only one side is a number. */
function compare(left: string, right: string): number {
  const [a, b] = [numberOf(left), numberOf(right)]
  if (!Number.isNaN(a) && !Number.isNaN(b)) return a - b
  if (Number.isNaN(a) !== Number.isNaN(b)) return Number.NaN
  return left < right ? -1 : left > right ? 1 : 0
}

function numberOf(text: string): number {
  return text.trim() === '' ? Number.NaN : Number(text)
}

function choices(list: string): string[] {
  return list.split(',').map((choice) => choice.trim())
}

function contains(value: string, part: string): boolean {
  return part !== '' && value.toLowerCase().includes(part.toLowerCase())
}

function includes(list: string, entry: string): boolean {
  const wanted = entry.trim().toLowerCase()
  return wanted !== '' && list.split(/[,;|]/).some((each) => each.trim().toLowerCase() === wanted)
}
