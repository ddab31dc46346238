import { Buffer } from 'node:buffer'
import { afterAll, expect, test } from 'vitest'
import { getDemo } from '@headwater/demo/contract'
import { downloadFile, searchFiles } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight, getInsight } from '@headwater/insights/contract'
import { updatePublicStatus } from '@headwater/publishing/contract'
import { getDataPrepByName, toDataQuery } from '@headwater/preps/contract'
import { startMailServer, startTestServer, type TestServer } from '@headwater/server/testing'
import { searchSymbols } from '@headwater/symbols/contract'
import { accessibilityProblems, openAs } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const mailServer = await startMailServer()
const stage = setUpStage({
  env: {
    HEADWATER_DEMO: 'on',
    HEADWATER_UNFINISHED_PAGES: 'false',
    HEADWATER_SMTP_URL: mailServer.url,
  },
})
afterAll(() => mailServer.stop())

const demoState = async (server = stage.server) => (await server.admin.call(getDemo, {})).state

test('kinds of tiles that cannot display anything yet are not offered', async () => {
  const author = await stage.server.createUser({})
  const page = await stage.open('/Insight/Creator', author)
  const kinds = page.getByRole('list', { name: 'Kinds of tiles' })
  await kinds.getByRole('button', { name: /^Search/ }).waitFor()
  expect(await kinds.locator('> li').count()).toBe(8)
  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name: 'Search' }).waitFor()
  for (const name of ['Auto pipeline', 'Status', 'Diagram'])
    expect(await page.getByRole('menuitem', { name }).count()).toBe(0)
})

test('a data prep built in the browser on the demo data writes exactly the response to the same query over HTTP', async () => {
  await expect.poll(() => demoState(), { timeout: 60_000, interval: 100 }).toBe('loaded')
  const boss = await stage.server.createUser({ role: 'Administrator' })
  await boss.call(createGroup, { body: { name: 'Results' } })
  const page = await stage.open('/Storage/Creator/New?groupName=Stock%20prices#table', boss)
  for (const name of [/AAPL/, /MSFT/]) await page.getByRole('row', { name }).getByRole('checkbox').click()
  await page.getByRole('combobox', { name: 'Range', exact: true }).click()
  await page.getByRole('option', { name: 'All', exact: true }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Save and run' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save data prep' })
  await dialog.getByLabel('Name', { exact: true }).fill('Stocks')
  await dialog.getByRole('combobox', { name: 'Output group' }).click()
  await page.getByRole('option', { name: 'Results', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('The file Stocks.csv was saved in Results').first().waitFor()

  const prep = await boss.call(getDataPrepByName, { query: { groupName: 'Results', name: 'Stocks' } })
  const query = toDataQuery(prep)
  const reply = await boss.fetch('/ts/stream', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(query),
  })
  const { items } = await boss.call(searchFiles, { query: { query: 'name=Stocks.csv' } })
  const file = await boss.fetch(downloadFile.path.replace(':fid', items[0]!.fid))
  const written = Buffer.from(await file.arrayBuffer())
  expect(written.toString().split('\n').length).toBeGreaterThan(240)
  expect(written.equals(Buffer.from(await reply.arrayBuffer()))).toBe(true)
})

test('the demo pipeline is run from the creator: it fetches, checks and stores prices, and mails an insight', async () => {
  await expect.poll(() => demoState(), { timeout: 60_000, interval: 100 }).toBe('loaded')
  const boss = await stage.server.createUser({ role: 'Administrator' })
  const page = await stage.open('/Science/List#Pipelines', boss)
  await page.getByRole('link', { name: 'Check and mail stock prices', exact: true }).click()
  const canvas = page.getByRole('region', { name: 'Canvas' })
  await canvas.getByText('Mail report').waitFor()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('dialog', { name: 'Run pipeline' }).getByRole('button', { name: 'Run' }).click()
  await page.getByText('The run of Check and mail stock prices succeeded.', { exact: true }).waitFor()
  for (const name of [
    'Fetch prices',
    'Check prices',
    'Store as series',
    'Read the insight',
    'Create report',
    'Mail report',
  ])
    await canvas.getByRole('button', { name: `Status of ${name}: succeeded`, exact: true }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const { items } = await boss.call(searchSymbols, { query: { query: 'groupName.keyword=Demo' } })
  expect(items).toMatchObject([{ groupName: 'Demo', symbols: { Ticker: 'MSFT' } }])
  const mail = mailServer.mails.find(({ text }) => /^Subject: Stock prices\r?$/m.test(text))
  expect(mail?.text).toContain('MSFT')
})

test('visitors see every tile of a public demo insight, and a link to a tile scrolls it to the top', async () => {
  await expect.poll(() => demoState(), { timeout: 60_000, interval: 100 }).toBe('loaded')
  const location = { groupName: 'Demo', insightName: 'Electricity, weather, markets and air' }
  const boss = await stage.server.createUser({ role: 'Administrator' })
  await boss.call(updatePublicStatus, { body: { ...location, isPublic: true } })
  const { content } = await boss.call(getInsight, { params: location })
  const title = content.tiles[2]!.title
  const visitor = await stage.newPage()
  const path = `/Public/Insight/Demo/${encodeURIComponent(location.insightName)}`
  await visitor.goto(`${stage.server.url}${path}#${encodeURIComponent(title)}`)
  const entries = visitor.getByRole('navigation', { name: 'Main' }).getByRole('link')
  await expect
    .poll(() => entries.evaluateAll((all) => all.map((link) => link.getAttribute('aria-label'))))
    .toEqual(['Insight', 'Log in'])
  const tile = (name: string) => visitor.getByRole('region', { name, exact: true })
  await expect.poll(async () => (await tile(title).boundingBox())?.y ?? Infinity).toBeLessThan(200)
  for (const { title: name, type } of content.tiles) {
    await tile(name).scrollIntoViewIfNeeded()
    const visible = { Chart: 'canvas', Table: '[role=grid]' }[type]
    if (visible !== undefined) await tile(name).locator(visible).first().waitFor()
  }
  expect(await visitor.getByText('could not be loaded').count()).toBe(0)
})

test('the demo is removed after a dialog that lists deleted and remaining objects', async () => {
  // A separate server, because the other tests of this file need the demo.
  const server = await startTestServer({ env: { HEADWATER_DEMO: 'on' } })
  try {
    await removeDemoOf(server)
  } finally {
    await server.stop()
  }
})

async function removeDemoOf(server: TestServer): Promise<void> {
  await expect.poll(() => demoState(server), { timeout: 60_000, interval: 100 }).toBe('loaded')
  const boss = await server.createUser({ role: 'Administrator' })
  const body = { insightName: 'Mine', groupName: 'Demo', content: emptyContent() as never }
  await boss.call(createInsight, { body })
  const page = await stage.newPage()
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

  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Data lake' }).click()
  await page.getByRole('tab', { name: 'Groups' }).waitFor()
  expect(await notice.count()).toBe(0)
  await page.goBack()
  await notice.getByRole('button', { name: 'Hide this notice' }).click()
  await notice.waitFor({ state: 'detached' })
  const entries = page.getByRole('navigation', { name: 'Main' })
  await entries.getByRole('link', { name: boss.userName }).click()
  await notice.getByText('Explore the demo: 2 insights, 4 data groups').waitFor()
  expect(await notice.getByRole('button').allTextContents()).toEqual(['Remove the demo'])
  await notice.getByRole('button', { name: 'Remove the demo' }).click()
  await dialog.getByRole('button', { name: 'Remove', exact: true }).click()
  await page.getByText('The demo workspace has been removed.').waitFor()
  await notice.waitFor({ state: 'detached' })
  await entries.getByRole('link', { name: 'Insight', exact: true }).click()
  await rows.filter({ hasText: 'Mine' }).waitFor()
  await expect.poll(() => rows.filter({ hasText: 'Electricity, weather' }).count()).toBe(0)
}
