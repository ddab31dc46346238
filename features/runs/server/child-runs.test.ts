import { expect, test } from 'vitest'
import type { Runs, StepWork } from './index.ts'
import { setUpRunStage } from './testing/run-stage.ts'

const stage = setUpRunStage()

const stateOf = async (id: string) => {
  const { rows } = await stage.database.pool.query(
    'select state, attempt, queue_job from run_steps where run_id = $1',
    [id],
  )
  return rows[0] as { state: string; attempt: number; queue_job: string | null }
}
const childrenOf = async (id: string) => {
  const { rows } = await stage.database.pool.query(
    'select child_id as "id", outcome from run_children where run_id = $1 and child_id is not null order by position',
    [id],
  )
  return rows as { id: string; outcome: string | null }[]
}

/** Creates work that ends when the test calls its function in `waiting`. */
function createGate() {
  const waiting = new Map<string, () => void>()
  return {
    waiting,
    work: async ({ run }: StepWork) => {
      await new Promise<void>((resolve) => waiting.set(run.name, resolve))
      return { status: 'INFO' as const, message: '' }
    },
  }
}

test('a step that waits for child runs holds no job, and continues in the same attempt when each of them ends', async () => {
  const gate = createGate()
  let executions = 0
  const loop = stage.loopOf(() => runs, ['a', 'b', 'c'], 2)
  const runs: Runs = stage.startWorker({ good: gate.work, loop: (work) => ((executions += 1), loop(work)) })
  const id = await stage.start(runs, { loop: { definitionName: 'loop' } })
  await expect.poll(() => [...gate.waiting.keys()].toSorted()).toEqual(['a', 'b'])
  await expect.poll(() => stateOf(id)).toEqual({ state: 'awaiting', attempt: 1, queue_job: null })
  expect(await stage.statusesOf(id)).toMatchObject({
    steps: { loop: 'RUNNING' },
    messages: { loop: '0 of 3 have ended.' },
  })
  gate.waiting.get('b')!()
  await expect.poll(() => gate.waiting.has('c')).toBe(true)
  await expect.poll(async () => (await stage.statusesOf(id)).messages['loop']).toBe('1 of 3 have ended.')
  gate.waiting.get('a')!()
  gate.waiting.get('c')!()
  expect(await stage.ended(runs, id)).toMatchObject({ status: 'INFO', messages: { loop: '3 runs' } })
  expect(executions).toBeLessThanOrEqual(4)
  const { rows } = await stage.database.pool.query(
    'select attempt, outcome from run_attempts where run_id = $1',
    [id],
  )
  expect(rows).toEqual([{ attempt: 1, outcome: 'INFO' }])
})

test('nothing is lost if a worker is killed between the end of a run and the continuation of the parent step', async () => {
  const gate = createGate()
  let runs: Runs
  const loop = stage.loopOf(() => runs, ['a', 'b', 'c'], 2)
  runs = stage.startWorker({ good: gate.work, loop })
  const id = await stage.start(runs, { loop: { definitionName: 'loop' } })
  await expect.poll(() => gate.waiting.size).toBe(2)
  await expect.poll(async () => (await stateOf(id)).state).toBe('awaiting')
  // No worker is left when the last transition of the run commits.
  const [first] = await childrenOf(id)
  await Promise.all(stage.queues.splice(0).map((queue) => queue.stop(0)))
  await stage.database.pool.query(
    `select end_run_step(jsonb_build_object('runId', run_id, 'number', number, 'attempt', attempt, 'outcome', 'INFO', 'message', '',
       'values', '{}'::jsonb), now()) from run_steps where run_id = $1`,
    [first!.id],
  )
  await stage.loseWorkers()
  expect((await childrenOf(id)).map(({ outcome }) => outcome)).toEqual(['INFO', null])
  runs = stage.startWorker({ good: () => ({ status: 'INFO', message: '' }), loop })
  expect(await stage.ended(runs, id)).toMatchObject({ status: 'INFO', messages: { loop: '3 runs' } })
  expect(await childrenOf(id)).toHaveLength(3)
  const { rows } = await stage.database.pool.query(
    'select count(*)::integer as count from runs where parent_run_id = $1',
    [id],
  )
  expect(rows).toEqual([{ count: 3 }])
})

test('if a worker is killed while a step starts child runs, none of them starts twice', async () => {
  let isLost = false
  const loop = stage.loopOf(() => runs, ['a', 'b', 'c'], 2)
  const runs: Runs = stage.startWorker({
    good: () => ({ status: 'INFO', message: '' }),
    loop: async (work) => {
      const outcome = await loop(work)
      if (isLost) return outcome
      isLost = true
      await stage.loseWorkers()
      return outcome
    },
  })
  const id = await stage.start(runs, { loop: { definitionName: 'loop' } })
  expect(await stage.ended(runs, id)).toMatchObject({ status: 'INFO' })
  const { rows } = await stage.database.pool.query(
    'select count(*)::integer as count from runs where parent_run_id = $1',
    [id],
  )
  expect(rows).toEqual([{ count: 3 }])
})

test('a step that starts child runs does not restart if its worker was stalled for longer than the lease', async () => {
  const { pool } = stage.database
  let isStalled = false
  const loop = stage.loopOf(() => runs, ['a', 'b'], 1)
  const runs: Runs = stage.startWorker({
    good: () => ({ status: 'INFO', message: '' }),
    loop: async (work) => {
      if (isStalled) return loop(work)
      isStalled = true
      await pool.query(
        `with stalled as (update queue_jobs set lease_until = now() - interval '1 s' where state = 'running')
         insert into queue_jobs (kind, payload, state, max_attempts, worker, lease_until)
         values ('of-lost-worker', '{}', 'running', 5, 'lost:1', now() - interval '1 s')`,
      )
      const reclaimed = `delete from queue_jobs where kind = 'of-lost-worker' and state = 'waiting'`
      await expect.poll(async () => (await pool.query(reclaimed)).rowCount).toBe(1)
      return loop(work)
    },
  })
  const id = await stage.start(runs, { loop: { definitionName: 'loop' } })
  expect(await stage.ended(runs, id)).toMatchObject({ status: 'INFO', messages: { loop: '2 runs' } })
  expect((await stateOf(id)).attempt).toBe(1)
})

test('a step that is abandoned after internal failures stops its child runs', async () => {
  let failures = 0
  const loop = stage.loopOf(() => runs, ['a', 'b', 'c'], 2)
  const runs: Runs = stage.startWorker({
    good: ({ run, signal }) =>
      run.name === 'a'
        ? { status: 'INFO', message: '' }
        : new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error))),
    loop: async (work) => {
      const hasEnded = async () => (await work.children.tally()).ended.INFO > 0
      if (!(await hasEnded())) {
        const outcome = await loop(work)
        // A child run that ends afterwards does not wake the step again.
        if (!(await hasEnded())) return outcome
      }
      failures += 1
      throw new Error('The disk is full.')
    },
  })
  const id = await stage.start(runs, {
    loop: { definitionName: 'loop', onError: 'continue' },
    paused: { isPaused: true },
  })
  await expect.poll(() => failures).toBeGreaterThan(0)
  const [, second] = await childrenOf(id)
  await expect.poll(async () => (await stage.statusesOf(second!.id)).steps).toEqual({ work: 'RUNNING' })
  const skipTries = `update queue_jobs set failures = max_attempts, run_after = now() where state = 'delayed'`
  await expect.poll(async () => (await stage.database.pool.query(skipTries)).rowCount).toBe(1)
  await expect
    .poll(async () => (await stage.statusesOf(id)).steps)
    .toEqual({ loop: 'ERROR', paused: 'PAUSED' })
  expect(await stage.ended(runs, second!.id)).toMatchObject({
    status: 'ERROR',
    messages: { work: expect.stringMatching(/^The run was stopped\./) },
  })
  expect(await childrenOf(id)).toHaveLength(2)
})

test('zero bytes and unpaired surrogates, which PostgreSQL cannot store, are removed from loop items', async () => {
  const names: string[] = []
  const runs: Runs = stage.startWorker({
    good: ({ run }) => {
      names.push(run.name)
      return { status: 'INFO', message: '' }
    },
    loop: stage.loopOf(() => runs, ['\u0000a', 'b\ud800', '__proto__'], 1),
  })
  const id = await stage.start(runs, { loop: { definitionName: 'loop' } })
  expect((await stage.ended(runs, id)).status).toBe('INFO')
  expect(names).toEqual(['a', 'b\ufffd', '__proto__'])
})
