import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTriggerWorld, type GivenTrigger, type TriggerWorld } from './testing/trigger-world.ts'

let world: TriggerWorld

beforeAll(async () => {
  world = await startTriggerWorld()
})
afterAll(() => world.stop())

type Webhook = { path: string; signingKey: string }

async function webhook(name: string, more: Partial<GivenTrigger> = {}, text?: string) {
  const id = await world.pipeline(name, text)
  const [set] = await world.set(id, [{ type: 'None', ...more }])
  return { ...(set as unknown as Webhook), pipelineId: id, set: set! }
}

const post = (path: string, body: string, headers: Record<string, string> = {}) =>
  world.server.nobody.fetch(path, { method: 'POST', body, headers })

function signed(key: string, body: string, at = Date.now()): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000))
  const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex')
  return { 'X-Headwater-Timestamp': timestamp, 'X-Headwater-Signature': `sha256=${signature}` }
}

test('calling the secret URL starts one run with the type None and the access of the owner', async () => {
  const { path, pipelineId } = await webhook('hook', {}, '${trigger.body}')
  expect(path).toMatch(/^\/mgmt\/webhook\/[\w-]{43}$/)
  const response = await post(path, '{"price": 1}', { 'Content-Type': 'application/json' })
  expect([response.status, await response.json()]).toEqual([202, { isNew: true }])
  const [job] = await world.ended(pipelineId, 1)
  expect(job).toMatchObject({ status: 'INFO', types: ['None'], owner: world.owner.userName })
  expect(world.mails('hook')).toEqual(['{"price": 1}'])
})

test('the secret is returned only once and stored as a hash; a renewed secret replaces it', async () => {
  const { path, pipelineId, set } = await webhook('secret')
  const secret = path.split('/').at(-1)!
  expect(JSON.stringify(await world.list(pipelineId))).not.toContain(secret)
  const { rows } = await world.server.running.platform.database.pool.query(
    'select row_to_json(own) as row from pipeline_triggers own where id = $1',
    [set.id],
  )
  expect(JSON.stringify(rows)).not.toContain(secret)
  const [same] = (await world.set(pipelineId, [set])) as unknown as Webhook[]
  expect(same!.path).toBeNull()
  expect((await post(path, '')).status).toBe(202)
  const [renewed] = (await world.set(pipelineId, [{ ...set, renewSecret: true }])) as unknown as Webhook[]
  expect((await post(path, '')).status).toBe(404)
  expect((await post(renewed!.path, '')).status).toBe(202)
  await world.ended(pipelineId, 2)
})

test('a repeated Idempotency-Key does not start a second run', async () => {
  const { path, pipelineId } = await webhook('repeated')
  const headers = { 'Idempotency-Key': 'order 7' }
  const replies = await Promise.all(Array.from({ length: 5 }, () => post(path, 'x', headers)))
  const bodies = (await Promise.all(replies.map((reply) => reply.json()))) as { isNew: boolean }[]
  expect(bodies.filter(({ isNew }) => isNew)).toHaveLength(1)
  await world.ended(pipelineId, 1)
  await world.settled()
  expect(await world.jobs(pipelineId)).toHaveLength(1)
})

test('two long values of Idempotency-Key that differ only at the end start two runs', async () => {
  const { path, pipelineId } = await webhook('long keys')
  for (const last of ['one', 'two']) {
    const reply = await post(path, last, { 'Idempotency-Key': 'K'.repeat(300) + last })
    expect(await reply.json()).toMatchObject({ isNew: true })
  }
  await world.ended(pipelineId, 2)
})

test('a signed webhook rejects calls without a valid signature, old calls and replays', async () => {
  const { path, pipelineId, signingKey } = await webhook('signed', { signed: true })
  expect(signingKey).toMatch(/^[0-9a-f]{64}$/)
  const status = async (body: string, headers: Record<string, string>) =>
    (await post(path, body, headers)).status
  expect(await status('a', {})).toBe(401)
  expect(await status('a', signed('0'.repeat(64), 'a'))).toBe(401)
  expect(await status('b', signed(signingKey, 'a'))).toBe(401)
  expect(await status('a', signed(signingKey, 'a', Date.now() - 301_000))).toBe(401)
  expect(await status('a', signed(signingKey, 'a', Date.now() + 310_000))).toBe(401)
  const once = signed(signingKey, 'a')
  expect(await status('a', { ...once, 'X-Headwater-Timestamp': `${once['X-Headwater-Timestamp']}0` })).toBe(
    401,
  )
  expect(await (await post(path, 'a', once)).json()).toEqual({ isNew: true })
  expect(await (await post(path, 'a', once)).json()).toEqual({ isNew: false })
  await world.ended(pipelineId, 1)
  await world.settled()
  expect(await world.jobs(pipelineId)).toHaveLength(1)
})

test('calls of unknown and paused webhooks get 404; large bodies and too many waiting calls are rejected', async () => {
  const { path, pipelineId, set } = await webhook('limits')
  expect((await post(`/mgmt/webhook/${'x'.repeat(43)}`, '')).status).toBe(404)
  expect((await post(path, 'x'.repeat(64 * 1024 + 1))).status).toBe(413)
  const { pool } = world.server.running.platform.database
  await pool.query(
    `insert into pipeline_trigger_firings (trigger_id, cause, run_values, chain, occurred_at)
     select $1, 'call ' || number, '{}', '{}', now() from generate_series(1, 100) as number`,
    [set.id],
  )
  expect((await post(path, '')).status).toBe(429)
  await pool.query('delete from pipeline_trigger_firings where trigger_id = $1', [set.id])
  await world.set(pipelineId, [{ ...set, active: false }])
  expect((await post(path, '')).status).toBe(404)
  expect(await world.jobs(pipelineId)).toEqual([])
})
