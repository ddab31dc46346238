import { Buffer } from 'node:buffer'
import { buffer } from 'node:stream/consumers'
import writeWorkbook from 'write-excel-file/node'
import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { type Session, upload } from '@headwater/server/testing'
import { convertTable } from '@headwater/tables'
import { accessibilityProblems, openedList } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
const groupName = 'Tables'
/** Folder for pictures, to look at them. */
const folder = process.env['HEADWATER_PICTURES']
let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: groupName } })
  const put = (fileName: string, content: Buffer<ArrayBuffer>) =>
    upload(anna, { groupName, fileName, content })
  await put('tanks.xlsx', await workbook())
  await put('locked.xlsx', Buffer.from('d0cf11e0a1b11ae1', 'hex'))
  await put('damaged.xlsx', Buffer.alloc(20_000_000))
  const names = Array.from({ length: 120 }, (_, at) => `Column ${at + 1}`)
  const rows = Array.from({ length: 150 }, (_, row) =>
    names.map((_, at) => (row === 0 ? '' : row * at)).join(),
  )
  const csv = Buffer.from(`${names.join()}\n${rows.join('\n')}\n`)
  const source = {
    sizeBytes: csv.length,
    read: async (start: number, end: number) => csv.subarray(start, end),
  }
  const wide = convertTable(source, { formats: 'CSV to Parquet' }, new AbortController().signal)
  await put('wide.parquet', await buffer(wide))
})

async function workbook(): Promise<Buffer<ArrayBuffer>> {
  const text = (value: string) => ({ value })
  const tanks = [
    ['Tank', 'Since', 'Level', 'In use', 'Remarks'].map(text),
    [
      text('Rotterdam'),
      { value: new Date(Date.UTC(2026, 0, 31)), type: Date, format: 'dd.mm.yyyy' },
      { value: 1234.5, type: Number },
      { value: true, type: Boolean },
      text(`Inspected. ${'The floating roof was repaired in spring. '.repeat(8)}`),
    ],
    [text('=SUM(A1)'), null, { value: 7, type: Number }, { value: false, type: Boolean }, null],
  ]
  const notes = [[text('Source')], [text('Port authority')]]
  const sheets = [
    { data: tanks, sheet: 'Tanks' },
    { data: notes, sheet: 'Notes' },
  ]
  const bytes = await writeWorkbook(sheets as never).toBuffer()
  return Buffer.from(bytes)
}

async function openPreview(page: Page, fileName: string): Promise<Locator> {
  await page.getByRole('button', { name: fileName, exact: true }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Preview', exact: true }).click()
  return page.getByRole('dialog', { name: fileName, exact: true })
}

const rowsOf = (tool: Locator) =>
  tool
    .getByRole('region', { name: 'First rows' })
    .locator('tbody tr')
    .evaluateAll((rows) => rows.map((row) => [...row.children].map(({ textContent }) => textContent)))
const omittedOf = (tool: Locator) =>
  tool.getByRole('list', { name: 'Not displayed' }).getByRole('listitem').allTextContents()

async function look(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme })
    expect(await accessibilityProblems(page)).toEqual([])
    if (folder === undefined) continue
    for (const width of [1440, 1024, 390]) {
      await page.setViewportSize({ width, height: width === 390 ? 844 : 768 })
      await page.screenshot({ path: `${folder}/${name}-${colorScheme}-${width}.png` })
    }
  }
}

test('a workbook is previewed with its types and cells as texts, and another sheet is chosen with the keyboard', async () => {
  const page = await stage.open(`/Lake/Groups/${groupName}`, anna)
  const tool = await openPreview(page, 'tanks.xlsx')
  await tool.getByRole('columnheader', { name: 'C number' }).waitFor()
  expect(await tool.getByRole('columnheader').allTextContents()).toEqual([
    'Row',
    'Atext',
    'Bdate',
    'Cnumber',
    'Dtrue or false',
    'Etext',
  ])
  const remark = `Inspected. ${'The floating roof was repaired in spring. '.repeat(8)}`.slice(0, 200)
  expect(await rowsOf(tool)).toEqual([
    ['1', 'Tank', 'Since', 'Level', 'In use', 'Remarks'],
    ['2', 'Rotterdam', '2026-01-31', '1234.5', 'true', remark],
    ['3', '=SUM(A1)', '', '7', 'false', ''],
  ])
  expect(await omittedOf(tool)).toEqual(['Displays the first 200 characters of long values.'])
  await look(page, 'workbook')
  await tool.getByLabel('Sheet').focus()
  await page.keyboard.press('ArrowDown')
  await openedList(page)
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await tool.getByText('Port authority').waitFor()
  expect(await rowsOf(tool)).toEqual([
    ['1', 'Source'],
    ['2', 'Port authority'],
  ])
  await page.keyboard.press('Escape')
  await tool.waitFor({ state: 'detached' })
})

test('the preview of a large Parquet file states the rows and columns that it does not contain', async () => {
  const page = await stage.open(`/Lake/Groups/${groupName}`, anna)
  const tool = await openPreview(page, 'wide.parquet')
  await tool.getByText('20 more columns').waitFor()
  expect(await omittedOf(tool)).toEqual([
    'Displays the first 100 of 150 rows.',
    'Displays the first 100 of 120 columns.',
  ])
  const rows = await rowsOf(tool)
  expect([rows.length, rows[0]!.slice(0, 3), rows[2]!.slice(0, 4)]).toEqual([
    100,
    ['1', 'null', 'null'],
    ['3', '0', '2', '4'],
  ])
  await look(page, 'parquet')
})

test('a workbook with a password, and after confirmation a damaged one of 20 MB, display why they have no preview', async () => {
  const page = await stage.open(`/Lake/Groups/${groupName}`, anna)
  const locked = await openPreview(page, 'locked.xlsx')
  await locked.getByText('The workbook has a password or the old format XLS.').waitFor()
  await look(page, 'locked')
  await page.setViewportSize({ width: 1440, height: 900 })
  await page.keyboard.press('Escape')
  const damaged = await openPreview(page, 'damaged.xlsx')
  await damaged.getByRole('button', { name: 'Show it', exact: true }).click()
  await damaged.getByText('it is not a zip archive').waitFor()
  stage.problemsOf(page).length = 0
})
