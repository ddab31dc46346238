import { expect, test } from 'vitest'
import { previewText } from './preview-text.ts'

test('dates of the preview are readable, and long cells end with an ellipsis', () => {
  expect(previewText('2026-01-31T07:30:00.000')).toBe('2026-01-31 07:30:00')
  expect(previewText('2026-01-31T07:30:00.250')).toBe('2026-01-31 07:30:00.250')
  expect(previewText('2026-01-31')).toBe('2026-01-31')
  expect(previewText('T'.repeat(120))).toBe(`${'T'.repeat(100)}…`)
})
