import { expect, test } from 'vitest'
import { containsPattern, parseSearchQuery, wildcardPattern } from './search-query.ts'

test.each([
  ['', [], ''],
  ['brent', [], 'brent'],
  ['name=*', [['name', '*']], ''],
  [
    'groupName=Oil & Gas&name=a=b.csv',
    [
      ['groupName', 'Oil & Gas'],
      ['name', 'a=b.csv'],
    ],
    '',
  ],
  ['crude*&groupName.keyword=My Group', [['groupName.keyword', 'My Group']], 'crude*'],
  ['a & b', [], 'a & b'],
])('splits a search text at & only where a key follows: %s', (text, pairs, freeText) => {
  expect(parseSearchQuery(text)).toEqual({
    pairs: (pairs as [string, string][]).map(([key, value]) => ({ key, value })),
    freeText,
  })
})

test('treats only * as a wildcard and escapes the characters of LIKE', () => {
  expect(wildcardPattern('50%_\\*')).toBe('50\\%\\_\\\\%')
  expect(containsPattern('*a*')).toBe('%a%')
  expect(containsPattern('100%')).toBe('%100\\%%')
})
