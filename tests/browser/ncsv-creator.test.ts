import { Buffer } from 'node:buffer'
import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { pathOf } from '@headwater/contract'
import { downloadFile, searchFiles, validateNcsv } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
const groupName = 'Desk'
let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: groupName } })
  for (const [fileName, content] of [
    ['titled.csv', 'Report;;\nof two lines\nTicker;When;\nA;31.01.2024;1,5\nB;01.02.2024;2,5\n'],
    ['raw.csv', 'When;Ticker;Price\n31.01.2024;A;1,5\n01.02.2024;A;2,5\n'],
    ['long.csv', `Date,Ticker,Price\n${'2024-01-31,A,1\n'.repeat(1001)}`],
    ['plain.csv', 'Date,Price\n2024-01-31,1\n2024-02-01,x\n'],
  ] as const)
    await upload(anna, { groupName, fileName, content: Buffer.from(content) })
})

async function openCreator(page: Page, fileName: string): Promise<Locator> {
  await page.getByRole('button', { name: fileName, exact: true }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Create NCSV', exact: true }).click()
  return page.getByRole('dialog', { name: `NCSV of ${fileName}`, exact: true })
}

const button = (tool: Locator, name: string) => tool.getByRole('button', { name, exact: true })
const stepsOf = (tool: Locator) =>
  tool.getByRole('list', { name: 'Steps' }).getByRole('button').allTextContents()

test('DP-249 DP-250 DP-251 DP-252 DP-253 DP-254 DP-255 DP-257 DP-258 DP-277 DP-278 DP-281 DP-284 DP-285 DP-286 DP-287 four steps create a series file from a CSV file', async () => {
  const page = await stage.open(`/Lake/Groups/${groupName}`, anna)
  const tool = await openCreator(page, 'raw.csv')
  await button(tool, 'Next').waitFor()
  expect(await stepsOf(tool)).toEqual(['Datepending', 'Symbolspending', 'Columnspending', 'Validatepending'])
  expect(await tool.getByRole('button', { name: /^Columns/ }).isDisabled()).toBe(true)
  expect(await tool.getByRole('button', { name: /^Validate/ }).isDisabled()).toBe(true)
  const format = tool.getByLabel('Date format')
  expect(await format.inputValue()).toBe('dd.MM.yyyy')
  await format.fill('yyyy-MM-dd')
  await page.keyboard.press('Tab')
  await button(tool, 'Next').click()
  await tool
    .getByRole('alert')
    .getByText('Some rows does not match proper date format. Please verify the data. Failed rows: 2, 3')
    .waitFor()
  expect((await stepsOf(tool))[0]).toBe('Dateerror')
  await tool.getByRole('button', { name: /^Symbols/ }).click()
  await tool.getByRole('alert').waitFor()
  expect(await tool.getByText('Symbol columns').count()).toBe(0)
  await format.fill('dd.MM.yyyy')
  await page.keyboard.press('Tab')
  await button(tool, 'Next').click()
  await tool.getByText('Symbol columns').waitFor()
  expect((await stepsOf(tool))[0]).toBe('Datesuccess')
  expect(await tool.getByRole('button', { name: /^Validate/ }).isDisabled()).toBe(true)
  await button(tool, 'Back').click()
  await format.waitFor()
  expect(await tool.getByRole('button', { name: /^Columns/ }).isDisabled()).toBe(true)
  await button(tool, 'Next').click()
  await tool.getByRole('button', { name: /^Columns/ }).click()
  await tool.getByRole('list', { name: 'Columns' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const request = page.waitForRequest((sent) => sent.url().endsWith(validateNcsv.path))
  await button(tool, 'Next').press('Enter')
  expect((await request).postData()).toBe('Ticker,Date(UTC),Price(DB)\nA,2024-01-31,1.5\nA,2024-02-01,2.5\n')
  await tool.getByText('NCSV file configuration went succesfully!').waitFor()
  expect(await button(tool, 'Next').count()).toBe(0)
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Validatesuccess')
  await page.setViewportSize({ width: 390, height: 844 })
  const gapToToasts = async () => {
    const saving = (await button(tool, 'Save').boundingBox())!
    return (await page.getByLabel('Notifications').boundingBox())!.y - saving.y - saving.height
  }
  await expect.poll(gapToToasts).toBeGreaterThanOrEqual(0)
  await page.setViewportSize({ width: 1440, height: 900 })
  const name = tool.getByLabel('File name')
  await name.fill(' ')
  await expect.poll(() => button(tool, 'Save').isDisabled()).toBe(true)
  await name.fill('plain.csv')
  const version = tool.getByText(
    'This file becomes version 2 of plain.csv. The stored file has the type SOURCE.',
  )
  await version.waitFor()
  await name.fill('made.ncsv')
  await version.waitFor({ state: 'detached' })
  await button(tool, 'Save').click()
  await page.getByText('NCSV file has been saved.').waitFor()
  await tool.waitFor({ state: 'detached' })
  const { items } = await anna.call(searchFiles, { query: { query: 'fileName=made.ncsv' } })
  expect(items[0]).toMatchObject({ fileType: 'NCSV', groupName })
  expect(await (await anna.fetch(pathOf(downloadFile.path, { fid: items[0]!.fid }))).text()).toContain(
    'A,2024-01-31,1.5',
  )

  const long = await openCreator(page, 'long.csv')
  for (let step = 0; step < 3; step++) await button(long, 'Next').click()
  await long
    .getByText(
      "NSCV file validation doesn't support files with more than 1000 rows. You can proceed without validation.",
    )
    .waitFor()
  expect(await button(long, 'Save').isEnabled()).toBe(true)
  expect(await stepsOf(long)).toEqual(['Datesuccess', 'Symbolssuccess', 'Columnssuccess', 'Validatesuccess'])
  await button(long, 'Close').click()
  await button(page.getByRole('dialog', { name: 'Unsaved changes' }), 'Close without saving').click()
  await long.waitFor({ state: 'detached' })
  // The browser prints the refused validation.
  stage.problemsOf(page).splice(0)

  const plain = await openCreator(page, 'plain.csv')
  await button(plain, 'Next').click()
  await button(plain, 'Next').click()
  await plain.getByRole('alert').getByText('At least one symbol has to be selected.').waitFor()
  expect((await stepsOf(plain))[1]).toBe('Symbolserror')
  await button(plain, 'Add symbol column').click()
  await button(plain, 'Next').click()
  const column = plain.getByRole('list', { name: 'Columns' })
  const type = plain.getByLabel('Type of Price', { exact: true })
  await column.getByRole('combobox').first().click()
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Value', 'Metadata'])
  await page.keyboard.press('Escape')
  await type.click()
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual(['Double', 'String', 'Integer', 'Date'])
  await page.getByRole('option', { name: 'Double', exact: true }).click()
  await button(plain, 'Next').click()
  await plain.getByText('Issues were found in highlighted cells below').waitFor()
  expect((await stepsOf(plain))[3]).toBe('Validateerror')
  expect(await plain.locator('td[data-invalid]').allTextContents()).toEqual(['x'])
  expect(await button(plain, 'Save').isDisabled()).toBe(true)
})

test('the line with the column names can be chosen, and a column without a name can be the date', async () => {
  const page = await stage.open(`/Lake/Groups/${groupName}`, anna)
  const tool = await openCreator(page, 'titled.csv')
  const line = tool.getByLabel('Line with column names')
  await expect.poll(() => line.inputValue()).toBe('3: Ticker, When, ')
  await expect.poll(() => tool.getByLabel('Date column').inputValue()).toBe('When')
  await line.click()
  await page.getByRole('option', { name: '1: Report, ,' }).click()
  await tool.getByRole('alert').getByText('Line 2 has 1 cells, but the header has 3.').waitFor()
  await line.click()
  await page.getByRole('option', { name: '4: A, 31.01.2024, 1,5' }).click()
  await expect.poll(() => tool.getByLabel('Date column').inputValue()).toBe('31.01.2024')
  await line.click()
  await page.getByRole('option', { name: '3: Ticker, When,' }).click()
  await expect.poll(() => tool.getByLabel('Name of column 3').inputValue()).toBe('Column 3')
  await tool.getByLabel('Date column').click()
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Ticker', 'When', 'Column 3'])
})
