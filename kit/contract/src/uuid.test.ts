import { expect, test } from 'vitest'
import { isUuid } from './uuid.ts'

test('recognises a UUID regardless of case, but not within other text or spaces', () => {
  expect(isUuid('0B8E6F1C-4b6e-4e0e-9f35-0c2a3a5b7d11')).toBe(true)
  expect(isUuid('0b8e6f1c-4b6e-4e0e-9f35-0c2a3a5b7d11 ')).toBe(false)
  expect(isUuid('0b8e6f1c-4b6e-4e0e-9f35-0c2a3a5b7d11x')).toBe(false)
  expect(isUuid('*')).toBe(false)
})
