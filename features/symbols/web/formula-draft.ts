import { isInputName, parseExpression } from '@headwater/formula'
import type { FormulaInput, FormulaJoin } from '../contract/index.ts'
import type { SymbolAddress } from './use-storage-state.ts'

/** An input that is being edited. */
export interface InputDraft {
  /** Id of the row. */
  id: number
  /** Name in the expression. */
  name: string
  /** Group of the series; null until selected. */
  groupName: string | null
  /** Keys and values of the series; null until selected. */
  symbol: SymbolAddress['symbols'] | null
  /** Value column; null until selected. */
  column: string | null
}

/** A formula that is being edited. */
export interface FormulaDraft {
  /** Text of the expression. */
  expression: string
  /** Join of the timestamps. */
  join: FormulaJoin
  /** Inputs in their order. */
  inputs: readonly InputDraft[]
}

/** A formula that can be computed: every input is complete and the expression is valid. */
export interface CompleteFormula {
  /** The expression. */
  expression: string
  /** Join of the timestamps. */
  join: FormulaJoin
  /** Inputs in their order. */
  inputs: FormulaInput[]
}

/** Field of an input that has an error. */
export type InputField = 'name' | 'groupName' | 'symbols' | 'column'

/** Returns the formula of a draft; undefined while it is incomplete. */
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

/** Returns errors of the names of inputs, by index. */
export function inputFaults(inputs: readonly InputDraft[]): Map<number, string> {
  const faults = new Map<number, string>()
  const names = inputs.map(({ name }) => name.trim().toLowerCase())
  for (const [index, name] of names.entries()) {
    if (!isInputName(name))
      faults.set(
        index,
        name === '' ? 'Enter a name for the input.' : 'Use letters, digits and _; do not start with a digit.',
      )
    else if (names.indexOf(name) < index) faults.set(index, 'This name is used twice.')
  }
  return faults
}

/** Returns the first empty field of an input, in the order of the form. */
export function missingField({ name, groupName, symbol, column }: InputDraft): InputField | undefined {
  if (groupName === null) return 'groupName'
  if (symbol === null) return 'symbols'
  if (column === null) return 'column'
  return name.trim() === '' ? 'name' : undefined
}

/**
 * Replaces a part of an expression, with a space next to a name or number.
 * @returns the new text, and the position after the inserted text
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

/** Returns the example of a function with `x` replaced by an input of the formula. */
export function exampleWith(example: string, name = 'x'): string {
  return example.replaceAll(/\bx\b/g, () => name)
}

/** Returns an unused name for an input, derived from the values of its symbol. */
export function suggestName(symbol: SymbolAddress['symbols'], taken: readonly string[]): string {
  const joined = Object.values(symbol).join('_').toLowerCase()
  const plain = joined.replace(/[^\p{L}\p{N}_]+/gu, '_').replace(/^_+|_+$/g, '')
  const base = (/^\p{N}/u.test(plain) || plain === '' ? `x${plain}` : plain).slice(0, 30)
  const known = new Set(taken.map((name) => name.toLowerCase()))
  for (let number = 1; ; number++) {
    const name = number === 1 ? base : `${base}${number}`
    if (!known.has(name)) return name
  }
}

/** Returns errors of the server for inputs, by index and field. */
export function refusedInputs(errors: Readonly<Record<string, string>>): Map<string, string> {
  const refused = new Map<string, string>()
  for (const [field, message] of Object.entries(errors)) {
    const match = /^inputs\[(\d+)\]\.(\w+)/.exec(field)
    if (match !== null) refused.set(`${match[1]}.${match[2]}`, message)
  }
  return refused
}
