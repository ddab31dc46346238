import { expect, test } from 'vitest'
import type { ValueType } from '../contract/index.ts'
import { listOf, listText, parseDuration, problemOfValue } from './value-types.ts'

test.each<[ValueType, string[], string[]]>([
  ['NUMBER', ['1', '-2.5', '1e6', '.5', ''], ['one', '1,5', '0x10', 'Infinity', '1e999']],
  ['BOOLEAN', ['true', 'FALSE', ''], ['yes', '1']],
  ['DATE', ['2026-02-28', '2024-02-29'], ['2026-02-29', '28.02.2026', '2026-2-1']],
  [
    'DATE_TIME',
    ['2026-02-28T07:30:00Z', '2026-02-28T07:30:00+02:00'],
    ['2026-02-28', '2026-02-28T25:00:00Z'],
  ],
  ['DURATION', ['15m', '1h 30m', '2d', '90S'], ['15', 'm', '1w', '-5m', '1.5h']],
  ['CHOICE', ['csv'], ['CSV', 'xml']],
  ['LIST', ['a, b', '["a", "b"]', '[1, 2]'], ['["a"', '[a, b]']],
  ['JSON', ['{"a": 1}', 'null', '[]', '"x"'], ['{a: 1}', '{']],
  ['TIME_ZONE', ['Europe/Berlin', 'UTC'], ['Europe/Nowhere', 'CETT']],
  ['ADDRESSES', ['a@example.com', 'a@example.com, b@example.com'], ['a@', 'a@example.com, nobody']],
  ['SERIES', ['{"groupName":"G","symbols":{"Code":"A"},"column":"Close"}'], ['{"groupName":"G"}', 'A']],
  ['TEXT', ['anything'], []],
])('a value of the type %s is checked', (valueType, valid, invalid) => {
  const problem = (value: string) => problemOfValue({ valueType, choices: ['csv', 'json'] }, value)
  expect(valid.map(problem)).toEqual(valid.map(() => undefined))
  for (const value of invalid) expect(problem(value), value).toMatch(/\.$/)
})

test('durations and lists can be parsed', () => {
  expect(['90s', '1h 30m', '2d', 'x'].map(parseDuration)).toEqual([90_000, 5_400_000, 172_800_000, undefined])
  expect([listOf('a, b,,'), listOf('["a, b", 3, true]'), listOf('')]).toEqual([
    ['a', 'b'],
    ['a, b', '3', 'true'],
    [],
  ])
  expect(listOf(listText(['a, b', 'c']))).toEqual(['a, b', 'c'])
})

test('a list with too many levels is invalid and is treated as a single string', () => {
  const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  const problem = (value: string) => problemOfValue({ valueType: 'LIST' }, value)
  expect([problem(nested(100)), listOf(nested(100))]).toEqual([undefined, [nested(99)]])
  for (const levels of [101, 100_000]) {
    expect(problem(nested(levels))).toBe(
      'Enter a JSON array such as ["a", "b"], or items separated by commas.',
    )
    expect(listOf(nested(levels))).toEqual([nested(levels)])
  }
})
