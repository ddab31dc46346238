import type { ExpressionNode } from '../src/expression.ts'
import type { ExpressionFunction } from '../src/functions.ts'

/** An input by its number. */
export function x(input: number): ExpressionNode {
  return { kind: 'input', input }
}

export function number(value: number): ExpressionNode {
  return { kind: 'number', value }
}

/** A function without a whole number. */
export function call(name: ExpressionFunction, ...nodes: readonly ExpressionNode[]): ExpressionNode {
  return { kind: 'call', function: name, arguments: nodes }
}

/** A function of one node with a whole number. */
export function counted(name: ExpressionFunction, count: number, node: ExpressionNode): ExpressionNode {
  return { kind: 'call', function: name, arguments: [node], count }
}
