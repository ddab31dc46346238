import type { BrowserContextOptions, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
import { type Session, upload, uploadSeries } from '@headwater/server/testing'
import { accessibilityProblems, openAs } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Prices' } })
  const good = 'Commodity,Date,Price\nBrent,2026-01-01,70\nBrent,2026-01-02,71\n'
  await uploadSeries(anna, { groupName: 'Prices', fileName: 'good.csv', content: good })
  const content = 'Commodity,Date,Price\nBrent,2026-01-01,70\nBrent,yesterday,71\n'
  await upload(anna, { groupName: 'Prices', fileName: 'bad.csv', fileType: 'NCSV', content })
})

async function openPanel(options: BrowserContextOptions = {}, user = 'anna@example.com'): Promise<Page> {
  const page = await stage.newPage(options)
  await openAs(page, stage.server.url, user, '/Insight')
  await statusesEntry(page).click()
  await panel(page).getByText('bad.csv').waitFor()
  return page
}

const statusesEntry = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Statuses' })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Statuses' })
const block = (page: Page, name: string) => panel(page).getByRole('region', { name })

test('SH-259 SH-260 SH-261 the panel slides in, closes by its button and by a click beside it, and forgets its state', async () => {
  const page = await openPanel()
  await panel(page).getByLabel('Search statuses').fill('nothing of that name')
  await panel(page).getByText('bad.csv').waitFor({ state: 'detached' })
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await panel(page).waitFor({ state: 'detached' })
  await statusesEntry(page).click()
  await expect.poll(() => panel(page).getByLabel('Search statuses').inputValue()).toBe('')
  await panel(page).getByText('bad.csv').waitFor()
  await page.mouse.click(1400, 500)
  await panel(page).waitFor({ state: 'detached' })
})

test('SH-265 SH-266 SH-267 SH-268 SH-272 MAIN has a search and three blocks; a search without hits says so', async () => {
  const page = await openPanel({}, 'admin@example.com')
  await panel(page).getByPlaceholder('Search statuses by group, pipeline, data prep name').waitFor()
  for (const name of ['Pipelines', 'Groups', 'Data preps']) {
    await block(page, name).getByRole('button', { name: 'See all results' }).waitFor()
  }
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().includes('/status?') && each.url().includes('nonsense')),
    panel(page).getByLabel('Search statuses').fill('nonsense'),
  ])
  expect(new URL(request.url()).searchParams.get('size')).toBe('10')
  await block(page, 'Groups').getByText('Sorry, nothing found!').waitFor()
})

test('SH-269 a user who may not read pipelines sees no block of them', async () => {
  await stage.server.running.platform.database.pool.query(
    `delete from role_entitlements using roles
      where roles.id = role_id and roles.name = 'Report author' and resource = 'Science' and parent = ''`,
  )
  const { userName } = await stage.server.createUser({ role: 'Report author' })
  const page = await stage.newPage()
  await openAs(page, stage.server.url, userName, '/Statuses')
  await page.getByRole('main').getByRole('region', { name: 'Groups' }).waitFor()
  await expect.poll(() => page.getByRole('main').getByRole('region', { name: 'Data preps' }).count()).toBe(1)
  expect(await page.getByRole('main').getByRole('region', { name: 'Pipelines' }).count()).toBe(0)
})

test('SH-262 SH-263 SH-264 SH-275 SH-276 SH-281 a rejected file tells row and column; back restores the mode before', async () => {
  const page = await openPanel()
  await block(page, 'Groups').getByRole('button', { name: 'See all results' }).click()
  await panel(page).getByText('bad.csv').click()
  const steps = panel(page).getByRole('table')
  await expect
    .poll(() => steps.getByRole('columnheader').allTextContents())
    .toEqual(['Start time', 'Status', 'Run time', 'Execution', 'Message'])
  await steps.getByText(/(row|line) 3, column 2 \(Date\)/i).waitFor()
  for (const name of ['Last runs', 'Copy jobId', 'Open logs', 'Open']) {
    await panel(page).getByLabel(name, { exact: true }).waitFor()
  }
  await panel(page).getByLabel('Last runs').click()
  await panel(page).getByText('NCSV').first().waitFor()
  await panel(page).getByRole('button', { name: 'Back' }).click()
  await steps.waitFor()
  await panel(page).getByRole('button', { name: 'Back' }).click()
  await panel(page).getByRole('heading', { name: 'Groups' }).waitFor()
  await panel(page).getByRole('button', { name: 'Back' }).click()
  await block(page, 'Data preps').waitFor()
})

test('SH-139 SH-277 SH-278 SH-279 SH-280 the job id is copied, the logs open in a new tab, Open leads to the file', async () => {
  const page = await openPanel({ permissions: ['clipboard-read', 'clipboard-write'] })
  await panel(page).getByText('good.csv').click()
  await panel(page).getByLabel('Copy jobId').click()
  await page.getByText('JobId copied to clipboard.').waitFor()
  const jobId = await page.evaluate('navigator.clipboard.readText()')
  expect(jobId).toMatch(/^[0-9a-f-]{36}$/)
  await page.evaluate('window.open = (url) => { window.openedUrl = url; return null }')
  await panel(page).getByLabel('Open logs').click()
  await expect.poll(() => page.evaluate('window.openedUrl')).toBe(`/Logs/${String(jobId)}`)
  await panel(page).getByLabel('Open', { exact: true }).click()
  await page.waitForURL(/\/Lake\/Groups\/Prices\?query=/)
  await page.getByRole('row', { name: /good\.csv/ }).waitFor()
})

test('SH-293 SH-295 SH-298 earlier runs and all of a kind come in pages of 32', async () => {
  const page = await openPanel()
  const [all] = await Promise.all([
    page.waitForRequest((each) => new URL(each.url()).searchParams.get('size') === '32'),
    block(page, 'Groups').getByRole('button', { name: 'See all results' }).click(),
  ])
  expect(new URL(all.url()).searchParams.get('type')).toBe('ETL')
  await panel(page).getByPlaceholder('Search pipeline statuses').waitFor()
  await panel(page).getByText('good.csv').click()
  const [history] = await Promise.all([
    page.waitForRequest((each) => new URL(each.url()).searchParams.get('size') === '32'),
    panel(page).getByLabel('Last runs').click(),
  ])
  expect(new URL(history.url()).searchParams.get('groupName')).toBe('Prices')
  const rows = panel(page).getByRole('listitem')
  await rows.nth(1).waitFor()
  await rows.nth(0).getByRole('button', { name: 'Open' }).waitFor()
})

test('SH-136 SH-137 SH-138 the logs of a job can be limited to a component and a level', async () => {
  const { items } = (await (await anna.fetch('/status?query=*Prices*&size=10')).json()) as {
    items: { jobId: string; status: string }[]
  }
  const failed = items.find((job) => job.status === 'ERROR')!
  const page = await stage.newPage()
  await openAs(page, stage.server.url, 'anna@example.com', `/Logs/${failed.jobId}`)
  await page.getByRole('row', { name: /ETL.*(row|line) 3/i }).waitFor()
  const all = await page.getByRole('row').count()
  await page.goto(`${stage.server.url}/Logs/${failed.jobId}/ETL`)
  await page.getByRole('row', { name: /ETL/ }).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(all)
  await page.goto(`${stage.server.url}/Logs/${failed.jobId}/ETL/running`)
  await page.getByText('Nothing was logged').waitFor()
})

test.each(['light', 'dark'] as const)(
  'the accessibility checker finds nothing in the panel: %s',
  async (colorScheme) => {
    await anna.call(updateSettings, {
      body: { settings: { darkmode: colorScheme === 'dark' ? 'ON' : 'OFF' } },
    })
    const page = await openPanel()
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await panel(page).getByText('bad.csv').click()
    await panel(page).getByRole('table').waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  },
)

test('where nothing ran yet and nothing was searched for, each block says what will stand there', async () => {
  const page = await stage.open('/Statuses', await stage.server.createUser())
  const main = page.getByRole('main')
  await main.getByText('Runs of pipelines will be listed here, with what became of each.').waitFor()
  await main.getByText('Files that arrive in groups will be listed here').waitFor()
  await main.getByRole('region', { name: 'Groups' }).getByRole('button', { name: 'See all results' }).click()
  await main.getByText('Files that arrive in groups will be listed here').waitFor()
  await main.getByLabel('Search statuses').fill('nonsense')
  await main.getByText('Sorry, nothing found!').waitFor()
})
