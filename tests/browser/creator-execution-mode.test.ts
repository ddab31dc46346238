import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { createGroup, shareGroups } from '@headwater/groups/contract'
import { createPipeline, getPipelineByName } from '@headwater/pipelines/contract'
import { openedList } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
const address = '/Science/Creator/Flows/quotes/latest'
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
