import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { createInsight } from '@headwater/insights/contract'
import { createPipeline, updatePipeline } from '@headwater/pipelines/contract'
import { createDataPrep } from '@headwater/preps/contract'
import { refusal, startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { createFormula } from '@headwater/symbols/contract'
import { createTask, updateTask } from '@headwater/tasks/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { getUsage } from '../contract/index.ts'

let server: TestServer
let anna: Session
let admin: Session

beforeAll(async () => {
  server = await startTestServer()
  admin = server.admin
  anna = await server.createUser({ email: 'anna@example.com', role: 'Pipeline builder' })
  await anna.call(createGroup, { body: { name: 'Oil' } })
  await admin.call(createGroup, { body: { name: 'Secret' } })
})
afterAll(() => server.stop())

/** Creates a group with a file and the symbols A and B, so that no test depends on another. */
async function newGroup() {
  const { name: groupName } = await anna.call(createGroup, { body: { name: `Oil ${randomUUID()}` } })
  const { fileId: fid } = await upload(anna, { groupName, fileName: 'limits.csv', content: 'a' })
  const content = 'Code,Date,Close\nA,2026-01-01,1\nB,2026-01-01,2\n'
  const prices = await upload(anna, { groupName, fileName: 'prices.ncsv', fileType: 'NCSV', content })
  return {
    groupName,
    fid,
    seriesFid: prices.fileId,
    file: { name: 'limits.csv', groupName, fileType: 'SOURCE' },
  }
}

const usageOf = (query: object, caller = anna) => caller.call(getUsage, { query })

/** Input of a task that names a file. */
const fileInput = (value = '') => ({ name: 'Limits', valueType: 'FILE' as const, value, optional: true })
const script = { name: 'Script', value: 'print(1)', valueType: 'SCRIPT' as const }
const taskInput = (name: string, value: string, groupName = 'Oil') => ({
  name,
  groupName,
  definitionName: 'python-runner',
  params: [script, fileInput(value)],
})
const step = (taskName: string, more: object = {}, taskGroup = 'Oil') => ({
  id: randomUUID(),
  taskReadableName: `Step ${taskName}`,
  taskName,
  taskGroup,
  ...more,
})

/** Returns the names of the dependents of an object, with the tasks of pipelines. */
async function namesOf(query: object, caller = anna) {
  const { pipelineAndTasks, others, hidden, totalSize } = await usageOf(query, caller)
  expect(totalSize).toBe(pipelineAndTasks.length + others.length)
  const pipelines = pipelineAndTasks.map(({ name, taskAndVersions }) => {
    const tasks = taskAndVersions.map(({ readableName, version }) => `${readableName} ${version}`)
    return [name, ...tasks].join(': ')
  })
  return { names: [...pipelines, ...others.map(({ kind, name }) => `${kind} ${name}`)], hidden }
}

test('DP-244 DP-245 DP-246 DP-247 the usage of a file, by name, group and type, lists the pipelines with their tasks and versions', async () => {
  const { groupName, fid, file } = await newGroup()
  expect(await usageOf(file)).toEqual({
    pipelineAndTasks: [],
    others: [],
    from: 0,
    totalSize: 0,
    hidden: 0,
  })
  await anna.call(createTask, { body: taskInput('check', fid, groupName) })
  await anna.call(createTask, { body: taskInput('plain', '', groupName) })
  const value = JSON.stringify({ id: fid, name: 'limits.csv', groupName })
  const given = { taskOverrides: { params: [{ name: 'Limits', value }] } }
  const tasks = [step('check', {}, groupName), step('plain', given, groupName)]
  const { pipeline } = await anna.call(createPipeline, { body: { name: 'Nightly', groupName, tasks } })
  const usage = await usageOf(file)
  expect(usage.pipelineAndTasks).toEqual([
    {
      id: pipeline.id,
      name: 'Nightly',
      version: 1,
      group: groupName,
      taskAndVersions: [
        { readableName: 'Step check', version: 1 },
        { readableName: 'Step plain', version: null },
      ],
    },
  ])
  expect(usage.others).toMatchObject([{ kind: 'task', name: 'check', version: 1, group: groupName }])
  expect((await usageOf({ ...file, fileType: 'source' })).totalSize).toBe(2)
  const other = await refusal(usageOf({ ...file, fileType: 'NCSV' }))
  expect(other).toMatchObject({ status: 404, body: { code: 'usedObjectNotFound' } })
})

test('a pipeline uses the objects that its task references, in the version that the pipeline runs', async () => {
  const { groupName, fid, file } = await newGroup()
  const { id } = await anna.call(createTask, { body: taskInput('changing', fid, groupName) })
  const stepOf = (more: object = {}) => step('changing', more, groupName)
  const body = { name: 'Pinned', groupName, tasks: [stepOf({ taskVersion: 1 })] }
  const { pipeline } = await anna.call(createPipeline, { body })
  await anna.call(createPipeline, { body: { ...body, name: 'Newest', tasks: [stepOf()] } })
  const names = async () => (await namesOf(file)).names
  expect(await names()).toEqual(['Newest: Step changing 1', 'Pinned: Step changing 1', 'task changing'])
  const cleared = { version: 1, taskInput: taskInput('changing', '', groupName) }
  await anna.call(updateTask, { params: { taskId: id }, body: cleared })
  expect(await names()).toEqual(['Pinned: Step changing 1'])
  await anna.call(updatePipeline, {
    params: { pipelineId: pipeline.id },
    body: { ...body, tasks: [stepOf({ taskVersion: 2 })] },
  })
  expect(await names()).toEqual([])
  const users = await namesOf({ type: 'TASK', name: 'changing', groupName })
  expect(users.names).toEqual(['Newest: Step changing 2', 'Pinned: Step changing 2'])
})

test('insights, data preps and formulas use groups, symbols, files, the symbols in files, and data preps', async () => {
  const { groupName, fid, seriesFid, file } = await newGroup()
  await anna.call(createTask, { body: taskInput('check', fid, groupName) })
  const tasks = [step('check', {}, groupName)]
  await anna.call(createPipeline, { body: { name: 'Nightly', groupName, tasks } })
  const series = { groupName, symbols: { Code: 'A' } }
  const dataPrep = {
    name: 'Daily',
    outputGroup: groupName,
    symbols: [{ ...series, valueColumnNames: ['Close'] }],
  }
  await anna.call(createDataPrep, { body: { dataPrep } })
  await anna.call(createFormula, {
    body: {
      groupName,
      symbols: { Code: 'Double' },
      expression: 'a * 2',
      inputs: [{ name: 'a', ...series, column: 'Close' }],
    },
  })
  const tile = (id: string, more: object) => ({ id, title: id, type: 'Table', range: 'ALL', ...more })
  const saved = { type: 'DATA_PREP', value: { groupName, name: 'Daily' } }
  const rows = { type: 'FILE', value: { groupName, fileName: 'limits.csv' } }
  const content = {
    ...emptyContent(),
    tiles: [tile('own', {}), tile('saved', { source: saved }), tile('rows', { source: rows })],
    datapreps: { own: { symbols: [series] } },
  }
  await admin.call(createInsight, { body: { groupName, insightName: 'Board', content } })
  const symbol = { type: 'SYMBOL', groupName, symbols: JSON.stringify({ Code: 'A' }) }
  // A job reads the definition after the save.
  await expect
    .poll(async () => (await namesOf(symbol, admin)).names)
    .toEqual(['insight Board', 'data-prep Daily', 'formula Code=Double'])
  // An insight can be a workflow, so a user who cannot read workflows does not see its name.
  expect(await namesOf(symbol)).toEqual({ names: ['data-prep Daily', 'formula Code=Double'], hidden: 1 })
  const seriesFile = { name: 'prices.ncsv', groupName }
  expect((await namesOf(seriesFile, admin)).names).toEqual([
    'insight Board',
    'data-prep Daily',
    'formula Code=Double',
  ])
  expect(await namesOf({ fids: seriesFid })).toEqual({
    names: ['data-prep Daily', 'formula Code=Double'],
    hidden: 1,
  })
  const otherContent = 'Code,Date,Close\nC,2026-01-01,1\n'
  await upload(anna, { groupName, fileName: 'more.ncsv', fileType: 'NCSV', content: otherContent })
  expect(await namesOf({ name: 'more.ncsv', groupName }, admin)).toEqual({ names: [], hidden: 0 })
  const prep = { type: 'DATA_PREP', groupName, name: 'Daily' }
  expect((await namesOf(prep, admin)).names).toEqual(['insight Board'])
  expect((await namesOf(file, admin)).names).toContain('insight Board')
  const group = (await namesOf({ type: 'GROUP', name: groupName }, admin)).names
  expect(group).toEqual([
    'Nightly: Step check null',
    'insight Board',
    'data-prep Daily',
    'formula Code=Double',
  ])
  expect(await namesOf({ type: 'GROUP', name: groupName, outside: true }, admin)).toEqual({
    names: [],
    hidden: 0,
  })
  const second = await usageOf({ ...symbol, from: 1, size: 2 }, admin)
  expect(second.others.map(({ name }) => name)).toEqual(['Daily', 'Code=Double'])
  expect(second).toMatchObject({ from: 1, totalSize: 3 })
})

test('objects that the caller cannot read are only counted', async () => {
  const other = (await upload(anna, { groupName: 'Oil', fileName: 'other.csv', content: 'b' })).fileId
  await admin.call(createTask, { body: taskInput('hidden', other, 'Secret') })
  const tasks = [step('hidden', {}, 'Secret')]
  await admin.call(createPipeline, { body: { name: 'Unseen', groupName: 'Secret', tasks } })
  const named = { name: 'other.csv', groupName: 'Oil' }
  expect(await usageOf(named)).toEqual({
    pipelineAndTasks: [],
    others: [],
    from: 0,
    totalSize: 0,
    hidden: 2,
  })
  expect(await namesOf(named, admin)).toEqual({
    names: ['Unseen: Step hidden 1', 'task hidden'],
    hidden: 0,
  })
  const notFound = await refusal(usageOf({ type: 'TASK', name: 'hidden', groupName: 'Secret' }))
  expect(notFound).toMatchObject({ status: 404, body: { code: 'groupNotFound' } })
  const viewer = await server.createUser({ email: 'viewer@example.com', role: 'Viewer' })
  expect((await refusal(usageOf(named, viewer))).status).toBe(404)
})

test('the usage of file versions counts the file name only if no other version remains', async () => {
  const first = (await upload(anna, { groupName: 'Oil', fileName: 'twice.csv', content: '1' })).fileId
  const second = (await upload(anna, { groupName: 'Oil', fileName: 'twice.csv', content: '2' })).fileId
  await anna.call(createTask, { body: taskInput('second', second) })
  const rows = { type: 'FILE', value: { groupName: 'Oil', fileName: 'twice.csv' } }
  const tiles = [{ id: 'a', title: 'a', type: 'Table', range: 'ALL', source: rows }]
  const content = { ...emptyContent(), tiles }
  await admin.call(createInsight, { body: { groupName: 'Oil', insightName: 'Rows', content } })
  const of = async (...ids: string[]) => (await namesOf({ fids: ids.join(',') }, admin)).names
  await expect.poll(() => of(first, second)).toEqual(['insight Rows', 'task second'])
  expect(await of(second)).toEqual(['task second'])
  expect(await of(first)).toEqual([])
  expect(await refusal(of(randomUUID()))).toMatchObject({ status: 404, body: { code: 'usedObjectNotFound' } })
  const many = Array.from({ length: 101 }, () => 'a').map((text, index) => `${text}${index}`)
  expect(await refusal(of(...many))).toMatchObject({ status: 400, body: { code: 'tooManyFiles' } })
})

test('22 searches of a user are accepted at once; the next one is refused', async () => {
  const { file } = await newGroup()
  const connection = await server.running.platform.database.pool.connect()
  const refused: unknown[] = []
  let requests: Promise<unknown>[] = []
  try {
    await connection.query('begin; lock table item_links in access exclusive mode')
    requests = Array.from({ length: 23 }, () =>
      usageOf(file).catch((error: unknown) => {
        refused.push(error)
      }),
    )
    await expect.poll(() => refused).toMatchObject([{ status: 429, body: { code: 'tooManyUsageRequests' } }])
    await connection.query('commit')
  } finally {
    connection.release(true)
  }
  await Promise.all(requests)
  expect(refused).toHaveLength(1)
})

test('a job adds the links of versions saved before links were stored, and running it again changes nothing', async () => {
  const { groupName, fid, file } = await newGroup()
  await anna.call(createTask, { body: taskInput('check', fid, groupName) })
  await anna.call(createPipeline, {
    body: { name: 'Nightly', groupName, tasks: [step('check', {}, groupName)] },
  })
  const { pool } = server.running.platform.database
  const before = await namesOf(file, admin)
  expect(before.names).toEqual(['Nightly: Step check 1', 'task check'])
  for (let round = 0; round < 2; round++) {
    await pool.query('delete from item_links')
    await pool.query('update item_versions set links_pending = true')
    // Runs the step that the server runs at its start if links are pending.
    await server.running.platform.jobs.enqueue('item-links', {})
    const pending = async () =>
      (await pool.query('select from item_versions where links_pending')).rows.length
    await expect.poll(pending).toBe(0)
    expect(await namesOf(file, admin)).toEqual(before)
  }
})

test.each(['', '[]', '{}', '{"Code": 1}', 'null'])(
  'symbols that are not a JSON object with string values are rejected: %s',
  async (symbols) => {
    const response = await refusal(usageOf({ type: 'SYMBOL', groupName: 'Oil', symbols }))
    expect(response).toMatchObject({ status: 400 })
  },
)
