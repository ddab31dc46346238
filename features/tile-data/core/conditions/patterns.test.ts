import { expect, test } from 'vitest'
import { loadPatterns } from './load-patterns.ts'

test('matches patterns that make backtracking matchers hang, and accepts JavaScript syntax', async () => {
  const { matches, problemOf } = await loadPatterns()
  for (const pattern of ['^(a+)+$', '^(((\\w+)+)+)+x$', '(x+x+)+y', '(.*)(.*)(.*)(.*)[^b]c$']) {
    expect([pattern, problemOf(pattern)]).toEqual([pattern, undefined])
    expect(matches(`${'a'.repeat(499)}!`, pattern)).toBe(false)
  }
  expect(matches('aaa', '^(a+)+$')).toBe(true)
  for (const pattern of ['\\u0042RENT', '(?<first>b)rent', '\\/|brent', '^br\\w+t$', '\\\\k|b'])
    expect([pattern, matches('Brent', pattern)]).toEqual([pattern, true])
  expect(matches(`${'a'.repeat(500)}b`, 'b')).toBe(false)
})

test('an unsupported pattern reports the reason and an alternative, and matches nothing', async () => {
  const { matches, problemOf } = await loadPatterns()
  const cases: [pattern: string, problem: string][] = [
    ['a(?=b)', 'look-ahead or look-behind'],
    ['(?!x)', 'look-ahead or look-behind'],
    ['(?<=a)b', 'look-ahead or look-behind'],
    ['(?<!a)b', 'look-ahead or look-behind'],
    ['(a)\\1', 'back reference'],
    ['(?<n>a)\\k<n>', 'back reference'],
    ['(', 'not a valid pattern'],
    ['[', 'not a valid pattern'],
    ['a{2,1}', 'not a valid pattern'],
    ['(\\w{1,100}){1,10}', 'repeats too often'],
    ['x'.repeat(201), 'at most 200 characters'],
  ]
  for (const [pattern, problem] of cases) {
    expect([pattern, problemOf(pattern)]).toEqual([pattern, expect.stringContaining(problem)])
    expect([pattern, matches('ab aa kn', pattern)]).toEqual([pattern, false])
  }
})
