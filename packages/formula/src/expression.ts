import type { ExpressionFunction } from './functions.ts'

/** Longest expression, in characters. */
export const maxExpressionLength = 2000
/** How deep operations of an expression may stand within each other. */
export const maxExpressionHeight = 100
/** Most numbers, inputs and functions of an expression. */
export const maxExpressionNodes = 1000
/** How deep `round`, `lag`, `mean` and `sum` may stand within each other. */
export const maxExpressionLayers = 8

/**
 * Name of an input: letters, digits and _, no digit in front, at most 40 characters. Names are compared in any letter case.
 * A schema takes the pattern, other code `isInputName`.
 */
export const inputNamePattern = /^[\p{L}_][\p{L}\p{N}_]{0,39}$/u

/** Whether a text may be the name of an input, by {@link inputNamePattern}. */
export function isInputName(text: string): boolean {
  return inputNamePattern.test(text)
}

/** An expression as a tree: finite numbers, inputs by their number from 0, and functions of other nodes. */
export type ExpressionNode =
  | { kind: 'number'; value: number }
  | { kind: 'input'; input: number }
  | {
      kind: 'call'
      function: ExpressionFunction
      arguments: readonly ExpressionNode[]
      /** `round`: decimals, 0 to 15. `lag`, `mean`, `sum`: a number of timestamps, 1 to 1000. Others have none. */
      count?: number
    }
