import type { BrowserContextOptions, Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { searchFiles } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tiles/contract'
import { createInsight, getInsight } from '@headwater/insights/contract'
import { createPublicLink, updatePublicStatus } from '@headwater/publishing/contract'
import { createDataPrep } from '@headwater/preps/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems, openAs, pollClock, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session
let ben: Session
/** Id of the data prep Both. */
let bothId: string

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  ben = await stage.server.createUser({ email: 'ben@example.com' })
  for (const name of ['Prices', 'Reports', 'Tables']) await anna.call(createGroup, { body: { name } })
  await series('Prices', 'prices.csv', pricesFile())
  await table(
    'regions.csv',
    'Region;City;Share;From\nNorth;Oslo;40;2026-01-05\nNorth;Bergen;10;2026-02-05\nSouth;Rome;50;2026-03-05\n',
  )
  bothId = await prep('Both', [
    { groupName: 'Prices', symbols: { Code: 'Brent', Region: 'EU' }, valueColumnNames: ['Close'] },
    { groupName: 'Prices', symbols: { Code: 'WTI', Region: 'US' }, valueColumnNames: ['Close'] },
  ])
})

/** Ten days of three symbols: 100 + day, 200 + day, 300 + day. */
function pricesFile(): string {
  const symbols = ['Brent,EU,oil', 'WTI,US,oil', 'Gas,EU,gas']
  const lines = symbols.flatMap((symbol, at) =>
    Array.from({ length: 10 }, (_, day) => {
      const [code, region, kind] = symbol.split(',')
      const date = `2026-01-${String(day + 1).padStart(2, '0')}`
      return `${code},${region},${date},${100 * (at + 1) + day + 1},${kind}`
    }),
  )
  return ['Code,Region,Date,Close,Kind(MD-S)', ...lines].join('\n')
}

async function series(groupName: string, fileName: string, content: string): Promise<void> {
  expect(await upload(anna, { groupName, fileName, fileType: 'NCSV', content })).toMatchObject({
    status: 'READY',
  })
}

async function table(fileName: string, content: string | Uint8Array<ArrayBuffer>): Promise<void> {
  await upload(anna, { groupName: 'Tables', fileName, fileType: 'SOURCE', content })
}

async function prep(name: string, symbols: object[], more: object = {}): Promise<string> {
  const dataPrep = { name, outputGroup: 'Reports', range: 'LAST', lastTypeAmount: 3, symbols, ...more }
  return (await anna.call(createDataPrep, { body: { dataPrep } as never })).id
}

async function makeInsight(insightName: string, tiles: object[], more: object = {}): Promise<void> {
  const content = { ...emptyContent(), tiles, ...more } as never
  await anna.call(createInsight, { body: { insightName, groupName: 'Reports', content } })
}

async function open(
  path: string,
  options: BrowserContextOptions = {},
  session: Session = anna,
): Promise<Page> {
  return stage.open(path, session, options)
}

const insightPath = (name: string, search = '') => `/Insight/Reports/${encodeURIComponent(name)}${search}`
const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const contentOf = async (insightName: string) =>
  (await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })).content

/** A column of the rows of a table tile. */
async function column(page: Page, title: string, index: number): Promise<string[]> {
  const rows = await tile(page, title).getByRole('row').all()
  const cells = await Promise.all(
    rows.map((row) => row.locator('[role=cell], [role=gridcell]').allTextContents()),
  )
  return cells.flatMap((row) => (row[index] === undefined ? [] : [row[index]]))
}

async function choose(field: Locator, option: string): Promise<void> {
  await field.click()
  await field.page().getByRole('option', { name: option, exact: true }).click()
}

const tableTile = (title: string, more: object = {}) => ({
  id: title,
  title,
  type: 'Table',
  tileWidth: 'half',
  ...more,
})
const own = (...codes: string[]) => ({
  symbols: codes.map((Code) => ({
    groupName: 'Prices',
    symbols: { Code, Region: Code === 'WTI' ? 'US' : 'EU' },
    valueColumnNames: ['Close'],
  })),
})

test('IN-132 IN-316 IN-319 IN-391 IN-400 tables show a saved data prep, a file, typed rows and the rows of another tile', async () => {
  await makeInsight(
    'Sources',
    [
      tableTile('Prep', { source: { type: 'DATA_PREP', value: { groupName: 'Reports', name: 'Both' } } }),
      tableTile('Prep by id', { source: { type: 'DATA_PREP', value: { id: bothId } } }),
      tableTile('File', {
        source: { type: 'FILE', value: { groupName: 'Tables', fileName: 'regions.csv' } },
      }),
      tableTile('Typed', { source: { type: 'EDITOR' }, dataContent: 'Name\tAge\nAnn\t31\nBob\t7' }),
      tableTile('Other', { source: { type: 'SOURCE_TILE', value: 'File' } }),
      tableTile('Stored', {}),
      tableTile('Own', { lastTypeAmount: 1 }),
      {
        id: 'f',
        title: 'Sums',
        type: 'STATS',
        statistic: 'SUM',
        source: { type: 'SOURCE_TILE', value: 'File' },
      },
      {
        id: 'h',
        title: 'Code',
        type: 'CODE',
        source: { type: 'EDITOR' },
        templateContent: '<p id="p"></p><script>p.textContent = headwater.data.rows[2][1]</script>',
        dataSource: { type: 'SOURCE_TILE', value: 'File' },
      },
      {
        id: 'l',
        title: 'Lines',
        type: 'Chart',
        source: { type: 'SOURCE_TILE', value: 'Prep' },
        series: [{ column: 'Close', dynamic: true }],
      },
    ],
    {
      datapreps: {
        Stored: { name: 'Both', outputGroup: 'Reports', symbols: [] },
        Own: own('Gas'),
      },
    },
  )
  const page = await stage.newPage({ viewport: { width: 1440, height: 2400 } })
  const search = page.waitForRequest((request) => new URL(request.url()).pathname === '/file/search')
  const definition = page.waitForResponse((response) =>
    /^\/file\/[0-9a-f-]{36}$/.test(new URL(response.url()).pathname),
  )
  const content = page.waitForRequest((request) =>
    /^\/file\/[^/]+\/content$/.test(new URL(request.url()).pathname),
  )
  await openAs(page, stage.server.url, anna.userName, insightPath('Sources'))
  const rows = ['110', '210', '109', '209', '108', '208']
  await expect.poll(() => column(page, 'Prep', 3)).toEqual(rows)
  await expect.poll(() => column(page, 'Prep by id', 3)).toEqual(rows)
  await expect.poll(() => column(page, 'File', 1)).toEqual(['Oslo', 'Bergen', 'Rome'])
  await expect.poll(() => column(page, 'Typed', 1)).toEqual(['31', '7'])
  await expect.poll(() => column(page, 'Other', 2)).toEqual(['40', '10', '50'])
  await expect.poll(() => column(page, 'Stored', 3)).toEqual(rows)
  const { pathname, searchParams, search: query } = new URL((await search).url())
  expect([searchParams.get('query'), searchParams.get('size')]).toEqual([
    'groupName=Tables&name=regions.csv',
    '1',
  ])
  // Requested again, because the browser drops the bodies of earlier responses.
  const { items } = (await (await anna.fetch(pathname + query)).json()) as { items: { fid: string }[] }
  expect(new URL((await definition).url()).pathname).toBe(`/file/${items[0]!.fid}`)
  const location = new URL((await definition).headers()['location']!, stage.server.url).href
  expect((await content).url()).toBe(location)
  expect(await (await fetch(location)).text()).toBe(
    'Region;City;Share;From\nNorth;Oslo;40;2026-01-05\nNorth;Bergen;10;2026-02-05\nSouth;Rome;50;2026-03-05\n',
  )
  await expect.poll(() => column(page, 'Own', 0)).toEqual(['Gas'])
  await tile(page, 'Sums').getByText('100', { exact: true }).waitFor()
  await tile(page, 'Lines').scrollIntoViewIfNeeded()
  await tile(page, 'Lines').locator('canvas').first().waitFor()
  await tile(page, 'Code').frameLocator('iframe').getByText('Rome').waitFor()
  expect((await contentOf('Sources')).datapreps).toMatchObject({
    Stored: { name: 'Both', outputGroup: 'Reports', symbols: [] },
    Own: own('Gas'),
  })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await panelOf(page, 'Settings').waitFor()
  const byName = page.waitForRequest((each) => new URL(each.url()).pathname === '/dataprep/name')
  await tile(page, 'Prep').getByRole('heading', { name: 'Prep' }).click()
  expect(Object.fromEntries(new URL((await byName).url()).searchParams)).toEqual({
    groupName: 'Reports',
    name: 'Both',
    latest: 'true',
    withMetadata: 'false',
    resolvePattern: 'false',
  })
  const byId = page.waitForRequest((each) => new URL(each.url()).pathname === `/dataprep/${bothId}`)
  await tile(page, 'Prep by id').getByRole('heading', { name: 'Prep by id' }).click()
  await byId
  await tile(page, 'File').getByRole('heading', { name: 'File' }).click()
  await panelOf(page, 'Settings').getByLabel('Data from').click()
  expect(await page.getByRole('option').allTextContents()).toEqual([
    'Series of this tile',
    'Basket',
    'Saved data prep',
    'File',
    'Inline CSV',
    'Another tile',
  ])
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.keyboard.press('Escape')
  await page.evaluate(() => navigator.clipboard.writeText('a'.repeat(210)))
  await panelOf(page, 'Settings').getByRole('tab', { name: 'Style' }).click()
  await panelOf(page, 'Settings').getByLabel('Displayed title').click()
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Control+v')
  await page.getByText('The pasted text is too long. Its last 10 characters were omitted.').waitFor()
  await page.keyboard.press('Backspace')
  await expect.poll(() => page.getByText('The pasted text is too long.').count()).toBe(0)
})

test('IN-133 IN-167 IN-175 the editor sets the source of a chart, and column, X axis and time zone of its series', async () => {
  const chart = (id: string, title: string) => ({ id, title, type: 'Chart', series: [] })
  await makeInsight('File chart', [chart('c', 'C'), chart('d', 'Prep'), chart('e', 'Tile')])
  const page = await open(insightPath('File chart', '?edit=true'))
  await tile(page, 'C').getByRole('heading', { name: 'C' }).click()
  const panel = page.getByRole('complementary', { name: 'Settings' })
  await panel.getByLabel('Data from').click()
  expect(await page.getByRole('option').allTextContents()).toEqual([
    'Series of this tile',
    'Basket',
    'Saved data prep',
    'File',
    'Another tile',
  ])
  await page.getByRole('option', { name: 'File', exact: true }).click()
  await tile(page, 'C').getByText('No file yet').waitFor()
  await panel.getByLabel('Group').fill('Tabl')
  await page.getByRole('option', { name: 'Tables' }).click()
  await panel.getByLabel('File', { exact: true }).fill('regions')
  await page.getByRole('option', { name: 'regions.csv' }).click()
  await panel.getByRole('button', { name: 'Add series' }).click()
  await page.getByRole('menuitem', { name: 'Share' }).click()
  await tile(page, 'C').locator('canvas').first().waitFor()
  await panel.getByRole('button', { name: 'Duplicate Share' }).click()
  await choose(panel.getByLabel('X axis', { exact: true }), 'Share')
  await panel
    .getByRole('button', { name: /^Share/ })
    .first()
    .click()
  await panel.getByLabel('One line per symbol').check()
  await choose(panel.getByLabel('X axis', { exact: true }), 'From')
  await panel.getByLabel('Time zone of the X axis').fill('Oslo')
  await page.getByRole('option', { name: 'Europe/Oslo' }).click()
  for (const [title, source] of [
    ['Prep', 'Saved data prep'],
    ['Tile', 'Another tile'],
  ] as const) {
    await tile(page, title).getByRole('heading', { name: title }).click()
    await choose(panel.getByLabel('Data from'), source)
    if (title === 'Prep') {
      await panel.getByLabel('Data prep', { exact: true }).fill('Bot')
      await page.getByRole('option', { name: 'Both' }).click()
    } else await choose(panel.getByLabel('Tile', { exact: true }), 'C')
  }
  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  expect((await contentOf('File chart')).tiles).toMatchObject([
    {
      source: { type: 'FILE', value: { groupName: 'Tables', fileName: 'regions.csv' } },
      series: [
        {
          label: 'Share',
          dynamic: true,
          column: 'Share',
          columnXAxis: 'From',
          columnXAxisIsNumber: false,
          columnXAxisTimezone: 'Europe/Oslo',
        },
        {
          label: 'Share',
          dynamic: false,
          column: 'Share',
          columnXAxis: 'Share',
          columnXAxisIsNumber: true,
          columnXAxisTimezone: '',
        },
      ],
    },
    { source: { type: 'DATA_PREP', value: { groupName: 'Reports', name: 'Both' } } },
    { source: { type: 'SOURCE_TILE', value: 'c' } },
  ])
})

test('IN-347 IN-348 IN-349 IN-350 IN-351 IN-352 IN-353 IN-354 IN-356 a damaged file or a failed request leaves only its own tile empty, with an error', async () => {
  const files: Record<string, string> = {
    'ragged.csv': 'a,b\n1\n3,4\n',
    'cut.csv': 'a,b\n1,2\n3',
    'empty.csv': '\n',
    'quiet.csv': 'status,message\n400,The query is too large\n',
    'loud.csv': 'status,message\n500,The mill is broken\n',
  }
  for (const [name, content] of Object.entries(files)) await table(name, content)
  const lost = { groupName: 'Tables', fileName: 'lost.csv', fileType: 'SOURCE', content: 'a\n1\n' }
  const { fileId } = await upload(anna, lost)
  const names = [...Object.keys(files), 'gone.csv', 'lost.csv']
  const symbols = { Code: 'Brent', Region: 'EU' }
  const brent = { groupName: 'Prices', symbols, symbolList: [symbols], column: 'Close' }
  await makeInsight(
    'Damaged',
    [
      ...names.map((fileName) =>
        tableTile(fileName.replace('.csv', ''), {
          tileHeight: 'quarter',
          source: { type: 'FILE', value: { groupName: 'Tables', fileName } },
        }),
      ),
      tableTile('refused', { tileHeight: 'quarter' }),
      { ...tableTile('search', { tileHeight: 'quarter' }), type: 'SEARCH', groupNames: ['Prices'] },
      {
        ...tableTile('code', { tileHeight: 'quarter' }),
        type: 'CODE',
        source: { type: 'FILE', value: { groupName: 'Tables', fileName: 'gone.html' } },
      },
      { ...tableTile('chart', { tileHeight: 'quarter' }), type: 'Chart', series: [brent] },
      { ...tableTile('stats', { tileHeight: 'quarter' }), type: 'STATS', series: [brent] },
    ],
    { datapreps: { refused: own('Brent') } },
  )
  const page = await stage.newPage({ viewport: { width: 1440, height: 2400 } })
  for (const path of ['**/insight/*/data', '**/ts/**']) await page.route(path, (route) => route.abort())
  await page.route(`**/file/${fileId}`, async (route) => {
    const response = await route.fetch()
    const { location: _location, ...headers } = response.headers()
    await route.fulfill({ response, headers })
  })
  const logged = page.waitForRequest('**/log/error')
  await openAs(page, stage.server.url, anna.userName, insightPath('Damaged'))
  const toast = (text: string) => page.getByLabel('Notifications').getByText(text, { exact: true })
  await tile(page, 'ragged').getByText('CSV file can not be parsed. Row 2 has 1 cell').waitFor()
  await toast('CSV file can not be parsed.').waitFor()
  await expect.poll(() => column(page, 'cut', 1)).toEqual(['2'])
  await tile(page, 'empty').getByText('No data has been received.').waitFor()
  await tile(page, 'quiet').getByText('The query is too large').waitFor()
  await tile(page, 'loud').getByText('The mill is broken').waitFor()
  await toast('The mill is broken').waitFor()
  await tile(page, 'gone').getByText('File gone.csv not found in group Tables').waitFor()
  await toast('File gone.csv not found in group Tables').waitFor()
  expect(await toast('The query is too large').count()).toBe(0)
  await tile(page, 'code').getByText('File gone.html not found in group Tables').waitFor()
  const reported = (await logged).postDataJSON() as { message: string }
  expect(reported).toMatchObject({ userName: anna.userName, level: 'error' })
  expect(reported.message).toContain(`${fileId} has no Location header`)
  const empty = ['ragged', 'quiet', 'loud', 'gone', 'lost', 'refused', 'search', 'code', 'chart', 'stats']
  const failed = page.getByRole('region').filter({ has: page.locator('[data-tile-error]') })
  await expect.poll(() => failed.getByRole('heading').allTextContents()).toEqual(empty)
  for (const title of empty) {
    expect(await tile(page, title).locator('[data-tile-error]').count()).toBe(1)
    expect(await tile(page, title).locator('[role=cell], [role=gridcell], canvas, li').count()).toBe(0)
  }
})

test('IN-314 IN-315 IN-347 a missing or forbidden data prep is an error toast with the title of the tile', async () => {
  await ben.call(createGroup, { body: { name: 'Bens' } })
  const dataPrep = { name: 'Secret', outputGroup: 'Bens', symbols: [] }
  const { id } = await ben.call(createDataPrep, { body: { dataPrep } as never })
  const allColumns = await prep('All columns', [{ groupName: 'Prices', symbols: { Code: 'Brent' } }])
  await makeInsight(
    'Lost preps',
    [
      tableTile('Gone prep', {
        source: { type: 'DATA_PREP', value: { groupName: 'Reports', name: 'Gone' } },
      }),
      tableTile('Hidden prep', { source: { type: 'DATA_PREP', value: { id } } }),
      tableTile('Broken prep', {
        source: { type: 'DATA_PREP', value: { id: allColumns } },
        sourceInputParamsId: 'p1',
      }),
    ],
    { inputParams: { p1: { keys: [{ symbolKey: 'Code', defaultValue: 'Gas' }] } } },
  )
  const page = await open(insightPath('Lost preps'))
  const text = 'User is not authorized to the data prep or the data prep does not exist.'
  for (const title of ['Gone prep', 'Hidden prep']) {
    await tile(page, title).getByText(text).waitFor()
    const toast = page.getByLabel('Notifications').getByRole('alert').filter({ hasText: title })
    await toast.getByText(text, { exact: true }).waitFor()
    expect(await tile(page, title).locator('[data-tile-error]').count()).toBe(1)
  }
  const broken = page.getByLabel('Notifications').getByRole('alert').filter({ hasText: 'Broken prep' })
  await broken.getByText('Pattern symbols with all columns selected are not supported.').waitFor()
  expect(await tile(page, 'Broken prep').locator('[data-tile-error]').count()).toBe(1)
  await tile(page, 'Gone prep').getByText('Data prep: Gone in Reports.').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  await tile(page, 'Gone prep').getByText(text).click()
  const field = panelOf(page, 'Settings').getByLabel('Data prep')
  await expect.poll(() => field.getAttribute('aria-invalid')).toBe('true')
  await panelOf(page, 'Settings').getByText(text).waitFor()
})

test('IN-133 a source tile is referenced by its id; cycles are rejected', async () => {
  const from = (title: string, value: string) => tableTile(title, { source: { type: 'SOURCE_TILE', value } })
  await makeInsight(
    'Chains',
    [
      from('First', 'Second'),
      from('Second', 'b1'),
      { ...tableTile('Bare', { tileWidth: 'full', hidden: true }), id: 'b1' },
      from('Round', 'Trip'),
      from('Trip', 'Round'),
      from('Orphan', 'nobody'),
    ],
    { datapreps: { b1: own('Brent') } },
  )
  const page = await stage.newPage({ viewport: { width: 1440, height: 1400 } })
  await openAs(page, stage.server.url, anna.userName, insightPath('Chains'))
  await expect.poll(() => column(page, 'First', 3)).toHaveLength(10)
  await expect.poll(() => column(page, 'Second', 3)).toHaveLength(10)
  await tile(page, 'Round').getByText('Circular data source: Round → Trip → Round.').waitFor()
  await tile(page, 'Orphan').getByText('The source tile no longer exists').waitFor()
})

test('IN-069 IN-347 the tiles of an open insight refresh every 10 s, but not while the API is limited', async () => {
  await makeInsight('Refreshed', [tableTile('Fresh')], { datapreps: { Fresh: own('Brent') } })
  const page = await stage.newPage()
  await page.clock.install()
  const sent: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith('/data')) sent.push(request.url())
  })
  await openAs(page, stage.server.url, anna.userName, insightPath('Refreshed'))
  await expect.poll(() => column(page, 'Fresh', 0)).toContain('Brent')
  await stopClock(page)
  sent.length = 0
  await pollClock(page, 500, () => sent.length).toBe(1)
  await page.clock.runFor(9000)
  expect(sent).toHaveLength(1)
  await page.route('**/insight/*/data', (route) =>
    route.fulfill({ status: 429, json: { status: 429, code: 'tooManyRequests', message: 'Wait.' } }),
  )
  await pollClock(page, 500, () => sent.length).toBeGreaterThan(1)
  await pollClock(page, 200, () => tile(page, 'Fresh').locator('[data-tile-error]').count()).toBe(1)
  expect(await column(page, 'Fresh', 0)).toEqual([])
  const before = sent.length
  await page.clock.runFor(60_000)
  expect(sent).toHaveLength(before)
})

test('a tile without a response does not block others', async () => {
  await makeInsight(
    'Waiting',
    [
      tableTile('Slow', {
        source: { type: 'FILE', value: { groupName: 'Tables', fileName: 'regions.csv' } },
      }),
      tableTile('Fast', { source: { type: 'EDITOR' }, dataContent: 'a,b\n1,2' }),
      tableTile('Own', {}),
    ],
    { datapreps: { Own: own('Gas') } },
  )
  const page = await stage.newPage()
  let release = () => {}
  const held = new Promise<void>((resolve) => (release = resolve))
  await page.route('**/file/*/content**', async (route) => {
    await held
    await route.continue()
  })
  await openAs(page, stage.server.url, anna.userName, insightPath('Waiting'))
  await expect.poll(() => column(page, 'Fast', 1)).toEqual(['2'])
  await expect.poll(() => column(page, 'Own', 3)).toHaveLength(10)
  await tile(page, 'Slow').getByRole('status', { name: 'Loading' }).waitFor()
  release()
  await expect.poll(() => column(page, 'Slow', 0)).toEqual(['North', 'North', 'South'])
})

const keys = (...given: object[]) => ({ basicInputParamsType: 'TS', groupName: 'Prices', keys: given })
const region = { symbolKey: 'Region', symbolType: 'SYMBOL', label: 'Area', defaultValue: 'EU' }
const product = { symbolKey: 'Code', symbolType: 'SYMBOL', label: 'Product', defaultValue: 'Brent' }
const panelOf = (page: Page, name: 'Parameters' | 'Basket' | 'Settings') =>
  page.getByRole('complementary', { name })
const form = (page: Page, title: string) => page.getByRole('form', { name: title })

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
  await tile(page, 'Before').getByRole('button', { name: 'Actions of Before' }).click()
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
  expect(await page.getByRole('option').allTextContents()).toEqual(['Time series', 'File'])
  await page.getByRole('option', { name: 'File', exact: true }).click()
  await panel.getByLabel('File', { exact: true }).waitFor()
  await choose(kind, 'Time series')
  await panel.getByLabel('File', { exact: true }).waitFor({ state: 'detached' })
  await panel.getByLabel('Group').fill('Pri')
  await page.getByRole('option', { name: 'Prices' }).click()
  const field = panel.getByRole('group', { name: 'Field 1' })
  // The tile shows Brent of a group with two keys.
  expect(await field.getByLabel('Key').inputValue()).toBe('Code')
  expect(await field.getByLabel('Initial value').inputValue()).toBe('Brent')
  expect(await panel.getByRole('group', { name: 'Field 2' }).getByLabel('Initial value').inputValue()).toBe(
    'EU',
  )
  await panel.getByRole('button', { name: 'Delete field 2' }).click()
  await field.getByLabel('Label').fill('Product')
  await choose(field.getByLabel('Initial value'), 'Gas')
  await panel.getByRole('button', { name: 'Add field' }).click()
  const second = panel.getByRole('group', { name: 'Field 2' })
  await second.getByLabel('Key').fill('Kin')
  await page.getByRole('option', { name: 'Kind' }).click()
  expect(await second.getByLabel('Kind').inputValue()).toBe('Metadata')
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
  expect(await params.getByLabel('Group').inputValue()).toBe('Metals')
  expect(await params.getByRole('group', { name: 'Field 1' }).getByLabel('Key').inputValue()).toBe('Metal')
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

  if ((await fields.count()) === 0)
    await page.getByRole('button', { name: 'Parameters', exact: true }).click()
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
  expect(await chip('Product Gas').evaluate((chip) => chip === document.activeElement)).toBe(true)
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

test('the builder and the chips list the tiles that follow a parameter, and those that cannot with the reason', async () => {
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
  expect(await field.inputValue()).toBe('WTI')
  gate.resolve()
  const matches = page.waitForResponse('**/ts/symbol/values**')
  await field.fill('wt')
  await (await matches).finished()
  gate = Promise.withResolvers<void>()
  await field.fill('gas')
  await expect.poll(() => page.getByRole('option').count()).toBe(0)
  gate.resolve()
  await page.getByRole('option', { name: 'Gas' }).waitFor()
  await page.keyboard.press('Enter')
  expect(await field.inputValue()).toBe('Gas')
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
  const list = (await page.getByRole('listbox').boundingBox())!
  const { y, height } = (await note.boundingBox())!
  expect(y + height, 'visible before the list is scrolled').toBeLessThanOrEqual(list.y + list.height)
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
  expect(await byId.getByLabel('Town').inputValue()).toBe('Bergen')
  expect(await byId.getByLabel('When, from').inputValue()).toBe('2026-02-01')
  expect(await byId.getByLabel('When, to').inputValue()).toBe('2026-02-28')
  await byId.getByLabel('Town').click()
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual(['Any', 'Bergen', 'Oslo', 'Rome'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  const panel = panelOf(page, 'Parameters')
  await panel.getByRole('tab', { name: 'Set up' }).click()
  await panel.getByRole('button', { name: 'By id', exact: true }).click()
  expect(await panel.getByLabel('Choices from', { exact: true }).inputValue()).toBe('File')
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
  expect(await form(page, 'One').count()).toBe(0)
})

const item = (Code: string, more: object = {}) => ({
  ...own(Code).symbols[0],
  metadata: {},
  type: 'SYMBOL',
  pattern: false,
  ...more,
})
const basketTiles = [
  tableTile('Rows', { source: { type: 'DATA_PREP', value: 'BASKET' } }),
  { id: 'c', title: 'Lines', type: 'Chart', source: { type: 'DATA_PREP', value: 'BASKET' } },
  { id: 's', title: 'Values', type: 'STATS', source: { type: 'DATA_PREP', value: 'BASKET' } },
]
const basketOf = (...items: object[]) => ({
  basket: { items, settings: { range: 'LAST', lastTypeAmount: 1 } },
})

test('IN-029 IN-030 IN-283 IN-288 only one panel is open; the basket has two tabs and read-only items without controls', async () => {
  await makeInsight('Panels', basketTiles, {
    ...basketOf(item('Brent'), item('Gas', { previewAccess: true })),
    inputParams: { p1: { title: 'One', ...keys(product) } },
  })
  const page = await open(insightPath('Panels'))
  const [params, basket] = ['Parameters', 'Basket'].map((name) =>
    page.getByRole('button', { name, exact: true }),
  )
  await params!.click()
  await panelOf(page, 'Parameters').waitFor()
  await basket!.click()
  await panelOf(page, 'Basket').waitFor()
  expect(await panelOf(page, 'Parameters').count()).toBe(0)
  await expect.poll(() => page.getByRole('tab').allTextContents()).toEqual(['DATA2', 'SETTINGS'])
  const controls = (name: string) =>
    panelOf(page, 'Basket').getByRole('listitem', { name }).locator('button, input, select, textarea').count()
  expect(await controls('Brent EU')).toBeGreaterThan(4)
  expect(await controls('Gas EU')).toBe(0)
  await panelOf(page, 'Basket').getByRole('listitem', { name: 'Gas EU' }).getByText('read only').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await params!.click()
  await panelOf(page, 'Basket').waitFor({ state: 'detached' })
  await panelOf(page, 'Parameters').waitFor()
  await params!.click()
  await panelOf(page, 'Parameters').waitFor({ state: 'detached' })
  await basket!.click()
  await panelOf(page, 'Basket').waitFor()
  await basket!.click()
  await panelOf(page, 'Basket').waitFor({ state: 'detached' })
  await page.keyboard.press('p')
  await form(page, 'One').getByRole('button', { name: 'Apply' }).focus()
  await page.keyboard.press('Escape')
  await panelOf(page, 'Parameters').waitFor({ state: 'detached' })
  await expect.poll(() => params!.evaluate((button) => button === document.activeElement)).toBe(true)
  await params!.click()
  await form(page, 'One').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByText('editing · v1').waitFor()
  await basket!.click()
  await expect.poll(() => controls('Brent EU')).toBeGreaterThan(4)
  expect(await controls('Gas EU')).toBe(0)
})

test('IN-007 IN-285 IN-286 IN-289 IN-290 basket items are added, removed, swapped and reordered; Apply refreshes tables, charts and stats', async () => {
  await makeInsight(
    'Basket',
    basketTiles,
    basketOf(item('Brent', { metadata: { Kind: 'oil' }, query: 'br' }), item('WTI')),
  )
  const page = await open(insightPath('Basket', '?panel=basket'))
  const panel = panelOf(page, 'Basket')
  await expect.poll(() => column(page, 'Rows', 3)).toEqual(['110', '210'])
  await panel.getByRole('button', { name: 'Swap WTI US' }).click()
  const picker = page.getByRole('dialog', { name: 'Add series' })
  await picker.getByRole('button', { name: 'Gas EU, Close' }).click()
  await picker.getByRole('button', { name: 'Add series' }).click()
  await panel.getByRole('button', { name: 'Move Gas EU up' }).click()
  expect(await column(page, 'Rows', 3)).toEqual(['110', '210'])
  const request = page.waitForRequest((each) => each.url().endsWith('/data'))
  await panel.getByRole('button', { name: 'Apply' }).click()
  expect((await request).postDataJSON()).toMatchObject({
    basket: { items: [{ symbols: { Code: 'Gas' } }, { symbols: { Code: 'Brent' } }] },
  })
  await expect.poll(() => column(page, 'Rows', 3)).toEqual(['110', '310'])
  const legend = () => tile(page, 'Lines').locator('button[aria-pressed]').allTextContents()
  await expect.poll(legend).toEqual([expect.stringContaining('Gas'), expect.stringContaining('Brent')])
  await expect.poll(() => tile(page, 'Values').getByRole('listitem').count()).toBe(2)
  await panel.getByRole('button', { name: 'Add to the basket' }).click()
  await picker.getByRole('button', { name: 'WTI US, Close' }).click()
  await picker.getByRole('button', { name: 'Add series' }).click()
  await panel.getByRole('listitem', { name: 'WTI US' }).waitFor()
  await panel.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => column(page, 'Rows', 3)).toEqual(['110', '210', '310'])
  await expect.poll(legend).toHaveLength(3)
  await tile(page, 'Values').getByText('210', { exact: true }).waitFor()
  await panel.getByRole('button', { name: 'Remove Brent EU' }).click()
  await panel.getByRole('button', { name: 'Remove WTI US' }).click()
  await panel.getByRole('tab', { name: 'SETTINGS' }).click()
  await panel.getByLabel('Amount').fill('2')
  await panel.getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => column(page, 'Rows', 3)).toEqual(['310', '309'])
  await tile(page, 'Lines').locator('canvas').first().waitFor()
  await tile(page, 'Values').getByText('310', { exact: true }).waitFor()

  expect((await contentOf('Basket')).basket).toMatchObject({ items: [{}, {}] })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByText('editing · v1').waitFor()
  await panel.getByRole('tab', { name: 'DATA' }).click()
  await panel.getByRole('button', { name: 'Remove WTI US' }).click()
  await panel.getByRole('button', { name: 'Apply' }).click()
  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  expect((await contentOf('Basket')).basket).toMatchObject({
    items: [
      {
        groupName: 'Prices',
        symbols: { Code: 'Brent', Region: 'EU' },
        metadata: { Kind: 'oil' },
        type: 'SYMBOL',
        query: 'br',
        pattern: false,
        previewAccess: false,
      },
    ],
    settings: { range: 'LAST', lastTypeAmount: 1 },
  })
})

test('IN-284 IN-286 IN-291 a pattern with all columns is rejected; a basket of more than 30 items opens its tab', async () => {
  const pattern = item('*', { symbols: { Code: '*' }, pattern: true, valueColumnNames: ['Close'] })
  const many = Array.from({ length: 30 }, (_, index) => item(`X${index}`))
  await makeInsight('Many', basketTiles, basketOf(pattern, ...many))
  await makeInsight('Few', basketTiles, basketOf(pattern, ...many.slice(1)))
  const page = await open(insightPath('Many', '?panel=basket&basket=settings'))
  await expect.poll(() => column(page, 'Rows', 0)).toEqual(['Brent', 'WTI', 'Gas'])
  const panel = panelOf(page, 'Basket')
  const data = panel.getByRole('tab', { name: 'DATA' })
  expect(await data.getAttribute('aria-selected')).toBe('true')
  await panel.getByLabel('Columns of *').press('Backspace')
  await panel.getByRole('button', { name: 'Apply' }).click()
  const reported = 'Pattern symbols with all columns selected are not supported.'
  await page.getByLabel('Notifications').getByText(reported, { exact: true }).waitFor()
  expect(await column(page, 'Rows', 0)).toEqual(['Brent', 'WTI', 'Gas'])
  await page.goto(`${stage.server.url}${insightPath('Few', '?panel=basket&basket=settings')}`)
  await panel.getByLabel('Amount').waitFor()
})

test('IN-055 IN-056 IN-057 IN-058 IN-059 IN-060 IN-061 IN-063 IN-064 IN-065 old definitions are upgraded on load and saved in the current form', async () => {
  const old = [
    {
      title: 'Old chart',
      type: 'Chart',
      sectionSize: 'half',
      sectionHeight: 499,
      sourceTileId: 'params',
      series: [{ label: 'A', column: 'Close' }],
      actions: [{ type: 'RUN' }],
    },
    {
      title: 'Old table',
      type: 'Table',
      sectionSize: 'half',
      sectionHeight: 500,
      csvFile: { groupName: 'Tables', fileName: 'regions.csv' },
    },
    { title: 'Old text', type: 'Text', sectionHeight: 1001, markdown: 'Words **of old**' },
    { title: 'Old code', type: 'FTL', ftlContent: '<p>${1}</p>' },
    {
      title: 'Old template',
      type: 'CODE',
      codeType: 'html',
      dlTemplate: { groupName: 'Tables', name: 't.ftl' },
    },
    {
      title: 'Old diagram',
      type: 'DIAGRAM',
      nodes: [{ id: 'n' }],
      positions: { n: { x: 5, y: 6 } },
      links: [],
    },
    { id: 'params', title: 'Old params', type: 'INPUT_PARAMS', ...keys(product) },
  ]
  await upload(anna, {
    groupName: 'Reports',
    fileName: 'Old.json',
    fileType: 'INSIGHT',
    content: JSON.stringify({ tiles: old, datapreps: { 0: own('Brent') } }),
  })
  const page = await open(insightPath('Old', '?panel=params'), { viewport: { width: 1440, height: 1600 } })
  await tile(page, 'Old chart').locator('canvas').first().waitFor()
  await expect.poll(() => column(page, 'Old table', 1)).toEqual(['Oslo', 'Bergen', 'Rome'])
  await tile(page, 'Old text').getByText('Words of old').waitFor()
  await form(page, 'Old params').getByLabel('Product').waitFor()
  expect(await page.locator('[data-tile-id]').count()).toBe(6)

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByText(/editing · v/).waitFor()
  await tile(page, 'Old text').getByRole('heading', { name: 'Old text' }).click()
  await page.getByLabel('Markdown').fill('Words anew')
  await page.keyboard.press('Control+s')
  await page.getByText('Insight has been saved.').waitFor()
  const { tiles, inputParams, datapreps } = await contentOf('Old')
  expect(tiles).toMatchObject([
    {
      tileWidth: 'half',
      tileHeight: 'quarter',
      sourceInputParamsId: 'params',
      basicChartType: 'composed',
      actions: [{ actionName: 'RUN' }],
    },
    { tileHeight: 'half', source: { type: 'FILE', value: { groupName: 'Tables', fileName: 'regions.csv' } } },
    { tileHeight: 'full', source: { type: 'EDITOR' }, templateContent: 'Words anew' },
    { type: 'CODE', templateContent: '<p>${1}</p>', source: { type: 'EDITOR' } },
    { type: 'CODE', source: { type: 'FILE', value: { groupName: 'Tables', fileName: 't.ftl' } } },
    { diagram: { nodes: [{ id: 'n', position: { x: 5, y: 6 } }], links: [] } },
  ])
  expect(tiles.every(({ id }) => id !== '')).toBe(true)
  expect(Object.keys(inputParams!)).toEqual(['params'])
  expect(datapreps![tiles[0]!.id]).toMatchObject({ symbols: [{ symbols: { Code: 'Brent' } }] })
})

test('a visitor of a public insight sees files, and applies the parameters that the link allows', async () => {
  const insight = { groupName: 'Reports', insightName: 'Open to all' }
  const source = { type: 'FILE', value: { groupName: 'Tables', fileName: 'regions.csv' } }
  await makeInsight(
    insight.insightName,
    [tableTile('Rows', { source }), tableTile('Bound', { sourceInputParamsId: 'p1' })],
    { datapreps: { Bound: own('Brent') }, inputParams: { p1: { title: 'One', ...keys(product) } } },
  )
  await anna.call(updatePublicStatus, { body: { ...insight, isPublic: true } })
  const parameters = [{ name: 'Code', values: ['Brent', 'Gas'] }]
  const { path } = await anna.call(createPublicLink, { body: { ...insight, parameters } })
  const page = await stage.newPage()
  await page.goto(new URL(`${path}&panel=params`, stage.server.url).href)
  await expect.poll(() => column(page, 'Rows', 1)).toEqual(['Oslo', 'Bergen', 'Rome'])
  await form(page, 'One').getByLabel('Product').click()
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Brent', 'Gas'])
  await page.getByRole('option', { name: 'Gas' }).click()
  await form(page, 'One').getByRole('button', { name: 'Apply' }).click()
  await expect.poll(() => column(page, 'Bound', 0)).toEqual(Array<string>(10).fill('Gas'))
})
