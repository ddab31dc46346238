import { expect, test } from 'vitest'
import {
  charactersLeftOut,
  cleanTitle,
  headingOf,
  newTitle,
  uniqueTitle,
} from '@headwater/tile-data/contract'
import { decodeTags, encodeTags } from './index.ts'

test.each([
  ['a/b!', 'ab'],
  ['Ölpreis (Brent) - 2_0', 'Ölpreis (Brent) - 2_0'],
  ['<script>alert(1)</script>', 'scriptalert(1)script'],
  ['a\u0000\n\tb', 'ab'],
])('IN-125 the title %j is reduced to %j', (title, clean) => {
  expect(cleanTitle(title)).toBe(clean)
})

test('IN-125 letters, digits, parentheses, hyphen, underscore and space are preserved; all other ASCII characters are removed', () => {
  const ascii = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code)).join('')
  expect(cleanTitle(`a${ascii}z`)).toBe(
    'a ()-0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyzz',
  )
})

test('IN-122 IN-123 a title collision appends (1) until the title is unique', () => {
  expect(uniqueTitle('A', [])).toBe('A')
  expect(uniqueTitle('A', ['A'])).toBe('A(1)')
  expect(uniqueTitle('A', ['A', 'A(1)'])).toBe('A(1)(1)')
})

test('IN-122 a new tile gets the first free title of its kind', () => {
  expect(newTitle('Table', [])).toBe('Table')
  expect(newTitle('Table', ['Table', 'Chart'])).toBe('Table 2')
  expect(newTitle('Table', ['Table', 'Table 2', 'Table 4'])).toBe('Table 3')
  expect(newTitle('Table', ['Table 2'])).toBe('Table')
})

test('IN-122 any number of copies have unique titles that are short enough to be saved', () => {
  const titles = new Set<string>()
  for (let copy = 0; copy < 500; copy += 1) titles.add(uniqueTitle('A', titles))
  expect(titles.size).toBe(500)
  expect([...titles][2]).toBe('A(1)(1)')
  expect([...titles].every((title) => title.length <= 500)).toBe(true)
  const long = `${'x'.repeat(499)}😀`
  expect(uniqueTitle(long, [])).toBe('x'.repeat(499))
  expect(uniqueTitle(long, ['x'.repeat(499)])).toBe(`${'x'.repeat(492)}(2)`)
})

test('IN-042 tags are URI-encoded words separated by spaces', () => {
  expect(encodeTags(['a b', 'Öl', ' x ', '', 'a b', '\ud800'])).toBe('a%20b %C3%96l x %EF%BF%BD')
  expect(decodeTags('a%20b  %C3%96l 100% a%20b')).toEqual(['a b', 'Öl', '100%'])
  expect(decodeTags(undefined)).toEqual([])
})

test('returns each character that titles do not allow, without duplicates', () => {
  expect(charactersLeftOut('R&D & gas, in €/t (2026)_-')).toEqual(['&', ',', '€', '/'])
  expect(charactersLeftOut('Öl 2026')).toEqual([])
})

test('returns the heading of a tile, or its title when the heading is empty', () => {
  expect(headingOf({ heading: ' R&D, €/t ', title: 'RD t' })).toBe('R&D, €/t')
  for (const heading of [undefined, '', '  ', 7]) expect(headingOf({ heading, title: 'RD t' })).toBe('RD t')
  expect(headingOf({ title: '' })).toBe('Untitled')
})
