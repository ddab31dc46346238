import { Buffer } from 'node:buffer'
import { beforeAll, expect, test } from 'vitest'
import { listFileVersions } from '@headwater/files/contract'
import type { Session } from '@headwater/server/testing'
import { accessibilityProblems, openAs, stopClock } from './open-browser.ts'
import { makePdf } from './pdf-file.ts'
import { setUpPapers } from './set-up-papers.ts'

const { stage, groupName, putFile, openGroup, openTool, reader, editorOf, textOf, png, ...users } =
  setUpPapers()

let anna: Session
beforeAll(() => {
  anna = users.anna()
})

test('DP-086 DP-087 a text file above 25 MB is not opened; a message offers the download instead', async () => {
  await putFile('large.txt', Buffer.alloc(26_000_000, 'a'))
  const page = await openGroup()
  const tool = await openTool(page, 'large.txt', 'Edit')
  await page.getByText('File is bigger than 25MB, please download a file instead.', { exact: true }).waitFor()
  expect(await tool.count()).toBe(0)
})

test('DP-091 the preview of a 20 MB picture or PDF asks for confirmation first, that of a 19 MB picture does not', async () => {
  const picture = await png(40, 30)
  for (const [name, bytes] of [
    ['19.png', 19_000_000],
    ['20.png', 20_000_000],
  ] as const)
    await putFile(name, Buffer.concat([picture, Buffer.alloc(bytes - picture.length)]))
  await putFile('20.pdf', Buffer.alloc(20_000_000))
  const page = await openGroup()
  let tool = await openTool(page, '19.png', 'Preview')
  await tool.getByText('40 × 30 pixels').waitFor()
  await page.keyboard.press('Escape')
  const downloads: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/download')) downloads.push(request.url())
  })
  const paper = await openTool(page, '20.pdf', 'Preview')
  await paper.getByText('Open this large file?').waitFor()
  await page.keyboard.press('Escape')
  await paper.waitFor({ state: 'detached' })
  tool = await openTool(page, '20.png', 'Preview')
  await tool.getByText('Open this large file?').waitFor()
  expect(downloads).toEqual([])
  await tool.getByRole('button', { name: 'Show it' }).click()
  await tool.getByText('40 × 30 pixels').waitFor()
})

test('a notebook is displayed with its text, code and outputs; users with write access see its JSON beside it', async () => {
  const picture = (await png(20, 10)).toString('base64')
  const outputs = [{ output_type: 'display_data', data: { 'image/png': picture } }]
  const cells = [
    { cell_type: 'markdown', source: ['# Spreads <img src=x onerror=alert(1)>'] },
    { cell_type: 'code', source: ['spread = 1'], outputs },
  ]
  await putFile('book.ipynb', JSON.stringify({ cells }))
  const page = await openGroup()
  const tool = await openTool(page, 'book.ipynb', 'Edit')
  const preview = tool.getByRole('group', { name: 'Preview of book.ipynb' })
  await preview.getByRole('heading', { name: 'Spreads' }).waitFor()
  await preview.getByText('spread = 1').waitFor()
  const widthOf = (image: Element) => (image as HTMLImageElement).naturalWidth
  await expect.poll(() => preview.getByRole('img', { name: 'Output' }).evaluate(widthOf)).toBe(20)
  expect(await preview.locator('[onerror]').count()).toBe(0)
  await editorOf(tool).getByText('cell_type').first().waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const view = await openTool(await openGroup(await reader('notebooks@example.com')), 'book.ipynb', 'View')
  await view.getByRole('heading', { name: 'Spreads' }).waitFor()
  expect(await editorOf(view).count()).toBe(0)
})

test('the preview of a notebook without cells states this', async () => {
  await putFile('bare.ipynb', JSON.stringify({ cells: [] }))
  const tool = await openTool(await openGroup(), 'bare.ipynb', 'Edit')
  await tool.getByRole('note').getByText('This notebook has no cells.', { exact: true }).waitFor()
})

test('DP-199 DP-201 an image opens; a file that is not an image shows a message', async () => {
  await putFile('teal.png', await png(300, 200))
  await putFile('none.png', 'no picture')
  await putFile('cut.png', (await png(50, 50)).subarray(0, 30))
  const page = await openGroup()
  const tool = await openTool(page, 'teal.png', 'Preview')
  await tool.getByRole('img', { name: 'teal.png' }).waitFor()
  await tool.getByText('300 × 200 pixels').waitFor()
  await page.keyboard.press('Escape')
  for (const name of ['none.png', 'cut.png']) {
    const broken = await openTool(page, name, 'Preview')
    await broken.getByText('Image could not be loaded.', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await broken.waitFor({ state: 'detached' })
  }
})

test('DP-200 the image preview is removed 200 ms after it is closed', async () => {
  await putFile('motion.png', await png(30, 30))
  const page = await stage.newPage({ reducedMotion: 'no-preference' })
  await page.clock.install()
  await openAs(page, stage.server.url, anna.userName, `/Lake/Groups/${groupName}`)
  const tool = await openTool(page, 'motion.png', 'Preview')
  await tool.getByText('30 × 30 pixels').waitFor()
  await stopClock(page)
  await page.keyboard.press('Escape')
  await page.clock.runFor(199)
  expect(await tool.count()).toBe(1)
  await page.clock.runFor(1)
  await expect.poll(() => tool.count()).toBe(0)
})

test('an SVG picture runs no script and loads nothing; one with endless references is not drawn', async () => {
  const svg = (body: string) =>
    `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" width="90" height="60">${body}</svg>`
  await putFile(
    'script.svg',
    svg(
      '<script>window.top.hacked = 1</script><image xlink:href="/asked-for.png" width="9" height="9"/>' +
        '<rect width="90" height="60" fill="teal" onload="window.top.hacked = 1"/>',
    ),
  )
  const levels = Array.from(
    { length: 9 },
    (_, at) => `<g id="g${at + 1}">${`<use xlink:href="#g${at}"/>`.repeat(10)}</g>`,
  ).join('')
  await putFile('bomb.svg', svg(`<defs><g id="g0"><rect/></g>${levels}</defs><use xlink:href="#g9"/>`))
  const page = await openGroup()
  const sent: string[] = []
  page.on('request', (request) => sent.push(request.url()))
  const tool = await openTool(page, 'script.svg', 'Preview')
  await tool.getByText('90 × 60 pixels').waitFor()
  expect(await page.evaluate('window.hacked')).toBe(undefined)
  expect(sent.filter((url) => url.includes('asked-for'))).toEqual([])
  await page.keyboard.press('Escape')
  const bomb = await openTool(page, 'bomb.svg', 'Preview')
  await bomb.getByText('too complex to draw').waitFor()
})

test('DP-204 DP-208 DP-209 a PDF is shown page by page, an empty page is marked, and the zoom ranges from 0.25 to 3 in steps of 0.25', async () => {
  await putFile('two.pdf', makePdf(['First page', ''], { script: 'app.alert\\(1\\)' }))
  const page = await openGroup()
  const alerts: string[] = []
  page.on('dialog', (dialog) => {
    alerts.push(dialog.message())
    void dialog.dismiss()
  })
  const tool = await openTool(page, 'two.pdf', 'Preview')
  await tool.getByText('First page').waitFor()
  await tool.getByText('Page 1 of 2').waitFor()
  const slider = tool.getByRole('slider', { name: 'Zoom' })
  const range = await slider.evaluate((input: HTMLInputElement) => [input.min, input.max, input.step])
  expect(range).toEqual(['0.25', '3', '0.25'])
  const first = tool.getByRole('group', { name: 'Page 1 of 2' })
  const width = async () => Math.round((await first.boundingBox())!.width)
  await expect.poll(width).toBe(793)
  await slider.press('ArrowLeft')
  await tool.getByText('75%').waitFor()
  await expect.poll(width).toBe(595)
  await slider.press('Home')
  await expect.poll(width).toBe(198)
  await tool
    .getByRole('group', { name: 'Page 2 of 2' })
    .getByText('Page is empty.', { exact: true })
    .waitFor()
  expect(await first.getByText('Page is empty.').count()).toBe(0)
  await slider.press('End')
  await tool.getByText('300%').waitFor()
  expect(alerts).toEqual([])
})

test('DP-205 DP-206 a protected PDF prompts for its password until it is correct', async () => {
  await putFile('secret.pdf', makePdf(['For your eyes'], { password: 'opensesame' }))
  const page = await openGroup()
  const tool = await openTool(page, 'secret.pdf', 'Preview')
  await tool.getByText('Enter the password to open this PDF file.', { exact: true }).waitFor()
  const field = tool.getByLabel('Password')
  await field.fill('guess')
  await field.press('Enter')
  await tool.getByText('Invalid password. Please try again.', { exact: true }).waitFor()
  await field.fill('opensesame')
  await tool.getByRole('button', { name: 'Open', exact: true }).click()
  await tool.getByText('For your eyes').waitFor()
})

test('DP-207 an empty PDF and a damaged PDF each show a message', async () => {
  await putFile('empty.pdf', '')
  await putFile('damaged.pdf', '%PDF-1.7\nnothing of the kind')
  const page = await openGroup()
  const tool = await openTool(page, 'empty.pdf', 'Preview')
  await tool.getByText('File is empty.', { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  const damaged = await openTool(page, 'damaged.pdf', 'Preview')
  await damaged.getByText('damaged.pdf cannot be read as a PDF.').waitFor()
})

test('DP-190 DP-191 a markdown file is rendered beside its text, and can be edited and saved; its calls are not those of other files', async () => {
  const fid = await putFile('notes.md', '# Storage\n\nTanks are **full**.\n')
  const page = await openGroup()
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/file(\/[^/]+\/(content|download|markdown))?$/.test(pathname))
      calls.push(`${request.method()} ${pathname}`)
  })
  const tool = await openTool(page, 'notes.md', 'Edit')
  await tool.getByRole('heading', { name: 'Storage' }).waitFor()
  await editorOf(tool).getByText('# Storage').waitFor()
  await page.keyboard.press('Control+End')
  await page.keyboard.type('\n- one\n')
  await tool.getByRole('listitem').getByText('one').waitFor()
  await tool.getByRole('button', { name: 'Save' }).click()
  await page.getByText('New version of file has been saved.').waitFor()
  const { items } = await anna.call(listFileVersions, { params: { fid } })
  expect(await textOf(items[0]!.fid)).toContain('- one')
  expect(calls).toEqual([`GET /file/${fid}/markdown`, `PUT /file/${fid}/markdown`])
})

test('HTML in markdown has no effect; links to scripts and links to other sites without a scheme are removed', async () => {
  await putFile(
    'hostile.md',
    '<script>window.hacked = 1</script><img src=x onerror="window.hacked = 1">\n\n[click](javascript:window.hacked=1)\n\n' +
      '[elsewhere](//evil.example/x) <a href="/\\evil.example/x">back</a>\n\n' +
      `${'> '.repeat(3000)}deep\n`,
  )
  const page = await openGroup(await reader('hostile@example.com'))
  const tool = await openTool(page, 'hostile.md', 'View')
  const rendered = tool.getByRole('group', { name: 'Preview of hostile.md' })
  await rendered.getByText('window.hacked = 1').first().waitFor()
  expect(await rendered.locator('script, img, a[href]').count()).toBe(0)
  expect(await page.evaluate('window.hacked')).toBe(undefined)
})

test('markdown that takes very long to parse opens without highlighting, and can be edited', async () => {
  await putFile('slow.md', '[a](<b'.repeat(100_000))
  const page = await openGroup()
  const tool = await openTool(page, 'slow.md', 'Edit')
  await editorOf(tool).getByText('[a](<b').first().waitFor()
  await page.keyboard.type('mine ')
  await editorOf(tool).getByText('mine [a]').waitFor()
})

test('very large and deeply nested JSON opens, and can be edited', async () => {
  await putFile('deep.json', '['.repeat(400_000))
  await putFile('wide.json', `[${'{"a": [1, 2, 3], "b": "text"}, '.repeat(400_000)}0]`)
  const page = await openGroup()
  for (const name of ['deep.json', 'wide.json']) {
    const tool = await openTool(page, name, 'Edit')
    await editorOf(tool).getByText('[').first().waitFor()
    await page.keyboard.press('Control+Home')
    await page.keyboard.type('x')
    await tool.getByText('There is an error in the file syntax.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Close without saving' }).click()
    await tool.waitFor({ state: 'detached' })
  }
})

test('a file that is not UTF-8 text is not opened as text', async () => {
  await putFile('binary.txt', Buffer.from([0x66, 0xfc, 0x00, 0x72]))
  const page = await openGroup()
  const tool = await openTool(page, 'binary.txt', 'Edit')
  await tool.getByText('This file is not text').waitFor()
  expect(await tool.getByRole('button', { name: 'Save' }).count()).toBe(0)
})
