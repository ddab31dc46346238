import type { ExpressionNode } from '../src/expression.ts'
import type { ExpressionFunction } from '../src/functions.ts'

/** Creates an input by its number. */
export function x(input: number): ExpressionNode {
  return { kind: 'input', input }
}

/** Creates a constant. */
export function number(value: number): ExpressionNode {
  return { kind: 'number', value }
}

/** Creates a function node without a whole-number argument. */
export function call(name: ExpressionFunction, ...nodes: readonly ExpressionNode[]): ExpressionNode {
  return { kind: 'call', function: name, arguments: nodes }
}

/** Creates a function of one node with a whole-number argument. */
export function counted(name: ExpressionFunction, count: number, node: ExpressionNode): ExpressionNode {
  return { kind: 'call', function: name, arguments: [node], count }
}
