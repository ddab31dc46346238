import type { Browser, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { accessibilityProblems, openBrowser, openPage } from './open-browser.ts'
import { type ServedPage, servePage } from './serve-page.ts'

let served: ServedPage
let browser: Browser

beforeAll(async () => {
  served = await servePage('table')
  browser = await openBrowser()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(() => served.close())

async function open(query = ''): Promise<Page> {
  const { page } = await openPage(browser)
  await page.goto(`${served.url}?${query}`)
  await page.getByRole('heading', { level: 1 }).waitFor()
  // on a busy machine the page can render before its style sheets apply, and positions would still change
  await expect.poll(() => page.evaluate(() => getComputedStyle(document.body).marginTop)).toBe('0px')
  return page
}

const reported = (page: Page) => page.evaluate(() => (window as unknown as { reports: string[] }).reports)
const focused = (page: Page) => page.evaluate(() => document.activeElement?.getAttribute('aria-rowindex'))

test('100,000 rows form one scroll area with only the visible rows in the document', async () => {
  const page = await open()
  const grid = page.getByRole('grid', { name: 'Rows' })
  await expect.poll(() => grid.getAttribute('aria-rowcount')).toBe('100001')
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(80)
  await grid.evaluate((element) => (element.scrollTop = 1_600_000))
  await page.getByText('row 50000', { exact: true }).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBeLessThan(80)
  await expect.poll(() => page.getByRole('columnheader', { name: 'Name' }).isVisible()).toBe(true)
})

test('the whole list can be reached by keyboard, and the focus is always on the current row', async () => {
  const page = await open()
  await page.getByRole('row').nth(1).focus()
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focused(page)).toBe('3')
  await page.keyboard.press('End')
  await expect.poll(() => focused(page)).toBe('100001')
  await page.getByText('row 99999', { exact: true }).waitFor()
  await page.keyboard.press('Home')
  await expect.poll(() => focused(page)).toBe('2')
  await page.keyboard.press('PageDown')
  await expect.poll(async () => Number(await focused(page))).toBeGreaterThan(10)
  await page.keyboard.press('Enter')
  await expect
    .poll(async () => (await reported(page)).filter((entry) => entry.startsWith('open')))
    .toHaveLength(1)
})

test('rows are selected with Space, Shift and arrows, Ctrl+A and the box in the header', async () => {
  const page = await open()
  const count = () => page.getByRole('heading', { level: 1 }).innerText()
  await page.getByRole('row').nth(1).focus()
  await page.keyboard.press(' ')
  await expect.poll(() => count()).toBe('1 selected')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  await expect.poll(count).toBe('3 selected')
  await page.keyboard.press('Control+a')
  await expect.poll(count).toBe('100000 selected')
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click()
  await expect.poll(count).toBe('0 selected')
  await page.getByRole('checkbox', { name: 'Select row' }).nth(1).click()
  await page
    .getByRole('checkbox', { name: 'Select row' })
    .nth(4)
    .click({ modifiers: ['Shift'] })
  await expect.poll(count).toBe('4 selected')
})

test('SH-042 DP-018 rows are 32 px high, 36 px in main lists', async () => {
  for (const [query, height] of [
    ['', 32],
    ['main', 36],
  ] as const) {
    const page = await open(`rows=10&${query}`)
    const boxes = () =>
      page
        .getByRole('row')
        .evaluateAll((all) => all.slice(1, 4).map((row) => row.getBoundingClientRect().toJSON() as DOMRect))
    await expect.poll(async () => (await boxes()).map((box) => box.height)).toEqual([height, height, height])
    const [first, second] = await boxes()
    expect(second!.top - first!.top).toBe(height)
  }
})

test('DP-016 a list loads more within 800 px of its end and not earlier', async () => {
  const page = await open('rows=1000')
  const grid = page.getByRole('grid')
  const scrollTo = (fromEnd: number) =>
    grid.evaluate(
      (element, px) => (element.scrollTop = element.scrollHeight - element.clientHeight - px),
      fromEnd,
    )
  await scrollTo(810)
  await page.getByText('row 965', { exact: true }).waitFor()
  expect(await reported(page)).toEqual([])
  await scrollTo(799)
  await expect.poll(() => reported(page)).toContain('end')
})

test('header and rows are aligned, and clicking a header sorts', async () => {
  const page = await open('rows=10')
  const left = (role: 'columnheader' | 'gridcell', index: number) =>
    page
      .getByRole(role)
      .nth(index)
      .evaluate((cell) => cell.getBoundingClientRect().left)
  await page.getByRole('gridcell').nth(1).waitFor()
  for (const at of [1, 2])
    await expect.poll(async () => (await left('columnheader', at)) - (await left('gridcell', at))).toBe(0)
  const name = page.getByRole('columnheader', { name: 'Name' })
  await expect.poll(() => name.getAttribute('aria-sort')).toBe('ascending')
  await name.getByRole('button').click()
  await expect.poll(() => reported(page)).toContain('sort name desc')
  await expect.poll(() => name.getAttribute('aria-sort')).toBe('descending')
})

test('the table has four states: loading, empty, error with retry, and full', async () => {
  const loading = await open('state=loading')
  await loading.getByRole('status', { name: 'Rows, loading' }).waitFor()
  expect(await accessibilityProblems(loading)).toEqual([])
  const empty = await open('state=empty')
  await empty.getByText('Nothing here yet').waitFor()
  expect(await accessibilityProblems(empty)).toEqual([])
  const broken = await open('state=error&rows=10')
  await broken.getByRole('alert').getByText('The list broke.').waitFor()
  await broken.getByRole('button', { name: 'Try again' }).click()
  await broken.getByText('row 9', { exact: true }).waitFor()
  expect(await accessibilityProblems(broken)).toEqual([])
})

test('the last of 3,500,000 rows can be reached with the scroll bar, the keyboard and step by step', async () => {
  const page = await open('rows=3500000')
  const grid = page.getByRole('grid', { name: 'Rows' })
  await page.getByText('row 0', { exact: true }).waitFor()
  await grid.evaluate((element) => (element.scrollTop = element.scrollHeight))
  await page.getByText('row 3499999', { exact: true }).waitFor()
  const bottom = () =>
    page
      .getByText('row 3499999', { exact: true })
      .evaluate((cell) => cell.closest('[role=row]')!.getBoundingClientRect().bottom)
  const edge = () => grid.evaluate((element) => element.getBoundingClientRect().bottom)
  await expect.poll(async () => Math.round((await bottom()) - (await edge()))).toBeLessThanOrEqual(0)

  await grid.evaluate((element) => (element.scrollTop = element.scrollHeight / 2))
  const first = async () => {
    const names = await page.getByRole('row').locator('[role=gridcell]:nth-child(2)').allTextContents()
    return Number(names[0]?.replace('row ', ''))
  }
  await expect.poll(first).toSatisfy((at: number) => at > 1_700_000 && at < 1_800_000)
  const before = await first()
  await grid.hover()
  for (let notch = 0; notch < 5; notch++) {
    await page.mouse.wheel(0, 320)
    await expect.poll(first).toBe(before + 10 * (notch + 1))
  }

  await page.getByRole('row').nth(15).focus()
  await page.keyboard.press('End')
  await expect.poll(() => focused(page)).toBe('3500001')
  await page.keyboard.press('Home')
  await expect.poll(() => focused(page)).toBe('2')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focused(page)).toBe('3')
})

test('frozen rows and columns, and the row at the bottom, stay visible while the table scrolls', async () => {
  const page = await open('rows=300000&stays=2')
  const grid = page.getByRole('grid', { name: 'Rows' })
  const boxOf = (text: string) =>
    page.getByText(text, { exact: true }).evaluate((cell) => {
      const { left, top } = cell.closest('[role=gridcell], [role=columnheader]')!.getBoundingClientRect()
      return { left: Math.round(left), top: Math.round(top) }
    })
  await page.getByText('row 5', { exact: true }).waitFor()
  const before = {
    pinned: await boxOf('row 1'),
    second: await boxOf('1·1'),
    heading: await boxOf('Column 1'),
    footer: await boxOf('all c1'),
  }
  await grid.evaluate((element) => element.scrollTo({ left: 900, top: 5_000_000 }))
  await page.getByText('row 156260', { exact: true }).waitFor()
  await expect
    .poll(async () => ({
      pinned: await boxOf('row 1'),
      second: await boxOf('1·1'),
      heading: await boxOf('Column 1'),
      footer: await boxOf('all c1'),
    }))
    .toEqual(before)
  expect((await boxOf('156260·1')).left).toBe(before.second.left)
  expect((await boxOf('156260·9')).left).toBe((await boxOf('Column 9')).left)
  await page.getByRole('row').nth(1).focus()
  await page.keyboard.press('End')
  await expect.poll(() => focused(page)).toBe('300001')
  const covered = await page.getByText('row 299999', { exact: true }).evaluate((cell) => {
    const { left, top, bottom } = cell.closest('[role=row]')!.getBoundingClientRect()
    const seen = document.elementFromPoint(Math.max(left, 0) + 60, (top + bottom) / 2)
    return seen?.closest('[role=row]')?.getAttribute('aria-rowindex')
  })
  expect(covered).toBe('300001')
  expect(await accessibilityProblems(page)).toEqual([])
})

test('the panel of a row that the keyboard opens gets the focus; Esc closes it and returns the focus to the row', async () => {
  const page = await open('panel&rows=10')
  const panel = page.getByRole('region', { name: 'Row details' })
  const active = () => page.evaluate(() => document.activeElement?.textContent)
  await page.getByRole('row').nth(3).focus()
  await page.keyboard.press('Enter')
  await panel.getByRole('heading', { name: 'row 2' }).waitFor()
  await expect.poll(active).toBe('row 2')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
  await page.keyboard.press('Escape')
  await expect.poll(() => panel.count()).toBe(0)
  await expect.poll(() => focused(page)).toBe('4')

  // the pressed control disappears with the row of the panel
  await page.keyboard.press('Enter')
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('H2')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  await panel.getByRole('heading', { name: 'row 3' }).waitFor()
  await expect.poll(active).toBe('row 3')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('4')

  // with the mouse, the arrow keys still move in the list
  await page.getByText('row 6', { exact: true }).click()
  await panel.getByRole('heading', { name: 'row 6' }).waitFor()
  await expect.poll(() => focused(page)).toBe('8')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => focused(page)).toBe('9')
})

test('after the deletion of a row the focus is on the row at its position, and on the page after that of the last one', async () => {
  const page = await open('panel&rows=2')
  const deleteRow = async () => {
    await page.keyboard.press('Enter')
    await page.getByRole('region', { name: 'Row details' }).waitFor()
    await page.getByRole('button', { name: 'Delete' }).focus()
    await page.keyboard.press('Enter')
    const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete' })
    await expect.poll(() => confirm.evaluate((button) => button === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  }
  await page.getByRole('row').nth(1).focus()
  await deleteRow()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('row 11Archive')
  await expect.poll(() => focused(page)).toBe('2')
  await deleteRow()
  await page.getByRole('heading', { name: '0 rows' }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe('page')
})

test('a menu that the keyboard opens has the focus on its first action, and one that the mouse opens has not', async () => {
  const page = await open('panel&rows=10')
  const active = () => page.evaluate(() => document.activeElement?.textContent)
  const button = page.getByRole('button', { name: 'Actions for the first row' })
  await button.focus()
  await page.keyboard.press('Enter')
  await expect.poll(active).toBe('Details')
  await page.keyboard.press('ArrowDown')
  await expect.poll(active).toBe('Delete')
  await page.keyboard.press('Escape')
  await expect.poll(active).toBe('Actions for the first row')

  await page.getByRole('row').nth(5).focus()
  await page.keyboard.press('Shift+F10')
  await expect.poll(active).toBe('Details')
  await page.keyboard.press('Enter')
  await page.getByRole('region', { name: 'Row details' }).waitFor()
  await expect.poll(active).toBe('row 4')
  await page.keyboard.press('Escape')
  await expect.poll(() => focused(page)).toBe('6')

  await page.getByText('row 7', { exact: true }).click({ button: 'right' })
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[role="menu"]') !== null))
    .toBe(true)
  await expect.poll(active).toBe('')
})

test('Enter in the field of a dialog confirms it', async () => {
  const page = await open('panel&rows=10')
  await page.getByRole('button', { name: 'Actions for the first row' }).click()
  await page.getByRole('menuitem', { name: 'Rename' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename row' })
  const field = dialog.getByLabel('Name')
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.press('Enter')
  await dialog.getByRole('alert').getByText('Enter a name.').waitFor()
  await field.fill('first')
  await field.press('Enter')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('gridcell', { name: 'first' }).waitFor()
})

test('a control of a dialog that disappears or is disabled passes the focus to the marked control near it, otherwise to the heading', async () => {
  const page = await open('panel&rows=10')
  const active = () => page.evaluate(() => document.activeElement?.textContent)
  await page.getByRole('button', { name: 'Actions for the first row' }).click()
  await page.getByRole('menuitem', { name: 'Steps' }).click()
  const dialog = page.getByRole('dialog', { name: 'Steps' })
  await dialog.getByRole('button', { name: 'Next' }).press('Enter')
  await dialog.getByText('Step 2').waitFor()
  await expect.poll(active).toBe('Next')
  await page.keyboard.press('Enter')
  await dialog.getByText('Step 3').waitFor()
  await expect.poll(active).toBe('Back')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Skip' }).waitFor()
  await expect.poll(active).toBe('Steps')
})

test('on a phone the rows of a main list have the values of all columns and their actions, without scrolling sideways', async () => {
  const page = await open('panel&rows=10')
  const row = page.getByRole('row').nth(4)
  await expect.poll(() => row.getByRole('gridcell').allTextContents()).toEqual(['row 3', '3', 'Archive'])
  await page.setViewportSize({ width: 320, height: 700 })
  await expect.poll(() => row.getByRole('gridcell').allTextContents()).toEqual(['row 3Number 3', 'Archive'])
  await expect.poll(async () => (await row.boundingBox())!.height).toBe(72)
  const scrolls = (grid: Element) => grid.scrollWidth > grid.clientWidth
  await expect.poll(() => page.getByRole('grid').evaluate(scrolls)).toBe(false)
  expect(await accessibilityProblems(page)).toEqual([])
})
