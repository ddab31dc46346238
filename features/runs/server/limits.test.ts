import { beforeAll, expect, test } from 'vitest'
import type { Runs } from './index.ts'
import { createLimitsStore } from './limits-store.ts'
import { insertUser, type Node, planOf, setUpRunStage } from './testing/run-stage.ts'

const stage = setUpRunStage()
let group: { id: number; name: string }

beforeAll(async () => {
  const { rows } = await stage.database.pool.query(
    `insert into groups (name, owner_id) values ('limited', $1) returning id`,
    [stage.userId],
  )
  group = { id: (rows[0] as { id: number }).id, name: 'limited' }
})

/** A step kind that runs until the test calls `end`. */
function createSteps() {
  const started: string[] = []
  const ends = new Map<string, () => void>()
  return {
    started,
    behaviours: {
      good: async ({ run }: { run: { name: string } }) => {
        started.push(run.name)
        await new Promise<void>((resolve) => ends.set(run.name, resolve))
        return { status: 'INFO' as const, message: '' }
      },
    },
    end: (name: string) => ends.get(name)!(),
  }
}

async function start(
  runs: Runs,
  name: string,
  { priority, nodes = { a: {} } }: { priority?: number; nodes?: Record<string, Node> } = {},
): Promise<string> {
  const run = { userId: stage.userId, name, groupName: '', group, steps: planOf(nodes), priority }
  return (await runs.start(run))!
}

test('runs beyond the limit of their group wait; when one ends, the one with the highest priority starts, then the oldest', async () => {
  const { started, behaviours, end } = createSteps()
  const runs = stage.startWorker(behaviours)
  await runs.setLimits({ groupId: group.id }, { maxRuns: 1, priority: 0 })
  expect(await runs.limits({ groupId: group.id })).toEqual({ maxRuns: 1, priority: 0 })
  const first = await start(runs, 'first')
  await expect.poll(() => started).toEqual(['first'])
  const old = await start(runs, 'old')
  const young = await start(runs, 'young')
  const urgent = await start(runs, 'urgent', { priority: 5 })
  const stopped = await start(runs, 'stopped', { priority: 9 })
  const waiting = 'Waiting: at most 1 of the runs of the group can be in progress.'
  for (const id of [old, young, urgent, stopped])
    await expect
      .poll(async () => (({ status, message }) => ({ status, message }))(await stage.statusesOf(id)))
      .toEqual({ status: 'PENDING', message: waiting })
  await runs.stop([stopped])
  expect((await stage.ended(runs, stopped)).status).toBe('ERROR')
  expect(started).toEqual(['first'])
  for (const [ending, next] of [
    ['first', 'urgent'],
    ['urgent', 'old'],
    ['old', 'young'],
  ] as const) {
    end(ending)
    await expect.poll(() => started.at(-1)).toBe(next)
  }
  end('young')
  for (const id of [first, old, young, urgent]) expect((await stage.ended(runs, id)).status).toBe('INFO')
})

test('a higher limit starts waiting runs immediately; a paused run counts towards it; without a limit all runs start', async () => {
  const { started, behaviours, end } = createSteps()
  const runs = stage.startWorker(behaviours)
  await runs.setLimits({ groupId: group.id }, { maxRuns: 1, priority: 0 })
  const paused = await start(runs, 'paused', { nodes: { a: { isPaused: true } } })
  await expect.poll(async () => (await runs.find(paused))?.state).toBe('paused')
  const second = await start(runs, 'second')
  const third = await start(runs, 'third')
  await expect.poll(async () => (await stage.statusesOf(third)).message).toContain('Waiting:')
  expect(started).toEqual([])
  await runs.setLimits({ groupId: group.id }, { maxRuns: 2, priority: 0 })
  await expect.poll(() => started).toEqual(['second'])
  await runs.setLimits({ groupId: group.id }, { maxRuns: null, priority: 0 })
  await expect.poll(() => started).toEqual(['second', 'third'])
  for (const name of ['second', 'third']) end(name)
  for (const id of [second, third]) expect((await stage.ended(runs, id)).status).toBe('INFO')
})

test('a limit that is raised while runs are admitted does not admit a later run before an earlier one', async () => {
  const { pool } = stage.database
  const runs = stage.startWorker({})
  await stage.queues[0]!.stop(0)
  const limits = createLimitsStore(pool)
  await runs.setLimits({ groupId: group.id }, { maxRuns: 1, priority: 0 })
  await start(runs, 'first')
  await limits.admit(new Date())
  const second = await start(runs, 'second')
  const third = await start(runs, 'third')
  // The admission has checked the second run against the limit and waits for the lock on its job.
  const blocker = await pool.connect()
  await blocker.query('begin')
  await blocker.query('select from jobs where id = $1 for update', [second])
  const admission = limits.admit(new Date())
  const waiting = `select from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock' and query like '%admit_runs%'`
  await expect.poll(async () => (await pool.query(waiting)).rows.length).toBe(1)
  await runs.setLimits({ groupId: group.id }, { maxRuns: 2, priority: 0 })
  await blocker.query('commit')
  blocker.release()
  expect(await admission).toBe(2)
  await limits.admit(new Date())
  const { rows } = await pool.query('select id from runs where is_held')
  expect(rows).toEqual([{ id: third }])
  await runs.setLimits({ groupId: group.id }, { maxRuns: null, priority: 0 })
})

test('steps of a user start in the order of run priority, and users still alternate', async () => {
  const runs = stage.startWorker({})
  await stage.queues[0]!.stop(0)
  const other = await insertUser(stage.database, 'ben')
  const names = new Map<string, string>()
  for (const [name, owner, priority] of [
    ['low', stage.userId, -1],
    ['plain', stage.userId, undefined],
    ['high', stage.userId, 7],
    ['of ben', other, undefined],
    ['later of ben', other, undefined],
  ] as const)
    names.set(
      (await runs.start({ userId: owner, name, groupName: '', steps: planOf({ a: {} }), priority }))!,
      name,
    )
  const order: string[] = []
  while (order.length < names.size) {
    const { rows } = await stage.database.pool.query(
      `select payload ->> 'runId' as id from claim_queue_jobs('worker:1', '{run-built-in}', 1, interval '1 hour', false)`,
    )
    order.push(...(rows as { id: string }[]).map(({ id }) => names.get(id)!))
  }
  expect(order.filter((name) => !name.endsWith('ben'))).toEqual(['high', 'plain', 'low'])
  expect(order.slice(0, 4).filter((name) => name.endsWith('ben'))).toEqual(['of ben', 'later of ben'])
})
