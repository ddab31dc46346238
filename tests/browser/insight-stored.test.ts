import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight } from '@headwater/insights/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  for (const name of ['Prices', 'Reports']) await anna.call(createGroup, { body: { name } })
  const content = 'Code,Date,Close\nBrent,2026-01-01,60\nBrent,2026-01-02,61\nWTI,2026-01-01,70'
  await upload(anna, { groupName: 'Prices', fileName: 'prices.csv', fileType: 'NCSV', content })
})

const saved = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key)
const field = (page: Page, label: string) =>
  page.getByRole('complementary', { name: 'Settings' }).getByLabel(label, { exact: true })
const hint = (page: Page) => page.locator('section[role=dialog]')
const focusedText = (page: Page) => page.evaluate(() => document.activeElement?.textContent ?? '')

async function addChart(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name: 'Advanced chart' }).click()
  await page.getByRole('dialog', { name: 'Add series' }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('tab', { name: 'Style' }).click()
}

test('IN-420 IN-424 the last palette is stored and used for the next chart; an unknown one is ignored', async () => {
  const page = await stage.open('/Insight/Creator', anna)
  await addChart(page)
  await expect.poll(() => field(page, 'Palette').inputValue()).toBe('Colourful 2')
  await field(page, 'Palette').click()
  await page.getByRole('option', { name: 'Green' }).click()
  await expect.poll(() => saved(page, 'ng-palette')).toBe('GREEN')
  await addChart(page)
  await expect.poll(() => field(page, 'Palette').inputValue()).toBe('Green')

  await page.evaluate(() => localStorage.setItem('ng-palette', '{broken'))
  await addChart(page)
  await expect.poll(() => field(page, 'Palette').inputValue()).toBe('Colourful 2')
})

test('IN-420 IN-424 finished and dismissed guides are stored and not offered again; the menu opens them', async () => {
  const page = await stage.open('/Insight/Creator', anna)
  await page.getByText('New here?').waitFor()
  expect(await hint(page).count()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Show the guide' }).press('Enter')
  for (const [index, title] of titles.entries()) {
    await hint(page)
      .getByText(`Step ${index + 1} of 5`)
      .waitFor()
    expect(await hint(page).getAttribute('aria-labelledby')).toBeTruthy()
    await page.getByRole('dialog', { name: title }).waitFor()
    await expect.poll(() => focusedText(page)).toContain(title)
    if (index === 0) expect(await accessibilityProblems(page)).toEqual([])
    const last = index === titles.length - 1
    if (index === 1) {
      // Enter continues without moving to the button
      await page.keyboard.press('Enter')
      continue
    }
    await page.keyboard.press('Tab')
    await expect.poll(() => focusedText(page)).toBe(last ? 'Back' : 'End the guide')
    await page.getByRole('button', { name: last ? 'Done' : 'Next' }).press('Enter')
  }
  await hint(page).waitFor({ state: 'detached' })
  expect(await page.getByText('New here?').count()).toBe(0)
  expect(JSON.parse((await saved(page, 'ng-guides'))!)).toEqual(['insight-builder'])
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('page')

  await page.reload()
  await page.getByText('This insight has no tiles').waitFor()
  expect(await page.getByText('New here?').count()).toBe(0)
  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByRole('menuitem', { name: 'Show the guide' }).click()
  await page.getByRole('dialog', { name: titles[0] }).waitFor()
  await page.keyboard.press('Escape')
  await hint(page).waitFor({ state: 'detached' })
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Help')

  await page.evaluate(() => localStorage.setItem('ng-guides', '{broken'))
  await page.reload()
  await page.getByRole('button', { name: "Don't offer the guide again" }).click()
  await page.getByText('New here?').waitFor({ state: 'detached' })
  expect(JSON.parse((await saved(page, 'ng-guides'))!)).toEqual(['insight-builder'])
})

const titles = ['Add a tile', 'Select and arrange', 'Let readers choose', 'Try things out', 'Save']

test('a user can work during a guide: tiles are added, and a dialog opens over it', async () => {
  const page = await stage.open('/Insight/Creator', anna)
  await page.getByRole('button', { name: 'Show the guide' }).click()
  await page.getByRole('dialog', { name: 'Add a tile' }).waitFor()
  await page.getByRole('complementary', { name: 'Settings' }).getByRole('button', { name: /^Text/ }).click()
  await field(page, 'Markdown').fill('All about oil')
  await page.getByRole('region', { name: 'Text' }).getByText('All about oil').waitFor()
  for (const title of titles.slice(0, 4))
    await page.getByRole('dialog', { name: title }).getByRole('button', { name: 'Next' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByRole('dialog', { name: 'Save insight' }).getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('dialog', { name: 'Save', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save insight' })
  await dialog.getByLabel('Name').fill('Seen with the guide')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page
    .getByRole('link', { name: 'Edit' })
    .or(page.getByRole('button', { name: 'Edit' }))
    .first()
    .click()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  expect(await hint(page).count()).toBe(0)
})

test('the guide starts at the list of tiles for any selection and any open panel', async () => {
  const title = 'Selected'
  await anna.call(createInsight, {
    body: {
      insightName: 'Guided',
      groupName: 'Reports',
      content: { ...emptyContent(), tiles: [{ id: 'a', type: 'Text', title }] } as never,
    },
  })
  const page = await stage.open('/Insight/Reports/Guided', anna)
  await page
    .getByRole('link', { name: 'Edit' })
    .or(page.getByRole('button', { name: 'Edit' }))
    .first()
    .click()
  const list = page.getByRole('list', { name: 'Kinds of tiles' })
  const startGuide = async () => {
    await page.getByRole('button', { name: 'Help' }).click()
    await page.getByRole('menuitem', { name: 'Show the guide' }).click()
    await page.getByRole('dialog', { name: 'Add a tile' }).waitFor()
    await list.waitFor()
    await page.keyboard.press('Escape')
    await hint(page).waitFor({ state: 'detached' })
  }
  await list.waitFor()
  await page.getByRole('region', { name: title }).click()
  await list.waitFor({ state: 'detached' })
  await startGuide()
  for (const panel of ['Parameters', 'Basket']) {
    await page.getByRole('banner').getByRole('button', { name: panel }).click()
    await list.waitFor({ state: 'detached' })
    await startGuide()
  }
})

test('the menu also opens the list of shortcuts', async () => {
  const page = await stage.open('/Insight/Creator', anna)
  await page.getByRole('button', { name: 'Help' }).click()
  await page.getByRole('menuitem', { name: 'Keyboard shortcuts' }).click()
  await page.getByRole('dialog').getByText('Save the insight').waitFor()
})

/** An insight with a table whose parameters choose its symbol and open automatically. */
async function withParams(insightName: string): Promise<string> {
  const set = {
    title: 'Regions',
    groupName: 'Prices',
    keys: [{ symbolKey: 'Code', symbolType: 'SYMBOL', label: 'Product' }],
    shouldOpenOnStart: true,
  }
  const symbols = [{ groupName: 'Prices', symbols: { Code: 'Brent' }, valueColumnNames: ['Close'] }]
  const content = {
    ...emptyContent(),
    tiles: [{ id: 't', title: 'Rows', type: 'Table', sourceInputParamsId: 'p1' }],
    datapreps: { t: { symbols } },
    inputParams: { p1: set, p2: { ...set, title: 'More', shouldOpenOnStart: false } },
  } as never
  await anna.call(createInsight, { body: { insightName, groupName: 'Reports', content } })
  return `/Insight/Reports/${insightName}`
}
const form = (page: Page, name: string) => page.getByRole('form', { name, exact: true })
const hintText = 'Select “Apply” to update the tiles.'

test('IN-420 IN-425 a flag for each insight is stored: parameters that were closed do not open on start', async () => {
  const path = await withParams('Closed')
  const page = await stage.open(path, anna)
  const visit = () => page.goto(`${stage.server.url}${path}`)
  await form(page, 'Regions').waitFor()
  expect(await saved(page, 'ng-closed-params')).toBeNull()
  await page.getByRole('button', { name: 'Close parameters' }).click()
  await form(page, 'Regions').waitFor({ state: 'detached' })
  expect(JSON.parse((await saved(page, 'ng-closed-params'))!)).toEqual([
    { groupName: 'Reports', insightName: 'Closed' },
  ])

  await visit()
  await page.getByRole('region', { name: 'Rows' }).getByText('Brent').first().waitFor()
  expect(await form(page, 'Regions').count()).toBe(0)
  await page.goto(`${stage.server.url}${path}?panel=params`)
  await form(page, 'Regions').waitFor()
  await visit()
  await page.getByRole('button', { name: 'Parameters' }).click()
  await form(page, 'Regions').waitFor()
  await visit()
  await form(page, 'Regions').waitFor()

  await page.evaluate(() => localStorage.setItem('ng-closed-params', '{broken'))
  await visit()
  await form(page, 'Regions').waitFor()
})

test('IN-420 IN-425 a flag is stored when the hint to apply choices is closed', async () => {
  const page = await stage.open(await withParams('Rerun'), anna)
  const regions = form(page, 'Regions')
  await regions.waitFor()
  expect(await page.getByText(hintText).count()).toBe(0)
  await choose(page, regions.getByLabel('Product'), 'WTI')
  await regions.getByText(hintText).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await regions.getByRole('button', { name: "Don't show this hint again" }).press('Enter')
  await page.getByText(hintText).waitFor({ state: 'detached' })
  await expect.poll(() => focusedText(page)).toBe('Apply')
  expect(await saved(page, 'ng-rerun-tooltip-closed')).toBe('true')
  await regions.getByText('Changes not applied').waitFor()

  await page.reload()
  await choose(page, form(page, 'More').getByLabel('Product'), 'WTI')
  await form(page, 'More').getByText('Changes not applied').waitFor()
  expect(await page.getByText(hintText).count()).toBe(0)
})

test('IN-425 the flag is stored when a choice is applied', async () => {
  const page = await stage.open(await withParams('Applied'), anna)
  const regions = form(page, 'Regions')
  await choose(page, regions.getByLabel('Product'), 'WTI')
  await regions.getByText(hintText).waitFor()
  await regions.getByRole('button', { name: 'Apply' }).click()
  await page.getByRole('region', { name: 'Rows' }).getByText('WTI').first().waitFor()
  expect(await saved(page, 'ng-rerun-tooltip-closed')).toBe('true')
})

async function choose(page: Page, field: Locator, option: string): Promise<void> {
  await field.click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('IN-420 IN-424 dark mode is stored, and the browser starts dark', async () => {
  const page = await stage.open('/MyAccount', anna, { colorScheme: 'light' })
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  await expect.poll(scheme).toBe('light')
  await page.getByRole('combobox', { name: 'Theme' }).click()
  await page.getByRole('option', { name: 'Dark', exact: true }).click()
  await page.getByRole('form', { name: 'Preferences' }).getByRole('button', { name: 'Save' }).click()
  await expect.poll(scheme).toBe('dark')
  await expect.poll(() => saved(page, 'ng-darkmode')).toBe('dark')
  await page.goto(`${stage.server.url}/Logout`)
  await page.getByRole('button', { name: 'Log in' }).waitFor()
  expect(await saved(page, 'ng-darkmode')).toBe('dark')
  await expect.poll(scheme).toBe('dark')
})
