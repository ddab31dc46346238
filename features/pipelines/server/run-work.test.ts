import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJobQueue, type JobQueue } from '@headwater/jobs'
import { startTestServer, type TestServer } from '@headwater/server/testing'
import type { TaskKind } from '@headwater/tasks/server'
import { cronTrigger } from './cron-trigger.ts'
import { createRunWork } from './run-work.ts'
import { createRunsStore } from './runs-store.ts'

/** A kind of job that the queue of the server does not take. */
const jobKind = 'run-of-a-test'

let server: TestServer
let queue: JobQueue

beforeAll(async () => {
  server = await startTestServer()
  queue = createJobQueue({ pool: server.running.platform.database.pool, leaseMs: 500 })
})
afterAll(async () => {
  await queue.stop()
  await server.stop()
})

test('a run that was taken up again is stopped at once, though the try before it ended later than it began', async () => {
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

  const { userId } = (await accounts.findUserByName(server.admin.userName))!
  const run = { id: randomUUID(), pipelineId: undefined, name: 'waits', groupName: '', userId }
  const task = {
    nodeId: 'a',
    name: 'a',
    taskName: 'waits',
    definitionName: 'waits',
    inputs: {},
    outputs: {},
    memory: 64,
    timeout: 600,
    isPaused: false,
  }
  const eId = randomUUID()
  await runs.start(run, [{ number: 1, eId, task }], 1, database.pool)
  await statuses.startJob({ id: run.id, type: 'PIPELINE', name: run.name, ownerId: userId })
  await statuses.addComponent(run.id, { eId, component: task.name, status: 'UNEXECUTED', message: '' })

  const first = await queue.enqueue(jobKind, { runId: run.id })
  await expect.poll(() => signals.length, { timeout: 10_000 }).toBe(1)
  await queue.enqueue(jobKind, { runId: run.id })
  await expect.poll(() => signals.length, { timeout: 10_000 }).toBe(2)
  await database.pool.query('delete from queue_jobs where id = $1', [first])
  await expect.poll(() => ended, { timeout: 10_000 }).toBe(1)
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, false])

  work.abort(run.id)
  expect(signals[1]!.aborted).toBe(true)
  await expect.poll(() => runs.find(run.id), { timeout: 10_000 }).toBeUndefined()
})
