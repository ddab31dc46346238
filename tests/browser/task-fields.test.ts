import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { createInsight, getInsight } from '@headwater/insights/contract'
import { createPipeline, getPipelineByName } from '@headwater/pipelines/contract'
import type { Session } from '@headwater/server/testing'
import { emptyContent } from '@headwater/tile-data/contract'
import { accessibilityProblems } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
let anna: Session
let admin: Session
let insightId: string

beforeAll(async () => {
  anna = await stage.server.createUser({ role: 'Pipeline builder', email: 'anna@example.com' })
  admin = await stage.server.createUser({ role: 'Administrator', email: 'carl@example.com' })
  for (const name of ['Flows', 'Reports']) await anna.call(createGroup, { body: { name } })
  for (const insightName of ['Sales', 'Stocks'])
    await admin.call(createInsight, { body: { insightName, groupName: 'Reports', content: emptyContent() } })
  insightId = (await anna.call(getInsight, { params: { groupName: 'Reports', insightName: 'Stocks' } })).id
})

/** Saves a pipeline of one built-in task and opens its panel. */
async function openTask(name: string, taskName: string, params: object[], user = anna): Promise<Page> {
  const tasks = [{ id: 'a', taskName, taskReadableName: 'The task', taskOverrides: { params } }]
  await anna.call(createPipeline, { body: { name, groupName: 'Flows', tasks: tasks as never } })
  const page = await stage.open(`/Science/Creator/Flows/${encodeURIComponent(name)}/latest`, user)
  await page.locator('.react-flow__node[data-id="a"]').getByText('The task').click()
  return page
}

async function savedParams(name: string) {
  const { batchConfig } = await anna.call(getPipelineByName, { query: { name, groupName: 'Flows' } })
  return batchConfig.tasks[0]!.taskOverrides.params
}

async function save(page: Page): Promise<void> {
  await page.keyboard.press('Control+s')
  await page.getByRole('banner').getByRole('button', { name: 'Saved', exact: true }).waitFor()
}

async function accessible(page: Page): Promise<void> {
  expect(await accessibilityProblems(page)).toEqual([])
}

test('the insight of a task is chosen by its name, and a stored id shows the name, also in the list of tasks', async () => {
  const page = await openTask('Tiles', 'tile-downloader', [{ name: 'insightId', value: insightId }])
  const panel = page.getByRole('complementary', { name: 'Task' })
  const field = panel.getByRole('combobox', { name: 'Insight', exact: true })
  await expect.poll(() => field.inputValue()).toBe('Stocks · Reports')
  // An insight that is chosen needs no group and file.
  expect(await panel.getByLabel('File name').count()).toBe(0)
  await field.fill('sal')
  await page.getByRole('option', { name: 'Sales · Reports' }).click()
  await accessible(page)
  await save(page)
  const { id } = await anna.call(getInsight, { params: { groupName: 'Reports', insightName: 'Sales' } })
  expect(await savedParams('Tiles')).toEqual([{ name: 'insightId', type: 'INPUT', value: id }])
  await page.locator('.react-flow__pane').click({ position: { x: 300, y: 600 } })
  const line = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem', { name: 'The task' })
  await line.getByText('Sales · Reports', { exact: true }).waitFor()
})

test('the id of an unknown or unreadable insight shows what to do', async () => {
  const page = await openTask('Lost', 'tile-downloader', [{ name: 'insightId', value: 'gone' }])
  await page.getByText('This insight does not exist, or you cannot read it. Choose another one.').waitFor()
})

test('a schedule shows its meaning and the next five runs in its time zone', async () => {
  const page = await openTask('Timed', 'cron-trigger', [{ name: 'cron', value: '0 7 * * 1-5' }])
  const panel = page.getByRole('complementary', { name: 'Task' })
  await panel.getByText('At 07:00, Monday through Friday').waitFor()
  const runs = panel.getByRole('list', { name: 'Next runs' }).locator('time')
  expect(await runs.count()).toBe(5)
  const zone = panel.getByRole('combobox', { name: 'Time zone' })
  await zone.fill('Tokyo')
  await page.getByRole('option', { name: 'Asia/Tokyo' }).click()
  // 07:00 in Japan is 22:00 UTC all year.
  await expect.poll(async () => (await runs.first().getAttribute('datetime'))?.slice(11, 16)).toBe('22:00')
  const cron = panel.getByLabel('Cron', { exact: true })
  await cron.fill('0 25 * * *')
  await panel.getByText('Could not translate the cron expression: Invalid value for hour: 25.').waitFor()
  await accessible(page)
  await cron.fill('30 6 * * 2')
  await panel.getByText('At 06:30, only on Tuesday').waitFor()
  await save(page)
  expect(await savedParams('Timed')).toEqual([
    { name: 'cron', type: 'INPUT', value: '30 6 * * 2' },
    { name: 'timeZone', type: 'INPUT', value: 'Asia/Tokyo' },
  ])
})

test('the placeholder of an empty schedule says that it is an example', async () => {
  const page = await stage.open('/Science/creator/New', anna)
  await page.getByRole('button', { name: 'Add Schedule', exact: true }).click()
  const cron = page.getByRole('complementary', { name: 'Task' }).getByLabel('Cron', { exact: true })
  expect(await cron.getAttribute('placeholder')).toBe('For example 0 7 * * 1-5')
  expect(await cron.inputValue()).toBe('')
})

test('recipients are chips; a pasted list becomes one chip per address, and an invalid address is named', async () => {
  const page = await openTask('Mail', 'email-sender', [
    { name: 'subject', value: 'Prices' },
    { name: 'recipients', value: 'ben@example.com' },
  ])
  const panel = page.getByRole('complementary', { name: 'Task' })
  const field = panel.getByLabel('Recipients', { exact: true })
  await panel.getByText('ben@example.com', { exact: true }).waitFor()
  await field.evaluate((input, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }))
  }, 'carl@example.com; dora@example.com')
  await field.pressSequentially('nobody;')
  await panel.getByText('“nobody” is not an e-mail address.').waitFor()
  await accessible(page)
  await page.keyboard.press('Backspace')
  await save(page)
  expect(await savedParams('Mail')).toContainEqual({
    name: 'recipients',
    type: 'INPUT',
    value: 'ben@example.com, carl@example.com, dora@example.com',
  })
})

test('users who can list users receive suggestions of addresses', async () => {
  const page = await openTask('Suggested', 'email-sender', [{ name: 'subject', value: 'Prices' }], admin)
  const panel = page.getByRole('complementary', { name: 'Task' })
  await panel.getByLabel('Recipients', { exact: true }).fill('ann')
  await page.getByRole('option', { name: 'anna@example.com' }).click()
  await panel.getByText('anna@example.com', { exact: true }).waitFor()
})
