import { expect, test } from 'vitest'
import { fileName } from '@headwater/files/contract'
import { safeFileName } from './kind-parts.ts'

test.each([
  ['../../etc/passwd', 'passwd'],
  ['C:\\data\\prices.csv', 'prices.csv'],
  ['a\u202egpj.exe', 'agpj.exe'],
  ['a\u2066b\u200bc\u2028d\u0007e', 'abcde'],
  ['half \ud83d.csv', 'half \ufffd.csv'],
  ['family \u{1f468}\u200d\u{1f469}.csv', 'family \u{1f468}\u200d\u{1f469}.csv'],
  ['what?<is>"this*|.txt', 'whatisthis.txt'],
  ['CON', 'other'],
  ['nul.txt', 'other'],
  ['..', 'other'],
  ['\u202e', 'other'],
  ['', 'other'],
  ['x'.repeat(300), 'x'.repeat(200)],
])('a task stores a file with the name %j as %j', (text, expected) => {
  const stored = safeFileName(text, 'other')
  expect(stored).toBe(expected)
  expect(fileName.safeParse(stored)).toMatchObject({ data: stored })
})
