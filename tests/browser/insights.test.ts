import { readFile } from 'node:fs/promises'
import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { getSettings } from '@headwater/accounts/contract'
import { createGroup, getGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight, getInsight, updateInsight } from '@headwater/insights/contract'
import { type Session, uploadSeries } from '@headwater/server/testing'
import { accessibilityProblems, openAs, pollClock, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session
let ben: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  ben = await stage.server.createUser({ email: 'ben@example.com' })
  for (const name of ['Prices', 'Reports', 'Hidden', 'Remarked'])
    await anna.call(createGroup, { body: { name } })
  await uploadSeries(anna, { groupName: 'Prices', fileName: 'prices.csv', content: pricesFile() })
  await uploadSeries(anna, {
    groupName: 'Hidden',
    fileName: 'hidden.csv',
    content: 'Code,Date,Close\nSECRET,2026-01-01,1\n',
  })
  await uploadSeries(anna, { groupName: 'Prices', fileName: 'many.csv', content: manyRows() })
  await uploadSeries(anna, {
    groupName: 'Remarked',
    fileName: 'remarks.csv',
    content: 'Code,Date,Close,Remark(S)\nA1,2026-01-01,1,checked\n',
  })
})

function pricesFile(): string {
  const lines = ['Brent', 'WTI'].flatMap((code, at) =>
    Array.from({ length: 600 }, (_, day) => {
      const date = new Date(Date.UTC(2025, 0, 1 + day)).toISOString().slice(0, 10)
      return `${code},${date},${(60 + 10 * at + 8 * Math.sin(day / 30)).toFixed(2)}`
    }),
  )
  return ['Code,Date,Close', ...lines].join('\n')
}

/** 100,000 hours of one symbol. */
function manyRows(): string {
  const lines = Array.from({ length: 100_000 }, (_, hour) => {
    const time = new Date(Date.UTC(2010, 0, 1, hour)).toISOString().slice(0, 19)
    return `MANY,${time},${hour}`
  })
  return ['Code,Date,Close', ...lines].join('\n')
}

const series = (code: string, more: object = {}) => ({
  label: code,
  groupName: 'Prices',
  symbolList: [{ Code: code }],
  column: 'Close',
  ...more,
})
const requested = (groupName: string, Code: string) => ({ symbols: [{ groupName, symbols: { Code } }] })

async function makeInsight(insightName: string, tiles: object[], datapreps: object = {}, more: object = {}) {
  const content = { ...emptyContent(), tiles, datapreps } as never
  await anna.call(createInsight, { body: { insightName, groupName: 'Reports', content, ...more } })
}

async function open(
  path: string,
  session: Session = anna,
  options: BrowserContextOptions = {},
): Promise<Page> {
  return stage.open(path, session, options)
}

const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const toasts = (page: Page) => page.getByLabel('Notifications')
const titles = (page: Page) => page.locator('[data-tile-id] h2').allTextContents()
const selectedTitles = (page: Page) => page.locator('[data-tile-id] [data-selected] h2').allTextContents()
const insightOf = (insightName: string, groupName = 'Reports') =>
  anna.call(getInsight, { params: { groupName, insightName } })

/** Saves a tile as a file through its menu. */
async function saved(page: Page, title: string, format: 'PNG' | 'SVG' | 'CSV') {
  const waiting = page.waitForEvent('download')
  await tile(page, title)
    .getByRole('button', { name: `Actions for ${title}` })
    .click()
  await page.getByRole('menuitem', { name: `Save as ${format}` }).click()
  const download = await waiting
  return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) }
}

async function savedText(page: Page, title: string, format: 'CSV'): Promise<string> {
  return (await saved(page, title, format)).bytes.toString('utf8')
}

/** Presses the handle of a tile and moves the pointer to a side of another one, without letting go. */
async function hold(page: Page, title: string, to: string, side: 'left' | 'right' | 'above' | 'below') {
  const handle = page.getByRole('button', { name: `Move ${title}` })
  await standing(handle)
  await handle.hover()
  await page.mouse.down()
  await expect.poll(() => handle.evaluate((element) => element.matches(':active'))).toBe(true)
  const { x, y, width, height } = await boxOf(tile(page, to))
  const target = {
    left: { x: x + 20, y: y + height / 2 },
    right: { x: x + width - 20, y: y + height / 2 },
    above: { x: x + width / 2, y: y + 10 },
    below: { x: x + width / 2, y: y + height - 10 },
  }[side]
  await page.mouse.move(target.x, target.y, { steps: 5 })
}

/** Waits until an element no longer moves. */
async function standing(locator: Locator) {
  let before = ''
  await expect
    .poll(
      async () => {
        const last = before
        before = JSON.stringify(await locator.boundingBox())
        return before === last
      },
      { interval: 150 },
    )
    .toBe(true)
}

async function boxOf(locator: Locator) {
  await locator.waitFor()
  return (await locator.boundingBox())!
}

test('IN-015 IN-022 IN-101 IN-135 IN-139 IN-144 IN-176 a new insight can be built, saved and listed', async () => {
  const page = await open('/insight')
  await page.getByRole('tab', { name: 'Visualisations' }).waitFor()
  await page.getByRole('link', { name: 'New insight' }).first().click()
  await page.getByRole('button', { name: /^Quick chart/ }).click()
  const picker = page.getByRole('dialog', { name: 'Add series' })
  await picker.getByRole('button', { name: /^Prices/ }).click()
  await picker.getByRole('button', { name: 'Brent, Close' }).click()
  await picker.getByRole('button', { name: 'WTI, Close' }).click()
  const request = page.waitForRequest((each) => each.url().endsWith('/insight/draft/data'))
  await picker.getByRole('button', { name: 'Add series' }).click()
  const range = {
    range: 'LAST',
    lastType: 'VALUES',
    lastTypeAmount: 500,
    timeZone: 'UTC',
    decimalPrecision: 2,
    roundingMode: 'HALF_UP',
  }
  expect((await request).postDataJSON()).toMatchObject({ content: { tiles: [range] } })
  const title = 'Close of Brent and WTI'
  await tile(page, title).locator('canvas').first().waitFor()
  expect(new URL(page.url()).hash).toBe(`#${encodeURIComponent(title)}`)
  expect(await selectedTitles(page)).toEqual([title])
  expect(page.url()).not.toContain('refreshToken')

  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'Save insight' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('An insight needs a name.').waitFor()
  await dialog.getByLabel('Name').fill('Crude oil')
  await dialog.getByText('An insight needs a name.').waitFor({ state: 'detached' })
  await dialog.getByLabel('Group', { exact: true }).fill('Repor')
  await page.getByRole('option', { name: 'Reports' }).click()
  await dialog.getByLabel('Description').fill('Both kinds')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await toasts(page).getByText('Insight has been created.', { exact: true }).waitFor()
  await page.waitForURL('**/Insight/Reports/Crude%20oil')
  await tile(page, title).locator('canvas').first().waitFor()

  await page.goBack()
  expect(new URL(page.url()).pathname.toLowerCase()).toBe('/insight')
  await page.getByRole('row', { name: /Crude oil/ }).waitFor()
  await page.getByRole('link', { name: 'Crude oil' }).click()
  await page.waitForURL('**/Insight/Reports/Crude%20oil')
  await page.reload()
  await page.getByText('Both kinds').waitFor()
  const stored = await insightOf('Crude oil')
  expect(stored.content.tiles[0]).toMatchObject({
    title,
    series: [
      { label: 'Brent', groupName: 'Prices', symbolList: [{ Code: 'Brent' }] },
      { label: 'WTI', groupName: 'Prices', symbolList: [{ Code: 'WTI' }] },
    ],
  })
  expect(stored.content.datapreps).toMatchObject({
    [stored.content.tiles[0]!.id]: { symbols: [{ groupName: 'Prices', symbols: { Code: 'Brent' } }, {}] },
  })
})

test('IN-023 IN-100 IN-138 IN-139 IN-140 IN-141 IN-143 IN-144 tiles are added, duplicated, moved and saved on the same page; undo works', async () => {
  await makeInsight('Workshop', [
    {
      id: 'a',
      title: 'A',
      type: 'Text',
      tileWidth: 'half',
      source: { type: 'EDITOR' },
      templateContent: 'one',
    },
    { id: 'b', title: 'B', type: 'HOLOGRAM', tileWidth: 'half', depth: 7 },
  ])
  const page = await open('/Insight/Reports/Workshop')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByText('editing · v1').waitFor()
  const entries = await page.evaluate(() => history.length)
  await tile(page, 'A').getByRole('heading', { name: 'A' }).click()
  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name: 'Table' }).click()
  await page.getByRole('dialog', { name: 'Add series' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => titles(page)).toEqual(['A', 'Table', 'B'])
  await expect.poll(() => selectedTitles(page)).toEqual(['Table'])
  await expect.poll(() => new URL(page.url()).hash).toBe('#Table')
  const { y, height } = await boxOf(tile(page, 'Table'))
  expect(y + 2 * height).toBeGreaterThan(900)
  await tile(page, 'Table').getByRole('button', { name: 'Duplicate tile' }).click()
  await expect.poll(() => titles(page)).toEqual(['A', 'Table', 'Table(1)', 'B'])
  await expect.poll(() => new URL(page.url()).hash).toBe('#Table(1)')
  await expect.poll(async () => (await boxOf(tile(page, 'Table(1)'))).y).toBeLessThanOrEqual(900 - height)

  await tile(page, 'A').getByRole('heading', { name: 'A' }).click()
  await page.getByRole('button', { name: 'Move A' }).focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await expect.poll(() => titles(page)).toEqual(['Table', 'Table(1)', 'A', 'B'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => titles(page)).toEqual(['A', 'Table', 'Table(1)', 'B'])

  await tile(page, 'Table(1)').getByRole('button', { name: 'Actions for Table(1)' }).click()
  await page.getByRole('menuitem', { name: 'Delete tile' }).click()
  await expect.poll(() => titles(page)).toEqual(['A', 'Table', 'B'])
  await page.getByRole('button', { name: 'Undo' }).last().click()
  await expect.poll(() => titles(page)).toEqual(['A', 'Table', 'Table(1)', 'B'])

  await page
    .getByRole('button', { name: 'Move Table(1)' })
    .dragTo(tile(page, 'Table'), { targetPosition: { x: 200, y: 8 } })
  await expect.poll(() => titles(page)).toEqual(['A', 'Table(1)', 'Table', 'B'])
  await page.getByRole('button', { name: 'Undo' }).first().click()
  await expect.poll(() => titles(page)).toEqual(['A', 'Table', 'Table(1)', 'B'])

  await tile(page, 'A').getByRole('heading', { name: 'A' }).click()
  await page.getByLabel('Markdown').fill('## New words')
  await tile(page, 'A').getByRole('heading', { name: 'New words' }).waitFor()
  await page.getByRole('tab', { name: 'Style' }).click()
  await page.getByLabel('Title', { exact: true }).fill('B/?')
  await page.keyboard.press('Control+s')
  await toasts(page).getByText('Insight has been saved.', { exact: true }).waitFor()
  // The message appears before the page has left the builder.
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  expect(await page.evaluate(() => history.length)).toBe(entries)
  expect(new URL(page.url()).pathname).toBe('/Insight/Reports/Workshop')
  expect(new URL(page.url()).search).toBe('')
  const { content, version } = await insightOf('Workshop')
  expect(version).toBe(2)
  await page.evaluate(`window.navigated = 0; navigation.addEventListener('navigate', () => (navigated += 1))`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename, move or tag' }).click()
  await page.getByRole('dialog').getByLabel('Description').fill('Of one name')
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Of one name', { exact: true }).waitFor()
  expect(await page.evaluate('navigated')).toBe(0)
  expect(content.tiles.map(({ title }) => title)).toEqual(['B(1)', 'Table', 'Table(1)', 'B'])
  expect(new Set(content.tiles.map(({ id }) => id)).size).toBe(4)
  expect(content.tiles[0]).toMatchObject({ templateContent: '## New words' })
  expect(content.tiles[3]).toMatchObject({ type: 'HOLOGRAM', depth: 7 })
})

test('IN-143 a tile can be dragged up and down, over half and full ones, and past the edge of the window', async () => {
  const text = (title: string, tileWidth: string) => ({ id: title, title, type: 'Text', tileWidth })
  await makeInsight('Dragged', [
    text('A', 'half'),
    text('B', 'half'),
    text('C', 'full'),
    text('D', 'half'),
    text('E', 'full'),
    text('F', 'full'),
  ])
  const page = await open('/Insight/Reports/Dragged?edit=true', anna, {
    viewport: { width: 1440, height: 2400 },
  })
  await page.getByText('No text yet').nth(4).waitFor()
  const drag = (title: string, to: string, at: 'left' | 'right' | 'above' | 'below') =>
    hold(page, title, to, at).then(() => page.mouse.up())
  await drag('A', 'B', 'right')
  await expect.poll(() => titles(page)).toEqual(['B', 'A', 'C', 'D', 'E', 'F'])
  await drag('C', 'B', 'left')
  await expect.poll(() => titles(page)).toEqual(['C', 'B', 'A', 'D', 'E', 'F'])
  await drag('C', 'D', 'right')
  await expect.poll(() => titles(page)).toEqual(['B', 'A', 'D', 'C', 'E', 'F'])
  await drag('B', 'C', 'below')
  await expect.poll(() => titles(page)).toEqual(['A', 'D', 'C', 'B', 'E', 'F'])

  await page.setViewportSize({ width: 1440, height: 900 })
  await page.getByRole('button', { name: 'Move A' }).hover()
  await page.mouse.down()
  await page.mouse.move(600, 890, { steps: 4 })
  await expect.poll(async () => (await boxOf(tile(page, 'F'))).y, { timeout: 20_000 }).toBeLessThan(600)
  await page.mouse.up()
  await expect.poll(() => titles(page)).toEqual(['D', 'C', 'B', 'E', 'F', 'A'])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Insight has been saved.').waitFor()
  const { content } = await insightOf('Dragged')
  expect(content.tiles.map(({ title }) => title)).toEqual(['D', 'C', 'B', 'E', 'F', 'A'])
})

test('IN-113 IN-114 a tile is resized by its edges, its corner and the arrow keys, in the listed sizes only', async () => {
  const text = (title: string, tileWidth: string) => ({ id: title, title, type: 'Text', tileWidth })
  await makeInsight('Resized', [text('A', 'half'), text('B', 'half')])
  const page = await open('/Insight/Reports/Resized?edit=true')
  await page.getByText('No text yet').nth(1).waitFor()
  const outline = page.locator('[data-resize-outline]')
  const size = async () => {
    const { width, height } = await boxOf(tile(page, 'A'))
    return { width, height }
  }
  // The code of the edges arrives after the tiles.
  for (const title of ['A', 'B']) await page.getByRole('button', { name: `Resize ${title}` }).waitFor()
  const row = Math.round(0.18 * 900)
  const heights = { quarter: row, half: 2 * row + 12, full: 4 * row + 36 }
  const half = await size()
  expect(half.height).toBe(heights.half)
  const pull = async (from: 'right' | 'bottom', by: number) => {
    await page.mouse.move(1, 1)
    const { x, y, width, height } = await boxOf(tile(page, 'A'))
    const [startX, startY] = from === 'right' ? [x + width + 4, y + 60] : [x + 60, y + height + 4]
    await page.mouse.move(startX, startY)
    await page.mouse.down()
    const [stepX, stepY] = from === 'right' ? [by, 0] : [0, by]
    await page.mouse.move(startX + stepX, startY + stepY, { steps: 4 })
  }

  await pull('right', half.width * 0.7)
  await outline.getByText('Full width, half height (100% × 50%)').waitFor()
  await page.keyboard.press('Escape')
  await outline.waitFor({ state: 'detached' })
  await page.mouse.up()
  await expect.poll(size).toEqual(half)
  await expect.poll(() => page.getByRole('button', { name: 'Undo' }).isDisabled()).toBe(true)

  await pull('right', half.width * 0.7)
  await page.mouse.up()
  await expect.poll(async () => (await size()).width).toBe(2 * half.width + 12)
  await pull('bottom', -row * 0.8)
  await outline.getByText('Full width, quarter height (100% × 25%)').waitFor()
  await page.mouse.up()
  await expect.poll(async () => (await size()).height).toBe(heights.quarter)
  await expect.poll(() => selectedTitles(page)).toEqual(['A'])
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(size).toEqual({ width: 2 * half.width + 12, height: heights.half })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(size).toEqual(half)

  const handle = page.getByRole('button', { name: 'Resize A' })
  await handle.dragTo(page.getByRole('button', { name: 'Resize B' }), { targetPosition: { x: 10, y: 4 } })
  await expect.poll(async () => (await size()).width).toBe(2 * half.width + 12)
  await handle.focus()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowUp')
  await page.getByRole('status').getByText('A: Half width, quarter height.').waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await page.getByRole('status').getByText('A: Half width, full height.').waitFor()
  await expect.poll(size).toEqual({ width: half.width, height: heights.full })
  await tile(page, 'A').getByRole('heading').click()
  await page.getByRole('tooltip').waitFor({ state: 'detached' })
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Insight has been saved.').waitFor()
  const { content } = await insightOf('Resized')
  expect(content.tiles[0]).toMatchObject({ tileWidth: 'half', tileHeight: 'full' })
})

test('Escape, or releasing outside the tiles or at the start, cancels a drag', async () => {
  const text = (title: string) => ({ id: title, title, type: 'Text', tileHeight: 'quarter' })
  await makeInsight('Kept', [text('A'), text('B'), text('C')])
  const page = await open('/Insight/Reports/Kept?edit=true')
  const undo = page.getByRole('button', { name: 'Undo' })
  const marked = page.locator('[data-drop]')
  await hold(page, 'A', 'C', 'below')
  await expect.poll(() => marked.count()).toBe(1)
  await page.keyboard.press('Escape')
  await expect.poll(() => marked.count()).toBe(0)
  await page.mouse.up()
  await hold(page, 'A', 'B', 'above')
  await page.mouse.up()
  await hold(page, 'C', 'A', 'above')
  await expect.poll(() => marked.count()).toBe(1)
  await page.mouse.move(40, 400, { steps: 3 })
  await expect.poll(() => marked.count()).toBe(0)
  await page.mouse.up()
  await tile(page, 'B').getByRole('heading').click()
  await expect.poll(() => titles(page)).toEqual(['A', 'B', 'C'])
  await expect.poll(() => undo.isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
})

test('IN-146 IN-147 IN-148 IN-149 a tile configuration is exported, and imported into a tile of the same type only', async () => {
  const dataPrepOf = (Code: string) => ({ symbols: [{ groupName: 'Prices', symbols: { Code } }] })
  await makeInsight(
    'Settings',
    [
      { id: 'c', title: 'Chart', type: 'Chart', series: [series('Brent')] },
      { id: 't', title: 'Words', type: 'Text' },
    ],
    { c: dataPrepOf('Brent') },
  )
  const page = await open('/Insight/Reports/Settings?edit=true')
  await tile(page, 'Chart').getByRole('heading').click()
  const download = page.waitForEvent('download')
  await tile(page, 'Chart').getByRole('button', { name: 'Export configuration' }).click()
  const path = await (await download).path()
  const exported = JSON.parse(await readFile(path, 'utf8')) as {
    tile: { series: object[] }
    dataPrep: object
  }
  expect(exported).toMatchObject({ tile: { series: [series('Brent')] }, dataPrep: dataPrepOf('Brent') })

  const choose = async (title: string, text: string) => {
    await tile(page, title).getByRole('heading').click()
    await page.getByRole('tab', { name: 'Style' }).click()
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Import configuration' }).click()
    await (
      await chooser
    ).setFiles({ name: 'tile.json', mimeType: 'application/json', buffer: Buffer.from(text) })
  }
  await choose('Words', JSON.stringify(exported))
  await page
    .getByText(
      'Imported configuration tile type missmatch. Expected tile type was Text, received: Chart. Are you sure a proper configuration file was selected?',
      { exact: true },
    )
    .waitFor()
  expect(await page.getByText('Configuration applied succesfully.').count()).toBe(0)
  expect(await page.getByRole('tab', { name: 'Series' }).count()).toBe(0)
  exported.tile.series = [series('WTI', { label: 'From a file' })]
  exported.dataPrep = dataPrepOf('WTI')
  await choose('Chart', JSON.stringify(exported))
  await toasts(page).getByText('Configuration applied succesfully.', { exact: true }).waitFor()
  await page.getByRole('tab', { name: 'Series' }).click()
  await page.getByRole('button', { name: 'From a file · Close' }).waitFor()
  await page.keyboard.press('Control+s')
  await toasts(page).getByText('Insight has been saved.', { exact: true }).waitFor()
  const { content } = await insightOf('Settings')
  expect(content.tiles[0]).toMatchObject({ id: 'c', title: 'Chart', series: exported.tile.series })
  expect(content.datapreps).toEqual({ c: dataPrepOf('WTI') })
})

test('leaving a page with unsaved changes needs a confirmation, and a cancelled edit is discarded', async () => {
  await makeInsight('Guarded', [{ id: 'a', title: 'A', type: 'Text', templateContent: 'one' }])
  const page = await open('/Insight/Reports/Guarded?edit=true')
  await tile(page, 'A').getByRole('heading').click()
  await page.getByLabel('Markdown').fill('two')
  await page.getByRole('link', { name: 'Data lake' }).click()
  const guard = page.getByRole('dialog', { name: 'Unsaved changes' })
  await guard.getByRole('button', { name: 'Stay' }).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await guard.getByRole('button', { name: 'Discard' }).click()
  await tile(page, 'A').getByText('one').waitFor()
  await page.getByRole('link', { name: 'Data lake' }).click()
  await page.waitForURL('**/Lake**')
})

test('leaving or reloading the page while a title is being typed needs a confirmation', async () => {
  await makeInsight('Typed', [
    { id: 'a', title: 'A', type: 'Text' },
    { id: 'b', title: 'Oil', type: 'Text' },
  ])
  const page = await open('/Insight')
  await page.getByRole('link', { name: 'Typed' }).click()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  await tile(page, 'A').getByRole('heading').click()
  await page.getByRole('tab', { name: 'Style' }).click()
  const title = page.getByLabel('Title', { exact: true })
  await title.fill('')
  await title.pressSequentially('Oil and gas')
  await tile(page, 'Oil and gas').waitFor()

  await page.evaluate(() => history.back())
  const guard = page.getByRole('dialog', { name: 'Unsaved changes' })
  await guard.getByRole('button', { name: 'Stay' }).click()
  const requested = page.waitForEvent('dialog')
  await page.evaluate(() => void setTimeout(() => location.reload()))
  const dialog = await requested
  expect(dialog.type()).toBe('beforeunload')
  await dialog.dismiss()

  await title.fill('Oil')
  await expect.poll(() => title.inputValue()).toBe('Oil')
  await page.getByLabel('Width').focus()
  await expect.poll(() => title.inputValue()).toBe('Oil(1)')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => titles(page)).toEqual(['A', 'Oil'])
})

test('an insight that another user has saved in the meantime is overwritten only after confirmation', async () => {
  await makeInsight('Shared', [{ id: 'a', title: 'A', type: 'Text', templateContent: 'one' }])
  const page = await open('/Insight/Reports/Shared?edit=true')
  await tile(page, 'A').getByRole('heading').click()
  await page.getByLabel('Markdown').fill('mine')
  const content = {
    ...emptyContent(),
    tiles: [{ id: 'a', title: 'A', type: 'Text', templateContent: 'theirs' }],
  }
  await stage.server.admin.call(updateInsight, {
    body: { oldGroupName: 'Reports', oldInsightName: 'Shared', content },
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'A newer version exists' })
  await dialog.getByRole('button', { name: 'Keep editing' }).click()
  expect((await insightOf('Shared')).content.tiles[0]).toMatchObject({ templateContent: 'theirs' })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.getByRole('button', { name: 'Save mine as latest' }).click()
  await page.getByText('Insight has been saved.').waitFor()
  expect((await insightOf('Shared')).content.tiles[0]).toMatchObject({ templateContent: 'mine' })
})

test('IN-022 IN-095 IN-101 IN-103 IN-105 an insight is copied, moved and deleted', async () => {
  await makeInsight('Original', [{ id: 'a', title: 'A', type: 'Text', templateContent: 'one' }])
  await anna.call(createGroup, { body: { name: 'Archive' } })
  const page = await stage.newPage()
  /** Waits for the page of an insight: its URL changes before the page of the earlier insight disappears. */
  const displayed = async (...names: string[]) => {
    await page.waitForURL(`**/Insight/${names.join('/')}`)
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
    for (const name of names) await crumbs.getByText(name, { exact: true }).waitFor()
  }
  await page.clock.install()
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/Original')
  await page.getByRole('button', { name: 'More actions' }).click()
  const entries = await page.evaluate(() => history.length)
  await page.getByRole('menuitem', { name: 'Save a copy' }).click()
  let dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Original')
  await dialog.getByRole('button', { name: 'Save copy' }).click()
  await dialog.getByText('already has an insight “Original”').first().waitFor()
  await dialog.getByLabel('Name').fill('Twin')
  // The form prevents most of these errors, so the response of the server is replaced once.
  const refusedFields = ['insightName', 'groupName', 'description', 'tags[1]', 'image']
  await page.route(
    '**/insights',
    (route) =>
      route.fulfill({
        status: 400,
        json: {
          status: 400,
          code: 'notValid',
          message: 'Not valid',
          validationErrors: refusedFields.map((name) => ({ field: name, message: `Refused: ${name}.` })),
        },
      }),
    { times: 1 },
  )
  await dialog.getByRole('button', { name: 'Save copy' }).click()
  for (const [at, label] of ['Name', 'Group', 'Description', 'Tags', 'Logo'].entries()) {
    const error = dialog.getByText(`Refused: ${refusedFields[at]}.`, { exact: true })
    const fieldLabel = () => error.evaluate((note) => note.parentElement?.querySelector('label')?.textContent)
    await expect.poll(fieldLabel).toBe(label)
  }
  await dialog.getByRole('button', { name: 'Save copy' }).click()
  await toasts(page).getByText('New Insight has been created.', { exact: true }).waitFor()
  await displayed('Reports', 'Twin')

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename, move or tag' }).click()
  dialog = page.getByRole('dialog')
  await dialog.getByLabel('Group', { exact: true }).fill('Archi')
  await page.getByRole('option', { name: 'Archive' }).click()
  const moved = page.waitForRequest((request) => request.method() === 'PUT')
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect((await moved).postDataJSON()).toMatchObject({ oldGroupName: 'Reports', newGroupName: 'Archive' })
  await toasts(page).getByText('Insight has been moved to the new group.', { exact: true }).waitFor()
  await displayed('Archive', 'Twin')
  expect(await page.evaluate(() => history.length)).toBe(entries)

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Insight Twin has been deleted.').waitFor()
  await page.waitForURL('**/Insight')

  const row = page.getByRole('row', { name: /Original/ })
  await row.getByRole('button', { name: 'Actions for Original' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).waitFor()
  // faster than the polling interval of the list
  await stopClock(page)
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await pollClock(page, 20, () => row.count()).toBe(0)
})

test('IN-016 IN-019 IN-073 SH-100 SH-106 text, tag, kind and group filter the list; a star marks a favourite', async () => {
  await makeInsight('Night run', [{ id: 's', title: 'S', type: 'STATUS' }])
  await makeInsight('Tagged one', [], {}, { tags: ['crude oil'] })
  await anna.call(createInsight, {
    body: { insightName: 'Elsewhere', groupName: 'Remarked', content: emptyContent() },
  })
  const page = await stage.newPage()
  const tagQueries: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/insights/tags') tagQueries.push(searchParams.get('query'))
  })
  await openAs(page, stage.server.url, anna.userName, '/Insight')
  await page.getByRole('searchbox', { name: 'Search insights' }).fill('tagged')
  await page.getByRole('row', { name: /Tagged one/ }).waitFor()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  await expect.poll(() => page.url()).toContain('query=tagged')
  await page.getByRole('searchbox', { name: 'Search insights' }).fill('nothing like it')
  await page.getByText('Sorry, nothing found!').waitFor()
  await page.getByRole('searchbox', { name: 'Search insights' }).fill('')
  await page.getByRole('button', { name: 'crude oil', exact: true }).click()
  await expect.poll(() => page.getByRole('row').count()).toBe(2)
  const [saved] = await Promise.all([
    page.waitForRequest((each) => each.method() === 'PUT' && each.url().endsWith('/auth/settings')),
    page.getByRole('button', { name: 'Add Tagged one to favourites' }).click(),
  ])
  expect(saved.postDataJSON()).toEqual({
    settings: { favoriteInsights: '[{"fileName":"Tagged one.json","groupName":"Reports","favorite":true}]' },
  })
  await page.getByRole('button', { name: 'Remove Tagged one from favourites' }).waitFor()
  const favourites = async () =>
    JSON.parse((await anna.call(getSettings, {})).settings.favoriteInsights ?? '[]') as unknown
  await expect
    .poll(favourites)
    .toEqual([{ fileName: 'Tagged one.json', groupName: 'Reports', favorite: true }])
  for (const [view, listed, other] of [
    ['Workflows', 'Night run', 'Tagged one'],
    ['Visualisations', 'Tagged one', 'Night run'],
  ] as const) {
    await page.getByRole('tab', { name: view }).click()
    await page.getByRole('row', { name: new RegExp(listed) }).waitFor()
    expect(await page.getByRole('row', { name: new RegExp(other) }).count()).toBe(0)
  }
  await page.goto(`${stage.server.url}/Insight/workflows`)
  await page.getByRole('row', { name: /Night run/ }).waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  expect(new URL(page.url())).toMatchObject({ pathname: '/Insight', hash: '#Workflows' })
  await page.getByRole('searchbox', { name: 'Search insights' }).fill('Tagged one')
  await page.getByText('Sorry, nothing found!').waitFor()
  await expect
    .poll(() => new URL(page.url()))
    .toMatchObject({ search: '?query=Tagged+one', hash: '#Workflows' })
  await page.getByRole('button', { name: 'Show all insights' }).click()
  await page.getByRole('row', { name: /Night run/ }).waitFor()
  await page.getByRole('combobox', { name: 'Tag' }).fill('UDE')
  await expect.poll(() => tagQueries.at(-1)).toBe('.*UDE.*')
  expect(tagQueries[0]).toBe('*')
  await page.getByRole('option', { name: 'crude oil' }).click()
  await page.getByText('Sorry, nothing found!').waitFor()
  await page.getByRole('button', { name: 'Show all insights' }).click()
  await page.getByRole('row', { name: /Night run/ }).waitFor()
  await page.goto(`${stage.server.url}/insight/Remarked`)
  await page.getByRole('row', { name: /Elsewhere/ }).waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  await page.goto(`${stage.server.url}/insight/Hidden`)
  await page.getByText('No insights yet').waitFor()
})

test('an insight that cannot be opened leads to the list, with the reason', async () => {
  const page = await open('/Insight/Reports/No such insight')
  await page.getByText('There is no insight “No such insight”').waitFor()
  await page.waitForURL('**/Insight')
})

test('IN-347 IN-350 tiles load independently: tiles without data, without access or of an unknown type do not affect the others', async () => {
  const { groupId } = await anna.call(getGroup, { params: { name: 'Reports' } })
  const prices = await anna.call(getGroup, { params: { name: 'Prices' } })
  for (const id of [groupId, prices.groupId])
    await stage.server.running.platform.database.pool.query(
      `insert into group_grants (group_id, user_id, access) select $1, id, 'R' from users where user_name = $2`,
      [id, ben.userName],
    )
  await makeInsight(
    'States',
    [
      { id: 'ok', title: 'Good', type: 'Chart', tileWidth: 'half', series: [series('Brent')] },
      {
        id: 'part',
        title: 'Partly',
        type: 'Chart',
        tileWidth: 'half',
        series: [series('Brent'), series('SECRET', { groupName: 'Hidden' })],
      },
      { id: 'no', title: 'Secret', type: 'Table', tileWidth: 'half' },
      {
        id: 'none',
        title: 'Empty',
        type: 'Table',
        tileWidth: 'half',
        range: 'BETWEEN',
        from: '1950-01-01',
        to: '1950-01-02',
      },
      { id: 'odd', title: 'Odd', type: 'HOLOGRAM', tileWidth: 'half' },
      {
        id: 'file',
        title: 'File',
        type: 'Text',
        tileWidth: 'half',
        source: { type: 'FILE', value: { groupName: 'Reports', fileName: 'gone.md' } },
      },
    ],
    { no: requested('Hidden', 'SECRET'), none: requested('Prices', 'Brent') },
  )
  const page = await open('/Insight/Reports/States', ben)
  await tile(page, 'Good').locator('canvas').first().waitFor()
  await tile(page, 'Partly').getByText('1 of 2 symbols hidden').waitFor()
  await tile(page, 'Secret').getByText('You cannot read Hidden').waitFor()
  await tile(page, 'Empty').getByText('No data has been received.').waitFor()
  await tile(page, 'Odd').getByText('This tile cannot be displayed').waitFor()
  await tile(page, 'File').getByText('File gone.md not found in group Reports').waitFor()
  for (const title of ['Secret', 'Empty', 'File'])
    expect(await tile(page, title).locator('[role=cell], [role=gridcell]').count()).toBe(0)
  expect(await tile(page, 'File').locator('[data-tile-error]').count()).toBe(1)
  expect(await page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(0)
})

test('IN-119 the editor stores dates and times of a range; a range that ends before it begins is rejected on its field and in the tile', async () => {
  await makeInsight('Backwards', [
    {
      id: 'c',
      title: 'Chart',
      type: 'Chart',
      range: 'BETWEEN',
      from: '2025-03-01',
      to: '2025-04-01',
      series: [series('Brent')],
    },
  ])
  const page = await open('/Insight/Reports/Backwards?edit=true')
  await tile(page, 'Chart').locator('canvas').first().waitFor()
  await tile(page, 'Chart').getByRole('heading').click()
  await page.getByRole('tab', { name: 'Data' }).click()
  const to = page.getByLabel('To', { exact: true })
  let queries = 0
  // The tile also refreshes its earlier data regularly.
  page.on('request', (request) => {
    if (request.url().endsWith('/data') && request.postData()?.includes('2025-02-01') === true) queries += 1
  })
  await to.fill('2025-02-01')
  await page.getByText('This is before “From”. Choose a later date.').waitFor()
  await tile(page, 'Chart').getByText('The range ends before it begins').waitFor()
  expect(await to.getAttribute('aria-invalid')).toBe('true')
  expect(queries).toBe(0)
  await to.fill('2025-03-01')
  await page.getByLabel('From (time)').fill('12:00:00')
  await page.getByLabel('To (time)').fill('11:00:00')
  await page.getByText('This is before “From”. Choose a later time.').waitFor()
  await to.fill('2025-03-20')
  await tile(page, 'Chart').locator('canvas').first().waitFor()
  await expect.poll(() => page.getByRole('alert').count()).toBe(0)
  await to.fill('2025-03-')
  await page.keyboard.press('Control+s')
  await page.getByRole('alert').getByText('Enter a date such as 2026-01-31.').waitFor()
  await expect.poll(() => to.evaluate((field) => field === document.activeElement)).toBe(true)
  expect((await insightOf('Backwards')).content.tiles[0]).toMatchObject({ to: '2025-04-01' })
  await to.fill('2025-03-20')
  const decimals = page.getByLabel('Decimals')
  await decimals.fill('5x')
  await page.keyboard.press('Control+s')
  await page.getByRole('alert').getByText('Enter a number.').waitFor()
  await expect.poll(() => decimals.evaluate((field) => field === document.activeElement)).toBe(true)
  expect((await insightOf('Backwards')).content.tiles[0]).toMatchObject({ to: '2025-04-01' })
  await decimals.fill('5')
  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  expect((await insightOf('Backwards')).content.tiles[0]).toMatchObject({
    range: 'BETWEEN',
    from: '2025-03-01',
    to: '2025-03-20',
    fromTime: '12:00:00',
    toTime: '11:00:00',
    decimalPrecision: 5,
  })
})

test('dragging over a chart zooms in, a double click shows all of it again', async () => {
  await makeInsight('Zoomed', [{ id: 'c', title: 'Chart', type: 'Chart', series: [series('Brent')] }])
  const page = await open('/Insight/Reports/Zoomed')
  const chart = tile(page, 'Chart')
  await chart.locator('canvas').first().waitFor()
  const rows = async () => (await savedText(page, 'Chart', 'CSV')).trim().split(/\r?\n/).length - 1
  expect(await rows()).toBe(500)
  const reset = chart.getByRole('button', { name: 'Reset zoom' })
  const { x, y, width, height } = await boxOf(chart.locator('canvas').first())
  const drag = async () => {
    await page.mouse.move(x + width * 0.25, y + height / 2)
    await page.mouse.down()
    await page.mouse.move(x + width * 0.75, y + height / 2, { steps: 5 })
    await page.mouse.up()
    await reset.waitFor()
  }
  await drag()
  const zoomed = await rows()
  expect(zoomed).toBeGreaterThan(200)
  expect(zoomed).toBeLessThan(300)
  await page.mouse.dblclick(x + width / 2, y + height / 2)
  await reset.waitFor({ state: 'detached' })
  expect(await rows()).toBe(500)
  await drag()
  await reset.click()
  await reset.waitFor({ state: 'detached' })
  expect(await rows()).toBe(500)
})

test('IN-009 DP-202 a chart is saved as a PNG and an SVG that show its series; an image that is too large is reported', async () => {
  await makeInsight('Saved', [
    {
      id: 'c',
      title: 'Oil & gas <1>',
      type: 'Chart',
      chartTitle: 'Prices <both> & more',
      series: [series('Brent', { color: '#ff0000' }), series('WTI', { color: '#0000ff' })],
    },
  ])
  const page = await open('/Insight/Reports/Saved')
  await page.locator('canvas').first().waitFor()
  const png = await saved(page, 'Oil & gas <1>', 'PNG')
  expect(png.name).toBe('Oil  gas 1.png')
  const picture = await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))
    const bitmap = await createImageBitmap(new Blob([bytes], { type: 'image/png' }))
    const pen = new OffscreenCanvas(bitmap.width, bitmap.height).getContext('2d')!
    pen.drawImage(bitmap, 0, 0)
    const { data } = pen.getImageData(0, 0, bitmap.width, bitmap.height)
    const counts = { width: bitmap.width, red: 0, blue: 0 }
    for (let at = 0; at < data.length; at += 4) {
      const [red = 0, green = 0, blue = 0] = data.subarray(at, at + 3)
      if (red > 200 && green < 60 && blue < 60) counts.red += 1
      if (blue > 200 && green < 60 && red < 60) counts.blue += 1
    }
    return counts
  }, png.bytes.toString('base64'))
  expect(picture.width).toBeGreaterThan(1000)
  expect(picture.red).toBeGreaterThan(500)
  expect(picture.blue).toBeGreaterThan(500)

  const svg = await saved(page, 'Oil & gas <1>', 'SVG')
  expect(svg.name).toBe('Oil  gas 1.svg')
  const drawing = await page.evaluate((text) => {
    const { documentElement: root } = new DOMParser().parseFromString(text, 'image/svg+xml')
    return {
      name: root.localName,
      texts: [...root.querySelectorAll('text')].map(({ textContent }) => textContent),
      colors: [...root.querySelectorAll('[stroke]')].map((line) => line.getAttribute('stroke')),
    }
  }, svg.bytes.toString('utf8'))
  expect(drawing.name).toBe('svg')
  expect(drawing.texts).toEqual(expect.arrayContaining(['Prices <both> & more', 'Brent', 'WTI']))
  expect(drawing.colors).toEqual(expect.arrayContaining(['rgb(255, 0, 0)', 'rgb(0, 0, 255)']))

  // Browsers return no image for a canvas beyond their size limit.
  await page.evaluate(() => {
    HTMLCanvasElement.prototype.toBlob = (take) => take(null)
  })
  await tile(page, 'Oil & gas <1>').getByRole('button', { name: 'Actions for Oil & gas <1>' }).click()
  await page.getByRole('menuitem', { name: 'Save as PNG' }).click()
  await page
    .getByLabel('Notifications')
    .getByText('Can not create image. Too many data.', { exact: true })
    .waitFor()
})

test('IN-205 a table of 100,000 rows shows thousands separators, scrolls to its end, sorts and is saved as CSV', async () => {
  await makeInsight(
    'Many rows',
    [
      {
        id: 'm',
        title: 'Many',
        type: 'Table',
        tileHeight: 'full',
        range: 'ALL',
        columns: [{ columnId: 'Close', unit: 't' }],
      },
    ],
    { m: requested('Prices', 'MANY') },
  )
  const page = await open('/Insight/Reports/Many rows')
  const table = tile(page, 'Many')
  await table.getByRole('row', { name: /99,999/ }).waitFor()
  const save = async () => {
    const download = page.waitForEvent('download')
    await table.getByRole('button', { name: 'Actions for Many' }).click()
    await page.getByRole('menuitem', { name: 'Save as CSV' }).click()
    return readFile(await (await download).path(), 'utf8')
  }
  expect((await save()).split('\r\n')).toHaveLength(5002)
  await page.getByText('The newest 5,000 of 100,000 rows.').waitFor()
  await table.getByRole('button', { name: 'newest 5,000 of 100,000 rows · load all' }).click()
  await expect
    .poll(() => table.getByRole('grid').or(table.getByRole('table')).getAttribute('aria-rowcount'))
    .toBe('100001')
  await table.getByRole('row').nth(1).focus()
  await page.keyboard.press('End')
  await table
    .getByRole('row', { name: /2010-01-01 00:00:00|2010-01-01 0/ })
    .first()
    .waitFor()
  await table.getByRole('button', { name: 'Close' }).click()
  await page.keyboard.press('Home')
  expect((await save()).split('\r\n')).toHaveLength(100_002)
  await expect.poll(() => table.getByText(/newest/).count()).toBe(0)
})

test('a tile reports how many lines of a dynamic series it draws, and which series have no rows because of the row limit', async () => {
  await anna.call(createGroup, { body: { name: 'Lines' } })
  const lines = Array.from({ length: 60 }, (_, index) => `L${index},2026-01-01,${index}`)
  const old = Array.from({ length: 3 }, (_, index) => `OLD,2001-01-0${index + 1},1`)
  const content = ['Code,Date,Close', ...lines, ...old].join('\n')
  await uploadSeries(anna, { groupName: 'Lines', fileName: 'lines.csv', content })
  await makeInsight(
    'Left out',
    [
      {
        id: 'c',
        title: 'Dynamic',
        type: 'Chart',
        source: { type: 'SOURCE_TILE', value: 't' },
        series: [{ column: 'Close', dynamic: true }],
      },
      { id: 't', title: 'Shared', type: 'Table', range: 'ALL', absoluteSize: 60 },
    ],
    {
      t: {
        symbols: [
          { groupName: 'Lines', symbols: { Code: 'L*' }, pattern: true, valueColumnNames: ['Close'] },
          { groupName: 'Lines', symbols: { Code: 'OLD' }, valueColumnNames: ['Close'] },
        ],
      },
    },
  )
  const page = await open('/Insight/Reports/Left out')
  await tile(page, 'Dynamic').getByText('50 of 61 lines shown').waitFor()
  const shared = tile(page, 'Shared')
  await shared.getByText('OLD: no rows', { exact: true }).waitFor()
  await shared.getByRole('button', { name: 'newest 60 of 63 rows · load all' }).click()
  await shared.getByText('OLD: no rows').waitFor({ state: 'detached' })
})

test('a table also accepts text columns, a chart offers numeric columns', async () => {
  await makeInsight('Notes', [
    { id: 't', title: 'Remarks', type: 'Table', range: 'ALL' },
    { id: 'c', title: 'Lines', type: 'Chart', range: 'ALL', series: [] },
  ])
  const page = await open('/Insight/Reports/Notes')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('heading', { name: 'Add a tile' }).waitFor()
  const picker = page.getByRole('dialog', { name: 'Add series' })
  for (const [title, offered] of [
    ['Remarks', 2],
    ['Lines', 1],
  ] as const) {
    await tile(page, title)
      .getByRole('button', { name: `Actions for ${title}` })
      .click()
    await page.getByRole('menuitem', { name: 'Edit tile' }).click()
    await page.getByRole('button', { name: 'Add series' }).click()
    await picker.getByRole('button', { name: /^Remarked/ }).click()
    await expect.poll(() => picker.getByRole('button', { name: /^A1, / }).count()).toBe(offered)
    if (title === 'Lines') continue
    await picker.getByRole('button', { name: 'A1, Remark' }).click()
    await picker.getByRole('button', { name: 'Add series' }).click()
    await tile(page, title).getByText('checked').waitFor()
  }
})

test('an open menu of a tile stays open while the code of the tile loads', async () => {
  await makeInsight('Slow code', [{ id: 't', title: 'Remarks', type: 'STATS', series: [] }])
  const page = await stage.newPage()
  const gate = Promise.withResolvers<void>()
  await page.route(/StatsTile-[^/]*\.js$/, async (route) => {
    await gate.promise
    await route.continue()
  })
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/Slow code')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('heading', { name: 'Add a tile' }).waitFor()
  await tile(page, 'Remarks').getByRole('button', { name: 'Actions for Remarks' }).click()
  await page.getByRole('menuitem', { name: 'Edit tile' }).waitFor()
  gate.resolve()
  await tile(page, 'Remarks').getByText('No series yet').waitFor()
  await page.getByRole('menuitem', { name: 'Edit tile' }).click()
  await page.getByRole('button', { name: 'Add series' }).waitFor()
})

test('a failed tile reports its error, and the other tiles continue', async () => {
  await makeInsight('One breaks', [
    { id: 't', title: 'Broken', type: 'STATS', series: [] },
    { id: 'x', title: 'Whole', type: 'Text', source: { type: 'EDITOR' }, templateContent: 'still here' },
  ])
  const page = await stage.newPage()
  await page.route(/StatsTile-[^/]*\.js$/, (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'export default function Broken() { throw new Error("broken") }',
    }),
  )
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/One breaks')
  await tile(page, 'Broken').getByText('This tile stopped working').waitFor()
  await tile(page, 'Whole').getByText('still here').waitFor()
  await expect.poll(() => stage.problemsOf(page).join('\n')).toContain('broken')
  stage.problemsOf(page).length = 0
})

test('with a hundred tiles, only those near the viewport request data, several per request', async () => {
  const tiles = Array.from({ length: 100 }, (_, index) => ({
    id: `t${index}`,
    title: `Tile ${index}`,
    type: 'Chart',
    tileWidth: 'half',
    lastTypeAmount: 10 + index,
    series: [series('Brent')],
  }))
  await makeInsight('Hundred', tiles)
  const page = await stage.newPage()
  const batches: number[] = []
  page.on('request', (request) => {
    if (!request.url().endsWith('/data')) return
    const { tiles: requested } = request.postDataJSON() as { tiles: unknown[] }
    batches.push(requested.length)
  })
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/Hundred')
  await tile(page, 'Tile 0').locator('canvas').first().waitFor()
  const queries = batches.reduce((sum, size) => sum + size, 0)
  expect(queries).toBeLessThan(20)
  expect(batches.length).toBeLessThan(queries)
  await page.goto(`${stage.server.url}/Insight/Reports/Hundred#Tile%2099`)
  await tile(page, 'Tile 99').locator('canvas').first().waitFor()
})

test('following another link to the tile in the URL, or a footer button, scrolls to it again', async () => {
  const terms = { type: 'Text', source: { type: 'EDITOR' } }
  const tiles = ['Top', 'Middle', 'Far', 'End'].map((title, index) => ({
    ...terms,
    id: `t${index}`,
    title,
    tileHeight: 'full',
    templateContent: index === 0 ? '[down](#Far)' : title,
  }))
  const buttons = [{ id: 'b', text: 'Lead on', type: 'SCROLL_TO_TILE', tileId: 't2' }]
  const content = { ...emptyContent(), tiles, footer: { buttons } } as never
  await anna.call(createInsight, { body: { insightName: 'Again', groupName: 'Reports', content } })
  const page = await open('/Insight/Reports/Again')
  const far = tile(page, 'Far')
  const isAtTop = async () => {
    const { y } = (await far.boundingBox())!
    return y > 0 && y < 200
  }
  const goDown = [
    () => page.getByRole('link', { name: 'down' }).click(),
    () => page.getByRole('button', { name: 'Lead on' }).click(),
  ]
  for (const go of [...goDown, ...goDown]) {
    await tile(page, 'Top').getByRole('link', { name: 'down' }).scrollIntoViewIfNeeded()
    await expect.poll(isAtTop).toBe(false)
    await go()
    await expect.poll(isAtTop).toBe(true)
    expect(new URL(page.url()).hash).toBe('#Far')
  }
})

test('the print command of the browser prints all tiles, without the sidebar and the buttons', async () => {
  const tiles = Array.from({ length: 12 }, (_, index) => ({
    id: `t${index}`,
    title: `Tile ${index}`,
    type: 'Text',
    source: { type: 'EDITOR' },
    templateContent: 'Text\n\n'.repeat(30),
  }))
  await makeInsight('Printed', tiles)
  const page = await open('/Insight/Reports/Printed')
  await tile(page, 'Tile 0').waitFor()
  await page.emulateMedia({ media: 'print' })
  expect(await page.getByRole('navigation', { name: 'Main' }).isVisible()).toBe(false)
  expect(await page.getByRole('button', { name: 'Share' }).isVisible()).toBe(false)
  const { y, height } = await boxOf(tile(page, 'Tile 11'))
  expect(y, 'below the window').toBeGreaterThan(page.viewportSize()!.height)
  const pageHeight = await page.evaluate(() => document.documentElement.scrollHeight)
  expect(pageHeight).toBeGreaterThanOrEqual(y + height)
})

test('a letter shortcut works while a dropdown field has the focus', async () => {
  await makeInsight('Lettered', [{ id: 't', title: 'Only', type: 'Table', columns: [] }])
  const page = await open('/Insight/Reports/Lettered')
  await page.getByRole('button', { name: 'Edit' }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  await tile(page, 'Only').getByRole('heading', { name: 'Only' }).click()
  const panel = page.getByRole('complementary')
  await panel.getByRole('tab', { name: 'Style' }).click()
  await panel.getByLabel('Width', { exact: true }).focus()
  await page.keyboard.press('a')
  await panel.getByRole('heading', { name: 'Add a tile' }).waitFor()
})

test('a message does not cover the settings beside the page', async () => {
  const page = await open('/Insight/Creator')
  await page.setViewportSize({ width: 1024, height: 768 })
  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name: 'Text', exact: true }).click()
  await tile(page, 'Text').getByRole('button', { name: 'Delete tile' }).click()
  const message = await boxOf(toasts(page).getByText('Tile Text has been deleted.'))
  const settings = await boxOf(page.getByRole('complementary', { name: 'Settings' }))
  expect(message.x + message.width).toBeLessThan(settings.x)
})

test('a toast neither covers nor moves tiles: it is in the sidebar, or else the page ends where the toast begins; a dialog ends above it, and on a phone the navigation stays below it', async () => {
  const tiles = Array.from({ length: 12 }, (_, index) => ({
    id: `t${index}`,
    title: `Tile ${index}`,
    type: 'Text',
    source: { type: 'EDITOR' },
    templateContent: 'Text',
  }))
  await makeInsight('Toasted', tiles)
  const endsAboveToast = async (page: Page, what: Locator, prepare = async () => {}) => {
    await toasts(page).getByText('You are offline.').waitFor()
    await expect
      .poll(async () => {
        await prepare()
        const [box, toast] = [await boxOf(what), await boxOf(toasts(page))]
        return toast.height > 0 && box.y + box.height <= toast.y
      })
      .toBe(true)
  }
  const endsAtToast = (page: Page) =>
    expect
      .poll(async () => {
        const [{ y, height }, toast] = [
          await boxOf(page.locator('main [data-background]').first()),
          await boxOf(toasts(page)),
        ]
        return toast.height > 0 && Math.abs(y + height - toast.y) < 1
      })
      .toBe(true)
  const page = await open('/Insight/Reports/Toasted')
  await tile(page, 'Tile 0').waitFor()
  const column = page.locator('main [data-background]').first()
  const layout = async () => ({
    tiles: await page
      .locator('[data-tile-id]')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().toJSON())),
    height: await column.evaluate(({ scrollHeight }) => scrollHeight),
  })
  const before = await layout()
  await page.context().setOffline(true)
  await toasts(page).getByText('You are offline.').waitFor()
  expect(await layout()).toEqual(before)
  const left = (await boxOf(page.getByRole('main'))).x
  const notice = await boxOf(toasts(page))
  expect(notice.x + notice.width).toBeLessThanOrEqual(left)
  await page.getByRole('button', { name: 'Unpin the sidebar' }).click()
  await page.mouse.move(700, 300)
  await expect.poll(async () => (await boxOf(page.getByRole('main'))).x).toBeLessThan(left)
  const { y, height } = await boxOf(page.getByRole('main'))
  expect(y + height, 'the page keeps its height').toBe(page.viewportSize()!.height)
  await endsAtToast(page)
  await endsAboveToast(page, tile(page, 'Tile 11'), () =>
    page.evaluate(() => {
      for (const part of document.querySelectorAll('main *')) part.scrollTop = part.scrollHeight
    }),
  )
  await page.setViewportSize({ width: 1440, height: 420 })
  await page.keyboard.press('?')
  await endsAboveToast(page, page.getByRole('dialog', { name: 'Keyboard shortcuts' }))
  await toasts(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(async () => (await toasts(page).boundingBox())?.height ?? 0).toBe(0)
  const phone = await open('/Statuses', anna, { viewport: { width: 390, height: 844 } })
  const navigation = phone.getByRole('navigation', { name: 'Main' })
  await navigation.waitFor()
  const bar = await boxOf(navigation)
  await phone.context().setOffline(true)
  await toasts(phone).getByText('You are offline.').waitFor()
  expect(await boxOf(navigation), 'the navigation does not move').toEqual(bar)
  const above = await boxOf(toasts(phone))
  expect(above.y + above.height).toBeLessThanOrEqual(bar.y)
  await endsAtToast(phone)
})

test('a link to an insight opens it on a phone and in a window of 768 px, and its author can edit it from 1024 px', async () => {
  await makeInsight('Pocket', [
    { id: 't', title: 'Note', type: 'Text', source: { type: 'EDITOR' }, templateContent: 'Read on a phone' },
  ])
  const page = await open('/Insight/Reports/Pocket?edit=true', anna, {
    viewport: { width: 768, height: 844 },
  })
  await tile(page, 'Note').getByText('Read on a phone').waitFor()
  await page.getByText('To edit this insight, open it in a window at least 1024 pixels wide.').waitFor()
  const phone = await open('/Insight/Reports/Pocket', anna, { viewport: { width: 390, height: 844 } })
  await tile(phone, 'Note').getByText('Read on a phone').waitFor()
  expect(new URL(phone.url()).pathname).toBe('/Insight/Reports/Pocket')
  const edit = page.getByRole('button', { name: 'Edit', exact: true })
  const add = page.getByRole('button', { name: 'Add tile' })
  expect([await edit.count(), await add.count()]).toEqual([0, 0])
  expect(await accessibilityProblems(page)).toEqual([])
  await page.setViewportSize({ width: 1024, height: 844 })
  await add.waitFor()
})

test('going back to an insight or a list restores its scroll position; a new visit starts at the top', async () => {
  const tiles = ['Top', 'Middle', 'Far', 'End'].map((title, index) => ({
    type: 'Text',
    source: { type: 'EDITOR' },
    id: `t${index}`,
    title,
    tileHeight: 'full',
    templateContent: title,
  }))
  for (let index = 10; index < 40; index++) await makeInsight(`Kept ${index}`, tiles)
  const page = await open('/Insight?query=Kept', anna, { viewport: { width: 1440, height: 500 } })
  const table = page.getByRole('grid')
  const content = page.locator('main [data-background]').first()
  const isAt = (element: Locator, top: number) =>
    expect.poll(() => element.evaluate(({ scrollTop }) => Math.round(scrollTop))).toBe(top)
  const scrollTo = async (element: Locator, top: number) => {
    await element.hover()
    await page.mouse.wheel(0, top)
    await isAt(element, top)
  }
  await page.getByRole('row', { name: /Kept/ }).first().waitFor()
  await scrollTo(table, 320)
  await page.getByRole('link', { name: 'Kept 25', exact: true }).click()
  await tile(page, 'Top').waitFor()
  await isAt(content, 0)
  await scrollTo(content, 700)
  await page.getByRole('link', { name: 'Storage', exact: true }).click()
  await page.waitForURL((url) => !url.pathname.startsWith('/Insight'))
  await page.goBack()
  await tile(page, 'Top').waitFor()
  await isAt(content, 700)
  await page.goBack()
  await page.getByRole('row', { name: /Kept/ }).first().waitFor()
  await isAt(table, 320)
  await page.goForward()
  await tile(page, 'Top').waitFor()
  await isAt(content, 700)
  await page.getByRole('link', { name: 'Insight', exact: true }).first().click()
  await page.getByRole('link', { name: 'Kept 39', exact: true }).waitFor()
  await isAt(table, 0)
  // The sidebar is open under the pointer and covers the names.
  await page.mouse.move(1000, 300)
  await page.getByRole('link', { name: 'Kept 39', exact: true }).click()
  await tile(page, 'Top').waitFor()
  await isAt(content, 0)
  // the address scrolls to a tile only at the first visit
  await page.goto(`${stage.server.url}/Insight/Reports/Kept%2020#Far`)
  await expect.poll(() => content.evaluate(({ scrollTop }) => scrollTop)).toBeGreaterThan(1000)
  await content.evaluate((element) => element.scrollTo(0, 300))
  await isAt(content, 300)
  await page.getByRole('link', { name: 'Insight', exact: true }).first().click()
  await page.getByRole('link', { name: 'Kept 39', exact: true }).waitFor()
  await page.goBack()
  await tile(page, 'Top').waitFor()
  await isAt(content, 300)
})

test('scripts and script links in titles, labels and markdown remain text', async () => {
  await makeInsight('Hostile', [
    {
      id: 'x',
      title: '<img src=x onerror="window.hacked=1">',
      titleTooltip: true,
      titleTooltipText: '<b>no</b>',
      titleTooltipUrl: 'javascript:window.hacked=1',
      type: 'Chart',
      series: [
        series('Brent', { label: '<script>window.hacked=1</script>', color: 'red;background:url(//evil)' }),
      ],
    },
    {
      id: 'y',
      title: 'Words',
      type: 'Text',
      templateContent:
        '<img src=x onerror="window.hacked=1"> <script>window.hacked=1</script> [a](javascript:window.hacked=1) <a href="javascript:window.hacked=1">b</a> [c](https://example.com) <iframe src="//evil"></iframe>',
    },
  ])
  const page = await open('/Insight/Reports/Hostile')
  await page.locator('canvas').first().waitFor()
  await page.getByRole('link', { name: 'c', exact: true }).waitFor()
  expect(await page.evaluate(() => (window as { hacked?: number }).hacked)).toBeUndefined()
  const links = await page
    .locator('[data-tile-id] a')
    .evaluateAll((all) => all.map((link) => link.getAttribute('href')))
  expect(links.filter((href) => href !== null)).toEqual(['https://example.com'])
  expect(await page.locator('[data-tile-id] img, [data-tile-id] iframe, [data-tile-id] script').count()).toBe(
    0,
  )
})

test('an insight, its editors and the list have no accessibility problems in both colour schemes', async () => {
  await makeInsight(
    'Access',
    [
      {
        id: 'c',
        title: 'Prices',
        type: 'Chart',
        series: [series('Brent'), series('WTI', { axis: 'right' })],
      },
      { id: 't', title: 'Rows', type: 'Table', tileWidth: 'half' },
      {
        id: 'x',
        title: 'Words',
        type: 'Text',
        tileWidth: 'half',
        templateContent: '## Hi\n\n[link](https://example.com)',
      },
    ],
    { t: requested('Prices', 'Brent') },
  )
  const page = await open('/Insight/Reports/Access', anna)
  await page.locator('canvas').first().waitFor()
  await tile(page, 'Rows').getByRole('row').nth(1).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  for (const title of ['Prices', 'Rows', 'Words']) {
    await tile(page, title).getByRole('heading').first().click()
    await page.getByRole('tab', { name: 'Style' }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('tab', { name: 'Style' }).click()
    expect(await accessibilityProblems(page)).toEqual([])
  }
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.goto(`${stage.server.url}/Insight`)
  await page.getByRole('row').nth(1).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})
