import { Buffer } from 'node:buffer'
import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { pathOf } from '@headwater/contract'
import { downloadFile, listMappings, previewSeries, searchFiles } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems, openAs, pollClock, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Desk' } })
})

const days = Array.from({ length: 40 }, (_, at) =>
  new Date(Date.UTC(1987, 4, 20 + at)).toISOString().slice(0, 10),
)
const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })
const button = (parent: Locator | Page, name: string) => parent.getByRole('button', { name, exact: true })
const importOf = (page: Page, fileName: string) =>
  page.getByRole('region', { name: `Import of ${fileName}`, exact: true })

async function openUpload(page: Page, ...files: ReturnType<typeof csv>[]): Promise<Locator> {
  await button(page, 'Upload').first().click()
  const dialog = page.getByRole('dialog', { name: 'Upload files' })
  await dialog.locator('input[type=file]').setInputFiles(files)
  return dialog
}

test('a new user creates a chart from a raw CSV with dates and prices with at most 12 clicks', async () => {
  const carl = await stage.server.createUser({ email: 'carl@example.com' })
  const page = await stage.open('/', carl)
  let clicks = 0
  const click = async (target: Locator) => {
    await target.click()
    clicks++
  }
  await click(page.getByRole('link', { name: 'Data lake', exact: true }))
  await click(button(page, 'New group').first())
  const group = page.getByRole('dialog')
  await group.getByLabel('Name', { exact: false }).first().fill('Prices')
  await click(group.getByRole('button', { name: 'Create' }))
  await page.getByRole('heading', { name: 'Prices' }).first().waitFor()
  await click(button(page, 'Upload').first())
  const dialog = page.getByRole('dialog', { name: 'Upload files' })
  const [chooser] = await Promise.all([
    page.waitForEvent('filechooser'),
    click(dialog.getByRole('button', { name: /^choose files/ })),
  ])
  await chooser.setFiles(
    csv('brent.csv', `Date,Price\n${days.map((day, at) => `${day},${18 + at / 100}\n`).join('')}`),
  )
  // Uses the file dialog of the system: selects the file and presses Open.
  clicks += 2
  const active = () => page.evaluate(() => document.activeElement?.textContent)
  await button(dialog, 'Import as series').press('Enter')
  clicks++
  await expect.poll(active).toBe('Store unchanged')
  const form = importOf(page, 'brent.csv')
  await form.getByText('1 symbol: brent').waitFor()
  const rows = form.getByRole('region', { name: 'First rows as series' }).getByRole('row')
  expect(await rows.nth(1).getByRole('cell').allTextContents()).toEqual(['brent', '1987-05-20', '18'])
  const alignments = (cells: Element[]) => cells.map((cell) => getComputedStyle(cell).textAlign)
  expect(await rows.nth(1).getByRole('cell').evaluateAll(alignments)).toEqual(['left', 'left', 'right'])
  await button(dialog, 'Upload').press('Enter')
  clicks++
  await dialog.getByText('40 rows of 1 symbol imported').waitFor()
  await expect.poll(active).toBe('Show chart')
  const options = dialog.getByRole('button', { name: 'Add metadata' })
  expect(await options.count(), 'offers no options after all files are stored').toBe(0)
  await click(dialog.getByRole('link', { name: 'Show chart' }))
  await page.getByRole('application', { name: /^Values of Symbol=brent/ }).waitFor()
  expect(clicks).toBeLessThanOrEqual(12)
})

test('an import that is undone leaves the focus in the row of its file; a removed file passes it to the next or the previous one', async () => {
  const page = await stage.open('/Lake/Groups/Desk', anna)
  const text = `Date,Price\n${days.map((day) => `${day},18\n`).join('')}`
  const dialog = await openUpload(page, csv('one.csv', text), csv('two.csv', text))
  for (const name of ['one.csv', 'two.csv']) {
    await dialog
      .getByRole('listitem')
      .filter({ has: page.getByText(name, { exact: true }) })
      .getByRole('button', { name: 'Import as series' })
      .click()
    await importOf(page, name).waitFor()
  }
  await button(dialog, 'Store unchanged').nth(1).press('Enter')
  await importOf(page, 'two.csv').waitFor({ state: 'detached' })
  await expect
    .poll(() =>
      page.evaluate(() => {
        const row = document.activeElement?.closest('li')
        return [document.activeElement?.textContent, row?.textContent.includes('two.csv')]
      }),
    )
    .toEqual(['Import as series', true])

  await dialog.locator('input[type=file]').setInputFiles([csv('three.csv', text)])
  const remove = (name: string) => button(dialog, `Remove ${name}`)
  const awaitFocus = (control: Locator) =>
    expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true)
  await remove('three.csv').waitFor()
  await remove('two.csv').press('Enter')
  await awaitFocus(remove('three.csv'))
  await page.keyboard.press('Enter')
  await awaitFocus(remove('one.csv'))
  await page.keyboard.press('Enter')
  await awaitFocus(button(dialog, 'choose files: Files to upload'))
})

test('a name is searched after a pause in typing, not at each key', async () => {
  const page = await stage.newPage()
  await page.clock.install()
  await openAs(page, stage.server.url, anna.userName, '/Lake/Groups/Desk')
  const text = `Date,Price\n${days.map((day) => `${day},18\n`).join('')}`
  const series = Buffer.from('Ticker,Date(UTC),Price(DB)\nA,2024-01-01,1\n')
  await upload(anna, { groupName: 'Desk', fileName: 'typed name.ncsv', fileType: 'NCSV', content: series })
  const dialog = await openUpload(page, csv('other.csv', text))
  await button(dialog, 'Import as series').click()
  const form = importOf(page, 'other.csv')
  const name = form.getByLabel('Series file')
  await name.fill('')
  const searched: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/file/search' && searchParams.has('name')) searched.push(searchParams.get('name'))
  })
  await stopClock(page)
  await name.pressSequentially('typed name.ncsv')
  const version = dialog.getByText('This file becomes version 2 of typed name.ncsv.', { exact: false })
  await pollClock(page, 20, () => version.count()).toBe(1)
  expect(searched).toEqual(['typed name.ncsv'])
})

test('the import requires a choice for ambiguous dates and signs, names lines of the file, states which stored file gets a new version and whether its columns differ, and stores a mapping that it suggests later', async () => {
  const series = Buffer.from('Ticker,Date(UTC),Price(DB)\nA,2024-01-01,1\n')
  await upload(anna, { groupName: 'Desk', fileName: 'kurse.ncsv', fileType: 'NCSV', content: series })
  await upload(anna, { groupName: 'Desk', fileName: 'mehr.csv', content: Buffer.from('a,b\n') })
  const page = await stage.open('/Lake/Groups/Desk', anna)
  const rows = Array.from({ length: 12 }, (_, at) => `01/${String(at + 1).padStart(2, '0')}/2024;Köln`)
  const text = `# Quelle\r\n\r\nDatum;Ort;Kurs\r\n${rows.map((row, at) => `${row};${at === 1 ? 'x' : at === 2 ? '' : '1.234'}\r\n`).join('')}`
  const dialog = await openUpload(page, csv('kurse.csv', text))
  await button(dialog, 'Import as series').click()
  const form = importOf(page, 'kurse.csv')
  const open = 'Choose the date format: “01/02/2024” can be read in two ways.'
  await form.getByText(open).waitFor()
  const version = dialog.getByText(/^This file becomes version/)
  await expect
    .poll(() => version.allTextContents())
    .toEqual([
      'This file becomes version 2 of kurse.ncsv. The columns differ. Stored file: Ticker, Price. New version: Ort, Kurs.',
    ])
  await page.setViewportSize({ width: 390, height: 700 })
  await button(dialog, 'Upload').click()
  const rejection = dialog.getByRole('alert').filter({ hasText: open })
  await rejection.waitFor()
  expect(await dialog.getByText(open).count()).toBe(1)
  const isInView = (element: Element) => {
    const { left, top } = element.getBoundingClientRect()
    return document.elementFromPoint(left + 2, top + 2) === element
  }
  await expect.poll(() => rejection.evaluate(isInView)).toBe(true)
  await page.setViewportSize({ width: 1440, height: 900 })
  await expect.poll(() => form.getByRole('radio').count()).toBe(2)
  await form.getByRole('radio', { name: '1 February 2024' }).check()
  await expect.poll(() => form.getByLabel('Date format').inputValue()).toBe('dd/MM/yyyy')
  await form.getByText('Choose the decimal separator: the numbers are ambiguous.').waitFor()
  await form.getByLabel('Decimal separator').click()
  await page.getByRole('option', { name: 'Comma: 1234,5' }).click()
  await form.getByText('Row 5, column 3 (Kurs): "x" is not a number.').waitFor()
  expect(await form.getByRole('cell', { name: '1234', exact: true }).count()).toBeGreaterThan(0)
  const newName = form.getByLabel('Name of Kurs in the series')
  expect(await newName.inputValue()).toBe('Kurs')
  await newName.fill(' ')
  await form.getByText('Enter a name for the values of the column "Kurs".').waitFor()
  await newName.fill('Close')
  await form.getByRole('columnheader', { name: 'Close(DB)' }).waitFor()
  await expect
    .poll(() => version.allTextContents())
    .toEqual([
      'This file becomes version 2 of kurse.ncsv. The columns differ. Stored file: Ticker, Price. New version: Ort, Close.',
    ])
  expect(await accessibilityProblems(page)).toEqual([])
  await button(dialog, 'Upload').click()
  await dialog
    .getByRole('alert')
    .filter({ hasText: 'Row 5, column 3 (Kurs): "x" is not a number.\nNothing was imported.' })
    .waitFor()
  await form.getByText('Mappings of the group (0)').click()
  await form.getByLabel('Save these settings as').fill('Kurse')
  await button(form, 'Save mapping').click()
  await form.getByText('The mapping “Kurse” of the group is used.').waitFor()
  const { items } = await anna.call(listMappings, { query: { groupName: 'Desk' } })
  expect(items).toMatchObject([
    {
      name: 'Kurse',
      mapping: {
        separator: ';',
        symbolColumns: ['Ort'],
        date: { column: 'Datum', dateFormat: 'dd/MM/yyyy' },
        decimalSign: ',',
        columns: [{ column: 'Kurs', name: 'Close', type: 'DB' }],
      },
    },
  ])
  await button(dialog, 'Remove kurse.csv').click()
  await dialog
    .locator('input[type=file]')
    .setInputFiles(csv('mehr.csv', 'Ort;Datum;Kurs\nKöln;01/05/2024;1.234\n'))
  await expect.poll(() => version.allTextContents()).toEqual(['This file becomes version 2 of mehr.csv.'])
  await button(dialog, 'Import as series').click()
  const again = importOf(page, 'mehr.csv')
  await again.getByText('The mapping “Kurse” of the group is used.').waitFor()
  await again.getByText('1 symbol: Köln').waitFor()
  await again.getByLabel('Series file').fill('kurse.ncsv')
  await version.waitFor()
  await again.getByLabel('Series file').fill('neu.ncsv')
  await version.waitFor({ state: 'detached' })
  await button(dialog, 'Upload').click()
  await dialog.getByText('1 row of 1 symbol imported').waitFor()
  const stored = await anna.call(searchFiles, { query: { query: 'name=neu.ncsv' } })
  expect(stored.items).toMatchObject([{ fileType: 'NCSV', version: 1 }])
  const imported = await anna.call(previewSeries, { params: { fid: stored.items[0]!.fid } })
  expect(imported.columns.map(({ name }) => name)).toContain('Close')
})

test('going back with chosen files needs a confirmation, and staying keeps the files', async () => {
  const page = await stage.open('/Lake', anna)
  await page.getByRole('link', { name: 'Desk', exact: true }).click()
  const dialog = await openUpload(page, csv('kept.csv', 'a,b\n1,2\n'))
  await dialog.getByText('kept.csv', { exact: true }).waitFor()
  await page.goBack()
  const leaving = page.getByRole('dialog', { name: 'Unsaved changes' })
  await button(leaving, 'Stay').click()
  await leaving.waitFor({ state: 'detached' })
  await expect.poll(() => new URL(page.url()).pathname).toBe('/Lake/Groups/Desk')
  await button(dialog, 'Upload').click()
  await expect
    .poll(async () => (await anna.call(searchFiles, { query: { query: 'name=kept.csv' } })).totalSize)
    .toBe(1)
})

test('a file without rows cannot be imported; the dialog states what the upload does instead', async () => {
  const page = await stage.open('/Lake/Groups/Desk', anna)
  const dialog = await openUpload(page, csv('header.csv', 'Date,Price\n'))
  await button(dialog, 'Import as series').click()
  await dialog
    .getByRole('status')
    .getByText(
      'The file has a header line but no rows. Nothing can be imported. Upload stores it as a plain file.',
      { exact: true },
    )
    .waitFor()
  expect(await dialog.getByRole('alert').count()).toBe(0)
  expect(await button(dialog, 'Import as series').count()).toBe(0)
})

test('a cancelled conversion and a lost connection import nothing, and the upload can be repeated', async () => {
  const page = await stage.open('/Lake/Groups/Desk', anna)
  const dialog = await openUpload(page, csv('wti.csv', 'Date,Price\n2024-01-31,1.5\n2024-02-01,2\n'))
  await button(dialog, 'Import as series').click()
  await importOf(page, 'wti.csv').getByText('1 symbol: wti').waitFor()
  let release: () => void = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route(/convert\.worker/, async (route) => {
    await held
    await route.continue().catch(() => {})
  })
  await button(dialog, 'Upload').click()
  await dialog.getByRole('progressbar', { name: 'Converting wti.csv' }).waitFor()
  await button(dialog, 'Cancel upload').click()
  await dialog.getByText('Cancelled.').waitFor()
  release()
  await page.unroute(/convert\.worker/)
  await page.route('**/file', (route) => route.abort())
  await button(dialog, 'Upload').click()
  await dialog.getByRole('alert').filter({ hasNotText: 'Cancelled.' }).first().waitFor()
  await page.unroute('**/file')
  const find = () => anna.call(searchFiles, { query: { query: 'fileName=wti.ncsv' } })
  expect((await find()).items).toEqual([])
  stage.problemsOf(page).splice(0)
  await button(dialog, 'Upload').click()
  await dialog.getByText('2 rows of 1 symbol imported').waitFor()
  const [file] = (await find()).items
  expect(file).toMatchObject({ fileType: 'NCSV', groupName: 'Desk' })
  expect(await (await anna.fetch(pathOf(downloadFile.path, { fid: file!.fid }))).text()).toMatch(
    /^Symbol,Date\(.+\),Price\(DB\)\nwti,2024-01-31,1.5\nwti,2024-02-01,2\n$/,
  )
})

test('the preview of a series file shows column types, first rows, symbols, dates and a link to a chart', async () => {
  const content = Buffer.from(
    '# export\nCode,Date,Price,Lots(I),Unit(MD-S)\nB,2024-02-01,2,3,EUR\nA,2024-01-31,1.5,,EUR\n',
  )
  await upload(anna, { groupName: 'Desk', fileName: 'kinds.ncsv', fileType: 'NCSV', content })
  const page = await stage.open('/Lake/Groups/Desk', anna)
  await button(page, 'kinds.ncsv').click()
  const details = page.getByRole('region', { name: 'File details' })
  await button(details, 'Preview').click()
  const tool = page.getByRole('dialog', { name: 'kinds.ncsv' })
  const grid = tool.getByRole('region', { name: 'First rows' })
  await grid.waitFor()
  expect(await grid.getByRole('columnheader').allTextContents()).toEqual([
    'Line',
    'CodeSymbol',
    'Date',
    'PriceValue: number',
    'LotsValue: whole number',
    'UnitMetadata: text',
  ])
  expect(await grid.getByRole('rowheader').allTextContents()).toEqual(['3', '4'])
  expect(await tool.getByRole('list', { name: 'Symbols' }).getByRole('link').allTextContents()).toEqual([
    'B',
    'A',
  ])
  await tool.getByText('2024-01-31 to 2024-02-01').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await tool.getByRole('link', { name: 'Show chart' }).click()
  await page.getByRole('application', { name: /^Values of Code=B/ }).waitFor()
})
