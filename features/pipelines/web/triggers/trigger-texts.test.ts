import { expect, test } from 'vitest'
import { newCalendar, newTrigger } from './new-trigger.ts'
import { triggerNameOf } from './trigger-texts.ts'

test('a trigger without a name is named by its rule in English, or else by its type', () => {
  const scheduler = newTrigger('SCHEDULER', 'UTC')
  expect(triggerNameOf(scheduler)).toBe('At 07:00 every day')
  expect(triggerNameOf({ ...scheduler, name: 'Morning' })).toBe('Morning')
  const rule = { ...newCalendar, days: 'WEEKDAYS' as const }
  expect(triggerNameOf({ ...scheduler, rule } as typeof scheduler)).toBe('Calendar or interval')
  const cron = newTrigger('CRON', 'UTC')
  expect(triggerNameOf(cron)).toBe('At 07:00, Monday through Friday')
  expect(triggerNameOf({ ...cron, cron: 'every day' } as typeof cron)).toBe('Cron schedule')
  expect(triggerNameOf(newTrigger('FILEARRIVAL', 'UTC'))).toBe('File arrival')
})
