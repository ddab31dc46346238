import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { AppError } from '@headwater/contract'
import { createGroups } from '@headwater/groups/server'
import { createJobQueue, type JobQueue } from '@headwater/jobs'
import { migrationsFolders } from '@headwater/server/testing'
import { systemClock, type Database, type Principal } from '@headwater/server-kit'
import { openTestDatabase } from '@headwater/server-kit/testing'
import { createStatuses } from '@headwater/statuses/server'
import {
  createRuns,
  stepJobKinds,
  stepLanes,
  type PlannedStep,
  type Runs,
  type StepKind,
  type StepOutcome,
  type StepTask,
  type StepWork,
} from './index.ts'

let database: Database
let userId: number
const queues: JobQueue[] = []

beforeAll(async () => {
  database = await openTestDatabase(migrationsFolders)
  const { rows } = await database.pool.query(
    `insert into users (user_name, company_id) select 'anna', id from companies returning id`,
  )
  userId = (rows[0] as { id: number }).id
})
afterEach(async () => {
  await Promise.all(queues.splice(0).map((queue) => queue.stop(0)))
  await database.pool.query('delete from runs')
})
afterAll(() => database.close())

type Behaviour = (work: StepWork) => Promise<StepOutcome> | StepOutcome
const succeeds: Behaviour = () => ({ status: 'INFO', message: '' })

/** Starts a worker whose kinds of steps behave as given. */
function startWorker(behaviours: Record<string, Behaviour>, kind: Partial<StepKind> = {}): Runs {
  const queue = createJobQueue({
    pool: database.pool,
    leaseMs: 600,
    pollMs: 100,
    lanes: {
      [stepLanes.userCode]: { capacity: 4 },
      [stepLanes.builtIn]: { capacity: 4 },
      default: { capacity: 1 },
    },
  })
  queues.push(queue)
  const groups = createGroups({
    database,
    clock: systemClock,
    jobs: createJobQueue({ pool: database.pool }),
    favoriteGroupNames: async () => [],
  })
  const runs = createRuns({
    database,
    clock: systemClock,
    statuses: createStatuses({
      database,
      clock: systemClock,
      groups: groups.access,
      queue: createJobQueue({ pool: database.pool }),
    }),
    queue,
    findKind: (definitionName) =>
      behaviours[definitionName] && {
        definitionName,
        repeatable: true,
        readsReferences: false,
        run: async (work) => behaviours[definitionName]!(work),
        ...kind,
      },
    findPrincipal: async () => ({ userId, can: () => true }) as unknown as Principal,
  })
  queue.start()
  return runs
}

type Node = Partial<StepTask> & { after?: string[]; isUserCode?: boolean }

function plan(nodes: Record<string, Node>): PlannedStep[] {
  const names = Object.keys(nodes)
  return Object.entries(nodes).map(([name, { after = [], isUserCode = false, ...task }], index) => ({
    number: index + 1,
    eId: randomUUID(),
    jobKind: isUserCode ? stepJobKinds.userCode : stepJobKinds.builtIn,
    after: after.map((other) => names.indexOf(other) + 1),
    task: {
      nodeId: name,
      name,
      taskName: name,
      definitionName: 'good',
      inputs: {},
      outputs: {},
      memory: 64,
      timeout: 600,
      isPaused: false,
      ...task,
    },
  }))
}

async function start(runs: Runs, nodes: Record<string, Node>): Promise<string> {
  const id = await runs.start({ userId, name: 'flow', groupName: '', steps: plan(nodes) })
  return id!
}

interface RunStatuses {
  status: string
  message: string
  steps: Record<string, string>
  messages: Record<string, string>
}

/** Statuses of a run, as users see them. */
async function statusesOf(id: string): Promise<RunStatuses> {
  const { rows } = await database.pool.query(
    `select jobs.status, latest_message as message, jsonb_object_agg(component, c.status) as steps,
       jsonb_object_agg(component, c.message) as messages
     from jobs join job_components c on c.job_id = jobs.id where jobs.id = $1 group by jobs.id`,
    [id],
  )
  return rows[0] as RunStatuses
}

async function ended(runs: Runs, id: string): Promise<RunStatuses> {
  await expect.poll(async () => (await runs.find(id))?.state, { timeout: 10_000, interval: 20 }).toBe('ended')
  return statusesOf(id)
}

/** A gate at which steps wait until it opens. */
function createGate() {
  const { promise, resolve } = Promise.withResolvers<void>()
  return { opened: promise, open: resolve }
}

test('steps without an order run at the same time; a step after them waits for all of them', async () => {
  const started: string[] = []
  const both = createGate()
  const runs = startWorker({
    good: succeeds,
    meets: async ({ taskName }) => {
      started.push(taskName)
      if (started.length === 2) both.open()
      await both.opened
      return { status: 'INFO', message: '' }
    },
    last: () => ({ status: 'INFO', message: started.join(' ') }),
  })
  const id = await start(runs, {
    first: {},
    left: { after: ['first'], definitionName: 'meets' },
    right: { after: ['first'], definitionName: 'meets', isUserCode: true },
    last: { after: ['left', 'right'], definitionName: 'last' },
  })
  const end = await ended(runs, id)
  expect(end).toMatchObject({ status: 'INFO', message: 'All 4 tasks succeeded.' })
  expect(end.messages.last?.split(' ').toSorted()).toEqual(['left', 'right'])
})

test('fifty steps after one and one after them all run once', async () => {
  const count = new Map<string, number>()
  const runs = startWorker({
    good: ({ taskName }) => {
      count.set(taskName, (count.get(taskName) ?? 0) + 1)
      return { status: 'INFO', message: '' }
    },
  })
  const fan = Array.from({ length: 50 }, (_, index) => `fan ${index}`)
  const id = await start(runs, {
    first: {},
    ...Object.fromEntries(
      fan.map((name, index) => [name, { after: ['first'], isUserCode: index % 2 === 0 }]),
    ),
    last: { after: fan },
  })
  expect((await ended(runs, id)).message).toBe('All 52 tasks succeeded.')
  expect([count.size, Math.max(...count.values())]).toEqual([52, 1])
})

test('after a failed step the run stops, skips the steps after it, or goes on, as its task says', async () => {
  const runs = startWorker({ good: succeeds, bad: () => ({ status: 'ERROR', message: 'no price' }) })
  const nodes = (onError: StepTask['onError']) => ({
    bad: { definitionName: 'bad', ...(onError && { onError }) },
    below: { after: ['bad'] },
    other: { after: ['slow'] },
    slow: {},
    deep: { after: ['below'] },
  })
  const skip = await ended(runs, await start(runs, nodes('skip')))
  expect(skip.steps).toEqual({
    bad: 'ERROR',
    below: 'UNEXECUTED',
    deep: 'UNEXECUTED',
    slow: 'INFO',
    other: 'INFO',
  })
  expect([skip.status, skip.message]).toEqual(['WARN', '“bad”: no price'])
  expect(skip.messages.deep).toBe('“bad” did not succeed.')

  const go = await ended(runs, await start(runs, nodes('continue')))
  expect(go.steps).toEqual({ bad: 'ERROR', below: 'INFO', deep: 'INFO', slow: 'INFO', other: 'INFO' })
  expect(go.status).toBe('WARN')

  const stop = await ended(
    runs,
    await start(runs, { bad: { definitionName: 'bad' }, below: { after: ['bad'] } }),
  )
  expect(stop.steps).toEqual({ bad: 'ERROR', below: 'UNEXECUTED' })
  expect([stop.status, stop.message]).toEqual(['ERROR', '“bad”: no price'])
})

test('a failed step is tried again after a pause, as often as its task says; every attempt stays in the history', async () => {
  let attempts = 0
  const times: number[] = []
  const runs = startWorker({
    flaky: () => {
      times.push(performance.now())
      attempts++
      return attempts < 3
        ? { status: 'ERROR', message: `try ${attempts}` }
        : { status: 'INFO', message: 'at last' }
    },
  })
  const id = await start(runs, { a: { definitionName: 'flaky', retries: 2, retryDelay: 0.4 } })
  expect(await ended(runs, id)).toMatchObject({ status: 'INFO', messages: { a: 'at last' } })
  expect(attempts).toBe(3)
  expect(times[1]! - times[0]!).toBeGreaterThanOrEqual(200)
  const { rows } = await database.pool.query(
    'select attempt, outcome, message from run_attempts where run_id = $1 order by attempt',
    [id],
  )
  expect(rows).toEqual([
    { attempt: 1, outcome: 'ERROR', message: 'try 1' },
    { attempt: 2, outcome: 'ERROR', message: 'try 2' },
    { attempt: 3, outcome: 'INFO', message: 'at last' },
  ])
  attempts = -10
  const failing = await ended(
    runs,
    await start(runs, { a: { definitionName: 'flaky', retries: 1, retryDelay: 0.01 } }),
  )
  expect([failing.status, attempts]).toEqual(['ERROR', -8])
})

test('a run pauses before a step while its other branch goes on, and continues where it paused', async () => {
  const gate = createGate()
  const runs = startWorker({
    good: succeeds,
    waits: async () => {
      await gate.opened
      return { status: 'INFO', message: '' }
    },
  })
  const id = await start(runs, {
    held: { isPaused: true },
    after: { after: ['held'] },
    branch: { definitionName: 'waits' },
  })
  await expect
    .poll(async () => (await statusesOf(id)).steps)
    .toMatchObject({ held: 'PAUSED', branch: 'RUNNING' })
  expect((await runs.find(id))?.state).toBe('running')
  gate.open()
  await expect.poll(async () => (await runs.find(id))?.state).toBe('paused')
  expect(await statusesOf(id)).toMatchObject({
    status: 'PAUSED',
    message: 'The run is paused before “held”.',
  })
  expect(await runs.continue(id, undefined, new Date())).toBe(true)
  expect((await ended(runs, id)).steps).toEqual({ held: 'INFO', after: 'INFO', branch: 'INFO' })
  expect(await runs.continue(id, undefined, new Date())).toBe(false)
})

test('an approved step starts; a declined one fails with the name of the user, and is recorded', async () => {
  const runs = startWorker({ good: succeeds })
  const nodes = { a: { isPaused: true }, b: { after: ['a'] } }
  const decision = { userId, reason: 'anna declined the task.' }
  const approved = await start(runs, nodes)
  expect(
    await runs.decide(approved, { ...decision, isApproved: true, approveTime: '2026-01-02' }, new Date()),
  ).toBe(true)
  expect((await ended(runs, approved)).status).toBe('INFO')
  const declined = await start(runs, nodes)
  expect(await runs.decide(declined, { ...decision, isApproved: false }, new Date())).toBe(true)
  expect(await ended(runs, declined)).toMatchObject({
    status: 'ERROR',
    message: '“a”: anna declined the task.',
    steps: { a: 'ERROR', b: 'UNEXECUTED' },
  })
  expect(await runs.decide(declined, { ...decision, isApproved: true }, new Date())).toBe(false)
  const { rows } = await database.pool.query(
    'select approved, user_id, approve_time from run_decisions order by decided_at',
  )
  expect(rows).toEqual([
    { approved: true, user_id: userId, approve_time: '2026-01-02' },
    { approved: false, user_id: userId, approve_time: null },
  ])
})

test('a stop aborts steps on another server within a second and ends all others at once', async () => {
  const aborted: number[] = []
  startWorker({
    endless: ({ signal }) =>
      new Promise((resolve) =>
        signal.addEventListener('abort', () => {
          aborted.push(performance.now())
          resolve({ status: 'ERROR', message: 'ended' })
        }),
      ),
  })
  const other = startWorker({})
  await queues[1]!.stop(0)
  const id = await start(other, {
    a: { definitionName: 'endless' },
    b: { definitionName: 'endless' },
    c: { after: ['a'] },
  })
  await expect.poll(async () => (await statusesOf(id)).steps).toMatchObject({ a: 'RUNNING', b: 'RUNNING' })
  const stoppedAt = performance.now()
  await other.stop([id])
  const end = await ended(other, id)
  expect(Math.max(...aborted) - stoppedAt).toBeLessThan(1000)
  expect(end.steps).toEqual({ a: 'ERROR', b: 'ERROR', c: 'UNEXECUTED' })
  expect(end.messages.b).toBe('The run was stopped.')
})

test('the step of a lost worker is executed again, and its late result is discarded', async () => {
  const gate = createGate()
  const works: StepWork[] = []
  const behaviours: Record<string, Behaviour> = {
    slow: async (work) => {
      works.push(work)
      if (work.attempt === 1) await gate.opened
      return { status: 'INFO', message: `attempt ${work.attempt}` }
    },
  }
  const runs = startWorker(behaviours)
  const id = await start(runs, { a: { definitionName: 'slow' } })
  await expect.poll(() => works.length).toBe(1)
  expect(await runs.isAttemptRunning(id, works[0]!.eId, 1)).toBe(true)
  // The first worker is lost: its lease expires.
  await database.pool.query(
    `update queue_jobs set worker = 'lost:1', lease_until = now() - interval '1 s' where state = 'running'`,
  )
  const end = await ended(runs, id)
  expect(end.messages.a).toBe(
    'The task was interrupted, for example by a server stop, and was restarted.\nattempt 2',
  )
  expect(await runs.isAttemptRunning(id, works[0]!.eId, 1)).toBe(false)
  gate.open()
  await works[0]!.report('late')
  expect(works).toHaveLength(2)
})

test('a step that must not be repeated fails after an interruption, and says that it may have finished', async () => {
  const gate = createGate()
  let calls = 0
  const runs = startWorker(
    {
      mail: async () => {
        calls++
        await gate.opened
        return { status: 'INFO', message: '' }
      },
    },
    { repeatable: false },
  )
  const id = await start(runs, { a: { definitionName: 'mail' } })
  await expect.poll(() => calls).toBe(1)
  await database.pool.query(
    `update queue_jobs set worker = 'lost:1', lease_until = now() - interval '1 s' where state = 'running'`,
  )
  expect((await ended(runs, id)).messages.a).toMatch(/^The server stopped while this task was running\./)
  expect(calls).toBe(1)
  gate.open()
})

test('a step of any kind runs once, even if PostgreSQL cannot store its messages or outputs', async () => {
  const unstorable = 'half \ud83d and \u0000zero'
  const reference = '${5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f}'
  let calls = 0
  const endings: Record<string, Behaviour> = {
    INFO: () => ({ status: 'INFO', message: unstorable, outputs: { out: unstorable } }),
    WARN: () => ({ status: 'WARN', message: unstorable }),
    ERROR: () => {
      throw new AppError('refused', 400, unstorable)
    },
  }
  const runs = startWorker(
    Object.fromEntries(
      Object.entries(endings).map(([name, ending]) => [
        name,
        async (work: StepWork) => {
          calls++
          await work.report(unstorable)
          return ending(work)
        },
      ]),
    ),
  )
  for (const status of Object.keys(endings)) {
    calls = 0
    const id = await start(runs, { a: { definitionName: status, outputs: { out: reference } } })
    const end = await ended(runs, id)
    expect([calls, end.status, end.messages.a]).toEqual([1, status, 'half \ufffd and zero'])
    if (status === 'INFO') expect(await runs.value(id, reference)).toBe('half \ufffd and zero')
  }
})

test('values reach the steps that refer to them; a missing one names the input', async () => {
  const reference = (digit: number) => `\${${String(digit).repeat(8)}-0d43-4a43-9e01-0a1d2c3b4e5f}`
  const runs = startWorker({
    gives: () => ({ status: 'INFO', message: '', outputs: { out: '42' } }),
    takes: ({ inputs }) => ({ status: 'INFO', message: inputs.In! }),
  })
  const nodes = (input: string) => ({
    gives: { definitionName: 'gives', outputs: { out: reference(1) } },
    takes: { definitionName: 'takes', inputs: { In: input }, after: ['gives'] },
  })
  expect((await ended(runs, await start(runs, nodes(reference(1))))).messages.takes).toBe('42')
  expect((await ended(runs, await start(runs, nodes(reference(2))))).messages.takes).toBe(
    'No earlier task provided a value for “In”.',
  )
})

test('a given-up run keeps the last message of its step', async () => {
  const runs = startWorker({
    breaks: async (work) => {
      await work.report('row 1\nrow 2')
      throw new Error('the disk is full')
    },
  })
  const id = await start(runs, { a: { definitionName: 'breaks' } })
  await expect.poll(async () => (await statusesOf(id)).messages.a).toContain('row 2')
  await database.pool.query(
    `update queue_jobs set failures = max_attempts, run_after = now() where state <> 'done'`,
  )
  const end = await ended(runs, id)
  expect(end.messages.a).toMatch(/^The run failed after several attempts[^\n]*\n(.*\n)?row 1\nrow 2$/)
})
