import { expect, test } from 'vitest'
import { appliedFilters, isQuick, matchesQuickly, meetsFilters } from './filter-symbols.ts'

const finds = (symbols: Record<string, string>, typed: Record<string, string>) =>
  meetsFilters(symbols, appliedFilters(typed), matchesQuickly)

test('the browser matches only patterns without repetitions, groups and sets', () => {
  const quick = (text: string) => appliedFilters({ Code: text }).every(isQuick)
  for (const text of ['Brent', '^b', 'oil$', 'a.c', 'Nord 1-2'])
    expect([text, quick(text)]).toEqual([text, true])
  for (const text of ['(a+)+$', 'a*a*b', 'a?a?', 'a{9}', '(a|a)(a|a)', '[ab]', '\\d'])
    expect([text, quick(text)]).toEqual([text, false])
})

test('a field named like an inherited property of objects matches nothing by accident', () => {
  expect(finds({ Code: 'Brent' }, { constructor: 'Object' })).toBe(false)
  expect(finds({ constructor: 'Object' }, { constructor: 'object' })).toBe(true)
})
