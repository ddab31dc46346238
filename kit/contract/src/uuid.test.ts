import { expect, test } from 'vitest'
import { isUuid } from './uuid.ts'

test('recognizes a UUID in any letter case and with spaces around it, but not within other text', () => {
  expect(isUuid(' 0B8E6F1C-4b6e-4e0e-9f35-0c2a3a5b7d11 ')).toBe(true)
  expect(isUuid('0b8e6f1c-4b6e-4e0e-9f35-0c2a3a5b7d11x')).toBe(false)
  expect(isUuid('*')).toBe(false)
})
