import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDemo } from '@headwater/demo/contract'
import { createInsight, emptyContent } from '@headwater/insights/contract'
import { type TestServer, startTestServer } from '@headwater/server/testing'
import { accessibilityProblems, openAs, openBrowser, openPage } from './open-browser.ts'

let server: TestServer
let browser: Browser

beforeAll(async () => {
  server = await startTestServer({ env: { HEADWATER_DEMO: 'on' } })
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})

test('the demo goes after a question that says what goes and what stays', async () => {
  const demoState = async () => (await server.admin.call(getDemo, {})).state
  await expect.poll(demoState, { timeout: 60_000, interval: 100 }).toBe('loaded')
  const boss = await server.createUser({ role: 'Administrator' })
  const body = { insightName: 'Mine', groupName: 'Demo', content: emptyContent() as never }
  await boss.call(createInsight, { body })
  const { page, problems } = await openPage(browser)
  await openAs(page, server.url, boss.userName, '/Insight')
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
  expect(problems).toEqual([])
})
