import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFile } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { createJobQueue } from '@headwater/jobs'
import { startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { systemClock } from '@headwater/server-kit'
import {
  job as jobSchema,
  listStatusMessages,
  searchStatuses,
  sendStatus,
  type JobStatus,
} from '../contract/index.ts'
import type { NewJob, Statuses } from './index.ts'
import { createPurge } from './purge-jobs.ts'
import { createStatusesStore } from './statuses-store.ts'

let server: TestServer
let statuses: Statuses
let anna: Session
let ben: Session
let annaId: number

beforeAll(async () => {
  server = await startTestServer()
  statuses = server.running.platform.statuses
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  const { rows } = await server.running.platform.database.pool.query(
    `select id from users where user_name = 'anna@example.com'`,
  )
  annaId = rows[0].id
})
afterAll(() => server.stop())

async function newGroup(session: Session): Promise<{ id: number; name: string }> {
  const { groupId, name } = await session.call(createGroup, { body: { name: `group ${randomUUID()}` } })
  return { id: groupId, name }
}

const start = (job: Partial<NewJob> = {}) =>
  statuses.startJob({ type: 'PIPELINE', name: `job ${randomUUID()}`, ownerId: annaId, ...job })

const search = (session: Session, query: Record<string, unknown>) => session.call(searchStatuses, { query })

const ids = async (session: Session, query: Record<string, unknown>) =>
  (await search(session, query)).items.map((item) => item.jobId)

const timePattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?$/

test('SH-235 SH-237 SH-238 SH-239 a job has its payload, its component statuses and its latest status', async () => {
  const group = await newGroup(anna)
  const jobId = await start({
    name: 'Nightly',
    group,
    version: 3,
    rootId: 'root-1',
    types: ['CRON'],
    tags: ['night'],
    payload: { version: 3, pipelineId: 'p1', nodeId: 'n1', fileName: 'a.csv', fileType: 'NCSV' },
  })
  const first = await statuses.addComponent(jobId, {
    component: 'load',
    status: 'RUNNING',
    payload: { nodeId: 'n1' },
  })
  await statuses.updateComponent(jobId, first, {
    status: 'WARN',
    message: 'late',
    payload: { fileName: 'a.csv' },
  })
  const second = await statuses.addComponent(jobId, {
    component: 'store',
    prevEId: first,
    status: 'RUNNING',
    message: 'half',
  })
  const [running] = (await search(anna, { jobId })).items
  expect(running).toMatchObject({
    jobId,
    name: 'Nightly',
    type: 'PIPELINE',
    status: 'RUNNING',
    version: 3,
    rootId: 'root-1',
    startTime: expect.stringMatching(timePattern),
    owner: 'anna@example.com',
    types: ['CRON'],
    payload: {
      groupName: group.name,
      version: 3,
      pipelineId: 'p1',
      nodeId: 'n1',
      fileName: 'a.csv',
      fileType: 'NCSV',
    },
    latestStatus: { status: 'RUNNING', message: 'half', component: 'store' },
  })
  expect(running).not.toHaveProperty('endTime')
  expect(running?.componentStatuses).toMatchObject([
    {
      eId: first,
      component: 'load',
      status: 'WARN',
      message: 'late',
      startTime: expect.stringMatching(timePattern),
      endTime: expect.stringMatching(timePattern),
      payload: { nodeId: 'n1', fileName: 'a.csv' },
    },
    {
      eId: second,
      prevEId: first,
      component: 'store',
      status: 'RUNNING',
      message: 'half',
      startTime: expect.stringMatching(timePattern),
      payload: {},
    },
  ])
  expect(running?.componentStatuses[1]).not.toHaveProperty('endTime')
  expect(running?.warnStatuses).toEqual([running?.componentStatuses[0]])

  await statuses.finishJob(jobId, { status: 'COMPLETED', message: 'all done' })
  const [ended] = (await search(anna, { jobId })).items
  expect(ended).toMatchObject({
    status: 'COMPLETED',
    latestStatus: { status: 'COMPLETED', message: 'all done' },
  })
  expect(ended?.endTime).toMatch(timePattern)
})

test('SH-236 a job is a pipeline, ETL (group) or data prep job', async () => {
  const group = await newGroup(anna)
  for (const type of ['PIPELINE', 'ETL', 'DATAPREP'] as const) {
    const jobId = await start({ type, group })
    expect((await search(anna, { jobId })).items[0]?.type).toBe(type)
    expect(await ids(anna, { groupName: group.name, type: type.toLowerCase() })).toEqual([jobId])
  }
  expect(await ids(anna, { groupName: group.name, type: 'group' })).toEqual(
    await ids(anna, { groupName: group.name, type: 'ETL' }),
  )
  expect(jobSchema.shape.type.options).toEqual(['PIPELINE', 'ETL', 'DATAPREP'])
})

test('SH-240 a job and its components can have each of the eight statuses, and no other', async () => {
  const statuses = ['running', 'paused', 'completed', 'error', 'info', 'pending', 'unexecuted', 'warn']
  for (const name of statuses) {
    const status = name.toUpperCase() as JobStatus
    const jobId = await start({ status })
    await anna.call(sendStatus, { body: { jobId, status: name } })
    const [job] = (await search(anna, { jobId })).items
    expect([job?.status, job?.componentStatuses[0]?.status]).toEqual([status, status])
  }
  const refused = anna.call(sendStatus, { body: { status: 'skipped' } })
  await expect(refused).rejects.toMatchObject({ status: 400 })
})

test('SH-241 a job stores every trigger type', async () => {
  const types = ['ANY', 'None', 'EMAIL', 'FILEARRIVAL', 'PIPELINE', 'RETRY', 'CRON', 'SCHEDULER'] as const
  const jobId = await start({ types: [...types] })
  expect((await search(anna, { jobId })).items[0]?.types).toEqual(types)
})

test('SH-245 a status search accepts every parameter and returns the newest jobs first, page by page', async () => {
  const group = await newGroup(anna)
  const one = await start({ name: 'Brent load', group, rootId: 'r1', tags: ['daily'] })
  const two = await start({ name: 'Brent load', group, rootId: 'r1', status: 'ERROR' })
  const three = await start({ name: 'Gas load', group, rootId: 'r2', type: 'DATAPREP', status: 'PAUSED' })
  const groupName = group.name

  expect(await ids(anna, { groupName })).toEqual([three, two, one])
  expect(await ids(anna, { groupName, query: '*brent*' })).toEqual([two, one])
  expect(await ids(anna, { groupName, size: 1, from: 1 })).toEqual([two])
  expect((await search(anna, { groupName, size: 1 })).totalSize).toBe(3)
  expect(await ids(anna, { groupName, aggregate: 'True' })).toEqual([three, two])
  expect(await ids(anna, { groupName, type: 'dataprep' })).toEqual([three])
  expect(await ids(anna, { groupName, type: 'PIPELINE,group' })).toEqual([two, one])
  expect(await ids(anna, { groupName, jobId: one })).toEqual([one])
  expect(await ids(anna, { groupName, name: 'Gas load' })).toEqual([three])
  expect(await ids(anna, { groupName, tag: 'daily' })).toEqual([one])
  expect(await ids(anna, { groupName, selector: 'onlyError' })).toEqual([two])
  expect(await ids(anna, { groupName, selector: 'onlyPaused,running' })).toEqual([three, one])
  expect(await ids(anna, { groupName, pipelineRootIds: 'r2,r3' })).toEqual([three])
})

test('SH-246 the query is a pattern over job and group names; * matches everything', async () => {
  const group = await newGroup(anna)
  const id = await start({ name: 'Crude 100% curve', group })
  const groupName = group.name
  expect(await ids(anna, { query: '*crude*', groupName })).toEqual([id])
  expect(await ids(anna, { query: '100%', groupName })).toEqual([id])
  expect(await ids(anna, { query: '100_', groupName })).toEqual([])
  expect(await ids(anna, { query: `*${groupName}*` })).toEqual([id])
  expect(await ids(anna, { query: '*', groupName })).toEqual([id])
  expect(await ids(anna, { query: 'cr*cur', groupName })).toEqual([id])
})

test('SH-247 a query that is a job id finds the job with that id, not one with that name', async () => {
  const id = await start()
  await start({ name: id })
  expect(await ids(anna, { query: id.toUpperCase() })).toEqual([id])
})

test('SH-250 a lookup by name, group and type with size 1 returns the newest job', async () => {
  const group = await newGroup(anna)
  await start({ name: 'same', group })
  const newest = await start({ name: 'same', group })
  await start({ name: 'same', group, type: 'DATAPREP' })
  await start({ name: 'same', group: await newGroup(anna) })
  await start({ name: 'other', group })
  expect(await ids(anna, { name: 'same', groupName: group.name, type: 'PIPELINE', size: 1 })).toEqual([
    newest,
  ])
})

test('only the owner, the readers of the group and administrators can see a job', async () => {
  const group = await newGroup(ben)
  const shared = await start({ group })
  const own = await start()
  expect(await ids(anna, { jobId: shared })).toEqual([shared])
  expect(await ids(ben, { jobId: shared })).toEqual([shared])
  expect(await ids(ben, { jobId: own })).toEqual([])
  expect(await ids(server.admin, { jobId: own })).toEqual([own])
  expect((await server.nobody.fetch('/status')).status).toBe(401)
})

test('jobId=None or an empty jobId returns the newest ETL jobs of the caller; an announced file appears immediately', async () => {
  const group = await newGroup(ben)
  await start()
  const { fileId } = await ben.call(createFile, { body: { groupName: group.name, fileName: 'a.csv' } })
  for (const jobId of ['None', '', 'null']) {
    const { items } = await search(ben, { jobId })
    expect(items[0]).toMatchObject({
      type: 'ETL',
      owner: 'ben@example.com',
      componentStatuses: [{ status: 'PENDING', payload: { fileId } }],
    })
  }
  expect(await ids(ben, { jobId: 'nonsense' })).toEqual([])
})

test('a script can send statuses as the client libraries do: in any case, with nulls, with the execution id in a header', async () => {
  const body = {
    jobId: null,
    eId: null,
    componentName: null,
    groupName: '',
    className: 'python',
    message: 'busy',
  }
  const first = await anna.call(sendStatus, { body: { ...body, status: 'running' } })
  const second = await anna.call(sendStatus, {
    body: { ...body, status: 'Info', message: 'done', time: '2026-01-31T12:00:00' },
  })
  expect(second.jobId).toBe(first.jobId)
  expect((await search(anna, { jobId: first.jobId })).items[0]).toMatchObject({
    status: 'COMPLETED',
    componentStatuses: [
      { component: 'script', status: 'INFO', message: 'done', payload: { className: 'python' } },
    ],
  })
  const third = await anna.call(sendStatus, { body: { ...body, status: 'RUNNING' } })
  expect(third.jobId).not.toBe(first.jobId)

  const jobId = await start({ followsComponents: true })
  const response = await anna.fetch('/status', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-KH-E-ID': 'e-1' },
    body: JSON.stringify({ jobId, status: 'ERROR', message: 'broken', componentName: 'Load' }),
  })
  expect([response.status, await response.json()]).toEqual([200, { jobId, eId: 'e-1' }])
  const [job] = (await search(anna, { jobId })).items
  expect(job).toMatchObject({ status: 'ERROR', latestStatus: { message: 'broken' } })
  expect(job).toHaveProperty('endTime')
})

test('a status cannot be sent to the job of a different user, and invalid input returns 400', async () => {
  const jobId = await start()
  const send = (session: Session, body: object) =>
    session.fetch('/status', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    })
  expect((await send(ben, { jobId, status: 'ERROR' })).status).toBe(404)
  expect((await send(anna, { jobId: 'x', status: 'ERROR' })).status).toBe(400)
  expect((await send(anna, { status: 'GREAT' })).status).toBe(400)
  expect((await send(anna, { status: 'INFO', message: 'a\u0000b' })).status).toBe(400)
  expect((await send(anna, {})).status).toBe(400)
  expect((await send(server.nobody, { status: 'INFO' })).status).toBe(401)
  expect((await search(anna, { jobId })).items[0]?.componentStatuses).toEqual([])
  for (const query of ['size=0', 'from=x', 'aggregate=perhaps', 'query=%00'])
    expect([query, (await anna.fetch(`/status?${query}`)).status]).toEqual([query, 400])
  for (const query of ["query='%3B--", 'type=x', 'selector=x', 'pipelineRootIds=,', 'tag=%25'])
    expect([query, (await anna.fetch(`/status?${query}`)).status]).toEqual([query, 200])
})

test('a job that follows its components ends when all of them have ended, and runs again when a new one starts', async () => {
  const jobId = await start({ type: 'ETL', followsComponents: true })
  const [one, two] = [randomUUID(), randomUUID()]
  const stateOf = async () => {
    const [job] = (await search(anna, { jobId })).items
    return [job?.status, job?.endTime !== undefined]
  }
  await statuses.addComponent(jobId, { eId: one, component: 'ETL', status: 'RUNNING' })
  await statuses.updateComponent(jobId, one, { status: 'INFO' })
  expect(await stateOf()).toEqual(['COMPLETED', true])
  await statuses.addComponent(jobId, { eId: two, component: 'ETL', status: 'RUNNING' })
  expect(await stateOf()).toEqual(['RUNNING', false])
  await statuses.updateComponent(jobId, two, { status: 'WARN' })
  expect(await stateOf()).toEqual(['WARN', true])
})

test('a job is paused if its first component is paused, even if a later one failed', async () => {
  const jobId = await start({ followsComponents: true })
  // Ordered by id, the first component would be last.
  const [second, first] = [randomUUID(), randomUUID()].sort() as [string, string]
  await statuses.addComponent(jobId, { eId: first, component: 'first', status: 'RUNNING' })
  await statuses.addComponent(jobId, { eId: second, component: 'second', status: 'ERROR' })
  await statuses.updateComponent(jobId, first, { status: 'PAUSED' })
  expect((await search(anna, { jobId })).items[0]?.status).toBe('PAUSED')
})

test('concurrent statuses of many components result in the correct status', async () => {
  const jobId = await start({ followsComponents: true })
  await Promise.all(
    Array.from({ length: 12 }, async (_, n) => {
      const eId = await statuses.addComponent(jobId, { component: `c${n}`, status: 'RUNNING' })
      await statuses.updateComponent(jobId, eId, { status: n === 7 ? 'ERROR' : 'INFO' })
    }),
  )
  const [job] = (await search(anna, { jobId })).items
  expect(job?.status).toBe('ERROR')
  expect(job?.componentStatuses).toHaveLength(12)
})

test('jobs are deleted 90 days after they ended, or as configured, except running jobs and the newest job of an item', async () => {
  const { pool } = server.running.platform.database
  const group = await newGroup(anna)
  const about = { name: `kept ${randomUUID()}`, group }
  const [old, open, young, newest] = [
    await start(about),
    await start(about),
    await start(about),
    await start(about),
  ]
  for (const jobId of [old, open, young, newest]) {
    await statuses.addComponent(jobId, { component: 'load', status: 'COMPLETED' })
    if (jobId !== open) await statuses.finishJob(jobId, { status: 'COMPLETED' })
    const days = jobId === young ? 89 : 91
    await pool.query(
      `update jobs set started_at = started_at - $2 * interval '1 day', ended_at = ended_at - $2 * interval '1 day'
       where id = $1`,
      [jobId, days],
    )
  }
  expect(await statuses.purge()).toBe(1)
  expect(await ids(anna, { name: about.name })).toEqual([newest, young, open])
  const { database } = server.running.platform
  const purgeWith = (historyDays: number) => {
    const queue = createJobQueue({ pool })
    return createPurge({
      store: createStatusesStore(database),
      clock: systemClock,
      queue,
      historyDays,
    }).purge()
  }
  expect(await purgeWith(90)).toBe(0)
  expect(await purgeWith(30)).toBe(1)
  expect(await ids(anna, { name: about.name })).toEqual([newest, open])
  const { rows } = await pool.query('select 1 from job_components where job_id = $1', [old])
  expect(rows).toEqual([])
  expect(await statuses.purge()).toBe(0)
})

test('a single purge deletes many old jobs', async () => {
  const { pool } = server.running.platform.database
  await pool.query(
    `insert into jobs (id, type, name, owner_id, status, latest_status, types, follows_components, started_at, ended_at)
     select gen_random_uuid(), 'PIPELINE', 'many', $1, 'COMPLETED', 'COMPLETED', '{None}', false, at, at
     from (select now() - interval '1 year' as at from generate_series(1, 2500)) many`,
    [annaId],
  )
  expect(await statuses.purge()).toBe(2500)
})

test('if a script names a group without write access to it, only the sender can see the job', async () => {
  const { name: groupName } = await newGroup(anna)
  await server.grantGroup({ groupName, userName: ben.userName, access: 'R' })
  const { jobId } = await ben.call(sendStatus, { body: { status: 'INFO', message: 'x', groupName } })
  expect(await ids(ben, { jobId })).toEqual([jobId])
  expect(await ids(anna, { jobId })).toEqual([])
})

const send = (session: Session, body: Record<string, unknown>) =>
  session.call(sendStatus, { body: body as never })

test('in a run, statuses sent by a script become messages of its step: they neither rename it nor change its status', async () => {
  const jobId = await start({ group: await newGroup(anna) })
  const eId = await statuses.addComponent(jobId, {
    component: 'Load prices',
    status: 'RUNNING',
    message: 'reads',
  })
  const sent = [
    ['INFO', 'I1'],
    ['WARN', 'W1'],
    ['ERROR', 'E1'],
    ['INFO', 'I2'],
  ]
  for (const [status, message] of sent)
    expect(await send(anna, { jobId, eId, status, message, componentName: 'Nightly' })).toEqual({
      jobId,
      eId,
    })
  const [job] = (await search(anna, { jobId })).items
  expect(job).toMatchObject({
    status: 'RUNNING',
    latestStatus: { status: 'INFO', message: 'I2', component: 'Load prices' },
    warnCount: 1,
    errorCount: 1,
  })
  expect(job).not.toHaveProperty('endTime')
  expect(job!.componentStatuses).toEqual([
    {
      eId,
      component: 'Load prices',
      status: 'RUNNING',
      message: 'reads',
      startTime: expect.stringMatching(timePattern),
      payload: {},
      messages: sent.map(([status, message]) => ({
        time: expect.stringMatching(timePattern),
        status,
        message,
      })),
      messageCount: 4,
      warnCount: 1,
      errorCount: 1,
    },
  ])
  expect(job!.warnStatuses).toEqual([
    {
      eId,
      component: 'Load prices',
      status: 'WARN',
      message: 'W1',
      startTime: expect.stringMatching(timePattern),
      endTime: expect.stringMatching(timePattern),
      payload: {},
    },
  ])
  await statuses.updateComponent(jobId, eId, { status: 'WARN', message: 'ended with a warning' })
  const [ended] = (await search(anna, { jobId })).items
  expect(ended!.componentStatuses[0]).toMatchObject({ status: 'WARN', messageCount: 4 })
  expect([ended!.warnCount, ended!.errorCount]).toEqual([2, 1])
  expect(ended!.warnStatuses.map(({ message }) => message)).toEqual(['ended with a warning', 'W1'])

  const list = await anna.call(listStatusMessages, { params: { jobId: jobId.toUpperCase() }, query: {} })
  expect(list.items.map(({ status, message }) => [status, message])).toEqual(sent)
  const page = await anna.call(listStatusMessages, {
    params: { jobId },
    query: { eId, status: 'info', from: 1 },
  })
  expect(page).toMatchObject({ from: 1, totalSize: 2, items: [{ eId, message: 'I2' }] })
})

test('outside a run, a status is a message and also the status of its step', async () => {
  const { jobId } = await send(anna, {
    status: 'RUNNING',
    message: 'begins',
    componentName: `outside ${randomUUID()}`,
  })
  const [begun] = (await search(anna, { jobId })).items
  await send(anna, {
    jobId,
    eId: begun!.componentStatuses[0]!.eId,
    status: 'WARN',
    message: 'late',
    componentName: 'renamed',
  })
  const [job] = (await search(anna, { jobId })).items
  expect(job).toMatchObject({ status: 'WARN', endTime: expect.any(String), warnCount: 1, errorCount: 0 })
  expect(job!.componentStatuses).toMatchObject([
    {
      component: 'renamed',
      status: 'WARN',
      message: 'late',
      messages: [{ message: 'begins' }, { message: 'late' }],
    },
  ])
  expect(job!.warnStatuses).toMatchObject([{ message: 'late' }])
})

test('a step stores 1,000 messages and 1,000 warnings and errors; the response states when a message is only counted', async () => {
  const { pool } = server.running.platform.database
  const jobId = await start()
  const eId = await statuses.addComponent(jobId, { component: 'chatty', status: 'RUNNING' })
  const other = await statuses.addComponent(jobId, { component: 'quiet', status: 'RUNNING' })
  await send(anna, { jobId, eId, status: 'INFO', message: 'first' })
  await pool.query(`update job_components set message_count = 1000 where job_id = $1 and e_id = $2`, [
    jobId,
    eId,
  ])
  const counted = await send(anna, { jobId, eId, status: 'INFO', message: 'one too many' })
  expect(counted.note).toBe(
    'The message was counted but not stored, because its step already has 1,000 messages of this kind, which is the maximum. Write further messages to the log.',
  )
  expect(await send(anna, { jobId, eId, status: 'ERROR', message: 'still stored' })).toEqual({ jobId, eId })
  await pool.query(
    `update job_components set error_count = 1000, message_count = 2000 where job_id = $1 and e_id = $2`,
    [jobId, eId],
  )
  expect((await send(anna, { jobId, eId, status: 'WARN', message: 'not stored' })).note).toBeDefined()
  const [job] = (await search(anna, { jobId })).items
  expect(job!.componentStatuses[0]).toMatchObject({
    messages: [{ message: 'first' }, { message: 'still stored' }],
    messageCount: 2001,
    warnCount: 1,
  })
  await pool.query(`update status_messages set number = 10000 where job_id = $1 and number = 2`, [jobId])
  const full = await send(anna, { jobId, eId: other, status: 'INFO', message: 'of another step' })
  expect(full.note).toContain('its job already has 10,000 messages')
})

test('a script can add at most 1,000 steps to a job', async () => {
  const jobId = await start()
  await server.running.platform.database.pool.query(
    `insert into job_components (job_id, e_id, component, status, started_at, is_sent)
      select $1, 'step ' || number, 'step', 'INFO', now(), true from generate_series(1, 1000) as number`,
    [jobId],
  )
  await expect(send(anna, { jobId, eId: 'one more', status: 'INFO' })).rejects.toMatchObject({
    status: 409,
    body: { code: 'tooManySteps' },
  })
  expect(await send(anna, { jobId, eId: 'step 7', status: 'WARN' })).toEqual({ jobId, eId: 'step 7' })
})

test('the statuses of a user can start at most 1,000 jobs within 24 hours; statuses of existing jobs are still stored', async () => {
  const writer = await server.createUser()
  const first = await send(writer, { status: 'INFO', componentName: 'ended' })
  await server.running.platform.database.pool.query(
    `insert into jobs (id, type, name, owner_id, status, latest_status, types, follows_components, started_at, ended_at)
      select gen_random_uuid(), 'PIPELINE', 'sent', owner_id, 'INFO', 'INFO', types, true,
        started_at - case when number = 1000 then interval '25 hours' else interval '0' end, ended_at
      from jobs, generate_series(1, 1000) as number where id = $1`,
    [first.jobId],
  )
  for (const status of [{ componentName: 'further' }, { jobId: randomUUID(), componentName: 'further' }])
    await expect(send(writer, { status: 'INFO', ...status })).rejects.toMatchObject({
      status: 409,
      body: {
        code: 'tooManySentJobs',
        message:
          'Your statuses have started 1000 jobs within 24 hours, which is the maximum. Send further statuses with the jobId of one of them.',
      },
    })
  expect((await send(writer, { status: 'WARN', jobId: first.jobId })).jobId).toBe(first.jobId)
  expect((await send(anna, { status: 'INFO', componentName: 'of another user' })).jobId).toBeDefined()
})

test('lists contain the newest 10 messages of a job and 10 warnings, shortened; a single job contains 200', async () => {
  const name = `list ${randomUUID()}`
  const jobId = await start({ name })
  const eId = await statuses.addComponent(jobId, { component: 'step', status: 'RUNNING' })
  await send(anna, { jobId, eId, status: 'WARN', message: `early ${'x'.repeat(9000)}` })
  await server.running.platform.database.pool.query(
    `insert into status_messages (job_id, number, e_id, status, message, sent_at)
      select $1, number, $2, 'INFO', 'message ' || number, now() from generate_series(2, 400) as number`,
    [jobId, eId],
  )
  const [listed] = (await search(anna, { name })).items
  const messages = listed!.componentStatuses[0]!.messages!
  expect(messages.map(({ message }) => message).slice(1)).toEqual(
    Array.from({ length: 10 }, (_, index) => `message ${391 + index}`),
  )
  expect(messages[0]!.message).toHaveLength(1000)
  const [one] = (await search(anna, { jobId })).items
  expect(one!.componentStatuses[0]!.messages).toHaveLength(201)
  expect(one!.warnStatuses[0]!.message).toHaveLength(9006)
})

test('only users who can see a job can read its messages', async () => {
  const jobId = await start()
  const status = async (session: Session, id: string) =>
    (await session.fetch(`/status/${id}/messages`)).status
  for (const id of [jobId, `%20${jobId.toUpperCase()}`]) expect(await status(anna, id)).toBe(200)
  expect(await status(server.admin, jobId)).toBe(200)
  expect(await status(ben, jobId)).toBe(404)
  expect(await status(anna, 'nonsense')).toBe(404)
  expect(await status(anna, randomUUID())).toBe(404)
})

test('the token of the sender is redacted from messages in every encoding', async () => {
  const { jobId } = await send(anna, {
    status: 'INFO',
    message: `${anna.token} ${Buffer.from(`x:${anna.token}`).toString('base64')}`,
    componentName: `hides ${randomUUID()}`,
  })
  const [job] = (await search(anna, { jobId })).items
  expect(job!.latestStatus.message).toMatch(/^\[token\] \S{2,4}\[token\]\S{0,3}$/)
})
