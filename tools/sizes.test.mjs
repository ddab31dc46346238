import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { findTooLong, lowered, measureFile, measureSizes } from './sizes.mjs'

const exceptions = JSON.parse(readFileSync(new URL('./size-exceptions.json', import.meta.url), 'utf8'))

const lines = (count, line = 'work()') => Array.from({ length: count }, () => line).join('\n')

function sizesOf(source, file = 'kit/web/src/List.tsx') {
  return measureFile(file, source)
}

function tooLong(source, allowed = {}) {
  return findTooLong(sizesOf(source), allowed).map(({ key, lines: count }) => `${key} ${count}`)
}

test('no file and no function of the project is longer than its limit, apart from the exceptions', () => {
  expect(findTooLong(measureSizes(), exceptions).map(({ key, lines: count }) => `${key} ${count}`)).toEqual(
    [],
  )
})

test('every exception has a reason and exceeds a limit', () => {
  for (const [key, { lines: count, reason }] of Object.entries(exceptions)) {
    expect(reason, key).toMatch(/\w.*\.$/)
    expect(count, key).toBeGreaterThan(key.includes('#') ? 150 : 400)
  }
})

test('refuses a file with more than 400 lines of code, with the reason', () => {
  expect(tooLong(lines(400))).toEqual([])
  expect(tooLong(lines(401))).toEqual(['kit/web/src/List.tsx 401'])
  expect(findTooLong(sizesOf(lines(401)), {})[0].rule).toMatch(/at most 400 lines of code. Split it/)
})

test('refuses a function with more than 150 lines of code, whatever its form', () => {
  const body = lines(149)
  for (const source of [
    `function List() {\n${body}\n}`,
    `const List = () => {\n${body}\n}`,
    `const List = memo(function () {\n${body}\n})`,
    `class Screen {\n  List() {\n${body}\n  }\n}`,
    `export const screen = { List() {\n${body}\n} }`,
  ])
    expect(tooLong(source)).toEqual(['kit/web/src/List.tsx#List 151'])
  expect(tooLong(`function List() {\n${lines(148)}\n}`)).toEqual([])
})

test('a function includes the functions inside it', () => {
  const inner = `function inner() {\n${lines(100)}\n}`
  expect(tooLong(`function outer() {\n${inner}\n${lines(50)}\n}`)).toEqual(['kit/web/src/List.tsx#outer 154'])
})

test('blank lines and comments do not count', () => {
  const comment = `/*\n${lines(50, ' * reason')}\n */`
  expect(tooLong(`${lines(400)}\n\n// reason\n${comment}\n`)).toEqual([])
  expect(sizesOf('const text = `\n// text\n`\n// reason\n')[0].lines).toBe(3)
})

test('an exception allows its size and no more', () => {
  const allowed = { 'kit/web/src/List.tsx': { lines: 420, reason: 'Is being split.' } }
  expect(tooLong(lines(420), allowed)).toEqual([])
  expect(tooLong(lines(421), allowed)).toEqual(['kit/web/src/List.tsx 421'])
})

test('exceptions are lowered to the current size, removed when no longer needed, and never raised', () => {
  const reason = 'Is being split.'
  const allowed = { 'kit/web/src/List.tsx': { lines: 420, reason }, 'kit/gone.ts': { lines: 500, reason } }
  expect(lowered(allowed, sizesOf(lines(403)))).toEqual({ 'kit/web/src/List.tsx': { lines: 410, reason } })
  expect(lowered(allowed, sizesOf(lines(430)))).toEqual({ 'kit/web/src/List.tsx': { lines: 420, reason } })
  expect(lowered(allowed, sizesOf(lines(300)))).toEqual({})
})
