import { setTimeout as sleep } from 'node:timers/promises'
import { expect, inject, test } from 'vitest'
import type { Runs } from './index.ts'
import { type Behaviour, setUpRunStage } from './testing/run-stage.ts'

const stage = setUpRunStage()

/** A step that starts several child runs of two steps concurrently and waits for them. */
const loopOf = (runs: () => Runs, count: number) =>
  stage.loopOf(
    runs,
    Array.from({ length: count }, (_, n) => String(n)),
    count,
    {
      work: {},
      after: { after: ['work'] },
    },
  )

/** Work that continues until its run is stopped. */
const untilStopped: Behaviour = ({ signal }) =>
  new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)))

/** Starts a run and a child run with a smaller id; both have a step in progress. */
async function startPair(runs: Runs): Promise<{ parent: string; child: string }> {
  for (;;) {
    const parent = await stage.start(runs, { loop: { definitionName: 'loop' }, own: {} })
    const running = async () => {
      const { rows } = await stage.database.pool.query(
        `select run_id as id from run_steps join runs on runs.id = run_id
         where run_steps.state = 'running' and task ->> 'definitionName' = 'good' and $1 in (runs.id, parent_run_id)`,
        [parent],
      )
      return rows as { id: string }[]
    }
    await expect.poll(async () => (await running()).length).toBe(2)
    const child = (await running()).find(({ id }) => id !== parent)!.id
    if (child < parent) return { parent, child }
    await runs.stop([parent])
  }
}

/** Result of one step of a run, as its worker reports it. */
const endOf = async (runId: string) => {
  const { rows } = await stage.database.pool.query(
    `select jsonb_build_object('runId', run_id, 'number', number, 'attempt', attempt, 'outcome', 'INFO', 'message', '', 'values', '{}'::jsonb) as end
     from run_steps where run_id = $1 and state = 'running' and task ->> 'definitionName' = 'good'`,
    [runId],
  )
  return JSON.stringify((rows[0] as { end: object }).end)
}

/**
 * Calls `first`, waits until it has locked the child run and is blocked by the lock on its job, calls `second`, and lets both
 * continue.
 */
async function overlap(child: string, first: () => Promise<unknown>, second: () => Promise<unknown>) {
  const client = await stage.database.pool.connect()
  // Workers can also wait for a lock, when they extend a lease or report a status.
  const waiting = async () => {
    const { rows } = await stage.database.pool.query(
      `select count(*)::integer as count from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query ~ 'end_run_steps|stop_runs'`,
    )
    return (rows[0] as { count: number }).count
  }
  try {
    await client.query('begin')
    await client.query('select from jobs where id = $1 for update', [child])
    const one = first()
    await expect.poll(waiting).toBe(1)
    const two = second()
    await expect.poll(waiting).toBe(2)
    await client.query('commit')
    return await Promise.allSettled([one, two])
  } finally {
    client.release()
  }
}

const fulfilled = [{ status: 'fulfilled' }, { status: 'fulfilled' }]

test('stopping a parent run does not deadlock with a batch that ends steps of the parent and the child run', async () => {
  const runs: Runs = stage.startWorker({ good: untilStopped, loop: loopOf(() => runs, 1) })
  const { parent, child } = await startPair(runs)
  const ends = [await endOf(child), await endOf(parent)]
  const results = await overlap(
    child,
    () => stage.database.pool.query('select * from end_run_steps($1::jsonb[], array[now(), now()])', [ends]),
    () => runs.stop([parent]),
  )
  expect(results).toMatchObject(fulfilled)
  expect((await stage.ended(runs, parent)).status).toBe('ERROR')
})

test('stopping a list of runs does not deadlock with stopping a parent run in that list', async () => {
  const runs: Runs = stage.startWorker({ good: untilStopped, loop: loopOf(() => runs, 1) })
  const { parent, child } = await startPair(runs)
  const results = await overlap(
    child,
    () => runs.stop([child, parent]),
    () => runs.stop([parent]),
  )
  expect(results).toMatchObject(fulfilled)
  for (const id of [parent, child]) expect((await stage.ended(runs, id)).status).toBe('ERROR')
})

test('stopping a paused run does not deadlock with stopping its parent run', async () => {
  const runs: Runs = stage.startWorker({
    good: untilStopped,
    loop: stage.loopOf(() => runs, ['0'], 1, { gate: { isPaused: true } }),
  })
  const parent = await stage.start(runs, { loop: { definitionName: 'loop' } })
  const pausedChild = async () => {
    const { rows } = await stage.database.pool.query(
      `select id from runs where parent_run_id = $1 and state = 'paused'`,
      [parent],
    )
    return (rows as { id: string }[])[0]?.id
  }
  await expect.poll(pausedChild).toBeDefined()
  const child = (await pausedChild())!
  const results = await overlap(
    child,
    () => runs.stop([child]),
    () => runs.stop([parent]),
  )
  expect(results).toMatchObject(fulfilled)
  for (const id of [parent, child]) expect((await stage.ended(runs, id)).status).toBe('ERROR')
})

test('stopping parent and child runs while their steps end does not deadlock, and every run ends', async () => {
  const rounds = inject('campaign') === 'long' ? 40 : 4
  const work: Behaviour = async () => {
    await sleep(Math.random() * 40)
    return { status: Math.random() < 0.2 ? 'ERROR' : 'INFO', message: '' }
  }
  const runs: Runs[] = [1, 2].map(() => stage.startWorker({ good: work, loop: loopOf(() => runs[0]!, 4) }))
  for (let round = 0; round < rounds; round++) {
    const parents = await Promise.all(
      Array.from({ length: 6 }, () =>
        stage.start(runs[0]!, { loop: { definitionName: 'loop' }, own: {}, after: { after: ['own'] } }),
      ),
    )
    const openRuns = async () => {
      const { rows } = await stage.database.pool.query(
        `select id from runs where state <> 'ended' order by random()`,
      )
      return (rows as { id: string }[]).map(({ id }) => id)
    }
    const stops = Array.from({ length: 12 }, async (_, n) => {
      await sleep(n * 15)
      const open = await openRuns()
      await runs[n % 2]!.stop(open.slice(0, 1 + (n % 6)))
    })
    const outcomes = await Promise.allSettled(stops)
    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([])
    await runs[0]!.stop(parents)
    await expect.poll(openRuns).toEqual([])
  }
  // After a failed batch, the items are sent one by one, so only the database shows whether a batch failed.
  const { rows } = await stage.database.pool.query(
    'select deadlocks::integer from pg_stat_database where datname = current_database()',
  )
  expect(rows).toEqual([{ deadlocks: 0 }])
})
