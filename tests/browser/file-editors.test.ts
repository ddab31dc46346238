import { Buffer } from 'node:buffer'
import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { pathOf } from '@headwater/contract'
import { downloadFile, searchFiles, type File } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
const groupName = 'Notes'
const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"><rect width="8" height="8"/></svg>'
const otherGroup = 'Archive'
let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  for (const name of [groupName, otherGroup]) await anna.call(createGroup, { body: { name } })
})

const openGroup = (options?: Parameters<typeof stage.open>[2]) =>
  stage.open(`/Lake/Groups/${groupName}`, anna, options)

async function putFile(fileName: string, content: string | Buffer): Promise<string> {
  return (await upload(anna, { groupName, fileName, content: Buffer.from(content) })).fileId
}

async function newFile(page: Page, kind: string): Promise<Locator> {
  await page.getByRole('button', { name: 'New file', exact: true }).click()
  await page.getByRole('menuitem', { name: kind }).click()
  return page.getByRole('dialog', { name: 'New file', exact: true })
}

async function openTool(page: Page, fileName: string, action = 'Edit'): Promise<Locator> {
  await page.getByRole('button', { name: fileName, exact: true }).click({ button: 'right' })
  await page.getByRole('menuitem', { name: action, exact: true }).click()
  return page.getByRole('dialog', { name: fileName, exact: true })
}

const detail = (tool: Locator, label: 'Name' | 'Group' | 'Type') =>
  tool.getByRole('group', { name: 'File details' }).getByLabel(label, { exact: true })
/** The text of a field: its label, and its error. */
const errorOf = (field: Locator) => field.locator('xpath=ancestor::div[label or div/label][1]').textContent()
/** Clears a choice. The button has no accessible name, because the keyboard clears the field otherwise. */
const clear = (field: Locator) => field.locator('xpath=..').locator('button').click()
/** Enters a name as a user does: the field shows the name without its extension while it has the focus. */
async function rename(name: Locator, text: string): Promise<void> {
  await name.focus()
  await expect.poll(() => name.inputValue()).not.toContain('.')
  await name.fill(text)
  await name.blur()
}
const save = (tool: Locator) => tool.getByRole('button', { name: 'Save', exact: true }).click()

async function stored(fileName: string, inGroup = groupName): Promise<File[]> {
  const query = { query: `name=${fileName}&groupName=${inGroup}`, sortBy: 'version' as const }
  return (await anna.call(searchFiles, { query })).items
}
const textOf = async (fid: string) => (await anna.fetch(pathOf(downloadFile.path, { fid }))).text()

function writes(page: Page): string[] {
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/file') && request.method() !== 'GET') calls.push(request.method())
  })
  return calls
}

test('DP-074 DP-075 DP-076 DP-077 DP-078 DP-079 DP-080 DP-081 DP-082 DP-084 DP-102 DP-108 a new file has editable details, which are checked before any call', async () => {
  await putFile('taken.py', 'a = 1')
  const page = await openGroup()
  const calls = writes(page)
  const tool = await newFile(page, 'Python script (.py)')
  const name = detail(tool, 'Name')
  for (const field of [name, detail(tool, 'Group'), detail(tool, 'Type')])
    expect(await field.isEnabled()).toBe(true)
  expect(await name.inputValue()).toBe('New Script.py')
  await name.focus()
  await expect.poll(() => name.inputValue()).toBe('New Script')
  // the suggestion is selected, so that typing replaces it
  await page.keyboard.type('ab')
  await expect.poll(() => name.inputValue()).toBe('ab')
  await name.fill('')
  await clear(detail(tool, 'Type'))
  await clear(detail(tool, 'Group'))
  await save(tool)
  await expect.poll(() => errorOf(detail(tool, 'Group'))).toContain('Choose a group.')
  await expect.poll(() => errorOf(name)).toContain('Enter a name.')
  await expect.poll(() => errorOf(detail(tool, 'Type'))).toContain('Choose a type.')
  expect(calls).toEqual([])
  await name.fill('t')
  await expect.poll(() => errorOf(name)).not.toContain('Enter a name.')
  await expect.poll(() => errorOf(detail(tool, 'Type'))).toContain('Choose a type.')
  await detail(tool, 'Type').click()
  await page.getByRole('option', { name: 'SOURCE', exact: true }).click()
  await expect.poll(() => errorOf(detail(tool, 'Type'))).not.toContain('Choose a type.')
  await detail(tool, 'Group').click()
  await page.getByRole('option', { name: groupName, exact: true }).click()
  await expect.poll(() => errorOf(detail(tool, 'Group'))).not.toContain('Choose a group.')

  await page.route('**/file', (route) =>
    route.fulfill({
      status: 400,
      json: {
        code: 'notValid',
        message: 'Not valid.',
        validationErrors: [
          { field: 'fileName', message: 'No such name.' },
          { field: 'groupName', message: 'No such group.' },
        ],
      },
    }),
  )
  await save(tool)
  await expect.poll(() => errorOf(name)).toContain('No such name.')
  await expect.poll(() => errorOf(detail(tool, 'Group'))).toContain('No such group.')
  await page.unroute('**/file')
  await rename(name, 'taken')
  expect(await name.inputValue()).toBe('taken.py')
  await save(tool)
  await expect.poll(() => errorOf(name)).toContain('The group has a file with this name.')
  expect(await stored('taken.py')).toHaveLength(1)

  await rename(name, 'fetch')
  await tool.getByRole('textbox', { name: /^Text of/ }).click()
  await page.keyboard.type('print(1)')
  await save(tool)
  await page.getByText('New file has been saved.', { exact: true }).waitFor()
  await tool.waitFor({ state: 'detached' })
  const [file] = await stored('fetch.py')
  expect(file).toMatchObject({ groupName, fileType: 'SOURCE', version: 1 })
  expect(await textOf(file!.fid)).toBe('print(1)')
})

test('a new CSV file opens as a spreadsheet, and a new notebook as JSON beside its preview', async () => {
  const page = await openGroup()
  const table = await newFile(page, 'CSV table (.csv)')
  const cells = table.getByRole('gridcell')
  await expect.poll(() => cells.count()).toBe(3)
  await table.getByText('3 columns, 2 rows').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await cells.first().click()
  await page.keyboard.type('A')
  await page.keyboard.press('Tab')
  await page.keyboard.type('1.5')
  await save(table)
  await page.getByText('New file has been saved.', { exact: true }).waitFor()
  await table.waitFor({ state: 'detached' })
  const [csv] = await stored('New Script.csv')
  expect(csv).toMatchObject({ groupName, fileType: 'SOURCE', version: 1 })
  expect(await textOf(csv!.fid)).toBe('Column 1,Column 2,Column 3\nA,1.5,\n')

  const notebook = await newFile(page, 'Jupyter notebook (.ipynb)')
  await notebook
    .getByRole('textbox', { name: /^Text of/ })
    .getByText('"nbformat": 4')
    .waitFor()
  await save(notebook)
  await notebook.waitFor({ state: 'detached' })
  const [book] = await stored('New Script.ipynb')
  expect(JSON.parse(await textOf(book!.fid))).toMatchObject({
    cells: [{ cell_type: 'code', id: 'cell-1', outputs: [], source: [] }],
    metadata: {},
    nbformat: 4,
    nbformat_minor: 5,
  })
  const opened = await openTool(page, 'New Script.ipynb')
  await opened.getByText('"nbformat": 4').waitFor()
  expect(await opened.getByText('No preview').count()).toBe(0)
})

test('DP-073 DP-083 name, group and type of a stored file can be edited after a toggle; another name saves a new file', async () => {
  await putFile('report.txt', 'first')
  const page = await openGroup()
  const calls = writes(page)
  const tool = await openTool(page, 'report.txt')
  const name = detail(tool, 'Name')
  for (const field of [name, detail(tool, 'Group'), detail(tool, 'Type')])
    expect(await field.isEnabled()).toBe(false)
  await tool.getByRole('button', { name: 'Edit details', exact: true }).click()
  for (const field of [name, detail(tool, 'Group'), detail(tool, 'Type')])
    expect(await field.isEnabled()).toBe(true)
  await name.focus()
  await expect.poll(() => name.inputValue()).toBe('report')
  await name.fill('')
  await save(tool)
  await expect.poll(() => errorOf(name)).toContain('Enter a name.')
  expect(calls).toEqual([])
  await rename(name, 'report 2')
  await detail(tool, 'Group').fill(otherGroup)
  await page.getByRole('option', { name: otherGroup, exact: true }).click()
  await tool.getByText('Saves a new file. “report.txt” in Notes stays as it is.').waitFor()
  await save(tool)
  await page.getByText('New file has been saved.', { exact: true }).waitFor()
  await tool.waitFor({ state: 'detached' })
  const [copy] = await stored('report 2.txt', otherGroup)
  expect(await textOf(copy!.fid)).toBe('first')
  expect(await stored('report.txt')).toHaveLength(1)
})

test('two versions of a CSV file are compared by row and cell, and the older one is restored as the newest', async () => {
  await putFile('restored.csv', 'Day,Price\n2026-01-01,1\n2026-01-02,2\n')
  await putFile('restored.csv', 'Day,Price\n2026-01-01,1\n2026-01-02,7\n')
  const page = await openGroup()
  await page.getByRole('button', { name: 'restored.csv', exact: true }).click()
  const details = page.getByRole('region', { name: 'File details' })
  await details.getByRole('button', { name: 'Compare with version 1' }).click()
  const tool = page.getByRole('dialog', { name: 'Versions 1 and 2 of restored.csv' })
  await tool.getByText('1 row changed, 0 added, 0 removed').waitFor()
  const row = tool.getByRole('row', { name: /Changed/ })
  expect(await row.getByRole('cell').allInnerTexts()).toEqual(['Changed', '2026-01-02', '27'])
  expect(await accessibilityProblems(page)).toEqual([])
  await tool.getByRole('button', { name: 'Restore version 1' }).click()
  await page.getByText('Version 1 has been restored as version 3.', { exact: true }).waitFor()
  const versions = await stored('restored.csv')
  expect(versions.map(({ version }) => version)).toContain(3)
  const newest = versions.find(({ version }) => version === 3)!
  expect(await textOf(newest.fid)).toBe('Day,Price\n2026-01-01,1\n2026-01-02,2\n')
  await details.getByRole('button', { name: /^v2/ }).click()
  await details.getByRole('button', { name: 'Restore version 2', exact: true }).press('Enter')
  await page.getByText('Version 2 has been restored as version 4.', { exact: true }).waitFor()
  await details.getByText('4 (latest)', { exact: true }).waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('restored.csv')
  const again = (await stored('restored.csv')).find(({ version }) => version === 4)!
  expect(await textOf(again.fid)).toBe('Day,Price\n2026-01-01,1\n2026-01-02,7\n')
})

test('two versions of a series file are compared by row and cell, and the older one is restored with its values', async () => {
  const put = (value: number) =>
    upload(anna, {
      groupName,
      fileName: 'restored.ncsv',
      fileType: 'NCSV',
      content: `Code,Date,Price\nTTF,2026-01-01,31\nTTF,2026-01-02,${value}\n`,
    })
  await put(33)
  await put(47)
  const page = await openGroup()
  await page.getByRole('button', { name: 'restored.ncsv', exact: true }).click()
  const details = page.getByRole('region', { name: 'File details' })
  await details.getByRole('button', { name: 'Compare with version 1' }).click()
  const tool = page.getByRole('dialog', { name: 'Versions 1 and 2 of restored.ncsv' })
  await tool.getByText('1 row changed, 0 added, 0 removed').waitFor()
  const cells = tool.getByRole('row', { name: /Changed/ }).getByRole('cell')
  expect(await cells.allInnerTexts()).toEqual(['Changed', 'TTF', '2026-01-02', '3347'])
  await tool.getByRole('button', { name: 'Restore version 1' }).click()
  await page
    .getByText(
      'Version 1 has been restored as version 3. Its rows replace the stored values. Rows that only newer versions contain stay in the series.',
      { exact: true },
    )
    .waitFor()
  const body = { keys: [{ groupName, symbols: { Code: 'TTF' } }], range: 'ALL', formatType: 'NCSV' }
  const headers = { 'Content-Type': 'application/json' }
  const points = async () =>
    (await anna.fetch('/ts/stream', { method: 'POST', headers, body: JSON.stringify(body) })).text()
  await expect.poll(points).toContain('33')
  expect(await points()).not.toContain('47')
  await details.getByRole('button', { name: /^v2/ }).click()
  await details.getByRole('button', { name: 'Restore version 2', exact: true }).waitFor()
})

test('DP-193 DP-194 DP-195 an HTML page is edited as rich text with font sizes from 8 to 28 px and images of the lake', async () => {
  const picture = await putFile('oil.svg', svg)
  await putFile(
    'page.html',
    `<!doctype html><html><head><title>Oil</title></head><body><p>Brent</p><p><img data-file-id="${picture}" alt="Oil"></p></body></html>`,
  )
  const page = await openGroup()
  const definitions: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(`/file/${picture}`)) definitions.push(request.method())
  })
  const tool = await openTool(page, 'page.html')
  const text = tool.getByRole('textbox', { name: 'Text of page.html' })
  await text.getByText('Brent').click({ clickCount: 3 })
  await expect
    .poll(() =>
      text
        .getByRole('img', { name: 'Oil' })
        .evaluate((image: never) => (image as { naturalWidth: number }).naturalWidth),
    )
    .toBeGreaterThan(0)
  expect(definitions).toEqual(['GET'])
  await tool.getByLabel('Font size', { exact: true }).first().click()
  const sizes = () => page.getByRole('option', { name: /px$/ }).allTextContents()
  await expect.poll(async () => [(await sizes())[0], (await sizes()).at(-1)]).toEqual(['8 px', '28 px'])
  await page.getByRole('option', { name: '28 px', exact: true }).click()
  await expect
    .poll(() => text.getByText('Brent').evaluate((element: never) => getComputedStyle(element).fontSize))
    .toBe('28px')
  await save(tool)
  await page.getByText('New version of file has been saved.', { exact: true }).waitFor()
  const [latest] = await stored('page.html')
  const saved = await textOf(latest!.fid)
  expect(saved).toMatch(/^<!doctype html><html><head><title>Oil<\/title><\/head><body>/)
  expect(saved).toContain('font-size: 28px')
  expect(saved).toContain(`data-file-id="${picture}"`)
})

test('an HTML page with markup that rich text would lose is edited as code, with the reason; readers see it in a sandbox', async () => {
  await putFile('table.html', '<table><tr><td>1</td></tr></table><script>document.title = 2</script>')
  const page = await openGroup()
  const tool = await openTool(page, 'table.html')
  await tool.getByText(/because rich text would remove <table>/).waitFor()
  await tool.getByRole('tab', { name: 'Rich text' }).click()
  await tool.getByText('<table>').last().waitFor()
  expect(await tool.getByRole('toolbar', { name: 'Format' }).count()).toBe(0)

  const ben = await stage.server.createUser({ email: 'ben@example.com' })
  await stage.server.grantGroup({ groupName, userName: ben.userName, access: 'R' })
  const readers = await stage.open(`/Lake/Groups/${groupName}`, ben)
  const view = await openTool(readers, 'table.html', 'View')
  const frame = view.frameLocator('iframe[title="Preview of table.html"][sandbox="allow-scripts"]')
  await frame.getByRole('cell', { name: '1' }).waitFor()
  expect(await view.getByText(/rich text would remove/).count()).toBe(0)
  await view.getByRole('tab', { name: 'Code' }).click()
  await view.getByText('<table>').last().waitFor()
})

test('DP-131 DP-132 DP-133 DP-134 the file picker lists files in rows of 32 px, loads more 400 px before the end, and selects one', async () => {
  await Promise.all(Array.from({ length: 119 }, (_, at) => putFile(`p${at}.svg`, svg)))
  // The list begins with the newest file.
  await putFile('p119.svg', svg)
  await putFile('pick.html', '<p>Here</p>')
  const page = await openGroup()
  const tool = await openTool(page, 'pick.html')
  await tool.getByRole('textbox', { name: 'Text of pick.html' }).waitFor()
  await tool.getByRole('button', { name: 'Insert an image' }).click()
  const picker = page.getByRole('dialog', { name: 'Choose an image' })
  const select = picker.getByRole('button', { name: 'Select', exact: true })
  const row = picker.getByRole('row', { name: /p119\.svg/ })
  await row.waitFor()
  expect((await row.boundingBox())!.height).toBe(32)
  expect(await select.isDisabled()).toBe(true)
  expect(await picker.getByRole('checkbox', { name: 'Select all loaded rows' }).count()).toBe(0)
  const pages: string[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    const from = searchParams.get('from') ?? '0'
    // The list also reads its first page again, every 10 seconds.
    if (pathname === '/file/search' && from !== '0') pages.push(from)
  })
  const scrollTo = (fromEnd: number) =>
    picker.getByRole('grid').evaluate((grid: never, distance) => {
      const { scrollHeight, clientHeight } = grid as HTMLElement
      ;(grid as HTMLElement).scrollTop = scrollHeight - clientHeight - distance
    }, fromEnd)
  await scrollTo(402)
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve))))
  expect(pages).toEqual([])
  await scrollTo(399)
  await expect.poll(() => pages).toEqual(['100'])
  await scrollTo(5000)
  await row.click()
  await select.click()
  await picker.waitFor({ state: 'detached' })
  await tool
    .getByRole('textbox', { name: 'Text of pick.html' })
    .getByRole('img', { name: 'p119.svg' })
    .waitFor({ state: 'attached' })
})

test('DP-197 a template toggles between its code and a preview in a sandbox', async () => {
  await putFile(
    'mail.ftl',
    '<h1>Prices</h1><#if rows>rows</#if><script>document.body.dataset.ran = self.origin</script>',
  )
  const page = await openGroup()
  const tool = await openTool(page, 'mail.ftl')
  await tool.getByText('<#if rows>').waitFor()
  await tool.getByRole('tab', { name: 'Preview' }).click()
  const preview = tool.frameLocator('iframe')
  await preview.getByRole('heading', { name: 'Prices' }).waitFor()
  await preview.getByText('<#if rows>rows</#if>').waitFor()
  // Its scripts run without the origin of the page.
  await preview.locator('body[data-ran="null"]').waitFor()
  expect(await tool.getByRole('textbox', { name: 'Text of mail.ftl' }).count()).toBe(0)
  await tool.getByRole('tab', { name: 'Code' }).click()
  await tool.getByRole('textbox', { name: 'Text of mail.ftl' }).waitFor()
})

test.each(['html', 'ftl'])(
  'DP-187 an older version of a file with the extension %s cannot be saved',
  async (extension) => {
    const fileName = `old.${extension}`
    const fid = await putFile(fileName, '<p>one</p>')
    await putFile(fileName, '<p>two</p>')
    const page = await stage.open(`/Lake/Groups/${groupName}?query=${fid}`, anna)
    const calls = writes(page)
    await page
      .getByRole('region', { name: 'File details' })
      .getByRole('button', { name: 'Edit', exact: true })
      .click()
    const tool = page.getByRole('dialog', { name: fileName, exact: true })
    await tool.getByText(/older version, read only/).waitFor()
    expect(await tool.getByRole('button', { name: 'Save', exact: true }).count()).toBe(0)
    await tool.getByRole('textbox', { name: `Text of ${fileName}` }).click()
    await page.keyboard.type('more')
    await page.keyboard.press('Control+s')
    await tool.getByRole('button', { name: 'Close', exact: true }).click()
    await tool.waitFor({ state: 'detached' })
    expect(calls).toEqual([])
  },
)

test('DP-102 the file editors are accessible in both colour schemes, and a template has a default name', async () => {
  await putFile('access.html', '<h1>Title</h1><p>Text</p>')
  await putFile('access.svg', svg)
  const page = await openGroup()
  const tool = await openTool(page, 'access.html')
  await tool.getByRole('toolbar', { name: 'Format' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await tool.getByRole('button', { name: 'Insert an image' }).click()
  await page.getByRole('dialog', { name: 'Choose an image' }).getByRole('row').nth(1).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await tool.getByRole('button', { name: 'Close', exact: true }).click()
  const created = await newFile(page, 'FreeMarker template (.ftl)')
  expect(await detail(created, 'Name').inputValue()).toBe('New Script.ftl')
  await created.getByRole('tab', { name: 'Preview' }).click()
  await created.getByTitle(/^Preview of/).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})
