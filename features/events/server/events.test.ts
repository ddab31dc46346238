import { randomUUID } from 'node:crypto'
import { request, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endUserSessions, listRoles, updateUser } from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, testPassword, type Session, type TestServer } from '@headwater/server/testing'

let server: TestServer
let anna: Session
let ben: Session
const userIds = new Map<string, number>()

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  for (const { userName } of [anna, ben])
    userIds.set(userName, (await server.running.platform.accounts.findUserByName(userName))!.userId)
})
afterAll(() => server.stop())

interface Stream {
  /** Everything received so far. */
  text(): string
  /** Id of the last complete event. */
  lastId(): string
  hasEnded(): boolean
  close(): Promise<void>
}

async function open(session: Session, lastEventId?: string): Promise<Stream> {
  const response = await session.fetch(
    '/events',
    lastEventId === undefined ? {} : { headers: { 'Last-Event-ID': lastEventId } },
  )
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream; charset=utf-8',
  ])
  const reader = response.body!.getReader()
  let text = ''
  let hasEnded = false
  const reading = (async () => {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) break
      text += Buffer.from(value).toString()
    }
    hasEnded = true
  })().catch(() => (hasEnded = true))
  await expect.poll(() => text).toContain('id: ')
  return {
    text: () => text,
    lastId: () => [...text.matchAll(/^id: (.*)$/gm)].at(-1)![1]!,
    hasEnded: () => hasEnded,
    async close() {
      await reader.cancel()
      await reading
    },
  }
}

const start = (session: Session, group?: { id: number; name: string }) =>
  server.running.platform.statuses.startJob({
    type: 'PIPELINE',
    name: `job ${randomUUID()}`,
    ownerId: userIds.get(session.userName)!,
    group,
  })

const eventOf = (type: string, jobId: string) => `event: ${type}\ndata: {"jobId":"${jobId}"}\n\n`

test('status and log changes reach users who can see the job, and no others', async () => {
  const { statuses, logs } = server.running.platform
  const { groupId: id, name } = await ben.call(createGroup, { body: { name: `group ${randomUUID()}` } })
  const own = await start(anna)
  const eId = await statuses.addComponent(own, { component: 'load', status: 'RUNNING' })
  const streams = [await open(anna), await open(ben), await open(server.admin)]
  // A stream that is still busy with an event resets when the next one arrives, so each one follows the arrival of the last.
  const jobId = await start(anna, { id, name })
  for (const stream of streams) await expect.poll(() => stream.text()).toContain(eventOf('status', jobId))
  const writer = logs.open({ jobId: own, eId, component: 'load' })
  writer.write('a line', 'stdout')
  await writer.end()
  for (const stream of [streams[0]!, streams[2]!])
    await expect.poll(() => stream.text()).toContain(eventOf('log', own))
  expect(streams[1]!.text()).not.toContain(own)
  for (const stream of streams) await stream.close()
})

test('Last-Event-ID resumes a stream without a gap; an unknown or old id resets it', async () => {
  const first = await open(anna)
  const known = await start(anna)
  await expect.poll(() => first.text()).toContain(eventOf('status', known))
  const id = first.lastId()
  // The server reads the events for all streams together. This one shows that it has read the missed event before the next one
  // opens; otherwise that one could receive it twice at the same time, and would reset.
  const other = await open(server.admin)
  await first.close()
  const missed = await start(anna)
  await expect.poll(() => other.text()).toContain(missed)
  const { pool } = server.running.platform.database
  const late = await pool.connect()
  await late.query('begin')
  await late.query(`update jobs set latest_message = 'late' where id = $1`, [known])
  const next = await open(anna, id)
  await expect.poll(() => next.text()).toContain(eventOf('status', missed))
  expect(next.text()).not.toContain(known)
  const later = await start(anna)
  await expect.poll(() => next.text()).toContain(later)
  await late.query('commit')
  late.release()
  // An event is not missed even if its transaction commits after later ones.
  await expect.poll(() => next.text()).toContain(eventOf('status', known))
  expect(next.text()).not.toContain('reset')
  for (const stream of [next, other]) await stream.close()
  const [, position] = id.split('.')
  for (const unknown of ['nonsense', `1000000000000.${position}`, `${Date.now()}.999999999:999999999:`]) {
    const stream = await open(anna, unknown)
    await expect.poll(() => stream.text()).toContain('event: reset\ndata: {}\n\n')
    await stream.close()
  }
})

test('a stream ends when its user loses access, and when the session ends', async () => {
  const eve = await server.createUser({ email: 'eve@example.com' })
  const stream = await open(eve)
  const { accounts } = server.running.platform
  const { userId } = (await accounts.findUserByName('eve@example.com'))!
  await accounts.setUserRoles(userId, [])
  await expect.poll(() => stream.hasEnded()).toBe(true)
  const mallory = await server.createUser({ email: 'mallory@example.com' })
  const other = await open(mallory)
  await server.admin.call(endUserSessions, { params: { userName: 'mallory@example.com' } })
  await expect.poll(() => other.hasEnded()).toBe(true)
})

/** Opens a stream whose credentials are a password. */
function openWithPassword(userName: string): Promise<Stream> {
  const credentials = Buffer.from(`${userName}:${testPassword}`).toString('base64')
  return open({
    ...server.nobody,
    fetch: (path, init) =>
      server.nobody.fetch(path, {
        ...init,
        headers: { Authorization: `Basic ${credentials}` },
      }),
  })
}

test('a stream with a password ends soon after its user is deactivated', async () => {
  const { userName } = await server.createUser({ email: 'olga@example.com' })
  const stream = await openWithPassword(userName)
  await server.admin.call(updateUser, { params: { userName }, body: { active: false } })
  await expect.poll(() => stream.hasEnded()).toBe(true)
})

test('a stream with a password soon has the new roles of its user, and ends if they do not permit it', async () => {
  const demoted = await server.createUser({ email: 'demoted@example.com', role: 'Administrator' })
  const { userName } = demoted
  const { accounts } = server.running.platform
  const { userId } = (await accounts.findUserByName(userName))!
  userIds.set(userName, userId)
  const stream = await openWithPassword(userName)
  const seesJobsOfOthers = async () => {
    const lengthBefore = stream.text().length
    const others = await start(anna)
    const own = await start(demoted)
    const received = () => stream.text().slice(lengthBefore)
    // A stream that was busy resets instead; then the next attempt decides.
    await expect.poll(() => received().includes(own) || received().includes('reset')).toBe(true)
    return received().includes(others) || received().includes('reset')
  }
  await expect.poll(seesJobsOfOthers).toBe(true)
  const { items } = await server.admin.call(listRoles, {})
  const roleIds = items.filter(({ name }) => name === 'Analyst').map(({ id }) => id)
  await server.admin.call(updateUser, { params: { userName }, body: { roleIds } })
  // Shorter than the interval at which the server checks the password, which also replaces the roles.
  const timeout = 30_000
  await expect.poll(seesJobsOfOthers, { timeout }).toBe(false)
  await accounts.setUserRoles(userId, [])
  await expect.poll(() => stream.hasEnded(), { timeout }).toBe(true)
})

test('a user has at most 20 streams; closing one allows another', async () => {
  const dora = await server.createUser({ email: 'dora@example.com' })
  const streams = []
  for (let count = 0; count < 20; count++) streams.push(await open(dora))
  expect((await dora.fetch('/events')).status).toBe(429)
  await streams[0]!.close()
  await expect
    .poll(
      async () =>
        (await dora.fetch('/events', { signal: AbortSignal.timeout(2000) }).catch(() => undefined))?.status,
    )
    .toBe(200)
  for (const stream of streams.slice(1)) await stream.close()
})

test('a stream that is still checking access for earlier events resets instead of skipping later ones', async () => {
  const [delayed, other] = [await open(anna), await open(server.admin)]
  const { pool } = server.running.platform.database
  const lock = await pool.connect()
  try {
    await lock.query('begin')
    await lock.query('lock table group_grants in access exclusive mode')
    // Both streams receive each batch of events at the same time.
    for (let count = 0; count < 2; count++) {
      const jobId = await start(anna)
      await expect.poll(() => other.text()).toContain(jobId)
      expect(delayed.text()).not.toContain(jobId)
    }
  } finally {
    await lock.query('rollback')
    lock.release()
  }
  await expect.poll(() => delayed.text()).toContain('event: reset\ndata: {}\n\n')
  await delayed.close()
  await other.close()
})

test('a client that does not read its stream does not delay others', async () => {
  const { port } = new URL(server.url)
  const slow = request({ port, path: '/events', headers: { Authorization: `Bearer ${anna.token}` } })
  slow.end()
  const response = await new Promise<IncomingMessage>((resolve) => slow.on('response', resolve))
  response.pause()
  const quick = await open(anna)
  const { pool } = server.running.platform.database
  const jobId = await start(anna)
  for (let round = 0; round < 30; round++) {
    await pool.query(
      `insert into events (type, job_id, owner_id) select 'status', gen_random_uuid(), $1 from generate_series(1, 1500)`,
      [userIds.get(anna.userName)],
    )
    await new Promise((resolve) => setTimeout(resolve, 60))
  }
  const last = await start(anna)
  await expect.poll(() => quick.text().includes(last) || quick.text().includes('reset')).toBe(true)
  expect(jobId).not.toBe(last)
  slow.destroy()
  await quick.close()
})
