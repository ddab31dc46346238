import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { refusal, startTestServer, type TestServer } from '@headwater/server/testing'
import { silentLog } from '@headwater/server-kit/testing'
import { drainWorker, listWorkers, type Worker } from '../contract/index.ts'
import { createWorkers, type ThisWorker, type Workers } from './index.ts'

let server: TestServer
beforeAll(async () => {
  server = await startTestServer()
})
afterAll(() => server.stop())

/** Creates a second process of the installation, by default with the same key. */
async function processOf(options: Partial<ThisWorker> = {}): Promise<Workers> {
  const { database } = server.running.platform
  const secrets = await readFile(join(server.dataFolder, 'secrets.json'), 'utf8')
  const { tokenSigningKey: secret } = JSON.parse(secrets) as { tokenSigningKey: string }
  const self = {
    kind: 'worker',
    tags: [],
    version: '1.2.3',
    secret,
    queueOwner: 'other',
    executesJobs: true,
  } as const
  const jobs = server.running.platform.jobs
  return createWorkers({
    database,
    log: silentLog(),
    self: { ...self, ...options },
    queue: {
      lanes: () => [{ kind: 'scripts', slots: 3, jobKinds: ['run-user-code'] }],
      pause: async (isPaused) => void pauses.push(isPaused),
      load: () => jobs.load(),
    },
    describeJobs: async () => new Map(),
    heartbeatMs: 20,
  })
}

/** Calls of `pause` by other processes. */
const pauses: boolean[] = []

async function list(): Promise<Worker[]> {
  return (await server.admin.call(listWorkers, {})).items
}

test('a server appears in the list of workers when it starts', async () => {
  expect(await list()).toMatchObject([{ kind: 'server', tags: [], state: 'running' }])
})

test('a worker joins, reports that it is draining, and leaves', async () => {
  const worker = await processOf({ tags: ['gpu', 'london'] })
  await worker.join()
  const states = async () => (await list()).filter(({ kind }) => kind === 'worker')
  expect(await states()).toMatchObject([
    {
      tags: ['gpu', 'london'],
      version: '1.2.3',
      state: 'running',
      name: expect.stringContaining(String(process.pid)),
    },
  ])
  const [before] = await states()
  await expect.poll(async () => (await states())[0]?.lastSeen).not.toBe(before?.lastSeen)
  await worker.drain()
  expect(await states()).toMatchObject([{ state: 'draining' }])
  await worker.leave()
  expect(await states()).toEqual([])
})

test('an administrator drains and resumes a worker; its capacity counts only while it accepts jobs', async () => {
  const worker = await processOf()
  await worker.join()
  const find = async () => {
    const { items, queue } = await server.admin.call(listWorkers, {})
    const own = items.find(({ kind }) => kind === 'worker')!
    return { ...own, slots: queue.find(({ kind }) => kind === 'scripts')!.slots }
  }
  const before = await find()
  expect(before).toMatchObject({
    state: 'running',
    isDrainRequested: false,
    capacity: [{ kind: 'scripts', slots: 3, running: 0 }],
  })
  const params = { workerId: before.id }
  await server.admin.call(drainWorker, { params, body: { isDraining: true } })
  expect(await find()).toMatchObject({ state: 'draining', isDrainRequested: true, slots: before.slots - 3 })
  await expect.poll(() => pauses).toEqual([true])
  await server.admin.call(drainWorker, { params, body: { isDraining: false } })
  expect(await find()).toMatchObject({ state: 'running', isDrainRequested: false, slots: before.slots })
  await expect.poll(() => pauses).toEqual([true, false])
  await worker.leave()
  for (const workerId of [before.id, 'no id'])
    expect(
      await refusal(server.admin.call(drainWorker, { params: { workerId }, body: { isDraining: true } })),
    ).toMatchObject({ status: 404, body: { code: 'workerNotFound' } })
})

test('a drained server leaves jobs in the queue, and runs them when it is resumed', async () => {
  const { jobs } = server.running.platform
  const [{ id: workerId }] = (await list()) as [Worker]
  const drain = (isDraining: boolean) =>
    server.admin.call(drainWorker, { params: { workerId }, body: { isDraining } })
  await drain(true)
  const id = await jobs.enqueue('sweep-files', {})
  const files = async () =>
    (await server.admin.call(listWorkers, {})).queue.find(({ kind }) => kind === 'files')!
  // Longer than the polling interval.
  expect((await jobs.waitFor(id, 1500))?.state).toBe('waiting')
  const load = await files()
  expect(load).toMatchObject({ slots: 0, running: 0 })
  expect(load.waiting).toBeGreaterThan(0)
  expect(load.longestWaitMs).toBeGreaterThan(1000)
  await drain(false)
  expect((await jobs.waitFor(id, 30_000))?.state).toBe('done')
  expect((await files()).slots).toBeGreaterThan(0)
})

test('a killed worker becomes lost some time after its last heartbeat, and stays in the list for a day', async () => {
  const { pool } = server.running.platform.database
  const killed = (ago: string) =>
    pool.query(
      `insert into workers (id, name, kind, tags, version, key_check, seen_at)
       values (gen_random_uuid(), $1::text, 'worker', '{}', '1', '', now() - $1::text::interval)`,
      [ago],
    )
  // A worker becomes lost after 15 seconds. On a busy machine, the list can follow seconds later.
  await killed('1 second')
  await killed('16 seconds')
  await killed('25 hours')
  const states = async () =>
    (await list()).filter(({ version }) => version === '1').map(({ name, state }) => [name, state])
  expect(await states()).toEqual([
    ['1 second', 'running'],
    ['16 seconds', 'lost'],
    ['25 hours', 'lost'],
  ])
  await pool.query(`delete from workers where name = '1 second'`)
  const next = await processOf()
  await next.join()
  expect(await states()).toEqual([['16 seconds', 'lost']])
  await next.leave()
  await pool.query(`delete from workers where version = '1'`)
})

test('rejects a process with a different installation key while a process with the first key is running', async () => {
  const stranger = await processOf({ secret: 'another key' })
  await expect(stranger.join()).rejects.toThrow(
    /^The installation key differs from that of the running process .+\. Copy secrets\.json from the data folder/,
  )
  expect(await list()).toHaveLength(1)
})

test('only administrators can see the workers', async () => {
  const analyst = await server.createUser()
  await expect(analyst.call(listWorkers, {})).rejects.toMatchObject({ status: 403 })
})
