import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses, type Job } from '@headwater/statuses/contract'
import { createTask } from '@headwater/tasks/contract'
import {
  continuePipeline,
  createPipeline,
  executePipeline,
  getPipeline,
  type PipelineTask,
} from '../contract/index.ts'
import { migrationsFolder } from './index.ts'

/** The migration that renames the fields of tasks in pipelines. */
const migration = '2026-11-28T0212-fields-of-tasks.sql'
let server: TestServer
let owner: Session
let scriptId: string

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
  const value = 'import os\nprint("Greets " + os.environ["Whom"])'
  scriptId = (
    await owner.call(createTask, {
      body: {
        name: 'greets',
        groupName: 'Flows',
        definitionName: 'python-runner',
        params: [{ name: 'Script', value, valueType: 'SCRIPT' }, { name: 'Whom' }] as never,
      },
    })
  ).id
})
afterAll(() => server.stop())

/** Tasks as earlier versions stored them. */
const tasksBefore = () => [
  {
    id: 'start',
    name: 'Each morning',
    taskName: 'cron-trigger',
    taskGroupName: '',
    taskId: 'cron-trigger',
    taskVersion: null,
    isPaused: false,
    after: [],
    params: [{ name: 'cron', type: 'INPUT', value: '0 7 * * 1-5' }],
  },
  {
    id: 'first',
    name: 'First “greeting”',
    taskName: 'greets',
    taskGroupName: 'Flows',
    taskId: scriptId,
    taskVersion: 1,
    isPaused: false,
    after: ['start'],
    onError: 'skip',
    retries: 2,
    retryDelay: 0.5,
    params: [{ name: 'Whom', type: 'INPUT', value: 'Brent' }],
  },
  {
    id: 'second',
    name: 'Second greeting',
    taskName: 'greets',
    taskGroupName: 'Flows',
    taskId: scriptId,
    taskVersion: null,
    isPaused: true,
    after: ['first', 'start'],
    params: [{ name: 'Whom', type: 'INPUT', value: 'WTI' }],
  },
]

/** Saves a pipeline and replaces its tasks with tasks in the format of an earlier version. */
async function pipelineFromBefore(name: string): Promise<string> {
  const task = { id: 'a', taskReadableName: 'a', taskName: 'cron-trigger' }
  const cron = { params: [{ name: 'cron', value: '0 7 * * 1-5' }] }
  const { pipeline } = await owner.call(createPipeline, {
    body: { name, groupName: 'Flows', tags: ['kept'], tasks: [{ ...task, taskOverrides: cron }] },
  })
  await server.running.platform.database.pool.query(
    `update item_versions set content = jsonb_set(content, '{tasks}', $2::jsonb) where item_id = $1`,
    [pipeline.id, JSON.stringify(tasksBefore())],
  )
  return pipeline.id
}

async function upgrade(): Promise<void> {
  await server.running.platform.database.pool.query(await readFile(join(migrationsFolder, migration), 'utf8'))
}

const detailsOf = (pipelineId: string) => owner.call(getPipeline, { params: { pipelineId }, query: {} })

async function jobOf(jobId: string, isReached: (job: Job) => boolean): Promise<Job> {
  const find = async () => (await owner.call(searchStatuses, { query: { jobId } })).items[0]
  await expect.poll(async () => isReached((await find())!)).toBe(true)
  return (await find())!
}
const messages = (job: Job) =>
  job.componentStatuses.map(({ component, message }) => [component, message.trim()])

test('DP-470 DP-471 DP-472 a pipeline saved by an earlier version gets the new fields with the same values, and runs as before', async () => {
  const id = await pipelineFromBefore('from before')
  await upgrade()
  const { pipeline, batchConfig } = await detailsOf(id)
  expect(pipeline).toMatchObject({ version: 1, tags: ['kept'], lastChangeBy: owner.userName })
  const expected: PipelineTask[] = [
    {
      id: 'start',
      taskId: 'cron-trigger',
      taskName: 'cron-trigger',
      taskGroup: '',
      taskVersion: null,
      taskReadableName: 'Each morning',
      taskCategory: 'Triggers',
      taskOverrides: { params: [{ name: 'cron', type: 'INPUT', value: '0 7 * * 1-5' }] },
      prevTasks: [],
      nextTasks: [{ id: 'first' }, { id: 'second' }],
      isPaused: false,
    },
    {
      id: 'first',
      taskId: scriptId,
      taskName: 'greets',
      taskGroup: 'Flows',
      taskVersion: 1,
      taskReadableName: 'First “greeting”',
      taskCategory: 'Python',
      taskOverrides: { params: [{ name: 'Whom', type: 'INPUT', value: 'Brent' }] },
      prevTasks: [{ id: 'start' }],
      nextTasks: [{ id: 'second' }],
      isPaused: false,
      onError: 'skip',
      retries: 2,
      retryDelay: 0.5,
    },
    {
      id: 'second',
      taskId: scriptId,
      taskName: 'greets',
      taskGroup: 'Flows',
      taskVersion: null,
      taskReadableName: 'Second greeting',
      taskCategory: 'Python',
      taskOverrides: { params: [{ name: 'Whom', type: 'INPUT', value: 'WTI' }] },
      prevTasks: [{ id: 'first' }, { id: 'start' }],
      nextTasks: [],
      isPaused: true,
    },
  ]
  expect(batchConfig.tasks).toEqual(expected)
  await upgrade()
  expect((await detailsOf(id)).batchConfig.tasks).toEqual(expected)

  const { jobId } = await owner.call(executePipeline, { params: { pipelineId: id }, body: {} })
  await jobOf(jobId, ({ status }) => status === 'PAUSED')
  await owner.call(continuePipeline, { body: { jobId } })
  expect(messages(await jobOf(jobId, ({ endTime }) => endTime !== undefined))).toEqual([
    ['Each morning', expect.any(String)],
    ['First “greeting”', 'Greets Brent'],
    ['Second greeting', 'Greets WTI'],
  ])
})

test('a run that is paused during the upgrade continues with its original values', async () => {
  const id = await pipelineFromBefore('paused')
  await upgrade()
  const { jobId } = await owner.call(executePipeline, { params: { pipelineId: id }, body: {} })
  await jobOf(jobId, ({ status }) => status === 'PAUSED')
  await server.running.platform.database.pool.query(
    `update item_versions set content = jsonb_set(content, '{tasks}', $2::jsonb) where item_id = $1`,
    [id, JSON.stringify(tasksBefore())],
  )
  await upgrade()
  await owner.call(continuePipeline, { body: { jobId } })
  const end = await jobOf(jobId, ({ endTime }) => endTime !== undefined)
  expect(messages(end).at(-1)).toEqual(['Second greeting', 'Greets WTI'])
  expect(end.status).toBe('INFO')
})

test('DP-470 DP-472 the server derives the category and next tasks and ignores these fields in requests', async () => {
  const task = {
    taskName: 'greets',
    taskGroup: 'Flows',
    taskOverrides: { params: [{ name: 'Whom', value: 'x' }] },
  }
  const wrong = { taskCategory: 'Wrong', nextTasks: [{ id: 'nobody' }], taskId: 'nobody' }
  const { pipeline, batchConfig } = await owner.call(createPipeline, {
    body: {
      name: 'derived',
      groupName: 'Flows',
      tasks: [
        { ...task, ...wrong, id: 'a', taskReadableName: 'A' },
        { ...task, ...wrong, id: 'b', taskReadableName: 'B', prevTasks: [{ id: 'a' }] },
      ],
    },
  })
  const derived = (tasks: PipelineTask[]) =>
    tasks.map(({ taskId, taskCategory, nextTasks }) => [taskId, taskCategory, nextTasks])
  expect(derived(batchConfig.tasks)).toEqual([
    [scriptId, 'Python', [{ id: 'b' }]],
    [scriptId, 'Python', []],
  ])
  expect(derived((await detailsOf(pipeline.id)).batchConfig.tasks)).toEqual(derived(batchConfig.tasks))
})
