import type { Browser } from 'playwright'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { getDemo } from '@headwater/demo/contract'
import { type TestServer, startTestServer } from '@headwater/server/testing'
import { openAs, openBrowser, openPage } from './open-browser.ts'
import { startInsightUse } from './insight-use.ts'

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

test('going from insight to insight leaves no nodes and listeners behind', async () => {
  const demoState = async () => (await server.admin.call(getDemo, {})).state
  await expect.poll(demoState, { timeout: 60_000, interval: 100 }).toBe('loaded')
  const boss = await server.createUser({ role: 'Administrator' })
  const { page, problems } = await openPage(browser)
  await openAs(page, server.url, boss.userName, '/Insight')
  const use = await startInsightUse(page, ['Electricity, weather, markets and air', 'One stock at a time'])
  for (let round = 0; round < 3; round++) await use.round()
  const before = await use.weigh()
  for (let round = 0; round < 6; round++) await use.round()
  const after = await use.weigh()
  expect(after.nodes).toBeLessThan(before.nodes * 1.25)
  expect(after.listeners).toBeLessThan(before.listeners * 1.25)
  expect(problems).toEqual([])
}, 180_000)
