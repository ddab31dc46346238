import { expect, test } from 'vitest'
import { getDemo } from '@headwater/demo/contract'
import { openAs } from './open-browser.ts'
import { startInsightUse } from './insight-use.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage({ env: { HEADWATER_DEMO: 'on' } })

test('switching between insights leaks no nodes or listeners', async () => {
  const demoState = async () => (await stage.server.admin.call(getDemo, {})).state
  await expect.poll(demoState, { timeout: 60_000, interval: 100 }).toBe('loaded')
  const boss = await stage.server.createUser({ role: 'Administrator' })
  const page = await stage.newPage()
  await openAs(page, stage.server.url, boss.userName, '/Insight')
  const use = await startInsightUse(page, ['Electricity, weather, markets and air', 'One stock at a time'])
  for (let round = 0; round < 3; round++) await use.round()
  const before = await use.weigh()
  for (let round = 0; round < 6; round++) await use.round()
  const after = await use.weigh()
  expect(after.nodes).toBeLessThan(before.nodes * 1.25)
  expect(after.listeners).toBeLessThan(before.listeners * 1.25)
}, 180_000)
