import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { getInsight } from '@headwater/insights/contract'
import { type Session, uploadSeries } from '@headwater/server/testing'
import { openAs } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  for (const name of ['Prices', 'Reports']) await anna.call(createGroup, { body: { name } })
  const content = [
    'Code,Date,Close',
    'Brent,2026-01-01,61.5',
    'Brent,2026-01-02,62.25',
    'WTI,2026-01-01,58',
  ].join('\n')
  await uploadSeries(anna, { groupName: 'Prices', fileName: 'prices.csv', content })
})

/** Maximum number of key presses to reach an element. */
const maxPresses = 60

/** Returns the role and name of the focused element, as a screen reader announces them. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return 'nothing'
    const labels = 'labels' in element ? [...((element as HTMLInputElement).labels ?? [])] : []
    const name =
      element.getAttribute('aria-label') ?? labels[0]?.textContent ?? element.textContent?.trim() ?? ''
    return `${element.getAttribute('role') ?? element.localName} ${name}`
  })
}

/** Presses a key until the focused element matches; fails when it is not reached. */
async function pressUntil(page: Page, key: string, wanted: RegExp): Promise<void> {
  const passed: string[] = []
  for (let presses = 0; presses < maxPresses; presses++) {
    await page.keyboard.press(key)
    const now = await focused(page)
    if (wanted.test(now)) return
    passed.push(now)
  }
  expect.fail(`${key} never reached ${wanted}; it passed\n${passed.join('\n')}`)
}
const tabTo = (page: Page, wanted: RegExp) => pressUntil(page, 'Tab', wanted)

const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

/** The kinds and titles of the tiles of a saved insight, in order. */
async function tilesOf(insightName: string): Promise<string[]> {
  const { content } = await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })
  return content.tiles.map(({ type, title }) => `${type} ${title}`)
}

test('an insight with a text, a chart and a table is built, saved, reopened and changed with the keyboard alone', async () => {
  const page = await stage.newPage()
  await openAs(page, stage.server.url, anna.userName, '/Insight')
  const { keyboard } = page
  await page.getByText('No insights yet').waitFor()

  await tabTo(page, /New insight/)
  await keyboard.press('Enter')
  await page.getByText('not saved yet').waitFor()
  await expect.poll(() => focused(page)).toMatch(/^main/)

  await tabTo(page, /^button Text/)
  await keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Markdown' }).waitFor()
  await tabTo(page, /^textarea Markdown/)
  await keyboard.type('# All about oil')
  await tile(page, 'Text').getByRole('heading', { name: 'All about oil' }).waitFor()

  await tabTo(page, /Add tile/)
  await keyboard.press('Enter')
  // The code of a menu can arrive after the press.
  const quickChart = page.getByRole('menuitem', { name: 'Quick chart' })
  await quickChart.waitFor()
  await pressUntil(page, 'ArrowDown', /^menuitem Quick chart/)
  await keyboard.press('Enter')
  const picker = page.getByRole('dialog', { name: 'Add series' })
  await picker.waitFor()
  // A letter typed in a dialog is not a shortcut of the page.
  await keyboard.press('a')
  await picker.getByRole('button', { name: 'Brent, Close' }).waitFor()
  await keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('button Add tile')
  await keyboard.press('Enter')
  await quickChart.waitFor()
  await pressUntil(page, 'ArrowDown', /^menuitem Quick chart/)
  await keyboard.press('Enter')
  await picker.getByRole('button', { name: 'Brent, Close' }).waitFor()
  await tabTo(page, /^button Brent, Close/)
  await keyboard.press('Space')
  await tabTo(page, /^button Add series/)
  await keyboard.press('Enter')
  await tile(page, 'Close of Brent').locator('canvas').first().waitFor()

  await keyboard.press('a')
  const settings = page.getByRole('complementary', { name: 'Settings' })
  await settings.getByRole('heading', { name: 'Add a tile' }).waitFor()
  await tabTo(page, /^button Table/)
  await keyboard.press('Enter')
  await picker.getByRole('button', { name: 'WTI, Close' }).waitFor()
  await tabTo(page, /^button WTI, Close/)
  await keyboard.press('Enter')
  await tile(page, 'Close of WTI').getByRole('row', { name: /58/ }).waitFor()

  await keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'Save insight' })
  await dialog.waitFor()
  await expect.poll(() => focused(page)).toMatch(/^input Name/)
  await keyboard.type('Oil')
  await tabTo(page, /Group/)
  await keyboard.type('Repo')
  await expect.poll(() => page.getByRole('option').first().textContent()).toBe('Reports')
  await keyboard.press('Enter')
  await tabTo(page, /^button Save$/)
  await keyboard.press('Enter')
  await page.waitForURL('**/Insight/Reports/Oil')
  // The URL changes before the builder disappears.
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await tile(page, 'Close of WTI').getByRole('row', { name: /58/ }).waitFor()
  expect(await tilesOf('Oil')).toEqual(['Text Text', 'Chart Close of Brent', 'Table Close of WTI'])

  await tabTo(page, /^a Insight/)
  await keyboard.press('Enter')
  await page.getByRole('row', { name: /Oil/ }).waitFor()
  await tabTo(page, /^a Oil/)
  await keyboard.press('Enter')
  await tile(page, 'Text').getByRole('heading', { name: 'All about oil' }).waitFor()
  await tile(page, 'Close of Brent').locator('canvas').first().waitFor()
  await tile(page, 'Close of WTI').getByRole('row', { name: /58/ }).waitFor()

  await tabTo(page, /^button Edit/)
  await keyboard.press('Enter')
  await page.getByText('editing · v1').waitFor()
  await expect.poll(() => focused(page)).toMatch(/^main/)
  await tabTo(page, /^button Move Close of Brent/)
  await keyboard.press('ArrowUp')
  await settings.getByRole('tab', { name: 'Series' }).waitFor()
  await keyboard.press('s')
  await tabTo(page, /^tab Series/)
  await keyboard.press('End')
  await tabTo(page, /^input Title/)
  await keyboard.press('Control+a')
  await keyboard.type('Brent')
  await tile(page, 'Brent').waitFor()
  await keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  await expect.poll(() => focused(page)).toMatch(/^main/)
  expect(await tilesOf('Oil')).toEqual(['Chart Brent', 'Text Text', 'Table Close of WTI'])
})
