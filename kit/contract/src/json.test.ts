import { expect, test } from 'vitest'
import { parseJson } from './json.ts'

test('parses JSON and returns undefined for any other text', () => {
  expect(parseJson('{"a": [1, null]}')).toEqual({ a: [1, null] })
  for (const text of ['', '{', 'undefined']) expect(parseJson(text)).toBeUndefined()
})
