import { Buffer } from 'node:buffer'
import type { BrowserContextOptions, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { deleteFile } from '@headwater/files/contract'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems, openAs, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Prices', description: 'Spot prices' } })
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

/** Puts a small file into a group, as another program would; answers with its id. */
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
  await page.getByText('There are no files and no series in it.').waitFor()
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 404) refused.push(response.url())
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Group Short lived has been deleted.').waitFor()
  await page.getByRole('row', { name: /Prices/ }).waitFor()
  await expect.poll(() => page.getByRole('row', { name: /Short lived/ }).count()).toBe(0)
  expect(refused).toEqual([])
})

test('before a group is deleted one reads how many files and series go with it; a double click is one step back', async () => {
  const owner = await stage.server.createUser({ email: 'dora@example.com' })
  await owner.call(createGroup, { body: { name: 'Counted' } })
  for (const fileName of ['a.csv', 'a.csv', 'b.csv'])
    await upload(owner, {
      groupName: 'Counted',
      fileName,
      fileType: 'NCSV',
      content: series('Oil') + '\nGas,2026-01-01,1\n',
    })
  const page = await openLake('/Lake#Groups', 'dora@example.com')
  await page.getByRole('link', { name: 'Counted' }).dblclick()
  await page.getByRole('button', { name: 'Delete group' }).click()
  await page.getByText('2 files and 2 series go with it.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.goBack()
  await page.getByRole('button', { name: 'New group' }).waitFor()
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
  await expect.poll(() => dialog.getByLabel('Type of brent.csv').inputValue()).toBe('NCSV')
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
  await expect.poll(() => dialog.getByRole('alert').textContent()).toMatch(/(row|line) 3, column 2 \(Date\)/i)
  await page.getByText('2 of 3 files have been uploaded.').waitFor()
  await dialog.getByRole('button', { name: 'Close', exact: true }).first().click()
  await page.getByRole('row', { name: /wti\.csv/ }).waitFor()
  await page.getByRole('row', { name: /notes\.txt/ }).waitFor()
  await expect.poll(() => page.getByRole('row', { name: /broken\.csv/ }).count()).toBe(0)
})

test('DP-059 DP-060 DP-117 a file is found by its id in the URL, and its versions are listed', async () => {
  const page = await openLake('/Lake/Groups/Prices')
  await chooseFiles(page, file('twice.csv', series('Twice')))
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('File has been uploaded.').waitFor()
  await chooseFiles(page, file('twice.csv', series('Twice', 50)))
  await page.getByRole('dialog').getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('row', { name: /twice\.csv.*50 rows/ }).waitFor()
  await page.getByRole('button', { name: 'twice.csv', exact: true }).click()
  const details = page.getByRole('region', { name: 'File details' })
  await details.getByText('2, the latest').waitFor()
  await expect.poll(() => details.getByRole('listitem').count()).toBe(2)
  const fid = await details.locator('code').textContent()
  await page.goto(`${stage.server.url}/Lake?query=${fid}#Files`)
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
  const answer = await fetch(new URL(openedUrls[0]!, stage.server.url))
  expect(answer.headers.get('Content-Disposition')).toContain('attachment; filename="gone.csv"')
  expect(await answer.text()).toBe(series('Gone'))
  await page.getByRole('button', { name: 'Delete', exact: true }).click()
  await page.getByText('the data that came with it is deleted as well').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('File has been deleted.').waitFor()
  await page.getByRole('row', { name: /gone\.csv/ }).waitFor({ state: 'detached' })
})

test('SH-118 without the right to write files and groups there is no upload and no new group', async () => {
  await stage.server.createUser({ email: 'viewer@example.com', role: 'Viewer' })
  const page = await openLake('/Lake#Files', 'viewer@example.com')
  await page.getByRole('tab', { name: 'Files' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'Upload' }).count()).toBe(0)
  await page.getByRole('tab', { name: 'Groups' }).click()
  await page.getByRole('searchbox', { name: 'Search groups' }).waitFor()
  await expect.poll(() => page.getByRole('button', { name: 'New group' }).count()).toBe(0)
})

test('DP-085 a reader of a group can neither add to it, nor change or delete what is in it', async () => {
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

  const page = await openLake('/Lake/Groups/To%20read', reader.userName)
  const choose = (name: RegExp) => page.getByRole('row', { name }).getByRole('checkbox')
  const button = (name: string) => page.getByRole('button', { name, exact: true })
  await choose(/theirs\.txt/).check()
  await button('theirs.txt').click()
  await page.getByRole('region', { name: 'File details' }).getByText('Metadata').waitFor()
  await expect.poll(() => button('Download').count()).toBe(2)
  for (const name of ['Upload', 'Delete', 'Edit metadata', 'Edit group', 'Delete group'])
    await expect.poll(() => button(name).count(), { message: name }).toBe(0)

  await page.goto(`${stage.server.url}/Lake#Files`)
  await choose(/mine\.txt/).check()
  await button('Delete').waitFor()
  await choose(/theirs\.txt/).check()
  await button('Delete').waitFor({ state: 'detached' })
  await choose(/theirs\.txt/).uncheck()
  await button('Delete').waitFor()
  await button('mine.txt').click()
  await button('Edit metadata').waitFor()
})

test('DP-148 DP-151 several files are told as such, and the list is read again 3 s later', async () => {
  const page = await openLake('/Lake/Groups/Prices', 'anna@example.com', {}, { clock: true })
  await chooseFiles(page, file('one.txt', 'one'), file('two.txt', 'two'))
  await page.getByRole('dialog').getByText('two.txt', { exact: true }).waitFor()
  await stopClock(page)
  let searches = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/file/search') searches += 1
  })
  await page.getByRole('dialog').getByRole('button', { name: 'Upload 2 files' }).click()
  await page.getByText('Files have been uploaded.').waitFor()
  await expect.poll(() => searches).toBe(1)
  await page.clock.runFor(2900)
  expect(searches).toBe(1)
  await page.clock.runFor(200)
  await expect.poll(() => searches).toBe(2)
})

test('DP-149 DP-150 what the server refuses stands at its field and in a toast', async () => {
  const anna = await stage.server.createUser({ email: 'fields@example.com' })
  const fields = [{ name: 'Lots', type: 'int' as const }]
  await anna.call(createGroup, { body: { name: 'Typed', fields } })
  const page = await openLake('/Lake/Groups/Typed', anna.userName)
  await chooseFiles(page, file('lots.txt', 'x'))
  const dialog = page.getByRole('dialog')
  // The fields of the group stand in the form already.
  await expect.poll(() => dialog.getByLabel('Name 1').inputValue()).toBe('Lots')
  expect(await dialog.getByLabel('Name 1').isDisabled()).toBe(true)
  await dialog.getByLabel('Value 1').fill('many')
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  const problem = 'The metadata field “Lots” of this group is of the type int; “many” is not.'
  const metadata = dialog.getByRole('group', { name: 'Metadata' })
  await metadata.getByText(problem).waitFor()
  await page.getByRole('region', { name: 'Notifications' }).getByText(problem).waitFor()
  await dialog.getByLabel('Value 1').fill('7')
  await metadata.getByText(problem).waitFor({ state: 'detached' })
  await anna.call(deleteGroup, { params: { name: 'Typed' } })
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  const gone = dialog.getByText('There is no group “Typed” that you can read.')
  await expect.poll(() => gone.count(), { message: 'at the file and at the field' }).toBe(2)
})

test('a table that is no file of series says so, and can be kept as it is', async () => {
  const page = await openLake('/Lake/Groups/Prices')
  await chooseFiles(page, file('people.csv', 'Name,Date,Remark\nAnna,2026-01-01,hello\n'))
  const dialog = page.getByRole('dialog')
  await dialog.getByText('Choose SOURCE to keep the file as it is.').waitFor()
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await dialog.getByRole('alert').filter({ hasText: 'column 3 (Remark)' }).waitFor()
  await dialog.getByRole('button', { name: 'Take the type SOURCE' }).click()
  await dialog.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByText('File has been uploaded.').waitFor()
  await page.getByRole('row', { name: /people\.csv.*SOURCE/ }).waitFor()
})

test('DP-071 DP-072 an analyst is offered four types of files, an administrator two more', async () => {
  const everybody = ['SOURCE', 'NCSV', 'D-NCSV', 'MARKDOWN']
  for (const [user, types] of [
    ['anna@example.com', everybody],
    ['admin@example.com', [...everybody, 'CONFIG', 'COMMAND_JSON']],
  ] as const) {
    const page = await openLake('/Lake#Files', user)
    await chooseFiles(page, file('a.txt', 'x'))
    await page.getByRole('dialog').getByLabel('Type of a.txt').click()
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(types)
  }
})

test('DP-103 the layout of the lake shows the latest version of each file, or every version', async () => {
  const anna = await stage.server.createUser({ email: 'layout@example.com' })
  for (const _version of [1, 2]) await putFile(anna, 'layout@example.com_home', 'again.txt')
  const page = await openLake('/Lake/Groups/layout@example.com_home', anna.userName)
  const rows = page.getByRole('row', { name: /again\.txt/ })
  await expect.poll(() => rows.count()).toBe(1)
  await page.getByRole('button', { name: 'Latest' }).click()
  await expect.poll(() => rows.count()).toBe(2)
  await page.reload()
  await expect.poll(() => rows.count()).toBe(2)
  await page.getByRole('button', { name: 'Versions' }).click()
  await expect.poll(() => rows.count()).toBe(1)
})

test('DP-110 several files are opened one second after the other', async () => {
  const anna = await stage.server.createUser({ email: 'downloads@example.com' })
  for (const name of ['1.txt', '2.txt', '3.txt']) await putFile(anna, 'downloads@example.com_home', name)
  const page = await openLake('/Lake/Groups/downloads@example.com_home', anna.userName, {}, { clock: true })
  const opened: string[] = []
  await page.exposeFunction('noteOpened', (url: string) => opened.push(url))
  await page.evaluate('window.open = (url) => { void noteOpened(url); return null }')
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).check()
  await page.getByRole('button', { name: 'Download', exact: true }).waitFor()
  await stopClock(page)
  await page.getByRole('button', { name: 'Download', exact: true }).click()
  for (const already of [1, 2]) {
    await expect.poll(() => opened.length).toBe(already)
    await page.clock.runFor(900)
    expect(opened.length).toBe(already)
    await page.clock.runFor(100)
  }
  await expect.poll(() => opened.length).toBe(3)
  expect(new Set(opened).size).toBe(3)
})

test('DP-113 IN-356 SH-029 a download without an address says so and goes to the error log at the level error', async () => {
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
  await page.getByRole('alert').getByText('Internal server error').waitFor()
  expect(sent.postDataJSON()).toMatchObject({ userName: anna.userName, level: 'error' })
  expect((sent.postDataJSON() as { message: string }).message).toContain('no Location header')
})

test('DP-036 DP-063 DP-119 SH-211 SH-213 SH-214 SH-224 hits of the search lead to the file and the group', async () => {
  const anna = await stage.server.createUser({ email: 'search@example.com' })
  await anna.call(createGroup, { body: { name: 'Harvest' } })
  const fid = await putFile(anna, 'Harvest', 'harvest 2026.txt')
  const page = await openLake('/Lake', anna.userName)
  await page.getByRole('row', { name: /Harvest/ }).waitFor()
  await page.keyboard.press('Control+k')
  const panel = page.getByRole('dialog', { name: 'Search all' })
  const [request] = await Promise.all([
    page.waitForRequest((each) => new URL(each.url()).pathname === '/file/search'),
    panel.getByRole('searchbox').fill('harvest'),
  ])
  expect(new URL(request.url()).searchParams.get('size')).toBe('5')
  expect(new URL(request.url()).searchParams.get('query')).toContain('*harvest*')
  const href = (block: string, name: string) =>
    panel.getByRole('region', { name: block }).getByRole('link', { name }).getAttribute('href')
  await expect.poll(() => href('Files', 'harvest 2026.txt')).toBe(`/Lake?query=${fid}#Files`)
  await expect.poll(() => href('Groups', 'Harvest')).toBe('/Lake/Groups/Harvest')
  await expect.poll(() => href('Files', 'See all results')).toBe('/Lake?query=harvest#Files')
  await expect.poll(() => href('Groups', 'See all results')).toBe('/Lake?query=harvest#Groups')
  await panel.getByRole('link', { name: 'harvest 2026.txt' }).click()
  const details = page.getByRole('region', { name: 'File details' })
  await details.getByRole('heading', { name: 'harvest 2026.txt' }).waitFor()
  await details.getByRole('button', { name: 'Close details' }).click()
  await details.waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /harvest 2026/ }).waitFor()
})

test('DP-051 DP-052 DP-053 IN-415 tags of groups come 50 at once, every 15 s, and count as fresh for 10 s', async () => {
  const page = await openLake('/Lake#Groups', 'anna@example.com', {}, { clock: true })
  await page.getByRole('row', { name: /Prices/ }).waitFor()
  await stopClock(page)
  const asked: URL[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/file/groupTags') asked.push(url)
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
  await expect.poll(() => asked.length).toBe(1)
  expect(asked[0]!.searchParams.get('size')).toBe('50')
  await page.clock.runFor(14_900)
  expect(asked.length).toBe(1)
  await page.clock.runFor(200)
  await expect.poll(() => asked.length).toBe(2)
  await page.clock.runFor(100)
  await close()
  await page.clock.runFor(9000)
  await open()
  expect(asked.length).toBe(2)
  await close()
  await page.clock.runFor(2000)
  await open()
  await expect.poll(() => asked.length).toBe(3)
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
  const page = await stage.newPage()
  await page.route('**/file/search*', async (route) => {
    const response = await route.fetch()
    const answer = (await response.json()) as { items: { fileName: string }[] }
    for (const file of answer.items) file.fileName = ''
    await route.fulfill({ response, json: answer })
  })
  const anna = await stage.server.createUser({ email: 'nameless@example.com' })
  await putFile(anna, 'nameless@example.com_home', 'a.txt')
  await openAs(page, stage.server.url, 'nameless@example.com', '/Lake#Files')
  await page.getByText('No file name found').waitFor()
})

test('SH-133 the lake opens in any letter case, and an unknown group says so', async () => {
  const page = await openLake('/lake/groups/Prices')
  await page.getByRole('heading', { name: 'Prices' }).waitFor()
  await page.goto(`${stage.server.url}/LAKE/Groups/Nothing%20here`)
  await page.getByText('There is no group “Nothing here” that you can read.').waitFor()
})

test.each([
  [1024, '/Lake#Files'],
  [1024, '/Lake#Groups'],
  [390, '/Lake/Groups/Prices'],
])('in a window of %i px columns give way, so that no table of %s is cut off', async (width, path) => {
  const page = await openLake(path, 'anna@example.com', { viewport: { width, height: 800 } })
  await page.getByRole('row').nth(1).waitFor()
  const hiddenPx = () => page.getByRole('grid').evaluate((grid) => grid.scrollWidth - grid.clientWidth)
  await expect.poll(hiddenPx).toBe(0)
  await page.getByRole('columnheader', { name: 'Name' }).waitFor()
})

test.each([
  ['light', '/Lake#Groups'],
  ['dark', '/Lake#Files'],
  ['light', '/Lake/Groups/Prices'],
])('the accessibility checker finds nothing in the lake: %s %s', async (scheme, path) => {
  await anna.call(updateSettings, { body: { settings: { darkmode: scheme === 'dark' ? 'ON' : 'OFF' } } })
  const page = await openLake(path)
  await page.locator(`html[data-mantine-color-scheme="${scheme}"]`).waitFor()
  await page.getByRole('row').nth(1).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})
