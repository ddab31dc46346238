import { beforeAll, expect, test } from 'vitest'
import { searchFiles } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { createPublicLink, updatePublicStatus } from '@headwater/publishing/contract'
import type { Session } from '@headwater/server/testing'
import { accessibilityProblems, responsesProcessed } from './open-browser.ts'
import { setUpTables } from './set-up-tables.ts'

const {
  stage,
  series,
  table,
  makeInsight,
  open,
  insightPath,
  tile,
  contentOf,
  column,
  choose,
  tableTile,
  own,
  keys,
  region,
  product,
  panelOf,
  form,
  ...users
} = setUpTables()

let anna: Session
beforeAll(() => {
  anna = users.anna()
})

test('IN-142 IN-293 IN-294 IN-295 IN-296 IN-302 IN-303 IN-304 IN-305 parameter sets can be added, changed, duplicated, reordered and removed; a tile keeps its data when the one before it is deleted', async () => {
  await makeInsight(
    'Set up',
    [
      tableTile('Before'),
      tableTile('T'),
      tableTile('After', { source: { type: 'SOURCE_TILE', value: 'T' } }),
    ],
    { datapreps: { Before: own('WTI'), T: own('Brent') } },
  )
  const page = await open(insightPath('Set up', '?edit=true'))
  await expect.poll(() => column(page, 'Before', 0)).toContain('WTI')
  await tile(page, 'Before').getByRole('button', { name: 'Actions for Before' }).click()
  await page.getByRole('menuitem', { name: 'Delete tile' }).click()
  await tile(page, 'Before').waitFor({ state: 'detached' })
  for (const title of ['T', 'After'])
    await expect.poll(() => column(page, title, 0)).toEqual(Array<string>(10).fill('Brent'))
  await page.getByRole('button', { name: 'Parameters' }).click()
  const panel = panelOf(page, 'Parameters')
  await panel.getByRole('button', { name: 'Add parameters' }).click()
  const kind = panel.getByLabel('Choices from', { exact: true })
  expect(await kind.inputValue()).toBe('Time series')
  await kind.click()
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Time series', 'File'])
  await page.getByRole('option', { name: 'File', exact: true }).click()
  await panel.getByLabel('File', { exact: true }).waitFor()
  await choose(kind, 'Time series')
  await panel.getByLabel('File', { exact: true }).waitFor({ state: 'detached' })
  await panel.getByLabel('Group').fill('Pri')
  await page.getByRole('option', { name: 'Prices' }).click()
  const field = panel.getByRole('group', { name: 'Field 1' })
  // The tile shows Brent of a group with two keys.
  const second = panel.getByRole('group', { name: 'Field 2' })
  await expect.poll(() => field.getByLabel('Key').inputValue()).toBe('Code')
  await expect.poll(() => field.getByLabel('Initial value').inputValue()).toBe('Brent')
  await expect.poll(() => second.getByLabel('Initial value').inputValue()).toBe('EU')
  await panel.getByRole('button', { name: 'Delete field 2' }).click()
  await field.getByLabel('Label').fill('Product')
  await choose(field.getByLabel('Initial value'), 'Gas')
  await panel.getByRole('button', { name: 'Add field' }).click()
  await second.getByLabel('Key').fill('Kin')
  await page.getByRole('option', { name: 'Kind' }).click()
  await expect.poll(() => second.getByLabel('Kind').inputValue()).toBe('Metadata')
  await panel.getByLabel('Readers choose the range').check()
  await choose(panel.getByLabel('Range', { exact: true }), 'Between')
  await panel.getByLabel('Dates, from').fill('2026-01-04')
  await panel.getByLabel('Description').fill('Which one?')
  await panel.getByLabel('Button text').fill('Show it')
  await panel.getByLabel('Dependent choices').check()
  expect(await accessibilityProblems(page)).toEqual([])
  await panel.getByRole('button', { name: 'Duplicate Parameters 1' }).click()
  await panel.getByRole('button', { name: 'Add parameters' }).click()
  await panel.getByRole('button', { name: 'Move Parameters 3 up' }).click()
  await panel.getByRole('button', { name: 'Parameters 2', exact: true }).click()
  await panel.getByRole('button', { name: 'Remove Parameters 2' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await panel
    .getByRole('button', { name: 'Redo' })
    .or(page.getByRole('button', { name: 'Redo' }))
    .click()

  await tile(page, 'T').getByRole('heading', { name: 'T' }).click()
  await choose(panelOf(page, 'Settings').getByLabel('Parameters'), 'Parameters 1')
  await expect.poll(() => column(page, 'T', 0)).toContain('Gas')
  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  const { inputParams, tiles, datapreps } = await contentOf('Set up')
  expect(datapreps).toEqual({ T: own('Brent') })
  expect(Object.keys(inputParams!)).toEqual(['p1', 'p3'])
  expect(inputParams!.p1).toMatchObject({
    title: 'Parameters 1',
    groupName: 'Prices',
    basicInputParamsType: 'TS',
    keys: [
      { symbolKey: 'Code', symbolType: 'SYMBOL', label: 'Product', defaultValue: 'Gas' },
      { symbolKey: 'Kind', symbolType: 'METADATA', label: '', defaultValue: '' },
    ],
    description: 'Which one?',
    submitButtonText: 'Show it',
    isHierarchyEnabled: true,
    shouldSynchronizeParams: false,
    withDateRange: true,
    dataRange: 'BETWEEN',
    from: '2026-01-04',
    to: '',
    fromSelected: true,
    toSelected: false,
  })
  expect(inputParams!.p3).toMatchObject({
    title: 'Parameters 3',
    basicInputParamsType: 'TS',
    shouldSynchronizeParams: false,
    withDateRange: false,
    dataRange: 'LAST',
    lastType: 'VALUES',
    lastValue: 500,
    decimalPrecision: 2,
    timezone: 'UTC',
  })
  expect(tiles[0]).toMatchObject({ sourceInputParamsId: 'p1' })
  await page.getByRole('button', { name: 'Parameters', exact: true }).click()
  await form(page, 'Parameters 1').getByText('Which one?').waitFor()
  await form(page, 'Parameters 1').getByRole('button', { name: 'Show it' }).waitFor()
  // the default range of the set replaces that of the tile
  await expect.poll(() => column(page, 'T', 3)).toEqual(['310', '309', '308', '307', '306', '305', '304'])
})

test('a change of a parameter set survives while the fields of new parameters load', async () => {
  await makeInsight('Slow keys', [tableTile('T')], {
    datapreps: { T: own('Brent') },
    inputParams: { p1: { title: 'First', basicInputParamsType: 'TS', groupName: '', keys: [] } },
  })
  const page = await open(insightPath('Slow keys', '?edit=true&panel=params'))
  const panel = panelOf(page, 'Parameters')
  await panel.getByRole('tab', { name: 'Set up' }).click()
  await panel.getByRole('button', { name: 'First', exact: true }).click()
  const gate = Promise.withResolvers<void>()
  await page.route('**/ts/symbol/keys**', async (route) => {
    await gate.promise
    await route.continue()
  })
  const requested = page.waitForRequest('**/ts/symbol/keys**')
  await panel.getByRole('button', { name: 'Add parameters' }).click()
  await requested
  await panel.getByLabel('Title', { exact: true }).fill('Changed')
  gate.resolve()
  await panel.getByRole('button', { name: 'Parameters 2', exact: true }).waitFor()
  await panel.getByRole('button', { name: 'Changed', exact: true }).waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  expect((await contentOf('Slow keys')).inputParams).toMatchObject({
    p1: { title: 'Changed' },
    p2: { title: 'Parameters 2', groupName: 'Prices' },
  })
})

test('new parameters start with the value that all series of the insight have', async () => {
  await anna.call(createGroup, { body: { name: 'Coals' } })
  await series('Coals', 'coals.csv', 'Coal,Date,Close\nAPI2,2026-01-01,5\nAPI4,2026-01-01,7')
  const prep = { symbols: [{ groupName: 'Coals', symbols: { Coal: 'API2' }, valueColumnNames: ['Close'] }] }
  await makeInsight('Begins', [tableTile('A'), tableTile('B')], { datapreps: { A: prep, B: prep } })
  const page = await open(insightPath('Begins', '?edit=true'))
  await page.getByRole('button', { name: 'Parameters' }).click()
  const params = panelOf(page, 'Parameters')
  await params.getByRole('button', { name: 'Add parameters' }).click()
  const field = params.getByRole('group', { name: 'Field 1' })
  await expect.poll(() => field.getByLabel('Initial value').inputValue()).toBe('API2')
})

test('one button makes all tiles follow new parameters, new tiles follow automatically, and a new text is ready for typing', async () => {
  const rowsOfA = { source: { type: 'SOURCE_TILE', value: 'A' } }
  const ofMetal = (Metal: string) => ({
    symbols: [{ groupName: 'Metals', symbols: { Metal }, valueColumnNames: ['Close'] }],
  })
  await anna.call(createGroup, { body: { name: 'Metals' } })
  await series('Metals', 'metals.csv', 'Metal,Date,Close\nCopper,2026-01-01,5\nNickel,2026-01-01,7')
  const datapreps = { A: ofMetal('Copper'), C: ofMetal('Nickel') }
  await makeInsight('Follow', [tableTile('A'), tableTile('B', rowsOfA), tableTile('C')], { datapreps })
  const page = await open(insightPath('Follow', '?edit=true'))
  await page.getByRole('button', { name: 'Parameters' }).click()
  const params = panelOf(page, 'Parameters')
  await params.getByRole('button', { name: 'Add parameters' }).click()
  await params.getByText('No tile uses these parameters.').waitFor()
  await expect.poll(() => params.getByLabel('Group').inputValue()).toBe('Metals')
  const field = params.getByRole('group', { name: 'Field 1' })
  await expect.poll(() => field.getByLabel('Key').inputValue()).toBe('Metal')
  const letFollow = params.getByRole('button', { name: 'Apply to all tiles' })
  await letFollow.click()
  await params.getByText('Changes 3 tiles.').waitFor()
  expect(await letFollow.count()).toBe(0)

  async function addTile(kind: string) {
    await page.getByRole('button', { name: 'Add tile' }).click()
    await page.getByRole('menuitem', { name: kind, exact: true }).click()
  }
  const settings = panelOf(page, 'Settings')
  await addTile('Table')
  const picker = page.getByRole('dialog', { name: 'Add series' })
  await picker.getByRole('listitem').filter({ hasText: 'Nickel' }).getByRole('button').first().click()
  await picker.getByRole('button', { name: 'Add series' }).click()
  await settings.getByText('Parameters that change this tile: Metal.').waitFor()
  expect(await settings.getByLabel('Parameters').inputValue()).toBe('Parameters 1')

  await addTile('Table')
  await picker.waitFor()
  await page.keyboard.press('Escape')
  await choose(settings.getByLabel('Data from'), 'Another tile')
  await expect.poll(() => settings.getByLabel('Tile', { exact: true }).inputValue()).toBe('A')
  await settings.getByText('“Parameters 1” changes this tile through its source tile.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])

  await addTile('Text')
  await expect
    .poll(() => settings.getByLabel('Markdown').evaluate((field) => field === document.activeElement))
    .toBe(true)
  await page.keyboard.type('Read me')
  await page
    .getByRole('article')
    .filter({ hasText: 'Read me' })
    .or(page.locator('[data-tile-id]', { hasText: 'Read me' }))
    .first()
    .waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  const { tiles } = await contentOf('Follow')
  expect(tiles.map(({ sourceInputParamsId }) => sourceInputParamsId)).toEqual([
    'p1',
    undefined,
    'p1',
    'p1',
    undefined,
    undefined,
  ])
})

test('IN-006 IN-208 IN-302 IN-308 IN-309 IN-311 IN-312 IN-313 readers choose parameters and apply one set; the URL stores them', async () => {
  const p1 = {
    title: 'Parameters 1',
    ...keys(region, product),
    isHierarchyEnabled: true,
    withDateRange: true,
  }
  await makeInsight(
    'Filled in',
    [
      tableTile('Bound', { sourceInputParamsId: 'p1' }),
      tableTile('Free', { sourceInputParamsId: 'p2' }),
      {
        id: 'x',
        title: 'Words',
        type: 'Text',
        source: { type: 'EDITOR' },
        templateContent: 'It is {{Product}} of {{Area}}.',
      },
      {
        id: 'c',
        title: 'Line',
        type: 'Chart',
        sourceInputParamsId: 'p1',
        series: [
          {
            label: '{{Product}}',
            groupName: 'Prices',
            symbolList: [{ Code: 'Brent', Region: 'EU' }],
            column: 'Close',
          },
        ],
      },
    ],
    {
      datapreps: { Bound: own('Brent'), Free: own('Brent') },
      inputParams: { p1, p2: { title: 'Parameters 2', ...keys({ ...product, label: 'Other' }) } },
    },
  )
  const page = await open(insightPath('Filled in'))
  await expect.poll(() => column(page, 'Bound', 0)).toEqual(Array<string>(10).fill('Brent'))
  await page.getByRole('button', { name: 'Parameters', exact: true }).click()
  const fields = form(page, 'Parameters 1')
  await fields.getByLabel('Area').click()
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Any', 'EU', 'US'])
  await page.getByRole('option', { name: 'US' }).click()
  await fields.getByLabel('Product').click()
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Any', 'WTI'])
  await page.getByRole('option', { name: 'WTI' }).click()
  await fields.getByLabel('Amount').fill('2')
  await fields.getByText('Changes not applied').waitFor()
  const others = form(page, 'Parameters 2')
  await choose(others.getByLabel('Other'), 'Gas')
  await fields.getByRole('button', { name: 'Apply' }).click()
  await page
    .getByLabel('Notifications')
    .getByText('Parameters applied succesfully', { exact: true })
    .waitFor()
  await expect.poll(() => column(page, 'Bound', 3)).toEqual(['210', '209'])
  expect(await fields.getAttribute('data-error')).toBeNull()
  expect(await fields.getAttribute('data-symbols')).toBe('1')
  await others.getByText('Changes not applied').waitFor()
  await expect.poll(() => column(page, 'Free', 0)).toEqual(Array<string>(10).fill('Brent'))
  await page.getByText('It is WTI of US.').waitFor()
  expect(new URL(page.url()).searchParams.get('params.p1')).toBe(
    'Region=US|Code=WTI|%40range=LAST%202%20VALUES',
  )

  await page.goBack()
  await expect.poll(() => column(page, 'Bound', 0)).toContain('Brent')
  await expect.poll(() => fields.getByLabel('Area').inputValue()).toBe('EU')
  await page.goForward()
  await expect.poll(() => column(page, 'Bound', 3)).toEqual(['210', '209'])
  await page.reload()
  await expect.poll(() => column(page, 'Bound', 3)).toEqual(['210', '209'])

  await fields.getByLabel('Product').click()
  await page.getByRole('option', { name: 'Any' }).click()
  await expect.poll(() => fields.getByLabel('Product').inputValue()).toBe('Any')
  await fields.getByRole('button', { name: 'Apply' }).click()
  await expect
    .poll(() => new URL(page.url()).searchParams.get('params.p1'))
    .toBe('Region=US|Code=*|%40range=LAST%202%20VALUES')
  expect(await fields.getByLabel('Product').inputValue()).toBe('Any')

  const before = page.url()
  await page.route('**/ts/symbol/search**', (route) =>
    route.fulfill({ status: 404, json: { status: 404, code: 'x', message: 'Could not find symbols' } }),
  )
  await fields.getByLabel('Amount').fill('3')
  await fields.getByRole('button', { name: 'Apply' }).click()
  const reported = 'One of choosen symbols does not exist. Please select different ones.'
  await page.getByLabel('Notifications').getByText(reported).waitFor()
  await fields.getByText(reported).waitFor()
  expect(await fields.getAttribute('data-error')).toBe('true')
  expect(await fields.getAttribute('data-symbols')).toBeNull()
  expect(page.url()).toBe(before)
  for (const [json, visible] of [
    [{ status: 500, code: 'x', message: 'Too busy' }, 'Too busy'],
    [{}, 'Unknown error'],
  ] as const) {
    await page.route('**/ts/symbol/search**', (route) => route.fulfill({ status: 500, json }))
    await fields.getByRole('button', { name: 'Apply' }).click()
    await fields.getByText(visible, { exact: true }).waitFor()
  }
})

test('chips above the tiles show the applied values, and clicking one opens its field for editing', async () => {
  await makeInsight('With chips', [tableTile('Bound', { sourceInputParamsId: 'p1' })], {
    datapreps: { Bound: own('Brent') },
    inputParams: {
      p1: { title: 'Parameters 1', ...keys(region, product), withDateRange: true },
      p2: { title: 'Parameters 2', ...keys({ ...product, label: 'Unseen' }), isHidden: true },
    },
  })
  const page = await open(insightPath('With chips'))
  const chip = (name: string) =>
    page.getByRole('list', { name: 'Parameters' }).getByRole('button', { name, exact: true })
  for (const name of ['Area EU', 'Product Brent', 'Range Last 500 values']) await chip(name).waitFor()
  for (const [width, isLabelled] of [
    [1279, false],
    [1280, true],
  ] as const) {
    await page.setViewportSize({ width, height: 900 })
    for (const name of ['Parameters', 'Export']) {
      const button = page.getByRole('button', { name, exact: true })
      await expect.poll(() => button.getByText(name, { exact: true }).isVisible()).toBe(isLabelled)
    }
  }
  await chip('Product Brent').click()
  const popover = page.getByRole('dialog', { name: 'Product' })
  expect(await popover.getByLabel('Area').count()).toBe(0)
  await choose(popover.getByLabel('Product'), 'Gas')
  await popover.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => popover.count()).toBe(0)
  await expect.poll(() => column(page, 'Bound', 0)).toContain('Gas')
  await chip('Product Gas').waitFor()
  const isFocused = () => chip('Product Gas').evaluate((chip) => chip === document.activeElement)
  await expect.poll(isFocused).toBe(true)
  await page.keyboard.press('Tab')
  await page.keyboard.press('Enter')
  const range = page.getByRole('dialog', { name: 'Range' })
  // The popover moves the focus to its first field when it opens.
  await expect.poll(() => range.evaluate((panel) => panel.contains(document.activeElement))).toBe(true)
  await range.getByLabel('Amount').fill('2')
  await page.keyboard.press('Enter')
  await chip('Range Last 2 values').waitFor()
  await expect.poll(() => column(page, 'Bound', 0)).toEqual(['Gas', 'Gas'])
  await page.reload()
  await chip('Range Last 2 values').waitFor()
})

test('the range above the tiles applies to all tiles without their own range; the URL stores it', async () => {
  await makeInsight(
    'Ranged',
    [
      tableTile('Free'),
      tableTile('Prep', { source: { type: 'DATA_PREP', value: { groupName: 'Reports', name: 'Both' } } }),
      tableTile('Pinned', { lastTypeAmount: 2, keepOwnRange: true }),
      tableTile('File', {
        source: { type: 'FILE', value: { groupName: 'Tables', fileName: 'regions.csv' } },
      }),
    ],
    { datapreps: { Free: own('Brent'), Pinned: own('Gas') } },
  )
  const page = await open(insightPath('Ranged'))
  const chip = (value: string) => page.getByRole('button', { name: `Range ${value}`, exact: true })
  const rows = () =>
    Promise.all(['Free', 'Prep', 'Pinned', 'File'].map(async (name) => (await column(page, name, 1)).length))
  await expect.poll(rows).toEqual([10, 6, 2, 3])
  expect(await tile(page, 'Pinned').getByText('Own range').count()).toBe(0)

  await chip('Default').click()
  const dialog = page.getByRole('dialog', { name: 'Range' })
  await dialog.getByText('“Pinned” keeps its own range: last 2 values.').waitFor()
  await dialog.getByText('“Last” counts back from the newest value, not from today.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Last 7 days' }).click()
  await chip('Last 7 days').waitFor()
  await expect.poll(rows).toEqual([7, 14, 2, 3])
  await tile(page, 'Pinned').getByText('Own range: last 2 values', { exact: true }).waitFor()
  expect(new URL(page.url()).searchParams.get('range')).toBe('LAST 1 WEEKS')

  await chip('Last 7 days').click()
  await dialog.getByLabel('From').fill('2026-01-02')
  await dialog.getByLabel('To', { exact: true }).fill('2026-01-03')
  await dialog.getByRole('button', { name: 'Apply' }).click()
  await chip('2026-01-02 to 2026-01-03').waitFor()
  await expect.poll(rows).toEqual([2, 4, 2, 3])
  await page.goBack()
  await expect.poll(rows).toEqual([7, 14, 2, 3])
  await page.goForward()
  await page.reload()
  await expect.poll(rows).toEqual([2, 4, 2, 3])

  // The builder shows the stored ranges.
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await expect.poll(rows).toEqual([10, 6, 2, 3])
  await page.getByRole('button', { name: 'Cancel' }).click()
  await chip('2026-01-02 to 2026-01-03').click()
  await dialog.getByRole('button', { name: 'Default' }).click()
  await expect.poll(rows).toEqual([10, 6, 2, 3])
  expect(new URL(page.url()).searchParams.has('range')).toBe(false)
})

test('the builder and the chips list the tiles that follow a parameter and, with the reason, those that cannot', async () => {
  await series('Prices', 'stocks.csv', 'Ticker,Date,Close\nAAPL,2026-01-01,1')
  const stocks = {
    symbols: [{ groupName: 'Prices', symbols: { Ticker: 'AAPL' }, valueColumnNames: ['Close'] }],
  }
  const source = { type: 'FILE', value: { groupName: 'Tables', fileName: 'regions.csv' } }
  const bound = { sourceInputParamsId: 'p1' }
  await makeInsight(
    'Reached',
    [tableTile('Oil', bound), tableTile('Stocks'), tableTile('Rows of a file', { ...bound, source })],
    {
      datapreps: { Oil: own('Brent'), Stocks: stocks },
      inputParams: { p1: { title: 'Choice', ...keys(product), withDateRange: true, dataRange: 'ALL' } },
    },
  )
  const page = await open(insightPath('Reached', '?edit=true'))
  await tile(page, 'Stocks').getByRole('heading', { name: 'Stocks' }).click()
  const settings = panelOf(page, 'Settings')
  const why = '“Stocks” ignores Product: its series have no key Code.'
  await settings.getByLabel('Amount').waitFor()
  await choose(settings.getByLabel('Parameters'), 'Choice')
  await settings.getByText(why).waitFor()

  // the range of the parameters replaces the range field of the tile
  const range = settings.getByLabel('Range', { exact: true })
  await expect.poll(() => range.inputValue()).toBe('all')
  await settings.getByText(/^Set by the parameters “Choice” \(time zone UTC/).waitFor()
  expect(await settings.getByLabel('Amount').count()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await settings.getByLabel('Keep own range').check()
  await settings.getByLabel('Amount').waitFor()
  await settings.getByText('Counts back from the newest value, not from today.').waitFor()
  await settings
    .getByText('“Stocks” ignores Product, Range: its series have no key Code; it keeps its own range.')
    .waitFor()

  await page.getByRole('button', { name: 'Parameters', exact: true }).click()
  const params = panelOf(page, 'Parameters')
  await params.getByText('Changes 1 tile.').waitFor()
  await params.getByRole('tab', { name: 'Set up' }).click()
  await params.getByRole('button', { name: 'Choice', exact: true }).click()
  await params
    .getByText('“Stocks” ignores Product, Range: its series have no key Code; it keeps its own range.')
    .waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  expect((await contentOf('Reached')).tiles[1]).toMatchObject({ keepOwnRange: true })

  // Readers see how many tiles follow, not what the author must change.
  const popover = page.getByRole('dialog', { name: 'Product' })
  await expect.poll(() => column(page, 'Rows of a file', 1)).toEqual(['Oslo', 'Bergen', 'Rome'])
  await page.getByRole('button', { name: 'Product Brent', exact: true }).click()
  await popover.getByText('Changes 1 tile.').waitFor()
  expect(await popover.getByText('ignores').count()).toBe(0)
  // The open popover reads the data of the file tile without affecting its loading.
  const readAgain = page.waitForResponse(
    (response) => new URL(response.url()).pathname === '/file/search' && response.ok(),
  )
  await page.getByRole('button', { name: 'Refresh' }).dispatchEvent('click')
  await readAgain
  await expect.poll(() => column(page, 'Rows of a file', 1)).toEqual(['Oslo', 'Bergen', 'Rome'])
  expect(await page.locator('[data-tile-error]').count()).toBe(0)
})

test('Enter selects the typed option, both while the server loads options and when the first ones arrive late', async () => {
  await makeInsight('Typed', [tableTile('Bound', { sourceInputParamsId: 'p1' })], {
    datapreps: { Bound: own('Brent') },
    inputParams: { p1: { title: 'Parameters 1', ...keys(product) } },
  })
  const page = await open(insightPath('Typed'))
  await page.getByRole('button', { name: 'Product Brent', exact: true }).click()
  const field = page.getByRole('dialog', { name: 'Product' }).getByLabel('Product')
  await field.click()
  await page.getByRole('option', { name: 'WTI' }).waitFor()
  let gate = Promise.withResolvers<void>()
  await page.route('**/ts/symbol/values**', async (route) => {
    await gate.promise
    await route.continue()
  })
  await field.fill('w')
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['WTI'])
  await page.keyboard.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('WTI')
  gate.resolve()
  // Not the responses that were held until now
  const matches = page.waitForResponse(
    (response) =>
      response.url().includes('/ts/symbol/values') &&
      (response.request().postDataJSON() as { query: string }).query === 'wt',
  )
  await field.fill('wt')
  await (await matches).finished()
  await responsesProcessed(page)
  gate = Promise.withResolvers<void>()
  await field.fill('gas')
  await expect.poll(() => page.getByRole('option').count()).toBe(0)
  gate.resolve()
  await page.getByRole('option', { name: 'Gas' }).waitFor()
  await page.keyboard.press('Enter')
  await expect.poll(() => field.inputValue()).toBe('Gas')
})

test('a list of more than 200 choices contains their number, and typing finds those it omits', async () => {
  await anna.call(createGroup, { body: { name: 'Hubs' } })
  const rows = Array.from({ length: 1340 }, (_, index) => `Hub ${index},2026-01-01,${index}`)
  await series('Hubs', 'hubs.csv', ['Hub,Date,Close', ...rows].join('\n'))
  await makeInsight('Hubs', [tableTile('Bound', { sourceInputParamsId: 'p1' })], {
    datapreps: {
      Bound: { symbols: [{ groupName: 'Hubs', symbols: { Hub: 'Hub 0' }, valueColumnNames: ['Close'] }] },
    },
    inputParams: { p1: { groupName: 'Hubs', keys: [{ symbolKey: 'Hub', defaultValue: 'Hub 0' }] } },
  })
  const page = await open(insightPath('Hubs'))
  await page.getByRole('button', { name: 'Hub Hub 0', exact: true }).click()
  const field = page.getByRole('dialog', { name: 'Hub' }).getByLabel('Hub')
  await field.click()
  const note = page.getByRole('option', { name: 'First 200 of 1,340. Type to search.' })
  await note.waitFor()
  const isInList = () =>
    note.evaluate(
      (element) =>
        element.getBoundingClientRect().bottom <=
        element.closest('[role=listbox]')!.getBoundingClientRect().bottom,
    )
  await expect.poll(isInList, { message: 'visible before the list is scrolled' }).toBe(true)
  await field.fill('hub 1339')
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Hub 1339'])
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => column(page, 'Bound', 0)).toEqual(['Hub 1339'])
})

test('IN-296 IN-312 a choice without symbols is rejected; readers can choose metadata', async () => {
  const p1 = {
    title: 'Kinds',
    ...keys({ symbolKey: 'Kind', symbolType: 'METADATA' }, { ...region, defaultValue: '' }),
  }
  await makeInsight('By metadata', [tableTile('All', { sourceInputParamsId: 'p1' })], {
    datapreps: { All: own('Brent', 'WTI', 'Gas') },
    inputParams: { p1 },
  })
  const page = await open(insightPath('By metadata', '?panel=params'))
  const fields = form(page, 'Kinds')
  await choose(fields.getByLabel('Kind'), 'gas')
  await fields.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => column(page, 'All', 0)).toEqual(Array<string>(10).fill('Gas'))
  await choose(fields.getByLabel('Area'), 'US')
  await fields.getByRole('button', { name: 'Apply' }).click()
  await fields.getByText('One of choosen symbols does not exist. Please select different ones.').waitFor()
  await expect.poll(() => column(page, 'All', 0)).toEqual(Array<string>(10).fill('Gas'))
})

test('IN-294 IN-297 IN-299 IN-300 IN-301 IN-302 IN-304 IN-306 IN-307 IN-351 a set of a file filters rows by its columns, each choice narrows the next, and a change keeps all fields', async () => {
  const p1 = {
    title: 'Regions',
    basicInputParamsType: 'FILE',
    csvFile: { groupName: 'Tables', name: 'regions.csv' },
    isHierarchyEnabled: true,
    fileColumns: [
      { column: 'Region', label: 'Region', valueType: 'text' },
      { column: 'City', label: 'City', valueType: 'text' },
      { column: 'From', label: 'Since', valueType: 'DATE', defaultValueFrom: '2026-02-01' },
    ],
  }
  const query = { query: 'groupName=Tables&name=regions.csv', latest: true, size: 1 }
  const { fid: id } = (await anna.call(searchFiles, { query })).items[0]!
  const p2 = {
    title: 'By id',
    basicInputParamsType: 'FILE',
    groupName: 'Tables',
    csvFile: { id },
    fileColumns: [
      { column: 'City', label: 'Town', valueType: 'text', defaultValue: 'Bergen', value: 'Oslo' },
      {
        column: 'From',
        label: 'When',
        valueType: 'DATE',
        defaultValueFrom: '2026-02-01',
        defaultValueTo: '2026-02-28',
        valueFrom: '2026-01-01',
        valueTo: '2026-12-31',
      },
    ],
    symbols: [{ Code: 'Brent' }],
    metadatas: [{ Kind: 'oil' }],
    filters: [{ name: 'Close', value: '5', operator: 'GREATER' }],
    isHidden: false,
    shouldOpenOnStart: true,
    templateContent: 'Rows of {{Town}}',
    from: '2026-01-02',
    to: '2026-01-03',
    fromSelected: true,
    toSelected: true,
    withDateRange: false,
    lastValue: 7,
    columns: ['City'],
    values: { City: 'Oslo' },
  }
  await table('torn.csv', 'a,b\n"1,2\n')
  const p3 = {
    title: 'Torn',
    basicInputParamsType: 'FILE',
    groupName: 'Tables',
    csvFile: { name: 'torn.csv' },
    fileColumns: [],
  }
  const source = { type: 'FILE', value: { groupName: 'Tables', fileName: 'regions.csv' } }
  await makeInsight('By file', [tableTile('Rows', { source, sourceInputParamsId: 'p1' })], {
    inputParams: { p1, p2, p3 },
  })
  const page = await open(insightPath('By file', '?panel=params'))
  await expect.poll(() => column(page, 'Rows', 1)).toEqual(['Bergen', 'Rome'])
  const fields = form(page, 'Regions')
  await choose(fields.getByLabel('Region'), 'North')
  await fields.getByLabel('City').click()
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Any', 'Bergen', 'Oslo'])
  await page.getByRole('option', { name: 'Oslo' }).click()
  await fields.getByLabel('Since, from').fill('2026-01-01')
  await fields.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => column(page, 'Rows', 1)).toEqual(['Oslo'])
  expect(new URL(page.url()).searchParams.get('params.p1')).toBe('Region=North|City=Oslo|From=2026-01-01..')

  const byId = form(page, 'By id')
  await expect.poll(() => byId.getByLabel('Town').inputValue()).toBe('Bergen')
  await expect.poll(() => byId.getByLabel('When, from').inputValue()).toBe('2026-02-01')
  await expect.poll(() => byId.getByLabel('When, to').inputValue()).toBe('2026-02-28')
  await byId.getByLabel('Town').click()
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual(['Any', 'Bergen', 'Oslo', 'Rome'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const panel = panelOf(page, 'Parameters')
  await panel.getByRole('tab', { name: 'Set up' }).click()
  await panel.getByRole('button', { name: 'By id', exact: true }).click()
  await expect.poll(() => panel.getByLabel('Choices from', { exact: true }).inputValue()).toBe('File')
  const field = panel.getByRole('group', { name: 'Field 1' })
  await field.getByLabel('Label').fill('Place')
  await panel.getByRole('button', { name: 'Torn', exact: true }).click()
  await panel.getByRole('alert').getByText('CSV file can not be parsed.').waitFor()
  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  const reported = page.getByLabel('Notifications').getByText('CSV file can not be parsed.')
  expect(await reported.count()).toBe(0)
  const [city, date] = p2.fileColumns
  expect((await contentOf('By file')).inputParams!.p2).toMatchObject({
    ...p2,
    fileColumns: [{ ...city, label: 'Place' }, date],
  })
})

test('IN-111 DP-098 DP-099 a field offers the options in a file: labels of JSON pairs, or lines', async () => {
  const pairs = [
    { value: 'WTI', label: 'West Texas' },
    { value: 'Brent', label: 'North Sea' },
    { value: 'Gas', label: 'Dutch hub' },
  ]
  await table('products.json', JSON.stringify(pairs))
  await table('areas.txt', 'US\nEU\n')
  const file = (fileName: string) => ({ type: 'FILE', value: { groupName: 'Tables', fileName } })
  const inputParams = {
    p1: {
      title: 'Listed',
      ...keys(
        { ...region, defaultValue: '', optionsFile: file('areas.txt') },
        { ...product, defaultValue: 'Brent' },
      ),
    },
  }
  const insight = { groupName: 'Reports', insightName: 'Listed' }
  await makeInsight(insight.insightName, [tableTile('Bound', { sourceInputParamsId: 'p1' })], {
    datapreps: { Bound: own('Brent') },
    inputParams,
  })
  const page = await open(insightPath('Listed', '?edit=true&panel=params'))
  const panel = panelOf(page, 'Parameters')
  await panel.getByRole('tab', { name: 'Set up' }).click()
  await panel.getByRole('button', { name: 'Listed', exact: true }).click()
  const field = panel.getByRole('group', { name: 'Field 2' })
  await field.getByLabel('Choices from a file').check()
  await field.getByLabel('Group').fill('Tab')
  await page.getByRole('option', { name: 'Tables' }).click()
  await field.getByLabel('File', { exact: true }).fill('products')
  await page.getByRole('option', { name: 'products.json' }).click()
  await expect.poll(() => field.getByLabel('Initial value').inputValue()).toBe('North Sea')
  expect(await accessibilityProblems(page)).toEqual([])
  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  expect((await contentOf('Listed')).inputParams!.p1).toMatchObject({
    keys: [{ optionsFile: file('areas.txt') }, { optionsFile: file('products.json') }],
  })

  const fields = form(page, 'Listed')
  const offered = () => page.getByRole('option').allTextContents()
  await fields.getByLabel('Area').click()
  await expect.poll(offered).toEqual(['Any', 'US', 'EU'])
  await page.getByRole('option', { name: 'US' }).click()
  await fields.getByLabel('Product').click()
  await expect.poll(offered).toEqual(['Any', 'West Texas', 'North Sea', 'Dutch hub'])
  await page.getByRole('option', { name: 'West Texas' }).click()
  await fields.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => column(page, 'Bound', 0)).toEqual(Array<string>(10).fill('WTI'))
  await page.reload()
  await expect.poll(() => fields.getByLabel('Product').inputValue()).toBe('West Texas')

  await anna.call(updatePublicStatus, { body: { ...insight, isPublic: true } })
  const parameters = [{ name: 'Code', values: ['WTI'] }]
  const { path } = await anna.call(createPublicLink, { body: { ...insight, parameters } })
  const visitor = await stage.newPage()
  await visitor.goto(new URL(`${path}&panel=params`, stage.server.url).href)
  await form(visitor, 'Listed').getByLabel('Product').click()
  await expect.poll(() => visitor.getByRole('option').allTextContents()).toEqual(['West Texas', 'North Sea'])
})

test('IN-306 IN-310 sets synchronise fields with the same label; sets can be hidden or open on start', async () => {
  const flag = { shouldSynchronizeParams: true }
  const inputParams = {
    p1: { title: 'One', ...keys(product), ...flag, shouldOpenOnStart: true },
    p2: { title: 'Two', ...keys({ ...product, symbolKey: 'Code' }), ...flag, isHidden: true },
    p3: { title: 'Three', ...keys(product) },
  }
  await makeInsight(
    'Together',
    ['p1', 'p2', 'p3'].map((id) => tableTile(id, { sourceInputParamsId: id })),
    { datapreps: Object.fromEntries(['p1', 'p2', 'p3'].map((id) => [id, own('Brent')])), inputParams },
  )
  const page = await open(insightPath('Together'))
  await choose(form(page, 'One').getByLabel('Product'), 'Gas')
  await form(page, 'One').getByRole('button', { name: 'Apply' }).click()
  for (const [title, code] of [
    ['p1', 'Gas'],
    ['p2', 'Gas'],
    ['p3', 'Brent'],
  ] as const)
    await expect.poll(() => column(page, title, 0)).toContain(code)
  expect(await form(page, 'Two').count()).toBe(0)
  await page.getByRole('button', { name: 'Close parameters' }).click()
  await form(page, 'One').waitFor({ state: 'detached' })
  await page.reload()
  await expect.poll(() => column(page, 'p1', 0)).toContain('Gas')
  await expect.poll(() => form(page, 'One').count()).toBe(0)
})
