import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import {
  migrateUntil,
  migrationsFolders,
  refusal,
  startTestServer,
  type CallError,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { migrate, openDatabase } from '@headwater/server-kit'
import { createTestDatabase, silentLog } from '@headwater/server-kit/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { referenceOf } from '@headwater/runs/contract'
import { createTask, deleteTask, updateTask } from '@headwater/tasks/contract'
import {
  createPipeline,
  deletePipeline,
  findPipelineByName,
  getPipeline,
  getPipelineByName,
  listPipelineVersions,
  searchPipelines,
  updatePipeline,
  type PipelineInput,
} from '../contract/index.ts'
import { migrationsFolder } from './index.ts'

/** Adds the ids of tasks to pipelines saved without them. */
const idsMigration = '2026-11-22T1955-ids-of-meant-tasks.sql'
let server: TestServer
let owner: Session
let stranger: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  stranger = await server.createUser({ role: 'Pipeline builder' })
  for (const name of ['Flows', 'Other']) await owner.call(createGroup, { body: { name } })
})
afterAll(() => server.stop())

/** Once a year, so that the schedule starts no run during a test. */
const yearly = {
  id: 'start',
  taskName: 'cron-trigger',
  taskReadableName: 'start',
  taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
}
const mail = {
  id: 'mail',
  taskName: 'email-sender',
  taskReadableName: 'mail',
  taskOverrides: {
    params: [
      { name: 'subject', value: 'Prices' },
      { name: 'recipients', value: 'anna@example.com' },
      { name: 'text', value: 'They are there.' },
    ],
  },
  prevTasks: [{ id: 'start' }],
}
const firstMail = { ...mail, prevTasks: [] }
const withParams = (...params: { name: string; value: string }[]) => ({ taskOverrides: { params } })
function input(name: string, more: Partial<PipelineInput> = {}) {
  return { name, groupName: 'Flows', tasks: [yearly, mail] as never, ...more }
}

test('DP-438 DP-439 DP-456 a pipeline is created with its fields, and its payload is JSON text', async () => {
  const payload = JSON.stringify({ positions: { start: [0, 0] }, comments: [], commentsVisible: true })
  const made = await owner.call(createPipeline, {
    body: input(' a ', { groupName: ' Flows ', tags: ['daily'], payload, markdownId: 'm1' }),
  })
  expect(made.pipeline).toMatchObject({
    name: 'a',
    groupName: 'Flows',
    tags: ['daily'],
    version: 1,
    latest: true,
    lastChangeBy: owner.userName,
    markdownId: 'm1',
    trigger: 'CRON',
    schedules: [{ cron: '0 0 1 1 *', timeZone: 'UTC' }],
    writeAccess: true,
    canShare: true,
  })
  expect(made.payload).toBe(payload)
  expect(made.batchConfig.tasks.map(({ id, prevTasks }) => [id, prevTasks])).toEqual([
    ['start', []],
    ['mail', [{ id: 'start' }]],
  ])
  const asObject = input('b', { payload: JSON.parse(payload) as never })
  const params = { pipelineId: made.pipeline.id }
  for (const attempt of [
    owner.call(createPipeline, { body: asObject }),
    owner.call(updatePipeline, { params, body: { ...asObject, version: 1 } }),
  ])
    expect((await refusal(attempt)).body.validationErrors).toMatchObject([{ field: 'payload' }])
})

test('DP-439 DP-448 DP-449 DP-457 every save is a version that can be read by id and by name; rejects a save over a newer version', async () => {
  const { pipeline } = await owner.call(createPipeline, { body: input('versions') })
  const params = { pipelineId: pipeline.id }
  const change = {
    ...input(' renamed ', { groupName: ' Other ', tasks: [firstMail] as never }),
    markdownId: 'm2',
    payload: '{"comments":["two"]}',
    tags: ['second'],
    pipelineId: pipeline.id,
  }
  const second = await owner.call(updatePipeline, { params, body: { ...change, version: 1 } })
  expect(second.pipeline).toMatchObject({
    id: pipeline.id,
    name: 'renamed',
    groupName: 'Other',
    version: 2,
    markdownId: 'm2',
    tags: ['second'],
    trigger: 'None',
    schedules: [],
  })
  expect(second.payload).toBe('{"comments":["two"]}')
  expect(second.batchConfig.tasks.map(({ id }) => id)).toEqual(['mail'])
  const byName = { name: 'renamed', groupName: 'Other' }
  const elsewhere = await owner.call(createPipeline, { body: input('renamed') })
  const beside = await owner.call(createPipeline, { body: input('beside', { groupName: 'Other' }) })
  for (const { id, name, groupName } of [elsewhere.pipeline, beside.pipeline]) {
    const current = await owner.call(getPipelineByName, { query: { name, groupName, version: 'latest' } })
    expect(current.pipeline.id).toBe(id)
  }
  expect(await owner.call(getPipelineByName, { query: { ...byName, version: 'latest' } })).toEqual(second)
  const first = await owner.call(getPipelineByName, { query: { ...byName, version: 1 } })
  expect(first.pipeline.id).toBe(pipeline.id)
  expect([first.pipeline.version, first.pipeline.latest, first.batchConfig.tasks.length]).toEqual([
    1,
    false,
    2,
  ])
  expect(await owner.call(getPipeline, { params, query: {} })).toEqual(second)
  const versions = await owner.call(listPipelineVersions, { params, query: { size: 100 } })
  expect(versions.items.map(({ version }) => version)).toEqual([2, 1])
  const late = await refusal(owner.call(updatePipeline, { params, body: { ...change, version: 1 } }))
  expect([late.status, late.body.code]).toEqual([409, 'pipelineChanged'])
})

test('DP-450 DP-550 pipelines can be searched by query and triggerType, sorted and paged', async () => {
  await owner.call(createPipeline, { body: input('Search me', { tags: ['namesOf'] }) })
  await owner.call(createPipeline, {
    body: input('search too', { tasks: [firstMail] as never, groupName: 'Other' }),
  })
  const namesOf = async (query: string, more: object = {}) =>
    (await owner.call(searchPipelines, { query: { query, sortBy: 'name', ...more } })).items.map(
      ({ name }) => name,
    )
  expect(await namesOf('SEARCH')).toEqual(['Search me', 'search too'])
  expect(await namesOf('SEARCH', { sortOrder: 'desc' })).toEqual(['search too', 'Search me'])
  expect(await namesOf('SEARCH', { size: 1, from: 1 })).toEqual(['search too'])
  expect(await namesOf('name=search*&groupName=Other')).toEqual(['search too'])
  expect(await namesOf('tag=namesOf')).toEqual(['Search me'])
  const { items } = await owner.call(searchPipelines, { query: { query: 'name=search too' } })
  const again = { ...input('search too', { tasks: [], groupName: 'Other' }), version: 1 }
  await owner.call(updatePipeline, { params: { pipelineId: items[0]!.id }, body: again })
  const byUpdate = { sortBy: 'updated' }
  expect(await namesOf('SEARCH', byUpdate)).toEqual(['search too', 'Search me'])
  expect(await namesOf('SEARCH', { ...byUpdate, sortOrder: 'asc' })).toEqual(['Search me', 'search too'])
  expect(await namesOf('name=search too', { latest: true })).toHaveLength(1)
  expect(await namesOf('name=search too', { latest: false })).toHaveLength(2)
  expect(await namesOf('SEARCH', { triggerType: 'CRON' })).toEqual(['Search me'])
  expect(await namesOf('SEARCH', { triggerType: 'None' })).toEqual(['search too'])
  expect((await stranger.call(searchPipelines, { query: { query: 'search' } })).items).toEqual([])
})

test('DP-453 users with write access can delete a pipeline, users with read access can only see it, and others cannot see it', async () => {
  await owner.call(createGroup, { body: { name: 'Seen' } })
  const { pipeline } = await owner.call(createPipeline, { body: input('mine', { groupName: 'Seen' }) })
  const params = { pipelineId: pipeline.id }
  const body = { ...input('mine', { groupName: 'Seen' }), version: 1 }
  const attempts = [
    () => stranger.call(getPipeline, { params, query: {} }),
    () => stranger.call(getPipelineByName, { query: { name: 'mine', groupName: 'Seen' } }),
    () => stranger.call(updatePipeline, { params, body }),
    () => stranger.call(deletePipeline, { params }),
  ]
  const statuses = () =>
    Promise.all(
      attempts.map((attempt) =>
        attempt().then(
          () => 200,
          ({ status }: CallError) => status,
        ),
      ),
    )
  expect(await statuses()).toEqual([404, 404, 404, 404])
  await grant('Seen', 'R')
  expect(await statuses()).toEqual([200, 200, 403, 403])
  await owner.call(deletePipeline, { params })
  expect((await refusal(owner.call(getPipeline, { params, query: {} }))).status).toBe(404)
  expect((await owner.call(searchPipelines, { query: { query: 'name=mine' } })).items).toEqual([])
})

test('a lookup by name returns the pipeline, or null', async () => {
  const { pipeline } = await owner.call(createPipeline, { body: input('maybe') })
  const query = { name: 'maybe', groupName: 'Flows' }
  const findId = async (user: Session, by = query) =>
    (await user.call(findPipelineByName, { query: by })).pipeline?.pipeline.id ?? null
  expect(await findId(owner)).toBe(pipeline.id)
  expect(await findId(owner, { ...query, name: 'maybe not' })).toBeNull()
  expect(await findId(owner, { ...query, groupName: 'No group' })).toBeNull()
  expect(await findId(stranger)).toBeNull()
})

test('errors in pipelines name the field', async () => {
  await owner.call(createPipeline, { body: input('taken') })
  const reference = referenceOf('5f3cf10c-0d43-4a43-9e01-0a1d2c3b4e5f')
  const wrong: [object, string][] = [
    [{ name: ' ' }, 'name'],
    [{ name: 'taken' }, 'name'],
    [{ groupName: 'nowhere' }, 'groupName'],
    [{ tags: [''] }, 'tags[0]'],
    [{ payload: 'no json' }, 'payload'],
    [{ payload: '[]' }, 'payload'],
    [{ tasks: [{ ...yearly, taskName: 'nobody' }] }, 'tasks'],
    [{ tasks: [{ ...yearly, ...withParams({ name: 'cron', value: 'often' }) }] }, 'cron'],
    [
      {
        tasks: [
          { ...yearly, ...withParams(...yearly.taskOverrides.params, { name: 'timeZone', value: 'Mars' }) },
        ],
      },
      'timeZone',
    ],
    [{ tasks: [yearly, { ...yearly, prevTasks: [] }] }, 'tasks'],
    [{ tasks: [mail] }, 'tasks'],
    ...['a\u202etxt.exe', 'bell\u0007', 'two\nlines'].map((taskReadableName): [object, string] => [
      { tasks: [{ ...yearly, taskReadableName }] },
      'tasks[0].taskReadableName',
    ]),
    [{ tasks: [{ ...yearly, prevTasks: [{ id: 'mail' }] }, mail] }, 'tasks'],
    [{ tasks: [{ ...firstMail, ...withParams({ name: 'text', value: reference }) }] }, 'tasks'],
    [{ tasks: [{ ...firstMail, ...withParams({ name: 'recipients', value: 'nobody' }) }] }, 'tasks'],
    [{ tasks: [{ ...firstMail, ...withParams({ name: 'subject', value: 'a\nBcc: b' }) }] }, 'tasks'],
    [{ tasks: [{ ...firstMail, ...withParams({ name: 'color', value: 'red' }) }] }, 'params'],
  ]
  for (const [change, field] of wrong) {
    const error = await refusal(owner.call(createPipeline, { body: input('wrong', change as never) }))
    expect([error.body.validationErrors?.[0]?.field ?? error.body.code, change]).toEqual([
      field === 'tasks' && error.status === 404 ? 'taskNotFound' : field,
      change,
    ])
  }
})

test('a save rejects values that are too long for a script, including values of the task', async () => {
  const own = Array.from({ length: 8 }, (_, n) => ({ name: `Own ${n}`, value: 'x'.repeat(115_000) }))
  const script = { name: 'Script', value: 'print(1)', valueType: 'SCRIPT' as const }
  const params = [script, ...own, { name: 'Table', optional: true }]
  await owner.call(createTask, {
    body: { name: 'full', groupName: 'Flows', definitionName: 'python-runner', params: params as never },
  })
  const save = (length: number) => {
    const table = { name: 'Table', value: 'x'.repeat(length) }
    const tasks = [
      { id: 'a', taskReadableName: 'a', taskName: 'full', taskGroup: 'Flows', ...withParams(table) },
    ]
    return owner.call(createPipeline, { body: input(`of ${length}`, { tasks: tasks as never }) })
  }
  await save(70_000)
  expect((await refusal(save(150_000))).message).toContain('“a”: “Table” has 150,000 bytes')
  expect((await refusal(save(100_000))).message).toContain('“a”: The values have 1,020,045 bytes in total')
})

test('a due schedule runs its pipeline with the access of its author, and again at the next occurrence', async () => {
  const { pipeline } = await owner.call(createPipeline, {
    body: input('scheduled', { tasks: [yearly] as never }),
  })
  const due = pipeline.schedules[0]!.nextRun!
  const jobs = async () =>
    (await owner.call(searchStatuses, { query: { query: 'scheduled', type: 'PIPELINE' } })).items
  await makeDue(pipeline.id)
  await expect.poll(async () => (await jobs())[0]?.status).toBe('INFO')
  expect((await jobs())[0]).toMatchObject({ types: ['CRON'], owner: owner.userName, rootId: pipeline.id })
  const next = (await owner.call(getPipeline, { params: { pipelineId: pipeline.id }, query: {} })).pipeline
  expect(next.schedules[0]!.nextRun! >= due).toBe(true)
  await makeDue(pipeline.id)
  await expect.poll(async () => (await jobs()).length).toBe(2)
  await owner.call(deletePipeline, { params: { pipelineId: pipeline.id } })
  expect(await scheduleCount(pipeline.id)).toBe(0)
})

test('after a different user saves a pipeline, it runs on its schedule with the access of that user', async () => {
  const groupName = 'Handed over'
  await shareGroup(groupName)
  const body = input('handed over', { groupName, tasks: [yearly] as never })
  const { pipeline } = await owner.call(createPipeline, { body })
  const params = { pipelineId: pipeline.id }
  await stranger.call(updatePipeline, { params, body: { ...body, ...params, version: 1 } })
  await makeDue(pipeline.id)
  const find = async () =>
    (await owner.call(searchStatuses, { query: { query: 'handed over', type: 'PIPELINE' } })).items[0]
  await expect.poll(async () => (await find())?.status).toBe('INFO')
  expect((await find())!.owner).toBe(stranger.userName)
})

test('a pipeline with a paused cron task has no schedule', async () => {
  const save = async (name: string, isPaused: boolean) => {
    const { pipeline } = await owner.call(createPipeline, {
      body: input(name, { tasks: [{ ...yearly, isPaused }] as never }),
    })
    return scheduleCount(pipeline.id)
  }
  expect(await save('goes on', false)).toBe(1)
  expect(await save('stands still', true)).toBe(0)
})

test('deleting a group permanently deletes the schedules of its pipelines', async () => {
  const { groupId } = await owner.call(createGroup, { body: { name: 'Short-lived' } })
  const { pipeline } = await owner.call(createPipeline, {
    body: input('short-lived', { groupName: 'Short-lived', tasks: [yearly] as never }),
  })
  expect(await scheduleCount(pipeline.id)).toBe(1)
  await owner.call(deleteGroup, { params: { name: 'Short-lived' } })
  expect((await owner.fetch(`/trash/groups/${groupId}`, { method: 'DELETE' })).ok).toBe(true)
  expect(await scheduleCount(pipeline.id)).toBe(0)
})

async function scheduleCount(pipelineId: string): Promise<number> {
  const { rows } = await server.running.platform.database.pool.query(
    'select 1 from schedules where target_id = $1',
    [pipelineId],
  )
  return rows.length
}

test('a due run that cannot start reports the reason', async () => {
  const leaver = await server.createUser({ role: 'Pipeline builder' })
  await leaver.call(createGroup, { body: { name: 'Left' } })
  const { pipeline } = await leaver.call(createPipeline, {
    body: input('left behind', { groupName: 'Left', tasks: [yearly] as never }),
  })
  const { accounts } = server.running.platform
  const { userId } = (await accounts.findUserByName(leaver.userName))!
  await accounts.setUserStatus(userId, 'INACTIVE')
  await makeDue(pipeline.id)
  const find = async () =>
    (await server.admin.call(searchStatuses, { query: { query: 'left behind', type: 'PIPELINE' } })).items[0]
  await expect.poll(async () => (await find())?.status).toBe('ERROR')
  expect((await find())!.latestStatus.message).toContain('no longer has permission to run pipelines')
})

/** Makes the next run of a pipeline due. */
async function makeDue(pipelineId: string): Promise<void> {
  await server.running.platform.database.pool.query(
    `update schedules set next_at = date_trunc('minute', now()) where kind = 'pipeline' and target_id = $1`,
    [pipelineId],
  )
}

/** Creates a group to which both users have write access. */
async function shareGroup(name: string): Promise<void> {
  await owner.call(createGroup, { body: { name } })
  await grant(name, 'RW')
}

/** Grants the stranger access to a group. */
async function grant(name: string, access: 'R' | 'RW'): Promise<void> {
  await server.grantGroup({ groupName: name, userName: stranger.userName, access })
}

/** Python task that prints a text. */
function prints(groupName: string, name: string, text: string) {
  const params = [{ name: 'Script', value: `print("${text}")`, valueType: 'SCRIPT' as const }]
  return { name, groupName, definitionName: 'python-runner', params }
}

/** Saves a pipeline of the owner that runs one task yearly, and returns its id. */
async function runsYearly(name: string, groupName: string, task: object): Promise<string> {
  const tasks = [
    yearly,
    { id: 'b', taskReadableName: 'common', taskName: 'common', taskGroup: groupName, ...task },
  ]
  return (await owner.call(createPipeline, { body: input(name, { tasks: tasks as never }) })).pipeline.id
}

/** Makes the pipeline due and returns the message of its last scheduled run, once `count` runs have ended. */
async function endOfDue(pipelineId: string, count = 1): Promise<string> {
  await makeDue(pipelineId)
  const find = async () =>
    (await owner.call(searchStatuses, { query: { type: 'PIPELINE', size: 1000 } })).items.filter(
      ({ rootId, status }) => rootId === pipelineId && (status === 'INFO' || status === 'ERROR'),
    )
  await expect.poll(async () => (await find()).length).toBe(count)
  const [job] = await find()
  return job!.status === 'INFO' ? job!.componentStatuses.at(-1)!.message : job!.latestStatus.message
}

test('a schedule does not run a task that a different user changed after the pipeline was saved', async () => {
  await shareGroup('Shared')
  const made = await owner.call(createTask, { body: prints('Shared', 'common', 'mine') })
  const pipelineId = await runsYearly('trusting', 'Shared', {})
  await stranger.call(updateTask, {
    params: { taskId: made.id },
    body: { version: 1, taskInput: prints('Shared', 'common', 'theirs') },
  })
  expect(await endOfDue(pipelineId)).toContain(`${stranger.userName} saved the task of “common”`)
})

test('a schedule runs the pinned version of a task, but never a new task with the same name', async () => {
  await shareGroup('Pinned')
  const { id } = await owner.call(createTask, { body: prints('Pinned', 'common', 'mine') })
  const pipelineId = await runsYearly('pinning', 'Pinned', { taskVersion: 1 })
  const theirs = prints('Pinned', 'common', 'theirs')
  await stranger.call(updateTask, { params: { taskId: id }, body: { version: 1, taskInput: theirs } })
  expect(await endOfDue(pipelineId)).toBe('mine')
  await stranger.call(deleteTask, { params: { taskId: id } })
  await stranger.call(createTask, { body: theirs })
  expect(await endOfDue(pipelineId, 2)).toContain('The task “common” was replaced after')
})

test('a schedule runs a task that a different user saved earlier, but not a different earlier task that gets its name', async () => {
  await shareGroup('Taken')
  const { id } = await stranger.call(createTask, { body: prints('Taken', 'common', 'known') })
  const { id: otherId } = await stranger.call(createTask, { body: prints('Taken', 'lurking', 'unknown') })
  await server.running.platform.database.pool.query(
    `update item_versions set saved_at = saved_at - interval '1 hour' where item_id in ($1, $2)`,
    [id, otherId],
  )
  const pipelineId = await runsYearly('renamed task', 'Taken', { taskVersion: 1 })
  expect(await endOfDue(pipelineId)).toBe('known')
  await stranger.call(deleteTask, { params: { taskId: id } })
  await stranger.call(updateTask, {
    params: { taskId: otherId },
    body: { version: 1, taskInput: prints('Taken', 'common', 'unknown') },
  })
  expect(await endOfDue(pipelineId, 2)).toContain('The task “common” was replaced after')
})

/** Runs the migration that adds the ids of tasks, on tables as they were at that time. */
async function runIdsMigration(): Promise<void> {
  const client = await server.running.platform.database.pool.connect()
  try {
    await client.query(`begin; create schema earlier; set local search_path = earlier, public;
      create table tasks as select id, group_id, name from items where kind = 'task';
      create table task_versions as
        select item_id as task_id, saved_by, saved_at from item_versions where kind = 'task';
      create table pipeline_versions as select item_id as pipeline_id, version, content -> 'tasks' as tasks, saved_by, saved_at
        from item_versions where kind = 'pipeline'`)
    await client.query(await readFile(join(migrationsFolder, idsMigration), 'utf8'))
    await client.query(`update item_versions set content = content || jsonb_build_object('tasks', tasks)
        from pipeline_versions earlier
        where item_id = pipeline_id and item_versions.version = earlier.version;
      drop schema earlier cascade; commit`)
  } finally {
    client.release()
  }
}

test('a schedule saved before task ids were stored still runs its task, and no other task', async () => {
  const { pool } = server.running.platform.database
  await shareGroup('Before')
  const { id } = await stranger.call(createTask, { body: prints('Before', 'common', 'known') })
  const { id: otherId } = await stranger.call(createTask, { body: prints('Before', 'lurking', 'unknown') })
  await pool.query(
    `update item_versions set saved_at = saved_at - interval '1 hour' where item_id in ($1, $2)`,
    [id, otherId],
  )
  const newest = await runsYearly('from before', 'Before', {})
  const pinned = await runsYearly('pinned from before', 'Before', { taskVersion: 1 })
  await pool.query(
    `update item_versions set content = content || jsonb_build_object('tasks', (
       select jsonb_agg(task - 'taskId' || jsonb_build_object('taskGroupName', task -> 'taskGroup'))
       from jsonb_array_elements(content -> 'tasks') task))
     where item_id in ($1, $2)`,
    [newest, pinned],
  )
  await runIdsMigration()
  expect(await endOfDue(newest)).toBe('known')
  expect(await endOfDue(pinned)).toBe('known')
  await stranger.call(deleteTask, { params: { taskId: id } })
  await stranger.call(updateTask, {
    params: { taskId: otherId },
    body: { version: 1, taskInput: prints('Before', 'common', 'unknown') },
  })
  expect(await endOfDue(newest, 2)).toContain('The task “common” was replaced after')
  expect(await endOfDue(pinned, 2)).toContain('The task “common” was replaced after')
})

test('the migration adds task ids to pipelines saved without them', async () => {
  const testDatabase = await createTestDatabase()
  const database = openDatabase({ connectionString: testDatabase.connectionString, log: silentLog() })
  const { pool } = database
  try {
    await migrateUntil(pool, idsMigration)
    for (const name of ['anna', 'ben'])
      await pool.query(`insert into users (user_name, company_id) select $1, id from companies`, [name])
    for (const name of ['Flows', 'Other'])
      await pool.query(
        `insert into groups (name, owner_id) select $1, id from users where user_name = 'anna'`,
        [name],
      )
    /**
     * Saves versions of a task. `saves` contains the user of each version by the number of hours after the pipeline was saved.
     */
    const task = async (group: string, name: string, saves: Record<number, string>): Promise<string> => {
      const { rows } = await pool.query<{ id: string }>(
        `insert into tasks (id, group_id, name, version) select gen_random_uuid(), id, $2, $3 from groups
         where name = $1 returning id`,
        [group, name, Object.keys(saves).length],
      )
      const inTime = Object.entries(saves).toSorted(([a], [b]) => Number(a) - Number(b))
      for (const [index, [hours, by]] of inTime.entries())
        await pool.query(
          `insert into task_versions (task_id, version, input, saved_by, saved_at)
           select $1, $2, '{}', id, timestamptz '2026-11-20Z' + $3 * interval '1 hour' from users where user_name = $4`,
          [rows[0]!.id, index + 1, hours, by],
        )
      return rows[0]!.id
    }
    const [before, ofAnna, ofBen] = [
      await task('Flows', 'before', { [-1]: 'ben' }),
      await task('Flows', 'saved by anna', { [-1]: 'ben', 1: 'anna' }),
      await task('Flows', 'saved by ben', { [-1]: 'ben', 1: 'ben' }),
    ]
    await task('Other', 'elsewhere', { [-1]: 'ben' })
    const node = (id: string, more: object = {}) => ({
      id,
      name: id,
      taskName: id,
      taskGroupName: 'Flows',
      taskVersion: null,
      ...more,
    })
    const tasks: (Record<string, unknown> & { expected?: string })[] = [
      node('cron-trigger', { taskGroupName: '' }),
      node('before', { expected: before }),
      node('saved by anna', { expected: ofAnna }),
      node('saved by ben', { expected: ofBen }),
      node('1', { taskName: 'before', taskVersion: 1, expected: before }),
      node('2', { taskName: 'saved by anna', taskVersion: 1, expected: ofAnna }),
      node('3', { taskName: 'saved by ben', taskVersion: 1 }),
      node('4', { taskName: 'before', taskId: 'kept', expected: 'kept' }),
      node('elsewhere'),
    ]
    const stored = tasks.map(({ expected: _expected, ...rest }) => rest)
    await pool.query(
      `insert into pipelines (id, group_id, name, version) select gen_random_uuid(), id, 'old', 2 from groups
       where name = 'Flows'`,
    )
    for (const [version, list] of [stored, []].entries())
      await pool.query(
        `insert into pipeline_versions (pipeline_id, version, tasks, payload, tags, saved_by, saved_at)
         select pipelines.id, $1, $2, '{}', '{}', users.id, '2026-11-20Z' from pipelines, users where user_name = 'anna'`,
        [version + 1, JSON.stringify(list)],
      )
    await migrate(pool, migrationsFolders)
    const { rows } = await pool.query(
      `select content -> 'tasks' as tasks from item_versions where kind = 'pipeline' order by version`,
    )
    const expected = tasks.map(({ expected: taskId, name, taskGroupName, ...rest }) => ({
      ...rest,
      taskReadableName: name,
      taskGroup: taskGroupName,
      taskOverrides: { params: [] },
      prevTasks: [],
      ...(taskId === undefined ? {} : { taskId }),
    }))
    expect(rows).toEqual([{ tasks: expected }, { tasks: [] }])
  } finally {
    await database.close()
    await testDatabase.drop()
  }
})
