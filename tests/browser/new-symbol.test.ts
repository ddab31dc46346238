import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { type Session, uploadSeries } from '@headwater/server/testing'
import { createFormula, searchSymbols } from '@headwater/symbols/contract'
import { accessibilityProblems, openAs } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage({ env: { HEADWATER_ENVIRONMENT: 'dev' } })

let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Prices' } })
  const content =
    'Code,Date,Close,Note(S)\nBRENT,2024-01-02,75,\nBRENT,2024-01-03,78,\nWTI,2024-01-02,70,\nWTI,2024-01-03,72,x\n'
  await uploadSeries(anna, { groupName: 'Prices', fileName: 'prices.csv', content })
})

async function open(path: string): Promise<Page> {
  const page = await stage.newPage()
  await openAs(page, stage.server.url, 'anna@example.com', path)
  return page
}

async function paste(page: Page, label: string, text: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).evaluate((cell, pasted) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', pasted)
    cell.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

async function rowsOf(symbols: Record<string, string>): Promise<string[]> {
  const response = await anna.fetch('/ts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ keys: [{ groupName: 'Prices', symbols }] }),
  })
  return (await response.text()).replaceAll('T00:00:00', '').trimEnd().split('\n')
}

async function chooseSymbol(page: Page, number: number, name: string): Promise<void> {
  await page
    .getByRole('group', { name: `Input ${number}`, exact: true })
    .getByLabel('Symbol', { exact: true })
    .click()
  await page.getByRole('option', { name }).click()
}

test('a new symbol with pasted values is saved to its group and opens', async () => {
  const page = await open('/Storage/Symbols/Prices')
  await page.getByRole('link', { name: 'New symbol' }).click()
  await page.getByRole('button', { name: 'Add key' }).click()
  await expect
    .poll(() =>
      page.getByLabel('Key 2', { exact: true }).evaluate((field) => field === document.activeElement),
    )
    .toBe(true)
  await page.getByRole('button', { name: 'Remove key 2' }).click()
  await page.getByLabel('Key 1', { exact: true }).fill('Code')
  await page.getByPlaceholder('BRENT').fill('GAS')
  await paste(page, 'Date 1', 'Date\tClose\tNote\n2024-01-02\tmuch\tcalm\n2024-01-03\t31\t')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Row 1, column 2: Enter a number such as 12.5.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByLabel('Close 1', { exact: true }).fill('30.5')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.waitForURL(/\/Storage\/Symbols\/Prices\?symbol=Code%3DGAS$/)
  await page.getByRole('grid', { name: 'Values' }).getByText('30.5').waitFor()
  expect(await rowsOf({ Code: 'GAS' })).toEqual(
    ['Code,Date(UTC),Close,Note', 'GAS,2024-01-02,30.5,calm', 'GAS,2024-01-03,31,'].map((line, index) =>
      index === 0 ? line.replace('Note', 'Note(S)') : line,
    ),
  )
})

test('a formula is created from selected inputs, with a preview of its values and errors at their position', async () => {
  const page = await open('/Storage/NewSymbol/Prices')
  await page.getByLabel('Key 1', { exact: true }).fill('Code')
  await page.getByPlaceholder('BRENT').fill('SPREAD')
  await page.getByRole('tab', { name: 'Formula' }).click()
  await chooseSymbol(page, 1, 'BRENT')
  await page.getByRole('button', { name: 'Add input' }).click()
  await chooseSymbol(page, 2, 'WTI')
  const expression = page.getByLabel('Expression')
  const functions = page.getByRole('region', { name: 'Functions' })
  await functions.getByLabel('Search functions').fill('last n timestamps')
  await expect
    .poll(() => functions.getByRole('button').filter({ hasText: '(' }).allTextContents())
    .toEqual([
      expect.stringMatching(/^mean\(x, n\)The mean .*mean\(brent, 20\)$/),
      expect.stringMatching(/^sum\(x, n\)The sum .*sum\(brent, 5\)$/),
    ])
  await functions.getByLabel('Search functions').press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.locator('textarea:focus').waitFor()
  await page.keyboard.type(' + ')
  await expect.poll(() => expression.inputValue()).toBe('sum(brent, 5) + ')
  await functions.getByLabel('Search functions').fill('ABS')
  await page.getByRole('alert').filter({ hasText: 'but found the end (character 17).' }).waitFor()
  await functions.getByRole('button', { name: 'abs(brent)' }).click()
  await page.locator('textarea:focus').waitFor()
  await expect.poll(() => expression.inputValue()).toBe('sum(brent, 5) + abs(brent)')
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  await page.getByLabel('Expression').fill('brent - gas')
  const ligatures = page
    .getByLabel('Expression')
    .evaluate((field) => getComputedStyle(field).fontVariantLigatures)
  expect(await ligatures).toBe('none')
  await page
    .getByRole('alert')
    .filter({ hasText: '“gas” is not an input. The inputs are brent, wti (character 9).' })
    .waitFor()
  await page.getByText('No values yet').waitFor()
  await page.getByLabel('Expression').fill('(brent - wti) * 2')
  const values = page.getByRole('grid', { name: 'Values of the formula' })
  await values.getByText('2024-01-03').waitFor()
  await values.getByText('12', { exact: true }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Formula created.', { exact: true }).waitFor()
  await page.waitForURL(/\/Storage\/Symbols\/Prices\?symbol=Code%3DSPREAD$/)
  await page.getByRole('region', { name: 'Formula' }).getByText('(brent - wti) * 2').waitFor()
  await page.getByRole('grid', { name: 'Symbols' }).getByText('formula').waitFor()
  expect(await rowsOf({ Code: 'SPREAD' })).toEqual([
    'Code,Date(UTC),Value',
    'SPREAD,2024-01-02,10',
    'SPREAD,2024-01-03,12',
  ])
})

test('DP-028 a formula can be changed and removed', async () => {
  const inputs = [{ name: 'x', groupName: 'Prices', symbols: { Code: 'BRENT' }, column: 'Close' }]
  const symbols = { Code: 'TWICE' }
  await anna.call(createFormula, { body: { groupName: 'Prices', symbols, expression: 'x * 2', inputs } })
  const page = await open('/Storage/Symbols/Prices?symbol=Code%3DTWICE')
  await page.getByRole('link', { name: 'Edit' }).click()
  await page.getByLabel('Expression').fill('x * 3')
  await page.getByRole('grid', { name: 'Values of the formula' }).getByText('234').waitFor()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your changes have been saved', { exact: true }).waitFor()
  await page.waitForURL(/\/Storage\/Symbols\/Prices\?symbol=Code%3DTWICE$/)
  await page.getByRole('grid', { name: 'Values' }).getByText('234').waitFor()
  const missing: string[] = []
  page.on('response', (response) => {
    if (response.status() === 404) missing.push(new URL(response.url()).pathname)
  })
  await page.getByRole('button', { name: 'Remove' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The symbol was removed.').waitFor()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByRole('complementary', { name: 'Preview' }).waitFor({ state: 'detached' })
  expect(missing).toEqual([])
  const left = await anna.call(searchSymbols, { query: { query: 'symbols.Code=TWICE' } })
  expect(left.totalSize).toBe(0)
})

test('a formula shows no errors before its first edit; server errors are shown on their field', async () => {
  const page = await open('/Storage/NewSymbol/Prices')
  await page.getByLabel('Key 1', { exact: true }).fill('Code')
  await page.getByPlaceholder('BRENT').fill('WTI')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Enter at least one value for the symbol.').waitFor()
  await page.getByRole('tab', { name: 'Formula' }).click()
  await page.getByText('No values yet').waitFor()
  expect(await page.getByRole('alert').allTextContents()).toEqual([])
  await page.getByLabel('Expression').focus()
  await page.getByLabel('Name of the value column').focus()
  await expect
    .poll(() => page.getByRole('alert').allTextContents())
    .toEqual(['Write an expression, or insert an example.'])
  await page.getByRole('button', { name: 'Create' }).click()
  await expect
    .poll(() => page.getByRole('alert').allTextContents())
    .toEqual(['Choose a symbol.', 'Write an expression, or insert an example.'])
  await chooseSymbol(page, 1, 'BRENT')
  await page.getByLabel('Expression').fill('brent')
  await page.getByLabel('Name of the value column').fill('Note')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('The group “Prices” has a column “Note” of the type string').waitFor()
  await page.getByLabel('Name of the value column').fill('Value')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('The group “Prices” already has a symbol Code=WTI.').waitFor()
})

test('a long name is truncated in a list of choices, and the names beside it stay visible', async () => {
  const name = 'x'.repeat(200)
  await anna.call(createGroup, { body: { name } })
  const page = await open('/Storage/NewSymbol/Prices')
  await page.getByRole('combobox', { name: 'Group' }).first().click()
  const long = page.getByRole('option', { name })
  await long.hover()
  const list = (await page.getByRole('listbox').boundingBox())!
  for (const option of [long, page.getByRole('option', { name: 'Prices', exact: true })]) {
    const text = (await option.locator('[title]').boundingBox())!
    expect(text.x).toBeGreaterThanOrEqual(list.x)
    expect(text.x + text.width).toBeLessThanOrEqual(list.x + list.width)
  }
  expect(await long.locator('[title]').getAttribute('title')).toBe(name)
})
