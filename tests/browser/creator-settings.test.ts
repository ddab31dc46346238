import type { Locator, Page } from 'playwright'
import { expect, test } from 'vitest'
import { createGroup, shareGroups } from '@headwater/groups/contract'
import { createInsight } from '@headwater/insights/contract'
import {
  createPipeline,
  executePipeline,
  getPipelineByName,
  updatePipeline,
} from '@headwater/pipelines/contract'
import { updatePublicStatus } from '@headwater/publishing/contract'
import { createTask } from '@headwater/tasks/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { openedList } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
const address = '/Science/Creator/Flows/quotes/latest'
const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })
const field = (page: Page) => page.getByRole('combobox', { name: 'Execution mode', exact: true })

test('the execution mode of a pipeline is edited with the keyboard, undone, saved in both directions and visible to readers', async () => {
  const anna = await stage.server.createUser({ role: 'Pipeline builder' })
  await anna.call(createGroup, { body: { name: 'Flows' } })
  await anna.call(createPipeline, { body: { name: 'quotes', groupName: 'Flows', tasks: [] } })
  const saved = async () => {
    const query = { name: 'quotes', groupName: 'Flows' }
    const { executionMode, version } = (await anna.call(getPipelineByName, { query })).pipeline
    return [executionMode, version]
  }
  const page = await stage.open(address, anna)
  const choose = async (key: string) => {
    await field(page).focus()
    await page.keyboard.press('Enter')
    await openedList(page)
    await page.keyboard.press(key)
    await page.keyboard.press('Enter')
  }
  const save = page.getByRole('button', { name: 'Save', exact: true })
  const value = () => field(page).inputValue()

  await expect.poll(value).toBe('Durable')
  await page.getByText('A crash repeats only the task that was running.').waitFor()
  await choose('ArrowDown')
  await expect.poll(value).toBe('Fused')
  await page.getByText('A crash repeats all of them').waitFor()
  await save.waitFor()
  await page.getByRole('button', { name: 'Undo', exact: true }).focus()
  await page.keyboard.press('Enter')
  await expect.poll(value).toBe('Durable')
  await choose('ArrowDown')
  await page.keyboard.press('Control+s')
  await expect.poll(saved).toEqual(['fused', 2])

  const ben = await stage.server.createUser({ role: 'Pipeline builder', email: 'ben.modes@example.com' })
  const share = { groupName: 'Flows', email: 'ben.modes@example.com', access: 'R' } as const
  await anna.call(shareGroups, { body: { sharesList: [share] } })
  const readOnly = await stage.open(address, ben)
  await field(readOnly).waitFor()
  expect([await field(readOnly).inputValue(), await field(readOnly).isDisabled()]).toEqual(['Fused', true])

  await page.getByRole('button', { name: 'Saved', exact: true }).waitFor()
  await choose('ArrowUp')
  await page.keyboard.press('Control+s')
  await expect.poll(saved).toEqual(['durable', 3])
})

test('a public group is not suggested for a new pipeline; after its confirmation the choices stay closed and the form can be saved', async () => {
  const owner = await stage.server.createUser({ email: 'publisher@example.com' })
  const location = { groupName: 'Public flows', insightName: 'Prices' }
  await owner.call(createGroup, { body: { name: location.groupName } })
  await owner.call(createInsight, { body: { ...location, content: emptyContent() } })
  await owner.call(updatePublicStatus, { body: { ...location, isPublic: true } })
  const given = { name: 'Opened', groupName: location.groupName, tasks: [] }
  await owner.call(createPipeline, { body: given })
  const page = await stage.open('/Science/Creator/Public%20flows/Opened/latest', owner)
  await expect.poll(() => page.evaluate(() => localStorage.getItem('ng-recents'))).toContain('Public flows')
  const access = page.waitForResponse(
    (response) => new URL(response.url()).pathname === '/file/group/Public%20flows' && response.ok(),
  )
  await page.goto(`${stage.server.url}/Science/creator/New`)
  await page.getByText('No tasks yet').waitFor()
  await access
  await page.keyboard.press('Control+s')
  const form = dialog(page, 'Save pipeline')
  const group = form.getByLabel('Group', { exact: true }).first()
  await expect.poll(() => group.inputValue()).toBe(`${owner.userName}_home`)
  await form.getByLabel('Name', { exact: true }).fill('Published')
  await group.fill('Public flows')
  await page.getByRole('option', { name: 'Public flows', exact: true }).click()
  const confirmation = dialog(page, 'Use a public group?')
  await button(confirmation, 'Use group').click()
  await confirmation.waitFor({ state: 'detached' })
  await expect.poll(() => group.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await page.getByRole('listbox').count()).toBe(0)
  await page.keyboard.press('ArrowDown')
  await page.getByRole('option', { name: 'Public flows', exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await button(form, 'Save').click()
  await page.waitForURL(/\/Science\/Creator\/Public%20flows\/Published\/latest/)
})

test('values of a run of another user are not used for a part; the list states who started the last run', async () => {
  const anna = await stage.server.createUser({ role: 'Pipeline builder', email: 'anna.parts@example.com' })
  const ben = await stage.server.createUser({ role: 'Pipeline builder', email: 'ben.parts@example.com' })
  const groupName = 'Shared flows'
  await anna.call(createGroup, { body: { name: groupName } })
  const share = { groupName, email: ben.userName, access: 'RW' } as const
  await anna.call(shareGroups, { body: { sharesList: [share] } })
  const code = { name: 'Script', value: 'print(1)', valueType: 'SCRIPT' } as const
  const script = { name: 'print', readableName: 'Prints', groupName, definitionName: 'python-runner' }
  await anna.call(createTask, { body: { ...script, params: [code] as never } })
  const task = { id: 'b', taskName: 'print', taskGroup: groupName, taskReadableName: 'Task B' }
  const version = { name: 'Of both', groupName, tasks: [task] as never }
  const { pipeline } = await anna.call(createPipeline, { body: version })
  const params = { pipelineId: pipeline.id }
  const { jobId } = await ben.call(executePipeline, { params, body: { waitSeconds: 60 } as never })
  await anna.call(updatePipeline, { params, body: { ...version, tags: ['changed'], version: 1 } })

  const page = await stage.open('/Science/List?query=both#Pipelines', anna)
  const listed = page.getByRole('row', { name: /Of both/ })
  await listed.getByRole('img', { name: `Run of ${ben.userName}` }).waitFor()
  await page.goto(`${stage.server.url}/Science/Creator/Shared%20flows/Of%20both/latest?jobId=${jobId}`)
  await button(page, 'Hide the run').waitFor()
  await page.locator('.react-flow__node').getByText('Task B').click()
  await button(page.getByRole('complementary', { name: 'Task' }), 'Run part of the pipeline').click()
  const started = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().includes('/execute'),
  )
  await page.getByRole('menuitem', { name: 'Only this task' }).click()
  const body = (await started).postDataJSON() as object
  expect(body).toMatchObject({ version: 2, onlyNodeId: 'b' })
  expect(body).not.toHaveProperty('valuesOfJobId')
  expect((await (await started).response())!.status()).toBe(200)
  await page.goto(`${stage.server.url}/Science/List?query=both#Pipelines`)
  await listed.getByText('Succeeded').waitFor()
  await expect.poll(() => listed.getByRole('img', { name: /^Run of/ }).count()).toBe(0)
})
