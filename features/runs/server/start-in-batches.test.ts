import { expect, test } from 'vitest'
import { systemClock } from '@headwater/server-kit'
import { createRunsStore } from './runs-store.ts'
import { maxRunsOfUser, startRun } from './start-run.ts'
import { planOf, setUpRunStage } from './testing/run-stage.ts'

const stage = setUpRunStage()

test('concurrent starts share transactions and respect the limit per user; an invalid start fails without affecting the others', async () => {
  const { database, userId } = stage
  const runs = createRunsStore(database)
  const start = (user: number) =>
    startRun(
      { runs, clock: systemClock },
      { userId: user, name: 'flow', groupName: '', steps: planOf({ a: {} }) },
    )
  const started = await Promise.allSettled(Array.from({ length: maxRunsOfUser + 5 }, () => start(userId)))
  expect(started.filter((start) => start.status === 'fulfilled' && start.value !== undefined)).toHaveLength(
    maxRunsOfUser,
  )
  const { rows } = await database.pool.query(
    `select count(*)::integer as runs, count(distinct xmin::text)::integer as transactions from runs`,
  )
  expect(rows).toEqual([{ runs: maxRunsOfUser, transactions: 1 }])
  await stage.clear()

  const together = await Promise.allSettled([userId, userId, -1, userId].map(start))
  expect(together.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
})
