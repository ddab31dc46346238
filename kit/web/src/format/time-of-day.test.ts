import { expect, test } from 'vitest'
import { withSeconds } from './time-of-day.ts'

test('adds seconds to a time without them', () => {
  expect(withSeconds('16:00')).toBe('16:00:00')
  expect(withSeconds('16:00:05')).toBe('16:00:05')
})
