import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { beforeAll, expect, test, vi } from 'vitest'
import { getSettings, updateSettings } from '@headwater/accounts/contract'
import { downloadFile, searchFiles } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import {
  createDataPrep,
  getDataPrepByName,
  searchDataPreps,
  toDataQuery,
  updateDataPrep,
  type DataPrepInput,
} from '@headwater/preps/contract'
import { type Session, upload } from '@headwater/server/testing'
import { searchSymbols } from '@headwater/symbols/contract'
import { accessibilityProblems, openAs } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

const longName = 'Power prices of the whole continent, hourly, with forecasts of every supplier of them'
let anna: Session

const prices = `Commodity,Region,Date,Close,Open,Unit(MD-S)
Brent,EU,2026-08-14,92.025,91,USD
Brent,EU,2026-08-17,92.435,92,USD
Brent,EU,2026-08-18,95.29,93,USD
WTI,US,2026-08-17,86.045,85,USD
WTI,US,2026-08-18,86.48,86,USD
Gas,EU,2026-08-18,2.8,2.7,EUR
`

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  for (const name of ['Prices', 'Results', 'Others', longName, 'Many'])
    await anna.call(createGroup, { body: { name } })
  await upload(anna, { groupName: 'Prices', fileType: 'NCSV', content: prices })
  await upload(anna, { groupName: longName, fileType: 'NCSV', content: manySymbols(3) })
  await upload(anna, { groupName: 'Many', fileType: 'NCSV', content: manySymbols(2000) })
  for (const [groupName, count] of [
    ['Prices', 3],
    ['Many', 2000],
  ] as const) {
    const query = { query: `groupName.keyword=${groupName}`, size: 1 }
    await vi.waitFor(async () => expect((await anna.call(searchSymbols, { query })).totalSize).toBe(count), {
      timeout: 60_000,
      interval: 200,
    })
  }
})

function manySymbols(count: number): string {
  const rows = Array.from({ length: count }, (_, index) => `S${index},2026-08-18,${index}.5`)
  return `Code,Date,A column with a name that is longer than any table can show\n${rows.join('\n')}\n`
}

async function open(path: string, options: BrowserContextOptions = {}, user = 'anna@example.com') {
  const page = await stage.newPage(options)
  page.setDefaultTimeout(20_000)
  await openAs(page, stage.server.url, user, path)
  return page
}

const brent = { groupName: 'Prices', symbols: { Commodity: 'Brent', Region: 'EU' } }
const wti = { groupName: 'Prices', symbols: { Commodity: 'WTI', Region: 'US' } }

function create(dataPrep: Partial<DataPrepInput> & { name: string }) {
  return anna.call(createDataPrep, { body: { dataPrep: { outputGroup: 'Results', ...dataPrep } } })
}

function read(name: string, groupName = 'Results') {
  return anna.call(getDataPrepByName, { query: { groupName, name } })
}

function creator(name: string, rest = '', groupName = 'Results'): string {
  return `/Storage/Creator/${encodeURIComponent(groupName)}/${encodeURIComponent(name)}/latest${rest}`
}

/** The content of the newest file with a name in the group of results. */
async function fileOf(fileName: string): Promise<Buffer> {
  const { items } = await anna.call(searchFiles, { query: { query: `fileName=${fileName}`, size: 10 } })
  const file = items.find((each) => each.groupName === 'Results')!
  const response = await anna.fetch(downloadFile.path.replace(':fid', file.fid))
  return Buffer.from(await response.arrayBuffer())
}

/** What `POST /ts/stream` answers to the query of a data prep. */
async function answerTo(name: string): Promise<Buffer> {
  const response = await anna.fetch('/ts/stream', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(toDataQuery(await read(name))),
  })
  return Buffer.from(await response.arrayBuffer())
}

async function choose(page: Page, label: string, option: string, within?: Locator): Promise<void> {
  await (within ?? page).getByRole('combobox', { name: label, exact: true }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

function tick(page: Page, name: RegExp) {
  return page.getByRole('row', { name }).getByRole('checkbox').click()
}

test('DP-316 DP-333 DP-334 DP-335 DP-336 DP-338 DP-345 DP-347 DP-308 DP-340 DP-360 DP-362 DP-365 DP-368 a data prep that is built in the browser writes, when it is run, byte for byte the file that its query gives over HTTP', async () => {
  const page = await open('/Storage/Creator/New?query=#table')
  await tick(page, /Brent/)
  await tick(page, /WTI/)
  await choose(page, 'Range', 'Between')
  await page.getByLabel('From', { exact: true }).fill('2026-08-17')
  await page.getByLabel('To', { exact: true }).fill('2026-08-18')
  await page.getByLabel('Attach metadata').check()
  await page.getByRole('tab', { name: 'Basket' }).click()
  await page.getByRole('row', { name: /WTI.*2026-08-18.*86\.48/ }).waitFor()
  await page.getByText('not saved yet').waitFor()

  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const prompt = page.getByRole('dialog', { name: 'Data prep not saved' })
  await prompt
    .getByText('There are some unsaved changes. To run the data prep it needs to be saved first.')
    .waitFor()
  expect((await anna.call(searchDataPreps, { query: { query: 'Curve' } })).totalSize).toBe(0)
  await prompt.getByRole('button', { name: 'Save and run' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save data prep' })
  await dialog.getByLabel('Name', { exact: true }).fill('  Curve ')
  await choose(page, 'Output group', 'Results', dialog)
  await dialog.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('New Data prep has been created.').waitFor()
  await page.getByText('Your data prep is running.').waitFor()
  await page.waitForURL(/\/Storage\/Creator\/Results\/Curve\/latest\?.*jobId=[0-9a-f-]{36}/)
  await page
    .getByRole('region', { name: 'Run' })
    .getByText('The file Curve.csv has arrived in Results with 4 rows.')
    .waitFor()
  await page.getByText('Your data prep is running.').waitFor({ state: 'detached', timeout: 10_000 })

  const prep = await read('Curve')
  expect(prep).toMatchObject({
    name: 'Curve',
    dateFrom: '2026-08-17T00:00:00',
    dateTo: '2026-08-18T23:59:59',
  })
  const file = await fileOf('Curve.csv')
  expect(file.toString()).toContain('Brent,EU')
  expect(file.equals(await answerTo('Curve'))).toBe(true)
})

test('DP-366 DP-386 DP-387 IN-346 a data prep is downloaded as Standard or Ncsv, or as the file of a run', async () => {
  await create({ name: 'Down', symbols: [brent, wti] })
  const page = await open(creator('Down'))
  const saved = async (item: string) => {
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ])
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
  }
  const format = async () => (await anna.call(getSettings, {})).settings.downloadFormat
  const ncsv = await saved('Ncsv')
  expect(ncsv.name).toBe('Down.csv')
  expect(ncsv.content.equals(await answerTo('Down'))).toBe(true)
  await expect.poll(format).toBe('FAST_NCSV')
  const standard = await saved('Standard')
  expect(standard.name).toBe('Down.json')
  expect(JSON.parse(standard.content.toString())).toHaveProperty('values')
  await expect.poll(format).toBe('STANDARD')
  const run = await saved('Run and download the file')
  await page.getByText('Downloading the file will start soon.').first().waitFor()
  expect(run.name).toBe('Down.csv')
  expect(run.content.equals(await answerTo('Down'))).toBe(true)
})

test('DP-339 DP-341 a run goes on: none other is started, and a reload follows it to its end', async () => {
  await create({ name: 'Slow', symbols: [brent] })
  const client = await stage.server.running.platform.database.pool.connect()
  await client.query('begin')
  // the run cannot announce its file until this ends
  await client.query('lock table files in share mode')
  try {
    const page = await open(creator('Slow', '?query=#Basket'))
    const run = page.getByRole('button', { name: 'Run', exact: true })
    await run.click()
    await page.waitForURL(/jobId=/)
    await page.getByRole('region', { name: 'Run' }).getByText('Running').waitFor()
    expect(await run.isDisabled()).toBe(true)
    await page.keyboard.press('Control+Enter')
    await page.getByText('This data prep is running already.').waitFor()
    await page.reload()
    await page.getByRole('region', { name: 'Run' }).getByText('Running').waitFor()
    expect(await run.isDisabled()).toBe(true)
    await client.query('commit')
    await page
      .getByRole('region', { name: 'Run' })
      .getByText(/The file Slow\.csv has arrived/)
      .waitFor()
    await expect.poll(() => run.isDisabled()).toBe(false)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('DP-342 an empty basket is not run', async () => {
  await create({ name: 'Empty' })
  const page = await open(creator('Empty'))
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText('The basket is empty. Add at least one symbol before you run the data prep.').waitFor()
})

test('DP-344 DP-346 DP-349 DP-367 DP-369 a change is a new version, another group moves the data prep, a wrong name is told at its field', async () => {
  await create({ name: 'Taken' })
  await create({ name: 'Edited', symbols: [brent] })
  const page = await open(creator('Edited'))
  await page.getByText('v1', { exact: true }).waitFor()
  await choose(page, 'Order', 'Newest first')
  await page.getByText('v1 · unsaved changes').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Data prep has been saved.').waitFor()
  await page.getByText('v2', { exact: true }).waitFor()
  expect(await read('Edited')).toMatchObject({ version: 2, order: 'desc' })

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename or move' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename or move' })
  await dialog.getByLabel('Name', { exact: true }).fill('Taken')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('There is a data prep “Taken” in the group “Results” already.').waitFor()
  expect(await dialog.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  await dialog.getByLabel('Name', { exact: true }).fill('Edited')
  await choose(page, 'Output group', 'Others', dialog)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Data prep has been moved to the new group.').waitFor()
  await page.waitForURL(/\/Others\/Edited\/latest/)
  expect(await read('Edited', 'Others')).toMatchObject({ version: 3 })
})

test('DP-348 DP-349 DP-345 what the server says of name and group stands at the fields of a copy', async () => {
  await create({ name: 'Original', symbols: [brent] })
  const page = await open(creator('Original'))
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Copy data prep' })
  await dialog.getByLabel('Name', { exact: true }).fill('  ')
  await dialog.getByRole('button', { name: 'Save copy' }).click()
  await dialog.getByText('A data prep needs a name.').waitFor()
  await dialog.getByLabel('Name', { exact: true }).fill('Second')
  await dialog.getByRole('button', { name: 'Save copy' }).click()
  await page.getByText('New Data prep has been created.').waitFor()
  await page.waitForURL(/\/Results\/Second\/latest/)
  const [first, second] = [await read('Original'), await read('Second')]
  expect(second.symbols).toMatchObject([brent])
  expect(second.version).toBe(1)
  expect(second.id).not.toBe(first.id)
})

test('DP-355 a data prep is run by a schedule; one that cannot be read is warned of, and not saved', async () => {
  await create({ name: 'Nightly', symbols: [brent] })
  const page = await open('/Storage#Preps')
  const row = page.getByRole('row', { name: /Nightly/ })
  const openDialog = async () => {
    await row.getByRole('button', { name: 'Actions of Nightly' }).click()
    await page.getByRole('menuitem', { name: 'Schedule' }).click()
    return page.getByRole('dialog', { name: 'Schedule of Nightly' })
  }
  let dialog = await openDialog()
  await dialog.getByText('At 07:00, Monday through Friday').waitFor()
  await dialog.getByRole('combobox', { name: 'When' }).click()
  await page.getByRole('option', { name: 'Another schedule' }).click()
  const cron = dialog.getByRole('textbox', { name: 'Cron expression' })
  await cron.fill('0 25 * * *')
  await dialog.getByText('Could not translate the cron expression: Invalid value for hour: 25.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').getByText('Could not translate the cron expression').waitFor()
  expect((await read('Nightly')).nextRun).toBeNull()

  await cron.fill('30 6 * * 2')
  await dialog.getByText('At 06:30, only on Tuesday').waitFor()
  expect(await dialog.getByRole('list', { name: 'Next times' }).getByRole('listitem').count()).toBe(3)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const { nextRun } = await read('Nightly')
  expect(nextRun).toMatch(/T06:30:00$/)
  await expect
    .poll(() => row.locator('time').evaluateAll((all) => all.map((time) => time.getAttribute('datetime'))))
    .toContain(new Date(`${nextRun}Z`).toISOString())

  dialog = await openDialog()
  await dialog.getByText('Set by anna@example.com').waitFor()
  await dialog.getByRole('checkbox', { name: 'Paused' }).check()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect((await read('Nightly')).nextRun).toBeNull()
  await row.getByText('Paused').waitFor()
  await row.getByRole('link', { name: 'Nightly' }).click()
  await page.getByRole('button', { name: 'Schedule paused' }).click()
  dialog = page.getByRole('dialog', { name: 'Schedule of Nightly' })
  await dialog.getByRole('checkbox', { name: 'Paused' }).uncheck()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  const note = page.getByRole('button', { name: 'Next run' })
  expect(await note.getAttribute('title')).toBe('At 06:30, only on Tuesday, UTC')
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Schedule' }).click()
  await dialog.getByRole('button', { name: 'Remove schedule' }).click()
  await dialog.waitFor({ state: 'detached' })
  await note.waitFor({ state: 'detached' })
})

test('two tabs: who saves second is told of the version of the first, and may save over it', async () => {
  const prep = await create({ name: 'Shared', symbols: [brent] })
  const page = await open(creator('Shared'))
  await page.getByText('v1', { exact: true }).waitFor()
  await anna.call(updateDataPrep, {
    params: { id: prep.id },
    body: { dataPrep: { ...prep, decimalPrecision: 4 } },
  })
  await choose(page, 'Order', 'Newest first')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'There is a newer version' })
  await dialog.getByText(/saved by anna@example\.com as version 2/).waitFor()
  expect(await read('Shared')).toMatchObject({ version: 2, decimalPrecision: 4 })
  await dialog.getByRole('button', { name: 'Save mine as the newest' }).click()
  await page.getByText('v3', { exact: true }).waitFor()
  expect(await read('Shared')).toMatchObject({ version: 3, order: 'desc', decimalPrecision: 2 })
})

test('DP-292 DP-293 a symbol in the URL lies in the basket, and the symbols are filtered by it; nothing is unsaved yet', async () => {
  const page = await open(
    '/Storage/Creator/New?query=&groupName=Prices&symbol=Commodity%3DBrent%7CRegion%3DEU#table',
  )
  await page.getByRole('tab', { name: 'Basket 1' }).waitFor()
  const row = page.getByRole('row', { name: /Brent/ })
  await expect.poll(() => row.getByRole('checkbox').isChecked()).toBe(true)
  expect(await page.getByRole('row', { name: /WTI/ }).count()).toBe(0)
  await page.getByRole('link', { name: 'Data preps' }).first().click()
  await page.waitForURL(/Storage#DataPreps/)
})

test('several symbols of the storage are put into the basket of a new data prep', async () => {
  const page = await open('/Storage/Symbols/Prices')
  for (const name of [/Brent/, /WTI/]) await tick(page, name)
  await page
    .getByRole('link', { name: /data prep/i })
    .last()
    .click()
  await page.waitForURL(/\/Storage\/Creator\/New/i)
  await page.getByRole('tab', { name: 'Basket 2' }).waitFor()
})

test('DP-333 leaving unsaved changes is asked about', async () => {
  const page = await open('/Storage/Creator/New#table')
  await tick(page, /Brent/)
  await page.getByRole('link', { name: 'Data lake' }).click()
  const dialog = page.getByRole('dialog', { name: 'Unsaved changes' })
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('tab', { name: 'Basket 1' }).waitFor()
})

test.each(['Table', 'Basket', 'Charts'])('DP-306 the hash %s selects its tab', async (tab) => {
  const page = await open(`/Storage/Creator/New?query=#${tab.toLowerCase()}`)
  await page.getByRole('tab', { name: tab, selected: true }).waitFor()
  await page.reload()
  await page.getByRole('tab', { name: tab, selected: true }).waitFor()
})

test('DP-331 31 entries open the basket, 30 do not', async () => {
  const symbols = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ groupName: 'Many', symbols: { Code: `S${index}` } }))
  await create({ name: 'Thirty', symbols: symbols(30) })
  await create({ name: 'More', symbols: symbols(31) })
  const page = await open(creator('Thirty', '?query=#Table'))
  await page.getByRole('tab', { name: 'Basket 30' }).waitFor()
  await page.getByRole('tab', { name: 'Table', selected: true }).waitFor()
  await page.goto(`${stage.server.url}${creator('More', '?query=#Table')}`)
  await page.getByRole('tab', { name: 'Basket 31', selected: true }).waitFor()
})

test('DP-350 DP-351 DP-354 columns, offset and fill of an entry are chosen; a pattern needs its columns', async () => {
  await create({ name: 'Entries', symbols: [brent, wti] })
  const page = await open(creator('Entries', '?query=#Basket'))
  await page.getByRole('button', { name: 'Commodity=Brent · Region=EU', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Settings' })
  await choose(page, 'Columns', 'Close')
  await page.keyboard.press('Escape')
  await choose(page, 'Offset', 'Days')
  await panel.getByLabel('Offset amount').fill('1.5')
  await panel.getByText('Only whole numbers count; this one is left out.').waitFor()
  await panel.getByLabel('Offset amount').fill('2')
  await choose(page, 'Fill gaps', 'Average')
  await panel.getByText('Without a number nothing is filled.').waitFor()
  await panel.getByLabel('Points').fill('3')
  const row = page.getByRole('grid', { name: 'Basket' }).getByRole('row', { name: /Brent/ })
  await row.getByText('2 days').waitFor()
  await row.getByText('Average of 3').waitFor()
  await panel.getByLabel('Pattern').check()
  await panel.getByLabel('Commodity').fill('*')
  await row.getByText('pattern · 2 symbols').waitFor({ state: 'detached' })
  await page
    .getByRole('row', { name: /Commodity=\*/ })
    .getByText('pattern · 2 symbols')
    .waitFor()
  await panel.getByRole('button', { name: 'Close the entry' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText('Data prep has been saved.').waitFor()
  expect((await read('Entries')).symbols[0]).toMatchObject({
    symbols: { Commodity: '*', Region: 'EU' },
    pattern: true,
    valueColumnNames: ['Close'],
    offsetType: 'DAYS',
    offsetAmount: '2',
    fillType: 'AVERAGE',
    avgPointsAmount: '3',
  })
})

test('DP-354 a pattern without columns is told in its row and is not previewed', async () => {
  const page = await open('/Storage/Creator/New?query=&groupName=Prices#table')
  await page.getByRole('button', { name: 'Add as pattern' }).click()
  const panel = page.getByRole('complementary', { name: 'Settings' })
  await page.getByRole('row', { name: /Every symbol.*pattern · 3 symbols.*Close, Open/ }).waitFor()
  for (const column of ['Open', 'Close']) {
    await panel.getByRole('combobox', { name: 'Columns' }).focus()
    await page.keyboard.press('Backspace')
    await expect.poll(() => panel.getByText(column, { exact: true }).count()).toBe(0)
  }
  await page.getByRole('grid', { name: 'Basket' }).getByText('Incomplete').waitFor()
  await panel.getByText('A pattern needs the names of its columns.').waitFor()
  await page.getByText('There is no preview yet').waitFor()
})

test('DP-328 IN-342 dates that are picked begin at 00:00:00 and end at 23:59:59', async () => {
  await create({ name: 'Between', symbols: [brent] })
  const page = await open(creator('Between'))
  await choose(page, 'Range', 'Between')
  await page.getByLabel('From', { exact: true }).fill('2026-08-17')
  await page.getByLabel('To', { exact: true }).fill('2026-08-18')
  await expect.poll(() => page.getByLabel('From, time').inputValue()).toBe('00:00:00')
  await expect.poll(() => page.getByLabel('To, time').inputValue()).toBe('23:59:59')
  await page.keyboard.press('Control+s')
  await page.getByText('Data prep has been saved.').waitFor()
  expect(await read('Between')).toMatchObject({
    range: 'BETWEEN',
    dateFrom: '2026-08-17T00:00:00',
    dateTo: '2026-08-18T23:59:59',
  })
})

test('DP-380 IN-343 the rounding modes to choose from', async () => {
  await create({ name: 'Rounded', symbols: [brent] })
  const page = await open(creator('Rounded'))
  await page.getByRole('combobox', { name: 'Rounding', exact: true }).click()
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual(['Up', 'Down', 'Ceiling', 'Floor', 'Half up', 'Half even'])
})

test('IN-355 a download without a row is no file: it says that there is no data', async () => {
  await create({
    name: 'Without rows',
    symbols: [brent],
    range: 'BETWEEN',
    dateFrom: '1999-01-01',
    dateTo: '1999-01-02',
  })
  const page = await open(creator('Without rows'))
  let downloads = 0
  page.on('download', () => downloads++)
  for (const format of ['Ncsv', 'Standard']) {
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByRole('menuitem', { name: format }).click()
    const told = page.getByText('Could not find any data to download')
    await told.first().waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).last().click()
    await expect.poll(() => told.count()).toBe(0)
  }
  expect(downloads).toBe(0)
})

test('DP-364 working days are counted by a calendar that a search finds', async () => {
  await create({ name: 'Days', symbols: [brent], lastType: 'WORKING_DAYS', lastTypeAmount: 2 })
  const page = await open(creator('Days'))
  const [request] = await Promise.all([
    page.waitForRequest(
      (each) => each.url().includes('/ts/holidayCalendar') && each.url().includes('germany'),
    ),
    page.getByRole('combobox', { name: 'Holiday calendar' }).fill('germany'),
  ])
  const parameters = new URL(request.url()).searchParams
  expect(parameters.get('query')).toBe('*germany*')
  expect(Number(parameters.get('size'))).toBeGreaterThan(0)
  await page.getByRole('option', { name: 'DE – Germany', exact: true }).click()
  await page.keyboard.press('Control+s')
  await page.getByText('Data prep has been saved.').waitFor()
  expect(await read('Days')).toMatchObject({ holidayCalendar: 'DE' })
})

test('DP-310 DP-358 DP-361 DP-370 DP-371 data preps are listed, searched, opened and deleted', async () => {
  await create({ name: 'Listed one', symbols: [brent, wti] })
  await create({ name: 'Listed two' })
  const page = await open('/Storage/List')
  await page.getByRole('searchbox', { name: 'Search data preps' }).fill('listed')
  await page
    .getByRole('row', { name: /Listed one.*Results.*Last 500 values.*2.*v1.*anna@example\.com/ })
    .waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(3)
  await page.getByRole('button', { name: 'Actions of Listed two' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete data prep' })
  await dialog.getByText("Listed two will be deleted immediately. You can't undo this action.").waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Data prep has been deleted.').waitFor()
  await page.getByRole('row', { name: /Listed two/ }).waitFor({ state: 'detached' })
})

test('DP-305 DP-311 links to a data prep open the tab of the settings', async () => {
  await create({ name: 'Linked', symbols: [brent] })
  await anna.call(updateSettings, { body: { settings: { storageScreen: 'Charts' } } })
  try {
    const page = await open('/Storage?query=Linked')
    expect(await page.getByRole('link', { name: 'Linked' }).getAttribute('href')).toBe(
      '/Storage/Creator/Results/Linked/latest?query=#Charts',
    )
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: 'Search all' }).fill('Linked')
    const hit = page.getByRole('region', { name: 'Data preps' }).getByRole('link', { name: /Linked/ })
    expect(await hit.getAttribute('href')).toBe('/Storage/Creator/Results/Linked/1?query=#Charts')
    await hit.click()
    await page.getByRole('tab', { name: 'Charts', selected: true }).waitFor()
    await page.getByRole('region', { name: 'Chart' }).waitFor()
  } finally {
    await anna.call(updateSettings, { body: { settings: { storageScreen: 'Table' } } })
  }
})

test('DP-363 a favourite is asked for with size 1 and stands among the favourites', async () => {
  const prep = await create({ name: 'Starred' })
  const page = await open('/Storage/List?query=Starred')
  await page.getByRole('button', { name: 'Add Starred to favourites' }).click()
  await page.getByRole('button', { name: 'Remove Starred from favourites' }).waitFor()
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().includes(`/dataprep/${prep.id}/versions`)),
    page.getByRole('tab', { name: 'Favourites' }).click(),
  ])
  expect(new URL(request.url()).searchParams.get('size')).toBe('1')
  await page.getByRole('row', { name: /Starred/ }).waitFor()
})

test('DP-359 DP-304 an older version is opened by its number', async () => {
  const prep = await create({ name: 'Versioned', symbols: [brent] })
  const body = { dataPrep: { ...prep, symbols: [brent, wti] } }
  await anna.call(updateDataPrep, { params: { id: prep.id }, body })
  const page = await open(creator('Versioned'))
  await page.getByRole('tab', { name: 'Basket 2' }).waitFor()
  await page.getByRole('button', { name: 'Versions' }).click()
  await page.getByRole('dialog').getByRole('link', { name: 'v1', exact: true }).click()
  await page.waitForURL(/\/Versioned\/1\?query=/)
  await page.getByRole('tab', { name: 'Basket 1' }).waitFor()
  await page.getByText('v1, an older version').waitFor()
})

test('DP-312 DP-314 who may read only looks and downloads; who may not read sees nothing', async () => {
  await create({ name: 'Looked at', symbols: [brent] })
  const reader = await stage.server.createUser({ email: 'reader@example.com', role: 'Report author' })
  await stage.server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, access)
     select groups.id, users.id, 'R' from groups, users
     where groups.name in ('Results', 'Prices') and user_name = $1`,
    [reader.userName],
  )
  const page = await open(creator('Looked at', '?query=#Basket'), {}, reader.userName)
  await page.getByRole('row', { name: /2026-08-18.*95\.29/ }).waitFor()
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: /^(Run|Save|Copy)/ }).count()).toBe(0)
  expect(await page.getByRole('combobox', { name: 'Range' }).isDisabled()).toBe(true)
  const viewer = await stage.server.createUser({ email: 'viewer@example.com', role: 'Viewer' })
  const other = await open('/Storage/List', {}, viewer.userName)
  await other.getByText('You cannot see this page').waitFor()
})

test('DP-309 DP-313 the address of the creator of old opens the creator', async () => {
  const page = await open('/Storage/Data')
  await page.getByRole('tab', { name: 'Table', selected: true }).waitFor()
  await page.getByText('not saved yet').waitFor()
  const reader = await stage.server.createUser({ email: 'reader-2@example.com', role: 'Report author' })
  const other = await open('/Storage/Data', {}, reader.userName)
  await other.getByText('You cannot see this page').waitFor()
})

test('a basket of 2,000 symbols scrolls, and is edited, moved and emptied by keyboard alone', async () => {
  const symbols = Array.from({ length: 2000 }, (_, index) => ({
    groupName: 'Many',
    symbols: { Code: `S${index}` },
  }))
  await create({ name: 'Two thousand', symbols })
  const page = await open(creator('Two thousand'))
  const grid = page.getByRole('grid', { name: 'Basket' })
  await grid.getByRole('row', { name: /Code=S0 / }).waitFor()
  expect(await grid.getByRole('row').count()).toBeLessThan(60)
  await grid.getByRole('row', { name: /Code=S0 / }).focus()
  await page.keyboard.press('End')
  await grid.getByRole('row', { name: /Code=S1999 / }).waitFor()
  await page.keyboard.press('Home')
  await grid.getByRole('row', { name: /Code=S0 / }).waitFor()
  await page.keyboard.press('Alt+ArrowDown')
  await expect.poll(() => grid.locator('[data-index="1"]').textContent()).toContain('Code=S0')
  await page.keyboard.press('Delete')
  await page.getByRole('tab', { name: 'Basket 1,999' }).waitFor()
  await page.getByRole('button', { name: 'Undo' }).press('Enter')
  await page.getByRole('tab', { name: 'Basket 2,000' }).waitFor()
  await expect.poll(() => grid.locator('[data-index="1"]').textContent()).toContain('Code=S0')
})

test('a data prep is made by keyboard alone', async () => {
  const page = await open('/Storage/Creator/New?query=#table')
  await page.getByRole('row', { name: /Brent/ }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('tab', { name: 'Basket 1' }).waitFor()
  await page.getByRole('tab', { name: 'Table' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tab', { name: 'Basket 1', selected: true }).waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog', { name: 'Save data prep' }).waitFor()
  await page.keyboard.type('By keyboard')
  await page.keyboard.press('Tab')
  await page.keyboard.press('Control+a')
  await page.keyboard.type('Results')
  await expect.poll(() => page.getByRole('option').allTextContents()).toContain('Results')
  await expect.poll(() => page.getByRole('option').count()).toBe(2)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.getByRole('dialog', { name: 'Save data prep' }).getByRole('button', { name: 'Save' }).focus()
  await page.keyboard.press('Enter')
  await page.waitForURL(/\/Results\/By%20keyboard\/latest/)
  expect((await read('By keyboard')).symbols).toMatchObject([brent])
})

test.each([
  ['light', 1440, 900],
  ['dark', 1440, 900],
  ['light', 1024, 768],
  ['dark', 1024, 768],
] as const)(
  'the accessibility checker finds nothing, and nothing is wider than the window: %s, %i px',
  async (colorScheme, width, height) => {
    const darkmode = colorScheme === 'dark' ? 'ON' : 'OFF'
    await anna.call(updateSettings, { body: { settings: { darkmode } } })
    const { items } = await anna.call(searchDataPreps, { query: { query: 'Looks' } })
    if (items.length === 0) {
      const columns = ['A column with a name that is longer than any table can show']
      const symbols = [
        brent,
        { groupName: longName, symbols: { Code: 'S*' }, pattern: true, valueColumnNames: columns },
      ]
      await create({ name: `Looks ${longName}`, outputGroup: longName, symbols })
    }
    const href = creator(`Looks ${longName}`, '?query=', longName)
    const page = await open('/Storage/List?query=Looks', { viewport: { width, height } })
    await page.getByRole('row', { name: /Looks/ }).waitFor()
    const check = async () => {
      expect(await accessibilityProblems(page)).toEqual([])
      expect(
        await page.evaluate(() => document.documentElement.scrollWidth - innerWidth),
      ).toBeLessThanOrEqual(0)
    }
    await check()
    for (const tab of ['Table', 'Basket', 'Charts']) {
      await page.goto(`${stage.server.url}${href}#${tab}`)
      await page.getByRole('tab', { name: tab, selected: true }).waitFor()
      await page
        .getByRole('grid', { name: tab === 'Table' ? 'Symbols' : 'Preview' })
        .getByRole('row')
        .nth(1)
        .waitFor()
      await check()
    }
    await page.goto(`${stage.server.url}${href}#Basket`)
    await page.getByRole('button', { name: 'Code=S*', exact: true }).click()
    await page.getByRole('button', { name: 'Close the entry' }).waitFor()
    await check()
  },
)
