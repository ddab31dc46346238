import { Buffer } from 'node:buffer'
import type { Browser, BrowserContextOptions, Page } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { createFile } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { type TestServer, startTestServer } from '@headwater/server/testing'
import { accessibilityProblems, openAs, openBrowser, openPage } from './open-browser.ts'

let server: TestServer
let browser: Browser
const problems: string[][] = []

beforeAll(async () => {
  server = await startTestServer()
  browser = await openBrowser()
  const anna = await server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Prices', description: 'Spot prices' } })
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
  expect(problems.splice(0).flat()).toEqual([])
})

async function openLake(
  path: string,
  user = 'anna@example.com',
  options: BrowserContextOptions = {},
): Promise<Page> {
  const opened = await openPage(browser, options)
  problems.push(opened.problems)
  await openAs(opened.page, server.url, user, path)
  return opened.page
}

function file(name: string, text: string) {
  return { name, mimeType: 'text/csv', buffer: Buffer.from(text) }
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

test('DP-034 DP-035 DP-056 DP-057 a group is created, found, edited and deleted', async () => {
  const page = await openLake('/Lake#Groups')
  await page.getByRole('button', { name: 'New group' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name', { exact: false }).first().fill('Prices')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByRole('alert').filter({ hasText: 'exists already' }).first().waitFor()
  await dialog.getByLabel('Name', { exact: false }).first().fill('  Short lived ')
  await dialog.getByText('exists already').waitFor({ state: 'detached' })
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('heading', { name: 'Short lived' }).first().waitFor()
  expect(new URL(page.url()).pathname).toBe('/Lake/Groups/Short%20lived')

  await page.getByRole('button', { name: 'Edit group' }).click()
  await page.getByRole('dialog').getByLabel('Description').fill('Not for long')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your changes have been saved').waitFor()
  await page.reload()
  await page.getByText('Not for long').waitFor()

  await page.getByRole('button', { name: 'Delete group' }).click()
  await page.getByText("Short lived will be deleted immediately. You can't undo this action.").waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Group Short lived has been deleted.').waitFor()
  await page.getByRole('row', { name: /Prices/ }).waitFor()
  expect(await page.getByRole('row', { name: /Short lived/ }).count()).toBe(0)
})

test('DP-105 DP-106 DP-142 DP-147 IN-393 IN-394 a series file is announced, sent and shown with its rows', async () => {
  const page = await openLake('/Lake/Groups/Prices')
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/file') && request.method() !== 'GET')
      calls.push(`${request.method()} ${pathname.replace(/[0-9a-f-]{36}/, ':fid')}`)
  })
  await chooseFiles(page, file('brent.csv', series('Brent')))
  const dialog = page.getByRole('dialog')
  expect(await dialog.getByLabel('Type of brent.csv').inputValue()).toBe('NCSV')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('File has been uploaded.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /brent\.csv.*NCSV.*Ingested 40 rows/ }).waitFor()
  expect(calls).toEqual(['POST /file', 'PUT /file/:fid/content'])
})

test('several files travel at once; a wrong one says row and column and keeps the dialog open', async () => {
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
  expect(await dialog.getByRole('alert').textContent()).toMatch(/(row|line) 3, column 2 \(Date\)/i)
  await page.getByText('2 of 3 files have been uploaded.').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).first().click()
  await page.getByRole('row', { name: /wti\.csv/ }).waitFor()
  await page.getByRole('row', { name: /notes\.txt/ }).waitFor()
  expect(await page.getByRole('row', { name: /broken\.csv/ }).count()).toBe(0)
})

test('DP-059 DP-060 DP-117 a file is found by its id in the URL, and its versions are listed', async () => {
  const page = await openLake('/Lake/Groups/Prices')
  await chooseFiles(page, file('twice.csv', series('Twice')))
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('File has been uploaded.').waitFor()
  await chooseFiles(page, file('twice.csv', series('Twice', 50)))
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('row', { name: /twice\.csv.*50 rows/ }).waitFor()
  await page.getByRole('button', { name: 'twice.csv' }).click()
  const details = page.getByRole('region', { name: 'File details' })
  await details.getByText('2, the latest').waitFor()
  await expect.poll(() => details.getByRole('listitem').count()).toBe(2)
  const fid = await details.locator('code').textContent()
  await page.goto(`${server.url}/Lake?query=${fid}#Files`)
  await page.getByRole('row', { name: /twice\.csv/ }).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
})

test('DP-111 DP-112 DP-120 DP-121 DP-122 a file is downloaded and deleted with its data', async () => {
  const page = await openLake('/Lake/Groups/Prices')
  await chooseFiles(page, file('gone.csv', series('Gone')))
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('row', { name: /gone\.csv/ }).waitFor()
  await page
    .getByRole('row', { name: /gone\.csv/ })
    .getByRole('checkbox')
    .check()
  const openedUrls: string[] = []
  await page.exposeFunction('noteOpened', (url: string) => openedUrls.push(url))
  await page.evaluate(`window.open = (url) => { void noteOpened(url); return null }`)
  await page.getByRole('button', { name: 'Download' }).click()
  await page.getByText('Download started.').waitFor()
  const answer = await fetch(new URL(openedUrls[0]!, server.url))
  expect(answer.headers.get('Content-Disposition')).toContain('attachment; filename="gone.csv"')
  expect(await answer.text()).toBe(series('Gone'))
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('the data that came with it is deleted as well').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('File has been deleted.').waitFor()
  await page.getByRole('row', { name: /gone\.csv/ }).waitFor({ state: 'detached' })
})

test('DP-085 a reader of a group sees no upload and no delete', async () => {
  await server.createUser({ email: 'viewer@example.com', role: 'Viewer' })
  const page = await openLake('/Lake#Files', 'viewer@example.com')
  await page.getByRole('tab', { name: 'Files' }).waitFor()
  expect(await page.getByRole('button', { name: 'Upload' }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Groups' }).click()
  await page.getByRole('searchbox', { name: 'Search groups' }).waitFor()
  expect(await page.getByRole('button', { name: 'New group' }).count()).toBe(0)
})

test('SH-123 DP-037 the lake has the views Groups, Files and Data providers, each at its hash', async () => {
  const page = await openLake('/Lake')
  for (const [tab, hash] of [
    ['Files', '#Files'],
    ['Data providers', '#DataProviders'],
    ['Groups', '#Groups'],
  ] as const) {
    await page.getByRole('tab', { name: tab }).click()
    await expect.poll(() => new URL(page.url()).hash).toBe(hash)
    await expect.poll(() => page.getByRole('tab', { name: tab }).getAttribute('aria-selected')).toBe('true')
  }
})

test('SH-040 DP-115 a file without a name is told as one', async () => {
  const { page, problems: found } = await openPage(browser)
  problems.push(found)
  await page.route('**/file/search*', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { items: { fileName: string }[] }
    for (const file of answer.items) file.fileName = ''
    await route.fulfill({ response, json: answer })
  })
  const anna = await server.createUser({ email: 'nameless@example.com' })
  const body = { groupName: 'nameless@example.com_home', fileName: 'a.txt', fileType: 'SOURCE', fields: [] }
  const { location } = await anna.call(createFile, { body })
  await fetch(location, { method: 'PUT', body: 'x' })
  await openAs(page, server.url, 'nameless@example.com', '/Lake#Files')
  await page.getByText('No file name found').waitFor()
})

test('SH-133 the lake opens in any letter case, and an unknown group says so', async () => {
  const page = await openLake('/lake/groups/Prices')
  await page.getByRole('heading', { name: 'Prices' }).waitFor()
  await page.goto(`${server.url}/LAKE/Groups/Nothing%20here`)
  await page.getByText('There is no group “Nothing here” that you can read.').waitFor()
})

test.each([
  ['light', '/Lake#Groups'],
  ['dark', '/Lake#Files'],
  ['light', '/Lake/Groups/Prices'],
])('the accessibility checker finds nothing in the lake: %s %s', async (scheme, path) => {
  const page = await openLake(path, 'anna@example.com', { colorScheme: scheme as 'light' | 'dark' })
  await page.getByRole('row').nth(1).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})
