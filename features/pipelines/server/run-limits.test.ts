import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask, deleteTask } from '@headwater/tasks/contract'
import {
  createPipeline,
  executePipeline,
  getRunLimits,
  setRunLimits,
  stopPipeline,
} from '../contract/index.ts'

let server: TestServer
let owner: Session
let reader: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  reader = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Limits' } })
  await server.grantGroup({ groupName: 'Limits', userName: reader.userName, access: 'R' })
  const params = [{ name: 'Script', value: 'print(1)', valueType: 'SCRIPT' as const }]
  await owner.call(createTask, {
    body: { name: 'task', groupName: 'Limits', definitionName: 'python-runner', params },
  })
})
afterAll(() => server.stop())

test('runs of a pipeline beyond its limit wait, even for other users, until a run ends or the limit is removed', async () => {
  const task = { id: 'a', taskReadableName: 'a', taskName: 'task', taskGroup: 'Limits', isPaused: true }
  const { pipeline } = await owner.call(createPipeline, {
    body: { name: 'limited', groupName: 'Limits', tasks: [task] },
  })
  const pipelineId = pipeline.id
  const limit = { maxRuns: 1, priority: 3 }
  expect(await owner.call(getRunLimits, { query: { pipelineId } })).toEqual({ maxRuns: null, priority: 0 })
  expect(await owner.call(setRunLimits, { body: { pipelineId, ...limit } })).toEqual(limit)
  expect(await reader.call(getRunLimits, { query: { pipelineId } })).toEqual(limit)
  const spaced = owner.call(getRunLimits, { query: { pipelineId: `${pipelineId} ` } })
  expect(await refusal(spaced)).toMatchObject({ status: 404 })

  const start = async (caller: Session, body = {}) =>
    (await caller.call(executePipeline, { params: { pipelineId }, body })).jobId
  const status = (jobId: string) =>
    expect.poll(async () => {
      const [job] = (await owner.call(searchStatuses, { query: { jobId } })).items
      return [job?.status, job?.latestStatus.message]
    })
  const waits = ['PENDING', 'Waiting: at most 1 of the runs of the pipeline can be in progress.']
  const pauses = ['PAUSED', 'The run is paused before “a”.']
  const first = await start(owner)
  await status(first).toEqual(pauses)
  const second = await start(reader)
  const third = await start(owner, { priority: 4 })
  await status(second).toEqual(waits)
  await status(third).toEqual(waits)
  await owner.call(stopPipeline, { body: { jobId: first } })
  await status(third).toEqual(pauses)
  await status(second).toEqual(waits)
  await owner.call(setRunLimits, { body: { pipelineId } })
  await status(second).toEqual(pauses)
  for (const [caller, jobId] of [
    [reader, second],
    [owner, third],
  ] as const)
    await caller.call(stopPipeline, { body: { jobId } })

  await owner.call(setRunLimits, { body: { groupName: 'Limits', maxRuns: 5 } })
  expect(await reader.call(getRunLimits, { query: { groupName: 'Limits' } })).toEqual({
    maxRuns: 5,
    priority: 0,
  })
  for (const target of [{ pipelineId }, { groupName: 'Limits' }])
    expect((await refusal(reader.call(setRunLimits, { body: { ...target, maxRuns: 2 } }))).body.code).toBe(
      'pipelineGroupForbidden',
    )
  const none = await refusal(owner.call(setRunLimits, { body: { maxRuns: 2 } }))
  expect([none.status, none.body.message]).toEqual([400, 'Set either a pipeline or a group.'])
  const unknown = await refusal(owner.call(getRunLimits, { query: { groupName: 'none' } }))
  expect([unknown.status, unknown.body.code]).toEqual([400, 'pipelineGroupNotFound'])
  for (const [maxRuns, priority] of [
    [0, 0],
    [1001, 0],
    [1, 101],
  ])
    expect(
      (await refusal(owner.call(setRunLimits, { body: { pipelineId, maxRuns, priority } as never }))).status,
    ).toBe(400)
})

test('a pipeline with 500 tasks in sequence runs to its end; a pipeline with 501 tasks cannot be saved', async () => {
  const nothing = {
    taskName: 'cron-trigger',
    taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
  }
  const tasks = Array.from({ length: 501 }, (_, index) => ({
    ...nothing,
    id: `${index}`,
    taskReadableName: `${index}`,
    prevTasks: index === 0 ? [] : [{ id: `${index - 1}` }],
  }))
  const bodyOf = (name: string, length: number) =>
    ({ name, groupName: 'Limits', tasks: tasks.slice(0, length) }) as never
  const rejected = await refusal(owner.call(createPipeline, { body: bodyOf('too long', 501) }))
  expect(rejected.body.validationErrors).toMatchObject([
    { field: 'tasks', message: 'A pipeline can have at most 500 tasks.' },
  ])
  const { pipeline } = await owner.call(createPipeline, { body: bodyOf('long', 500) })
  const { jobId } = await owner.call(executePipeline, { params: { pipelineId: pipeline.id }, body: {} })
  const find = async () => (await owner.call(searchStatuses, { query: { jobId } })).items[0]
  await expect.poll(async () => (await find())?.endTime, { timeout: 100_000 }).toBeDefined()
  const job = await find()
  expect(job?.latestStatus.message).toBe('All 500 tasks succeeded.')
  expect(new Set(job?.componentStatuses.map(({ status }) => status))).toEqual(new Set(['INFO']))
})

test('a pipeline with a deleted task does not start, and the error names the task', async () => {
  const params = [{ name: 'Script', value: 'print(1)', valueType: 'SCRIPT' as const }]
  const { id } = await owner.call(createTask, {
    body: { name: 'deleted', groupName: 'Limits', definitionName: 'python-runner', params },
  })
  const task = { id: 'a', taskReadableName: 'a', taskName: 'deleted', taskGroup: 'Limits' }
  const { pipeline } = await owner.call(createPipeline, {
    body: { name: 'broken', groupName: 'Limits', tasks: [task] },
  })
  await owner.call(deleteTask, { params: { taskId: id } })
  const start = owner.call(executePipeline, { params: { pipelineId: pipeline.id }, body: {} })
  const { status, body } = await refusal(start)
  expect([status, body.code]).toEqual([404, 'taskNotFound'])
  expect(body.message).toContain('deleted')
})
