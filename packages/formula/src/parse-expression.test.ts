import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { ExpressionNode } from './expression.ts'
import { functionRules } from './functions.ts'
import { parseExpression } from './parse-expression.ts'

function written(node: ExpressionNode): string {
  if (node.kind === 'number') return String(node.value)
  if (node.kind === 'input') return `x${node.input}`
  const values = node.arguments.map(written)
  return `${node.function}(${[...values, ...(node.count === undefined ? [] : [`#${node.count}`])].join(' ')})`
}

function tree(text: string): string {
  const { tree: root, fault } = parseExpression(text, ['brent', 'Wti'])
  return root === undefined ? `error ${fault.message}` : written(root)
}

test.each([
  ['brent + 2 * WTI', 'add(x0 multiply(2 x1))'],
  ['(brent + 2) * wti', 'multiply(add(x0 2) x1)'],
  ['brent - wti - 1', 'subtract(subtract(x0 x1) 1)'],
  ['brent / wti / 2', 'divide(divide(x0 x1) 2)'],
  ['2 ^ 3 ^ brent', 'power(2 power(3 x0))'],
  ['-brent ^ 2', 'subtract(0 power(x0 2))'],
  ['2 ^ -1', 'power(2 -1)'],
  ['- - 3', '3'],
  ['.5e1 + 1.', 'add(5 1)'],
  ['brent - 1 >= wti * 2', 'greaterOrEqual(subtract(x0 1) multiply(x1 2))'],
  ['brent <> 1', 'notEquals(x0 1)'],
  ['IF(brent = 1, lag(wti), round(brent))', 'if(equals(x0 1) lag(x1 #1) round(x0 #0))'],
  ['mean(brent, 20) / sum(wti, 3)', 'divide(mean(x0 #20) sum(x1 #3))'],
  ['max(brent, wti, 3)', 'max(x0 x1 3)'],
])('parses %s as %s', (text, expected) => {
  expect(tree(text)).toBe(expected)
})

test.each([
  ['', 0, 0, 'Expected a number, the name of an input, a function or “(”, but found the end (character 1).'],
  ['brent +', 7, 0, 'but found the end (character 8).'],
  ['brent wti', 6, 3, 'Expected an operator such as + or *, or the end, but found “wti” (character 7).'],
  ['(brent', 6, 0, 'Expected “)” or an operator, but found the end (character 7).'],
  ['1 + gas', 4, 3, '“gas” is not an input. The inputs are brent, Wti (character 5).'],
  ['1 + sin(2)', 4, 3, 'There is no function “sin”. The functions are abs,'],
  ['constructor(1)', 0, 11, 'There is no function “constructor”.'],
  ['abs + 1', 0, 3, 'abs(x) is a function and needs parentheses (character 1).'],
  ['abs(1, 2)', 0, 3, 'Write abs(x) (character 1).'],
  ['mean(brent)', 0, 4, 'Write mean(x, n) (character 1).'],
  [
    'lag(brent, wti)',
    0,
    3,
    'The n of lag(x, n) is a whole number from 1 to 1000, written as such (character 1).',
  ],
  ['lag(brent, 1001)', 0, 3, 'from 1 to 1000'],
  ['1 < brent < 3', 10, 1, 'Two comparisons in a row need parentheses, or and(…) (character 11).'],
  ['brent ; drop', 6, 1, 'Unexpected “;” at character 7.'],
  ['1e999', 0, 5, 'The number 1e999 is too large'],
])('rejects %s with the position', (text, at, length, message) => {
  const { fault } = parseExpression(text, ['brent', 'Wti'])
  expect(fault).toMatchObject({ at, length, message: expect.stringContaining(message) })
})

test('rejects expressions that are too long or too deep without a crash', () => {
  const faultOf = (text: string) => parseExpression(text, ['x']).fault?.message
  expect(faultOf('x'.repeat(2001))).toContain('2001 characters')
  expect(faultOf('('.repeat(1990))).toContain('Parentheses')
  expect(faultOf('-'.repeat(1990) + 'x')).toBeUndefined()
  expect(faultOf(`x${'^x'.repeat(900)}`)).toContain('deep')
  expect(faultOf(`x${'+x'.repeat(99)}`)).toBeUndefined()
  expect(faultOf(`x${'+x'.repeat(100)}`)).toContain('too deep')
  const large = (...counts: number[]) =>
    counts.map((count) => `min(${Array(count).fill('x^x').join(',')})`).join('+')
  expect(faultOf(large(95, 95, 60))).toBeUndefined()
  expect(faultOf(large(95, 95, 95, 95, 95))).toContain('at most 1000 numbers, inputs and functions')
  expect(faultOf(`${'round('.repeat(9)}x${')'.repeat(9)}`)).toContain('at most 8 deep')
})

test('returns the inputs that are used', () => {
  const { usedInputs } = parseExpression('wti * wti', ['brent', 'Wti'])
  expect([...usedInputs!]).toEqual([1])
})

test('the guide lists every function with its description and its example', () => {
  const guide = readFileSync(new URL('../../../docs/guide/formulas.md', import.meta.url), 'utf8')
  const listed = guide
    .slice(guide.indexOf('| function'))
    .split('\n')
    .filter((line) => line.startsWith('| `') && line.split('|').length === 5)
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, 4),
    )
  expect(listed).toEqual(
    Object.values(functionRules).map(({ usage, meaning, example }) => [
      `\`${usage}\``,
      meaning,
      `\`${example}\``,
    ]),
  )
})

test('every documented signature and example can be parsed', () => {
  for (const { usage } of Object.values(functionRules)) {
    const text = usage.replace(', …', '').replaceAll('condition', 'a').replace(/\bn\b/, '3')
    expect(parseExpression(text, ['x', 'y', 'a', 'b']).fault, usage).toBeUndefined()
  }
})
