import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Locator, Page, Request } from 'playwright'
import { beforeAll, expect, test, vi } from 'vitest'
import { getSettings, updateSettings } from '@headwater/accounts/contract'
import { downloadFile, searchFiles } from '@headwater/files/contract'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import {
  createDataPrep,
  getDataPrepByName,
  runDataPrep,
  searchDataPreps,
  toDataQuery,
  updateDataPrep,
  type DataPrepInput,
} from '@headwater/preps/contract'
import { type Session, upload } from '@headwater/server/testing'
import { searchSymbols } from '@headwater/symbols/contract'
import { accessibilityProblems, openAs, pollClock, stopClock } from './open-browser.ts'
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

/** Returns the response of `POST /ts/stream` to the query of a data prep. */
async function responseTo(name: string): Promise<Buffer> {
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

/** A notification with exactly this text. */
function notification(page: Page, text: string): Locator {
  return page.getByRole('region', { name: 'Notifications' }).getByText(text, { exact: true })
}

function pathOf(request: Request): string {
  return new URL(request.url()).pathname
}

/** Collects the paths of the calls that run a data prep or stream its values. */
function executions(page: Page): string[] {
  const paths: string[] = []
  page.on('request', (request) => {
    if (/\/(execute|stream)$/.test(pathOf(request))) paths.push(pathOf(request))
  })
  return paths
}

/** Waits until the page has rendered three frames and has sent its immediate requests. */
async function renderedFrames(page: Page): Promise<void> {
  await page.evaluate(async () => {
    for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
  })
}

function tick(page: Page, name: RegExp) {
  return page.getByRole('row', { name }).getByRole('checkbox').click()
}

test('DP-308 DP-333 DP-334 DP-335 DP-336 DP-338 DP-340 DP-345 DP-362 DP-365 DP-368 a new data prep is saved before its first run, which writes the response to its query into a file', async () => {
  const page = await open('/Storage/Creator/New?query=#table')
  const uses = executions(page)
  await tick(page, /Brent/)
  await tick(page, /WTI/)
  await choose(page, 'Range', 'Between')
  await page.getByLabel('From', { exact: true }).fill('2026-08-17')
  await page.getByLabel('To', { exact: true }).fill('2026-08-18')
  await page.getByLabel('Attach metadata').check()
  await page.getByRole('tab', { name: 'Basket' }).click()
  await page.getByRole('row', { name: /WTI.*2026-08-18.*86\.48/ }).waitFor()
  await page.getByText('not saved yet').waitFor()

  const prompt = page.getByRole('dialog', { name: 'Data prep not saved', exact: true })
  for (const [item, confirm] of [
    ['Standard', 'Save and download'],
    ['Ncsv', 'Save and download'],
    ['Run and download the file', 'Save and run'],
  ] as const) {
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByRole('menuitem', { name: item }).click()
    await prompt.getByRole('button', { name: confirm }).waitFor()
    await page.keyboard.press('Escape')
    await prompt.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(0)
  }
  await page.keyboard.press('Control+Enter')
  await expect
    .poll(() =>
      prompt
        .getByRole('button', { name: 'Save and run' })
        .evaluate((button) => button === document.activeElement),
    )
    .toBe(true)
  await page.keyboard.press('Escape')
  await prompt.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  const text = 'There are some unsaved changes. To run the data prep it needs to be saved first.'
  await prompt.getByText(text, { exact: true }).waitFor()
  expect((await anna.call(searchDataPreps, { query: { query: 'Curve' } })).totalSize).toBe(0)
  expect(uses).toEqual([])
  await prompt.getByRole('button', { name: 'Save and run' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save data prep' })
  await dialog.getByLabel('Name', { exact: true }).fill('  Curve ')
  await choose(page, 'Output group', 'Results', dialog)
  const created = page.waitForRequest((request) => pathOf(request) === '/dataprep')
  const executed = page.waitForResponse((response) => response.url().includes('/execute'))
  // The second message disappears when the run has ended.
  await Promise.all([
    notification(page, 'New Data prep has been created.').waitFor(),
    notification(page, 'Your data prep is running.').waitFor(),
    dialog.getByRole('button', { name: 'Save', exact: true }).click(),
  ])
  expect(await notification(page, 'Downloading the file will start soon.').count()).toBe(0)
  const prep = await read('Curve')
  expect((await created).method()).toBe('POST')
  expect((await created).postDataJSON()).toEqual({
    dataPrep: expect.objectContaining({ name: 'Curve', outputGroup: 'Results' }) as object,
  })
  const { jobId } = (await (await executed).json()) as { jobId: string }
  expect(pathOf((await executed).request())).toBe(`/dataprep/${prep.id}/execute`)
  await page.waitForURL((url) => url.pathname === '/Storage/Creator/Results/Curve/latest')
  await expect.poll(() => new URL(page.url()).searchParams.get('jobId')).toBe(jobId)
  await page
    .getByRole('region', { name: 'Run' })
    .getByText('The file Curve.csv was saved in Results with 4 rows.')
    .waitFor()
  await notification(page, 'Your data prep is running.').waitFor({ state: 'detached', timeout: 10_000 })

  expect(prep).toMatchObject({
    name: 'Curve',
    dateFrom: '2026-08-17T00:00:00',
    dateTo: '2026-08-18T23:59:59',
  })
  const file = await fileOf('Curve.csv')
  expect(file.toString()).toContain('Brent,EU')
  expect(file.equals(await responseTo('Curve'))).toBe(true)

  await page.getByText('v1', { exact: true }).waitFor()
  await choose(page, 'Order', 'Newest first')
  await page.getByText('v1 · unsaved changes').waitFor()
  for (const [item, confirm] of [
    ['Standard', 'Save and download'],
    ['Ncsv', 'Save and download'],
    ['Run and download the file', 'Save and run'],
    [undefined, 'Save and run'],
  ] as const) {
    await page.getByRole('button', { name: item === undefined ? 'Run' : 'Download', exact: true }).click()
    if (item !== undefined) await page.getByRole('menuitem', { name: item }).click()
    await prompt.getByRole('button', { name: confirm }).waitFor()
    await page.keyboard.press('Escape')
    await prompt.waitFor({ state: 'detached' })
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(0)
  }
  expect(uses).toEqual([`/dataprep/${prep.id}/execute`])

  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  const copy = page.getByRole('dialog', { name: 'Copy data prep' })
  await copy.getByLabel('Name', { exact: true }).fill('Curve again')
  const copied = page.waitForRequest(
    (request) => pathOf(request).startsWith('/dataprep') && request.method() !== 'GET',
  )
  await copy.getByRole('button', { name: 'Save copy' }).click()
  expect([(await copied).method(), pathOf(await copied)]).toEqual(['POST', '/dataprep'])
  await page.waitForURL((url) => url.pathname === '/Storage/Creator/Results/Curve%20again/latest')
  await page.getByText('v1', { exact: true }).waitFor()
})

test('the preview omits midnight times, and shows the numbers of a column with equal decimals', async () => {
  const gas = { groupName: 'Prices', symbols: { Commodity: 'Gas', Region: 'EU' } }
  await create({ name: 'Readable', symbols: [brent, gas] })
  const page = await open(creator('Readable'))
  await page.getByRole('tab', { name: 'Basket' }).click()
  const preview = page.getByRole('grid', { name: 'Preview' })
  await preview.getByRole('row', { name: /Gas EU 2026-08-18 2\.80/ }).waitFor()
  await preview.getByRole('row', { name: /Brent EU 2026-08-17 92\.44/ }).waitFor()
  expect(await preview.innerText()).not.toContain('T00:00')
})

test('SH-003 DP-366 DP-372 DP-377 DP-378 DP-379 DP-386 DP-387 IN-346 a data prep can be previewed, and downloaded as Standard or Ncsv or as the file of a run', async () => {
  const close = { valueColumnNames: ['Close'] }
  await create({
    name: 'Down',
    symbols: [
      { ...brent, ...close },
      { ...wti, ...close },
    ],
  })
  await anna.call(updateSettings, { body: { settings: { downloadFormat: 'STANDARD' } } })
  const page = await open(creator('Down'))
  const [preview] = await Promise.all([
    page.waitForRequest((request) => pathOf(request) === '/ts'),
    page.getByRole('tab', { name: 'Basket' }).click(),
  ])
  expect([preview.method(), preview.headers()['accept']]).toEqual(['POST', 'text/csv'])
  expect(Object.fromEntries(new URL(preview.url()).searchParams)).toEqual({
    size: '-1',
    order: 'asc',
    sortSymbols: 'true',
    symbolSize: '-1',
    csv: 'true',
    omitNulls: 'false',
    absoluteSize: '500',
  })
  expect(preview.postDataJSON()).toMatchObject({ keys: [brent, wti], range: 'LAST', lastTypeAmount: 500 })

  const saved = async (item: string) => {
    // A click on a menu that is still closing would not open it again.
    await expect.poll(() => page.getByRole('menuitem').count()).toBe(0)
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('menuitem', { name: item }).click(),
    ])
    return { name: download.suggestedFilename(), content: await readFile(await download.path()) }
  }
  const format = async () => (await anna.call(getSettings, {})).settings.downloadFormat
  const running = page.locator('[data-kind]').filter({ hasText: 'Your data prep is running.' })
  const [run] = await Promise.all([
    saved('Run and download the file'),
    running.getByText('Downloading the file will start soon.', { exact: true }).waitFor(),
  ])
  expect(run.name).toBe('Down.csv')
  expect(run.content.equals(await responseTo('Down'))).toBe(true)
  const [head = '', ...rows] = run.content.toString().trim().split('\n')
  expect([head, rows.length, rows[0], rows.at(-1)]).toEqual([
    'Commodity,Region,Date(UTC),Close',
    5,
    'Brent,EU,2026-08-14T00:00:00.000,92.03',
    'WTI,US,2026-08-18T00:00:00.000,86.48',
  ])

  const streamed = page.waitForRequest((request) => pathOf(request) === '/ts/stream')
  const ncsv = await saved('Ncsv')
  expect(ncsv.name).toBe('Down.csv')
  expect(ncsv.content.equals(await responseTo('Down'))).toBe(true)
  const { search } = new URL((await streamed).url())
  expect([(await streamed).method(), search]).toEqual(['POST', '?size=-1'])
  expect((await streamed).headers()['accept']).toBe('text/csv')
  await expect.poll(format).toBe('FAST_NCSV')
  const streamedAsJson = page.waitForRequest((request) => pathOf(request) === '/ts/stream')
  const standard = await saved('Standard')
  expect(new URL((await streamedAsJson).url()).search).toBe('?size=-1')
  expect(standard.name).toBe('Down.json')
  expect(JSON.parse(standard.content.toString())).toHaveProperty('values')
  await expect.poll(format).toBe('STANDARD')
  // A click on a menu that is still closing would not open it again.
  await expect.poll(() => page.getByRole('menuitem').count()).toBe(0)
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await expect
    .poll(() => page.getByRole('menuitem').allTextContents())
    .toEqual(['Standard (.json)', 'Ncsv (.csv)', 'Exact values (.csv)', 'Run and download the file'])
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('menuitem').count()).toBe(0)
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await sidebar.getByRole('link', { name: 'Data preps', exact: true }).click()
  await page.getByRole('grid', { name: 'Data preps' }).getByRole('link', { name: 'Down' }).waitFor()
  await sidebar.getByRole('link', { name: 'Storage', exact: true }).click()
  for (const symbol of [/Brent.*Prices|Prices.*Brent/, /S0 .*Many|Many.*S0 /])
    await page.getByRole('row', { name: symbol }).first().waitFor()
})

test('DP-339 DP-341 while a run is in progress no other can be started, and a reload follows it to its end', async () => {
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
    const second = executions(page)
    await page.keyboard.press('Control+Enter')
    await page.getByText('This data prep is already running.').waitFor()
    await renderedFrames(page)
    expect(second).toEqual([])
    await page.reload()
    await page.getByRole('region', { name: 'Run' }).getByText('Running').waitFor()
    expect(await run.isDisabled()).toBe(true)
    await client.query('commit')
    await page
      .getByRole('region', { name: 'Run' })
      .getByText(/The file Slow\.csv was saved/)
      .waitFor()
    await expect.poll(() => run.isDisabled()).toBe(false)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('a run in progress can be stopped on the page of the data prep, and its status becomes Stopped', async () => {
  await create({ name: 'Halted', symbols: [brent] })
  const client = await stage.server.running.platform.database.pool.connect()
  await client.query('begin')
  await client.query('lock table files in share mode')
  try {
    const page = await open(creator('Halted', '?query=#Basket'))
    const run = page.getByRole('button', { name: 'Run', exact: true })
    const note = page.getByRole('region', { name: 'Run' })
    await run.click()
    await note.getByRole('button', { name: 'Stop' }).click()
    await note.getByText('Stopped', { exact: true }).waitFor()
    await page.getByText('The run of Halted was stopped.').waitFor()
    await expect.poll(() => run.isDisabled()).toBe(false)
    expect(await note.getByRole('button', { name: 'Stop' }).count()).toBe(0)
  } finally {
    await client.query('rollback')
    client.release()
  }
})

test('DP-342 a data prep with an empty basket is not run', async () => {
  await create({ name: 'Empty' })
  const page = await open(creator('Empty'))
  const runs = executions(page)
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByText('The basket is empty. Add at least one symbol before you run the data prep.').waitFor()
  await renderedFrames(page)
  expect(runs).toEqual([])
})

test('DP-308 DP-333 DP-346 DP-348 DP-360 DP-367 DP-368 DP-369 save, edit, move and copy send the data prep in the same form; a taken name is reported on its field', async () => {
  await create({ name: 'Taken' })
  await create({ name: 'Edited', symbols: [brent] })
  const page = await open(creator('Edited'))
  const saves: unknown[] = []
  page.on('request', (request) => {
    if (!/^\/dataprep(\/[0-9a-f-]{36})?$/.test(pathOf(request)) || request.method() === 'GET') return
    const { dataPrep, ...rest } = request.postDataJSON() as { dataPrep: DataPrepInput & { version?: number } }
    saves.push([request.method(), dataPrep.name, dataPrep.outputGroup, rest])
  })
  await page.getByText('v1', { exact: true }).waitFor()
  await choose(page, 'Order', 'Newest first')
  await page.getByText('v1 · unsaved changes').waitFor()
  const uses = executions(page)
  const prompt = page.getByRole('dialog', { name: 'Data prep not saved', exact: true })
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await prompt.getByRole('button', { name: 'Save and run' }).waitFor()
  await page.keyboard.press('Escape')
  await prompt.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Ncsv' }).click()
  await prompt.getByRole('button', { name: 'Save and download' }).waitFor()
  expect(uses).toEqual([])
  // The save dialog would delay the download; name and group are known. The message can disappear before the download begins.
  await Promise.all([
    page.waitForEvent('download'),
    notification(page, 'Data prep has been saved.').waitFor(),
    prompt.getByRole('button', { name: 'Save and download' }).click(),
  ])
  await page.getByText('v2', { exact: true }).waitFor()
  expect(await read('Edited')).toMatchObject({ version: 2, order: 'desc' })

  const actions = page.getByRole('button', { name: 'More actions' })
  /** Waits until the page of the new address has replaced the one before it, with all that is open in it. */
  const opensPage = async (save: () => Promise<void>) => {
    const before = await actions.elementHandle()
    await save()
    await expect.poll(() => before!.evaluate((element) => element.isConnected)).toBe(false)
  }
  const rename = async (name: string) => {
    await actions.click()
    await page.getByRole('menuitem', { name: 'Rename or move' }).click()
    await dialog.getByLabel('Name', { exact: true }).fill(name)
  }
  const dialog = page.getByRole('dialog', { name: 'Rename or move' })
  await rename('Taken')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('The group “Results” already has a data prep “Taken”.').waitFor()
  expect(await dialog.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBe('true')
  await dialog.getByLabel('Name', { exact: true }).fill('  Edited anew ')
  await opensPage(() => dialog.getByRole('button', { name: 'Save' }).click())
  await page.waitForURL(/\/Results\/Edited%20anew\/latest/)
  await rename('Edited anew')
  await choose(page, 'Output group', 'Others', dialog)
  await opensPage(async () => {
    await dialog.getByRole('button', { name: 'Save' }).click()
    await notification(page, 'Data prep has been moved to the new group.').waitFor()
  })
  await page.waitForURL(/\/Others\/Edited%20anew\/latest/)
  const moved = await read('Edited anew', 'Others')
  expect(moved).toMatchObject({ version: 4, order: 'desc' })

  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  const copy = page.getByRole('dialog', { name: 'Copy data prep' })
  await copy.getByLabel('Name', { exact: true }).fill('  Second ')
  await copy.getByRole('button', { name: 'Save copy' }).click()
  await notification(page, 'New Data prep has been created.').waitFor()
  await page.waitForURL(/\/Others\/Second\/latest/)
  const second = await read('Second', 'Others')
  expect(second).toMatchObject({ version: 1, order: 'desc', symbols: [brent] })
  expect(second.id).not.toBe(moved.id)
  expect(saves).toEqual([
    ['PUT', 'Edited', 'Results', {}],
    ['PUT', 'Taken', 'Results', {}],
    ['PUT', 'Edited anew', 'Results', {}],
    ['PUT', 'Edited anew', 'Others', {}],
    ['POST', 'Second', 'Others', {}],
  ])
})

test('DP-348 DP-349 server errors of name and output group are shown on their fields', async () => {
  await create({ name: 'Original', symbols: [brent] })
  await anna.call(createGroup, { body: { name: 'Short-lived' } })
  const page = await open(creator('Original'))
  await page.getByRole('button', { name: 'Copy', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Copy data prep' })
  const name = dialog.getByLabel('Name', { exact: true })
  const group = dialog.getByRole('combobox', { name: 'Output group' })
  await name.fill('  ')
  await dialog.getByRole('button', { name: 'Save copy' }).click()
  await dialog.getByText('A data prep needs a name.', { exact: true }).waitFor()
  expect(await name.getAttribute('aria-invalid')).toBe('true')
  expect(await group.getAttribute('aria-invalid')).not.toBe('true')
  await name.fill('Nowhere')
  await choose(page, 'Output group', 'Short-lived', dialog)
  await anna.call(deleteGroup, { params: { name: 'Short-lived' } })
  const response = page.waitForResponse((received) => received.url().endsWith('/dataprep'))
  await dialog.getByRole('button', { name: 'Save copy' }).click()
  const { validationErrors } = (await (await response).json()) as {
    validationErrors: { field: string; message: string }[]
  }
  expect(validationErrors).toMatchObject([{ field: 'outputGroup' }])
  await dialog.getByText(validationErrors[0]!.message, { exact: true }).waitFor()
  expect(await group.getAttribute('aria-invalid')).toBe('true')
  expect(await name.getAttribute('aria-invalid')).not.toBe('true')
})

test('DP-355 a data prep has a schedule; a cron expression that cannot be parsed shows a warning and is not saved', async () => {
  await create({ name: 'Nightly', symbols: [brent] })
  const page = await open('/Storage#Preps')
  const row = page.getByRole('row', { name: /Nightly/ })
  const openDialog = async () => {
    await row.getByRole('button', { name: 'Actions for Nightly' }).click()
    await page.getByRole('menuitem', { name: 'Schedule' }).click()
    return page.getByRole('dialog', { name: 'Schedule of Nightly' })
  }
  let dialog = await openDialog()
  await dialog.getByText('At 07:00, Monday through Friday').waitFor()
  await dialog.getByRole('combobox', { name: 'Schedule' }).click()
  await page.getByRole('option', { name: 'Custom' }).click()
  const cron = dialog.getByRole('textbox', { name: 'Cron expression' })
  await cron.fill('0 25 * * *')
  await dialog.getByText('Could not translate the cron expression: Invalid value for hour: 25.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByRole('alert').getByText('Could not translate the cron expression').waitFor()
  expect((await read('Nightly')).nextRun).toBeNull()

  await cron.fill('30 6 * * 2')
  await dialog.getByText('At 06:30, only on Tuesday').waitFor()
  await expect
    .poll(() => dialog.getByRole('list', { name: 'Next runs' }).getByRole('listitem').count())
    .toBe(3)
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

test('the second save from two tabs reports the version of the first one, and can overwrite it', async () => {
  const prep = await create({ name: 'Shared', symbols: [brent] })
  const page = await open(creator('Shared'))
  await page.getByText('v1', { exact: true }).waitFor()
  await anna.call(updateDataPrep, {
    params: { id: prep.id },
    body: { dataPrep: { ...prep, decimalPrecision: 4 } },
  })
  await choose(page, 'Order', 'Newest first')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'A newer version exists' })
  await dialog
    .getByText(
      /^You are editing version 1\. You saved version 2 on .*\d\d:\d\d.* in another tab or on another device\./,
    )
    .waitFor()
  expect(await read('Shared')).toMatchObject({ version: 2, decimalPrecision: 4 })
  await dialog.getByRole('button', { name: 'Save mine as latest' }).click()
  await page.getByText('v3', { exact: true }).waitFor()
  expect(await read('Shared')).toMatchObject({ version: 3, order: 'desc', decimalPrecision: 2 })
})

test('DP-292 the URL of a new data prep fills in search, group, symbol and basket', async () => {
  const page = await open(
    '/Storage/Creator/New?query=&groupName=Prices&symbol=Commodity%3DBrent%7CRegion%3DEU#table',
  )
  await page.getByRole('tab', { name: 'Basket 1' }).waitFor()
  await page.getByRole('tab', { name: 'Table', selected: true }).waitFor()
  const row = page.getByRole('row', { name: /Brent/ })
  await expect.poll(() => row.getByRole('checkbox').isChecked()).toBe(true)
  const search = page.getByRole('search', { name: 'Symbols' })
  expect(await search.getByRole('searchbox', { name: 'Search symbols' }).inputValue()).toBe('')
  await expect.poll(() => search.getByRole('combobox', { name: 'Group' }).inputValue()).toBe('Prices')
  for (const hidden of [/WTI/, /Gas/]) expect(await page.getByRole('row', { name: hidden }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Basket 1' }).click()
  await page.getByRole('button', { name: 'Commodity=Brent · Region=EU', exact: true }).waitFor()
  await page.getByRole('link', { name: 'Data preps' }).first().click()
  await page.waitForURL(/Storage#DataPreps/)
  await page.goto(`${stage.server.url}/Storage/Creator/New?query=EU&groupName=Prices#table`)
  await page.getByRole('row', { name: /Gas/ }).waitFor()
  expect(await search.getByRole('searchbox', { name: 'Search symbols' }).inputValue()).toBe('EU')
  await expect.poll(() => page.getByRole('row', { name: /WTI/ }).count()).toBe(0)
})

test('several symbols in the storage are added to the basket of a new data prep', async () => {
  const page = await open('/Storage/Symbols/Prices')
  for (const name of [/Brent/, /WTI/]) await tick(page, name)
  await page
    .getByRole('link', { name: /data prep/i })
    .last()
    .click()
  await page.waitForURL(/\/Storage\/Creator\/New/i)
  await page.getByRole('tab', { name: 'Basket 2' }).waitFor()
})

test('leaving unsaved changes needs a confirmation', async () => {
  const page = await open('/Storage/Creator/New#table')
  await tick(page, /Brent/)
  await page.getByRole('link', { name: 'Data lake' }).click()
  const dialog = page.getByRole('dialog', { name: 'Unsaved changes' })
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('tab', { name: 'Basket 1' }).waitFor()
  await page.getByRole('link', { name: 'Data lake' }).click()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await page.waitForURL(/\/Lake/)
  await page.getByRole('tab', { name: 'Groups' }).waitFor()
})

test('DP-306 the hashes Table, Basket and Charts select their tabs', async () => {
  const page = await open('/Storage/Creator/New?query=')
  for (const tab of ['Charts', 'Basket', 'Table']) {
    const selected = page.getByRole('tab', { name: tab, selected: true })
    await page.getByRole('tab', { name: tab }).click()
    await selected.waitFor()
    expect(new URL(page.url()).hash).toBe(`#${tab}`)
    await page.reload()
    await selected.waitFor()
  }
})

test('DP-331 DP-332 IN-284 31 entries open the basket, 30 do not; the group column is as wide as its longest name requires', async () => {
  const symbols = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ groupName: 'Many', symbols: { Code: `S${index}` } }))
  await create({ name: 'Thirty', symbols: symbols(30) })
  const named = { groupName: 'Power prices', symbols: { Code: 'A' } }
  await create({ name: 'More', symbols: [...symbols(30), named] })
  const page = await open(creator('Thirty', '?query=#Table'))
  const groupWidth = async () =>
    (await page.getByRole('columnheader', { name: 'Group' }).boundingBox())?.width ?? 0
  await page.getByRole('tab', { name: 'Basket 30' }).waitFor()
  await page.getByRole('tab', { name: 'Table', selected: true }).waitFor()
  await page.getByRole('tab', { name: 'Basket 30' }).click()
  await page.getByRole('grid', { name: 'Basket' }).waitFor()
  await expect.poll(groupWidth).toBe(106)
  await page.goto(`${stage.server.url}${creator('More', '?query=#Table')}`)
  await page.getByRole('tab', { name: 'Basket 31', selected: true }).waitFor()
  await expect.poll(groupWidth).toBe(8 * 12 + 38)
})

test('DP-354 columns, offset, fill and pattern of an entry can be set in its panel', async () => {
  await create({ name: 'Entries', symbols: [brent, wti] })
  const page = await open(creator('Entries', '?query=#Basket'))
  await page.getByRole('button', { name: 'Commodity=Brent · Region=EU', exact: true }).click()
  const panel = page.getByRole('complementary', { name: 'Settings' })
  await choose(page, 'Columns', 'Close')
  await page.keyboard.press('Escape')
  await choose(page, 'Offset', 'Days')
  await panel.getByLabel('Offset amount').fill('1.5')
  await panel.getByText('Enter a whole number. Other values are ignored.').waitFor()
  await panel.getByLabel('Offset amount').fill('2')
  await choose(page, 'Fill gaps', 'Average')
  await panel.getByText('Enter a number to fill gaps.').waitFor()
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

test('DP-354 a pattern without columns is marked as incomplete in its row and has no preview; one whose columns cannot be read is not added', async () => {
  const page = await open('/Storage/Creator/New?query=&groupName=Prices#table')
  const columns = '**/ts/symbol/columns?*'
  await page.route(columns, (route) =>
    route.fulfill({ status: 400, json: { status: 400, code: 'x', message: 'The columns are unreadable.' } }),
  )
  await page.getByRole('button', { name: 'Add as pattern' }).click()
  await notification(page, 'The columns are unreadable.').waitFor()
  await page.unroute(columns)
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
  await page.getByText('No preview yet').waitFor()
})

test('DP-328 IN-342 chosen dates start at 00:00:00 and end at 23:59:59', async () => {
  await create({ name: 'Between', symbols: [brent] })
  const page = await open(creator('Between'))
  await choose(page, 'Range', 'Between')
  await page.getByLabel('From', { exact: true }).fill('2026-08-17')
  await page.getByLabel('To', { exact: true }).fill('2026-08-18')
  await expect.poll(() => page.getByLabel('From (time)').inputValue()).toBe('00:00:00')
  await expect.poll(() => page.getByLabel('To (time)').inputValue()).toBe('23:59:59')
  const [preview] = await Promise.all([
    page.waitForRequest((request) => pathOf(request) === '/ts'),
    page.getByRole('tab', { name: 'Basket' }).click(),
  ])
  expect(preview.postDataJSON()).toMatchObject({
    range: 'BETWEEN',
    startDate: '2026-08-17T00:00:00',
    endDate: '2026-08-18T23:59:59',
  })
  await page.keyboard.press('Control+s')
  await page.getByText('Data prep has been saved.').waitFor()
  expect(await read('Between')).toMatchObject({
    range: 'BETWEEN',
    dateFrom: '2026-08-17T00:00:00',
    dateTo: '2026-08-18T23:59:59',
  })
})

test('DP-327 DP-329 DP-380 DP-381 DP-382 DP-383 DP-385 IN-343 a new data prep has the settings of the specification, and offers its layouts and rounding modes', async () => {
  const page = await open('/Storage/Creator/New?query=#table')
  const valueOf = (label: string) => page.getByLabel(label, { exact: true }).inputValue()
  await page.getByRole('combobox', { name: 'Layout' }).waitFor()
  const labels = ['Range', 'Amount', 'Unit', 'Time zone', 'Decimals', 'Rounding', 'Date format', 'Layout']
  const values: string[] = []
  for (const label of labels) values.push(await valueOf(label))
  const dateFormat = "yyyy-MM-dd'T'HH:mm:ss.SSS"
  expect(values).toEqual(['Last', '500', 'Values', 'UTC', '2', 'Half up', dateFormat, 'Row per point'])
  for (const [label, options] of [
    ['Rounding', ['Up', 'Down', 'Ceiling', 'Floor', 'Half up', 'Half even']],
    ['Layout', ['Column per symbol', 'Row per point']],
  ] as const) {
    await page.getByRole('combobox', { name: label, exact: true }).click()
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(options)
    await page.keyboard.press('Escape')
    await expect.poll(() => page.getByRole('option').count()).toBe(0)
  }
})

test('IN-355 a download that fails or has no rows saves no file and reports that there is no data', async () => {
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
  const report = notification(page, 'Could not find any data to download')
  const reported = async (format: string) => {
    await page.getByRole('button', { name: 'Download', exact: true }).click()
    await page.getByRole('menuitem', { name: format }).click()
    await report.first().waitFor()
    await page.getByRole('button', { name: 'Dismiss' }).last().click()
    await expect.poll(() => report.count()).toBe(0)
  }
  for (const format of ['Ncsv', 'Standard']) await reported(format)
  await page.route('**/ts/stream?*', (route) => route.abort())
  await reported('Ncsv')
  expect(downloads).toBe(0)
})

test('DP-364 IN-419 a search for a holiday calendar wraps its text in wildcards and limits the size', async () => {
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

test('DP-310 DP-356 DP-358 DP-361 DP-370 DP-371 data preps can be listed, searched, copied and deleted', async () => {
  const { id } = await create({ name: 'Listed one', symbols: [brent, wti] })
  await create({ name: 'Listed two' })
  const page = await open('/Storage/List')
  await page.setViewportSize({ width: 1680, height: 900 })
  const [searched] = await Promise.all([
    page.waitForRequest((request) => request.url().includes('query=listed')),
    page.getByRole('searchbox', { name: 'Search data preps' }).fill('listed'),
  ])
  const parameters = new URL(searched.url()).searchParams
  expect([pathOf(searched), parameters.get('latest')]).toEqual(['/dataprep', 'true'])
  expect(Number(parameters.get('size'))).toBeGreaterThan(0)
  await page
    .getByRole('row', { name: /Listed one.*Results.*Last 500 values.*2.*v1.*anna@example\.com/ })
    .waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(3)
  await page.getByRole('button', { name: 'Actions for Listed two' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete data prep' })
  const confirmation = "Listed two will be deleted immediately. You can't undo this action."
  await dialog.getByText(confirmation, { exact: true }).waitFor()
  expect(await read('Listed two')).toMatchObject({ version: 1 })
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await notification(page, 'Data prep has been deleted.').waitFor()
  await page.getByRole('row', { name: /Listed two/ }).waitFor({ state: 'detached' })
  await expect(read('Listed two')).rejects.toMatchObject({ status: 404 })

  await page.getByRole('button', { name: 'Actions for Listed one' }).click()
  await page.getByRole('menuitem', { name: 'Copy' }).click()
  const [byId] = await Promise.all([
    page.waitForRequest((request) => pathOf(request) === `/dataprep/${id}`),
    page.getByRole('button', { name: 'Save copy' }).click(),
  ])
  expect(Object.fromEntries(new URL(byId.url()).searchParams)).toEqual({
    withMetadata: 'true',
    resolvePattern: 'true',
  })
  await page.waitForURL(/\/Results\/Listed%20one%20copy\/latest/)
  expect((await read('Listed one copy')).symbols).toMatchObject([
    { ...brent, metadata: { Unit: 'USD' } },
    { ...wti, metadata: { Unit: 'USD' } },
  ])
})

test('DP-294 DP-304 DP-305 DP-311 links to a data prep open the settings tab; a symbol in the search leads to a new data prep', async () => {
  const prep = await create({ name: 'Linked', symbols: [brent] })
  await anna.call(updateDataPrep, { params: { id: prep.id }, body: { dataPrep: { ...prep, order: 'desc' } } })
  const setTab = (storageScreen: 'Table' | 'Basket' | 'Charts') =>
    anna.call(updateSettings, { body: { settings: { storageScreen } } })
  try {
    await setTab('Basket')
    const page = await open('/Storage?query=Linked')
    const href = () => page.getByRole('link', { name: 'Linked' }).getAttribute('href')
    await expect.poll(href).toBe('/Storage/Creator/Results/Linked/latest?query=#Basket')
    for (const tab of ['Table', 'Charts'] as const) {
      await setTab(tab)
      await page.reload()
      await expect.poll(href).toBe(`/Storage/Creator/Results/Linked/latest?query=#${tab}`)
    }
    await page.keyboard.press('Control+k')
    await page.getByRole('searchbox', { name: 'Search all' }).fill('Brent')
    const symbol = page.getByRole('region', { name: 'Symbols' }).getByRole('link', { name: /Brent/ })
    expect(await symbol.getAttribute('href')).toBe(
      '/Storage/creator/New?query=&groupName=Prices&symbol=Commodity%3DBrent%7CRegion%3DEU#table',
    )
    await page.getByRole('searchbox', { name: 'Search all' }).fill('Linked')
    const hit = page.getByRole('region', { name: 'Data preps' }).getByRole('link', { name: /Linked/ })
    expect(await hit.getAttribute('href')).toBe('/Storage/creator/Results/Linked/2?query=#charts')
    await hit.click()
    await page.getByRole('tab', { name: 'Charts', selected: true }).waitFor()
    await page.getByRole('region', { name: 'Chart' }).waitFor()
    await page.getByRole('tab', { name: 'Basket 1' }).waitFor()
  } finally {
    await setTab('Table')
  }
})

test('DP-307 SH-190 the job of a run links to the version of the data prep that ran', async () => {
  const prep = await create({ name: 'Of a job', symbols: [brent] })
  const { jobId } = await anna.call(runDataPrep, { params: { id: prep.id }, query: {} })
  const page = await open('/Statuses')
  const jobs = page.getByRole('main').getByRole('region', { name: 'Data preps' }).getByRole('listitem')
  await jobs.filter({ hasText: 'Of a job' }).getByRole('button').click()
  const link = page.getByRole('main').getByLabel('Open', { exact: true })
  const href = `/Storage/Creator/Results/Of%20a%20job/1?jobId=${jobId}`
  expect(await link.getAttribute('href')).toBe(href)
  await link.click()
  await expect.poll(() => page.url()).toContain(href)
})

test('DP-363 SH-105 SH-108 the settings contain the details of a favourite; the list of favourites requests the versions of each with size 1, every 20 s', async () => {
  const prep = await create({ name: 'Starred' })
  const page = await stage.newPage()
  await page.clock.install()
  await openAs(page, stage.server.url, anna.userName, '/Storage/List?query=Starred')
  await page.getByRole('button', { name: 'Add Starred to favourites' }).click()
  await page.getByRole('button', { name: 'Remove Starred from favourites' }).waitFor()
  const { favoriteDataPreps } = (await anna.call(getSettings, {})).settings
  expect(JSON.parse(favoriteDataPreps)).toContainEqual({
    id: prep.id,
    name: 'Starred',
    groupName: 'Results',
    modifyDate: prep.modifyDate,
    status: '',
    favorite: true,
  })
  await stopClock(page)
  const [request] = await Promise.all([
    page.waitForRequest((each) => each.url().includes(`/dataprep/${prep.id}/versions`)),
    page.getByRole('tab', { name: 'Favourites' }).click(),
  ])
  expect(new URL(request.url()).searchParams.get('size')).toBe('1')
  // Timers render new data, and the test must advance the stopped clock.
  await pollClock(page, 20, () => page.getByRole('row', { name: /Starred/ }).count()).toBe(1)
  const again: string[] = []
  page.on('request', (each) => {
    if (pathOf(each) === `/dataprep/${prep.id}/versions`) again.push(each.url())
  })
  await page.clock.runFor(17_000)
  expect(again).toEqual([])
  await page.clock.runFor(3500)
  await expect.poll(() => again.length).toBe(1)
})

test('DP-304 DP-308 DP-357 the URL of the creator contains group, name, version and tab', async () => {
  const prep = await create({ name: 'Versioned', symbols: [brent] })
  const body = { dataPrep: { ...prep, symbols: [brent, wti] } }
  await anna.call(updateDataPrep, { params: { id: prep.id }, body })
  const page = await stage.newPage()
  const byName = page.waitForRequest((request) => pathOf(request) === '/dataprep/name')
  await openAs(page, stage.server.url, anna.userName, creator('Versioned', '?query=#Table'))
  await page.getByRole('tab', { name: 'Basket 2' }).waitFor()
  expect(Object.fromEntries(new URL((await byName).url()).searchParams)).toEqual({
    groupName: 'Results',
    name: 'Versioned',
    version: 'latest',
    latest: 'true',
    withMetadata: 'true',
    resolvePattern: 'true',
  })
  const versions = page.waitForRequest((request) => pathOf(request) === `/dataprep/${prep.id}/versions`)
  await page.getByRole('button', { name: 'Versions' }).click()
  await versions
  await page.getByRole('dialog').getByRole('link', { name: 'v1', exact: true }).click()
  await page.waitForURL(`${stage.server.url}/Storage/Creator/Results/Versioned/1?query=#Table`)
  await page.getByRole('tab', { name: 'Basket 1' }).waitFor()
  await page.getByText('v1, an older version').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const confirmation = page.getByRole('dialog', { name: 'A newer version exists' })
  await confirmation.getByRole('button', { name: 'Save mine as latest' }).click()
  const newest = () => anna.call(getDataPrepByName, { query: { groupName: 'Results', name: 'Versioned' } })
  await expect.poll(async () => (await newest()).version).toBe(3)
  await page.waitForURL(/\/Storage\/Creator\/Results\/Versioned\/latest\?/)
  expect((await newest()).symbols).toHaveLength(1)
  await page.goto(`${stage.server.url}/Storage/Creator/Results/Versioned/2?query=#Charts`)
  await page.getByRole('tab', { name: 'Charts', selected: true }).waitFor()
  await page.getByRole('tab', { name: 'Basket 2' }).waitFor()
})

test('DP-312 DP-314 users with read access can see and download data preps; users without it see no storage page', async () => {
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
  const other = await open('/Storage', {}, viewer.userName)
  await other.getByText('You do not have access to this page').waitFor()
  for (const path of ['/Storage/List', '/Storage/Symbols', '/Storage/Creator/New']) {
    await other.goto(stage.server.url + path)
    await other.getByText('You do not have access to this page').waitFor()
  }
})

test('DP-309 DP-313 the older creator page Data opens the creator for users with read-write access only', async () => {
  const page = await open('/Storage/Data')
  await page.getByRole('tab', { name: 'Table', selected: true }).waitFor()
  await page.getByText('not saved yet').waitFor()
  const reader = await stage.server.createUser({ email: 'reader-2@example.com', role: 'Report author' })
  const other = await open('/Storage/Data', {}, reader.userName)
  await other.getByText('You do not have access to this page').waitFor()
})

test('a basket of 2,000 symbols scrolls, and can be edited, moved and emptied with the keyboard alone', async () => {
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

test('a data prep can be created with the keyboard alone', async () => {
  const page = await open('/Storage/Creator/New?query=#table')
  await page.getByRole('row', { name: /Brent/ }).focus()
  await page.keyboard.press('Space')
  await page.getByRole('tab', { name: 'Basket 1' }).waitFor()
  await page.getByRole('tab', { name: 'Table' }).focus()
  await page.keyboard.press('ArrowRight')
  await page.getByRole('tab', { name: 'Basket 1', selected: true }).waitFor()
  await page.keyboard.press('Control+s')
  const field = page.getByRole('dialog', { name: 'Save data prep' }).getByLabel('Name', { exact: true })
  await expect.poll(() => field.evaluate((input) => input === document.activeElement)).toBe(true)
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
  [1440, 900],
  [1024, 768],
] as const)(
  'the accessibility checker finds no problems, and nothing is wider than the window: %i px',
  async (width, height) => {
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
