import type { BrowserContextOptions, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import { createInsight, getInsight } from '@headwater/insights/contract'
import { createPublicLink, updatePublicStatus } from '@headwater/publishing/contract'
import { type Session, upload } from '@headwater/server/testing'
import { logIn, logOutElsewhere, openAs } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session
let ben: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  ben = await stage.server.createUser({ email: 'ben@example.com' })
  for (const name of ['Prices', 'Reports']) await anna.call(createGroup, { body: { name } })
  const lines = ['Brent', 'WTI'].flatMap((code) =>
    Array.from({ length: 9 }, (_, day) => `${code},2026-01-0${day + 1},${60 + day}`),
  )
  const content = ['Code,Date,Close', ...lines].join('\n')
  await upload(anna, { groupName: 'Prices', fileName: 'prices.csv', fileType: 'NCSV', content })
})

async function open(path: string, options: BrowserContextOptions = {}): Promise<Page> {
  return stage.open(path, anna, options)
}

async function make(insightName: string, more: Partial<InsightContent>): Promise<void> {
  const content = { ...emptyContent(), ...more } as InsightContent
  await anna.call(createInsight, { body: { insightName, groupName: 'Reports', content } })
}

const contentOf = async (insightName: string) =>
  (await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })).content
const texts = (title: string) => ({
  id: title,
  title,
  type: 'Text',
  source: { type: 'EDITOR' },
  templateContent: `words of ${title}`,
})
const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const panel = (page: Page, name: string) => page.getByRole('complementary', { name })
const basket = {
  items: [{ groupName: 'Prices', symbols: { Code: 'Brent' }, valueColumnNames: ['Close'] }],
  settings: { range: 'LAST', lastTypeAmount: 3 },
}

test('IN-285 IN-286 IN-287 IN-289 an item is added to the basket; a save includes changes that are not applied yet', async () => {
  const stored = { patternExactMatch: true, symbolValuesExactMatch: true, source: 'WAREHOUSE' }
  const pattern = { symbols: { Code: '*' }, type: 'PATTERN', pattern: true, query: 'br' }
  const [brent] = basket.items
  const given = {
    ...basket,
    items: [
      { ...brent, ...stored },
      { ...brent, ...pattern },
    ],
  }
  await make('Basket', { tiles: [texts('One')] as never, basket: given as never })
  const page = await open('/Insight/Reports/Basket?edit=true&panel=basket')
  await panel(page, 'Basket').getByRole('button', { name: 'Add to the basket' }).click()
  const picker = page.getByRole('dialog', { name: 'Add series' })
  await picker.getByRole('button', { name: 'WTI, Close' }).click()
  await picker.getByRole('button', { name: 'Add series' }).click()
  await panel(page, 'Basket').getByRole('listitem', { name: 'WTI' }).waitFor()
  await panel(page, 'Basket').getByRole('tab', { name: 'SETTINGS' }).click()
  await panel(page, 'Basket').getByLabel('Amount').fill('7')
  await panel(page, 'Basket').getByText('Changes not applied').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  const item = (Code: string, more: object = {}) => ({
    groupName: 'Prices',
    symbols: { Code },
    metadata: {},
    valueColumnNames: ['Close'],
    pattern: false,
    query: '',
    patternExactMatch: false,
    symbolValuesExactMatch: false,
    source: '',
    previewAccess: false,
    ...more,
  })
  expect((await contentOf('Basket')).basket).toMatchObject({
    items: [item('Brent', stored), item('*', pattern), item('WTI', { type: 'SYMBOL' })],
    settings: { lastTypeAmount: 7 },
  })
})

test('a double click on a control that opens a dialog leaves it open; a click outside the dialog closes it', async () => {
  const page = await open('/Insight/Creator')
  await page.getByRole('button', { name: 'Save', exact: true }).dblclick()
  const dialog = page.getByRole('dialog', { name: 'Save insight' })
  await dialog.waitFor()
  await page.mouse.click(700, 20)
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Save', exact: true }).dblclick()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
})

test('the series picker starts at the group of the parameters, and a new insight is saved where most of its series are', async () => {
  const page = await open('/Insight/Creator')
  await page.getByRole('button', { name: 'Parameters' }).click()
  const params = panel(page, 'Parameters')
  await params.getByRole('button', { name: 'Add parameters' }).click()
  await params.getByLabel('Group').fill('Prices')
  await page.getByRole('option', { name: 'Prices', exact: true }).click()
  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name: 'Advanced chart' }).click()
  const picker = page.getByRole('dialog', { name: 'Add series' })
  await picker.getByRole('button', { name: /^Prices/, pressed: true }).waitFor()
  await page.keyboard.press('Escape')
  const add = panel(page, 'Settings').getByRole('button', { name: 'Add series' })
  expect((await add.boundingBox())!.y).toBeLessThan(400)
  await add.click()
  await picker.getByRole('listitem').filter({ hasText: 'Brent' }).getByRole('button').first().click()
  const access = page.waitForResponse(
    (response) => new URL(response.url()).pathname === '/file/group/Prices' && response.ok(),
  )
  const publicGroups = page.waitForResponse(
    (response) => new URL(response.url()).searchParams.get('publicOnly') === 'true' && response.ok(),
  )
  await picker.getByRole('button', { name: 'Add series' }).click()
  await Promise.all([access, publicGroups])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save insight' })
  await expect.poll(() => dialog.getByLabel('Group', { exact: true }).inputValue()).toBe('Prices')
})

test('boxes and buttons are added for any selection and scroll into view; Esc and a click on the background deselect', async () => {
  await make('Parts', { tiles: ['One', 'Two', 'Three', 'Four', 'Five'].map(texts) as never })
  const page = await open('/Insight/Reports/Parts?edit=true')
  await tile(page, 'Five').getByText('words of Five').click()
  await expect.poll(() => page.url()).toMatch(/#Five$/)
  const settings = panel(page, 'Settings')
  await settings.getByRole('heading', { name: 'Text', exact: true }).waitFor()
  const add = async (name: string) => {
    await page.getByRole('button', { name: 'Add tile' }).click()
    await page.getByRole('menuitem', { name }).click()
    await settings.getByRole('heading', { name, exact: true }).waitFor()
  }
  const isInView = (name: string) => () =>
    page.getByRole('button', { name, exact: true }).evaluate((element) => {
      const { top, bottom } = element.getBoundingClientRect()
      return top >= 0 && bottom <= window.innerHeight
    })
  await add('Summary box')
  await expect.poll(isInView('Edit Summary 1')).toBe(true)
  await add('Footer button')
  await expect.poll(isInView('Show results')).toBe(true)

  await page.keyboard.press('Escape')
  await settings.getByRole('heading', { name: 'Add a tile' }).waitFor()
  await tile(page, 'Five').getByText('words of Five').click()
  await settings.getByRole('heading', { name: 'Text', exact: true }).waitFor()
  const grid = (await page.locator('[data-tile-id]').last().boundingBox())!
  await page.mouse.click(grid.x - 10, grid.y + 20)
  await settings.getByRole('heading', { name: 'Add a tile' }).waitFor()
  await expect.poll(() => new URL(page.url()).hash).toBe('')
})

test('a tile that is added while the basket is open shows its settings', async () => {
  await make('Added', { tiles: [texts('One')] as never, basket: basket as never })
  const page = await open('/Insight/Reports/Added?edit=true&panel=basket')
  await panel(page, 'Basket').waitFor()
  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name: 'Table' }).click()
  await panel(page, 'Settings').getByRole('button', { name: 'Add series' }).waitFor()
  await expect.poll(() => new URL(page.url()).hash).toBe('#Table')
})

test('a new tile that shows series opens the picker; a double click or Enter on a series adds it and closes the picker', async () => {
  const page = await open('/Insight/Creator')
  const picker = page.getByRole('dialog', { name: 'Add series' })
  const add = async (kind: string) => {
    await page.getByRole('button', { name: 'Add tile' }).click()
    await page.getByRole('menuitem', { name: kind, exact: true }).click()
  }
  await add('Advanced chart')
  await picker.getByRole('button', { name: 'WTI, Close' }).click()
  await picker.getByRole('button', { name: 'Brent, Close' }).dblclick()
  await picker.waitFor({ state: 'detached' })
  await tile(page, 'Close of WTI and Brent').locator('canvas').first().waitFor()

  await add('Stats')
  await picker.getByRole('button', { name: 'Brent, Close' }).press('Enter')
  await picker.waitFor({ state: 'detached' })
  await tile(page, 'Close of Brent').waitFor()

  await add('Table')
  await picker.getByText(/^Brent/).dblclick()
  await picker.waitFor({ state: 'detached' })
  await tile(page, 'Close of Brent (table)').getByRole('row', { name: /2026/ }).first().waitFor()

  // a picker that was closed stays closed when its tile is selected again
  await add('Seasonality chart')
  await picker.getByRole('button', { name: 'Brent, Close' }).waitFor()
  await page.keyboard.press('Escape')
  await picker.waitFor({ state: 'detached' })
  await tile(page, 'Close of Brent').getByRole('heading').click()
  await panel(page, 'Settings').getByRole('heading', { name: 'Stats' }).waitFor()
  await tile(page, 'Seasonality chart').getByRole('heading').first().click()
  await panel(page, 'Settings').getByRole('heading', { name: 'Seasonality chart' }).waitFor()
  expect(await picker.count()).toBe(0)
})

test('unsaved changes of a new and of a saved insight survive a reload, and can be discarded', async () => {
  await make('Reloaded', { tiles: [texts('One')] as never })
  for (const path of ['/Insight/Creator', '/Insight/Reports/Reloaded?edit=true']) {
    const page = await open(path)
    await page.getByRole('button', { name: 'Add tile' }).click()
    await page.getByRole('menuitem', { name: 'Text', exact: true }).click()
    await panel(page, 'Settings').getByLabel('Markdown').fill('words not saved')
    await tile(page, 'Text').getByText('words not saved').waitFor()
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.type())
      void dialog.accept()
    })
    await page.reload()
    expect(dialogs).toEqual(['beforeunload'])
    await page.getByText('You have unsaved changes from').waitFor()
    await tile(page, 'Text').getByText('words not saved').waitFor()
    await page.getByRole('button', { name: 'Discard changes' }).click()
    await tile(page, 'Text').waitFor({ state: 'detached' })
    await page.reload()
    await page.getByRole('button', { name: 'Add tile' }).waitFor()
    expect(await page.getByText('You have unsaved changes from').count()).toBe(0)
    expect(await tile(page, 'Text').count()).toBe(0)
  }
})

test('a draft of a new insight belongs to its group; a new insight of another group or of no group is empty', async () => {
  const page = await open('/Insight/Creator?groupName=Reports')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name: 'Text', exact: true }).click()
  await panel(page, 'Settings').getByLabel('Markdown').fill('words for reports')
  for (const query of ['?groupName=Prices', '']) {
    await page.goto(`${stage.server.url}/Insight/Creator${query}`)
    await page.getByRole('button', { name: 'Add tile' }).waitFor()
    expect(await page.getByText('You have unsaved changes from').count()).toBe(0)
    expect(await tile(page, 'Text').count()).toBe(0)
  }
  await page.goto(`${stage.server.url}/Insight/Creator?groupName=Reports`)
  await page.getByText('You have unsaved changes from').waitFor()
  await tile(page, 'Text').getByText('words for reports').waitFor()
})

test('the picker of series starts with the group of the insight, and with none if that group has no symbols', async () => {
  await make('No data', {})
  for (const [path, pressed] of [
    ['/Insight/Creator?groupName=Prices', ['Prices']],
    ['/Insight/Creator?groupName=Reports', []],
    ['/Insight/Reports/No%20data?edit=true', []],
  ] as const) {
    const page = await open(path)
    await page.getByRole('button', { name: /^Quick chart/ }).click()
    const picker = page.getByRole('dialog', { name: 'Add series' })
    await picker.getByRole('button', { name: /^Prices/ }).waitFor()
    const selected = picker
      .getByRole('list', { name: 'Groups with symbols' })
      .locator('[aria-pressed=true] span')
    await expect.poll(() => selected.allTextContents(), { message: path }).toEqual(pressed)
    const symbol = picker.getByRole('button', { name: 'Brent, Close' })
    if (pressed.length === 0) {
      await picker.getByText('Choose a group to see its symbols.').waitFor()
      await picker.getByRole('button', { name: /^Prices/ }).click()
    }
    await symbol.waitFor()
  }
})

test('unsaved changes of a closed tab open the builder from the link of the view; Discard returns to the view', async () => {
  await make('Closed', { tiles: [texts('One')] as never })
  const page = await open('/Insight/Reports/Closed?edit=true')
  await tile(page, 'One').getByText('words of One').click()
  await panel(page, 'Settings').getByLabel('Markdown').fill('words not saved')
  await tile(page, 'One').getByText('words not saved').waitFor()
  const view = await page.context().newPage()
  page.on('dialog', (dialog) => void dialog.accept())
  await page.close({ runBeforeUnload: true })
  await expect.poll(() => page.isClosed()).toBe(true)
  await view.goto(`${stage.server.url}/Insight/Reports/Closed`)
  await view.getByText('You have unsaved changes from').waitFor()
  await tile(view, 'One').getByText('words not saved').waitFor()
  await view.getByRole('button', { name: 'Discard changes' }).click()
  await tile(view, 'One').getByText('words of One').waitFor()
  await view.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await expect.poll(() => new URL(view.url()).searchParams.get('edit')).toBeNull()
})

test('F6 moves from a tile to its settings and back, even from a field', async () => {
  await make('Ways', { tiles: ['One', 'Two'].map(texts) as never })
  const page = await open('/Insight/Reports/Ways?edit=true')
  await page.getByRole('button', { name: 'Move One' }).focus()
  await panel(page, 'Settings').getByRole('heading', { name: 'Text', exact: true }).waitFor()
  await page.keyboard.press('F6')
  const focused = () => page.evaluate(() => document.activeElement?.closest('aside') !== null)
  await expect.poll(focused).toBe(true)
  await panel(page, 'Settings').getByLabel('Markdown').focus()
  await page.keyboard.press('F6')
  await expect.poll(() => page.evaluate(() => document.activeElement?.ariaLabel)).toBe('Move One')
})

/** An insight is changed in one tab, and the user logs out in another. */
async function loseSession(insightName: string): Promise<Page> {
  await make(insightName, { tiles: [texts('One')] as never })
  const page = await open(`/Insight/Reports/${insightName}?edit=true`)
  await tile(page, 'One').getByText('words of One').click()
  await panel(page, 'Settings').getByLabel('Markdown').fill('words not saved')
  await tile(page, 'One').getByText('words not saved').waitFor()
  await logOutElsewhere(page, stage.server.url)
  return page
}

test('unsaved changes are restored when the same user logs in after the session ended elsewhere, and can be discarded', async () => {
  const page = await loseSession('Kept')
  await logIn(page, anna.userName)
  await page.getByText('You have unsaved changes from').waitFor()
  await tile(page, 'One').getByText('words not saved').waitFor()
  await page.getByRole('button', { name: 'Discard changes' }).click()
  await tile(page, 'One').getByText('words of One').waitFor()
  await page.getByText('You have unsaved changes from').waitFor({ state: 'detached' })
  await page.reload()
  await tile(page, 'One').getByText('words of One').waitFor()
})

test('restored changes are saved like any others', async () => {
  const page = await loseSession('Saved')
  await logIn(page, anna.userName)
  await page.getByText('You have unsaved changes from').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  await page.getByText('You have unsaved changes from').waitFor({ state: 'detached' })
  expect((await contentOf('Saved')).tiles).toMatchObject([{ templateContent: 'words not saved' }])
})

test('another user who logs in in the same tab cannot see the changes, and they are deleted', async () => {
  const page = await loseSession('Private')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).toContain('words not saved')
  await logIn(page, ben.userName)
  await page.waitForURL('**/Insight')
  expect(await page.evaluate(() => JSON.stringify(sessionStorage))).not.toContain('words not saved')
})

/** Returns whether the content of an element is fully visible, horizontally and vertically. */
const showsAll = (element: Element) =>
  element.scrollWidth <= element.clientWidth && element.scrollHeight <= element.clientHeight
const brent = { groupName: 'Prices', symbols: { Code: 'Brent' }, valueColumnNames: ['Close'] }

test('all five tabs of a table are visible, whichever is selected; Esc closes an open list and the tile remains selected', async () => {
  await make('Tabs', { tiles: [{ id: 't', title: 'T', type: 'Table' }] as never })
  const page = await open('/Insight/Reports/Tabs?edit=true')
  await tile(page, 'T').getByText('No series yet').click()
  const from = panel(page, 'Settings').getByLabel('Data from')
  await from.click()
  await page.getByRole('listbox').waitFor()
  await from.press('Escape')
  await page.getByRole('listbox').waitFor({ state: 'detached' })
  await panel(page, 'Settings').getByRole('tab', { name: 'Menu' }).click()
  await expect.poll(() => panel(page, 'Settings').getByRole('tablist').evaluate(showsAll)).toBe(true)
})

test('a click on the row of a symbol picks its column', async () => {
  await make('Picker', { tiles: [{ id: 't', title: 'T', type: 'Table' }] as never })
  const page = await open('/Insight/Reports/Picker?edit=true')
  await tile(page, 'T').getByText('No series yet').click()
  await panel(page, 'Settings').getByRole('button', { name: 'Add series' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add series' })
  const chip = dialog.getByRole('button', { name: 'Brent, Close' })
  await dialog.getByRole('button', { name: /^Prices/ }).click()
  await chip.waitFor()
  await dialog.getByText('2026-01-01 to').first().click()
  await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('true')
  await chip.click()
  await expect.poll(() => chip.getAttribute('aria-pressed')).toBe('false')
})

test('a low stats tile displays the change and the date of its value', async () => {
  const stats = {
    id: 's',
    title: 'Now',
    type: 'STATS',
    tileHeight: 'quarter',
    comparison: 'VALUES',
    comparisonAmount: 1,
    series: [{ ...brent, column: 'Close' }],
  }
  await make('Low', { tiles: [stats] as never, datapreps: { s: { symbols: [brent] } } })
  for (const height of [900, 768]) {
    const page = await open('/Insight/Reports/Low', { viewport: { width: 1440, height } })
    await tile(page, 'Now')
      .getByText(/2026-01-09/)
      .waitFor()
    await expect.poll(() => page.getByRole('group', { name: 'Figures of Now' }).evaluate(showsAll)).toBe(true)
  }
})

test('a long insight name is truncated before its breadcrumbs, a long title before its neighbours', async () => {
  const long =
    'The daily prices of all the oil that anybody ever sold anywhere in the world and what they mean'
  await make(long, { tiles: [texts(long)] as never })
  const page = await open(`/Insight/Reports/${encodeURIComponent(long)}?edit=true`, {
    viewport: { width: 1024, height: 768 },
  })
  await tile(page, long).getByText('words of').click()
  const way = page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Insight' })
  await expect.poll(() => way.locator('..').evaluate(showsAll)).toBe(true)
  await expect.poll(() => page.getByText('100% × 50%').evaluate(showsAll)).toBe(true)
})

test('a public insight on a phone uses the full width, and the panel of parameters closes after Apply, which no open list covers', async () => {
  const name = { groupName: 'Reports', insightName: 'Phone' }
  const keys = [{ symbolKey: 'Code', symbolType: 'SYMBOL', label: 'Product', defaultValue: 'Brent' }]
  await make('Phone', {
    tiles: [{ id: 't', title: 'T', type: 'Table', sourceInputParamsId: 'p' }] as never,
    datapreps: { t: { symbols: [brent] } },
    inputParams: { p: { groupName: 'Prices', title: 'Which', keys } } as never,
  })
  await anna.call(updatePublicStatus, { body: { ...name, isPublic: true } })
  const parameters = [{ name: 'Code', values: ['Brent', 'WTI'] }]
  const { path } = await anna.call(createPublicLink, { body: { ...name, parameters } })
  const page = await stage.newPage({ viewport: { width: 390, height: 844 } })
  await page.goto(new URL(path, stage.server.url).href)
  await tile(page, 'T').getByText('Brent').first().waitFor()
  expect((await page.getByRole('main').boundingBox())?.width).toBe(390)
  await page.getByRole('button', { name: 'Parameters' }).click()
  const form = page.getByRole('form', { name: 'Which' })
  const apply = form.getByRole('button', { name: 'Apply' })
  await form.getByLabel('Product').click()
  await page.getByRole('option', { name: 'WTI' }).waitFor()
  const isAboveApply = async () => {
    const [list, button] = [await page.getByRole('listbox').boundingBox(), await apply.boundingBox()]
    return list!.y + list!.height <= button!.y
  }
  await expect.poll(isAboveApply).toBe(true)
  await page.getByRole('option', { name: 'Brent' }).click()
  await apply.click()
  await panel(page, 'Parameters').waitFor({ state: 'detached' })
  await tile(page, 'T').getByText('Brent').first().waitFor()
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

test('Back leads from the builder to the view from which it was opened, and requires confirmation before it discards changes', async () => {
  await make('Returned', { tiles: [{ id: 't', title: 'T', type: 'Table' }] as never })
  const page = await stage.open('/Insight', anna)
  await page.getByRole('link', { name: 'Returned' }).click()
  const edit = page.getByRole('button', { name: 'Edit', exact: true })
  const url = () => new URL(page.url()).pathname + new URL(page.url()).search
  await edit.click()
  await page.getByRole('button', { name: 'Add tile' }).waitFor()
  expect(url()).toBe('/Insight/Reports/Returned?edit=true')
  await page.goBack()
  await edit.click()
  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name: 'Text', exact: true }).click()
  await page.goBack()
  const dialog = page.getByRole('dialog', { name: 'Unsaved changes' })
  await dialog.getByRole('button', { name: 'Stay' }).click()
  await tile(page, 'Text').waitFor()
  await page.goBack()
  await dialog.getByRole('button', { name: 'Leave' }).click()
  await edit.waitFor()
  expect([url(), await tile(page, 'Text').count()]).toEqual(['/Insight/Reports/Returned', 0])
  await edit.click()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await edit.waitFor()
  await page.goBack()
  await page.getByRole('link', { name: 'Returned' }).waitFor()
  expect(url()).toBe('/Insight')
})

test('a low tile whose data could not be loaded shows the error and a retry button; after an outage it loads without a click', async () => {
  const stats = { id: 's', title: 'Now', type: 'STATS', tileWidth: 'half', tileHeight: 'quarter' }
  const series = [{ ...brent, column: 'Close' }]
  await make('Failed', { tiles: [{ ...stats, series }] as never, datapreps: { s: { symbols: [brent] } } })
  const page = await stage.newPage({ viewport: { width: 1024, height: 768 } })
  const body = JSON.stringify({
    status: 400,
    code: 'refused',
    message: 'The data could not be read just now.',
  })
  await page.route('**/insight/*/data', (route) =>
    route.fulfill({ status: 400, contentType: 'application/json', body }),
  )
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/Failed')
  const message = tile(page, 'Now').locator('[data-tile-error]')
  await message.getByRole('button', { name: 'Try again' }).waitFor()
  await expect.poll(() => message.evaluate(showsAll)).toBe(true)

  // The server restarts: status 503 stops the polling of the page for two minutes.
  let isDown = true
  let requests = 0
  await page.unroute('**/insight/*/data')
  for (const address of ['**/insight/*/data', '**/health'])
    await page.route(address, (route) => {
      if (!route.request().url().endsWith('/health')) requests += 1
      return isDown ? route.fulfill({ status: 503, body: 'starting' }) : route.continue()
    })
  await message.getByRole('button', { name: 'Try again' }).click()
  await message.getByText('The server responded with status 503.').waitFor()
  isDown = false
  const before = requests
  await page.evaluate(() => window.dispatchEvent(new Event('online')))
  await tile(page, 'Now').getByText('68', { exact: false }).first().waitFor()
  expect(requests).toBe(before + 1)
})
