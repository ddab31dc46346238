import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateUser } from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
import { createPipeline, executePipeline } from '@headwater/pipelines/contract'
import { startMailServer, type Session } from '@headwater/server/testing'
import { accessibilityProblems } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const mailServer = await startMailServer()
const stage = setUpStage({ env: { HEADWATER_SMTP_URL: mailServer.url } })
afterAll(() => mailServer.stop())

let anna: Session
let boss: Session
let pipelineId: string

beforeAll(async () => {
  const role = 'Pipeline builder'
  anna = await stage.server.createUser({ role, email: 'anna@example.com' })
  boss = await stage.server.createUser({ role, email: 'boss@example.com' })
  await anna.call(createGroup, { body: { name: 'Flows' } })
  const params = [
    { name: 'approvers', value: 'boss@example.com' },
    { name: 'message', value: 'Publish the prices of May?' },
  ]
  const tasks = [{ id: 'ask', taskReadableName: 'Release', taskName: 'approval', taskOverrides: { params } }]
  const made = await anna.call(createPipeline, { body: { name: 'Month end', groupName: 'Flows', tasks } })
  pipelineId = made.pipeline.id
})

/** Starts a run and returns the path of the mailed link. */
async function linkOf(): Promise<string> {
  const { jobId } = await anna.call(executePipeline, { params: { pipelineId }, body: { waitSeconds: 60 } })
  const find = () =>
    mailServer.mails
      .map(({ text }) => new RegExp(`/Science/Pipeline/Approval/${jobId}#\\S+`).exec(text)?.[0])
      .find((link) => link !== undefined)
  await expect.poll(find, { timeout: 30_000 }).toBeDefined()
  return find()!
}

test('DP-554 DP-556 DP-557 the mailed link opens a page that decides only when a button is pressed; the pages Approve and Decline also decide', async () => {
  const link = await linkOf()
  const page = await stage.open(link, boss)
  await page.getByText('Publish the prices of May?').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    const folder = process.env['HEADWATER_PICTURES']
    if (folder !== undefined) await page.screenshot({ path: `${folder}/approval-${colorScheme}.png` })
  }
  await page.reload()
  await page.getByRole('button', { name: 'Decline', exact: true }).waitFor()
  const sent = page.waitForRequest((request) => request.url().endsWith('/mgmt/pipeline/approve'))
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  expect((await sent).postDataJSON()).toMatchObject({
    token: link.split('#')[1],
    jobId: link.split(/[/#]/)[4],
    approveTime: expect.any(String),
  })
  await page.getByText('Release: approved').waitFor()
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)

  const second = (await linkOf()).replace('/Approval/', '/Decline/')
  await page.goto(`${stage.server.url}${second}`)
  await page.getByRole('button', { name: 'Decline', exact: true }).click()
  await page.getByText('Release: declined').waitFor()
  await page.goto(`${stage.server.url}${second.replace('/Decline/', '/Approve/')}`)
  await page.getByText('Release: declined').waitFor()
  const third = (await linkOf()).replace('/Approval/', '/Approve/')
  await page.goto(`${stage.server.url}${third}`)
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('Release: approved').waitFor()
  await page.goto(`${stage.server.url}/Science/Pipeline/Approve`)
  await page.getByText('Open the link from your e-mail').waitFor()
})

test('a run that waits for an approval links to its page, which tells the user of the run who decides', async () => {
  const jobId = (await linkOf()).split(/[/#]/)[4]!
  const page = await stage.open(`/Science/Monitor/Details/${jobId}?step=ask`, anna)
  await page.getByRole('link', { name: 'Open approval' }).click()
  await page.getByText('Release: waiting for approval').waitFor()
  await page.getByRole('list', { name: 'Approvers' }).getByText('boss@example.com').waitFor()
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.goto(`${stage.server.url}/Science/Creator/Flows/Month%20end/latest?jobId=${jobId}`)
  await page.getByRole('link', { name: 'Open approval' }).waitFor()
  expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
})

test('an approver who can read the run decides from its page, which names the approvers', async () => {
  await stage.server.grantGroup({ groupName: 'Flows', userName: boss.userName, access: 'R' })
  const jobId = (await linkOf()).split(/[/#]/)[4]!
  const page = await stage.open(`/Science/Monitor/Details/${jobId}?step=ask`, boss)
  await page.getByText('Waiting for approval by boss@example.com.').waitFor()
  expect(await page.getByRole('button', { name: /^Approve/ }).count()).toBe(0)
  await page.getByRole('link', { name: 'Open approval' }).click()
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByText('Release: approved').waitFor()
})

test('the pages of a paused run name a deactivated approver and say that administrators can decide', async () => {
  const jobId = (await linkOf()).split(/[/#]/)[4]!
  const setActive = (active: boolean) =>
    stage.server.admin.call(updateUser, { params: { userName: boss.userName }, body: { active } })
  await setActive(false)
  try {
    const hint = /These approvers cannot decide: boss@example\.com\..* Administrators can decide instead\./
    const page = await stage.open(`/Science/Monitor/Details/${jobId}?step=ask`, anna)
    await page.getByText(hint).waitFor()
    await page.getByRole('link', { name: 'Open approval' }).click()
    await page.getByText(hint).waitFor()
    await page.goto(`${stage.server.url}/Science/Creator/Flows/Month%20end/latest?jobId=${jobId}`)
    await page.getByRole('button', { name: 'Status of Release: paused', exact: true }).click()
    const box = page.getByRole('dialog', { name: 'Status of Release' })
    await box.getByText('Waiting for approval by boss@example.com.').waitFor()
    await box.getByText(hint).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    const folder = process.env['HEADWATER_PICTURES']
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      if (folder !== undefined) await page.screenshot({ path: `${folder}/unable-${colorScheme}.png` })
    }
  } finally {
    await setActive(true)
  }
})

test('DP-555 the approval pages require their entitlement', async () => {
  const viewer = await stage.server.createUser({ role: 'Viewer' })
  const page = await stage.open(await linkOf(), viewer)
  await page.getByText('You do not have access to this page').waitFor()
  expect(await page.getByText('Publish the prices of May?').count()).toBe(0)
  expect(await page.getByRole('button', { name: 'Approve', exact: true }).count()).toBe(0)
})
