import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateUser } from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
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
  resumePipeline,
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
    .poll(read, { timeout: 30_000 })
    .toBeDefined()
    .then(async () => (await read())!)
}

/** Runs a pipeline with an approval, and returns its job once all e-mails have arrived, with the token of each approver. */
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
  return { jobId, tokenOf }
}

const stepsOf = async (jobId: string) => (await owner.call(getRun, { params: { jobId } })).steps
const ended = (jobId: string) =>
  poll(async () => {
    const { run: read, steps } = await owner.call(getRun, { params: { jobId } })
    return read.endTime === null ? undefined : { status: read.status, steps }
  })
const approve = (user: Session, jobId: string, token?: string) =>
  user.call(approvePipeline, { body: { jobId, ...(token === undefined ? {} : { token }) } })

test('DP-556 SH-255 a run waits until enough approvers have decided with their links; each link works once, for its user and run only', async () => {
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

test('DP-557 one refusal declines the task, and other links no longer decide', async () => {
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

test('an administrator decides without a link, and the links of the approvers no longer decide', async () => {
  const { jobId, tokenOf } = await run({})
  const forBoss = await tokenOf('boss@example.com')
  await approve(server.admin, jobId)
  expect((await ended(jobId)).status).toBe('INFO')
  expect(await refusal(approve(boss, jobId, forBoss))).toMatchObject({ status: 409 })
})

test.each([
  ['APPROVE', 'INFO', 'Approved at the deadline.'],
  ['DECLINE', 'ERROR', 'The approvers did not decide before the deadline.'],
])('at the deadline the default decision %s applies', async (atDeadline, status, message) => {
  const { jobId } = await run({ deadlineHours: '0.0001', atDeadline })
  const result = await ended(jobId)
  expect(result.status).toBe(status)
  expect(result.steps[0]).toMatchObject({ message })
})

test('a save with approvers or numbers that cannot work is rejected', async () => {
  for (const wrong of [
    { approvers: 'nobody' },
    { required: '3' },
    { deadlineHours: '-1' },
    { atDeadline: 'MAYBE' },
  ])
    expect(await refusal(run(wrong as never))).toMatchObject({ status: 400 })
})

test('a save names approvers who cannot decide: viewers, deactivated users, and addresses without an account', async () => {
  await server.createUser({ role: 'Viewer', email: 'viewer@example.com' })
  const gone = await server.createUser({ role: 'Pipeline builder', email: 'gone@example.com' })
  await setActive(gone, false)
  const approvers = 'boss@example.com, Viewer@example.com, gone@example.com, unknown@example.com'
  expect(await refusal(run({ approvers }))).toMatchObject({
    status: 400,
    body: {
      message: expect.stringContaining(
        'These approvers cannot decide: viewer@example.com, gone@example.com, unknown@example.com. ' +
          'Approvers need an active account with read access to Science/Pipeline.',
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

test('approvers who lost their access after the save get no e-mail; the e-mails to the others name them', async () => {
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
  await expect.poll(() => mails().length, { timeout: 30_000 }).toBe(1)
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
