import { Buffer } from 'node:buffer'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContextOptions, Locator, Page, Request } from 'playwright'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { getSettings, updateSettings } from '@headwater/accounts/contract'
import { createFile, deleteFile, getFile, searchFiles, updateFile } from '@headwater/files/contract'
import { createGroup, deleteGroup, unshareGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight } from '@headwater/insights/contract'
import { createPipeline } from '@headwater/pipelines/contract'
import { updatePublicStatus } from '@headwater/publishing/contract'
import { createDataPrep } from '@headwater/preps/contract'
import { createTask } from '@headwater/tasks/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems, openAs, pollClock, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Prices', description: 'Spot prices' } })
  await putFile(anna, 'Prices', 'first.txt')
})

async function openLake(
  path: string,
  user = 'anna@example.com',
  options: BrowserContextOptions = {},
  { clock = false } = {},
): Promise<Page> {
  const page = await stage.newPage(options)
  if (clock) await page.clock.install()
  await openAs(page, stage.server.url, user, path)
  return page
}

function file(name: string, text: string) {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(text) }
}

/** Uploads a small file to a group through the API and returns its id. */
async function putFile(owner: Session, groupName: string, fileName: string): Promise<string> {
  const { fileId } = await upload(owner, { groupName, fileName, content: fileName })
  return fileId
}

function series(commodity: string, rows = 40): string {
  const lines = Array.from({ length: rows }, (_, i) => {
    const date = new Date(Date.UTC(2026, 0, 1 + i)).toISOString().slice(0, 10)
    return `${commodity},${date},${70 + Math.sin(i) * 5}`
  })
  return ['Commodity,Date,Price', ...lines].join('\n')
}

async function chooseFiles(page: Page, ...files: ReturnType<typeof file>[]) {
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  await page.getByRole('dialog').locator('input[type=file]').setInputFiles(files)
}

/** Uploads the chosen file with one marker selected, which must be the only field that is sent. */
async function uploadMarked(page: Page, marker: string) {
  const dialog = page.getByRole('dialog')
  const markers = dialog.getByRole('group', { name: 'Series' })
  await expect.poll(() => markers.getByRole('checkbox').count()).toBe(3)
  for (const box of await markers.getByRole('checkbox').all()) await box.uncheck()
  await markers.getByRole('checkbox', { description: new RegExp(`\\(${marker}\\)\\.$`) }).check()
  const announced = page.waitForRequest((request) => request.url().endsWith('/file'))
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  expect((await announced).postDataJSON()).toMatchObject({ fields: [{ name: marker, value: 'true' }] })
}

test('DP-028 DP-048 DP-049 DP-050 DP-056 DP-057 IN-412 a group is created, edited and deleted', async () => {
  const page = await openLake('/Lake#Groups')
  const created: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.url().endsWith('/file/group'))
      created.push(request.postDataJSON())
  })
  await page.getByRole('button', { name: 'New group' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: false }).first().fill('Prices')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'already exists' }).first().waitFor()
  await dialog.getByLabel('Name', { exact: false }).first().fill('  Short lived ')
  await dialog.getByText('already exists').waitFor({ state: 'detached' })
  await dialog.getByLabel('Description').fill('Test data')
  await dialog.getByLabel('Tags').fill('brief')
  await dialog.getByLabel('Tags').press('Enter')
  await dialog.getByRole('button', { name: 'Add field' }).click()
  await dialog.getByLabel('Field', { exact: true }).fill('Desk')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Short lived' }).first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/Lake/Groups/Short%20lived')
  expect(created.at(-1)).toEqual({
    name: '  Short lived ',
    description: 'Test data',
    fields: [{ name: 'Desk', type: 'string' }],
    groupTags: ['brief'],
  })

  await page.getByRole('button', { name: 'Edit group' }).click()
  await page.getByRole('dialog').getByLabel('Description').fill('Not for long')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your changes have been saved', { exact: true }).waitFor()
  await page.reload()
  await page.getByText('Not for long').waitFor()

  await page.getByRole('button', { name: 'Delete group' }).click()
  const confirmation = page.getByRole('dialog')
  await confirmation
    .getByText("Short lived will be deleted immediately. You can't undo this action.", { exact: true })
    .waitFor()
  await page.getByText('It contains no files, symbols, data preps, pipelines or tasks.').waitFor()
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 404) refused.push(response.url())
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Group Short lived has been deleted.', { exact: true }).waitFor()
  await page.getByRole('row', { name: /Prices/ }).waitFor()
  await expect.poll(() => page.getByRole('row', { name: /Short lived/ }).count()).toBe(0)
  expect(refused).toEqual([])
})

test('while a group is deleted, its page does not request it, because the request would fail', async () => {
  const owner = await stage.server.createUser({ email: 'deleting@example.com' })
  await owner.call(createGroup, { body: { name: 'Going' } })
  const page = await openLake('/Lake/Groups/Going', owner.userName, {}, { clock: true })
  await page.getByRole('button', { name: 'Delete group' }).click()
  await page.getByText('It contains no files, symbols, data preps, pipelines or tasks.').waitFor()
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 404) refused.push(response.url())
  })
  const [isDeleted, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  await page.route('**/file/group/Going', async (route) => {
    if (route.request().method() !== 'DELETE') return route.continue()
    const response = await route.fetch()
    isDeleted.resolve()
    await released.promise
    await route.fulfill({ response })
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await isDeleted.promise
  // By now the page would have refreshed the group.
  await page.clock.runFor(11_000)
  released.resolve()
  await page.getByText('Group Going has been deleted.', { exact: true }).waitFor()
  expect(refused).toEqual([])
})

test('the dialog that deletes a group counts its files, insights, symbols, data preps, pipelines, tasks and e-mail exports; a double click adds one history entry', async () => {
  const owner = await stage.server.createUser({ email: 'dora@example.com' })
  await owner.call(createGroup, { body: { name: 'Counted' } })
  for (const fileName of ['a.csv', 'a.csv', 'b.csv'])
    await upload(owner, {
      groupName: 'Counted',
      fileName,
      fileType: 'NCSV',
      content: series('Oil') + '\nGas,2026-01-01,1\n',
    })
  await owner.call(createDataPrep, {
    body: {
      dataPrep: { name: 'Prices', outputGroup: 'Counted', symbols: [{ groupName: 'Counted' }] },
    } as never,
  })
  await owner.call(createInsight, {
    body: { insightName: 'Private', groupName: 'Counted', content: emptyContent() },
  })
  for (const name of ['Private email exporter', 'Another pipeline'])
    await owner.call(createPipeline, { body: { name, groupName: 'Counted', tags: ['insight'] } })
  for (const name of ['Load', 'Check'])
    await stage.server.admin.call(createTask, {
      body: {
        name,
        groupName: 'Counted',
        definitionName: 'python-runner',
        readableName: name,
        timeout: 60,
        params: [{ name: 'Script', value: 'print(1)', valueType: 'SCRIPT' }],
      },
    })
  const page = await openLake('/Lake#Groups', 'dora@example.com')
  await page.getByRole('link', { name: 'Counted' }).dblclick()
  await page.getByRole('button', { name: 'Delete group' }).click()
  await page
    .getByText(
      '2 files, 1 insight, 2 symbols, 1 data prep, 1 pipeline, 2 tasks and 1 e-mail export will be deleted too.',
    )
    .waitFor()
  expect(await page.getByText('public insight').count()).toBe(0)
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.goBack()
  await page.getByRole('button', { name: 'New group' }).waitFor()
})

test('a new insight of a group is built from its series and saved in it; the group header fits windows of all widths', async () => {
  const owner = await stage.server.createUser({ email: 'nora@example.com' })
  for (const [groupName, commodity] of [
    ['A first group', 'Gas'],
    ['Own group', 'Oil'],
  ] as const) {
    await owner.call(createGroup, { body: { name: groupName } })
    await upload(owner, { groupName, fileType: 'NCSV', content: series(commodity) })
  }
  const page = await openLake('/Lake/Groups/Own%20group', owner.userName)
  await page.getByRole('link', { name: 'New insight' }).click()
  await page.getByRole('button', { name: /^Table/ }).click()
  const picker = page.getByRole('dialog', { name: 'Add series' })
  await picker.getByRole('button', { name: 'Oil, Price' }).click()
  await picker.getByRole('button', { name: 'Add series' }).click()
  await picker.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'Save insight' })
  await expect.poll(() => dialog.getByLabel('Group', { exact: true }).inputValue()).toBe('Own group')

  const small = await openLake('/Lake/Groups/Own%20group', owner.userName, {
    viewport: { width: 390, height: 844 },
  })
  await small.getByRole('button', { name: 'Upload', exact: true }).waitFor()
  expect(await small.getByRole('link', { name: 'New insight' }).isVisible()).toBe(false)

  const crumb = small.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Own group')
  for (const width of [390, 768, 1024, 1279, 1280]) {
    await small.setViewportSize({ width, height: 844 })
    const right = () =>
      small
        .getByRole('button', { name: 'Upload', exact: true })
        .evaluate((button) => button.getBoundingClientRect().right)
    await expect.poll(right, { message: `Upload at ${width}` }).toBeLessThanOrEqual(width)
    expect(await small.evaluate(() => document.documentElement.scrollWidth), `page at ${width}`).toBe(width)
    expect((await crumb.boundingBox())!.width, `breadcrumb at ${width}`).toBeGreaterThan(40)
  }
  for (const [width, items] of [
    [390, ['Share', 'Show public views']],
    [1024, ['Share', 'Show public views', 'Show symbols', 'New insight']],
  ] as const) {
    const narrow = await openLake('/Lake/Groups/Own%20group', owner.userName, {
      viewport: { width, height: 844 },
    })
    await narrow.getByRole('button', { name: 'More actions' }).click()
    await expect.poll(() => narrow.getByRole('menuitem').allTextContents()).toEqual(items)
  }
})

test('DP-044 choosing a public group for a file requires confirmation', async () => {
  const owner = await stage.server.createUser({ email: 'public@example.com' })
  for (const name of ['Public prices', 'Private prices']) await owner.call(createGroup, { body: { name } })
  const location = { insightName: 'Crude', groupName: 'Public prices' }
  await owner.call(createInsight, { body: { ...location, content: emptyContent() } })
  await owner.call(updatePublicStatus, { body: { ...location, isPublic: true } })
  const page = await openLake('/Lake#files', owner.userName)
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  const upload = page.getByRole('dialog', { name: /Upload/ })
  const group = upload.getByLabel('Group', { exact: true })
  const confirmation = page.getByRole('dialog', { name: 'Use a public group?' })
  const choose = async (name: string) => {
    await group.fill(name)
    await page.getByRole('option', { name, exact: true }).click()
  }
  await choose('Public prices')
  await confirmation.getByText('Public prices is public').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await confirmation.getByRole('button', { name: 'Cancel', exact: true }).click()
  await confirmation.waitFor({ state: 'detached' })
  await expect.poll(() => group.inputValue()).toBe(`${owner.userName}_home`)
  await choose('Private prices')
  await expect.poll(() => group.inputValue()).toBe('Private prices')
  await expect.poll(() => confirmation.count()).toBe(0)
  await choose('Public prices')
  await confirmation.getByRole('button', { name: 'Cancel', exact: true }).click()
  await confirmation.waitFor({ state: 'detached' })
  await expect.poll(() => group.inputValue()).toBe('Private prices')
  await choose('Public prices')
  await confirmation.getByRole('button', { name: 'Use group', exact: true }).click()
  await confirmation.waitFor({ state: 'detached' })
  await expect.poll(() => group.inputValue()).toBe('Public prices')
})

test('no group can be selected until it is known which groups are public, so that a form cannot keep the previous group', async () => {
  const owner = await stage.server.createUser({ email: 'waiting@example.com' })
  await owner.call(createGroup, { body: { name: 'Late prices' } })
  const page = await openLake('/Lake#files', owner.userName)
  let respond = () => {}
  const released = new Promise<void>((resolve) => (respond = resolve))
  await page.route(
    (url) => url.searchParams.get('publicOnly') === 'true',
    async (route) => {
      await released
      await route.continue()
    },
  )
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  const group = page.getByRole('dialog', { name: /Upload/ }).getByLabel('Group', { exact: true })
  const matching = page.waitForResponse(
    (response) => new URL(response.url()).searchParams.get('query') === '*Late*',
  )
  await group.fill('Late')
  await (await matching).finished()
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))))
  const option = page.getByRole('option', { name: 'Late prices', exact: true })
  expect(await option.count()).toBe(0)
  await page.getByText('Searching…', { exact: true }).waitFor()
  respond()
  await option.click()
  await expect.poll(() => group.inputValue()).toBe('Late prices')
})

test('DP-070 DP-096 DP-105 DP-135 DP-136 DP-137 DP-138 DP-139 DP-140 DP-141 DP-142 DP-143 DP-144 DP-145 DP-146 DP-147 IN-393 IN-394 IN-403 IN-404 IN-405 a series file is announced with its metadata, then its content is sent to the returned location', async () => {
  const owner = await stage.server.createUser({ email: 'upload@example.com' })
  const fields = [{ name: 'Lot', type: 'int' as const }]
  await owner.call(createGroup, { body: { name: 'Uploads', fields } })
  await owner.call(updateSettings, { body: { settings: { definedTime: 'Europe/Warsaw' } } })
  const page = await openLake('/Lake/Groups/Uploads', owner.userName)
  const requests: Request[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/file') && request.method() !== 'GET')
      requests.push(request)
  })
  await chooseFiles(page, file('brent.csv', series('Brent')))
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.getByLabel('Type of brent.csv').inputValue()).toBe('NCSV')
  await expect.poll(() => dialog.getByLabel('Group').first().inputValue()).toBe('Uploads')
  const valueOf = (label: string) => dialog.getByLabel(label, { exact: true }).inputValue()
  await dialog.getByRole('button', { name: 'Add metadata' }).click()
  // Fields of the group are fixed; added fields can be removed.
  await expect.poll(() => valueOf('Name 1')).toBe('Lot')
  await expect.poll(() => dialog.getByLabel('Name 1').isDisabled()).toBe(true)
  await expect.poll(() => dialog.getByLabel('Value 1').getAttribute('placeholder')).toBe('Whole number')
  const stays = dialog.getByRole('button', { name: 'Lot is a field of the group and cannot be removed' })
  expect(await stays.isDisabled()).toBe(true)
  await dialog.getByLabel('Value 1').fill('7')
  await dialog.getByRole('button', { name: 'Add metadata' }).click()
  await dialog.getByRole('button', { name: 'Remove metadata 3' }).click()
  await dialog.getByLabel('Name 2').fill('Desk')
  await dialog.getByLabel('Value 2').fill('oil')
  for (const marker of ['PARTIAL_UPDATE', 'AVOID_DUPLICATES', 'SKIP_METADATA']) {
    const box = dialog.getByRole('group', { name: 'Series' }).getByRole('checkbox', {
      description: new RegExp(`\\(${marker}\\)\\.$`),
    })
    expect(await box.isChecked()).toBe(false)
    await box.check()
  }
  await dialog.getByText('Period covered by the data (optional)').click()
  expect([await valueOf('Start time'), await valueOf('End time')]).toEqual(['00:00', '23:59'])
  await dialog.getByLabel('First date').fill('2026-01-05')
  await dialog.getByLabel('Last date').fill('2026-07-05')
  await dialog.getByLabel('Start time', { exact: true }).fill('06:30')
  const endTime = dialog.getByLabel('End time', { exact: true })
  await endTime.fill('6:00 PM')
  await endTime.blur()
  await dialog.getByText('Enter a time from 00:00 to 23:59, such as 07:30 or 07:30:15.').waitFor()
  await endTime.fill('18:00')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('File has been uploaded.', { exact: true }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /brent\.csv.*NCSV.*Ingested 40 rows/ }).waitFor()

  const [announced, sent, ...more] = requests
  expect(more).toEqual([])
  expect([announced!.method(), new URL(announced!.url()).pathname]).toEqual(['POST', '/file'])
  expect(announced!.postDataJSON()).toEqual({
    groupName: 'Uploads',
    fileName: 'brent.csv',
    fileType: 'NCSV',
    zipped: false,
    fields: [
      { name: 'Lot', value: '7' },
      { name: 'Desk', value: 'oil' },
      { name: 'PARTIAL_UPDATE', value: 'true' },
      { name: 'AVOID_DUPLICATES', value: 'true' },
      { name: 'SKIP_METADATA', value: 'true' },
      { name: 'dataStart', value: String(Date.parse('2026-01-05T05:30:00Z')) },
      { name: 'dataEnd', value: String(Date.parse('2026-07-05T16:00:00Z')) },
    ],
  })
  const response = (await announced!.response())!
  expect(response.headers()['x-kh-job-id']).toMatch(/^[0-9a-f-]{36}$/)
  const { location, fileId } = (await response.json()) as { location: string; fileId: string }
  expect([sent!.method(), sent!.url()]).toEqual(['PUT', location])
  expect(sent!.headers()['content-type']).toBe('application/octet-stream')
  const stored = await owner.fetch(`/file/${fileId}/download`)
  expect(await stored.text()).toBe(series('Brent'))
})

test('several files upload in parallel; a rejected one shows row and column and the dialog stays open', async () => {
  const page = await openLake('/Lake/Groups/Prices')
  await chooseFiles(
    page,
    file('wti.csv', series('WTI')),
    file('notes.txt', 'hello'),
    file('broken.csv', 'Commodity,Date,Price\nBrent,2026-01-01,1\nBrent,2026-02-31,2\n'),
  )
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Upload 3 files' }).click()
  await dialog.getByText('2026-02-31').waitFor()
  await expect.poll(() => dialog.getByRole('alert').textContent()).toMatch(/(row|line) 3, column 2 \(Date\)/i)
  const toast = page.getByRole('region', { name: 'Notifications' }).getByRole('alert')
  await toast.getByText('2 of 3 files have been uploaded.').waitFor()
  expect(await toast.textContent(), 'one toast with the name of the file').toMatch(/broken\.csv: Row 3/)
  await dialog.getByRole('button', { name: 'Close', exact: true }).first().click()
  await page.getByRole('row', { name: /wti\.csv/ }).waitFor()
  await page.getByRole('row', { name: /notes\.txt/ }).waitFor()
  await expect.poll(() => page.getByRole('row', { name: /broken\.csv/ }).count()).toBe(0)
})

test('the files of a dropped folder are uploaded', async () => {
  const page = await openLake('/Lake/Groups/Prices')
  await page.getByRole('button', { name: 'Upload', exact: true }).waitFor()
  // Drags of the protocol can end before the page has accepted them, so the event has entries as Chromium provides them.
  await page.getByRole('columnheader', { name: 'Name' }).evaluate((element) => {
    const entry = (name: string, children?: unknown[]) => ({
      name,
      isDirectory: children !== undefined,
      file: (resolve: (file: File) => void) => resolve(new File([name], name)),
      createReader: () => ({
        readEntries: (resolve: (next: unknown[]) => void) => resolve(children!.splice(0)),
      }),
    })
    const folder = entry('Folder', [entry('dropped-1.txt'), entry('Inner', [entry('dropped-2.txt')])])
    const drop = new DragEvent('drop', { bubbles: true, cancelable: true })
    const transfer = { types: ['Files'], files: [], items: [{ webkitGetAsEntry: () => folder }] }
    Object.defineProperty(drop, 'dataTransfer', { value: transfer })
    element.dispatchEvent(drop)
  })
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Upload 2 files' }).click()
  for (const name of ['dropped-1.txt', 'dropped-2.txt']) await page.getByRole('row', { name }).waitFor()
})

test('a large file is sent in parts; lost parts are sent again, and after a reload only the missing part is sent', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-large-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  const path = join(folder, 'large.bin')
  const content = randomBytes(33 * 1024 * 1024)
  await writeFile(path, content)
  const page = await openLake('/Lake/Groups/Prices')
  const sent: number[] = []
  const stored = new Set<number>()
  const numberOf = (url: string) => Number(/\/parts\/(\d+)/.exec(url)?.[1])
  await page.route(/\/parts\/\d/, (route) => {
    const number = numberOf(route.request().url())
    sent.push(number)
    const isLost = number === 4 || (number === 2 && sent.filter((one) => one === 2).length === 1)
    return isLost ? route.abort('connectionreset') : route.continue()
  })
  page.on('response', (response) => {
    if (response.ok() && /\/parts\/\d/.test(response.url())) stored.add(numberOf(response.url()))
  })
  const dialog = page.getByRole('dialog')
  async function uploadLarge() {
    await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
    await dialog.locator('input[type=file]').setInputFiles(path)
    await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  }
  await uploadLarge()
  await expect.poll(() => stored, { timeout: 60_000 }).toEqual(new Set([1, 2, 3, 5]))
  stored.clear()
  // Until the page is left, it sends the lost part again.
  await page.reload()
  await page.unroute(/\/parts\/\d/)
  await uploadLarge()
  await page.getByRole('row', { name: /large\.bin/ }).waitFor()
  expect(stored).toEqual(new Set([4]))
  const { items } = await anna.call(searchFiles, { query: { query: 'name=large.bin' } })
  const download = await anna.fetch(`/file/${items[0]!.fid}/download`)
  expect(Buffer.from(await download.arrayBuffer()).equals(content)).toBe(true)
})

test('DP-027 DP-034 DP-059 DP-060 DP-065 DP-116 DP-117 DP-118 a file can be found by its id in the URL or in the search, its versions are listed, and its id can be copied', async () => {
  for (const rows of [40, 50])
    await upload(anna, {
      groupName: 'Prices',
      fileName: 'twice.csv',
      fileType: 'NCSV',
      content: series('Twice', rows),
    })
  const besideFid = await putFile(anna, 'Prices', 'beside.txt')
  await putFile(anna, 'anna@example.com_home', 'twice at home.txt')
  const page = await openLake('/Lake/Groups/Prices')
  await page.getByRole('row', { name: /twice\.csv.*50 rows/ }).waitFor()
  await page.getByRole('button', { name: 'twice.csv', exact: true }).click()
  const details = page.getByRole('region', { name: 'File details' })
  await details.getByText('2 (latest)').waitFor()
  await expect.poll(() => details.getByRole('listitem').count()).toBe(2)
  const fid = (await details.locator('code').textContent())!
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await details.getByRole('button', { name: 'Copy file id' }).click()
  await page
    .getByLabel('Notifications')
    .getByText('File id copied to the clipboard.', { exact: true })
    .waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(fid)

  /** Parameters of the next file search with a query. The list also repeats its earlier search every 10 seconds. */
  async function searchDuring(query: string, action: () => Promise<unknown>) {
    const [request] = await Promise.all([
      page.waitForRequest((each) => {
        const { pathname, searchParams } = new URL(each.url())
        return pathname === '/file/search' && searchParams.get('query') === query
      }),
      action(),
    ])
    return Object.fromEntries(new URL(request.url()).searchParams)
  }
  const field = page.getByRole('searchbox', { name: 'Search files' })
  const row = page.getByRole('row', { name: /twice\.csv.*NCSV.*Prices/ })
  const byId = { withStatus: 'true', size: '100' }
  const open = () => page.goto(`${stage.server.url}/Lake?query=${fid}#files`)
  expect(await searchDuring(`uuid=${fid}`, open)).toMatchObject(byId)
  await row.waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  expect(await field.inputValue()).toBe(fid)
  expect(await page.getByRole('tab', { name: 'Files' }).getAttribute('aria-selected')).toBe('true')
  const typed = `type=NCSV&arrivalTime=${new Date().getUTCFullYear()}&groupName=Prices`
  await searchDuring(`${typed}&latest=true`, () => field.fill(typed))
  await row.waitFor()
  await searchDuring('*eside*&latest=true', () => field.fill('eside'))
  const byOtherId = await searchDuring(`uuid=${besideFid}`, () => field.fill(besideFid.toUpperCase()))
  expect(byOtherId).toMatchObject(byId)
  await page.getByRole('row', { name: /beside\.txt.*SOURCE.*Prices/ }).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)

  await searchDuring('*twice*&groupName=Prices&latest=true', () =>
    page.goto(`${stage.server.url}/Lake/Groups/Prices?query=twice`),
  )
  await page.getByRole('main').getByRole('heading', { name: 'Prices' }).waitFor()
  await page.getByRole('row', { name: /twice\.csv/ }).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  expect(await page.getByRole('searchbox', { name: 'Search files' }).inputValue()).toBe('twice')
})

test('DP-111 DP-112 DP-120 DP-121 DP-122 a file is downloaded from its Location in a new tab, and deleted after a confirmation', async () => {
  for (let version = 1; version <= 2; version++) await putFile(anna, 'Prices', 'plain.txt')
  const page = await openLake('/Lake/Groups/Prices')
  await chooseFiles(page, file('gone.csv', series('Gone')))
  await uploadMarked(page, 'AVOID_DUPLICATES')
  const gone = page.getByRole('row', { name: /gone\.csv/ })
  await gone.getByRole('checkbox').check()
  const opened: [string, string][] = []
  await page.exposeFunction('noteOpened', (url: string, target: string) => opened.push([url, target]))
  await page.evaluate(`window.open = (url, target) => { void noteOpened(url, target); return null }`)
  const [definition] = await Promise.all([
    page.waitForResponse((response) => /\/file\/[0-9a-f-]{36}$/.test(response.url())),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  await page.getByText('Download started.', { exact: true }).waitFor()
  const location = new URL(definition.headers()['location']!)
  expect(opened).toEqual([[location.pathname + location.search, '_blank']])
  const reply = await fetch(location)
  expect(reply.headers.get('Content-Disposition')).toContain('attachment; filename="gone.csv"')
  expect(await reply.text()).toBe(series('Gone'))

  const button = page.getByRole('button', { name: 'Delete', exact: true })
  const dialog = page.getByRole('dialog')
  await button.click()
  await dialog
    .getByText('gone.csv and the series values from this upload will be deleted.', {
      exact: true,
    })
    .waitFor()
  await dialog
    .getByText('You can restore it from the trash for 30 days. After that, the deletion is permanent.', {
      exact: true,
    })
    .waitFor()
  await dialog.getByText('Nothing uses the file or its series by name.').waitFor()
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await dialog.getByText('The trash can be opened in a window at least 768 pixels wide.').waitFor()
  await page.setViewportSize(size)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await gone.getByRole('checkbox').uncheck()
  const plain = page.getByRole('row', { name: /plain\.txt/ })
  await plain.getByRole('checkbox').check()
  await button.click()
  await dialog
    .getByText(
      'Version 2 of plain.txt will be deleted. The version before it, if there is one, becomes the newest.',
      { exact: true },
    )
    .waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Version 2 of plain.txt has been deleted.').waitFor()
  await plain.getByRole('checkbox', { checked: false }).check()
  await button.click()
  await dialog.getByText('plain.txt will be deleted.', { exact: true }).waitFor()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await page.getByText('File has been deleted.').waitFor()
  await plain.waitFor({ state: 'detached' })
  await gone.waitFor()

  for (let version = 1; version <= 3; version++) await putFile(anna, 'Prices', 'many.txt')
  // The list can have read the first version already.
  await page.reload()
  const many = page.getByRole('row', { name: /many\.txt/ })
  await many.getByRole('checkbox').check()
  await button.click()
  await dialog.getByRole('checkbox', { name: 'Delete all 3 versions' }).check()
  await dialog.getByText('All 3 versions of many.txt will be deleted.', { exact: true }).waitFor()
  // The list can lose the row while the dialog is still open.
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route('**/versions?**', async (route) => {
    await held
    await route.continue()
  })
  await dialog.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.locator('[role="row"]', { hasText: 'many.txt' }).waitFor({ state: 'detached' })
  release()
  await page.getByText('All 3 versions of many.txt have been deleted.', { exact: true }).waitFor()
  await many.waitFor({ state: 'detached' })
  await expect
    .poll(() => page.evaluate(() => document.activeElement?.closest('[role="row"]') !== null))
    .toBe(true)
})

test('DP-128 DP-129 the owner of a file transfers all own versions to another user after a confirmation; no other user can', async () => {
  const erna = await stage.server.createUser({ email: 'erna@example.com' })
  await anna.call(createGroup, { body: { name: 'Given away' } })
  await stage.server.grantGroup({ groupName: 'Given away', userName: erna.userName, access: 'R' })
  const first = await putFile(anna, 'Given away', 'given.txt')
  const second = await putFile(anna, 'Given away', 'given.txt')
  const page = await openLake('/Lake/Groups/Given away')
  const row = page.getByRole('row', { name: /given\.txt/ })
  const openMenu = () =>
    row.getByRole('button', { name: 'given.txt', exact: true }).click({ button: 'right' })
  await openMenu()
  await page.getByRole('menuitem', { name: 'Transfer ownership' }).click()
  const dialog = page.getByRole('dialog', { name: 'Transfer ownership' })
  const owner = dialog.getByLabel('New owner')
  await expect.poll(() => owner.evaluate((field) => field === document.activeElement)).toBe(true)
  await owner.fill('nobody@example.com')
  const confirmOf = (email: string) => page.getByRole('dialog', { name: `Transfer to ${email}?` })
  await page.keyboard.press('Enter')
  await confirmOf('nobody@example.com').getByRole('button', { name: 'Transfer', exact: true }).click()
  await dialog.getByText('There is no user “nobody@example.com”.').waitFor()
  expect(await owner.getAttribute('aria-invalid')).toBe('true')
  await owner.fill('erna')
  await page.getByRole('option', { name: 'erna@example.com' }).waitFor()
  // Enter takes the only suggestion for a part of an address, and continues with a complete one.
  await page.keyboard.press('Enter')
  await expect.poll(() => owner.inputValue()).toBe('erna@example.com')
  await page.keyboard.press('Enter')
  const confirmation = confirmOf('erna@example.com')
  await expect
    .poll(() => confirmation.getByRole('listitem').allTextContents())
    .toEqual([
      'The new owner gets all 2 versions of given.txt that you own.',
      '0.02 KB count towards the storage limit of the new owner, no longer towards yours.',
      'Only the new owner can transfer the file again. You cannot undo this action.',
      'Access does not change. You keep your access to the group Given away; the new owner must be able to read it already.',
    ])
  expect(await accessibilityProblems(page)).toEqual([])
  const request = page.waitForRequest((sent) => sent.url().endsWith('/file/ownership'))
  await confirmation.getByRole('button', { name: 'Transfer', exact: true }).click()
  expect((await request).postDataJSON()).toEqual({
    fileIds: [second, first],
    currentOwnerUser: 'anna@example.com',
    targetOwnerUser: 'erna@example.com',
    transferAll: false,
  })
  await page.getByText('erna@example.com owns given.txt now.').waitFor()
  await row.getByText('erna@example.com').waitFor()
  await openMenu()
  await page.getByRole('menuitem', { name: 'Details' }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Transfer ownership' }).count()).toBe(0)
  const query = { query: 'name=given.txt&groupName=Given away' }
  const { items } = await anna.call(searchFiles, { query })
  expect(items.map((version) => version.owner)).toEqual([erna.userName, erna.userName])
})

test('a transfer of ownership includes more than 1,000 versions, and can be retried if their list fails to load', async () => {
  const owner = await stage.server.createUser({ email: 'prolific@example.com' })
  const fid = await putFile(owner, 'prolific@example.com_home', 'versions.txt')
  const newest = await owner.call(getFile, { params: { fid } })
  const versions = Array.from({ length: 1500 }, (_, at) => ({
    ...newest,
    fid: at === 0 ? fid : randomUUID(),
    owner: at === 1400 ? 'anna@example.com' : owner.userName,
  }))
  const page = await openLake('/Lake/Groups/prolific@example.com_home', owner.userName)
  let fails = true
  await page.route('**/file/*/versions?*', (route) => {
    if (fails) return route.fulfill({ status: 503, json: { message: 'Not now', status: 503, code: 'busy' } })
    const { searchParams } = new URL(route.request().url())
    const [from, size] = ['from', 'size'].map((name) => Number(searchParams.get(name) ?? 0)) as [
      number,
      number,
    ]
    return route.fulfill({ json: { items: versions.slice(from, from + size), from, size, totalSize: 1500 } })
  })
  let sent: string[] = []
  await page.route('**/file/ownership', (route) => {
    sent = (route.request().postDataJSON() as { fileIds: string[] }).fileIds
    return route.fulfill({ json: { transferred: sent.length } })
  })
  await page.getByRole('button', { name: 'versions.txt', exact: true }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Transfer ownership' }).click()
  const dialog = page.getByRole('dialog', { name: 'Transfer ownership' })
  await dialog.getByText('The versions of the file could not be loaded').waitFor()
  expect(await dialog.getByRole('button', { name: 'Continue' }).isDisabled()).toBe(true)
  fails = false
  await dialog.getByRole('button', { name: 'Try again' }).click()
  await dialog.getByLabel('New owner').fill('anna@example.com')
  await expect.poll(() => dialog.getByRole('button', { name: 'Continue' }).isEnabled()).toBe(true)
  await page.keyboard.press('Enter')
  const confirmation = page.getByRole('dialog', { name: 'Transfer to anna@example.com?' })
  await confirmation
    .getByText('The new owner gets all 1,499 versions of versions.txt that you own.')
    .waitFor()
  await confirmation.getByRole('button', { name: 'Transfer', exact: true }).click()
  await page.getByText('anna@example.com owns versions.txt now.').waitFor()
  expect(new Set(sent).size).toBe(1499)
  stage.problemsOf(page).length = 0
})

test('SH-118 without write access to files and groups the Upload and New group buttons are hidden', async () => {
  await stage.server.createUser({ email: 'viewer@example.com', role: 'Viewer' })
  const page = await openLake('/Lake#Files', 'viewer@example.com')
  await page.getByRole('tab', { name: 'Files' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Upload', exact: true }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Groups' }).click()
  await page.getByRole('searchbox', { name: 'Search groups' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New group' }).count()).toBe(0)
})

test('DP-028 DP-070 DP-085 a user with read access to a group can neither upload to it nor edit or delete its files; changes to their own files need a confirmation', async () => {
  const anna = await stage.server.createUser({ email: 'owner@example.com' })
  const reader = await stage.server.createUser({ email: 'reader@example.com' })
  const { groupId } = await anna.call(createGroup, { body: { name: 'To read' } })
  await stage.server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, access) select $1, id, 'R' from users where user_name = $2`,
    [groupId, reader.userName],
  )
  const fid = await putFile(anna, 'To read', 'theirs.txt')
  await putFile(reader, `${reader.userName}_home`, 'mine.txt')
  await expect(reader.call(deleteFile, { params: { fid } })).rejects.toMatchObject({ status: 403 })
  const body = { fields: [{ name: 'Desk', value: 'oil' }] }
  await expect(reader.call(updateFile, { params: { fid }, body })).rejects.toMatchObject({ status: 403 })
  const version = { groupName: 'To read', fileName: 'theirs.txt' }
  await expect(reader.call(createFile, { body: version })).rejects.toMatchObject({ status: 403 })

  const page = await openLake('/Lake/Groups/To%20read', reader.userName)
  const choose = (name: RegExp) => page.getByRole('row', { name }).getByRole('checkbox')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await choose(/theirs\.txt/).check()
  await button('theirs.txt').click()
  await page.getByRole('region', { name: 'File details' }).getByText('Metadata').waitFor()
  await expect.poll(() => button('Download').count()).toBe(2)
  await button('View').waitFor()
  for (const name of ['Upload', 'Delete', 'Edit', 'Edit metadata', 'Edit group', 'Delete group'])
    await expect.poll(() => button(name).count(), { message: name }).toBe(0)

  await page.goto(`${stage.server.url}/Lake#Files`)
  await choose(/mine\.txt/).check()
  await button('Delete').waitFor()
  await choose(/theirs\.txt/).check()
  await button('Delete').waitFor({ state: 'detached' })
  await choose(/theirs\.txt/).uncheck()
  await button('Delete').waitFor()
  await button('mine.txt').click()
  await button('Edit').waitFor()
  const awaitFocus = (control: Locator) =>
    expect.poll(() => control.evaluate((element) => element === document.activeElement)).toBe(true)
  const fieldName = (at: number) => page.getByLabel(`Name ${at}`, { exact: true })
  await button('Edit metadata').press('Enter')
  await awaitFocus(fieldName(1))
  await page.keyboard.press('Escape')
  await awaitFocus(button('Edit metadata'))
  await page.keyboard.press('Enter')
  await button('Add').press('Enter')
  await awaitFocus(fieldName(2))
  await button('Cancel').press('Enter')
  await awaitFocus(button('Edit metadata'))
  await page.keyboard.press('Enter')
  await awaitFocus(fieldName(1))
  await page.keyboard.type('Desk')
  await page.getByLabel('Value 1', { exact: true }).fill('oil')
  const [saved] = await Promise.all([
    page.waitForRequest((request) => request.method() === updateFile.method),
    button('Save').click(),
  ])
  expect(saved.postDataJSON()).toEqual({ ...body, basedOn: 1 })
  const savedMessage = page.getByText('Your changes have been saved', { exact: true })
  await savedMessage.waitFor()
  await awaitFocus(button('Edit metadata'))

  // Another session changes two fields in the meantime.
  const mine = { params: { fid: saved.url().split('/').at(-1)! } }
  const values = (entries: object) => Object.entries(entries).map(([name, value]) => ({ name, value }))
  await button('Edit metadata').click()
  await page.getByLabel('Value 1', { exact: true }).fill('gas')
  await reader.call(updateFile, { ...mine, body: { fields: values({ Desk: 'coal', Region: 'North' }) } })
  await button('Save').click()
  const conflict = page.getByRole('dialog', { name: 'A newer version exists' })
  await conflict
    .getByText(
      'Version 3 of the metadata was saved while you edited, by another user or by you in another tab.',
    )
    .waitFor()
  expect(await conflict.getByRole('list', { name: 'Differences' }).innerText()).toMatch(
    /^Desk\s+Version 3\s+coal\s+Yours\s+gas$/,
  )
  expect((await reader.call(getFile, mine)).fields).toEqual({ Desk: 'coal', Region: 'North' })
  await conflict.getByRole('button', { name: 'Save mine as latest' }).click()
  await page.getByLabel('Value 1', { exact: true }).waitFor({ state: 'detached' })
  expect((await reader.call(getFile, mine)).fields).toEqual({ Desk: 'gas', Region: 'North' })

  await button('Edit metadata').click()
  await page.getByLabel('Value 1', { exact: true }).fill('lead')
  await reader.call(updateFile, { ...mine, body: { fields: values({ Desk: 'zinc' }) } })
  await button('Save').click()
  await conflict.getByRole('button', { name: 'Discard my changes' }).press('Enter')
  await page.getByRole('button', { name: 'Discard changes', exact: true }).press('Enter')
  await awaitFocus(button('Edit metadata'))
  await page.keyboard.press('Enter')
  await button('Remove metadata 2').press('Enter')
  await awaitFocus(button('Add'))
})

test('DP-148 DP-151 IN-404 after several files are uploaded the list refreshes again 3 s later', async () => {
  const page = await openLake('/Lake/Groups/Prices', 'anna@example.com', {}, { clock: true })
  await chooseFiles(page, file('one.txt', 'one'), file('two.txt', 'two'))
  await page.getByRole('dialog').getByText('two.txt', { exact: true }).waitFor()
  expect(await page.getByRole('dialog').getByLabel('Type of one.txt').inputValue()).toBe('SOURCE')
  await stopClock(page)
  let searches = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/file/search') searches += 1
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Upload 2 files' }).click()
  await page.getByText('Files have been uploaded.', { exact: true }).waitFor()
  await expect.poll(() => searches).toBe(1)
  await page.clock.runFor(2999)
  expect(searches).toBe(1)
  await page.clock.runFor(1)
  await expect.poll(() => searches).toBe(2)
})

test('DP-149 validation errors of an upload are shown on their fields and in an error toast', async () => {
  const anna = await stage.server.createUser({ email: 'fields@example.com' })
  const fields = [{ name: 'Lots', type: 'int' as const }]
  await anna.call(createGroup, { body: { name: 'Typed', fields } })
  const page = await openLake('/Lake/Groups/Typed', anna.userName)
  await chooseFiles(page, file('lots.txt', 'x'))
  const dialog = page.getByRole('dialog')
  await expect.poll(() => dialog.getByLabel('Name 1').inputValue()).toBe('Lots')
  expect(await dialog.getByLabel('Name 1').isDisabled()).toBe(true)
  await dialog.getByLabel('Value 1').fill('many')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  const group = dialog.getByRole('combobox', { name: 'Group' })
  const problem = '“many” is not a valid int for the metadata field “Lots”.'
  const metadata = dialog.getByRole('group', { name: 'Metadata' })
  await metadata.getByText(problem).waitFor()
  await page.getByRole('region', { name: 'Notifications' }).getByRole('alert').getByText(problem).waitFor()
  await dialog.getByLabel('Value 1').fill('7')
  await metadata.getByText(problem).waitFor({ state: 'detached' })

  const messages = {
    groupName: 'Wrong group.',
    fileName: 'Wrong name.',
    fileType: 'Wrong type.',
    'fields[0].value': 'Wrong value.',
    'fields[1].name': 'Wrong metadata name.',
  }
  const validationErrors = Object.entries(messages).map(([field, message]) => ({ field, message }))
  await page.route(/\/file$/, (route) =>
    route.fulfill({ status: 400, json: { code: 'invalidInput', message: 'Refused.', validationErrors } }),
  )
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  const uploaded = dialog.getByRole('listitem').filter({ hasText: 'lots.txt' })
  for (const [area, texts] of [
    [metadata, [messages['fields[0].value'], messages['fields[1].name']]],
    [uploaded, [messages.fileName, messages.fileType]],
    [dialog, [messages.groupName]],
  ] as const)
    for (const text of texts) await area.getByText(text, { exact: true }).waitFor()
  await page.getByRole('region', { name: 'Notifications' }).getByText('Refused.', { exact: true }).waitFor()
  for (const field of [group, dialog.getByLabel('Type of lots.txt')])
    expect(await field.getAttribute('aria-invalid')).toBe('true')
  await page.unroute(/\/file$/)
  await anna.call(deleteGroup, { params: { name: 'Typed' } })
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  const gone = dialog.getByText('There is no group “Typed” that you can read.')
  await expect.poll(() => gone.count(), { message: 'at the file and at the field' }).toBe(2)
  for (const text of Object.values(messages)) expect(await dialog.getByText(text).count(), text).toBe(0)
  expect(await group.getAttribute('aria-invalid')).toBe('true')
})

test('DP-136 DP-150 the message of a failed upload appears as an error toast, whichever request fails', async () => {
  const page = await openLake('/Lake/Groups/Prices')
  await chooseFiles(page, file('failing.csv', series('Failing')))
  const dialog = page.getByRole('dialog')
  const toasts = page.getByRole('region', { name: 'Notifications' }).getByRole('alert')
  const failures = [
    ['POST', 'The announcement failed.', 'PARTIAL_UPDATE'],
    ['PUT', 'The content could not be stored.', 'AVOID_DUPLICATES'],
  ] as const
  for (const [method, message, marker] of failures) {
    await page.route(/\/file/, (route) =>
      route.request().method() === method
        ? route.fulfill({ status: 507, json: { code: 'full', message } })
        : route.fallback(),
    )
    await uploadMarked(page, marker)
    await toasts.getByText(message, { exact: true }).waitFor()
    await page.unroute(/\/file/)
  }
  await dialog.getByRole('button', { name: 'Close', exact: true }).first().click()
  await chooseFiles(page, file('rejected.csv', 'Commodity,Date,Price\nBrent,2026-02-31,2\n'))
  await uploadMarked(page, 'SKIP_METADATA')
  await toasts.getByText(/2026-02-31/).waitFor()
})

test('a table that is not a series file is rejected, and can be stored as SOURCE', async () => {
  const page = await openLake('/Lake/Groups/Prices')
  await chooseFiles(page, file('people.csv', 'Name,Date,Remark\nAnna,2026-01-01,hello\n'))
  const dialog = page.getByRole('dialog')
  await dialog.getByText('To store the file as it is, choose the type for plain files (SOURCE).').waitFor()
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await dialog.getByRole('alert').filter({ hasText: 'column 3 (Remark)' }).waitFor()
  await dialog.getByRole('button', { name: 'Store it as a plain file' }).click()
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('File has been uploaded.').waitFor()
  await page.getByRole('row', { name: /people\.csv.*SOURCE/ }).waitFor()
  expect(await page.getByRole('alert').filter({ hasText: 'column 3 (Remark)' }).count()).toBe(0)
})

test('DP-071 DP-072 an upload starts with the default group; an analyst can choose four file types, an administrator two more', async () => {
  const everybody = ['SOURCE', 'NCSV', 'D-NCSV', 'MARKDOWN']
  for (const [user, types] of [
    ['anna@example.com', everybody],
    ['admin@example.com', [...everybody, 'CONFIG', 'COMMAND_JSON']],
  ] as const) {
    const page = await openLake('/Lake#Files', user)
    await chooseFiles(page, file('a.txt', 'x'))
    const group = page.getByRole('dialog').getByRole('combobox', { name: 'Group' })
    await expect.poll(() => group.inputValue()).toBe(`${user}_home`)
    await page.getByRole('dialog').getByLabel('Type of a.txt').click()
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(types)
  }
})

test('DP-096 IN-393 a file is announced as zipped according to its extension', async () => {
  const page = await openLake('/Lake/Groups/Prices')
  await chooseFiles(page, file('a.zip', 'x'))
  const announced = page.waitForRequest((request) => request.url().endsWith('/file'))
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
  expect((await announced).postDataJSON()).toMatchObject({ fileName: 'a.zip', zipped: true })
  await page.getByText('File has been uploaded.', { exact: true }).waitFor()
})

test('DP-103 the data lake layout lists the latest version of each file, or every version', async () => {
  const anna = await stage.server.createUser({ email: 'layout@example.com' })
  for (const _version of [1, 2]) await putFile(anna, 'layout@example.com_home', 'again.txt')
  const page = await openLake('/Lake/Groups/layout@example.com_home', anna.userName)
  const rows = page.getByRole('row', { name: /again\.txt/ })
  await expect.poll(() => rows.count()).toBe(1)
  const layout = async () => (await anna.call(getSettings, {})).settings.datalakeLayout
  expect(await layout()).toBe('LATEST')
  await page.getByRole('button', { name: 'Show all versions' }).click()
  await expect.poll(() => rows.count()).toBe(2)
  await expect.poll(layout).toBe('VERSIONS')
  await page.reload()
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('button', { name: 'Show latest versions only' }).click()
  await expect.poll(() => rows.count()).toBe(1)
  await expect.poll(layout).toBe('LATEST')
})

test('DP-110 several downloads open one by one, one second apart, or as one archive', async () => {
  const anna = await stage.server.createUser({ email: 'downloads@example.com' })
  for (const name of ['1.txt', '2.txt', '3.txt']) await putFile(anna, 'downloads@example.com_home', name)
  const page = await openLake('/Lake/Groups/downloads@example.com_home', anna.userName, {}, { clock: true })
  const opened: string[] = []
  await page.exposeFunction('noteOpened', (url: string) => opened.push(url))
  await page.evaluate('window.open = (url) => { void noteOpened(url); return null }')
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor()
  await stopClock(page)
  let requested = 0
  page.on('request', (request) => {
    if (/\/file\/[0-9a-f-]{36}$/.test(request.url())) requested += 1
  })
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  for (const already of [1, 2]) {
    await expect.poll(() => opened.length).toBe(already)
    await page.clock.runFor(999)
    await page.evaluate('0')
    expect([requested, opened.length]).toEqual([already, already])
    await page.clock.runFor(1)
  }
  await expect.poll(() => opened.length).toBe(3)
  expect(new Set(opened).size).toBe(3)

  await page.getByRole('button', { name: 'Download as ZIP', exact: true }).click()
  await expect.poll(() => opened.length).toBe(4)
  const archive = await fetch(new URL(opened[3]!, stage.server.url))
  expect(archive.headers.get('Content-Type')).toBe('application/zip')
  const paths = Buffer.from(await archive.arrayBuffer()).toString('latin1')
  for (const name of ['1.txt', '2.txt', '3.txt']) expect(paths).toContain(name)
})

test.each(['Download', 'Download as ZIP'])(
  '%s of a file that was deleted in the meantime names the file, and the list is read again',
  async (button) => {
    const email = `${button.replaceAll(' ', '').toLowerCase()}@example.com`
    const owner = await stage.server.createUser({ email })
    await putFile(owner, `${email}_home`, 'stays.txt')
    const fid = await putFile(owner, `${email}_home`, 'gone.txt')
    const page = await openLake(`/Lake/Groups/${email}_home`, email, {}, { clock: true })
    await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
    await page.getByRole('button', { name: button, exact: true }).waitFor()
    await stopClock(page)
    await owner.call(deleteFile, { params: { fid } })
    let searches = 0
    page.on('request', (request) => {
      if (new URL(request.url()).pathname === '/file/search') searches += 1
    })
    await page.getByRole('button', { name: button, exact: true }).click()
    const toast = page.getByRole('alert').filter({ hasText: 'gone.txt' })
    await toast.waitFor()
    expect(await toast.innerText()).toContain(
      '“gone.txt” was not downloaded. It was deleted, or you no longer have access to it.',
    )
    await expect.poll(() => searches).toBe(1)
    // Timers render the response, and it can arrive at any time.
    const gone = page.getByRole('button', { name: 'gone.txt', exact: true })
    await pollClock(page, 20, () => gone.count()).toBe(0)
    await page.getByRole('button', { name: 'stays.txt', exact: true }).waitFor()
    stage.problemsOf(page).length = 0
  },
)

test('a group page whose user loses the access states this, and offers no action of the group', async () => {
  const owner = await stage.server.createUser({ email: 'revoker@example.com' })
  const guest = await stage.server.createUser({ email: 'guest@example.com' })
  await owner.call(createGroup, { body: { name: 'Lent' } })
  await putFile(owner, 'Lent', 'lent.txt')
  await stage.server.grantGroup({ groupName: 'Lent', userName: guest.userName, access: 'RWS' })
  const page = await openLake('/Lake/Groups/Lent', guest.userName, {}, { clock: true })
  await page.getByRole('button', { name: 'lent.txt', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Share', exact: true }).waitFor()
  await owner.call(unshareGroup, { body: { groupName: 'Lent', emails: ['guest@example.com'] } })
  await page.clock.runFor(11_000)
  await page.getByText('You no longer have access to this group').waitFor()
  await page
    .getByText(
      'The group was deleted, or it is no longer shared with you. Ask revoker@example.com for access.',
    )
    .waitFor()
  for (const name of ['Upload', 'Share', 'New file', 'Edit group'])
    expect(await page.getByRole('button', { name, exact: true }).count()).toBe(0)
  expect(await page.getByText('This group has no files yet').count()).toBe(0)
  await page.getByRole('link', { name: 'All groups' }).click()
  await page.waitForURL('**/Lake#Groups')
  stage.problemsOf(page).length = 0
})

test('on a phone, files offer no links to pages that exist only in wider windows', async () => {
  const owner = await stage.server.createUser({ email: 'pocket@example.com' })
  const groupName = 'pocket@example.com_home'
  await upload(owner, { groupName, fileName: 'crude.ncsv', fileType: 'NCSV', content: series('crude') })
  const hasLinks = async (page: Page, inDetails: number, inPreview: number) => {
    await page.getByRole('button', { name: 'crude.ncsv', exact: true }).click()
    const details = page.getByRole('region', { name: 'File details' })
    await details.getByRole('button', { name: 'Preview', exact: true }).waitFor()
    await expect.poll(() => details.getByRole('link', { name: 'Show symbols' }).count()).toBe(inDetails)
    await details.getByRole('button', { name: 'Preview', exact: true }).click()
    const tool = page.getByRole('dialog', { name: 'crude.ncsv' })
    await tool.getByText('Symbols', { exact: true }).waitFor()
    await expect.poll(() => tool.getByRole('link').count()).toBe(inPreview)
  }
  const wide = await openLake(`/Lake/Groups/${groupName}`, owner.userName)
  await hasLinks(wide, 1, 2)
  const phone = await openLake(`/Lake/Groups/${groupName}`, owner.userName, {
    viewport: { width: 390, height: 844 },
  })
  await phone.getByRole('button', { name: 'More actions' }).click()
  await phone.getByRole('menuitem', { name: 'Share', exact: true }).waitFor()
  expect(await phone.getByRole('menuitem', { name: 'Show symbols' }).count()).toBe(0)
  await phone.keyboard.press('Escape')
  await hasLinks(phone, 0, 0)
})

test('DP-113 IN-356 SH-029 a download without a Location header shows an error and is logged at the level error', async () => {
  const anna = await stage.server.createUser({ email: 'lost@example.com' })
  const fid = await putFile(anna, 'lost@example.com_home', 'lost.txt')
  const page = await openLake('/Lake/Groups/lost@example.com_home', anna.userName)
  await page
    .getByRole('row', { name: /lost\.txt/ })
    .getByRole('checkbox')
    .check()
  await page.route(`**/file/${fid}`, async (route) => {
    const response = await route.fetch()
    const { location: _location, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  const [sent] = await Promise.all([
    page.waitForRequest('**/log/error'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  await page.getByRole('alert').getByText('Internal server error', { exact: true }).waitFor()
  expect(sent.postDataJSON()).toMatchObject({ userName: anna.userName, level: 'error' })
  expect((sent.postDataJSON() as { message: string }).message).toContain('no Location header')
})

test('DP-036 DP-046 DP-063 DP-119 SH-211 SH-213 SH-214 SH-224 SH-228 SH-229 the global search shows 5 results per block, with links to each result and to all', async () => {
  const { admin } = stage.server
  await admin.call(createGroup, { body: { name: 'Harvest' } })
  for (let n = 2; n <= 6; n += 1) {
    await admin.call(createGroup, { body: { name: `Harvest ${n}` } })
    await putFile(admin, 'Harvest', `harvest ${n}.txt`)
  }
  const fid = await putFile(admin, 'Harvest', 'harvest 2026.txt')
  const page = await openLake('/Lake', admin.userName)
  await page.getByRole('row').nth(1).waitFor()
  const panel = page.getByRole('dialog', { name: 'Search all' })
  const searches = new Map<string, URLSearchParams>()
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (searchParams.get('query')?.includes('arvest')) searches.set(pathname, searchParams)
  })
  const search = async (text: string) => {
    await page.keyboard.press('Control+k')
    await panel.getByRole('searchbox').fill(text)
  }
  const block = (name: string) => panel.getByRole('region', { name, exact: true })
  await search('arvest')
  await expect.poll(() => block('Files').locator('[data-hit]').count()).toBe(5)
  await expect.poll(() => block('Groups').locator('[data-hit]').count()).toBe(5)
  const allHrefs = () =>
    panel
      .getByRole('region')
      .evaluateAll((regions) =>
        Object.fromEntries(
          regions.map((region) => [
            region.getAttribute('aria-label'),
            [...region.querySelectorAll('a')]
              .find((link) => link.textContent === 'See all results')
              ?.getAttribute('href'),
          ]),
        ),
      )
  const lists = {
    Files: '/Lake?query=arvest#Files',
    Groups: '/Lake?query=arvest#Groups',
    Symbols: '/Storage/Symbols?query=arvest',
    'Data preps': '/Storage?query=arvest#DataPreps',
    Pipelines: '/Science/List?query=arvest#Pipelines',
    Tasks: '/Science/List?query=arvest#Tasks',
    Insight: '/Insight?query=arvest',
  }
  await expect.poll(allHrefs).toEqual(lists)
  await expect.poll(() => searches.size).toBe(7)
  expect([...searches.values()].map((parameters) => parameters.get('size'))).toEqual(Array(7).fill('5'))
  expect(searches.get('/file/search')?.get('query')).toMatch(/^\*arvest\*(&|$)/)
  const groupSearch = Object.fromEntries(searches.get('/file/group')!)
  expect(groupSearch).toMatchObject({ sortBy: 'name', sortOrder: 'asc' })
  for (const path of ['/file/group', '/mgmt/pipeline', '/mgmt/task', '/insights', '/ts/symbol/search'])
    expect.soft(searches.get(path)?.get('query'), path).toBe('*arvest*')
  expect(searches.get('/dataprep')?.get('query')).toBe('name=*arvest*')

  const hit = block('Files').getByRole('link', { name: 'harvest 2026.txt' })
  expect(await hit.getAttribute('href')).toBe(`/Lake?query=${fid}#files`)
  expect(await hit.textContent()).toBe('harvest 2026.txtHarvest')
  await hit.click()
  const details = page.getByRole('region', { name: 'File details' })
  await details.getByRole('heading', { name: 'harvest 2026.txt' }).waitFor()
  await details.getByRole('button', { name: 'Close details' }).click()
  await details.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /harvest 2026/ }).waitFor()

  await search('Harvest')
  const group = block('Groups').getByRole('link', { name: 'Harvest', exact: true })
  expect(await group.getAttribute('href')).toBe('/Lake/groups/Harvest')
  await group.click()
  await page.getByRole('main').getByRole('heading', { name: 'Harvest', exact: true }).waitFor()

  for (const [at, [name, list]] of Object.entries(lists).entries()) {
    // The texts alternate, so that the search field can distinguish the new list from the previous one.
    const text = at % 2 === 0 ? 'harvest' : 'arvest'
    const href = list.replace('arvest', text)
    await search(text)
    await block(name).getByRole('link', { name: 'See all results' }).click()
    await expect.poll(() => page.url()).toBe(stage.server.url + href)
    const fields = page.getByRole('main').getByRole('searchbox')
    const texts = () => fields.evaluateAll((all) => all.map((field) => (field as HTMLInputElement).value))
    await expect.poll(texts).toContain(text)
    const hash = href.split('#')[1]
    const selected = page.getByRole('tab', { selected: true })
    if (hash !== undefined && name !== 'Data preps')
      await expect.poll(() => selected.first().textContent()).toBe(name)
  }

  const byId = page.waitForRequest((each) => {
    const { pathname, searchParams } = new URL(each.url())
    return pathname === '/file/search' && searchParams.get('query') === `uuid=${fid}`
  })
  await search(fid)
  await byId
})

test('DP-016 DP-046 DP-054 DP-055 SH-042 the group list and the group dropdown load page after page', async () => {
  const owner = await stage.server.createUser({ email: 'many@example.com' })
  await stage.server.running.platform.database.pool.query(
    `insert into groups (name, description, fields, owner_id)
       select 'Many ' || to_char(number, 'FM000'), '', '[]', users.id
         from users, generate_series(1, 120) as number where user_name = $1`,
    [owner.userName],
  )
  const page = await stage.newPage()
  const requests: Record<string, string>[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/file/group') requests.push(Object.fromEntries(searchParams))
  })
  const requestFrom = (from: string, size: string) =>
    requests.find((request) => request['from'] === from && request['size'] === size)
  await openAs(page, stage.server.url, owner.userName, '/Lake#Groups')
  await page.getByRole('row', { name: /Many 001/ }).waitFor()
  expect(requestFrom('0', '100')).toMatchObject({ sortBy: 'name', sortOrder: 'asc' })
  const names = await page.getByRole('row').getByRole('link', { name: /^Many/ }).allTextContents()
  expect(names.slice(0, 5)).toEqual(['Many 001', 'Many 002', 'Many 003', 'Many 004', 'Many 005'])
  expect((await page.getByRole('row', { name: /Many 001/ }).boundingBox())!.height).toBe(36)
  const scrollTo = (fromEnd: number) =>
    page.getByRole('grid').evaluate((grid, px) => {
      grid.scrollTop = grid.scrollHeight - grid.clientHeight - px
    }, fromEnd)
  await scrollTo(840)
  await page
    .getByRole('row', { name: /Many 07\d/ })
    .first()
    .waitFor()
  expect(requestFrom('100', '100')).toBe(undefined)
  await scrollTo(799)
  await expect.poll(() => requestFrom('100', '100')).toMatchObject({ sortBy: 'name' })

  await page.goto(`${stage.server.url}/Lake/Groups/Many%20001`)
  await page.getByRole('button', { name: 'Upload', exact: true }).first().click()
  await page.getByRole('dialog').getByLabel('Group').first().click()
  await page.getByRole('option', { name: 'Many 001' }).waitFor()
  expect(requestFrom('0', '50')).toMatchObject({ writeOnly: 'true', sortBy: 'name', sortOrder: 'asc' })
  expect(requestFrom('50', '50')).toBe(undefined)
  /** Scrolls the choices to the given distance from their end, and waits until the page has rendered. */
  const scrollChoicesTo = (fromEnd: number) =>
    page.getByRole('option', { name: 'Many 001' }).evaluate(async (option, px) => {
      let list = option.parentElement!
      while (!/auto|scroll/.test(getComputedStyle(list).overflowY)) list = list.parentElement!
      list.scrollTop = list.scrollHeight - list.clientHeight - px
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
      return list.scrollTop
    }, fromEnd)
  // The list scrolls to its selected option once more after it has opened.
  await expect.poll(() => scrollChoicesTo(840)).toBeGreaterThan(0)
  expect(requestFrom('50', '50')).toBe(undefined)
  await expect
    .poll(async () => {
      await scrollChoicesTo(799)
      return requestFrom('50', '50')
    })
    .toBeDefined()
  await page.getByRole('option', { name: 'Many 099' }).waitFor({ state: 'attached' })
  expect(requestFrom('50', '50')).toMatchObject({ writeOnly: 'true' })
})

test('DP-051 DP-052 DP-053 IN-415 group tags are requested 50 at a time, every 15 s, and are stale after 10 s', async () => {
  const page = await openLake('/Lake#Groups', 'anna@example.com', {}, { clock: true })
  await page.getByRole('row', { name: /Prices/ }).waitFor()
  await stopClock(page)
  const requested: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/file/groupTags') requested.push(url)
  })
  let completed = 0
  page.on('requestfinished', (request) => {
    if (new URL(request.url()).pathname === '/file/groupTags') completed += 1
  })
  const form = page.getByRole('dialog')
  const open = async () => {
    await page.getByRole('button', { name: 'New group' }).click()
    await form.getByLabel('Tags').waitFor()
  }
  const close = async () => {
    await form.getByRole('button', { name: 'Cancel' }).click()
    await form.waitFor({ state: 'detached' })
  }
  await open()
  await expect.poll(() => requested.length).toBe(1)
  expect(requested[0]!.searchParams.get('size')).toBe('50')
  // The interval starts with the response.
  await expect.poll(() => completed).toBe(1)
  await page.clock.runFor(14_900)
  expect(requested.length).toBe(1)
  await page.clock.runFor(200)
  await expect.poll(() => requested.length).toBe(2)
  await expect.poll(() => completed).toBe(2)
  await page.clock.runFor(15_100)
  await expect.poll(() => completed).toBe(3)
  // A form that is closed earlier cancels the request.
  await page.clock.runFor(100)
  await close()
  await page.clock.runFor(9600)
  await open()
  // A request of the form would have been sent by now.
  await page.clock.runFor(100)
  expect(requested.length).toBe(3)
  await close()
  await page.clock.runFor(400)
  await open()
  await expect.poll(() => requested.length).toBe(4)
})

test('DP-035 DP-060 the data lake has the tabs Groups, Files and Data providers, each with its hash', async () => {
  const page = await openLake('/Lake')
  const isSelected = (tab: string) => page.getByRole('tab', { name: tab }).getAttribute('aria-selected')
  for (const [tab, hash, search] of [
    ['Files', '#Files', 'Search files'],
    ['Data providers', '#DataProviders', undefined],
    ['Groups', '#Groups', 'Search groups'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await expect.poll(() => new URL(page.url()).hash).toBe(hash)
    await expect.poll(() => isSelected(tab)).toBe('true')
    if (search !== undefined) await page.getByRole('searchbox', { name: search }).waitFor()
  }
  await page.getByRole('tab', { name: 'Groups' }).focus()
  for (const [key, tab] of [
    ['ArrowRight', 'Files'],
    ['ArrowRight', 'Data providers'],
    ['ArrowLeft', 'Files'],
    ['Home', 'Groups'],
  ] as const) {
    await page.keyboard.press(key)
    await page.locator('[role="tab"][aria-selected="true"]:focus', { hasText: tab }).waitFor()
  }
  for (const [tab, hash] of [
    ['Files', '#files'],
    ['Groups', '#groups'],
  ] as const) {
    await page.goto(`${stage.server.url}/Lake${hash}`)
    await expect.poll(() => isSelected(tab)).toBe('true')
  }
  await page.getByRole('row', { name: /Prices/ }).waitFor()
  await page.goto(`${stage.server.url}/Lake/Groups`)
  await page.getByRole('row', { name: /Prices/ }).waitFor()
  expect(new URL(page.url())).toMatchObject({ pathname: '/Lake', hash: '#Groups' })
})

test('DP-037 SH-118 without the entitlement to the data lake its entry and its pages are unavailable', async () => {
  await stage.server.running.platform.database.pool.query(
    `delete from role_entitlements using roles
      where roles.id = role_id and roles.name = 'Report author' and resource = 'Lake' and parent = ''`,
  )
  const user = await stage.server.createUser({ role: 'Report author' })
  const page = await openLake('/Lake', user.userName)
  await page.getByText('You do not have access to this page').waitFor()
  const sidebar = page.getByRole('navigation', { name: 'Main' })
  await sidebar.getByRole('link', { name: 'Storage' }).first().waitFor()
  expect(await sidebar.getByRole('link', { name: 'Data lake' }).count()).toBe(0)
  for (const path of ['/file/group', '/file/search']) expect((await user.fetch(path)).status).toBe(403)
})

test('DP-038 DP-064 without the entitlement to groups or files their tab, pages and calls are rejected', async () => {
  const roleWithout = async (part: 'Groups' | 'Files') => {
    const { pool } = stage.server.running.platform.database
    const role = `Analyst without ${part}`
    await pool.query('insert into roles (name) values ($1)', [role])
    await pool.query(
      `insert into role_entitlements (role_id, parent, resource, mode)
       select own.id, parent, resource, mode from roles as own, role_entitlements as given
       join roles as analyst on analyst.id = given.role_id and analyst.name = 'Analyst'
       where own.name = $1 and not (parent = 'Lake' and resource = $2)`,
      [role, part],
    )
    return role
  }
  const tabs = (page: Page) => page.getByRole('tab').allInnerTexts()
  const withoutGroups = await stage.server.createUser({ role: await roleWithout('Groups') })
  const page = await openLake('/Lake#Groups', withoutGroups.userName)
  await expect.poll(() => tabs(page)).toEqual(['Files', 'Data providers'])
  await page.goto(`${stage.server.url}/Lake/Groups/Prices`)
  await page.getByText('You do not have access to this page').waitFor()
  expect((await withoutGroups.fetch('/file/group')).status).toBe(403)

  const withoutFiles = await stage.server.createUser({ role: await roleWithout('Files') })
  const other = await openLake('/Lake#Files', withoutFiles.userName)
  await expect.poll(() => tabs(other)).toEqual(['Groups', 'Data providers'])
  await other.getByRole('searchbox', { name: 'Search groups' }).waitFor()
  expect(await other.getByRole('searchbox', { name: 'Search files' }).count()).toBe(0)
  expect((await withoutFiles.fetch('/file/search')).status).toBe(403)
})

test('SH-040 DP-115 a file without a name is listed as “No file name found”', async () => {
  const page = await stage.newPage()
  await page.route('**/file/search*', async (route) => {
    const response = await route.fetch()
    const reply = (await response.json()) as { items: { fileName: string }[] }
    for (const file of reply.items) file.fileName = ''
    await route.fulfill({ response, json: reply })
  })
  const anna = await stage.server.createUser({ email: 'nameless@example.com' })
  await putFile(anna, 'nameless@example.com_home', 'a.txt')
  await openAs(page, stage.server.url, 'nameless@example.com', '/Lake#Files')
  await page.getByRole('row').nth(1).getByText('No file name found', { exact: true }).waitFor()
})

test('SH-133 the pages of the lake and of insights open regardless of case; an unknown group is reported', async () => {
  await anna.call(createInsight, {
    body: { insightName: 'Board', groupName: 'Prices', content: emptyContent() },
  })
  const page = await openLake('/lake/groups/Prices')
  await page.getByRole('main').getByRole('heading', { name: 'Prices' }).waitFor()
  for (const path of ['/insight/Prices/Board', '/Insight/Prices/Board']) {
    await page.goto(`${stage.server.url}${path}`)
    await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Board').waitFor()
  }
  await page.goto(`${stage.server.url}/LAKE/Groups/Nothing%20here`)
  await page.getByText('There is no group “Nothing here” that you can read.').waitFor()
})

test.each([
  [1024, '/Lake#Files'],
  [1024, '/Lake#Groups'],
  [390, '/Lake/Groups/Prices'],
])('in a window of %i px columns shrink, so that no table of %s is cut off', async (width, path) => {
  const page = await openLake(path, 'anna@example.com', { viewport: { width, height: 800 } })
  await page.getByRole('row').nth(1).waitFor()
  const hiddenPx = () => page.getByRole('grid').evaluate((grid) => grid.scrollWidth - grid.clientWidth)
  await expect.poll(hiddenPx).toBe(0)
  await page.getByRole('columnheader', { name: 'Name' }).waitFor()
})

test.each(['/Lake#Groups', '/Lake#Files', '/Lake/Groups/Prices'])(
  'the accessibility checker finds no problems in the lake: %s',
  async (path) => {
    const page = await openLake(path)
    await page.getByRole('row').nth(1).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
  },
)

test('DP-242 DP-248 the usage inspector lists where a file is used, and the dialog that deletes the file names it', async () => {
  const builder = await stage.server.createUser({ email: 'builder@example.com', role: 'Pipeline builder' })
  await builder.call(createGroup, { body: { name: 'Used' } })
  const fid = await putFile(builder, 'Used', 'limits.txt')
  await putFile(builder, 'Used', 'unused.txt')
  const param = { name: 'Limits', valueType: 'FILE' as const, value: fid }
  const script = { name: 'Script', valueType: 'SCRIPT' as const, value: 'print(1)' }
  await builder.call(createTask, {
    body: { name: 'check', groupName: 'Used', definitionName: 'python-runner', params: [script, param] },
  })
  const task = { id: 'a', taskReadableName: 'Check limits', taskName: 'check', taskGroup: 'Used' }
  await builder.call(createPipeline, { body: { name: 'Nightly', groupName: 'Used', tasks: [task] } })

  const page = await openLake('/Lake/Groups/Used', builder.userName)
  const sent = page.waitForRequest((request) => request.url().includes('/usage?'))
  await page.getByRole('row', { name: /limits\.txt/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Usage' }).click()
  const query = new URL((await sent).url()).searchParams
  expect(['name', 'groupName', 'fileType'].map((name) => query.get(name))).toEqual([
    'limits.txt',
    'Used',
    'SOURCE',
  ])
  const tool = page.getByRole('dialog', { name: 'Usage of limits.txt' })
  const cells = async (name: string) =>
    tool
      .getByRole('row', { name: new RegExp(`^${name}`) })
      .getByRole('cell')
      .allTextContents()
  await tool.getByRole('table', { name: 'Usage' }).waitFor()
  expect(await cells('Nightly')).toEqual(['Nightly', 'Pipeline', '1', 'Used', 'Check limits (version 1)'])
  expect(await cells('check')).toEqual(['check', 'Task', '1', 'Used', ''])
  await tool.getByRole('link', { name: 'Nightly' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.keyboard.press('Escape')

  await page.getByRole('row', { name: /limits\.txt/ }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page
    .getByRole('dialog', { name: 'Delete file' })
    .getByText('1 pipeline and 1 task use it and will stop working: “Nightly” and “check”.')
    .waitFor()
  await page.keyboard.press('Escape')
  // The page of a pipeline exists only in wider windows.
  const phone = await openLake('/Lake/Groups/Used', builder.userName, {
    viewport: { width: 390, height: 844 },
  })
  await phone.getByRole('button', { name: 'limits.txt', exact: true }).click()
  await phone.getByRole('button', { name: 'Usage', exact: true }).click()
  const usage = phone.getByRole('table', { name: 'Usage' })
  await usage.getByText('Nightly', { exact: true }).waitFor()
  expect(await usage.getByRole('link', { name: 'Nightly' }).count()).toBe(0)
  expect(await usage.getByRole('link', { name: 'Used' }).count()).toBe(2)
  // A slow response arrives after any time limit: those of timers, and those of signals.
  await page.evaluate(() => {
    AbortSignal.timeout = (delayMs) => {
      const controller = new AbortController()
      setTimeout(() => controller.abort(new DOMException('Timed out', 'TimeoutError')), delayMs)
      return controller.signal
    }
  })
  await page.clock.install()
  let respond = () => {}
  const isSlow = new Promise<void>((resolve) => (respond = resolve))
  await page.route(/\/usage\?/, async (route) => {
    await isSlow
    await route.continue()
  })
  await page.getByRole('row', { name: /unused\.txt/ }).click({ button: 'right' })
  const requested = page.waitForRequest(/\/usage\?/)
  await page.getByRole('menuitem', { name: 'Usage' }).click()
  await requested
  await page.clock.fastForward('01:00:00')
  respond()
  await page.getByRole('dialog', { name: 'Usage of unused.txt' }).getByText('Not used anywhere').waitFor()
})
