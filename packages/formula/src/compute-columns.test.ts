import { expect, test } from 'vitest'
import { Chances } from '../test/chances.ts'
import { plainValues } from '../test/plain-values.ts'
import { createTree } from '../test/random-tree.ts'
import { compileExpression } from './compile-expression.ts'
import type { ExpressionNode } from './expression.ts'
import { functionRules, operators } from './functions.ts'
import { parseExpression } from './parse-expression.ts'

/** The simplest memory pool: every array is new. */
const memory = { take: (length: number) => new Float64Array(length), reset() {} }
const slice = { isOver: false, next: () => Promise.resolve() }
const none = Number.NaN

/** Computes a tree in chunks of the given number of rows. */
async function compute(
  tree: ExpressionNode,
  columns: readonly Float64Array[],
  part = Infinity,
): Promise<number[]> {
  const rowCount = columns[0]!.length
  const computation = compileExpression(tree).start({ slice, memory })
  const values: number[] = []
  for (let from = 0; from < rowCount; from += part) {
    const to = Math.min(rowCount, from + part)
    const rows = columns.map((column) => column.subarray(from, to))
    values.push(...(await computation.next(rows, to - from, memory)))
  }
  return values
}

const a = [4, -2.5, 0, none, 1e308, 7]
const b = [2, none, 0, none, 10, -7]

/** Expected result of each function over the columns a and b. */
const results: Record<string, number[]> = {
  'a + b': [6, none, 0, none, 1e308, 0],
  'a - b': [2, none, 0, none, 1e308, 14],
  'a * b': [8, none, 0, none, none, -49],
  'a / b': [2, none, none, none, 1e307, -1],
  'a ^ b': [16, none, 1, none, none, 7 ** -7],
  'a = 0': [0, 0, 1, none, 0, 0],
  'a == 4': [1, 0, 0, none, 0, 0],
  'a != 4': [0, 1, 1, none, 1, 1],
  'a <> b': [1, none, 0, none, 1, 1],
  'a < b': [0, none, 0, none, 0, 0],
  'a <= b': [0, none, 1, none, 0, 0],
  'a > b': [1, none, 0, none, 1, 1],
  'a >= b': [1, none, 1, none, 1, 1],
  'abs(a)': [4, 2.5, 0, none, 1e308, 7],
  'sign(a)': [1, -1, 0, none, 1, 1],
  'sqrt(a)': [2, none, 0, none, 1e154, Math.sqrt(7)],
  'ln(a)': [Math.log(4), none, none, none, Math.log(1e308), Math.log(7)],
  'log10(a)': [Math.log10(4), none, none, none, 308, Math.log10(7)],
  'exp(a)': [Math.exp(4), Math.exp(-2.5), 1, none, none, Math.exp(7)],
  'floor(a)': [4, -3, 0, none, 1e308, 7],
  'ceil(a)': [4, -2, 0, none, 1e308, 7],
  'round(a)': [4, -3, 0, none, 1e308, 7],
  'min(a, b)': [2, -2.5, 0, none, 10, -7],
  'max(a, b)': [4, -2.5, 0, none, 1e308, 7],
  'if(a > 1, b)': [2, none, none, none, 10, -7],
  'if(a > 1, b, 9)': [2, 9, 9, 9, 10, -7],
  'coalesce(b, a)': [2, -2.5, 0, none, 10, -7],
  'isempty(b)': [0, 1, 0, 1, 0, 0],
  'and(a, b)': [1, 0, 0, 0, 1, 1],
  'or(a, b)': [1, 1, 0, 0, 1, 1],
  'not(b)': [0, 1, 1, 1, 0, 0],
  'lag(a, 2)': [none, none, 4, -2.5, 0, none],
  'mean(a, 2)': [none, 0.75, -1.25, none, none, 5e307],
  'sum(a, 3)': [none, none, 1.5, none, none, none],
}

test.each(Object.entries(results))('%s', async (text, expected) => {
  const { tree } = parseExpression(text, ['a', 'b'])
  expect(await compute(tree!, [Float64Array.from(a), Float64Array.from(b)])).toEqual(expected)
})

test('the table above covers every function and every operator', () => {
  const texts = Object.keys(results)
  const missing = [
    ...Object.keys(functionRules).filter((name) => !texts.some((text) => text.startsWith(`${name}(`))),
    ...Object.keys(operators).filter((sign) => !texts.some((text) => text.includes(` ${sign} `))),
  ]
  expect(missing).toEqual([])
})

test('random expressions match the plain computation, for chunks of any size', async () => {
  const chances = new Chances(11)
  for (let round = 0; round < 300; round++) {
    const columns = Array.from({ length: 2 }, () =>
      Array.from({ length: 40 }, () => chances.pick([null, 0, -1, 2.5, 3, 100, 1e300])),
    )
    const tree = createTree(chances, 2, 1 + chances.below(4))
    const expected = plainValues(tree, columns, 40).map((value) => (value === null ? none : value + 0))
    const given = columns.map((column) => Float64Array.from(column, (value) => value ?? none))
    for (const part of [1, 7, 40]) {
      const values = await compute(tree, given, part)
      expect(
        values.map((value) => value + 0),
        JSON.stringify(tree),
      ).toEqual(expected)
    }
  }
})

test('a computation yields to other work between chunks and stops if that work throws', async () => {
  const { tree } = parseExpression('round(a, 15) + 1', ['a'])
  let calls = 0
  const next = () => {
    if (++calls === 3) throw new Error('The request was cancelled.')
    return Promise.resolve()
  }
  const computation = compileExpression(tree!).start({ slice: { isOver: true, next }, memory })
  await expect(computation.next([new Float64Array(100_000)], 100_000, memory)).rejects.toThrow(
    'was cancelled',
  )
  expect(calls).toBe(3)
})
