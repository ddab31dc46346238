import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { type Session, upload } from '@headwater/server/testing'
import { createTask } from '@headwater/tasks/contract'
import { accessibilityProblems } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
let anna: Session
let taskId: string

beforeAll(async () => {
  anna = await stage.server.createUser({ role: 'Pipeline builder', email: 'anna@example.com' })
  for (const name of ['Flows', 'Prices']) await anna.call(createGroup, { body: { name } })
  const { fileId } = await upload(anna, {
    groupName: 'Prices',
    fileName: 'trades.csv',
    fileType: 'SOURCE',
    content: 'Code;Traded amount;Day\nA;1;2026-01-01\n',
  })
  const series = { groupName: 'Prices', symbols: { Code: 'A' }, column: 'Close' }
  const params = [
    { name: 'SQL', valueType: 'SCRIPT', value: 'SELECT 1 AS one' },
    { name: 'Group', valueType: 'GROUP', value: 'Prices' },
    { name: 'trades', valueType: 'FILE', value: JSON.stringify({ id: fileId, name: 'trades.csv' }) },
    { name: 'closes', valueType: 'SERIES', value: JSON.stringify(series) },
    { name: 'least', valueType: 'NUMBER', value: '20' },
  ]
  const body = { name: 'select', groupName: 'Flows', definitionName: 'sql-query', params }
  taskId = (await anna.call(createTask, { body: body as never })).id
})

async function openTask(options = {}): Promise<Page> {
  const page = await stage.open(`/Science/task/creator/${taskId}`, anna, options)
  await page.getByRole('textbox', { name: 'SQL' }).waitFor()
  return page
}

/** Replaces the statement by typing. */
async function type(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'SQL' }).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.press('Delete')
  await page.keyboard.type(text)
}

/** Replaces the statement at once, without completions. */
async function replace(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'SQL' }).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
}

const offered = (page: Page) => page.locator('.cm-tooltip-autocomplete .cm-completionLabel').allInnerTexts()

/** Types a statement and waits for these completions; types it again while there are others, because columns are loaded with the page. */
async function typeUntil(page: Page, text: string, labels: unknown): Promise<void> {
  await expect
    .poll(
      async () => {
        await type(page, text)
        await expect.poll(() => offered(page), { timeout: 5000 }).toEqual(labels)
        return offered(page)
      },
      { timeout: 60_000 },
    )
    .toEqual(labels)
}

test('the editor completes the inputs of a task, their columns, and values', async () => {
  const page = await openTask()
  await typeUntil(page, 'SELECT * FROM trades WHERE trades.', ['Code', 'Day', 'Traded amount'])
  await typeUntil(page, 'SELECT * FROM tra', expect.arrayContaining(['trades']))
  await page.locator('.cm-tooltip-autocomplete').getByText('trades').click()
  await expect
    .poll(() => page.getByRole('textbox', { name: 'SQL' }).innerText())
    .toContain('SELECT * FROM trades')
  await typeUntil(page, 'SELECT c.Code FROM closes AS c WHERE c.', ['Close', 'Code', 'Date'])
  await typeUntil(page, 'SELECT * FROM trades WHERE 1 < {', ['{least:Float64}'])
  await typeUntil(page, 'SEL', expect.arrayContaining(['SELECT']))
  await page.keyboard.press('Escape')
  await page.locator('.cm-tooltip-autocomplete').waitFor({ state: 'detached' })

  // The list of completions opens after a short delay; by then the focus is elsewhere.
  await type(page, 'SELECT * FROM tra')
  await page.getByLabel('Maximum rows').focus()
  await page.getByRole('button', { name: 'Test run', exact: true }).click()
  await page.getByRole('textbox', { name: 'Sample input' }).waitFor()
  await page.getByRole('region', { name: 'Test run' }).getByRole('button', { name: 'Run test' }).click()
  await page.getByRole('region', { name: 'Test run' }).getByText('The table “tra” is unknown').waitFor()
  expect(await page.locator('.cm-tooltip-autocomplete').count()).toBe(0)
})

test('the error of a save marks its position in the SELECT', async () => {
  const page = await openTask()
  await page.getByRole('textbox', { name: 'SQL' }).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText("SELECT *\nFROM url('http://localhost/')")
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const alert = page.getByRole('alert').filter({ hasText: 'table function' }).first()
  expect(await alert.innerText()).toContain('The table function “url” is not allowed (line 2, column 6).')
  expect(await page.locator('.cm-wrong').innerText()).toBe('url')
  expect(await page.getByRole('textbox', { name: 'SQL' }).getAttribute('aria-invalid')).toBe('true')
  expect(await accessibilityProblems(page)).toEqual([])
  await replace(page, 'SELECT Code FROM trades')
  await expect.poll(() => page.locator('.cm-wrong').count()).toBe(0)
  await page.getByLabel('Maximum rows').fill('0')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('“Maximum rows” must be a whole number from 1 to 10,000,000.').first().waitFor()
  await page.getByLabel('Maximum rows').fill('10')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Task has been saved.').first().waitFor()
})

test('the form of a task is not wider than a narrow window', async () => {
  const page = await openTask({ viewport: { width: 1440, height: 900 } })
  await page.setViewportSize({ width: 390, height: 844 })
  const table = page.getByRole('region', { name: 'Parameters' }).getByRole('table')
  await expect.poll(async () => (await table.boundingBox())!.x).toBeLessThan(80)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('a test run shows the first rows of the unsaved SELECT, and marks the position of its error', async () => {
  const page = await openTask()
  await page.getByLabel('Maximum rows').fill('1000')
  await page.getByRole('button', { name: 'Test run', exact: true }).click()
  await page.getByRole('textbox', { name: 'Sample input' }).waitFor()
  const html = '<img src=x onerror="window.hacked = 1">'
  await replace(
    page,
    `SELECT Code, Day, arrayJoin(range(250)) AS n, '${html}' AS html\nFROM trades ORDER BY n`,
  )
  const section = page.getByRole('region', { name: 'Test run' })
  await section.getByRole('button', { name: 'Run test' }).click()
  await section.getByText('First 100 of 250 rows').waitFor()
  await section.getByText('Succeeded').waitFor()
  const lines = section.getByRole('region', { name: 'First rows' }).getByRole('row')
  await expect.poll(() => lines.count()).toBe(101)
  await expect.poll(() => lines.nth(1).innerText()).toMatch(/^1\s+A\s+2026-01-01\s+0\s+<img [^>]+>$/)
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  expect(await accessibilityProblems(page)).toEqual([])
  await replace(page, 'SELECT Code,\n  Colour\nFROM trades')
  await section.getByRole('button', { name: 'Run test' }).click()
  await section.getByText('The column “Colour” is unknown (line 2, column 3).').waitFor()
  await expect.poll(() => page.locator('.cm-wrong').innerText()).toBe('Colour')
  await expect.poll(() => section.getByRole('region', { name: 'First rows' }).count()).toBe(0)
})
