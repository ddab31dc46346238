import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup, deleteGroup, getGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight, deleteInsight } from '@headwater/insights/contract'
import { createPipeline, deletePipeline, getPipelineByName } from '@headwater/pipelines/contract'
import { createDataPrep, deleteDataPrep, searchDataPreps } from '@headwater/preps/contract'
import { type Session, upload } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask } from '@headwater/tasks/contract'
import { accessibilityProblems, openAs, pollClock, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session
const insightNames = ['One', 'Two', 'Three', 'Four', 'Five', 'Six & more']

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com', role: 'Administrator' })
  for (const name of ['Prices', 'Reports', 'Fleeting']) await anna.call(createGroup, { body: { name } })
  const content = 'Code,Date,Close\nBrent,2026-01-01,61.5\n'
  await upload(anna, { groupName: 'Prices', fileName: 'prices.csv', fileType: 'NCSV', content })
  for (const name of ['Oil', 'Short prep'])
    await anna.call(createDataPrep, { body: { dataPrep: { name, outputGroup: 'Reports' } } })
  const code = { name: 'Script', value: 'print(1)', valueType: 'SCRIPT' }
  const task = { name: 'greet', groupName: 'Reports', definitionName: 'python-runner', params: [code] }
  await anna.call(createTask, { body: task as never })
  const step = { id: 't', taskReadableName: 'T', taskName: 'greet', taskGroup: 'Reports' }
  for (const name of ['Daily', 'Short pipeline'])
    await anna.call(createPipeline, {
      body: { name, groupName: 'Reports', tags: [], tasks: [step] as never },
    })
  for (const insightName of insightNames)
    await anna.call(createInsight, {
      body: { insightName, groupName: 'Reports', content: emptyContent() },
    })
})

/** Opens a signed-in page. */
async function open(path: string, { clocked = false } = {}) {
  const page = await stage.newPage()
  if (clocked) await page.clock.install()
  await openAs(page, stage.server.url, anna.userName, path)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  return { page }
}

async function idOf({ userName }: Session): Promise<number> {
  const account = await stage.server.running.platform.accounts.findUserByName(userName)
  return account!.userId
}

const stored = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('ng-recents') ?? '[]') as Record<string, string>[])
const panel = (page: Page) => page.getByRole('dialog', { name: 'Search all' })
const section = (page: Page, name: string) => panel(page).getByRole('region', { name })
const hits = (page: Page, name: string) =>
  section(page, name)
    .locator('a[data-hit]')
    .evaluateAll((all) => all.map((hit) => hit.getAttribute('href')))

test('SH-198 SH-204 SH-205 SH-206 the empty search offers recently opened objects by type', async () => {
  const { page } = await open('/Lake')
  await page.keyboard.press('Control+k')
  for (const [name, href] of [
    ['Recent pipelines', '/Science/List#Pipelines'],
    ['Recent data preps', '/Storage#DataPreps'],
    ['Recent groups', '/Lake#Groups'],
    ['Recent insight', '/Insight'],
  ] as const) {
    await section(page, name).getByText('Recently opened items appear here.').waitFor()
    const all = section(page, name).getByRole('link', { name: 'See all results' })
    expect((await all.getAttribute('href'))?.replace('?query=', '')).toBe(href)
  }
  expect(await panel(page).getByRole('region').count()).toBe(4)
  await page.keyboard.press('Escape')

  const locations = [
    '/Lake/Groups/Prices',
    '/Science/Creator/Reports/Daily/latest',
    '/Storage/Creator/Reports/Oil/latest',
    '/Insight/Reports/One',
  ]
  for (const [at, location] of locations.entries()) {
    await page.goto(`${stage.server.url}${location}`)
    await expect.poll(async () => (await stored(page)).length).toBe(at + 1)
  }
  expect((await stored(page)).toSorted((a, b) => (a['type']! < b['type']! ? -1 : 1))).toEqual([
    { type: 'DATA_PREP', name: 'Oil', groupName: 'Reports' },
    { type: 'GROUP', name: 'Prices', groupName: 'Prices' },
    { type: 'INSIGHT', name: 'One', groupName: 'Reports' },
    { type: 'PIPELINE', name: 'Daily', groupName: 'Reports' },
  ])
  await page.keyboard.press('Control+k')
  await expect.poll(() => hits(page, 'Recent data preps')).toEqual(['/Storage/Creator/Reports/Oil/latest'])
  await expect.poll(() => hits(page, 'Recent groups')).toEqual(['/Lake/Groups/Prices'])
  await expect.poll(() => hits(page, 'Recent insight')).toEqual(['/Insight/Reports/One'])
  expect(await accessibilityProblems(page)).toEqual([])
  await section(page, 'Recent insight').getByRole('link', { name: 'One' }).click()
  await page.waitForURL('**/Insight/Reports/One')
})

test('IN-423 SH-197 SH-199 stores five of six insights, and drops recents that no longer exist', async () => {
  const { page } = await open('/Insight')
  for (const name of insightNames) {
    await page.goto(`${stage.server.url}/Insight/Reports/${encodeURIComponent(name)}`)
    await expect.poll(async () => (await stored(page))[0]?.['name']).toBe(name)
  }
  expect((await stored(page)).map(({ name }) => name)).toEqual(insightNames.slice(1).toReversed())
  const others = [
    '/Lake/Groups/Fleeting',
    '/Storage/Creator/Reports/Short%20prep/latest',
    '/Science/Creator/Reports/Short%20pipeline/latest',
  ]
  for (const [at, other] of others.entries()) {
    await page.goto(stage.server.url + other)
    await expect.poll(async () => (await stored(page)).length).toBe(6 + at)
  }

  await anna.call(deleteInsight, { body: { groupName: 'Reports', insightName: 'Three' } })
  await anna.call(deleteGroup, { params: { name: 'Fleeting' } })
  const { items } = await anna.call(searchDataPreps, { query: { query: 'Short prep' } })
  await anna.call(deleteDataPrep, { params: { id: items[0]!.id } })
  const query = { name: 'Short pipeline', groupName: 'Reports' }
  const { pipeline } = await anna.call(getPipelineByName, { query })
  await anna.call(deletePipeline, { params: { pipelineId: pipeline.id } })
  await page.goto(`${stage.server.url}/Insight`)
  await page.getByRole('row', { name: /Five/ }).waitFor()
  const checked = Promise.withResolvers<void>()
  const isHeld = (url: URL) => url.searchParams.get('name') === 'Three.json'
  await page.route(isHeld, async (route) => {
    await checked.promise
    await route.continue()
  })
  const requested = page.waitForRequest((request) => isHeld(new URL(request.url())))
  await page.keyboard.press('Control+k')
  await requested
  await section(page, 'Recent insight').getByRole('link', { name: /Five/ }).waitFor()
  expect(await section(page, 'Recent insight').getByRole('link', { name: /Three/ }).count()).toBe(0)
  checked.resolve()
  await expect
    .poll(() => section(page, 'Recent insight').getByRole('link').allTextContents())
    .toEqual(['See all results', ...['Six & more', 'Five', 'Four', 'Two'].map((name) => `${name}Reports`)])
  for (const name of ['Recent groups', 'Recent data preps', 'Recent pipelines'])
    await section(page, name).getByText('Recently opened items appear here.').waitFor()
  await expect
    .poll(async () => (await stored(page)).map(({ name }) => name))
    .toEqual(['Six & more', 'Five', 'Four', 'Two'])
})

test('SH-202 SH-209 recents have their latest status message as tooltip, refreshed every 50 s', async () => {
  const { groupId: id } = await anna.call(getGroup, { params: { name: 'Reports' } })
  const { statuses } = stage.server.running.platform
  const ownerId = await idOf(anna)
  const run = async (type: 'PIPELINE' | 'DATAPREP', name: string, message: string) => {
    const jobId = await statuses.startJob({ type, name, group: { id, name: 'Reports' }, ownerId })
    await statuses.finishJob(jobId, { status: 'COMPLETED', message })
  }
  await run('PIPELINE', 'Daily', 'An earlier run')
  await run('PIPELINE', 'Daily', 'Daily has run')
  await run('DATAPREP', 'Oil', 'An earlier run')
  await run('DATAPREP', 'Oil', 'Oil has run')
  const { page } = await open('/Lake/Groups/Prices', { clocked: true })
  await expect.poll(async () => (await stored(page)).length).toBe(1)
  await page.evaluate(() => {
    const added = [
      { type: 'PIPELINE', name: 'Daily', groupName: 'Reports' },
      { type: 'DATA_PREP', name: 'Oil', groupName: 'Reports' },
    ]
    const all = JSON.parse(localStorage.getItem('ng-recents')!) as object[]
    localStorage.setItem('ng-recents', JSON.stringify([...all, ...added]))
  })
  await page.goto(`${stage.server.url}/Trash`)
  await page.getByRole('tab', { name: 'Deleted files' }).waitFor()
  const requested: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith('/status')) requested.push(url)
  })
  // Timers render responses. The interval begins with the response, so the steps must be short.
  await stopClock(page)
  await page.keyboard.press('Control+k')
  const { items } = await anna.call(searchStatuses, { query: { groupName: 'Prices' } })
  const message = items[0]!.latestStatus.message
  expect(message).toBe('Ingested 1 row of 1 symbol.')
  const groups = section(page, 'Recent groups').getByRole('img')
  const pipelines = section(page, 'Recent pipelines').getByRole('img')
  const preps = section(page, 'Recent data preps').getByRole('img')
  for (const icon of [groups, pipelines, preps]) await pollClock(page, 5, () => icon.count()).toBe(1)
  const names = () => requested.map(({ searchParams }) => searchParams.get('name') ?? '').toSorted()
  expect(names()).toEqual(['Daily', 'Oil', 'Prices'])
  expect(requested.map(({ searchParams }) => searchParams.get('size'))).toEqual(['1', '1', '1'])
  const hasTooltip = async (icon: Locator, text: string) => {
    await icon.hover()
    await pollClock(page, 100, () => page.getByRole('tooltip').allInnerTexts()).toEqual([text])
  }
  await hasTooltip(groups, message)
  await hasTooltip(pipelines, 'Daily has run')
  await hasTooltip(preps, 'Oil has run')
  await page.clock.runFor(40_000)
  expect(requested).toHaveLength(3)
  await run('DATAPREP', 'Oil', 'Oil has run again')
  await page.clock.runFor(11_000)
  await expect.poll(names).toEqual(['Daily', 'Daily', 'Oil', 'Oil', 'Prices', 'Prices'])
  await pollClock(page, 100, () => page.getByRole('tooltip').allInnerTexts()).toEqual(['Oil has run again'])
  await page.clock.runFor(51_000)
  await expect.poll(() => requested.length).toBe(9)
})

test('IN-420 IN-426 all storage keys are named ng-*, and unreadable preferences are treated as empty', async () => {
  const { page } = await open('/Insight/Reports/One')
  await expect.poll(async () => (await stored(page)).length).toBe(1)
  const keys = () => page.evaluate(() => Object.keys(localStorage).toSorted())
  expect(await keys()).toEqual(expect.arrayContaining(['ng-recents', 'ng-token', 'ng-token-source']))
  await page.getByRole('button', { name: 'Unpin the sidebar' }).click()
  await expect.poll(keys).toContain('ng-sidebar')
  expect((await keys()).filter((key) => !key.startsWith('ng-'))).toEqual([])

  await page.evaluate(() => {
    for (const key of Object.keys(localStorage))
      if (!key.startsWith('ng-token')) localStorage.setItem(key, '{broken')
  })
  await page.reload()
  await expect.poll(() => stored(page)).toEqual([{ type: 'INSIGHT', name: 'One', groupName: 'Reports' }])
  await page.keyboard.press('Control+k')
  await expect.poll(() => hits(page, 'Recent insight')).toEqual(['/Insight/Reports/One'])
})

test('the search uses text typed right after its shortcut', async () => {
  const { page } = await open('/Lake')
  const hasCode = () =>
    page.evaluate(() =>
      performance.getEntriesByType('resource').some(({ name }) => /SearchPanel.*js/.test(name)),
    )
  await expect.poll(hasCode).toBe(true)
  await page.waitForLoadState('networkidle')
  await page.keyboard.press('Control+k')
  await page.keyboard.type('prices')
  await section(page, 'Groups').getByText('Prices', { exact: true }).waitFor()
  expect(await panel(page).getByRole('searchbox').inputValue()).toBe('prices')
})

test('text typed after the shortcut of the search is buffered until its field appears, from the first load of a page', async () => {
  const page = await stage.newPage()
  const hold = async (address: RegExp) => {
    const released = Promise.withResolvers<void>()
    await page.route(address, async (route) => {
      await released.promise
      await route.continue()
    })
    return () => released.resolve()
  }
  const release = { session: await hold(/\/auth\//), code: await hold(/SearchPanel-[^/]*\.js$/) }
  await openAs(page, stage.server.url, anna.userName, '/')
  await page.getByRole('status', { name: 'Signing in' }).waitFor()
  await page.keyboard.press('Control+k')
  await page.keyboard.type('pry')
  await page.keyboard.press('Backspace')
  release.session()
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  await panel(page).waitFor()
  await page.keyboard.type('ice')
  release.code()
  const field = panel(page).getByRole('searchbox')
  await field.waitFor()
  await page.keyboard.type('s')
  await section(page, 'Groups').getByText('Prices', { exact: true }).waitFor()
  expect(await field.inputValue()).toBe('prices')

  // further input goes to the page again
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await panel(page).waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: /shortcuts/i }).waitFor()
})
