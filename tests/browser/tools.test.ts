import type { Locator, Page, Route } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { getFile, listFileVersions, updateFile } from '@headwater/files/contract'
import { unshareGroup } from '@headwater/groups/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems, logIn, logOutElsewhere, openAs, stopClock } from './open-browser.ts'
import { makePdf } from './pdf-file.ts'
import { setUpPapers } from './set-up-papers.ts'

const {
  stage,
  groupName,
  putFile,
  openGroup,
  openTool,
  openPublicViews,
  reader,
  editorOf,
  textOf,
  png,
  ...users
} = setUpPapers()

let anna: Session
beforeAll(() => {
  anna = users.anna()
})

test('SH-141 DP-094 DP-184 the main layout has sidebar, breadcrumbs, page and tools; opening a tool does not change the URL', async () => {
  await putFile('layout.py', 'print(1)\n')
  await putFile('layout.md', 'Some *text*\n')
  await putFile('layout.html', '<p>markup</p>\n')
  await putFile('layout.ftl', '<#if shown>template</#if>\n')
  await putFile('layout.zip', 'PK')
  await putFile('layout.png', await png(20, 20))
  await putFile('layout.pdf', makePdf(['A page']))
  const page = await openGroup()
  await page.getByRole('row', { name: /layout\.py/ }).waitFor()
  for (const part of [
    page.getByRole('navigation', { name: 'Main' }),
    page.getByRole('navigation', { name: 'Breadcrumbs' }),
    page.getByRole('main'),
  ])
    expect(await part.count()).toBe(1)
  const address = page.url()
  for (const [name, action, content] of [
    ['layout.md', 'Edit', 'Some'],
    ['layout.png', 'Preview', '20 × 20 pixels'],
    ['layout.pdf', 'Preview', 'Page 1 of 1'],
    ['layout.html', 'Edit', 'markup'],
    ['layout.ftl', 'Edit', 'template'],
    ['layout.py', 'Edit', 'print(1)'],
    [undefined, 'Public views', 'No public view uses this group'],
  ] as const) {
    const tool = name === undefined ? await openPublicViews(page) : await openTool(page, name, action)
    await tool.getByText(content).first().waitFor()
    expect(page.url()).toBe(address)
    await tool.getByRole('button', { name: 'Close', exact: true }).click()
    await tool.waitFor({ state: 'detached' })
    expect(page.url()).toBe(address)
  }
  for (const [name, first] of [
    ['layout.md', 'Edit'],
    ['layout.zip', 'Details'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click({ button: 'right' })
    const entries = page.getByRole('menuitem')
    await expect.poll(() => entries.first().textContent()).toBe(first)
    expect(await entries.allTextContents()).not.toContain('Preview')
    await page.keyboard.press('Escape')
    await expect.poll(() => entries.count()).toBe(0)
  }
  await openTool(page, 'layout.py', 'Edit')
  await page.reload()
  await page.getByRole('row', { name: /layout\.py/ }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
})

test('DP-066 DP-183 eleven tools can be opened; a file has actions to preview, edit, download and share it, and its group one to upload files', async () => {
  const basic = `a,b\n${'1,2\n'.repeat(1000)}`
  for (const [name, content] of [
    ['opened.md', 'Some *text*\n'],
    ['opened.html', '<p>markup</p>\n'],
    ['opened.ftl', '<#if shown>template</#if>\n'],
    ['opened.png', await png(20, 20)],
    ['opened.pdf', makePdf(['A page'])],
    ['opened.py', 'print(1)\n'],
    ['basic.csv', basic],
    ['opened.csv', 'Code,Date,Price\nA,2026-01-01,5\n'],
  ] as const)
    await putFile(name, content)
  const page = await stage.newPage()
  // An upload of 20 MB takes too long; the server reports that size for a shorter file.
  await page.route(/\/file\/[^/?]+(\?|$)/, async (route) => {
    const response = await route.fetch()
    const body = await response.text()
    await route.fulfill({ response, body: body.replaceAll(`"size":${basic.length}`, '"size":20000000') })
  })
  await openAs(page, stage.server.url, anna.userName, `/Lake/Groups/${groupName}`)
  for (const [name, action, title, content] of [
    ['opened.md', 'Edit', 'opened.md', 'Some'],
    ['opened.html', 'Edit', 'opened.html', 'markup'],
    ['opened.ftl', 'Edit', 'opened.ftl', 'template'],
    ['opened.png', 'Preview', 'opened.png', '20 × 20 pixels'],
    ['opened.pdf', 'Preview', 'opened.pdf', 'Page 1 of 1'],
    ['opened.py', 'Edit', 'opened.py', 'print(1)'],
    ['basic.csv', 'Edit', 'basic.csv', '2 columns, 1,001 rows'],
    ['opened.csv', 'Edit', 'opened.csv', '3 columns, 2 rows'],
    ['opened.csv', 'Create NCSV', 'NCSV of opened.csv', '2026-01-01'],
    ['opened.csv', 'Usage', 'Usage of opened.csv', 'Not used anywhere'],
    ['opened.csv', 'Share group', `Share ${groupName}`, 'Step 1 of 2'],
  ] as const) {
    await page.getByRole('button', { name, exact: true }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: action, exact: true }).click()
    const tool = page.getByRole('dialog', { name: title, exact: true })
    await tool.getByText(content).first().waitFor()
    // Only a small CSV file can be edited as raw text.
    const isFullCsv = title === 'opened.csv' && action === 'Edit'
    expect(await tool.getByRole('button', { name: 'Raw text' }).count()).toBe(isFullCsv ? 1 : 0)
    await tool.getByRole('button', { name: 'Close', exact: true }).click()
    await tool.waitFor({ state: 'detached' })
  }
  const row = page.getByRole('row', { name: /opened\.py/ })
  await row.getByRole('button', { name: 'opened.py', exact: true }).click({ button: 'right' })
  // The message can disappear before the new tab has closed.
  const [download] = await Promise.all([
    page.context().waitForEvent('page'),
    page.getByText('Download started.', { exact: true }).waitFor(),
    page.getByRole('menuitem', { name: 'Download', exact: true }).click(),
  ])
  await download.close()
  await page.getByRole('button', { name: 'Upload', exact: true }).click()
  await page.getByRole('dialog', { name: /Upload/ }).waitFor()
})

test('DP-105 DP-106 DP-109 the Save button and Ctrl+S save a new version with the type and metadata of the previous one', async () => {
  const fid = await putFile('save.py', 'a = 1\n', { fields: [{ name: 'Desk', value: 'Gas' }] })
  const page = await openGroup()
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/file') && request.method() !== 'GET')
      calls.push(`${request.method()} ${pathname.replace(/[0-9a-f-]{36}/, ':fid')}`)
  })
  for (const [typed, save] of [
    ['b = 2', (tool: Locator) => tool.getByRole('button', { name: 'Save' }).click()],
    ['c = 3', () => page.keyboard.press('Control+s')],
  ] as const) {
    const tool = await openTool(page, 'save.py', 'Edit')
    await editorOf(tool).getByText('a = 1').waitFor()
    await page.keyboard.press('Control+End')
    await page.keyboard.type(`${typed}\n`)
    const held = Promise.withResolvers<void>()
    await page.route('**/file/*/content*', async (route) => {
      await held.promise
      await route.continue()
    })
    const content = page.waitForRequest((request) => request.method() === 'PUT')
    await save(tool)
    await content
    await page.evaluate(async () => {
      for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
    })
    expect(await page.getByText('New version of file has been saved.').count()).toBe(0)
    expect(await tool.count()).toBe(1)
    held.resolve()
    await page.getByText('New version of file has been saved.', { exact: true }).waitFor()
    // At once, because the message disappears after 5 s. A click would also move the focus.
    await page.getByRole('button', { name: 'Dismiss' }).first().dispatchEvent('click')
    await page.unroute('**/file/*/content*')
    await tool.waitFor({ state: 'detached' })
    // The row of the earlier version is gone; the row at its position has the focus.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.closest('[role="row"]') !== null))
      .toBe(true)
  }
  expect(calls).toEqual(['POST /file', 'PUT /file/:fid/content', 'POST /file', 'PUT /file/:fid/content'])
  const { items } = await anna.call(listFileVersions, { params: { fid } })
  expect(items.map(({ version }) => version)).toEqual([3, 2, 1])
  const { fields, fileType } = await anna.call(getFile, { params: { fid: items[0]!.fid } })
  expect({ fields, fileType }).toEqual({ fields: { Desk: 'Gas' }, fileType: 'SOURCE' })
  expect(await textOf(items[0]!.fid)).toBe('a = 1\nb = 2\nc = 3\n')
})

test('after a save the focus returns to the row of the saved file, wherever the list then has it', async () => {
  const owner = await stage.server.createUser({ email: 'rows@example.com' })
  const home = 'rows@example.com_home'
  for (let at = 0; at < 45; at += 1)
    await upload(owner, {
      groupName: home,
      fileName: `row ${String(at).padStart(2, '0')}.txt`,
      content: 'one',
    })
  const page = await stage.open(`/Lake/Groups/${home}`, owner)
  const focusedRow = () =>
    page.evaluate(() => document.activeElement?.closest('[role="row"]')?.textContent ?? 'no row')
  // The newest file is the first row: row 43.txt is the second one, and row 00.txt the last, outside of the first rows.
  for (const name of ['row 43.txt', 'row 00.txt']) {
    await page.getByRole('button', { name: 'row 44.txt', exact: true }).waitFor()
    if (name === 'row 00.txt') {
      await page.getByRole('row').nth(1).focus()
      await page.keyboard.press('End')
    }
    const tool = await openTool(page, name, 'Edit')
    await editorOf(tool).getByText('one').waitFor()
    await page.keyboard.type('two ')
    await page.keyboard.press('Control+s')
    await tool.waitFor({ state: 'detached' })
    await expect.poll(focusedRow).toContain(name)
    await page.keyboard.press('ArrowDown')
    await expect.poll(focusedRow).not.toContain(name)
  }
  await expect.poll(focusedRow).toContain('row 43.txt')
})

test('DP-107 the file list refreshes at once and 3 s after a save', async () => {
  await putFile('later.py', 'a = 1\n')
  const page = await stage.newPage()
  await page.clock.install()
  await openAs(page, stage.server.url, anna.userName, `/Lake/Groups/${groupName}`)
  const tool = await openTool(page, 'later.py', 'Edit')
  await editorOf(tool).getByText('a = 1').waitFor()
  await page.keyboard.type('b')
  await stopClock(page)
  let searches = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/file/search') searches += 1
  })
  await tool.getByRole('button', { name: 'Save' }).click()
  await page.getByText('New version of file has been saved.').waitFor()
  await expect.poll(() => searches).toBe(1)
  await page.clock.runFor(2999)
  expect(searches).toBe(1)
  await page.clock.runFor(1)
  await expect.poll(() => searches).toBe(2)
})

test('DP-085 DP-186 without write access a file opens read-only and nothing is saved', async () => {
  await putFile('theirs.sql', 'select 1\n')
  const page = await openGroup(await reader('reader@example.com'))
  let writes = 0
  page.on('request', (request) => {
    if (request.method() === 'POST' && new URL(request.url()).pathname === '/file') writes += 1
  })
  await page.getByRole('button', { name: 'theirs.sql', exact: true }).click({ button: 'right' })
  const entries = page.getByRole('menuitem')
  await expect.poll(() => entries.allTextContents()).toEqual(['View', 'Details', 'Download', 'Usage'])
  await page.keyboard.press('Escape')
  const tool = await openTool(page, 'theirs.sql', 'View')
  await editorOf(tool).getByText('select 1').waitFor()
  await tool.getByText('read only').waitFor()
  expect(await tool.getByRole('button', { name: 'Save' }).count()).toBe(0)
  await page.keyboard.type('drop table')
  await page.keyboard.press('Control+s')
  await expect.poll(() => editorOf(tool).textContent()).toBe('select 1')
  await page.keyboard.press('Escape')
  await tool.waitFor({ state: 'detached' })
  expect(writes).toBe(0)
})

test('DP-210 DP-211 DP-212 DP-214 a JSON syntax error shows its reason, marks the editor as invalid, and requires a confirmation to save', async () => {
  for (const name of ['a.json', 'a.ipynb', 'plain']) await putFile(name, '{"a": 1}')
  const page = await openGroup()
  const message = 'There is an error in the file syntax.'
  for (const name of ['a.ipynb', 'plain', 'a.json']) {
    const tool = await openTool(page, name, 'Edit')
    const editor = editorOf(tool)
    await editor.getByText('{"a": 1}').waitFor()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('{')
    await tool.getByText(/^There is an error in the file syntax\. Expected property name/).waitFor()
    await expect.poll(() => editor.getAttribute('aria-invalid')).toBe('true')
    await page.keyboard.press('Control+a')
    await page.keyboard.type('{}')
    await tool.getByText(message).waitFor({ state: 'detached' })
    await expect.poll(() => editor.getAttribute('aria-invalid')).toBe(null)
    await page.keyboard.type('x')
    await page.keyboard.press('Control+s')
    const confirmation = page.getByRole('dialog', { name: 'Save with a syntax error?' })
    await confirmation.getByText(message).waitFor()
    await confirmation.getByRole('button', { name: 'Save anyway' }).click()
    // The tool closes when the list has been read again; the message can have disappeared by then.
    await page.getByText('New version of file has been saved.').waitFor()
    await tool.waitFor({ state: 'detached' })
  }
})

test('DP-188 DP-213 Ctrl+Y redoes and Ctrl+S saves, and on a Mac Cmd+Y and Cmd+S do', async () => {
  const userAgent = 'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/537.36 Chrome/140.0.0.0'
  for (const [fileName, modifier, options] of [
    ['pc.txt', 'Control', {}],
    ['mac.txt', 'Meta', { userAgent }],
  ] as const) {
    const fid = await putFile(fileName, 'first')
    const page = await stage.newPage(options)
    if (modifier === 'Meta')
      await page.addInitScript(() => Object.defineProperty(navigator, 'platform', { get: () => 'MacIntel' }))
    await openAs(page, stage.server.url, anna.userName, `/Lake/Groups/${groupName}`)
    const tool = await openTool(page, fileName, 'Edit')
    const text = () => editorOf(tool).textContent()
    await editorOf(tool).getByText('first').waitFor()
    // One edit: keys that follow each other slowly would be undone separately.
    await page.keyboard.insertText('second ')
    await page.keyboard.press(`${modifier}+z`)
    await expect.poll(text).toBe('first')
    await page.keyboard.press(`${modifier}+y`)
    await expect.poll(text).toBe('second first')
    await page.keyboard.press(`${modifier}+s`)
    await page.getByText('New version of file has been saved.', { exact: true }).waitFor()
    const { items } = await anna.call(listFileVersions, { params: { fid } })
    expect(await textOf(items[0]!.fid)).toBe('second first')
  }
})

test('highlighted text can be selected and replaced without console errors', async () => {
  await putFile('over.py', 'import os\n\ndef f(x):\n    return "a" + x  # one\n')
  const page = await openGroup()
  const tool = await openTool(page, 'over.py', 'Edit')
  await tool.locator('.tok-keyword', { hasText: 'import' }).waitFor()
  for (const text of ['import re\nprint("b")', 'x']) {
    await page.keyboard.press('Control+a')
    if (text.length > 1) await page.keyboard.insertText(text)
    else await page.keyboard.press(text)
    await expect.poll(() => editorOf(tool).innerText()).toBe(text)
  }
})

test('a tool traps and restores the focus; closing it with unsaved changes requires a confirmation', async () => {
  await putFile('focus.txt', 'one')
  const page = await openGroup()
  await page.getByRole('button', { name: 'focus.txt', exact: true }).click()
  const opener = page
    .getByRole('region', { name: 'File details' })
    .getByRole('button', { name: 'Edit', exact: true })
  await opener.click()
  const tool = page.getByRole('dialog', { name: 'focus.txt' })
  await editorOf(tool).getByText('one').waitFor()
  await expect.poll(() => editorOf(tool).evaluate((element) => element === document.activeElement)).toBe(true)
  for (let press = 0; press < 6; press += 1) {
    await page.keyboard.press('Shift+Tab')
    await expect.poll(() => tool.evaluate((element) => element.contains(document.activeElement))).toBe(true)
  }
  await editorOf(tool).focus()
  await page.keyboard.type('two ')
  const confirmation = page.getByRole('dialog', { name: 'Unsaved changes' })
  await page.keyboard.press('Escape')
  await confirmation.getByRole('button', { name: 'Keep editing' }).click()
  await editorOf(tool).getByText('two one').waitFor()
  await page.keyboard.press('Escape')
  await confirmation.getByRole('button', { name: 'Close without saving' }).click()
  await tool.waitFor({ state: 'detached' })
  await expect.poll(() => opener.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('leaving the page with unsaved changes in a tool requires a confirmation, and closes the tool', async () => {
  await putFile('leave.txt', 'one')
  const page = await stage.open('/Lake#Groups', anna)
  await page.getByRole('link', { name: groupName }).click()
  const tool = await openTool(page, 'leave.txt', 'Edit')
  await editorOf(tool).getByText('one').waitFor()
  await page.keyboard.type('two ')
  const address = page.url()
  const confirmation = page.getByRole('dialog', { name: 'Unsaved changes' })
  await page.goBack()
  await confirmation.getByRole('button', { name: 'Stay' }).click()
  await expect.poll(() => page.url()).toBe(address)
  await editorOf(tool).getByText('two one').waitFor()
  await page.goBack()
  await confirmation.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('tab', { name: 'Groups' }).waitFor()
  await expect.poll(() => tool.count()).toBe(0)
})

test('the menu of a row opens at the pointer; its dialogs return the focus to the row', async () => {
  await putFile('menu.txt', 'one')
  const page = await openGroup()
  const name = page.getByRole('button', { name: 'menu.txt', exact: true })
  await name.click({ button: 'right' })
  const row = (await name.boundingBox())!
  const placed = async () => {
    const menu = (await page.getByRole('menu').boundingBox())!
    return menu.x >= row.x && menu.y >= row.y
  }
  await expect.poll(placed).toBe(true)
  await page.keyboard.press('Escape')
  const tool = await openTool(page, 'menu.txt', 'Edit')
  await editorOf(tool).getByText('one').waitFor()
  await page.keyboard.press('Escape')
  await tool.waitFor({ state: 'detached' })
  await expect.poll(() => name.evaluate((element) => element === document.activeElement)).toBe(true)
})

test('the focus rings of the controls in a row are not clipped', async () => {
  await putFile('ring.txt', 'one')
  const page = await openGroup()
  const name = page.getByRole('button', { name: 'ring.txt', exact: true })
  await name.focus()
  const ring = () =>
    page.evaluate(() => {
      const control = document.activeElement!
      const cell = control.closest('[role=gridcell]')!.getBoundingClientRect()
      const box = control.getBoundingClientRect()
      const { outlineOffset, outlineWidth } = getComputedStyle(control)
      const outside = Number.parseFloat(outlineOffset) + Number.parseFloat(outlineWidth)
      return {
        of: control.ariaLabel ?? control.textContent,
        isVisible: Number.parseFloat(outlineWidth) > 0,
        isInside:
          box.left - outside >= cell.left - 0.5 &&
          box.right + outside <= cell.right + 0.5 &&
          box.top - outside >= cell.top - 0.5 &&
          box.bottom + outside <= cell.bottom + 0.5,
      }
    })
  await page.keyboard.press('Shift+Tab')
  for (const of of ['ring.txt', 'Actions for ring.txt']) {
    await page.keyboard.press('Tab')
    expect(await ring()).toEqual({ of, isVisible: true, isInside: true })
  }
})

test('Esc closes the search of the editor before the tool', async () => {
  await putFile('find.py', 'alpha = 1\nbeta = alpha\n')
  const page = await openGroup()
  const tool = await openTool(page, 'find.py', 'Edit')
  await editorOf(tool).getByText('beta').first().waitFor()
  await page.keyboard.press('Control+f')
  const field = tool.getByRole('textbox', { name: 'Find', exact: true })
  await field.fill('alpha')
  await page.keyboard.press('Escape')
  await field.waitFor({ state: 'detached' })
  await page.keyboard.press('Escape')
  await tool.waitFor({ state: 'detached' })
})

test('reports a file that was changed in the meantime and compares both texts; saving preserves both, discarding loads the newer one after a confirmation', async () => {
  const fid = await putFile('both.py', 'base\n')
  const page = await openGroup()
  const tool = await openTool(page, 'both.py', 'Edit')
  await editorOf(tool).getByText('base').waitFor()
  await page.keyboard.type('mine ')
  const newFid = await putFile('both.py', 'theirs\n')
  const desk = { fields: [{ name: 'Desk', value: 'oil' }] }
  await anna.call(updateFile, { params: { fid: newFid }, body: desk })
  await page.keyboard.press('Control+s')
  const confirmation = page.getByRole('dialog', { name: 'A newer version exists' })
  await confirmation.getByText('You are editing version 1. You saved version 2').waitFor()
  await confirmation.getByRole('button', { name: 'Keep editing' }).click()
  await editorOf(tool).getByText('mine base').waitFor()
  await page.keyboard.press('Control+s')
  // Enter never replaces the version of another user.
  const keep = confirmation.getByRole('button', { name: 'Keep editing' })
  await expect.poll(() => keep.evaluate((button) => button === document.activeElement)).toBe(true)
  await confirmation.getByRole('button', { name: 'Compare', exact: true }).click()
  const lines = confirmation.getByRole('list', { name: 'Changed lines of both.py' }).getByRole('listitem')
  await expect
    .poll(async () => (await lines.allTextContents()).map((line) => line.replace(/[0-9]+/, '').trim()))
    .toEqual(['−Removed: theirs', '+Added: mine base'])
  expect(await accessibilityProblems(page)).toEqual([])
  // The focus is on the button that opened the comparison.
  await page.keyboard.press('Escape')
  await confirmation.waitFor({ state: 'detached' })
  await page.keyboard.press('Control+s')
  await confirmation.getByRole('button', { name: 'Save mine as latest' }).click()
  await page.getByText('New version of file has been saved.').waitFor()
  const { items } = await anna.call(listFileVersions, { params: { fid } })
  expect(await Promise.all(items.map((version) => textOf(version.fid)))).toEqual([
    'mine base\n',
    'theirs\n',
    'base\n',
  ])
  // The text replaces the text of the other user, not their metadata.
  expect(items.map(({ fields }) => fields)).toEqual([{ Desk: 'oil' }, { Desk: 'oil' }, {}])

  await tool.waitFor({ state: 'detached' })
  await openTool(page, 'both.py', 'Edit')
  await editorOf(tool).getByText('mine base').waitFor()
  await page.keyboard.type('lost ')
  await putFile('both.py', 'theirs again\n')
  const note = tool.getByRole('status').filter({ hasText: 'You are editing version 3. You saved version 4' })
  await refreshed(page, note)
  await note.getByRole('button', { name: 'Compare' }).click()
  // Saving preserves both texts; discarding loses one, and requires a confirmation.
  const discard = confirmation.getByRole('button', { name: 'Discard my changes' })
  const isRed = (button: Locator) =>
    button.evaluate((element) => {
      const { color, backgroundColor } = getComputedStyle(element)
      return [color, backgroundColor].some((value) => {
        const [red = 0, green = 0, blue = 0] = value.match(/[\d.]+/g)?.map(Number) ?? []
        return red > green + 60 && red > blue + 60
      })
    })
  expect(await isRed(discard)).toBe(true)
  expect(await isRed(confirmation.getByRole('button', { name: 'Save mine as latest' }))).toBe(false)
  await discard.click()
  const discarding = page.getByRole('dialog', { name: 'Discard your changes?' })
  await discarding.getByRole('button', { name: 'Back' }).click()
  await expect.poll(() => discard.evaluate((element) => element === document.activeElement)).toBe(true)
  expect(await editorOf(tool).innerText()).toContain('lost')
  await discard.click()
  await discarding.getByRole('button', { name: 'Discard changes', exact: true }).click()
  await editorOf(tool).getByText('theirs again').waitFor()
  await tool.getByText('version 4').waitFor()
  await expect.poll(() => tool.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
  expect(await editorOf(tool).innerText()).not.toContain('lost')
})

/** Waits until an open file that is read again, as when its window gets the focus, shows a note. */
async function refreshed(page: Page, note: Locator): Promise<void> {
  await expect
    .poll(async () => {
      await page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')))
      return note.count()
    })
    .toBe(1)
}

test('reports a concurrent save to the second user, and preserves both texts', async () => {
  const fid = await putFile('race.py', 'base\n')
  const page = await openGroup()
  const tool = await openTool(page, 'race.py', 'Edit')
  await editorOf(tool).getByText('base').waitFor()
  await page.keyboard.type('mine ')
  // the other version arrives between the check for the newest version and this upload
  const putTheirs = async (route: Route) => {
    await putFile('race.py', 'theirs\n')
    await route.continue()
  }
  await page.route('**/content?**', putTheirs, { times: 1 })
  await page.keyboard.press('Control+s')
  const confirmation = page.getByRole('dialog', { name: 'A newer version exists' })
  await confirmation.getByText('You are editing version 1. You saved version 2').waitFor()
  await confirmation.getByRole('button', { name: 'Save mine as latest' }).click()
  await page.getByText('New version of file has been saved.').waitFor()
  const { items } = await anna.call(listFileVersions, { params: { fid } })
  const texts = await Promise.all(items.map((version) => textOf(version.fid)))
  expect(texts).toEqual(['mine base\n', 'theirs\n', 'base\n'])
})

test('a save after the access was revoked states that, and preserves the text', async () => {
  await putFile('revoked.py', 'base\n')
  const ben = await stage.server.createUser({ email: 'revoked@example.com' })
  await stage.server.grantGroup({ groupName, userName: ben.userName, access: 'RW' })
  const page = await openGroup(ben)
  const tool = await openTool(page, 'revoked.py', 'Edit')
  await editorOf(tool).getByText('base').waitFor()
  await page.keyboard.type('mine ')
  await anna.call(unshareGroup, { body: { groupName, emails: ['revoked@example.com'] } })
  await refreshed(page, tool.getByText('This file was deleted, or you no longer have access to it.'))
  await page.keyboard.press('Control+s')
  await page
    .getByRole('alert')
    .getByText(
      'The file was not saved: it was deleted, or you no longer have access to it. Copy your text before you close the editor.',
      { exact: true },
    )
    .waitFor()
  await editorOf(tool).getByText('mine base').waitFor()
})

test('unsaved text is preserved when the server cannot be reached', async () => {
  await putFile('kept.py', 'base\n')
  const page = await openGroup()
  const tool = await openTool(page, 'kept.py', 'Edit')
  await editorOf(tool).getByText('base').waitFor()
  await page.keyboard.type('mine ')
  await page.route('**/file', (route) => route.abort())
  await page.keyboard.press('Control+s')
  await page.getByRole('alert').getByText('The server cannot be reached.').waitFor()
  await editorOf(tool).getByText('mine base').waitFor()
})

test('unsaved text is preserved when the file is requested again, and when that fails', async () => {
  await putFile('again.py', 'base\n')
  const page = await openGroup()
  const tool = await openTool(page, 'again.py', 'Edit')
  await editorOf(tool).getByText('base').waitFor()
  await page.keyboard.type('mine ')
  await page.route(/\/file\/[0-9a-f-]{36}/, (route) => route.abort())
  // A page requests its data again when it becomes active or reconnects.
  const groups = page.waitForRequest('**/file**')
  await page.context().setOffline(true)
  await page.context().setOffline(false)
  await groups
  await editorOf(tool).getByText('mine base').waitFor()
  expect(await page.getByText('This could not be loaded').count()).toBe(0)
})

/** A text is changed in one tab, and the user logs out in another. */
async function loseSession(fileName: string, typed: string): Promise<Page> {
  const page = await openGroup()
  const tool = await openTool(page, fileName, 'Edit')
  await editorOf(tool).getByText('first').waitFor()
  await editorOf(tool).press('Control+Home')
  await page.keyboard.type(typed)
  await logOutElsewhere(page, stage.server.url)
  return page
}

test('unsaved text is restored for the same user after the session ended elsewhere, and can be discarded', async () => {
  await putFile('kept.txt', 'first\n')
  await putFile('other.txt', 'other\n')
  const page = await loseSession('kept.txt', 'not saved ')
  await logIn(page, anna.userName)
  const other = await openTool(page, 'other.txt', 'Edit')
  await editorOf(other).getByText('other').waitFor()
  await page.keyboard.press('Escape')
  await other.waitFor({ state: 'detached' })

  const tool = await openTool(page, 'kept.txt', 'Edit')
  await editorOf(tool).getByText('not saved first').waitFor()
  await tool.getByText('You have unsaved changes from').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await tool.getByRole('button', { name: 'Discard changes' }).click()
  await tool.getByText('You have unsaved changes from').waitFor({ state: 'detached' })
  expect(await editorOf(tool).innerText()).not.toContain('not saved')
  expect(await tool.getByRole('button', { name: 'Save', exact: true }).isDisabled()).toBe(true)
})

test('a restored text overwrites changes of others only after a confirmation, and is invisible to other users', async () => {
  await putFile('mine.txt', 'first\n')
  const page = await loseSession('mine.txt', 'mine ')
  const newer = await putFile('mine.txt', 'first and theirs\n')
  await logIn(page, anna.userName)
  const tool = await openTool(page, 'mine.txt', 'Edit')
  await editorOf(tool).getByText('mine first').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByRole('dialog', { name: 'A newer version exists' }).waitFor()
  await page.getByRole('button', { name: 'Save mine as latest' }).click()
  await tool.waitFor({ state: 'detached' })
  const { items } = await anna.call(listFileVersions, { params: { fid: newer }, query: {} })
  expect(await textOf(items[0]!.fid)).toBe('mine first\n')

  const ben = await stage.server.createUser({ email: 'ben-tools@example.com' })
  const lost = await loseSession('mine.txt', 'secret ')
  // The tab learns from the other one that the session has ended.
  await expect.poll(() => lost.evaluate(() => JSON.stringify(sessionStorage))).toContain('secret')
  await logIn(lost, ben.userName)
  await lost.getByRole('navigation', { name: 'Main' }).waitFor()
  expect(await lost.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('secret')
})

test('the accessibility checker finds no problems in the tools', async () => {
  await putFile(
    'check.py',
    '# a comment\nimport math\n\n\nclass Tank:\n    """Holds oil."""\n\n    def fill(self, level=1.5):\n        return math.floor(level) if level else None\n',
  )
  await putFile('check.json', '{"a": [1, true, "text"')
  await putFile('check.md', '# Head\n\nText with a [link](https://example.com) and `code`.\n')
  await putFile('check.png', await png(60, 40))
  await putFile('check.pdf', makePdf(['A page', '']))
  await putFile('check-secret.pdf', makePdf(['A page'], { password: 'x' }))
  const page = await openGroup()
  for (const [name, action, visible] of [
    ['check.py', 'Edit', 'import'],
    ['check.json', 'Edit', 'There is an error'],
    ['check.md', 'Edit', 'Head'],
    ['check.png', 'Preview', '60 × 40'],
    ['check.pdf', 'Preview', 'A page'],
    ['check-secret.pdf', 'Preview', 'Enter the password'],
  ] as const) {
    const tool = await openTool(page, name, action)
    await tool.getByText(visible).first().waitFor()
    expect([name, await accessibilityProblems(page)]).toEqual([name, []])
    if (name === 'check.py') {
      await page.keyboard.press('Control+f')
      await tool.getByRole('textbox', { name: 'Find', exact: true }).waitFor()
      expect(await accessibilityProblems(page)).toEqual([])
      await page.keyboard.press('Escape')
    }
    await page.keyboard.press('Escape')
    await tool.waitFor({ state: 'detached' })
  }
})
