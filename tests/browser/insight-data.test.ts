import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { createPublicLink, updatePublicStatus } from '@headwater/publishing/contract'
import { createDataPrep } from '@headwater/preps/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems, openAs, pollClock, stopClock } from './open-browser.ts'
import { setUpTables } from './set-up-tables.ts'

const {
  stage,
  table,
  prep,
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
  product,
  panelOf,
  form,
  ...users
} = setUpTables()

let anna: Session
let ben: Session
let bothId: string
beforeAll(() => {
  anna = users.anna()
  ben = users.ben()
  bothId = users.bothId()
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
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual(['Series of this tile', 'Basket', 'Saved data prep', 'File', 'Inline CSV', 'Another tile'])
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
  await expect
    .poll(() => page.getByRole('option').allTextContents())
    .toEqual(['Series of this tile', 'Basket', 'Saved data prep', 'File', 'Another tile'])
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
  const logged = page.waitForRequest(
    (request) => request.url().endsWith('/log/error') && request.postData()?.includes('Location') === true,
  )
  const toast = (text: string) => page.getByLabel('Notifications').getByText(text, { exact: true })
  // A message disappears after five seconds, which a slow tile can need.
  await Promise.all([
    openAs(page, stage.server.url, anna.userName, insightPath('Damaged')),
    toast('CSV file can not be parsed.').waitFor(),
    toast('The mill is broken').waitFor(),
    toast('File gone.csv not found in group Tables').waitFor(),
  ])
  await tile(page, 'ragged').getByText('CSV file can not be parsed. Row 2 has 1 cell').waitFor()
  await expect.poll(() => column(page, 'cut', 1)).toEqual(['2'])
  await tile(page, 'empty').getByText('No data has been received.').waitFor()
  await tile(page, 'quiet').getByText('The query is too large').waitFor()
  await tile(page, 'loud').getByText('The mill is broken').waitFor()
  await tile(page, 'gone').getByText('File gone.csv not found in group Tables').waitFor()
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
  await expect.poll(() => controls('Brent EU')).toBeGreaterThan(4)
  await expect.poll(() => controls('Gas EU')).toBe(0)
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
  await expect.poll(() => controls('Gas EU')).toBe(0)
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
  await expect.poll(() => column(page, 'Rows', 3)).toEqual(['110', '210'])
  // The tiles also refresh their earlier data regularly.
  const request = page.waitForRequest(
    (each) => each.url().endsWith('/data') && each.postData()?.includes('Gas') === true,
  )
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
