import { isInputName, parseExpression } from '@headwater/formula'
import type { FormulaInput, FormulaJoin } from '../contract/index.ts'
import type { SymbolAddress } from './use-storage-state.ts'

/** An input as it is being chosen. */
export interface InputDraft {
  id: number
  name: string
  groupName: string | null
  symbol: SymbolAddress['symbols'] | null
  column: string | null
}

/** What a formula computes, as it is being written. */
export interface FormulaDraft {
  expression: string
  join: FormulaJoin
  inputs: readonly InputDraft[]
}

/** What can be asked for: every input is complete and the expression has a meaning. */
export interface CompleteFormula {
  expression: string
  join: FormulaJoin
  inputs: FormulaInput[]
}

/** Where an input of a draft has a fault. */
export type InputField = 'name' | 'groupName' | 'symbols' | 'column'

/** The formula of a draft; undefined while it is not complete. */
export function completeFormula({ expression, join, inputs }: FormulaDraft): CompleteFormula | undefined {
  const chosen = inputs.flatMap(({ name, groupName, symbol, column }) =>
    groupName === null || symbol === null || column === null
      ? []
      : [{ name: name.trim(), groupName, symbols: symbol, column }],
  )
  const isComplete = chosen.length === inputs.length && inputs.length > 0
  if (!isComplete || inputFaults(inputs).size > 0) return undefined
  const { fault } = parseExpression(
    expression,
    chosen.map(({ name }) => name),
  )
  return fault === undefined ? { expression, join, inputs: chosen } : undefined
}

/** Faults of the names of inputs, by place; those of a field that is still empty are not told yet. */
export function inputFaults(inputs: readonly InputDraft[]): Map<number, string> {
  const faults = new Map<number, string>()
  const names = inputs.map(({ name }) => name.trim().toLowerCase())
  for (const [index, name] of names.entries()) {
    if (!isInputName(name))
      faults.set(
        index,
        name === '' ? 'Name the input.' : 'Use letters, digits and _; do not start with a digit.',
      )
    else if (names.indexOf(name) < index) faults.set(index, 'This name is used twice.')
  }
  return faults
}

/** The first field of an input that is empty, in the order in which they are filled in. */
export function missingField({ name, groupName, symbol, column }: InputDraft): InputField | undefined {
  if (groupName === null) return 'groupName'
  if (symbol === null) return 'symbols'
  if (column === null) return 'column'
  return name.trim() === '' ? 'name' : undefined
}

/**
 * Replaces a part of an expression, with a space where it would touch a name or number.
 * @returns the new text, and the place after what was inserted
 */
export function insertExpression(
  text: string,
  inserted: string,
  { from, to }: { from: number; to: number },
): { text: string; caret: number } {
  const before = text.slice(0, from)
  const after = text.slice(to)
  const start = `${before}${/[\p{L}\p{N}_.)]$/u.test(before) ? ' ' : ''}${inserted}`
  return { text: `${start}${/^[\p{L}\p{N}_.(]/u.test(after) ? ' ' : ''}${after}`, caret: start.length }
}

/** The example of a function with an input of the formula in place of `x`. */
export function exampleWith(example: string, name = 'x'): string {
  return example.replaceAll(/\bx\b/g, () => name)
}

/** A name for an input, made of the values of its symbol, that no other input has. */
export function suggestName(symbol: SymbolAddress['symbols'], taken: readonly string[]): string {
  const words = Object.values(symbol).join('_').toLowerCase()
  const plain = words.replace(/[^\p{L}\p{N}_]+/gu, '_').replace(/^_+|_+$/g, '')
  const base = (/^\p{N}/u.test(plain) || plain === '' ? `x${plain}` : plain).slice(0, 30)
  const known = new Set(taken.map((name) => name.toLowerCase()))
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}${number}`
    if (!known.has(name)) return name
  }
}

/** What the server refused of inputs, by place and field. */
export function refusedInputs(errors: Readonly<Record<string, string>>): Map<string, string> {
  const found = new Map<string, string>()
  for (const [field, message] of Object.entries(errors)) {
    const match = /^inputs\[(\d+)\]\.(\w+)/.exec(field)
    if (match !== null) found.set(`${match[1]}.${match[2]}`, message)
  }
  return found
}
