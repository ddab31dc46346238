import { expect, test } from 'vitest'
import { readOptions } from './read-options.ts'

const same = (...values: string[]) => values.map((value) => ({ value, label: value }))

test.each([
  ['JSON', '[{"value":"a","label":"a"},{"value":"b","label":"b"}]'],
  ['lines', 'a\nb\n'],
  ['commas', 'a,b'],
])('IN-111 DP-098 reads the same options from %s', (_, text) => {
  expect(readOptions(text)).toEqual(same('a', 'b'))
})

test('IN-111 DP-098 JSON gives a label for each value; without a label the value is used', () => {
  expect(readOptions('[{"value":"BRN","label":"Brent"},{"value":7},"x"]')).toEqual([
    { value: 'BRN', label: 'Brent' },
    { value: '7', label: '7' },
    { value: 'x', label: 'x' },
  ])
})

test('IN-111 DP-098 JSON that is not a list of pairs is read as lines, or else as comma-separated text', () => {
  expect(readOptions('42')).toEqual(same('42'))
  expect(readOptions('{"value":"a"}')).toEqual(same('{"value":"a"}'))
  expect(readOptions('[{"label":"a"},{"label":"b"}]')).toEqual(same('[{"label":"a"}', '{"label":"b"}]'))
})

test('DP-099 each line or comma item is both label and value', () => {
  expect(readOptions('a,b')).toEqual(same('a', 'b'))
  expect(readOptions('a\nb')).toEqual(same('a', 'b'))
})

test('IN-111 DP-098 DP-099 with several lines, commas belong to their line', () => {
  expect(readOptions('Brent, dated\r\n\r\n  WTI  \r\n')).toEqual(same('Brent, dated', 'WTI'))
  expect(readOptions(' Brent , ,WTI,\n')).toEqual(same('Brent', 'WTI'))
})

test('ignores byte order marks, duplicate values and empty content', () => {
  expect(readOptions('\uFEFF["a","a","b"]')).toEqual(same('a', 'b'))
  expect(readOptions('b\na\nb')).toEqual(same('b', 'a'))
  expect(readOptions('[{"value":"","label":"None"}]')).toEqual([])
  expect(readOptions(' \n ')).toEqual([])
})
