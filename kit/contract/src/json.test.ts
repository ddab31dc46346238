import { expect, test } from 'vitest'
import { parseJson } from './json.ts'

test('returns the value of JSON, and undefined for other texts', () => {
  expect(parseJson('{"a": [1, null]}')).toEqual({ a: [1, null] })
  for (const text of ['', '{', 'undefined']) expect(parseJson(text)).toBeUndefined()
})
