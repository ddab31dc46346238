import { afterAll, beforeAll, expect, test } from 'vitest'
import { createFile } from '@headwater/files/contract'
import { createGroup, getGroup } from '@headwater/groups/contract'
import { createDataPrep } from '@headwater/preps/contract'
import {
  refusal,
  startMailServer,
  startTestServer,
  type MailServer,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import { createTask } from '@headwater/tasks/contract'
import {
  createPipeline,
  getPipeline,
  searchPipelines,
  setPipelineSchedule,
  sharePipeline,
} from '../../contract/index.ts'

let mailServer: MailServer
let server: TestServer
let anna: Session
let carl: Session
let pipelineId: string

beforeAll(async () => {
  mailServer = await startMailServer()
  server = await startTestServer({
    env: { HEADWATER_SMTP_URL: mailServer.url, HEADWATER_PUBLIC_URL: 'https://data.example.com' },
  })
  const role = 'Pipeline builder'
  anna = await server.createUser({ role, email: 'anna@example.com' })
  carl = await server.createUser({ role, email: 'carl@example.com' })
  for (const name of ['Flows', 'Library', 'Prices', 'Files', 'Preps', 'Series', 'Arrivals'])
    await anna.call(createGroup, { body: { name } })
  await carl.call(createGroup, { body: { name: 'Of Carl' } })
  const file = await anna.call(createFile, { body: { groupName: 'Files', fileName: 'a.csv' } as never })
  // The link uses the host of the public URL.
  const { pathname, search } = new URL(file.location)
  expect((await fetch(`${server.url}${pathname}${search}`, { method: 'PUT', body: 'a,b\n1,2\n' })).ok).toBe(
    true,
  )
  const prep = await anna.call(createDataPrep, {
    body: {
      dataPrep: {
        name: 'p',
        outputGroup: 'Preps',
        symbols: [{ groupName: 'Series', symbols: { Code: 'A' } }],
      },
    } as never,
  })
  const input = (name: string, valueType: string) => ({ name, valueType, optional: true })
  await anna.call(createTask, {
    body: {
      name: 'load',
      groupName: 'Library',
      definitionName: 'python-runner',
      params: [
        { name: 'Script', value: 'print(1)', valueType: 'SCRIPT' },
        input('Target', 'GROUP'),
        input('File', 'FILE'),
        input('Prep', 'DATA_PREP'),
        input('Other', 'GROUP'),
        input('Note', 'TEXT'),
      ] as never,
    },
  })
  await anna.call(createTask, {
    body: {
      name: 'pass',
      groupName: 'Library',
      definitionName: 'python-runner',
      params: [
        { name: 'Script', value: 'print(1)', valueType: 'SCRIPT' },
        input('groupBy', 'TEXT'),
        input('Settings', 'LONG_TEXT'),
        { name: 'Result', type: 'OUTPUT', valueType: 'TEXT' },
      ] as never,
    },
  })
  const made = await anna.call(createPipeline, {
    body: {
      name: 'Daily',
      groupName: 'Flows',
      tasks: [
        {
          id: 'a',
          taskName: 'load',
          taskGroup: 'Library',
          taskReadableName: 'Load',
          taskOverrides: {
            params: [
              { name: 'Target', value: 'Prices' },
              { name: 'File', value: file.fileId },
              { name: 'Prep', value: prep.id },
              { name: 'Other', value: 'Of Carl' },
              { name: 'Note', value: 'now()', mode: 'expression' },
            ],
          },
        },
      ],
    },
  })
  pipelineId = made.pipeline.id
  await anna.call(setPipelineSchedule, {
    params: { pipelineId },
    body: { schedulerTriggers: [{ type: 'FILEARRIVAL', groupName: 'Arrivals' }] },
  })
})
afterAll(async () => {
  await server.stop()
  await mailServer.stop()
})

const used = ['Flows', 'Library', 'Prices', 'Files', 'Preps', 'Series', 'Arrivals']
const url = '/Science/Creator/Flows/Daily/latest'
const share = (body: object, caller = anna) =>
  caller.call(sharePipeline, { body: { pipelineId, url, emails: [], ...body } as never })
/** Creates a user without access to Anna's groups. */
const newUser = () => server.createUser({ role: 'Pipeline builder' })
const mailsTo = ({ userName }: Session) => mailServer.mails.filter(({ to }) => to.includes(userName))
const accessOf = (session: Session, name: string) =>
  session.call(getGroup, { params: { name } }).then(
    ({ access }) => access,
    () => undefined,
  )

test('a share is rejected if the pipeline uses groups that are not in the request, because the preview is outdated', async () => {
  const ben = await newUser()
  const shared = refusal(share({ emails: [ben.userName], groupNames: used }))
  expect(await shared).toMatchObject({ status: 409, body: { code: 'groupsChanged' } })
  expect(await accessOf(ben, 'Prices')).toBeUndefined()
})

test('DP-176 DP-178 a preview lists all groups of the pipeline and the access each user gains, without changing anything', async () => {
  const ben = await newUser()
  const preview = await share({ emails: [ben.userName], dryRun: true })
  const gains = [{ email: ben.userName, before: null, replacesRange: false, after: 'R' }]
  expect(preview.groups.toSorted((a, b) => (a.groupName < b.groupName ? -1 : 1))).toEqual(
    [
      ...used.map((groupName) => ({ groupName, canShare: true, recipients: gains })),
      { groupName: 'Of Carl', canShare: false, recipients: [] },
    ].toSorted((a, b) => (a.groupName < b.groupName ? -1 : 1)),
  )
  expect(preview.groups[0]!.groupName).toBe('Flows')
  expect(preview.groupsNotShared).toEqual(['Of Carl'])
  expect(preview.tasksWithExpressions).toEqual(['Load'])
  expect(await Promise.all(used.map((name) => accessOf(ben, name)))).toEqual(used.map(() => undefined))
  expect(mailsTo(ben)).toEqual([])
})

test('DP-176 DP-177 DP-178 a share grants read access to the groups that the caller can share, and e-mails the message with a link to this server', async () => {
  const ben = await newUser()
  const request = {
    url: 'https://elsewhere.example.com/Science/Creator/Flows/Daily/latest?x=1',
    access: 'R',
    message: 'Please look.',
    emails: [ben.userName],
  }
  expect((await share(request)).groupsNotShared).toEqual(['Of Carl'])
  expect(await Promise.all(used.map((name) => accessOf(ben, name)))).toEqual(used.map(() => 'R'))
  expect(await accessOf(ben, 'Of Carl')).toBeUndefined()
  expect((await ben.call(getPipeline, { params: { pipelineId }, query: {} })).pipeline.writeAccess).toBe(
    false,
  )
  await expect.poll(() => mailsTo(ben).length).toBe(1)
  const [mail] = mailsTo(ben)
  expect(mail!.to).toEqual([ben.userName])
  for (const part of [
    'anna@example.com',
    'Daily',
    'Please look.',
    'https://data.example.com/Science/Creator/Flows/Daily/latest?x=1',
  ])
    expect(mail!.text).toContain(part)
  expect(mail!.text).not.toContain('elsewhere')
})

const task = (id: string, taskName: string, params: Record<string, object>, taskGroup = 'Library') => ({
  id,
  taskName,
  taskGroup,
  taskReadableName: id,
  taskOverrides: { params: Object.entries(params).map(([name, param]) => ({ name, ...param })) },
})
/** Saves a pipeline and returns the names of the groups in the preview of its share. */
async function previewOf(name: string, tasks: object[], groupName = 'Flows') {
  const { pipeline } = await anna.call(createPipeline, { body: { name, groupName, tasks } as never })
  const { groups } = await share({ pipelineId: pipeline.id, dryRun: true })
  return groups.map((group) => group.groupName)
}

test('sharing a pipeline shares the groups of all tasks, even if tasks use outputs of other tasks', async () => {
  const value = '${3f0c2f5e-4d7a-4c8e-9d52-0a4f6b6c1a11}'
  const groups = await previewOf('Linked', [
    task('first', 'pass', { Result: { value, type: 'OUTPUT' } }),
    {
      ...task('second', 'load', { Note: { value }, Target: { value: 'Prices' } }),
      prevTasks: [{ id: 'first' }],
    },
  ])
  expect(groups).toEqual(['Flows', 'Library', 'Prices'])
})

test('the type of a value, not the name of its parameter, determines whether it refers to a group', async () => {
  const params = { groupBy: { value: 'Of Carl' }, Settings: { value: '{"groupName": "Series"}' } }
  expect(await previewOf('Typed', [task('a', 'pass', params)])).toEqual(['Flows', 'Library', 'Series'])
})

test('sharing includes the groups of the pipelines that a pipeline runs, directly or indirectly', async () => {
  for (const name of ['Below', 'Deep']) await anna.call(createGroup, { body: { name } })
  const runs = (pipeline: string, group: string) =>
    task('run', 'run-pipeline', { pipeline: { value: pipeline }, group: { value: group } }, '')
  await previewOf('Deepest', [task('a', 'load', { Target: { value: 'Prices' } })], 'Deep')
  await previewOf('Middle', [runs('Deepest', 'Deep')], 'Below')
  const groups = await previewOf('Top', [runs('Middle', 'Below')])
  expect(groups.toSorted()).toEqual(['Below', 'Deep', 'Flows', 'Library', 'Prices'])
})

test('a pipeline that runs more than 200 other pipelines cannot be shared, because too many groups would have to be looked up', async () => {
  const runs = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      ...task('run', 'run-pipeline', { pipeline: { value: `none ${index}` } }, ''),
      id: `run ${index}`,
    }))
  expect(await previewOf('Many', runs(200))).toEqual(['Flows'])
  expect(await refusal(previewOf('Too many', runs(201)))).toMatchObject({
    status: 400,
    message: expect.stringContaining(
      'The pipeline runs more than 200 other pipelines. Share the groups that it uses one by one.',
    ),
  })
})

/** Grants a user access to the group of the pipeline, and returns whether they can share the pipeline, by its page and its list. */
async function canShareWith(user: Session, access: string): Promise<boolean> {
  await server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, source, source_id, access)
     select groups.id, users.id, 'direct', '', $1 from groups, user_names users
     where groups.name = 'Flows' and user_name = $2
     on conflict (group_id, user_id, source, source_id) do update set access = excluded.access`,
    [access, user.userName],
  )
  const { pipeline } = await user.call(getPipeline, { params: { pipelineId }, query: {} })
  const listed = await user.call(searchPipelines, { query: { query: 'Daily' } as never })
  expect(listed.items[0]!.canShare).toBe(pipeline.canShare)
  return pipeline.canShare
}

test('users with RS access to its group can share a pipeline; RW access is not enough', async () => {
  const [ben, dora] = [await newUser(), await newUser()]
  expect(await canShareWith(ben, 'RW')).toBe(false)
  expect(await refusal(share({ emails: [dora.userName] }, ben))).toMatchObject({ status: 403 })
  expect(await canShareWith(ben, 'RS')).toBe(true)
  await share({ emails: [dora.userName] }, ben)
  expect(await accessOf(dora, 'Flows')).toBe('R')
})

test('users with a role that cannot share groups cannot share them through a pipeline', async () => {
  const author = await server.createUser({ role: 'Report author' })
  expect(await canShareWith(author, 'RWS')).toBe(false)
  expect(await refusal(share({ emails: ['carl@example.com'] }, author))).toMatchObject({
    status: 403,
    body: { message: 'You are not allowed to share groups. Ask an administrator for permission.' },
  })
})

test('DP-176 sharing with a user who has more access preserves that access, also in the preview', async () => {
  const { rows } = await server.running.platform.database.pool.query<{ id: number }>(
    "select id from groups where name = 'Prices'",
  )
  await server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, access) select $1, id, 'RW' from user_names where user_name = 'carl@example.com'`,
    [rows[0]!.id],
  )
  const { groups } = await share({ emails: ['carl@example.com'], dryRun: true })
  expect(groups.find(({ groupName }) => groupName === 'Prices')!.recipients).toEqual([
    { email: 'carl@example.com', before: 'RW', replacesRange: false, after: 'RW' },
  ])
  await share({ emails: ['carl@example.com'] })
  expect([await accessOf(carl, 'Prices'), await accessOf(carl, 'Flows')]).toEqual(['RW', 'R'])
})

test('the preview marks users with a share that has a date range, which the new share replaces', async () => {
  const ben = await newUser()
  await server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, access, data_from)
     select groups.id, users.id, 'R', '2026-03-01' from groups, user_names users
     where groups.name = 'Prices' and user_name = $1`,
    [ben.userName],
  )
  const { groups } = await share({ emails: [ben.userName], dryRun: true })
  const replaced = groups
    .filter(({ recipients }) => recipients[0]?.replacesRange)
    .map(({ groupName }) => groupName)
  expect(replaced).toEqual(['Prices'])
  const firstDay = async () => (await ben.call(getGroup, { params: { name: 'Prices' } })).dataStart ?? null
  expect(await firstDay()).not.toBeNull()
  await share({ emails: [ben.userName] })
  expect(await firstDay()).toBeNull()
})

test('invalid shares are rejected with a message on the field, and users with read access cannot share', async () => {
  const ben = await newUser()
  for (const [body, message] of [
    [{ emails: [] }, 'Enter at least one e-mail address.'],
    [{ emails: ['nobody'] }, '“nobody” is not an e-mail address.'],
    [
      { emails: ['nobody@example.com'] },
      'No active user found for: nobody@example.com. You can share only with people who have an account.',
    ],
    [{ emails: ['anna@example.com'] }, 'You already have access to this pipeline.'],
    [{ emails: [ben.userName], access: 'RW' }, 'A pipeline is shared with the access R.'],
    [{ emails: [ben.userName], url: 'javascript:alert(1)' }, 'Send the URL of a page below /Science/.'],
  ] as const) {
    const refused = await refusal(share(body))
    expect(refused.status).toBe(400)
    expect(refused.body.validationErrors![0]!.message).toBe(message)
  }
  await share({ emails: [ben.userName] })
  expect((await refusal(share({ emails: ['carl@example.com'] }, ben))).status).toBe(403)
  const stranger = await newUser()
  expect((await refusal(share({ emails: ['carl@example.com'] }, stranger))).status).toBe(404)
})

test('pipelines cannot be shared when the configuration disables sharing', async () => {
  const closed = await startTestServer({ env: { HEADWATER_SHARING_ENABLED: 'False' } })
  try {
    await closed.admin.call(createGroup, { body: { name: 'Flows' } })
    await closed.createUser({ email: 'ben@example.com' })
    const body = { name: 'Daily', groupName: 'Flows', tasks: [] }
    const { pipeline } = await closed.admin.call(createPipeline, { body })
    const refused = await refusal(
      closed.admin.call(sharePipeline, {
        body: { pipelineId: pipeline.id, url, emails: ['ben@example.com'] } as never,
      }),
    )
    expect(refused).toMatchObject({ status: 403, body: { code: 'sharingOff' } })
  } finally {
    await closed.stop()
  }
})
