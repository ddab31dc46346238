import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { AppError } from '@headwater/contract'
import { createJobQueue, type JobQueue } from '@headwater/jobs'
import { startTestServer, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import type { TaskKind, TaskOutcome } from '@headwater/tasks/server'
import { cronTrigger } from './cron-trigger.ts'
import { createRunWork } from './run-work.ts'
import { createRunsStore } from './runs-store.ts'

/** Kind of job that the queue of the server ignores. */
const jobKind = 'run-of-a-test'

let server: TestServer
let queue: JobQueue

beforeAll(async () => {
  server = await startTestServer()
})
beforeEach(() => {
  queue = createJobQueue({ pool: server.running.platform.database.pool, leaseMs: 500 })
})
afterEach(() => queue.stop())
afterAll(() => server.stop())

/** Stores a run with one step and returns its id. */
async function begin(outputs: Record<string, string>): Promise<string> {
  const { database, accounts, statuses } = server.running.platform
  const { userId } = (await accounts.findUserByName(server.admin.userName))!
  const run = { id: randomUUID(), pipelineId: undefined, name: 'alone', groupName: '', userId }
  const task = {
    nodeId: 'a',
    name: 'a',
    taskName: 'alone',
    definitionName: 'alone',
    inputs: {},
    outputs,
    memory: 64,
    timeout: 600,
    isPaused: false,
  }
  const eId = randomUUID()
  await createRunsStore(database).start(run, [{ number: 1, eId, task }], 1, database.pool)
  await statuses.startJob({ id: run.id, type: 'PIPELINE', name: run.name, ownerId: userId })
  await statuses.addComponent(run.id, { eId, component: task.name, status: 'UNEXECUTED', message: '' })
  return run.id
}

test('a retried run can be stopped, even if the earlier attempt ended after it began', async () => {
  const { database, accounts, statuses } = server.running.platform
  const runs = createRunsStore(database)
  const signals: AbortSignal[] = []
  const waits: TaskKind = {
    ...cronTrigger,
    run: ({ signal }) => {
      signals.push(signal)
      return new Promise((_, reject) =>
        signal.addEventListener('abort', () => reject(signal.reason as Error)),
      )
    },
  }
  let ended = 0
  const work = createRunWork({
    runs,
    statuses,
    tasks: { findKind: () => waits },
    findPrincipal: (userId) => accounts.findPrincipal(userId),
    queue: {
      handle: (_kind, handler) =>
        queue.handle(jobKind, { ...handler, run: (job) => handler.run(job as never).finally(() => ended++) }),
    },
  })
  queue.start()

  const runId = await begin({})

  const first = await queue.enqueue(jobKind, { runId })
  await expect.poll(() => signals.length, { timeout: 10_000 }).toBe(1)
  await queue.enqueue(jobKind, { runId })
  await expect.poll(() => signals.length, { timeout: 10_000 }).toBe(2)
  await database.pool.query('delete from queue_jobs where id = $1', [first])
  await expect.poll(() => ended, { timeout: 10_000 }).toBe(1)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])

  work.abort(runId)
  expect(signals[1]!.aborted).toBe(true)
  await expect.poll(() => runs.find(runId), { timeout: 10_000 }).toBeUndefined()
})

test('a task of any kind runs once, even if PostgreSQL cannot store its messages or outputs', async () => {
  const { database, accounts, statuses } = server.running.platform
  const unstorable = 'half \ud83d and \u0000zero'
  const endings: [string, () => TaskOutcome][] = [
    ['INFO', () => ({ status: 'INFO', message: unstorable, outputs: { out: unstorable } })],
    ['WARN', () => ({ status: 'WARN', message: unstorable })],
    ['ERROR', () => ({ status: 'ERROR', message: unstorable })],
    [
      'ERROR',
      () => {
        throw new AppError('refused', 400, unstorable)
      },
    ],
  ]
  let tries = 0
  let ending = endings[0]!
  const kind: TaskKind = {
    ...cronTrigger,
    async run(work) {
      tries++
      await work.report(unstorable)
      return ending[1]()
    },
  }
  createRunWork({
    runs: createRunsStore(database),
    statuses,
    tasks: { findKind: () => kind },
    findPrincipal: (userId) => accounts.findPrincipal(userId),
    queue: { handle: (_kind, handler) => queue.handle(jobKind, handler as never) },
  })
  queue.start()
  for (ending of endings) {
    tries = 0
    const runId = await begin({ out: '${5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f}' })
    await queue.enqueue(jobKind, { runId })
    const find = async () => (await server.admin.call(searchStatuses, { query: { jobId: runId } })).items[0]
    await expect.poll(async () => (await find())?.endTime, { timeout: 10_000 }).toBeDefined()
    const job = await find()
    expect([tries, job!.status, job!.componentStatuses[0]!.message]).toEqual([
      1,
      ending[0],
      'half \ufffd and zero',
    ])
  }
})

test('a stopped or given-up run keeps the last message of its interrupted step', async () => {
  const { database, accounts, statuses } = server.running.platform
  const runs = createRunsStore(database)
  const kind: TaskKind = {
    ...cronTrigger,
    async run(work) {
      await work.report('row 1\nrow 2')
      throw new Error('the disk is full')
    },
  }
  createRunWork({
    runs,
    statuses,
    tasks: { findKind: () => kind },
    findPrincipal: (userId) => accounts.findPrincipal(userId),
    queue: { handle: (_kind, handler) => queue.handle(jobKind, { ...handler, pauseMs: () => 1 } as never) },
  })
  queue.start()
  const messageOf = async (runId: string) =>
    (await server.admin.call(searchStatuses, { query: { jobId: runId } })).items[0]!.componentStatuses[0]!
      .message

  const givenUp = await begin({})
  await queue.waitFor(await queue.enqueue(jobKind, { runId: givenUp }, { maxAttempts: 1 }), 10_000)
  expect(await messageOf(givenUp)).toMatch(/^The run failed after several attempts.*\nrow 1\nrow 2$/)

  const stopped = await begin({})
  const [step] = await runs.steps(stopped)
  await runs.setStepState(stopped, 1, 'running')
  await statuses.updateComponent(stopped, step!.eId, { status: 'RUNNING', message: 'row 1' })
  await runs.requestStop({ runId: stopped }, database.pool)
  await queue.waitFor(await queue.enqueue(jobKind, { runId: stopped }), 10_000)
  expect(await messageOf(stopped)).toBe('The run was stopped.\nrow 1')
})

test('the reason for an interruption appears once, however often its storage is retried', async () => {
  const { database, accounts, statuses } = server.running.platform
  const runs = createRunsStore(database)
  let failures = 0
  let isStopped = false
  function failAtTimes(): void {
    if (failures-- > 0) throw new Error('the database went away')
  }
  const kind: TaskKind = {
    ...cronTrigger,
    async run(step) {
      const { jobId } = step.run
      await step.report('row 1')
      if (!isStopped) throw new Error('the disk is full')
      await runs.requestStop({ runId: jobId }, database.pool)
      work.abort(jobId)
      return { status: 'ERROR', message: 'Stopped.', printed: 'row 1' }
    },
  }
  const work = createRunWork({
    runs: {
      ...runs,
      endStep: async (...step) => {
        await runs.endStep(...step)
        failAtTimes()
      },
    },
    statuses: {
      ...statuses,
      finishJob: async (jobId, end, executor) => {
        await statuses.finishJob(jobId, end, executor)
        if (end.status === 'ERROR') failAtTimes()
      },
    },
    tasks: { findKind: () => kind },
    findPrincipal: (userId) => accounts.findPrincipal(userId),
    queue: { handle: (_kind, handler) => queue.handle(jobKind, { ...handler, pauseMs: () => 1 } as never) },
  })
  queue.start()
  async function endOf(runId: string, maxAttempts = 5): Promise<string> {
    failures = 2
    await queue.enqueue(jobKind, { runId }, { maxAttempts })
    await expect.poll(() => runs.find(runId), { timeout: 10_000 }).toBeUndefined()
    const [job] = (await server.admin.call(searchStatuses, { query: { jobId: runId } })).items
    return job!.componentStatuses[0]!.message
  }

  const stopped = await begin({})
  const [step] = await runs.steps(stopped)
  await runs.setStepState(stopped, 1, 'running')
  await statuses.updateComponent(stopped, step!.eId, { status: 'RUNNING', message: 'row 1' })
  await runs.requestStop({ runId: stopped }, database.pool)
  expect(await endOf(stopped)).toBe('The run was stopped.\nrow 1')

  expect(await endOf(await begin({}), 1)).toMatch(/^The run failed after several attempts[^\n]*\nrow 1$/)

  isStopped = true
  expect(await endOf(await begin({}))).toBe('The run was stopped.\nrow 1')
})
