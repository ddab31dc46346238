import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { referenceOf } from '@headwater/runs/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import {
  createPipeline,
  executePipeline,
  getPipeline,
  patchPipeline,
  updatePipeline,
} from '../contract/index.ts'

let server: TestServer
let owner: Session
const file = referenceOf('5f3c0000-0000-4000-8000-000000000001')

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
})
afterAll(() => server.stop())

const task = (id: string, taskName: string, values: Record<string, string>, after: string[] = []) => ({
  id,
  taskReadableName: id,
  taskName,
  prevTasks: after.map((other) => ({ id: other })),
  taskOverrides: {
    params: Object.entries(values).map(([name, value]) => ({
      name,
      value,
      type: name === 'File' ? 'OUTPUT' : 'INPUT',
    })),
  },
})
const text = (fileName: string) => ({
  Content: 'text',
  Text: fileName,
  Group: 'Flows',
  'File name': fileName,
})
const cron = { cron: '0 0 1 1 *' }

/** Fusible tasks before and after a task that cannot be fused. */
const tasks = [
  task('first', 'cron-trigger', cron),
  task('stores', 'store-file', { ...text('limits.txt'), File: file }, ['first']),
  task('copies', 'store-file', {
    Content: 'file',
    'File to store': file,
    Group: 'Flows',
    'File name': 'copy.txt',
  }),
  task('also stores', 'store-file', text('prices.txt'), ['copies']),
  task('last', 'cron-trigger', cron, ['also stores']),
]

async function save(name: string, more: object = {}): Promise<string> {
  const body = { name, groupName: 'Flows', tasks, ...more }
  return (await owner.call(createPipeline, { body: body as never })).pipeline.id
}

const modeOf = async (pipelineId: string) =>
  (await owner.call(getPipeline, { params: { pipelineId }, query: {} })).pipeline.executionMode

async function run(pipelineId: string) {
  const { jobId } = await owner.call(executePipeline, {
    params: { pipelineId },
    body: { waitSeconds: 60 } as never,
  })
  const [job] = (await owner.call(searchStatuses, { query: { jobId } })).items
  const { rows } = await server.running.platform.database.pool.query(
    `select cardinality(chain) as length from run_steps where run_id = $1 order by number`,
    [jobId],
  )
  return {
    status: job!.status,
    steps: job!.componentStatuses
      .filter(({ payload }) => payload?.fileId === undefined)
      .map(({ component, status, message }) => [component, status, message]),
    chains: (rows as { length: number | null }[]).map(({ length }) => length),
  }
}

test('a pipeline is durable by default; in fused mode, sequences of short tasks are executed together with the same results', async () => {
  const durable = await save('durable')
  expect(await modeOf(durable)).toBe('durable')
  const first = await run(durable)
  expect(first).toMatchObject({ status: 'INFO', chains: [null, null, null, null, null] })
  const fused = await save('fused', { executionMode: 'fused' })
  const second = await run(fused)
  expect(second).toEqual({ ...first, chains: [1, null, null, 1, null] })
  expect(second.steps[1]).toEqual(['stores', 'INFO', 'Stored limits.txt (0.01 KB) in Flows.'])
})

test('a patch or save without a mode preserves the mode; unknown modes are rejected', async () => {
  const pipelineId = await save('patched', { executionMode: 'fused' })
  await owner.call(patchPipeline, {
    params: { pipelineId },
    body: { objToUpdate: { tags: ['x'] }, version: 1 } as never,
  })
  expect(await modeOf(pipelineId)).toBe('fused')
  await owner.call(updatePipeline, {
    params: { pipelineId },
    body: { name: 'patched', groupName: 'Flows', tasks: [] } as never,
  })
  expect(await modeOf(pipelineId)).toBe('fused')
  const { status, body } = await refusal(save('quick', { executionMode: 'quick' }))
  expect([status, body.validationErrors?.[0]?.field]).toEqual([400, 'executionMode'])
})
