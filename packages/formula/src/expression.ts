import type { ExpressionFunction } from './functions.ts'

/** Maximum length of an expression, in characters. */
export const maxExpressionLength = 2000
/** Maximum nesting depth of operations. */
export const maxExpressionHeight = 100
/** Maximum number of constants, inputs and functions in an expression. */
export const maxExpressionNodes = 1000
/** Maximum nesting depth of `round`, `lag`, `mean` and `sum`. */
export const maxExpressionLayers = 8

/**
 * Name of an input: letters, digits and _, not starting with a digit, at most 40 characters. Names are
 * case-insensitive. Schemas use this pattern; other code uses `isInputName`.
 */
export const inputNamePattern = /^[\p{L}_][\p{L}\p{N}_]{0,39}$/u

/** Returns whether a string is a valid name of an input, by {@link inputNamePattern}. */
export function isInputName(text: string): boolean {
  return inputNamePattern.test(text)
}

/** An expression as a tree: finite numbers, inputs numbered from 0, and functions of other nodes. */
export type ExpressionNode =
  | { kind: 'number'; value: number }
  | { kind: 'input'; input: number }
  | {
      /** A function of other nodes. */
      kind: 'call'
      /** Name of the function. */
      function: ExpressionFunction
      /** Nodes that compute its arguments. */
      arguments: readonly ExpressionNode[]
      /** `round`: decimals, 0 to 15. `lag`, `mean`, `sum`: a number of timestamps, 1 to 1000. Absent for others. */
      count?: number
    }
