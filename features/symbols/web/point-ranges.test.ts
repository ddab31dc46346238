import { expect, test } from 'vitest'
import { initialRange } from './point-ranges.ts'

test('a preview shows all values at first, except of very long series and of formulas', () => {
  expect(initialRange({ pointCount: 522 })).toBe('ALL')
  expect(initialRange({ pointCount: 1_000_001 })).toBe('500')
  expect(initialRange({})).toBe('500')
})
