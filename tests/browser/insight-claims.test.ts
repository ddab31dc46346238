import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight, getInsight, searchInsights } from '@headwater/insights/contract'
import { type Session, upload } from '@headwater/server/testing'
import { openAs } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  for (const name of ['Prices', 'Reports', 'Tables']) await anna.call(createGroup, { body: { name } })
  const content =
    'Code,Date,Close,Volume(I),Kind(MD-S)\nBrent,2026-01-01,61.5,5,oil\nBrent,2026-01-02,62,,oil\nGas,2026-01-01,30,7,gas\n'
  await upload(anna, { groupName: 'Prices', fileName: 'prices.csv', fileType: 'NCSV', content })
  for (const [fileName, text] of [
    ['regions.csv', 'City,Share,Due\nOslo,40,2026-01-05\nRome,60,2026-01-06\n'],
    ['ragged.csv', 'a,b\n1\n3,4\n'],
  ] as const)
    await upload(anna, { groupName: 'Tables', fileName, fileType: 'SOURCE', content: text })
})

const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const panel = (page: Page, name: string) => page.getByRole('complementary', { name })
const contentOf = async (insightName: string) =>
  (await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })).content

async function makeInsight(insightName: string, more: object, user = anna, groupName = 'Reports') {
  const content = { ...emptyContent(), ...more } as never
  await user.call(createInsight, { body: { insightName, groupName, content } })
}

async function addTile(page: Page, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add tile' }).click()
  await page.getByRole('menuitem', { name, exact: true }).click()
  if (/chart$|^Table$|^Stats$/.test(name)) {
    await page.getByRole('dialog', { name: 'Add series' }).waitFor()
    await page.keyboard.press('Escape')
  }
  await panel(page, 'Settings').getByRole('heading', { name, exact: true }).waitFor()
}

/** Opens a list of options, chooses one of them and returns all of them. */
async function choose(field: Locator, option: string): Promise<string[]> {
  await field.click()
  const list = field.page().getByRole('listbox').filter({ visible: true })
  await list.getByRole('option', { name: option, exact: true }).waitFor()
  const all = await list.getByRole('option').allTextContents()
  await list.getByRole('option', { name: option, exact: true }).click()
  return all
}

/** Saves a new insight of the builder and returns the body of the request. */
async function saveNew(page: Page, insightName: string): Promise<unknown> {
  await page.keyboard.press('Control+s')
  const dialog = page.getByRole('dialog', { name: 'Save insight' })
  await dialog.getByLabel('Name').fill(insightName)
  await dialog.getByLabel('Group', { exact: true }).fill('Repor')
  await page.getByRole('option', { name: 'Reports' }).click()
  const request = page.waitForRequest(
    (each) => each.method() === 'POST' && new URL(each.url()).pathname === '/insights',
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  const body = (await request).postDataJSON() as unknown
  await page.waitForURL(`**/Insight/Reports/${encodeURIComponent(insightName)}`)
  return body
}

test('IN-131 IN-132 IN-133 IN-134 IN-135 IN-136 IN-167 IN-172 IN-185 IN-186 IN-199 IN-203 the editors of tables and charts offer and store the choices of the specification', async () => {
  const page = await stage.open('/Insight/Creator', anna)
  const settings = panel(page, 'Settings')
  const field = (label: string) => settings.getByRole('tabpanel').getByLabel(label, { exact: true })
  const openTab = (name: string) => settings.getByRole('tab', { name, exact: true }).click()

  await addTile(page, 'Table')
  await expect.poll(() => field('Amount').inputValue()).toBe('500')
  expect(await field('Time zone').inputValue()).toBe('UTC')
  expect(await field('Decimals').inputValue()).toBe('2')
  expect(await field('Rounding').inputValue()).toBe('Half up')
  expect(await choose(field('Data from'), 'Inline CSV')).toEqual([
    'Series of this tile',
    'Basket',
    'Saved data prep',
    'File',
    'Inline CSV',
    'Another tile',
  ])
  await field('Rows').fill('City,Share\nOslo,40\nRome,60')
  await tile(page, 'Table').getByRole('row', { name: /Rome/ }).waitFor()
  await openTab('Rows')
  for (const id of ['Header', 'Odd rows', 'Even rows', 'Footer']) {
    await settings.getByRole('button', { name: id, exact: true }).click()
    for (const look of ['align', 'style', 'colour', 'background', 'font size'])
      await field(`${id}, ${look}`).waitFor()
  }
  await choose(field('Add a column to sort by'), 'Share')
  expect(await choose(field('Share'), 'Descending')).toEqual(['Ascending', 'Descending'])

  await addTile(page, 'Advanced chart')
  expect(await choose(field('Data from'), 'Another tile')).toEqual([
    'Series of this tile',
    'Basket',
    'Saved data prep',
    'File',
    'Another tile',
  ])
  await choose(field('Tile'), 'Table')
  await openTab('Style')
  expect(await field('Palette').inputValue()).toBe('Colourful 2')
  expect(await choose(field('Palette'), 'Colourful 1')).toEqual([
    'Colourful 2',
    'Blue',
    'Colourful 1',
    'Green',
    'Red',
  ])
  await field('Title inside the chart').fill('Shares')
  expect(await choose(field('Title size'), 'Small')).toEqual(['Small', 'Standard', 'Big', 'Huge'])
  await choose(field('Legend order'), 'A to Z')
  await addTile(page, 'Seasonality chart')
  await openTab('Style')
  await choose(field('Palette'), 'Blue')

  await saveNew(page, 'Choices')
  const [table, chart, seasons] = (await contentOf('Choices')).tiles
  expect(table).toMatchObject({
    source: { type: 'EDITOR' },
    sortingColumns: [{ columnName: 'Share', id: 'Share', sortOrder: 'Descending' }],
    timeZone: 'UTC',
    range: 'LAST',
    lastType: 'VALUES',
    lastTypeAmount: 500,
    decimalPrecision: 2,
    roundingMode: 'HALF_UP',
  })
  expect(chart).toMatchObject({ palette: 'COLORFUL_1', titleSize: 'Small', legendSorting: 'ASC' })
  expect(chart!.source).toEqual({ type: 'SOURCE_TILE', value: table!.id })
  expect(seasons).toMatchObject({ palette: 'BLUE', source: { type: 'DATA_PREP', value: seasons!.id } })
})

test('IN-012 IN-118 IN-128 IN-221 IN-222 IN-223 IN-226 IN-227 IN-237 IN-238 new code, PDF, search and workflow tiles have the defaults of the specification', async () => {
  const page = await stage.open('/Insight/Creator', anna)
  const settings = panel(page, 'Settings')
  const field = (label: string) => settings.getByLabel(label, { exact: true })

  await addTile(page, 'Code')
  expect(await field('Language').inputValue()).toBe('HTML/FTL')
  await addTile(page, 'PDF')
  await addTile(page, 'Search')
  await expect.poll(() => field('Amount').inputValue()).toBe('50')
  await choose(field('Groups'), 'Prices')
  await page.keyboard.press('Escape')
  await settings.getByRole('tab', { name: 'Columns' }).click()
  await settings.getByRole('button', { name: 'Add column' }).click()
  await expect.poll(() => field('Width').inputValue()).toBe('88')
  for (const name of ['Auto pipeline', 'Diagram', 'Status']) await addTile(page, name)
  await expect.poll(() => field('Limit').inputValue()).toBe('10')
  expect(await field('Refresh every (s)').inputValue()).toBe('10')
  await field('Limit').fill('201')
  await expect.poll(() => field('Limit').inputValue()).toBe('200')

  expect(await saveNew(page, 'Defaults')).toMatchObject({ isWorkflow: true })
  const { tiles } = await contentOf('Defaults')
  expect(tiles).toMatchObject([
    { type: 'CODE', codeType: 'html', source: { type: 'EDITOR' } },
    { type: 'PDF', scale: 100 },
    { type: 'SEARCH', lastTypeAmount: 50, columns: [{ columnWidth: 88 }] },
    { type: 'AUTO_PIPELINE' },
    { type: 'DIAGRAM' },
    { type: 'STATUS', limit: 200, autoRefreshInterval: 10 },
  ])
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  await tile(page, 'Code').getByRole('heading', { name: 'Code' }).click()
  expect(await choose(field('Language'), 'Python')).toEqual(['HTML/FTL', 'Python'])
  await addTile(page, 'Text')
  const update = page.waitForRequest(
    (each) => each.method() === 'PUT' && new URL(each.url()).pathname === '/insights',
  )
  await page.keyboard.press('Control+s')
  expect((await update).postDataJSON()).toMatchObject({ isWorkflow: true })
  await page.getByText('Insight has been saved.').waitFor()
  expect((await contentOf('Defaults')).tiles[0]).toMatchObject({ type: 'CODE', codeType: 'python' })
})

/** A user with the warehouse setting on and a group of two symbols. */
async function withDesk(email: string, groupName: string): Promise<Session> {
  const user = await stage.server.createUser({ email })
  await user.call(updateSettings, { body: { settings: { warehouse: 'ON' } } })
  await user.call(createGroup, { body: { name: groupName } })
  const content = 'Code,Date,Close\nBrent,2026-01-01,61.5\nGas,2026-01-01,30\n'
  await upload(user, { groupName, fileName: 'desk.csv', fileType: 'NCSV', content })
  return user
}

test('IN-321 IN-322 IN-323 IN-324 the values of a symbol found by a reader are a query of the time-series stream', async () => {
  const willa = await withDesk('willa@example.com', 'Find')
  const search = { id: 'q', type: 'SEARCH', title: 'Find', groupNames: ['Find'] }
  const filters = [{ filterKey: 'Code', label: 'Code', defaultValue: 'Gas' }]
  await makeInsight('Found', { tiles: [{ ...search, filters }] }, willa, 'Find')
  const page = await stage.newPage()
  const sent = page.waitForRequest((each) => new URL(each.url()).pathname.startsWith('/ts/stream'))
  await openAs(page, stage.server.url, willa.userName, '/Insight/Find/Found')
  const request = await sent
  expect(request.method()).toBe('POST')
  expect(new URL(request.url()).pathname).toBe('/ts/stream')
  expect(Object.fromEntries(new URL(request.url()).searchParams)).toMatchObject({
    size: '-1',
    order: 'desc',
    omitNulls: 'false',
    absoluteSize: '5000',
  })
  const { 'content-type': type, accept } = await request.allHeaders()
  expect([type, accept]).toEqual(['application/json', 'text/csv'])
  expect(request.postDataJSON()).toMatchObject({
    keys: [{ groupName: 'Find', symbols: { Code: 'Gas' }, metadatas: [], source: 'WAREHOUSE' }],
  })

  await willa.call(updateSettings, { body: { settings: { warehouse: 'OFF' } } })
  // The page with the earlier setting refreshes its data regularly, until it is closed.
  await page.goto('about:blank')
  const again = page.waitForRequest((each) => new URL(each.url()).pathname === '/ts/stream')
  await page.goto(`${stage.server.url}/Insight/Find/Found`)
  const { keys } = (await again).postDataJSON() as { keys: object[] }
  expect(keys).toHaveLength(1)
  expect(keys[0]).not.toHaveProperty('source')
})

test('IN-308 IN-313 applying a set of parameters requests the data of its tile, or shows the error', async () => {
  const wanda = await withDesk('wanda@example.com', 'Desk')
  const set = (title: string) => ({
    title,
    groupName: 'Desk',
    keys: [{ symbolKey: 'Code', symbolType: 'SYMBOL', label: 'Product', defaultValue: 'Brent' }],
  })
  const table = (id: string) => ({ id, title: `Table ${id}`, type: 'Table', sourceInputParamsId: id })
  const symbols = [{ groupName: 'Desk', symbols: { Code: 'Brent' }, valueColumnNames: ['Close'] }]
  const more = {
    tiles: [table('p1'), table('p2')],
    datapreps: { p1: { symbols }, p2: { symbols } },
    inputParams: { p1: set('First'), p2: set('Second') },
  }
  await makeInsight('Two sets', more, wanda, 'Desk')
  const page = await stage.open('/Insight/Desk/Two%20sets?panel=params', wanda)
  const form = (name: string) => page.getByRole('form', { name })
  for (const name of ['p1', 'p2']) await tile(page, `Table ${name}`).getByText('Brent').first().waitFor()
  for (const name of ['First', 'Second']) await choose(form(name).getByLabel('Product'), 'Gas')
  // The tiles also refresh their earlier data regularly.
  const sent = page.waitForRequest(
    (each) => each.url().endsWith('/data') && each.postData()?.includes('Gas') === true,
  )
  await form('First').getByRole('button', { name: 'Apply' }).click()
  await tile(page, 'Table p1').getByText('Gas').first().waitFor()
  expect((await sent).postDataJSON()).toMatchObject({
    tiles: [{ id: 'p1', part: 'TILE' }],
    parameters: { p1: { Code: 'Gas' } },
  })
  expect(await tile(page, 'Table p2').getByText('Gas').count()).toBe(0)
  expect(await tile(page, 'Table p2').getByText('Brent').count()).toBeGreaterThan(0)

  await page.context().setOffline(true)
  await form('Second').getByRole('button', { name: 'Apply' }).click()
  const reported = 'The server cannot be reached. Check your connection and try again.'
  await form('Second').getByRole('alert').getByText(reported, { exact: true }).waitFor()
  await page.getByLabel('Notifications').getByText(reported, { exact: true }).waitFor()
  await page.context().setOffline(false)
})

const timeSeriesSet = {
  title: 'Series',
  basicInputParamsType: 'TS',
  shouldSynchronizeParams: true,
  groupName: 'Prices',
  keys: [
    { symbolKey: 'Code', symbolType: 'SYMBOL', label: 'Product', defaultValue: 'Brent' },
    { symbolKey: 'Kind', symbolType: 'METADATA', label: 'Sort', defaultValue: 'oil' },
  ],
  symbols: { Code: ['Brent', 'Gas'] },
  metadatas: { Kind: ['oil', 'gas'] },
  filters: [{ name: 'Close', value: '5', operator: 'GREATER' }],
  withDateRange: true,
  dataRange: 'BETWEEN',
  from: '2026-01-01',
  to: '2026-01-31',
  lastValue: 7,
  lastType: 'DAYS',
  decimalPrecision: 3,
  timezone: 'Europe/Oslo',
  columns: ['Close'],
  values: { Code: 'Gas' },
  isHierarchyEnabled: true,
  isHidden: true,
  shouldOpenOnStart: true,
  templateContent: 'Choose a product',
}
const fileSet = {
  title: 'Cities',
  basicInputParamsType: 'FILE',
  csvFile: { groupName: 'Tables', name: 'regions.csv' },
  fileColumns: [
    { column: 'City', label: 'Town', valueType: 'text', defaultValue: 'Oslo', value: 'Rome' },
    {
      column: 'Due',
      label: 'Since',
      valueType: 'DATE',
      defaultValueFrom: '2026-01-01',
      defaultValueTo: '2026-01-31',
      valueFrom: '2026-01-05',
      valueTo: '2026-01-06',
    },
  ],
}
const chartSeries = {
  label: 'Share',
  dynamic: true,
  column: 'Share',
  columnXAxis: 'Due',
  columnXAxisIsNumber: false,
  columnXAxisTimezone: 'Europe/Oslo',
}

test('IN-175 IN-294 IN-296 IN-297 IN-299 IN-300 IN-301 IN-302 IN-303 IN-304 IN-306 IN-316 IN-317 IN-318 IN-351 an edited insight keeps every field of its parameters and series', async () => {
  const dataPrep = {
    name: 'Daily',
    outputGroup: 'Reports',
    symbols: [
      {
        groupName: 'Prices',
        symbols: { Code: 'Brent' },
        metadata: { Kind: 'oil' },
        valueColumnName: 'Volume',
        valueColumnNames: ['Close'],
        pattern: true,
        offsetAmount: '-1',
        offsetType: 'DAYS',
        fillType: 'PREVIOUS',
      },
    ],
  }
  await makeInsight('Fields', {
    tiles: [
      {
        id: 'c',
        title: 'Chart',
        type: 'Chart',
        source: { type: 'FILE', value: { groupName: 'Tables', fileName: 'regions.csv' } },
        series: [chartSeries],
      },
      { id: 't', title: 'Table', type: 'Table' },
    ],
    datapreps: { t: dataPrep },
    inputParams: {
      p1: timeSeriesSet,
      p2: fileSet,
      p3: { ...fileSet, title: 'Ragged', csvFile: { groupName: 'Tables', name: 'ragged.csv' } },
    },
  })
  const page = await stage.open('/Insight/Reports/Fields?edit=true', anna)
  await tile(page, 'Chart').locator('canvas').first().waitFor()
  await tile(page, 'Chart').getByRole('heading', { name: 'Chart' }).click()
  const settings = panel(page, 'Settings')
  await expect.poll(() => settings.getByLabel('Time zone of the X axis').inputValue()).toBe('Europe/Oslo')
  await settings.getByLabel('Label', { exact: true }).fill('Parts')

  await page.getByRole('button', { name: 'Parameters' }).click()
  const params = panel(page, 'Parameters')
  await params.getByRole('tab').last().click()
  await params.getByRole('button', { name: /^Series/ }).click()
  expect(await choose(params.getByLabel('Choices from', { exact: true }), 'Time series')).toEqual([
    'Time series',
    'File',
  ])
  await params.getByLabel('Dates, to').fill('2026-02-28')
  await params.getByRole('button', { name: 'Cities', exact: true }).click()
  const town = params.getByRole('group', { name: 'Field 1' })
  await town.getByLabel('Label').fill('Place')
  expect(await choose(town.getByLabel('Value type'), 'Dates')).toEqual(['Text', 'Dates'])
  await town.getByLabel('Default from').waitFor()
  await choose(town.getByLabel('Value type'), 'Text')
  await town.getByLabel('Default from').waitFor({ state: 'detached' })

  // The panel handles the error of a set itself, so there is no other message.
  await params.getByRole('button', { name: 'Ragged', exact: true }).click()
  const problem = 'CSV file can not be parsed.'
  await params.getByRole('alert').getByText(problem).first().waitFor()
  expect(await page.getByLabel('Notifications').getByText(problem).count()).toBe(0)
  await params.getByLabel('File', { exact: true }).fill('regions')
  await page.getByRole('option', { name: 'regions.csv' }).click()
  await params.getByRole('alert').waitFor({ state: 'detached' })

  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  const { tiles, datapreps, inputParams } = await contentOf('Fields')
  expect(tiles[0]!.series).toMatchObject([{ ...chartSeries, label: 'Parts' }])
  expect(datapreps).toEqual({ t: dataPrep })
  expect(inputParams!.p1).toEqual({
    ...timeSeriesSet,
    to: '2026-02-28',
    fromSelected: true,
    toSelected: true,
  })
  const [city, due] = fileSet.fileColumns
  expect(inputParams!.p2).toMatchObject({ ...fileSet, fileColumns: [{ ...city, label: 'Place' }, due] })
  expect(inputParams!.p3).toMatchObject({ csvFile: { groupName: 'Tables', name: 'regions.csv' } })
})

test('IN-012 IN-013 IN-014 a workflow tile, a tile action or a download button makes an insight a workflow', async () => {
  const text = { id: 'a', title: 'A', type: 'Text' }
  const kinds: Record<string, object> = {
    Plain: { tiles: [text] },
    'With status': { tiles: [{ ...text, type: 'STATUS' }] },
    'With action': { tiles: [{ ...text, actions: [{ type: 'RUN', pipelineName: 'p' }] }] },
    'With download': { tiles: [text], footer: { buttons: [{ id: 'b', type: 'DOWNLOAD_DATA_PREP' }] } },
    'With link': { tiles: [text], footer: { buttons: [{ id: 'b', type: 'OPEN_LINK' }] } },
  }
  await anna.call(createGroup, { body: { name: 'Kinds' } })
  for (const [name, more] of Object.entries(kinds)) await makeInsight(name, more, anna, 'Kinds')
  const { items } = await anna.call(searchInsights, { query: { groupName: 'Kinds', size: 10 } })
  expect(Object.fromEntries(items.map(({ insightName, isWorkflow }) => [insightName, isWorkflow]))).toEqual({
    Plain: false,
    'With status': true,
    'With action': true,
    'With download': true,
    'With link': false,
  })
})

test('IN-327 IN-336 the body of a data query contains keys, conditions, flags and limits', async () => {
  const post = (body: object) =>
    anna.fetch('/ts/stream', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
  const send = async (body: object) => {
    const response = await post(body)
    const text = await response.text()
    expect([response.status, text]).toEqual([200, text])
    return text
  }
  const key = {
    groupName: 'Prices',
    symbols: { Code: 'Brent' },
    columns: ['Close', 'Volume'],
    metadatas: ['Kind'],
  }
  const lines = async (more: object = {}) => (await send({ keys: [key], ...more })).trimEnd().split('\n')
  expect(await lines()).toEqual([
    'Code,Date(UTC),Close,Volume(I),Kind(MD-S)',
    'Brent,2026-01-01T00:00:00,61.5,5,oil',
    'Brent,2026-01-02T00:00:00,62,,oil',
  ])
  expect(await lines({ absoluteSize: 1 })).toHaveLength(2)
  expect(await lines({ filters: [{ name: 'Close', operator: '>', value: 61.5 }] })).toHaveLength(2)
  const [header] = await lines({ startDate: '2026-01-02', skipEmptyColumns: true })
  expect(header).toBe('Code,Date(UTC),Close,Kind(MD-S)')
  const standard = { keys: [key], formatType: 'STANDARD', csv: false }
  expect(JSON.parse(await send({ ...standard, stats: true }))).toMatchObject({
    statistics: { 0: { columns: { Close: { count: 2, sum: 123.5 } } } },
  })
  expect(await send({ ...standard, csv: true })).toMatch(/^Code,Date\(UTC\)/)
  // With delta, the dates of the query select by the time of insertion.
  const since = { startDate: '2026-01-03', endDate: '2999-01-01' }
  expect(await lines({ ...since, delta: false })).toHaveLength(1)
  expect(await lines({ ...since, delta: true })).toHaveLength(3)
  // Rows without any value are always omitted, so only the type of omitNulls can be observed.
  for (const omitNulls of [true, false]) expect(await lines({ omitNulls })).toHaveLength(3)
  const refused = await post({ keys: [key], omitNulls: 'maybe' })
  expect([refused.status, await refused.json()]).toMatchObject([
    400,
    { validationErrors: [{ field: 'omitNulls' }] },
  ])
})
