import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import {
  createPipeline,
  getPipelineByName,
  getPipelineSchedule,
  setPipelineSchedule,
} from '@headwater/pipelines/contract'
import type { Session } from '@headwater/server/testing'
import { accessibilityProblems, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage({
  env: { HEADWATER_MAIL_IN_ADDRESS: 'in@example.com', HEADWATER_MAIL_IN_PORT: '0' },
})
let anna: Session
let pipelineId: string

beforeAll(async () => {
  anna = await stage.server.createUser({ role: 'Pipeline builder', email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Flows' } })
  const make = (name: string) => anna.call(createPipeline, { body: { name, groupName: 'Flows' } })
  pipelineId = (await make('Daily')).pipeline.id
  await make('Upstream')
})

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })

async function add(page: Page, type: string): Promise<Locator> {
  await button(page, 'Add trigger').first().click()
  await page.getByRole('menuitem', { name: type, exact: true }).click()
  return page.getByRole('dialog', { name: `New trigger: ${type}` })
}

async function addTag(page: Page, field: Locator, text: string): Promise<void> {
  await field.fill(text)
  await page.keyboard.press('Enter')
}

async function choose(page: Page, field: Locator, option: string | RegExp): Promise<void> {
  await field.click()
  await page.getByRole('option', { name: option }).first().click()
}

const stored = async () =>
  (await anna.call(getPipelineSchedule, { params: { pipelineId } })).schedulerTriggers

test('the keyboard removes a time of a trigger with its button, or the last one with Backspace', async () => {
  const page = await stage.open('/Science/Schedules/Flows/Daily', anna)
  const dialog = await add(page, 'Calendar or interval')
  const times = dialog.getByRole('combobox', { name: 'Times' })
  for (const time of ['12:30', '18:00']) await addTag(page, times, time)
  const remove = () =>
    dialog
      .getByRole('button', { name: /^Remove \d/ })
      .evaluateAll((all) => all.map((one) => one.getAttribute('aria-label')))
  expect(await remove()).toEqual(['Remove 07:00', 'Remove 12:30', 'Remove 18:00'])
  expect(await accessibilityProblems(page)).toEqual([])
  await times.focus()
  for (let step = 0; step < 3; step++) await page.keyboard.press('Shift+Tab')
  await page.keyboard.press('Enter')
  await expect.poll(remove).toEqual(['Remove 12:30', 'Remove 18:00'])
  await expect.poll(() => times.evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.press('Backspace')
  await expect.poll(remove).toEqual(['Remove 12:30'])
})

test('DP-549 DP-551 DP-552 DP-553 each type of trigger has a form; a cron expression is translated or shows a warning; triggers refresh every 10 minutes', async () => {
  const page = await stage.open('/Science/Schedules/Flows/Daily', anna)
  const save = async (dialog: Locator) => {
    await button(dialog, 'Save').click()
    await dialog.waitFor({ state: 'hidden' })
  }

  const cron = await add(page, 'Cron schedule')
  await cron.getByText('At 07:00, Monday through Friday', { exact: true }).waitFor()
  expect(await cron.getByRole('list', { name: 'Next runs' }).getByRole('listitem').count()).toBe(5)
  expect(await accessibilityProblems(page)).toEqual([])
  await cron.getByLabel('Cron expression').fill('every day')
  await cron.getByText('Could not translate the cron expression', { exact: true }).waitFor()
  await cron.getByLabel('Cron expression').fill('0 6 * * *')
  await choose(page, cron.getByRole('combobox', { name: 'Missed runs' }), 'Skip missed runs')
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await save(cron)
  expect((await sent).postDataJSON()).toEqual({
    schedulerTriggers: [expect.objectContaining({ type: 'CRON', cron: '0 6 * * *' })],
  })

  const scheduler = await add(page, 'Calendar or interval')
  await choose(page, scheduler.getByRole('combobox', { name: 'Days', exact: true }), 'Last day of the month')
  await scheduler.getByRole('combobox', { name: 'Holiday calendar' }).fill('Germany')
  await page.getByRole('option', { name: 'DE – Germany', exact: true }).click()
  await choose(
    page,
    scheduler.getByRole('combobox', { name: 'On holidays and weekends' }),
    'Run on the previous business day',
  )
  await scheduler.getByText('At 07:00 on the last day of the month', { exact: true }).waitFor()
  await choose(page, scheduler.getByRole('combobox', { name: 'Days', exact: true }), 'Days of the week')
  await scheduler.getByRole('combobox', { name: 'Days of the week' }).waitFor()
  const missing = scheduler.getByText(/Choose at least one day/)
  await expect.poll(() => missing.count()).toBe(0)
  await button(scheduler, 'Save').click()
  await expect.poll(() => missing.count()).toBe(1)
  await choose(page, scheduler.getByRole('combobox', { name: 'Repeats' }), 'At an interval')
  for (const name of ['Every', 'Start']) await scheduler.getByLabel(name).fill('')
  await button(scheduler, 'Save').click()
  await expect
    .poll(() =>
      scheduler
        .locator('[aria-invalid=true]')
        .evaluateAll((all) => all.map((one) => (one as HTMLInputElement).labels![0]!.textContent)),
    )
    .toEqual([expect.stringContaining('Every'), expect.stringContaining('Start')])
  await choose(page, scheduler.getByRole('combobox', { name: 'Repeats' }), 'On certain days')
  await choose(page, scheduler.getByRole('combobox', { name: 'Days', exact: true }), 'Last day of the month')
  await save(scheduler)

  const files = await add(page, 'File arrival')
  await choose(page, files.getByRole('combobox', { name: 'Group' }), 'Flows')
  await files.getByLabel('Name pattern').fill('prices*.csv')
  await save(files)
  // The type stands for the missing name; for times it is the rule.
  const triggers = page.getByRole('grid', { name: 'Triggers' })
  await expect.poll(() => triggers.getByText('File arrival', { exact: true }).count()).toBe(2)

  const after = await add(page, 'After another pipeline')
  await choose(page, after.getByRole('combobox', { name: 'Pipeline' }), 'Upstream (Flows)')
  await choose(page, after.getByRole('combobox', { name: 'Statuses' }), 'Error')
  await page.keyboard.press('Escape')
  await save(after)

  const mail = await add(page, 'E-mail')
  await addTag(page, mail.getByRole('combobox', { name: 'Allowed senders' }), '*@example.com')
  await save(mail)

  const retry = await add(page, 'Retry of failed runs')
  await retry.getByLabel('Attempts').fill('5')
  await choose(page, retry.getByRole('combobox', { name: 'Error class' }), 'Warning')
  await page.keyboard.press('Escape')
  await save(retry)

  const webhook = await add(page, 'Webhook')
  await webhook.getByLabel('Calls need a signature').check()
  await button(webhook, 'Save').click()
  const secret = page.getByRole('dialog', { name: 'URL of the webhook' })
  const url = await secret.getByRole('group', { name: 'URL' }).getByRole('code').textContent()
  expect(url).toMatch(new RegExp(`^${stage.server.url}/mgmt/webhook/.{20,}`))
  await secret.getByRole('group', { name: 'Signing key' }).waitFor()
  await button(secret, 'Done').click()
  expect(await page.content()).not.toContain(url!.split('/').at(-1))

  await expect.poll(stored).toMatchObject([
    { type: 'CRON', cron: '0 6 * * *', missedRuns: 'SKIP', active: true, owner: 'anna@example.com' },
    {
      type: 'SCHEDULER',
      rule: { kind: 'CALENDAR', times: ['07:00'], days: 'LAST_DAY_OF_MONTH' },
      holidayCalendar: 'DE',
      onFreeDay: 'PREVIOUS_BUSINESS_DAY',
    },
    { type: 'FILEARRIVAL', groupName: 'Flows', namePattern: 'prices*.csv' },
    { type: 'PIPELINE', pipelineName: 'Upstream', statuses: ['INFO', 'ERROR'] },
    { type: 'EMAIL', allowedSenders: ['*@example.com'] },
    { type: 'RETRY', attempts: 5, delaySeconds: 60, backoff: 2, statuses: ['WARN', 'ERROR'] },
    { type: 'None', signed: true },
  ])

  await button(page, 'Actions for Retry of failed runs').click()
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  const deleted = page.getByRole('dialog', { name: 'Retry of failed runs' })
  const others = (await stored()).filter(({ type }) => type !== 'RETRY')
  const removed = (await stored()).find(({ type }) => type === 'RETRY')!
  await anna.call(setPipelineSchedule, { params: { pipelineId }, body: { schedulerTriggers: others } })
  await button(deleted, 'Save').click()
  await deleted.getByText('This trigger was deleted. Close the form and add it again.').waitFor()
  expect(await stored()).toHaveLength(others.length)
  await button(deleted, 'Cancel').click()
  await anna.call(setPipelineSchedule, {
    params: { pipelineId },
    body: { schedulerTriggers: [...others, { ...removed, id: undefined }] },
  })

  await page.getByRole('switch', { name: 'Switch At 06:00' }).click({ force: true })
  await expect.poll(async () => (await stored())[0]!.active).toBe(false)
  await button(page, 'Actions for Webhook').click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await button(page.getByRole('dialog', { name: 'Delete trigger' }), 'Delete').click()
  await expect.poll(async () => (await stored()).length).toBe(6)
  expect(await accessibilityProblems(page)).toEqual([])

  await page.clock.install()
  let requests = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === `/mgmt/pipeline/${pipelineId}/schedule`) requests++
  })
  await page.reload()
  await page.getByRole('row', { name: /Cron schedule/ }).waitFor()
  await expect.poll(() => requests).toBe(1)
  // Some seconds have passed since the response; now the clock stands still.
  await stopClock(page)
  await page.clock.fastForward(580_000)
  expect(requests).toBe(1)
  await page.clock.fastForward(20_000)
  await expect.poll(() => requests).toBe(2)
})

test('“E-mail on failure” creates a pipeline that sends an e-mail after each failed run', async () => {
  const page = await stage.open('/Science/Schedules/Flows/Daily', anna)
  await button(page, 'E-mail on failure').click()
  const dialog = page.getByRole('dialog', { name: 'E-mail on failure' })
  await addTag(page, dialog.getByRole('combobox', { name: 'Recipients' }), 'desk@example.com')
  expect(await accessibilityProblems(page)).toEqual([])
  await button(dialog, 'Create pipeline').click()
  await page.getByText('Failure e-mail of Daily has been created.').waitFor()
  const query = { groupName: 'Flows', name: 'Failure e-mail of Daily' }
  const { pipeline, batchConfig } = await anna.call(getPipelineByName, { query })
  const { tasks } = batchConfig
  expect(tasks.map(({ taskName }) => taskName)).toEqual(['email-sender'])
  expect(tasks[0]!.taskOverrides.params).toContainEqual(
    expect.objectContaining({ name: 'recipients', value: 'anna@example.com,desk@example.com' }),
  )
  const { schedulerTriggers } = await anna.call(getPipelineSchedule, { params: { pipelineId: pipeline.id } })
  expect(schedulerTriggers).toMatchObject([
    { type: 'PIPELINE', pipelineId, statuses: ['ERROR'], active: true },
  ])
})
