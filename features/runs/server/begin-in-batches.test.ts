import { expect, test } from 'vitest'
import { setUpRunStage } from './testing/run-stage.ts'

const stage = setUpRunStage()

test('steps that are ready at the same time begin in one transaction', async () => {
  const finish = Promise.withResolvers<void>()
  const runs = stage.startWorker({
    good: async () => {
      await finish.promise
      return { status: 'INFO', message: '' }
    },
  })
  const id = await stage.start(runs, { a: {}, b: {}, c: {}, d: {} })
  const begun = async () => {
    const { rows } = await stage.database.pool.query(
      `select count(*)::integer as steps, count(distinct xmin::text)::integer as transactions from run_steps
       where run_id = $1 and state = 'running'`,
      [id],
    )
    return rows[0] as { steps: number; transactions: number }
  }
  await expect.poll(async () => (await begun()).steps).toBe(4)
  expect((await begun()).transactions).toBe(1)
  finish.resolve()
  await expect.poll(async () => (await stage.statusesOf(id)).status).toBe('INFO')
})
