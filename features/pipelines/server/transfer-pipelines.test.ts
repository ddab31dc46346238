import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask } from '@headwater/tasks/contract'
import {
  createPipeline,
  exportPipeline,
  getPipelineByName,
  getPipelineSchedule,
  importPipeline,
  setPipelineSchedule,
  type PipelineFile,
} from '../contract/index.ts'

let server: TestServer
let owner: Session
let stranger: Session
let id: string

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  stranger = await server.createUser({ role: 'Pipeline builder' })
  for (const name of ['Flows', 'Library', 'Prices', 'Flows here', 'Library here', 'Prices here'])
    await owner.call(createGroup, { body: { name } })
  for (const groupName of ['Library', 'Library here'])
    await owner.call(createTask, {
      body: {
        name: 'load',
        groupName,
        definitionName: 'python-runner',
        params: [
          { name: 'Script', value: 'print(1)', valueType: 'SCRIPT' },
          { name: 'groupName', optional: true },
          { name: 'File', optional: true },
          { name: 'Key', valueType: 'SECRET', optional: true },
        ] as never,
      },
    })
  const params = [
    { name: 'groupName', value: 'Prices' },
    { name: 'File', value: JSON.stringify({ id: 'f1', name: 'a.csv', groupName: 'Prices' }) },
    { name: 'Key', value: 'exchange' },
  ]
  const cron = { params: [{ name: 'cron', value: '0 7 * * *' }] }
  const made = await owner.call(createPipeline, {
    body: {
      name: 'Daily',
      groupName: 'Flows',
      tags: ['daily'],
      executionMode: 'fused',
      payload: JSON.stringify({ positions: { a: { x: 1, y: 2 } }, comments: [], commentsVisible: true }),
      tasks: [
        { id: 's', taskName: 'cron-trigger', taskReadableName: 'Each morning', taskOverrides: cron },
        {
          id: 'a',
          taskName: 'load',
          taskGroup: 'Library',
          taskReadableName: 'Load',
          taskOverrides: { params },
          prevTasks: [{ id: 's' }],
        },
      ],
    },
  })
  id = made.pipeline.id
  await owner.call(setPipelineSchedule, {
    params: { pipelineId: id },
    body: {
      schedulerTriggers: [
        { type: 'None', name: 'Call', signed: true },
        { type: 'FILEARRIVAL', groupName: 'Prices' },
        { type: 'CRON', cron: '0 8 * * *' },
      ],
    },
  })
})
afterAll(() => server.stop())

const file = () => owner.call(exportPipeline, { params: { pipelineId: id } })
const load = (body: object, caller = owner) => caller.call(importPipeline, { body: body as never })
const mapping = [
  { from: 'Flows', to: 'Flows here' },
  { from: 'Library', to: 'Library here' },
  { from: 'Prices', to: 'Prices here' },
]

test('DP-455 an export is one file with tasks, canvas data and triggers, without ids and secrets', async () => {
  const exported = await file()
  expect(exported).toMatchObject({
    format: 'headwater-pipeline',
    formatVersion: 1,
    pipeline: { name: 'Daily', groupName: 'Flows', tags: ['daily'], executionMode: 'fused' },
    triggers: [{ type: 'None', signed: true }, { type: 'FILEARRIVAL' }, { type: 'CRON' }],
  })
  expect(JSON.parse(exported.pipeline.payload)).toMatchObject({ positions: { a: { x: 1, y: 2 } } })
  const text = JSON.stringify(exported)
  for (const secret of ['"path"', 'signingKey', '/hooks/', id, owner.userName])
    expect(text).not.toContain(secret)
  expect(text).toContain('"value":"exchange"')
  expect((await refusal(stranger.call(exportPipeline, { params: { pipelineId: id } }))).status).toBe(404)
})

test('an import previews its changes, preserves the execution mode, maps groups, runs nothing and leaves schedules and triggers disabled', async () => {
  const body = { file: await file(), groups: mapping, name: 'Daily copy' }
  const { preview, saved } = await load(body)
  expect(saved).toBeNull()
  expect(preview).toMatchObject({
    action: 'create',
    name: 'Daily copy',
    groupName: 'Flows here',
    version: null,
    missingTasks: [],
    triggers: 3,
  })
  expect(preview.groups).toEqual(mapping.map((each) => ({ ...each, access: 'RWS' })))
  expect(preview.changes.tasks.map(({ kind, name }) => [kind, name])).toEqual([
    ['added', 'Each morning'],
    ['added', 'Load'],
  ])
  const byName = { query: { groupName: 'Flows here', name: 'Daily copy' } }
  expect((await refusal(owner.call(getPipelineByName, byName))).status).toBe(404)

  const done = await load({ ...body, dryRun: false })
  const [schedule, task] = done.saved!.batchConfig.tasks
  expect(schedule).toMatchObject({ taskName: 'cron-trigger', isPaused: true })
  expect(task).toMatchObject({ taskGroup: 'Library here', taskCategory: 'Python', isPaused: false })
  expect(task!.taskOverrides.params.map(({ value }) => value)).toEqual([
    'Prices here',
    JSON.stringify({ id: 'f1', name: 'a.csv', groupName: 'Prices here' }),
    'exchange',
  ])
  expect(done.saved!.pipeline).toMatchObject({
    schedules: [],
    trigger: 'None',
    tags: ['daily'],
    executionMode: 'fused',
    job: null,
  })
  const { schedulerTriggers } = await owner.call(getPipelineSchedule, {
    params: { pipelineId: done.saved!.pipeline.id },
  })
  expect(schedulerTriggers.map(({ type, active }) => [type, active])).toEqual([
    ['None', false],
    ['FILEARRIVAL', false],
    ['CRON', false],
  ])
  expect(schedulerTriggers[1]).toMatchObject({ groupName: 'Prices here' })
  expect((await owner.call(searchStatuses, { query: {} })).totalSize).toBe(0)

  const again = await load({ ...body, dryRun: false }).then(undefined, (error: Error) => error.message)
  expect(again).toContain('pipelineExists')
  const update = await load({ ...body, dryRun: false, version: 1 })
  expect([update.preview.action, update.saved!.pipeline.version]).toEqual(['update', 2])
  expect((await refusal(load({ ...body, dryRun: false, version: 1 }))).body.code).toBe('pipelineChanged')
})

test('an import reports missing tasks and groups, and is rejected in groups of other users', async () => {
  const exported = await file()
  const { preview } = await load({
    file: exported,
    name: 'Lost',
    groups: [{ from: 'Library', to: 'Nowhere' }],
  })
  expect(preview.missingTasks).toEqual(['Load'])
  expect(preview.groups.find(({ to }) => to === 'Nowhere')).toEqual({
    from: 'Library',
    to: 'Nowhere',
    access: null,
  })
  const lost = { file: exported, name: 'Lost', groups: [{ from: 'Library', to: 'Nowhere' }], dryRun: false }
  expect((await refusal(load(lost))).body.code).toBe('taskNotFound')
  expect(
    (await refusal(load({ file: exported, name: 'Theirs', dryRun: false }, stranger))).status,
  ).toBeLessThan(500)
  expect((await load({ file: exported }, stranger)).preview.groups.map(({ access }) => access)).toEqual([
    null,
    null,
    null,
  ])
})

test('malicious files are rejected and change nothing: foreign ids, __proto__, depth, size, cycles', async () => {
  const exported = await file()
  const within = (change: Partial<PipelineFile['pipeline']>) => ({
    file: { ...exported, pipeline: { ...exported.pipeline, name: 'Hostile', ...change } },
    dryRun: false,
  })
  const deep = `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`
  const [first, second] = exported.pipeline.tasks
  for (const body of [
    within({ payload: '{"__proto__":{"a":1}}' }),
    within({ payload: '{"positions":{"\\u005f_proto__":{}}}' }),
    within({ payload: deep }),
    within({ payload: '[]' }),
    within({ payload: 'x'.repeat(1_000_001) }),
    within({ tasks: Array.from({ length: 501 }, (_, index) => ({ ...first!, id: `${index}` })) }),
    within({ tasks: [{ ...first!, prevTasks: [{ id: 'a' }] }, second!] }),
    within({
      tasks: [
        first!,
        { ...second!, taskOverrides: { params: [{ name: 'Script', type: 'INPUT', value: 'evil()' }] } },
      ],
    }),
    { file: { ...exported, format: 'other' }, dryRun: false },
    { file: { ...exported, formatVersion: 2 }, dryRun: false },
    { file: null, dryRun: false },
  ])
    expect((await refusal(load(body))).status).toBe(400)
  const raw = JSON.stringify(within({})).replace('"name":"Hostile"', '"name":"Hostile","__proto__":{"a":1}')
  const response = await owner.fetch('/mgmt/pipeline/import', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: raw,
  })
  expect(response.status).toBe(400)
  const byName = { query: { groupName: 'Flows', name: 'Hostile' } }
  expect((await refusal(owner.call(getPipelineByName, byName))).status).toBe(404)

  const foreign = within({
    name: 'Foreign ids',
    tasks: [{ ...second!, prevTasks: [], taskId: id, nextTasks: [{ id: 'x' }] } as never],
  })
  const { saved } = await load({ ...foreign, file: { ...foreign.file, id, owner: 'someone' } })
  expect(saved!.pipeline.id).not.toBe(id)
  expect(saved!.batchConfig.tasks[0]!.taskId).not.toBe(id)
  expect(saved!.batchConfig.tasks[0]!.nextTasks).toEqual([])
})
