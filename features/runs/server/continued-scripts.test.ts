import { expect, test } from 'vitest'
import { type Behaviour, insertUser, planOf, setUpRunStage } from './testing/run-stage.ts'

const stage = setUpRunStage()

const script = { isUserCode: true }

/** Returns the number of attempts of each job that executed scripts of a run, in job order. */
async function jobsOf(id: string): Promise<number[]> {
  const { rows } = await stage.database.pool.query(
    `select attempt from queue_jobs where kind = 'run-user-code' and payload ->> 'runId' = $1 order by seq`,
    [id],
  )
  return (rows as { attempt: number }[]).map(({ attempt }) => attempt)
}

test('consecutive scripts share a job while a slot is free for others', async () => {
  const order: string[] = []
  const runs = stage.startWorker({
    good: ({ taskName }) => {
      order.push(taskName)
      return { status: 'INFO', message: '' }
    },
  })
  const id = await stage.start(runs, {
    a: script,
    b: { ...script, after: ['a'] },
    c: { ...script, after: ['b'] },
  })
  expect((await stage.ended(runs, id)).message).toBe('All 3 tasks succeeded.')
  expect(order).toEqual(['a', 'b', 'c'])
  expect(await jobsOf(id)).toEqual([1])
})

test('while all slots are in use, the script of a different user starts before the next script of a run', async () => {
  const gates = new Map<string, () => void>()
  const started: string[] = []
  const waits: Behaviour = async ({ taskName }) => {
    started.push(taskName)
    await new Promise<void>((resolve) => gates.set(taskName, resolve))
    return { status: 'INFO', message: '' }
  }
  const runs = stage.startWorker({ good: waits })
  const ofOther = await insertUser(stage.database, 'bert')
  const chain = await stage.start(runs, { first: script, next: { ...script, after: ['first'] } })
  const others = await Promise.all(['x', 'y', 'z'].map((name) => stage.start(runs, { [name]: script })))
  await expect.poll(() => gates.size).toBe(4)
  const other = await runs.start({
    userId: ofOther,
    name: 'flow',
    groupName: '',
    steps: planOf({ bert: script }),
  })
  gates.get('first')!()
  await expect.poll(() => gates.has('bert')).toBe(true)
  expect(started).not.toContain('next')
  for (const name of ['x', 'y', 'z', 'bert']) gates.get(name)!()
  await expect.poll(() => gates.has('next')).toBe(true)
  gates.get('next')!()
  for (const id of [chain, other!, ...others]) await stage.ended(runs, id)
  expect(await jobsOf(chain)).toEqual([1, 1])
})

test('a script after a lost worker has its own job, with all of its attempts', async () => {
  let isLost = false
  const runs = stage.startWorker({
    good: async ({ taskName, attempt }) => {
      if (taskName === 'a' && attempt === 1) {
        isLost = true
        await new Promise(() => {})
      }
      return { status: 'INFO', message: '' }
    },
  })
  const id = await stage.start(runs, { a: script, b: { ...script, after: ['a'] } })
  await expect.poll(() => isLost).toBe(true)
  await stage.loseWorkers()
  expect((await stage.ended(runs, id)).message).toBe('All 2 tasks succeeded.')
  expect(await jobsOf(id)).toEqual([2, 1])
})
