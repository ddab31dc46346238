import type { Page, Request } from 'playwright'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { getSettings, updateSettings } from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
import { type Session, uploadSeries } from '@headwater/server/testing'
import { createFormula } from '@headwater/symbols/contract'
import { accessibilityProblems, openAs, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage({ env: { HEADWATER_ENVIRONMENT: 'dev' } })

let anna: Session

/** Enough symbols that neither all are loaded nor all are in the document. */
const manyCount = 3000

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  // Prices is the last group with symbols: a test opens it from the end of the tree.
  for (const name of ['Prices', 'Many', 'Brief', 'Empty']) await anna.call(createGroup, { body: { name } })
  await uploadPrices(
    'Prices',
    'Commodity,Region,Date,Price,Volume,Unit(MD-S)\nBrent,EU,2026-08-17,92.43,1,USD\nBrent,EU,2026-08-18,95.29,2,USD\nBrent,US,2026-08-18,95,3,USD\nWTI,US,2026-08-18,86.48,4,USD\nTTF,,2026-08-18,31,5,EUR\n',
  )
  const many = Array.from(
    { length: manyCount },
    (_, index) => `S${String(index).padStart(5, '0')},Sector ${index % 4},2026-01-01,${index}`,
  )
  await uploadPrices('Many', `Code,Sector,Date,Close\n${many.join('\n')}\n`)
})

function uploadPrices(groupName: string, content: string): Promise<string> {
  return uploadSeries(anna, { groupName, fileName: 'prices.csv', content })
}

async function openStorage(path: string, options: { clock?: boolean; width?: number } = {}): Promise<Page> {
  const { clock = false, width = 1440 } = options
  const page = await stage.newPage({ viewport: { width, height: 900 } })
  if (clock) await page.clock.install()
  await openAs(page, stage.server.url, 'anna@example.com', path)
  return page
}

function symbolsGrid(page: Page) {
  return page.getByRole('grid', { name: 'Symbols' })
}

function row(page: Page, name: RegExp) {
  return symbolsGrid(page).getByRole('row', { name })
}

test('DP-295 symbols are listed by group with their keys, columns, dates and points, and can be searched', async () => {
  const page = await openStorage('/Storage/Symbols')
  const keys: unknown[] = []
  const searches: Record<string, string>[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/ts/symbol/keys') keys.push(request.postDataJSON())
    if (pathname === '/ts/symbol/search') searches.push(Object.fromEntries(searchParams))
  })
  await row(page, /Brent.*EU.*Prices/).waitFor()
  await row(page, /S00000.*Many/).waitFor()
  await page.getByRole('treeitem', { name: /Prices/ }).click()
  await expect.poll(() => searches.at(-1)?.['groupName.keyword']).toBe('Prices')
  await row(page, /Brent.*EU.*Price.*2026-08-17.*2026-08-18.*2/).waitFor()
  await page.getByRole('searchbox', { name: /symbols/i }).fill('symbols.Region=U*')
  await row(page, /EU/).waitFor({ state: 'detached' })
  await row(page, /WTI.*US/).waitFor()
  await expect.poll(() => keys).toContainEqual({ groupName: 'Prices', metadata: true })
  await expect
    .poll(() => searches)
    .toContainEqual({
      query: 'symbols.Region=U*',
      'groupName.keyword': 'Prices',
      size: '100',
      from: '0',
    })
  await page.reload()
  await row(page, /WTI.*US/).waitFor()
  expect(await row(page, /EU/).count()).toBe(0)
})

test('the tree can be navigated from a group to the values of its keys with the keyboard alone', async () => {
  const page = await openStorage('/Storage/Symbols')
  await page.getByRole('treeitem', { name: /All groups/ }).focus()
  await page.keyboard.press('End')
  await page.keyboard.press('ArrowRight')
  await page.getByRole('treeitem', { name: /EU/ }).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: /Prices · US/ }).waitFor()
  await row(page, /WTI/).waitFor()
  await expect.poll(() => symbolsGrid(page).getByRole('row').count()).toBe(3)
  expect(new URL(page.url()).searchParams.get('branch')).toBe('Region=US')
  expect(await page.getByRole('treeitem', { selected: true }).textContent()).toContain('US')
  for (let step = 0; step < 3; step++) await page.keyboard.press('ArrowLeft')
  await page.getByRole('treeitem', { name: /EU/ }).waitFor({ state: 'detached' })
  await page.goto(`${stage.server.url}/Storage/Symbols/Prices?branch=Region%3D`)
  await page.getByRole('heading', { name: /no Region/ }).waitFor()
  await row(page, /TTF/).waitFor()
})

test('columns can be chosen, reordered and resized; an immediate reload saves them, and the next visit restores them', async () => {
  // The columns of the user also apply to the tests after a failure.
  onTestFinished(async () => {
    await anna.call(updateSettings, { body: { settings: { columns: '{}' } } })
  })
  const page = await openStorage('/Storage/Symbols/Prices')
  const headings = () => symbolsGrid(page).getByRole('columnheader').allTextContents()
  await row(page, /WTI/).waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  const columns = page.getByRole('dialog', { name: 'Columns' })
  await columns.getByRole('checkbox', { name: 'Unit' }).check()
  await columns.getByRole('checkbox', { name: 'First' }).uncheck()
  await columns.getByRole('button', { name: 'Move Region up' }).click()
  await page.keyboard.press('Escape')
  await columns.waitFor({ state: 'detached' })
  const wanted = ['', 'Region', 'Commodity', 'Columns', 'Last', 'Points', 'Unit']
  await expect.poll(headings).toEqual(wanted)
  const widthOf = async () =>
    Math.round((await symbolsGrid(page).getByRole('columnheader', { name: 'Region' }).boundingBox())!.width)
  await page.getByRole('button', { name: 'Columns' }).click()
  await columns.getByRole('button', { name: 'Make Region wider' }).click()
  await page.keyboard.press('Escape')
  await columns.waitFor({ state: 'detached' })
  await expect.poll(widthOf).toBe(200)
  const heading = (await symbolsGrid(page).getByRole('columnheader', { name: 'Region' }).boundingBox())!
  await page.mouse.move(heading.x + heading.width + 6, heading.y + 8)
  await page.mouse.down()
  await page.mouse.move(heading.x + heading.width + 36, heading.y + 8)
  await page.mouse.up()
  await expect.poll(widthOf).toBe(230)
  await page.reload()
  await expect.poll(async () => (await anna.call(getSettings, {})).settings.columns).toContain('230')
  await page.reload()
  await expect.poll(headings).toEqual(wanted)
  await expect.poll(widthOf).toBe(230)
  await row(page, /US.*WTI.*USD/).waitFor()
  await page.getByRole('button', { name: 'Columns' }).click()
  const reset = page.waitForResponse((response) => response.url().includes('/auth/settings'))
  await page.getByRole('button', { name: 'Reset columns' }).click()
  await expect.poll(headings).toEqual(['', 'Commodity', 'Region', 'Columns', 'First', 'Last', 'Points'])
  await reset
})

test('a list can be filtered by key values and sorted, and the URL stores both', async () => {
  const page = await openStorage('/Storage/Symbols/Prices')
  await page.getByRole('button', { name: 'Filter' }).click()
  const filter = page.getByRole('dialog', { name: /Filter/ })
  await filter.getByLabel('Region').click()
  await page.getByRole('option', { name: 'EU', exact: true }).click()
  await filter.getByRole('button', { name: 'Clear all' }).click()
  await filter.getByLabel('Commodity').fill('B*')
  await page.keyboard.press('Escape')
  await row(page, /WTI/).waitFor({ state: 'detached' })
  await symbolsGrid(page).getByRole('button', { name: 'Region' }).click()
  const heading = symbolsGrid(page).getByRole('columnheader', { name: 'Region' })
  await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
  const sorted = page.waitForRequest(
    (request) => new URL(request.url()).searchParams.get('sortBy') === 'symbols.Region=desc',
  )
  await symbolsGrid(page).getByRole('button', { name: 'Region' }).click()
  expect(new URL((await sorted).url()).pathname).toBe('/ts/symbol/search')
  await expect
    .poll(() =>
      symbolsGrid(page)
        .getByRole('gridcell', { name: /^(EU|US)$/ })
        .allTextContents(),
    )
    .toEqual(['US', 'EU'])
  await page.reload()
  await expect
    .poll(() =>
      symbolsGrid(page)
        .getByRole('gridcell', { name: /^(EU|US)$/ })
        .allTextContents(),
    )
    .toEqual(['US', 'EU'])
  await page.getByRole('button', { name: 'Remove the filter Commodity' }).click()
  await row(page, /WTI/).waitFor()
})

test('two filters that are removed before the page is rendered again are both removed', async () => {
  const filter = encodeURIComponent('Region=EU|Commodity=B*')
  const page = await openStorage(`/Storage/Symbols/Prices?filter=${filter}`)
  const chips = page.getByRole('button', { name: /^Remove the filter/ })
  await expect.poll(() => chips.count()).toBe(2)
  await chips.first().evaluate(async (first) => {
    const buttons = first.closest('ul')!.querySelectorAll('button')
    for (const button of buttons) {
      button.click()
      // The URL changes in microtasks; React renders later.
      for (let turn = 0; turn < 50; turn++) await Promise.resolve()
    }
  })
  await expect.poll(() => new URL(page.url()).search).toBe('')
  await row(page, /WTI/).waitFor()
})

test('of thousands of symbols only the visible ones are loaded and rendered, down to the last', async () => {
  const page = await openStorage('/Storage/Symbols/Many')
  await row(page, /S00000/).waitFor()
  await page.getByText('3,000', { exact: true }).first().waitFor()
  await row(page, /S00000/).focus()
  await page.keyboard.press('End')
  await row(page, /S02999.*Sector 3/).waitFor()
  await expect.poll(() => symbolsGrid(page).getByRole('row').count()).toBeLessThan(100)
  await page.keyboard.press('Home')
  await row(page, /S00000.*Sector 0/).waitFor()
  await page.getByRole('searchbox', { name: /symbols/i }).fill('s0')
  await page.getByText('1,000+', { exact: true }).waitFor()
})

test('DP-299 IN-417 the list refreshes every 10 s, but not while the API is rate-limited', async () => {
  const groupName = 'Fresh'
  const add = (code: string) => uploadPrices(groupName, `Code,Date,Close\n${code},2026-01-01,1\n`)
  await anna.call(createGroup, { body: { name: groupName } })
  await add('ONE')
  const page = await openStorage(`/Storage/Symbols/${groupName}`, { clock: true })
  await row(page, /ONE/).waitFor()
  await stopClock(page)
  const requests: string[] = []
  page.on('request', (request: Request) => {
    const url = request.url()
    if (url.includes('/ts/symbol/search') && !url.includes('pointCount')) requests.push(url)
  })
  // The stopped clock delays the tasks in which the page processes a response. Steps are short: together with the 9 s below they must not reach
  // the next refresh.
  const displayed = (code: string) =>
    expect
      .poll(
        async () => {
          await page.clock.runFor(10)
          return row(page, new RegExp(code)).count()
        },
        { timeout: 60_000 },
      )
      .toBe(1)
  await add('TWO')
  await page.clock.runFor(10_000)
  await displayed('TWO')

  await add('SIX')
  requests.length = 0
  await page.clock.runFor(9000)
  await page.evaluate('0')
  expect(requests).toEqual([])
  await page.clock.runFor(1000)
  await expect.poll(() => requests.length).toBe(1)
  await displayed('SIX')

  await page.route('**/ts/symbol/search?*', (route) =>
    route.fulfill({ status: 429, json: { code: 'limited', message: 'Too many requests', status: 429 } }),
  )
  const refused = page.waitForResponse((response) => response.status() === 429)
  await page.clock.runFor(10_000)
  await (await refused).finished()
  requests.length = 0
  for (let round = 0; round < 3; round++) {
    await page.clock.runFor(11_000)
    await page.evaluate('0')
  }
  expect(requests).toEqual([])
})

test('a symbol shows its values as chart and table, in selectable ranges and columns; a correction counts', async () => {
  await anna.call(updateSettings, { body: { settings: { definedTime: 'America/New_York' } } })
  const page = await openStorage('/Storage/Symbols/Prices?branch=Region%3DEU')
  await symbolsGrid(page).getByRole('row', { name: /Brent/ }).getByText('2026-08-17').click()
  const panel = page.getByRole('complementary', { name: 'Preview' })
  await panel.getByRole('row', { name: /2026-08-18.*95\.29/ }).waitFor()
  await panel.getByText('Date (UTC)').waitFor()
  await panel.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('Volume').uncheck()
  await page.keyboard.press('Escape')
  await panel.getByRole('columnheader', { name: 'Volume' }).waitFor({ state: 'detached' })
  await panel.getByLabel('Range').click()
  await page.getByRole('option', { name: 'All values' }).click()
  await panel.getByRole('heading', { name: '2 values' }).waitFor()
  const download = page.waitForEvent('download')
  await panel.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('Brent-EU.csv')
  await uploadPrices('Prices', 'Commodity,Region,Date,Price\nBrent,EU,2026-08-18,95.31\n')
  await page.reload()
  await panel.getByRole('row', { name: /2026-08-18.*95\.31/ }).waitFor()
  expect(await panel.getByRole('row', { name: /95\.29/ }).count()).toBe(0)
})

test('DP-294 selected symbols link to the creator of data preps and to the page of a new symbol; their query can be copied', async () => {
  const page = await openStorage('/Storage/Symbols/Prices')
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await row(page, /WTI/).getByLabel('Select row').click()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  const linkOf = async (name: string) =>
    new URL((await bar.getByRole('link', { name }).getAttribute('href'))!, stage.server.url)
  const prep = await linkOf('New data prep')
  expect([prep.pathname, prep.search, prep.hash]).toEqual([
    '/Storage/Creator/New',
    '?query=&groupName=Prices&symbol=Commodity%3DWTI%7CRegion%3DUS',
    '#Table',
  ])
  expect((await linkOf('Add to basket')).hash).toBe('#Basket')
  expect((await linkOf('Show chart')).hash).toBe('#Charts')
  // The selection survives another search.
  const search = page.getByRole('searchbox', { name: /symbols/i })
  await search.fill('symbols.Region=EU')
  await row(page, /WTI/).waitFor({ state: 'detached' })
  const brent = row(page, /Brent/).getByLabel('Select row')
  await brent.click()
  await bar.getByText('2 selected').waitFor()
  await brent.click()
  await search.fill('')
  await row(page, /WTI/).waitFor()
  await bar.getByRole('button', { name: 'More actions for the selection' }).click()
  await page.getByRole('menuitem', { name: 'Copy query as JSON' }).click()
  await page.getByText('Query copied to the clipboard.').waitFor()
  const copied = JSON.parse(await page.evaluate(() => navigator.clipboard.readText())) as object
  expect(copied).toMatchObject({
    keys: [{ groupName: 'Prices', symbols: { Commodity: 'WTI', Region: 'US' } }],
  })
  const response = await anna.fetch('/ts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(copied),
  })
  expect(await response.text()).toContain('WTI,US,2026-08-18T00:00:00,86.48')

  // A new symbol begins with the group and the keys of the selected one, and its formula with the symbol itself.
  await page.getByRole('link', { name: 'New symbol' }).click()
  await expect.poll(() => page.getByLabel('Group').first().inputValue()).toBe('Prices')
  await expect.poll(() => page.getByLabel('Key 1', { exact: true }).inputValue()).toBe('Commodity')
  await expect.poll(() => page.getByLabel('Key 2', { exact: true }).inputValue()).toBe('Region')
  await page.getByRole('tab', { name: 'Formula' }).click()
  const input = page.getByRole('group', { name: 'Input 1' })
  await expect.poll(() => input.getByLabel('Name').inputValue()).toBe('wti_us')
})

test('beside the panel of a symbol all actions for the selection are visible', async () => {
  const page = await stage.open('/Storage/Symbols/Many', anna, { viewport: { width: 1440, height: 900 } })
  const rows = page.getByRole('grid').getByRole('row')
  await rows.nth(1).getByRole('gridcell').nth(1).click()
  await page.getByRole('complementary').getByRole('button', { name: 'Download' }).waitFor()
  for (const row of [1, 2]) await rows.nth(row).getByRole('checkbox').check()
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await bar.getByRole('button', { name: 'Clear selection' }).waitFor()
  expect(await bar.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0)
})

test('reports columns that the chart omits, and selections that are too large for a new data prep', async () => {
  const bella = await stage.server.createUser()
  await bella.call(createGroup, { body: { name: 'Wide' } })
  const columns = Array.from({ length: 9 }, (_, at) => `Value ${at}`)
  const lines = Array.from(
    { length: 51 },
    (_, at) => `W${String(at).padStart(2, '0')},2026-01-01,${columns.map(() => at).join(',')}`,
  )
  await uploadSeries(bella, {
    groupName: 'Wide',
    content: `Code,Date,${columns.join(',')}\n${lines.join('\n')}\n`,
  })
  const page = await stage.open('/Storage/Symbols/Wide', bella)
  const bar = page.getByRole('toolbar', { name: 'Selection' })
  await row(page, /W00/).waitFor()
  await page.getByRole('checkbox', { name: 'Select all loaded rows' }).click()
  await bar.getByText('51 selected').waitFor()
  await bar.getByText('A new data prep can take at most 50 symbols from here.').waitFor()
  for (const name of ['Show chart', 'New data prep', 'Add to basket'])
    expect(await bar.getByRole('button', { name }).isDisabled()).toBe(true)
  await row(page, /W00/).getByLabel('Select row').click()
  await bar.getByRole('link', { name: 'Add to basket' }).waitFor()

  await row(page, /W01/).getByText('W01').click()
  const panel = page.getByRole('complementary', { name: 'Preview' })
  const note = panel.getByText('The first 8 of 9 numeric columns are drawn. Choose others under Columns.')
  await note.waitFor()
  await panel.getByRole('button', { name: 'Columns' }).click()
  await page.getByLabel('Value 3').uncheck()
  await note.waitFor({ state: 'detached' })
})

test('the selected symbols open as a chart', async () => {
  const page = await openStorage('/Storage/Symbols/Prices')
  await row(page, /WTI/).getByLabel('Select row').click()
  await row(page, /Brent.*EU/)
    .getByLabel('Select row')
    .click()
  await page.getByRole('toolbar', { name: 'Selection' }).getByRole('link', { name: 'Show chart' }).click()
  await page.getByRole('tab', { name: 'Charts', selected: true }).waitFor()
  await page.getByRole('region', { name: 'Chart', exact: true }).locator('canvas').first().waitFor()
  await page.getByRole('tab', { name: /Basket.*2/ }).waitFor()
})

test('DP-302 DP-303 symbols are removed after a confirmation that names their users, those with time series only if the box is checked', async () => {
  await uploadPrices('Brief', 'Code,Date,Close\nA,2026-01-01,1\nB,2026-01-01,2\n')
  const input = { name: 'a', groupName: 'Brief', symbols: { Code: 'A' }, column: 'Close' }
  const formula = { groupName: 'Brief', symbols: { Code: 'Double' }, expression: 'a * 2', inputs: [input] }
  await anna.call(createFormula, { body: formula })
  const page = await openStorage('/Storage/Symbols/Brief')
  await row(page, /A/).getByLabel('Select row').click()
  const actions = page.getByRole('button', { name: 'More actions for the selection' })
  await actions.click()
  await page.getByRole('menuitem', { name: 'Usage' }).click()
  const usage = page.getByRole('dialog', { name: 'Usage of Code=A' })
  await usage.getByRole('row').getByText('Code=Double').waitFor()
  await usage.getByRole('button', { name: 'Close' }).click()
  await actions.click()
  await page.getByRole('menuitem', { name: 'Remove symbols' }).click()
  const dialog = page.getByRole('dialog', { name: 'Remove symbol' })
  await dialog.getByText('1 formula uses it and will stop working: “Code=Double”.').waitFor()
  const bodies: unknown[] = []
  page.on('request', (request: Request) => {
    const body = request.postData() ?? ''
    if (body.includes('checkTimeSeries')) bodies.push(JSON.parse(body))
  })
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await dialog
    .getByRole('alert')
    .getByText(
      'The symbol Code=A has time series. Nothing was removed. To remove it anyway, select “Also remove time series”.',
      { exact: true },
    )
    .waitFor()
  await dialog.getByLabel('Also remove time series').check()
  await dialog.getByRole('button', { name: 'Remove' }).click()
  await page.getByText('The symbol was removed.').waitFor()
  const sent = { groupName: 'Brief', symbols: [{ Code: 'A' }] }
  expect(bodies).toEqual([
    { ...sent, checkTimeSeries: true },
    { ...sent, checkTimeSeries: false },
  ])
  await expect
    .poll(() =>
      symbolsGrid(page)
        .getByRole('button', { name: /^[AB]$/ })
        .allTextContents(),
    )
    .toEqual(['B'])
})

test('DP-301 the panel of a file links to its symbols, which are requested by the id of the file', async () => {
  const fileId = await uploadPrices('Prices', 'Commodity,Region,Date,Price\nWTI,US,2026-08-19,87\n')
  const page = await openStorage(`/Lake/Groups/Prices?query=${fileId}`)
  await page.getByRole('button', { name: 'prices.csv' }).first().click()
  const requested = page.waitForRequest((request) => request.url().includes(`/ts/symbol/file/${fileId}`))
  await page.getByRole('complementary').getByRole('link', { name: 'Show symbols', exact: true }).click()
  await requested
  await page.getByRole('heading', { name: 'Symbols of a file' }).waitFor()
  await row(page, /WTI/).waitFor()
  await expect.poll(() => symbolsGrid(page).getByRole('row').count()).toBe(2)
  await page.getByRole('button', { name: 'All symbols' }).click()
  await row(page, /TTF/).waitFor()
})

test('DP-032 IN-406 IN-410 a user requests access to an unreadable group in the environment dev, but not in demo', async () => {
  const ben = await stage.server.createUser({ email: 'ben@example.com' })
  await ben.call(createGroup, { body: { name: 'Secret' } })
  const page = await openStorage('/Storage/Symbols/Secret')
  await page.getByText('You cannot read this group').waitFor()
  const request = page.waitForRequest((each) => each.url().endsWith('/ts/dataAccessRequest'))
  await page.getByRole('button', { name: 'Request access' }).click()
  expect((await request).postDataJSON()).toEqual({ requestedData: { Secret: {} } })
  await page.getByText('Your request for “Secret” was sent').waitFor()
  // A new attempt to read the group does not change the page.
  const again = page.waitForResponse((each) => each.url().endsWith('/ts/symbol/keys'))
  await page.evaluate(`for (const type of ['offline', 'online']) window.dispatchEvent(new Event(type))`)
  await (await again).finished()
  expect(await page.getByText('Your request for “Secret” was sent').count()).toBe(1)
  await page.route('**/configuration', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), environment: 'demo' } })
  })
  await page.reload()
  await page.getByText('You cannot read this group').waitFor()
  await page.getByRole('link', { name: 'Show all groups', exact: true }).waitFor()
  expect(await page.getByRole('button', { name: 'Request access' }).count()).toBe(0)
})

test('a group without symbols explains how to add them', async () => {
  const page = await openStorage('/Storage/Symbols/Empty')
  await page.getByText('No symbols yet').waitFor()
  await page.getByRole('main').getByRole('link', { name: 'Files' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})

test.each([1440, 1024])(
  'the accessibility checker finds no problems in the storage, and a panel moves no row: %i px',
  async (width) => {
    const page = await openStorage('/Storage/Symbols/Prices?branch=Region%3DUS', { width })
    const rowTop = async () => (await row(page, /WTI/).boundingBox())?.y
    await row(page, /WTI/).waitFor()
    const top = await rowTop()
    await page.getByRole('button', { name: 'Brent' }).click()
    await page.getByRole('complementary', { name: 'Preview' }).getByRole('row').nth(1).waitFor()
    expect(await rowTop()).toBe(top)
    await row(page, /WTI/).getByLabel('Select row').click()
    expect(await rowTop()).toBe(top)
    expect(await page.getByRole('heading', { level: 1 }).count()).toBe(1)
    expect(await accessibilityProblems(page)).toEqual([])
    await page.getByRole('button', { name: 'Filter' }).click()
    await page.getByRole('dialog', { name: /Filter/ }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  },
)
