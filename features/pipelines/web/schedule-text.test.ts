import { expect, test } from 'vitest'
import { withoutSchedule } from './schedule-text.ts'

test('only the newest version of a pipeline states that it has no schedule', () => {
  expect(withoutSchedule({ latest: true, trigger: 'None' })).toBe('No schedule. Runs start manually.')
  expect(withoutSchedule({ latest: false, trigger: 'None' })).toBe(
    'Schedules and triggers run the newest version.',
  )
})
