import { expect, test } from 'vitest'
import { call, counted, number, x } from '../test/nodes.ts'
import { compileExpression } from './compile-expression.ts'
import type { ExpressionNode } from './expression.ts'
import { functionRules, operators, type ExpressionFunction } from './functions.ts'
import { parseExpression } from './parse-expression.ts'

test('returns the number of inputs and nodes, and whether earlier rows are needed', () => {
  const factsOf = (tree: ExpressionNode) => {
    const { inputCount, nodeCount, looksBack } = compileExpression(tree)
    return [inputCount, nodeCount, looksBack]
  }
  expect(factsOf(number(2))).toEqual([0, 1, false])
  expect(factsOf(call('add', x(4), call('abs', x(1))))).toEqual([5, 4, false])
  for (const [name, { looksBack = false, count }] of Object.entries(functionRules)) {
    const function_ = name as ExpressionFunction
    const nodes = Array.from({ length: functionRules[name as keyof typeof functionRules].least }, () => x(0))
    const tree: ExpressionNode = {
      kind: 'call',
      function: function_,
      arguments: nodes,
      ...(count && { count: 3 }),
    }
    expect(factsOf(call('not', tree)), name).toEqual([1, 2 + nodes.length, looksBack])
    expect(looksBack, name).toBe(['lag', 'mean', 'sum'].includes(name))
  }
})

test('compiles every expression that can be parsed, including those at the limits', () => {
  const texts = [
    ...Object.values(functionRules).map(({ example }) => example),
    ...Object.keys(operators).map((sign) => `x ${sign} 2`),
    `x${'+x'.repeat(99)}`,
    ['95', '95', '60'].map((count) => `min(${Array(Number(count)).fill('x^x').join(',')})`).join('+'),
    `${'round('.repeat(8)}x${')'.repeat(8)}`,
  ]
  for (const text of texts)
    expect(compileExpression(parseExpression(text, ['x']).tree!).inputCount, text).toBe(1)
})

test.each([
  ['an unknown function', call('sleep(1)' as ExpressionFunction, x(0)), 'There is no function sleep(1).'],
  ['a name of Object', call('constructor' as ExpressionFunction, x(0)), 'There is no function constructor.'],
  ['too few values', call('add', x(0)), 'add takes 2 to 2 values, not 1.'],
  ['too many values', call('if', x(0), x(0), x(0), x(0)), 'if takes 2 to 3 values, not 4.'],
  ['a whole number below its range', counted('lag', 0, x(0)), 'from 1 to 1000, not 0.'],
  ['a whole number above its range', counted('round', 16, x(0)), 'from 0 to 15, not 16.'],
  ['not a number', call('mean', x(0)), 'from 1 to 1000, not NaN.'],
  ['a fraction', counted('sum', 1.5, x(0)), 'from 1 to 1000, not 1.5.'],
  ['a number that is not finite', call('abs', number(Infinity)), 'Infinity is not a finite number.'],
  ['a negative input number', x(-1), 'Inputs are numbered from 0, not -1.'],
  ['too deep a tree', chainOf(101, (tree) => call('abs', tree)), 'nested at most 100 deep'],
  ['too many layers', chainOf(10, (tree) => counted('round', 2, tree)), 'at most 8 deep'],
  [
    'too many nodes',
    call('max', ...Array.from({ length: 100 }, () => call('max', ...Array(10).fill(x(0))))),
    'at most 1000 numbers, inputs and functions',
  ],
])('rejects %s', (_, tree, message) => {
  expect(() => compileExpression(tree)).toThrow(RangeError)
  expect(() => compileExpression(tree)).toThrow(message)
})

/** Creates a tree with this nesting depth. */
function chainOf(count: number, wrap: (tree: ExpressionNode) => ExpressionNode): ExpressionNode {
  let tree = x(0)
  for (let height = 1; height < count; height++) tree = wrap(tree)
  return tree
}
