import { expect, test } from 'vitest'
import { decodeText } from './decode-text.ts'

test('decodes escapes and returns texts with invalid escapes unchanged', () => {
  expect(decodeText('A%20%C3%A4')).toBe('A ä')
  expect(decodeText('100%')).toBe('100%')
})
