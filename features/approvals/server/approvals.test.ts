import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateUser } from '@headwater/accounts/contract'
import { searchFiles } from '@headwater/files/contract'
import { createGroup, unshareGroup } from '@headwater/groups/contract'
import { getRun } from '@headwater/monitor/contract'
import { createTask } from '@headwater/tasks/contract'
import {
  refusal,
  startMailServer,
  startTestServer,
  type MailServer,
  type Session,
  type TestServer,
} from '@headwater/server/testing'
import {
  approvePipeline,
  continuePipeline,
  createPipeline,
  declinePipeline,
  executePipeline,
  repeatPipeline,
  resumePipeline,
  stopPipeline,
} from '@headwater/pipelines/contract'
import { getApproval } from '../contract/index.ts'

let mailServer: MailServer
let server: TestServer
let owner: Session
let boss: Session
let chief: Session

beforeAll(async () => {
  mailServer = await startMailServer()
  server = await startTestServer({
    env: { HEADWATER_SMTP_URL: mailServer.url, HEADWATER_PUBLIC_URL: 'https://data.example.com' },
  })
  const role = 'Pipeline builder'
  owner = await server.createUser({ role })
  boss = await server.createUser({ role, email: 'boss@example.com' })
  chief = await server.createUser({ role, email: 'chief@example.com' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
})
afterAll(async () => {
  await server.stop()
  await mailServer.stop()
})

async function poll<T>(read: () => T | undefined | Promise<T | undefined>): Promise<T> {
  return expect
    .poll(read)
    .toBeDefined()
    .then(async () => (await read())!)
}

/** Runs a pipeline with an approval. Once all e-mails have arrived, returns its job and the token of each approver. */
async function run(params: Record<string, string>) {
  const name = `Release ${crypto.randomUUID()}`
  const given = { approvers: 'boss@example.com, Chief@example.com', message: 'Prices of May', ...params }
  const { pipeline } = await owner.call(createPipeline, {
    body: {
      name,
      groupName: 'Flows',
      tasks: [
        {
          id: 'ask',
          taskReadableName: 'Ask',
          taskName: 'approval',
          taskOverrides: {
            params: Object.entries(given).map(([key, value]) => ({ name: key, value })),
          },
        },
        {
          id: 'send',
          taskReadableName: 'Send',
          taskName: 'cron-trigger',
          prevTasks: [{ id: 'ask' }],
          taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
        },
      ],
    },
  })
  const { jobId } = await owner.call(executePipeline, {
    params: { pipelineId: pipeline.id },
    body: { waitSeconds: 60 },
  })
  const tokenOf = (address: string) =>
    poll(() => {
      const mail = mailServer.mails.find(({ to, text }) => to.includes(address) && text.includes(jobId))
      return (
        mail &&
        new RegExp(`https://data.example.com/Science/Pipeline/Approval/${jobId}#(\\S+)`).exec(mail.text)?.[1]
      )
    })
  return { jobId, pipelineId: pipeline.id, tokenOf }
}

const stepsOf = async (jobId: string) => (await owner.call(getRun, { params: { jobId } })).steps
const ended = (jobId: string) =>
  poll(async () => {
    const { run: read, steps } = await owner.call(getRun, { params: { jobId } })
    return read.endTime === null ? undefined : { status: read.status, steps }
  })
const approve = (user: Session, jobId: string, token?: string) =>
  user.call(approvePipeline, { body: { jobId, ...(token === undefined ? {} : { token }) } })

test('DP-556 SH-255 a run waits until enough approvers have decided with their links; each link works once, only for its user and run', async () => {
  const { jobId, tokenOf } = await run({ required: '2' })
  const [forBoss, forChief] = [await tokenOf('boss@example.com'), await tokenOf('chief@example.com')]
  expect(forBoss).not.toBe(forChief)
  const { rows } = await server.running.platform.database.pool.query('select * from approval_requests')
  expect(JSON.stringify(rows)).not.toContain(forBoss)
  for (const attempt of [
    () => approve(owner, jobId),
    () => owner.call(continuePipeline, { body: { jobId } }),
    () => owner.call(resumePipeline, { body: { jobId, changes: [{ action: 'APPROVE', nodeId: 'ask' }] } }),
    () => owner.call(declinePipeline, { body: { jobId, nodeId: 'ask' } }),
  ])
    expect(await refusal(attempt())).toMatchObject({ status: 403, body: { code: 'approvalNeeded' } })
  const other = await run({})
  for (const [user, job, token] of [
    [boss, jobId, `${forBoss}x`],
    [boss, jobId, ''],
    [boss, jobId, forChief],
    [owner, jobId, forBoss],
    [boss, other.jobId, forBoss],
    [boss, 'x', forBoss],
  ] as const) {
    expect(await refusal(approve(user, job, token))).toMatchObject({ status: 404 })
    expect(await refusal(user.call(getApproval, { body: { jobId: job, token } }))).toMatchObject({
      status: 404,
    })
  }
  const view = () => boss.call(getApproval, { body: { jobId, token: forBoss } })
  expect(await view()).toMatchObject({
    state: 'WAITING',
    message: 'Prices of May',
    required: 2,
    taskName: 'Ask',
  })
  expect(await view()).toMatchObject({ state: 'WAITING' })
  await approve(boss, jobId, forBoss)
  expect(await view()).toMatchObject({
    state: 'DECIDED',
    approvers: [
      { userName: 'boss@example.com', isApproved: true, time: expect.any(String) },
      { userName: 'chief@example.com', isApproved: null, time: null },
    ],
  })
  expect(await refusal(approve(boss, jobId, forBoss))).toMatchObject({ status: 409 })
  expect((await stepsOf(jobId))[0]?.status).toBe('PAUSED')
  await chief.call(approvePipeline, {
    body: { jobId, token: forChief, approveTime: '2026-01-31T08:00:00Z' },
  })
  const { status, steps } = await ended(jobId)
  expect(status).toBe('INFO')
  expect(steps[0]).toMatchObject({
    message: 'Approved by boss@example.com, chief@example.com.',
    decisions: [{ isApproved: true, userName: 'chief@example.com', approveTime: '2026-01-31T08:00:00Z' }],
  })
  expect(steps[1]).toMatchObject({ status: 'INFO' })
  expect(await view()).toMatchObject({ state: 'APPROVED' })
})

test('without a link, approvers, the user of the run and administrators can read an approval; it states whether they can decide', async () => {
  const own = await run({ approvers: `${owner.userName}, boss@example.com`, required: '2' })
  const { jobId, tokenOf } = await run({})
  await tokenOf('boss@example.com')
  const read = (user: Session, job = jobId, nodeId?: string) =>
    user.call(getApproval, { body: { jobId: job, ...(nodeId === undefined ? {} : { nodeId }) } })
  const waiting = { state: 'WAITING', taskName: 'Ask', message: 'Prices of May' }
  expect(await read(owner)).toMatchObject({ ...waiting, canDecide: false })
  expect(await read(boss)).toMatchObject({ ...waiting, canDecide: true })
  expect(await read(server.admin, jobId, 'ask')).toMatchObject({ ...waiting, canDecide: true })
  await expect
    .poll(() => read(owner, own.jobId).catch(() => undefined))
    .toMatchObject({ ...waiting, canDecide: true })
  const stranger = await server.createUser({ role: 'Pipeline builder' })
  for (const [user, job, nodeId] of [
    [stranger, jobId, 'ask'],
    [owner, jobId, 'send'],
    [owner, jobId, 'unknown'],
    [owner, 'x', 'ask'],
    [owner, '00000000-0000-4000-8000-000000000000', 'ask'],
  ] as const)
    expect(await refusal(read(user, job, nodeId))).toMatchObject({ status: 404 })
  await approve(owner, own.jobId)
  expect(await read(owner, own.jobId, 'ask')).toMatchObject({ state: 'DECIDED', canDecide: false })
  await approve(server.admin, jobId)
  expect(await read(server.admin, jobId, 'ask')).toMatchObject({ state: 'APPROVED', canDecide: false })
})

test('approvers can also decide without the link, and the step names those who have not decided', async () => {
  const { jobId, tokenOf } = await run({ required: '2' })
  const forBoss = await tokenOf('boss@example.com')
  const stepOf = async (user: Session) => (await user.call(getRun, { params: { jobId } })).steps[0]!
  const both = ['boss@example.com', 'chief@example.com']
  expect(await stepOf(owner)).toMatchObject({ openApprovers: both, canDecide: false })
  expect(await stepOf(server.admin)).toMatchObject({ openApprovers: both, canDecide: true })
  const stranger = await server.createUser({ role: 'Pipeline builder' })
  expect(await refusal(approve(stranger, jobId))).toMatchObject({ status: 404 })
  await approve(boss, jobId)
  expect(await stepOf(owner)).toMatchObject({ openApprovers: ['chief@example.com'] })
  for (const token of [undefined, forBoss])
    expect(await refusal(approve(boss, jobId, token))).toMatchObject({ status: 409 })
  await chief.call(declinePipeline, { body: { jobId, nodeId: 'ask' } })
  const { status, steps } = await ended(jobId)
  expect(status).toBe('ERROR')
  expect(steps[0]).toMatchObject({ message: 'chief@example.com declined the task.', openApprovers: [] })
})

test('a paused run names approvers who were deactivated after the request, until an administrator decides', async () => {
  const leaver = await server.createUser({ role: 'Pipeline builder', email: 'leaver@example.com' })
  const { jobId, tokenOf } = await run({ approvers: 'boss@example.com, leaver@example.com', required: '2' })
  await tokenOf('leaver@example.com')
  const unable = async () => [
    (await owner.call(getApproval, { body: { jobId, nodeId: 'ask' } })).unableApprovers,
    (await owner.call(getRun, { params: { jobId } })).steps[0]!.unableApprovers,
  ]
  expect(await unable()).toEqual([[], []])
  await setActive(leaver, false)
  expect(await unable()).toEqual([['leaver@example.com'], ['leaver@example.com']])
  await approve(server.admin, jobId)
  expect(await unable()).toEqual([[], []])
})

test('DP-557 one refusal declines the task, and other links stop working', async () => {
  const { jobId, tokenOf } = await run({})
  const [forBoss, forChief] = [await tokenOf('boss@example.com'), await tokenOf('chief@example.com')]
  await boss.call(declinePipeline, { body: { jobId, token: forBoss } })
  const { status, steps } = await ended(jobId)
  expect(status).toBe('ERROR')
  expect(steps).toMatchObject([
    { status: 'ERROR', message: 'boss@example.com declined the task.' },
    { status: 'UNEXECUTED' },
  ])
  expect(await refusal(approve(chief, jobId, forChief))).toMatchObject({ status: 409 })
})

test('an administrator decides without a link, the record names the administrator, and the links of the approvers stop working', async () => {
  const { jobId, tokenOf } = await run({})
  const forBoss = await tokenOf('boss@example.com')
  await approve(server.admin, jobId)
  const { status, steps } = await ended(jobId)
  expect(status).toBe('INFO')
  expect(steps[0]).toMatchObject({ message: `Approved by ${server.admin.userName}.` })
  expect(await boss.call(getApproval, { body: { jobId, token: forBoss } })).toMatchObject({
    state: 'APPROVED',
    decidedBy: server.admin.userName,
  })
  expect(await refusal(approve(boss, jobId, forBoss))).toMatchObject({ status: 409 })
})

test('Continue never decides approvals, even for administrators and approvers; it starts the other paused tasks', async () => {
  const { jobId, tokenOf } = await run({})
  await tokenOf('boss@example.com')
  expect((await stepsOf(jobId)).map(({ isApproval }) => isApproval)).toEqual([true, false])
  for (const user of [server.admin, owner])
    for (const attempt of [
      () => user.call(continuePipeline, { body: { jobId } }),
      () => user.call(resumePipeline, { body: { jobId, changes: [] } }),
    ])
      expect(await refusal(attempt())).toMatchObject({
        status: 403,
        body: {
          message:
            '“Ask” waits for the decision of boss@example.com, chief@example.com. Only they and administrators can approve or decline it.',
        },
      })
  const tasks = [
    {
      id: 'ask',
      taskReadableName: 'Ask',
      taskName: 'approval',
      taskOverrides: { params: [{ name: 'approvers', value: owner.userName }] },
    },
    {
      id: 'load',
      taskReadableName: 'Load',
      taskName: 'cron-trigger',
      isPaused: true,
      taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
    },
  ]
  const body = { name: `Both ${crypto.randomUUID()}`, groupName: 'Flows', tasks }
  const { pipeline } = await owner.call(createPipeline, { body })
  const both = await owner.call(executePipeline, {
    params: { pipelineId: pipeline.id },
    body: { waitSeconds: 60 },
  })
  await owner.call(continuePipeline, { body: { jobId: both.jobId } })
  const loaded = await poll(async () => {
    const steps = await stepsOf(both.jobId)
    return steps[1]?.endTime == null ? undefined : steps
  })
  expect(loaded).toMatchObject([{ status: 'PAUSED' }, { status: 'INFO' }])
})

test('readers cannot run the tasks after an approval without the approval; users with write access can', async () => {
  const { jobId, pipelineId } = await run({})
  const reader = await server.createUser({ role: 'Pipeline builder' })
  await server.grantGroup({ groupName: 'Flows', userName: reader.userName, access: 'R' })
  const part = (user: Session, body: object) =>
    user.call(executePipeline, { params: { pipelineId }, body: { waitSeconds: 60, ...body } as never })
  for (const body of [{ onlyNodeId: 'send' }, { fromNodeId: 'send' }])
    expect(await refusal(part(reader, body))).toMatchObject({ status: 403 })
  const own = await part(reader, {})
  expect(own.status).toBe('PAUSED')
  const again = { jobId: own.jobId, onlyNodeId: 'send' }
  expect(await refusal(reader.call(repeatPipeline, { body: again }))).toMatchObject({ status: 403 })
  expect((await part(reader, { untilNodeId: 'send' })).status).toBe('PAUSED')
  expect((await part(owner, { onlyNodeId: 'send' })).status).toBe('INFO')

  // Once the approval was given, the tasks after it can be repeated.
  await approve(server.admin, jobId)
  await approve(server.admin, own.jobId)
  await ended(own.jobId)
  const repeated = await reader.call(repeatPipeline, { body: again })
  expect((await ended(repeated.jobId)).status).toBe('INFO')
})

test('a user who lost access to the group can stop their own runs, but cannot continue or repeat them', async () => {
  const { pipelineId } = await run({})
  const former = await server.createUser({ role: 'Pipeline builder' })
  await server.grantGroup({ groupName: 'Flows', userName: former.userName, access: 'R' })
  const { jobId } = await former.call(executePipeline, { params: { pipelineId }, body: { waitSeconds: 60 } })
  await owner.call(unshareGroup, { body: { groupName: 'Flows', emails: [former.userName] } })
  for (const attempt of [
    () => former.call(continuePipeline, { body: { jobId } }),
    () => former.call(resumePipeline, { body: { jobId, changes: [] } }),
    () => former.call(approvePipeline, { body: { jobId } }),
    () => former.call(repeatPipeline, { body: { jobId } }),
  ])
    expect(await refusal(attempt())).toMatchObject({ status: 404, body: { code: 'runNotFound' } })
  await former.call(stopPipeline, { body: { jobId } })
  expect((await ended(jobId)).status).toBe('ERROR')
})

test('a rejected resume stores none of the edited files', async () => {
  const { jobId } = await run({})
  await owner.call(createGroup, { body: { name: 'Others' } })
  const edit = (groupName: string, fileName: string) => ({
    action: 'FILE_EDIT' as const,
    payload: { groupName, fileName, content: 'x' },
  })
  const approval = { action: 'APPROVE' as const, nodeId: 'ask' }
  for (const [changes, status] of [
    [[edit('Others', 'a.txt'), { ...approval, nodeId: 'nope' }], 409],
    [[edit('Others', 'a.txt'), approval], 403],
    [[edit('Others', 'a.txt'), edit('Not a group', 'a.txt'), approval], 403],
    [[edit('Others', 'a.txt'), edit('Not a group', 'a.txt')], 403],
    [[edit('Others', '../a.txt')], 400],
    [[edit('Others', 'a\u202Etxt.exe')], 400],
  ] as const)
    expect(
      await refusal(owner.call(resumePipeline, { body: { jobId, changes: [...changes] } })),
    ).toMatchObject({
      status,
    })
  const { items } = await owner.call(searchFiles, { query: { query: 'groupName=Others' } })
  expect(items).toEqual([])
})

test.each([
  ['APPROVE', 'INFO', 'Approved at the deadline.'],
  ['DECLINE', 'ERROR', 'The approvers did not decide before the deadline.'],
])('the default decision %s applies at the deadline', async (atDeadline, status, message) => {
  const { jobId } = await run({ deadlineHours: '0.0001', atDeadline })
  const result = await ended(jobId)
  expect(result.status).toBe(status)
  expect(result.steps[0]).toMatchObject({ message })
})

test('a save with invalid approvers, numbers or decisions is rejected', async () => {
  for (const wrong of [
    { approvers: 'nobody' },
    { required: '3' },
    { deadlineHours: '-1' },
    { atDeadline: 'MAYBE' },
  ])
    expect(await refusal(run(wrong as never))).toMatchObject({ status: 400 })
})

test('a save with approvers who cannot decide is rejected: viewers, deactivated users, and addresses without an account', async () => {
  await server.createUser({ role: 'Viewer', email: 'viewer@example.com' })
  const gone = await server.createUser({ role: 'Pipeline builder', email: 'gone@example.com' })
  await setActive(gone, false)
  const approvers = 'boss@example.com, Viewer@example.com, gone@example.com, unknown@example.com'
  expect(await refusal(run({ approvers }))).toMatchObject({
    status: 400,
    body: {
      message: expect.stringContaining(
        'These approvers cannot decide: viewer@example.com, gone@example.com, unknown@example.com. ' +
          'Approvers need an active account with a role that builds pipelines, such as Analyst or Pipeline builder.',
      ) as string,
    },
  })
  const body = {
    name: 'Release of prices',
    groupName: 'Flows',
    definitionName: 'approval',
    params: [{ name: 'approvers', type: 'INPUT', valueType: 'ADDRESSES', value: 'viewer@example.com' }],
  }
  expect(await refusal(owner.call(createTask, { body: body as never }))).toMatchObject({
    status: 400,
    body: {
      message: expect.stringContaining('These approvers cannot decide: viewer@example.com.') as string,
    },
  })
})

test.each(['Analyst', 'Report author', 'Pipeline builder'])(
  'users who can save pipelines can be approvers: %s',
  async (role) => {
    const { userName } = await server.createUser({ role })
    const { jobId, tokenOf } = await run({ approvers: userName })
    expect(jobId).toBeTruthy()
    expect(await tokenOf(userName)).toBeTruthy()
  },
)

test('approvers who lost access after the save receive no e-mail; the e-mails to the other approvers name them', async () => {
  const late = await server.createUser({ role: 'Pipeline builder', email: 'late@example.com' })
  const name = `Release ${crypto.randomUUID()}`
  const { pipeline } = await owner.call(createPipeline, {
    body: {
      name,
      groupName: 'Flows',
      tasks: ['1', '2'].map((required) => ({
        id: required,
        taskReadableName: `Needs ${required}`,
        taskName: 'approval',
        taskOverrides: {
          params: [
            { name: 'approvers', value: 'boss@example.com, late@example.com' },
            { name: 'required', value: required },
          ],
        },
        prevTasks: required === '1' ? [] : [{ id: '1' }],
      })),
    },
  })
  await setActive(late, false)
  const { jobId } = await owner.call(executePipeline, {
    params: { pipelineId: pipeline.id },
    body: { waitSeconds: 60 },
  })
  const mails = () => mailServer.mails.filter(({ text }) => text.includes(jobId))
  await expect.poll(() => mails().length).toBe(1)
  expect(mails()[0]!.to).toContain('boss@example.com')
  expect(mails()[0]!.text).toContain('These approvers cannot decide: late@example.com.')
  await approve(boss, jobId, new RegExp(`${jobId}#(\\S+)`).exec(mails()[0]!.text)![1])
  const { status, steps } = await ended(jobId)
  expect(status).toBe('ERROR')
  expect(steps).toMatchObject([
    { status: 'INFO' },
    {
      status: 'ERROR',
      message: expect.stringContaining('These approvers cannot decide: late@example.com.') as string,
    },
  ])
  expect(mails()).toHaveLength(1)
})

async function setActive({ userName }: Session, active: boolean): Promise<void> {
  await server.admin.call(updateUser, { params: { userName }, body: { active } })
}
