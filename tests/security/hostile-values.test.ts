import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { createPipeline } from '@headwater/pipelines/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'

let server: TestServer
let owner: Session
let pipelineId: string
beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
  const { pipeline } = await owner.call(createPipeline, { body: { name: 'stores', groupName: 'Flows' } })
  pipelineId = pipeline.id
})
afterAll(() => server.stop())

interface Received {
  status: number
  body: { code?: string; message?: string; value?: string; jobId?: string }
}

async function send(path: string, body: string, type: string): Promise<Received> {
  return read(await owner.fetch(path, { method: 'POST', body, headers: { 'Content-Type': type } }))
}

async function read(response: Response): Promise<Received> {
  return { status: response.status, body: (await response.json()) as Received['body'] }
}

const megabyte = 'x'.repeat(1_000_000)
const levels = '['.repeat(100_000)
const items = JSON.stringify(Array.from({ length: 100_000 }, (_, index) => index))
const reference = '${5f3c0000-0000-4000-8000-000000000001}'

test.each<[string, string, string | { status: number; code: string }]>([
  ['1 MB', megabyte, megabyte],
  ['100,000 levels', levels, levels],
  ['100,000 items', items, items],
  ['a prototype', '{"__proto__":{"a":1}}', '{"__proto__":{"a":1}}'],
  ['an unpaired surrogate', 'a\ud800b', 'a\ufffdb'],
  ['a NUL character', 'a\u0000b', { status: 400, code: 'invalidInput' }],
  ['10 MB', megabyte.repeat(10), { status: 413, code: 'bodyTooLarge' }],
])(
  'a stored value with %s, also under a reserved name, is readable afterwards or rejected with a message',
  async (_what, value, expected) => {
    for (const key of ['plain', '__proto__', 'constructor', 'toString']) {
      const path = `/mgmt/store/${pipelineId}/${key}`
      const stored = await send(path, value, 'text/plain')
      if (typeof expected === 'string') {
        expect(stored.status, key).toBe(200)
        // The text can be long, and a difference should not be printed.
        expect((await read(await owner.fetch(path))).body.value === expected, key).toBe(true)
      } else {
        expect({ status: stored.status, code: stored.body.code }, key).toEqual(expected)
        expect(stored.body.message, key).toMatch(/NUL characters|larger than the limit/)
      }
    }
  },
)

test.each(['%00', '%ED%A0%80', '%'])('the name %s of a value is rejected with a message', async (key) => {
  const { status, body } = await send(`/mgmt/store/${pipelineId}/${key}`, 'value', 'text/plain')
  expect(status).toBe(400)
  expect(body.message).toMatch(/not valid|begin an encoded/)
})

test.each<[string, string, string, Received['status'], RegExp]>([
  ['1 MB', 'condition', JSON.stringify(megabyte), 200, /^$/],
  ['100,000 levels', 'condition', JSON.stringify(levels), 200, /^$/],
  ['100,000 items', 'condition', JSON.stringify(items), 200, /^$/],
  ['a reference', 'condition', JSON.stringify(reference), 400, /refers to an output that no task has/],
  ['a NUL character', 'condition', JSON.stringify('a\u0000b'), 400, /NUL characters/],
  ['an unpaired surrogate', 'condition', JSON.stringify('a\ud800b'), 400, /unpaired surrogate/],
  ['10 MB', 'condition', JSON.stringify(megabyte.repeat(10)), 413, /larger than the limit/],
  ['nested lists', 'condition', `${levels}${']'.repeat(100_000)}`, 400, /levels/],
  ['a reserved name', '__proto__', '"a"', 400, /has no parameter “__proto__”/],
  ['another reserved name', 'constructor', '"a"', 400, /has no parameter “constructor”/],
])(
  'a run of a task with %s starts or is rejected with a message',
  async (_what, name, value, expected, message) => {
    const body = `{"taskName":"branch","params":[{"name":"${name}","value":${value}}]}`
    const started = await send('/mgmt/task/execute', body, 'application/json')
    expect(started.status).toBe(expected)
    expect(started.body.message ?? '').toMatch(message)
    if (started.body.jobId === undefined) return
    const statusOf = async () => {
      const { items } = (await (await owner.fetch(`/status?jobId=${started.body.jobId}`)).json()) as {
        items: { status: string; latestMessage: string; componentStatuses: { message: string }[] }[]
      }
      return `${items[0]?.status}: ${items[0]?.componentStatuses[0]?.message}`
    }
    await expect.poll(statusOf).toMatch(/^ERROR: The condition has the result “.{100}”\./)
  },
)
