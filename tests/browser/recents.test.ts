import type { Page } from 'playwright'
import { afterEach, beforeAll, expect, test } from 'vitest'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { createInsight, deleteInsight, emptyContent } from '@headwater/insights/contract'
import { createDataPrep } from '@headwater/preps/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems, openAs, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session
const insightNames = ['One', 'Two', 'Three', 'Four', 'Five', 'Six & more']

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  for (const name of ['Prices', 'Reports', 'Fleeting']) await anna.call(createGroup, { body: { name } })
  const content = 'Code,Date,Close\nBrent,2026-01-01,61.5\n'
  await upload(anna, { groupName: 'Prices', fileName: 'prices.csv', fileType: 'NCSV', content })
  await anna.call(createDataPrep, { body: { dataPrep: { name: 'Oil', outputGroup: 'Reports' } } })
  for (const insightName of insightNames)
    await anna.call(createInsight, {
      body: { insightName, groupName: 'Reports', content: emptyContent() },
    })
})
afterEach(async () => {
  for (const context of stage.browser.contexts()) await context.close()
})

/** Opens a page that is signed in, with what it needs to go on. */
async function open(path: string, { clocked = false } = {}) {
  const page = await stage.newPage()
  if (clocked) await page.clock.install()
  await openAs(page, stage.server.url, anna.userName, path)
  await page.getByRole('navigation', { name: 'Main' }).waitFor()
  return { page }
}

const stored = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem('ng-recents') ?? '[]') as Record<string, string>[])
const panel = (page: Page) => page.getByRole('dialog', { name: 'Search all' })
const section = (page: Page, name: string) => panel(page).getByRole('region', { name })
const hits = (page: Page, name: string) =>
  section(page, name)
    .locator('a[data-hit]')
    .evaluateAll((all) => all.map((hit) => hit.getAttribute('href')))

test('SH-204 SH-205 SH-206 what was opened is offered by the search while nothing is typed', async () => {
  const { page } = await open('/Lake')
  await page.keyboard.press('Control+k')
  for (const name of ['Recent data preps', 'Recent groups', 'Recent insight']) {
    await section(page, name).getByText('What you open is listed here.').waitFor()
    await section(page, name).getByRole('link', { name: 'See all results' }).waitFor()
  }
  await page.keyboard.press('Escape')

  const places = ['/Lake/Groups/Prices', '/Storage/Creator/Reports/Oil/latest', '/Insight/Reports/One']
  for (const [at, place] of places.entries()) {
    await page.goto(`${stage.server.url}${place}`)
    await expect.poll(async () => (await stored(page)).length).toBe(at + 1)
  }
  expect(await stored(page)).toEqual([
    { type: 'DATA_PREP', name: 'Oil', groupName: 'Reports' },
    { type: 'GROUP', name: 'Prices', groupName: 'Prices' },
    { type: 'INSIGHT', name: 'One', groupName: 'Reports' },
  ])
  await page.keyboard.press('Control+k')
  await expect.poll(() => hits(page, 'Recent data preps')).toEqual(['/Storage/Creator/Reports/Oil/latest'])
  await expect.poll(() => hits(page, 'Recent groups')).toEqual(['/Lake/Groups/Prices'])
  await expect.poll(() => hits(page, 'Recent insight')).toEqual(['/Insight/Reports/One'])
  expect(await accessibilityProblems(page)).toEqual([])
  await section(page, 'Recent groups').getByRole('link', { name: 'Prices' }).click()
  await page.waitForURL('**/Lake/Groups/Prices')
})

test('IN-423 SH-197 SH-199 of six insights five stay; what is gone is neither shown nor kept', async () => {
  const { page } = await open('/Insight')
  for (const name of insightNames) {
    await page.goto(`${stage.server.url}/Insight/Reports/${encodeURIComponent(name)}`)
    await expect.poll(async () => (await stored(page))[0]?.['name']).toBe(name)
  }
  expect((await stored(page)).map(({ name }) => name)).toEqual(insightNames.slice(1).toReversed())
  await page.goto(`${stage.server.url}/Lake/Groups/Fleeting`)
  await expect.poll(async () => (await stored(page)).length).toBe(6)

  await anna.call(deleteInsight, { body: { groupName: 'Reports', insightName: 'Three' } })
  await anna.call(deleteGroup, { params: { name: 'Fleeting' } })
  await page.goto(`${stage.server.url}/Insight`)
  await page.getByRole('row', { name: /Five/ }).waitFor()
  await page.keyboard.press('Control+k')
  await expect
    .poll(() => section(page, 'Recent insight').getByRole('link').allTextContents())
    .toEqual(['See all results', ...['Six & more', 'Five', 'Four', 'Two'].map((name) => `${name}Reports`)])
  await section(page, 'Recent groups').getByText('What you open is listed here.').waitFor()
  await expect.poll(async () => (await stored(page)).map(({ name }) => name)).not.toContain('Three')
  expect((await stored(page)).map(({ name }) => name)).not.toContain('Fleeting')
})

test('SH-202 SH-209 a recent group shows its newest status, looked up one by one every 50 s', async () => {
  const { page } = await open('/Lake/Groups/Prices', { clocked: true })
  await expect.poll(async () => (await stored(page)).length).toBe(1)
  await page.goto(`${stage.server.url}/Trash`)
  await page.getByRole('heading').first().waitFor()
  const asked: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname.endsWith('/status')) asked.push(url)
  })
  await page.keyboard.press('Control+k')
  const icon = section(page, 'Recent groups').getByRole('img')
  await icon.waitFor()
  const message = await icon.getAttribute('aria-label')
  await icon.hover()
  await page.getByRole('tooltip').getByText(message!, { exact: true }).waitFor()
  expect(asked.map(({ searchParams }) => [searchParams.get('name'), searchParams.get('size')])).toEqual([
    ['Prices', '1'],
  ])
  await stopClock(page)
  await page.clock.runFor(45_000)
  expect(asked).toHaveLength(1)
  await page.clock.runFor(6000)
  await expect.poll(() => asked.length).toBe(2)
})

test('IN-420 IN-426 everything the browser keeps has a key of ng-, and what cannot be read counts as nothing', async () => {
  const { page } = await open('/Insight/Reports/One')
  await expect.poll(async () => (await stored(page)).length).toBe(1)
  const keys = () => page.evaluate(() => Object.keys(localStorage).toSorted())
  expect(await keys()).toEqual(expect.arrayContaining(['ng-recents', 'ng-token', 'ng-token-source']))
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

test('letters that are typed right after the keys of the search are searched for', async () => {
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

test('letters that are typed after the keys of the search are kept until its field is there, from the first moments of a page on', async () => {
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

  // what follows is for the page again
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await panel(page).waitFor({ state: 'detached' })
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: /shortcuts/i }).waitFor()
})
