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
/** One of {@link conditions}. */
export type Condition = (typeof conditions)[number]

/** Returns the label of a condition. */
export function conditionLabel(kind: Condition): string {
  if (kind === '!contains') return 'does not contain'
  return kind === '!includes' ? 'does not include' : kind
}

/** A stored condition; an unknown one becomes `==`. */
export const condition = z.enum(conditions).catch('==')

/** A stored condition: its kind and the values to compare with. */
export interface StoredCondition {
  /** Kind of the condition. */
  condition: Condition
  /** Value to compare with, or the lower one of two; if empty, the condition is never met. */
  conditionValueA: string
  /** Upper value of `between` and `not between`. */
  conditionValueB: string
}

/** Returns the distinct patterns of conditions. */
export function patternsIn(
  conditions: readonly { condition?: Condition | undefined; conditionValueA: string }[],
): string[] {
  const patterns = conditions.flatMap(({ condition: kind, conditionValueA }) =>
    kind === 'regex' && conditionValueA.trim() !== '' ? [conditionValueA] : [],
  )
  return [...new Set(patterns)]
}

/**
 * Returns whether a value meets a condition. If both sides are numbers they are compared as numbers, otherwise as text. `between` needs both ends
 * and includes them. A condition without a value to compare with, or with an invalid pattern, is never met. The choices of `one of` are
 * separated by commas. `for every different value` is always met. `contains` ignores case. `includes` reads the value as a list separated
 * by commas, semicolons or bars, and compares whole entries.
 * @param patterns undefined until the matcher is loaded; until then no value matches a pattern
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

/** Returns whether a condition lacks a value to compare with. */
function isUnset(kind: Condition, a: string, b: string): boolean {
  if (kind === 'for every different value') return false
  const isRange = kind === 'between' || kind === 'not between'
  return a.trim() === '' || (isRange && b.trim() === '')
}

function isBetween(value: string, a: string, b: string): boolean {
  const [low, high] = compare(a, b) <= 0 ? [a, b] : [b, a]
  return compare(value, low) >= 0 && compare(value, high) <= 0
}

/** Negative, zero or positive; NaN if only one side is a number. NaN meets no comparison except `!=`. */
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
