import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask } from '@headwater/tasks/contract'
import { createPipeline, executePipeline, getPipeline } from '../contract/index.ts'

let server: TestServer
let owner: Session
let source: Server
/** Status codes of the next responses of the source; `abort` closes the connection. The last one is repeated. */
let responses: (number | 'abort')[] = []
let requests = 0

beforeAll(async () => {
  source = createServer((_request, response) => {
    requests++
    const status = responses.length > 1 ? responses.shift()! : responses[0]!
    if (status === 'abort') response.destroy()
    else response.writeHead(status).end('prices')
  })
  source.listen(0, '127.0.0.1')
  await once(source, 'listening')
  server = await startTestServer({ env: { HEADWATER_INTERNAL_HOSTS: sourceHost() } })
  owner = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
  const value =
    'import os\nraise ConnectionResetError("reset") if os.environ["Kind"] == "network" else ValueError("wrong")'
  await owner.call(createTask, {
    body: {
      name: 'raises',
      groupName: 'Flows',
      definitionName: 'python-runner',
      params: [{ name: 'Script', value, valueType: 'SCRIPT' }, { name: 'Kind' }] as never,
    },
  })
})
beforeEach(() => {
  requests = 0
})
afterAll(async () => {
  await server.stop()
  source.closeAllConnections()
  source.close()
})

const sourceHost = () => `127.0.0.1:${(source.address() as AddressInfo).port}`

let pipelines = 0

/** Saves a pipeline with one task. */
async function save(task: object): Promise<string> {
  const body = {
    name: `flow ${++pipelines}`,
    groupName: 'Flows',
    tasks: [{ id: 'a', taskReadableName: 'a', ...task }],
  }
  return (await owner.call(createPipeline, { body: body as never })).pipeline.id
}

/** Runs a pipeline with one task and returns the status of the task and its number of attempts. */
async function run(task: object): Promise<{ status: string; attempts: number }> {
  const { jobId } = await owner.call(executePipeline, {
    params: { pipelineId: await save(task) },
    body: { waitSeconds: 60 } as never,
  })
  const [job] = (await owner.call(searchStatuses, { query: { jobId } })).items
  const { rowCount } = await server.running.platform.database.pool.query(
    'select from run_attempts where run_id = $1',
    [jobId],
  )
  return { status: job!.componentStatuses[0]!.status, attempts: rowCount! }
}

const request = (rules: object, name = 'http-request') => ({
  taskName: name,
  taskOverrides: { params: [{ name: 'URL', value: `http://${sourceHost()}/prices` }] },
  retries: 3,
  retryDelay: 0,
  ...rules,
})

test('a request is retried while the server is unavailable if the task retries errors of this class', async () => {
  responses = [503, 429, 200]
  expect(await run(request({ retryOn: ['unavailable'] }))).toMatchObject({ status: 'INFO' })
  expect(requests).toBe(3)
})

test('an error of a different class ends the task immediately', async () => {
  responses = [404]
  expect(await run(request({ retryOn: ['unavailable', 'connection', 'timeout', 'script'] }))).toMatchObject({
    status: 'ERROR',
  })
  expect(requests).toBe(1)
  requests = 0
  responses = ['abort']
  expect(await run(request({ retryOn: ['unavailable'] }, 'webhook'))).toMatchObject({ status: 'ERROR' })
  expect(requests).toBe(1)
})

test('a failed connection is retried, and without classes every error is retried', async () => {
  responses = ['abort', 200]
  expect(await run(request({ retryOn: ['connection'] }))).toMatchObject({ status: 'INFO' })
  expect(requests).toBe(2)
  responses = [404, 200]
  expect(await run(request({}))).toMatchObject({ status: 'INFO' })
  expect(requests).toBe(4)
})

test('exceptions in scripts have the class script, and network exceptions also the class connection', async () => {
  const script = (kind: string, retryOn: string[]) =>
    run({
      taskName: 'raises',
      taskGroup: 'Flows',
      taskOverrides: { params: [{ name: 'Kind', value: kind }] },
      retries: 1,
      retryDelay: 0,
      retryOn,
    })
  expect(await script('value', ['script'])).toEqual({ status: 'ERROR', attempts: 2 })
  expect(await script('value', ['connection', 'other'])).toEqual({ status: 'ERROR', attempts: 1 })
  expect(await script('network', ['connection'])).toEqual({ status: 'ERROR', attempts: 2 })
})

test('a save stores retry rules, and rejects invalid ones', async () => {
  const rules = {
    retries: 5,
    retryDelay: 1.5,
    retryBackoff: 3,
    retryMaxDelay: 60,
    retryJitter: 0.25,
    retryOn: ['timeout', 'unavailable'],
  }
  const pipelineId = await save(request(rules))
  const { batchConfig } = await owner.call(getPipeline, { params: { pipelineId }, query: {} })
  expect(batchConfig.tasks).toMatchObject([rules])
  for (const [field, value] of [
    ['retries', 21],
    ['retryDelay', 3601],
    ['retryBackoff', 0.5],
    ['retryMaxDelay', -1],
    ['retryJitter', 1.1],
    ['retryOn', []],
    ['retryOn', ['timeout', 'timeout']],
    ['retryOn', ['weather']],
  ] as const) {
    const { status, body } = await refusal(save(request({ ...rules, [field]: value })))
    expect([status, body.validationErrors?.[0]?.field]).toEqual([
      400,
      expect.stringMatching(`^tasks\\[0\\].${field}`),
    ])
  }
})
