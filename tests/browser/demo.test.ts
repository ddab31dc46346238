import { expect, test } from 'vitest'
import { getDemo } from '@headwater/demo/contract'
import { createInsight, emptyContent } from '@headwater/insights/contract'
import { accessibilityProblems, openAs } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage({ env: { HEADWATER_DEMO: 'on' } })

test('the demo goes after a question that says what goes and what stays', async () => {
  const demoState = async () => (await stage.server.admin.call(getDemo, {})).state
  await expect.poll(demoState, { timeout: 60_000, interval: 100 }).toBe('loaded')
  const boss = await stage.server.createUser({ role: 'Administrator' })
  const body = { insightName: 'Mine', groupName: 'Demo', content: emptyContent() as never }
  await boss.call(createInsight, { body })
  const page = await stage.newPage()
  await openAs(page, stage.server.url, boss.userName, '/Insight')
  const rows = page.getByRole('grid').getByRole('row')
  await rows.filter({ hasText: 'Electricity, weather' }).waitFor()
  const notice = page.getByRole('complementary', { name: 'Demo workspace' })
  await notice.getByRole('button', { name: 'Remove the demo' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove the demo' })
  await dialog.getByText('Iowa electricity, Seattle weather, Stock prices, and Mauna Loa CO2.').waitFor()
  await dialog.getByText('Demo: 1 insight', { exact: true }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await boss.call(getDemo, {})).state).toBe('loaded')

  await notice.getByRole('button', { name: 'Remove the demo' }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('The demo workspace has been removed.').waitFor()
  await notice.waitFor({ state: 'detached' })
  await rows.filter({ hasText: 'Mine' }).waitFor()
  await expect.poll(() => rows.filter({ hasText: 'Electricity, weather' }).count()).toBe(0)
})
