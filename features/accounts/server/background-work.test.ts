import { expect, test } from 'vitest'
import { fixedClock, silentLog } from '@headwater/server-kit/testing'
import { createBackgroundWork, createHourlyWork } from './background-work.ts'

test('settled waits for work and for any work started by it', async () => {
  const background = createBackgroundWork({ log: silentLog() })
  const done: string[] = []
  background.start('first', async () => {
    await Promise.resolve()
    background.start('second', async () => {
      await Promise.resolve()
      done.push('second')
    })
    done.push('first')
  })
  await background.settled()
  expect(done).toEqual(['first', 'second'])
})

test('a failure is logged and does not affect other work', async () => {
  const background = createBackgroundWork({ log: silentLog() })
  background.start('broken', async () => {
    throw new Error('no')
  })
  await expect(background.settled()).resolves.toBeUndefined()
})

test('hourly work starts at the first call and then runs at most once an hour', async () => {
  const clock = fixedClock('2026-03-01T08:00:00Z')
  const background = createBackgroundWork({ log: silentLog() })
  let times = 0
  const due = createHourlyWork({ what: 'counting', work: async () => void (times += 1), background, clock })
  for (const minutes of [0, 30, 29, 1, 30, 30]) {
    clock.advance(minutes * 60_000)
    due()
  }
  await background.settled()
  expect(times).toBe(3)
})
