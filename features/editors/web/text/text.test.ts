import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { jsonProblem } from './json-problem.ts'
import { languageOf } from './languages.ts'
import { readText, writeText } from './text-content.ts'

test('DP-210 content of .json and .ipynb files, and of files without an extension, is parsed as JSON', () => {
  const parsed = (name: string) => languageOf(name).isJson
  expect(['a.json', 'a.IPYNB', 'settings'].map(parsed)).toEqual([true, true, true])
  expect(['a.py', 'a.txt', 'a.md', 'a.js', 'a.sql', 'a.sh', 'a.html'].map(parsed)).not.toContain(true)
  expect(jsonProblem('{"a": [1, null]}')).toBe(undefined)
  expect(jsonProblem('{')).toContain('JSON')
})

test('DP-214 the decision on tools states that a syntax error does not prevent saving', () => {
  const decision = readFileSync(
    new URL('../../../../docs/decisions/0055-file-tools.md', import.meta.url),
    'utf8',
  )
  expect(decision).toContain('**Invalid JSON (DP-214)** can be saved')
})

test('very deep nesting is reported as a syntax error', () => {
  expect(jsonProblem('['.repeat(2_000_000))).toBeTypeOf('string')
})

test('a save preserves line endings and the byte order mark', async () => {
  for (const content of ['a\nb\n', 'a\r\nb\r\n', '\ufeffa\r\nb', '', 'ü€😀']) {
    const read = readText(new TextEncoder().encode(content))
    expect(read?.text).not.toMatch(/[\r\ufeff]/)
    const written = new Uint8Array(await writeText(read!.text, read!).arrayBuffer())
    expect(written).toEqual(new TextEncoder().encode(content))
  }
})

test('mixed line endings are replaced with the line ending of the first line', async () => {
  for (const [content, written] of [
    ['a\r\nb\nc', 'a\r\nb\r\nc'],
    ['a\nb\r\nc\rd', 'a\nb\nc\nd'],
    ['a\rb', 'a\nb'],
  ] as const) {
    const read = readText(new TextEncoder().encode(content))
    expect(await writeText(read!.text, read!).text()).toBe(written)
  }
})

test('a file that is not UTF-8 is not opened as text', async () => {
  expect(readText(new Uint8Array([0x66, 0xfc, 0x72]))).toBe(undefined)
  expect(readText(new TextEncoder().encode('PK\u0003\u0004\u0000'))).toBe(undefined)
})
