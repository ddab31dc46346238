import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import {
  continuePipeline,
  createPipeline,
  declinePipeline,
  deletePipeline,
  executePipeline,
  patchPipeline,
  stopPipeline,
} from '@headwater/pipelines/contract'
import { sendStatus } from '@headwater/statuses/contract'
import { getPipelineHistory, getRun, listRuns } from '../contract/index.ts'

let server: TestServer
let owner: Session
let stranger: Session
const ids: Record<string, string> = {}

const cron = (id: string, more: object = {}) => ({
  id,
  taskReadableName: `Task ${id}`,
  taskName: 'cron-trigger',
  taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
  ...more,
})

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder', email: 'anna@example.com' })
  stranger = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
  ids['waits'] = await pipeline('Waiting', [
    cron('a', { isPaused: true }),
    cron('b', { prevTasks: [{ id: 'a' }] }),
  ])
})
afterAll(() => server.stop())

async function pipeline(
  name: string,
  tasks: object[],
  { tags = [], groupName = 'Flows', by = owner }: { tags?: string[]; groupName?: string; by?: Session } = {},
): Promise<string> {
  const body = { name, groupName, tags, tasks: tasks as never }
  return (await by.call(createPipeline, { body })).pipeline.id
}

async function run(pipelineId: string, by = owner): Promise<string> {
  return (await by.call(executePipeline, { params: { pipelineId }, body: { waitSeconds: 60 } })).jobId
}

test('an analyst who builds a pipeline sees its runs; a report author does not', async () => {
  const analyst = await server.createUser({ role: 'Analyst' })
  await analyst.call(createGroup, { body: { name: 'Analyses' } })
  const jobId = await run(
    await pipeline('Prices', [cron('a')], { groupName: 'Analyses', by: analyst }),
    analyst,
  )
  expect(await analyst.call(listRuns, { query: {} })).toMatchObject({ items: [{ jobId }] })
  const author = await server.createUser({ role: 'Report author' })
  expect(await author.call(listRuns, { query: {} })).toMatchObject({ items: [] })
  const viewer = await server.createUser({ role: 'Viewer' })
  expect(await refusal(viewer.call(listRuns, { query: {} }))).toMatchObject({ status: 403 })
})

test('the list has failed runs first, then paused ones, then the newest, with filters and pages, and contains readable runs only', async () => {
  const by = await server.createUser({ role: 'Pipeline builder' })
  await by.call(createGroup, { body: { name: 'Listed' } })
  const after = { prevTasks: [{ id: 'a' }] }
  const tasks = [cron('a'), cron('b', after)]
  const good = await pipeline('Good prices', tasks, { tags: ['daily'], groupName: 'Listed', by })
  const waits = await pipeline('Waiting', [cron('a', { isPaused: true }), cron('b', after)], {
    groupName: 'Listed',
    by,
  })
  const first = await run(good, by)
  const failed = await run(waits, by)
  await by.call(declinePipeline, { body: { jobId: failed } })
  const paused = await run(waits, by)
  const last = await run(good, by)
  const list = async (query: object = {}, user = by) => {
    const { items, ...page } = await user.call(listRuns, { query })
    return { ...page, ids: items.map(({ jobId }) => jobId), items }
  }
  const all = await list()
  expect(all).toMatchObject({ ids: [failed, paused, last, first], totalSize: 4, isTotalLimited: false })
  expect(all.items[0]).toMatchObject({ name: 'Waiting', status: 'ERROR', owner: by.userName })
  expect(all.items[2]).toMatchObject({
    name: 'Good prices',
    groupName: 'Listed',
    pipelineId: good,
    version: 1,
    status: 'INFO',
    message: 'All 2 tasks succeeded.',
    types: ['None'],
    tags: ['daily'],
    endTime: expect.any(String),
  })
  expect((await list({ sortBy: 'start' })).ids).toEqual([last, paused, failed, first])
  expect(await list({ from: 1, size: 2 })).toMatchObject({ ids: [paused, last], totalSize: 4 })
  expect((await list({ tag: 'daily' })).ids).toEqual([last, first])
  expect((await list({ pipelineId: waits })).ids).toEqual([failed, paused])
  expect((await list({ status: 'error,Warn' })).ids).toEqual([failed])
  expect((await list({ query: 'good*PRICES' })).ids).toEqual([last, first])
  expect((await list({ query: '100%_' })).ids).toEqual([])
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString()
  expect((await list({ startedFrom: tomorrow })).ids).toEqual([])
  expect((await list({ startedBefore: tomorrow, startedFrom: '2020-01-01T00:00:00' })).ids).toHaveLength(4)
  expect((await list({ from: 50_000 })).ids).toEqual([])
  await by.call(continuePipeline, { body: { jobId: paused } })
  // Its end resolves the failure of the same pipeline, so all runs are in the last part.
  await expect.poll(async () => (await list()).ids).toEqual([last, paused, failed, first])
  expect(await list({}, stranger)).toMatchObject({ ids: [], totalSize: 0 })
  expect(
    await refusal(owner.call(listRuns, { query: { startedFrom: '-270000-01-01' } as never })),
  ).toMatchObject({
    status: 400,
  })
})

test('a failed run comes first only until a later run of the same pipeline succeeds', async () => {
  const by = await server.createUser({ role: 'Pipeline builder' })
  await by.call(createGroup, { body: { name: 'Resolved' } })
  const options = { groupName: 'Resolved', by }
  const waits = await pipeline('Approved', [cron('a', { isPaused: true })], options)
  const other = await pipeline('Other', [cron('a')], options)
  const list = async () =>
    (await by.call(listRuns, { query: { query: 'Resolved' } })).items.map(
      ({ jobId, succeededSince }) => [jobId, succeededSince] as const,
    )
  const decline = async () => {
    const jobId = await run(waits, by)
    await by.call(declinePipeline, { body: { jobId } })
    return jobId
  }
  const succeed = async () => {
    const jobId = await run(waits, by)
    await by.call(continuePipeline, { body: { jobId } })
    await expect.poll(async () => (await by.call(getRun, { params: { jobId } })).run.status).toBe('INFO')
    return jobId
  }
  const first = await decline()
  const ofOther = await run(other, by)
  expect(await list()).toEqual([
    [first, false],
    [ofOther, false],
  ])
  // A run that began before the failure does not resolve it.
  const early = await run(waits, by)
  const second = await decline()
  await by.call(continuePipeline, { body: { jobId: early } })
  await expect.poll(async () => (await by.call(getRun, { params: { jobId: early } })).run.status).toBe('INFO')
  expect(await list()).toEqual([
    [second, false],
    [early, false],
    [ofOther, false],
    [first, true],
  ])
  const last = await succeed()
  expect(await list()).toEqual([
    [last, false],
    [second, true],
    [early, false],
    [ofOther, false],
    [first, true],
  ])
  expect((await by.call(getRun, { params: { jobId: second } })).run.succeededSince).toBe(true)
  expect((await by.call(getRun, { params: { jobId: last } })).run.succeededSince).toBe(false)
})

test('a job whose script reports a success after an error is no longer among the failures', async () => {
  const by = await server.createUser({ role: 'Pipeline builder' })
  const send = async (status: string, of: { jobId?: string; eId?: string } = {}) =>
    by.call(sendStatus, { body: { status, message: '', ...of } as never })
  const failed = await send('ERROR')
  const later = await send('INFO')
  const list = async () => (await by.call(listRuns, { query: {} })).items.map(({ jobId }) => jobId)
  expect(await list()).toEqual([failed.jobId, later.jobId])
  await send('INFO', failed)
  expect(await list()).toEqual([later.jobId, failed.jobId])
})

test('a run lists its steps with status, attempts, order and decisions; users without access get 404', async () => {
  const jobId = await run(ids['waits']!)
  const paused = await owner.call(getRun, { params: { jobId } })
  expect(paused).toMatchObject({ run: { status: 'PAUSED', endTime: null }, canControl: true })
  expect(paused.steps).toMatchObject([
    { nodeId: 'a', name: 'Task a', taskName: 'cron-trigger', after: [], status: 'PAUSED', startTime: null },
    { nodeId: 'b', after: ['a'], status: 'UNEXECUTED', attempts: [], decisions: [] },
  ])
  await owner.call(continuePipeline, { body: { jobId } })
  await expect
    .poll(async () => (await owner.call(getRun, { params: { jobId } })).run.endTime)
    .toEqual(expect.any(String))
  const { run: ended, steps } = await owner.call(getRun, { params: { jobId } })
  expect(ended.status).toBe('INFO')
  expect(steps[0]).toMatchObject({
    status: 'INFO',
    attempts: [{ attempt: 1, status: 'INFO', startTime: expect.any(String), endTime: expect.any(String) }],
  })
  const declined = await run(ids['waits']!)
  await owner.call(declinePipeline, { body: { jobId: declined, nodeId: 'a' } })
  const result = await owner.call(getRun, { params: { jobId: declined } })
  expect(result.steps[0]).toMatchObject({
    status: 'ERROR',
    decisions: [{ isApproved: false, userName: 'anna@example.com', approveTime: null }],
  })
  for (const id of [jobId, 'x', '0b6e2f7a-1c2d-4e3f-8a9b-0c1d2e3f4a5b'])
    expect(await refusal(stranger.call(getRun, { params: { jobId: id } }))).toMatchObject({ status: 404 })
})

test('the history contains the tasks of the last run of each local date', async () => {
  const id = await pipeline('History', [cron('a'), cron('old', { prevTasks: [{ id: 'a' }] })])
  const [first, second, third] = [await run(id), await run(id), await run(id)]
  // Moves runs into the past, because the database uses the clock of the machine.
  const at = async (jobId: string, time: string) =>
    server.running.platform.database.pool.query('update jobs set started_at = $2 where id = $1', [
      jobId,
      time,
    ])
  await at(first, '2026-03-01T22:30:00Z')
  await at(second, '2026-03-01T23:30:00Z')
  await at(third, '2026-03-02T08:00:00Z')
  await server.running.platform.database.pool.query(`update jobs set status = 'ERROR' where id = $1`, [
    second,
  ])
  const call = (timeZone: string, to = '2026-03-31', user = owner) =>
    user.call(getPipelineHistory, {
      params: { pipelineId: id },
      query: { from: '2026-03-01', to, timeZone },
    })
  const utc = await call('UTC')
  const none = { stopped: 0, isStopped: false, cells: ['INFO', 'INFO'], stoppedCells: [false, false] }
  expect(utc.tasks).toEqual([
    { nodeId: 'a', name: 'Task a' },
    { nodeId: 'old', name: 'Task old' },
  ])
  expect(utc.dates).toEqual([
    { date: '2026-03-01', jobId: second, status: 'ERROR', runs: 2, failed: 1, ...none },
    { date: '2026-03-02', jobId: third, status: 'INFO', runs: 1, failed: 0, ...none },
  ])
  expect((await call('Europe/Berlin')).dates).toMatchObject([
    { date: '2026-03-01', jobId: first, runs: 1 },
    { date: '2026-03-02', jobId: third, runs: 2, failed: 1 },
  ])
  expect((await call('UTC', '2026-03-01')).dates).toHaveLength(1)
  expect(await refusal(call('UTC', '2027-03-02'))).toMatchObject({ status: 400 })
  expect(await refusal(call('Nowhere/Town'))).toMatchObject({ status: 400 })
  expect(await refusal(call('UTC', '2026-03-01', stranger))).toMatchObject({ status: 404 })
})

test('a run links to its pipeline by the current name, but not for users without read access to the pipeline', async () => {
  const id = await pipeline('Morning', [cron('a')])
  const jobId = await run(id)
  const details = async () => (await owner.call(getRun, { params: { jobId } })).pipeline
  const groupName = (await details())!.groupName
  expect(await details()).toEqual({ name: 'Morning', groupName })
  await owner.call(patchPipeline, { params: { pipelineId: id }, body: { objToUpdate: { name: 'Dawn' } } })
  expect(await details()).toEqual({ name: 'Dawn', groupName })
  await owner.call(deletePipeline, { params: { pipelineId: id } })
  expect(await details()).toBeNull()
})

test('the history contains runs and tasks that a user stopped', async () => {
  const id = await pipeline('Stopped', [cron('a'), cron('b', { isPaused: true, prevTasks: [{ id: 'a' }] })])
  const [failed, stopped] = [await run(id), await run(id)]
  for (const jobId of [failed, stopped]) await owner.call(stopPipeline, { body: { jobId } })
  const { pool } = server.running.platform.database
  await pool.query(`update jobs set latest_message = 'The file is damaged.' where id = $1`, [failed])
  // A script that was running has this message with its last lines.
  await pool.query(
    `update run_steps set outcome = 'ERROR', message = E'The run was stopped.\n50 %' where run_id = $1 and number = 1`,
    [stopped],
  )
  const [date] = (await owner.call(getPipelineHistory, { params: { pipelineId: id }, query: {} })).dates
  expect(date).toMatchObject({
    jobId: stopped,
    status: 'ERROR',
    isStopped: true,
    runs: 2,
    failed: 2,
    stopped: 1,
    cells: ['ERROR', 'UNEXECUTED'],
    stoppedCells: [true, false],
  })
})
