import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { searchFiles } from '@headwater/files/contract'
import { createGroup, getGroup } from '@headwater/groups/contract'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import { createInsight, createInsightTemplate, getInsight } from '@headwater/insights/contract'
import { type Session, upload } from '@headwater/server/testing'
import { accessibilityProblems } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session
let ben: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  ben = await stage.server.createUser({ email: 'ben@example.com' })
  for (const name of ['Prices', 'Reports', 'Hidden']) await anna.call(createGroup, { body: { name } })
  const content = 'Code,Date,Close\nBrent,2026-01-01,61.5\nBrent,2026-01-02,62\n'
  for (const groupName of ['Prices', 'Hidden'])
    await upload(anna, { groupName, fileName: 'prices.csv', fileType: 'NCSV', content })
  await upload(anna, { groupName: 'Reports', fileName: 'regions.csv', content: 'Region,Share\nNorth,40\n' })
  for (const name of ['Prices', 'Reports']) {
    const { groupId } = await anna.call(getGroup, { params: { name } })
    await stage.server.running.platform.database.pool.query(
      `insert into group_grants (group_id, user_id, access) select $1, id, 'R' from users where user_name = $2`,
      [groupId, ben.userName],
    )
  }
})

async function open(path: string, user = anna): Promise<Page> {
  return stage.open(path, user)
}

function make(insightName: string, tiles: object[], datapreps: object = {}) {
  const content = { ...emptyContent(), tiles, datapreps } as InsightContent
  return anna.call(createInsight, { body: { insightName, groupName: 'Reports', content } })
}

const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const selection = (groupName: string) => ({
  symbols: [{ groupName, symbols: { Code: 'Brent' }, valueColumnNames: ['Close'] }],
})

test('IN-001 an insight is a dashboard file that shows time series and file rows in tiles', async () => {
  await make(
    'Dashboard',
    [
      { id: 's', title: 'Series', type: 'Table', range: 'ALL' },
      {
        id: 'f',
        title: 'Rows',
        type: 'Table',
        source: { type: 'FILE', value: { groupName: 'Reports', fileName: 'regions.csv' } },
      },
    ],
    { s: selection('Prices') },
  )
  const { items } = await anna.call(searchFiles, {
    query: { query: 'name=Dashboard.json&groupName=Reports&type=INSIGHT' },
  })
  expect(items).toHaveLength(1)
  const stored = (await (await anna.fetch(`/file/${items[0]!.fid}/download`)).json()) as InsightContent
  expect(stored.tiles.map(({ title }) => title)).toEqual(['Series', 'Rows'])
  const page = await open('/Insight/Reports/Dashboard')
  await tile(page, 'Series').getByRole('row', { name: /62/ }).waitFor()
  await tile(page, 'Rows').getByRole('row', { name: /North/ }).waitFor()
})

test('a double click on Save saves once, without a conflict', async () => {
  await anna.call(createInsight, {
    body: { insightName: 'Twice', groupName: 'Reports', content: emptyContent() },
  })
  const page = await open('/Insight/Reports/Twice?edit=true')
  await page.getByRole('complementary', { name: 'Settings' }).getByRole('button', { name: /^Text/ }).click()
  await page.getByRole('textbox', { name: 'Markdown' }).fill('Once')
  let saves = 0
  page.on('request', (request) => {
    if (request.method() === 'PUT' && new URL(request.url()).pathname === '/insights') saves += 1
  })
  await page.getByRole('button', { name: 'Save', exact: true }).dblclick()
  await page.getByText('Insight has been saved.').waitFor()
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  expect(saves).toBe(1)
})

test('IN-004 IN-012 IN-220 an insight can be built, saved, viewed, edited, copied and moved', async () => {
  const page = await open('/Insight/Creator')
  await page.getByRole('button', { name: /^Text/ }).click()
  await page.getByRole('textbox', { name: 'Markdown' }).fill('First words')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Name').fill('Six things')
  await dialog.getByLabel('Group', { exact: true }).fill('Repor')
  await page.getByRole('option', { name: 'Reports' }).click()
  const saving = page.waitForRequest(
    (each) => each.method() === 'POST' && new URL(each.url()).pathname === '/insights',
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  expect((await saving).postDataJSON()).toMatchObject({ isWorkflow: false })
  await page.waitForURL('**/Insight/Reports/Six%20things')
  await tile(page, 'Text').getByText('First words').waitFor()

  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('complementary', { name: 'Settings' }).waitFor()
  await tile(page, 'Text').getByRole('heading', { name: 'Text' }).click()
  await page.getByRole('textbox', { name: 'Markdown' }).fill('Other words')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Insight has been saved.').waitFor()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Save a copy' }).click()
  await dialog.getByLabel('Name').fill('Six more')
  await dialog.getByRole('button', { name: 'Save copy' }).click()
  await page.waitForURL('**/Insight/Reports/Six%20more')
  // The URL changes before the page of the earlier insight disappears.
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Six more', { exact: true }).waitFor()

  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename, move or tag' }).click()
  await dialog.getByLabel('Group', { exact: true }).fill('Pric')
  await page.getByRole('option', { name: 'Prices' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/Insight/Prices/Six%20more')
  for (const [groupName, insightName] of [
    ['Reports', 'Six things'],
    ['Prices', 'Six more'],
  ] as const) {
    const { content } = await anna.call(getInsight, { params: { groupName, insightName } })
    expect(content.tiles[0]).toMatchObject({
      source: { type: 'EDITOR' },
      templateContent: 'Other words',
    })
  }
  const moved = anna.call(getInsight, { params: { groupName: 'Reports', insightName: 'Six more' } })
  await expect(moved).rejects.toMatchObject({ status: 404 })
})

test('IN-010 IN-406 IN-407 IN-408 IN-410 a reader can request access to data that a tile cannot show, except in another environment', async () => {
  const series = (groupName: string) => ({
    label: groupName,
    groupName,
    symbolList: [{ Code: 'Brent' }],
    column: 'Close',
  })
  const wanted = { symbols: { Code: 'B*' }, metadata: { Unit: 'USD' }, pattern: true }
  await make(
    'Locked',
    [
      { id: 't', title: 'Secret', type: 'Table', range: 'ALL' },
      { id: 'c', title: 'Partly', type: 'Chart', range: 'ALL', series: [series('Prices'), series('Hidden')] },
    ],
    { t: { symbols: [{ ...selection('Hidden').symbols[0], ...wanted }] } },
  )
  const page = await open('/Insight/Reports/Locked', ben)
  await tile(page, 'Secret').getByText('You cannot read Hidden').waitFor()
  await tile(page, 'Partly').getByText('1 of 2 symbols hidden').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const requested = { Secret: wanted, Partly: { symbols: { Code: 'Brent' }, metadata: {}, pattern: false } }
  for (const [title, data] of Object.entries(requested)) {
    const request = page.waitForRequest((each) => each.url().endsWith('/ts/dataAccessRequest'))
    const button = tile(page, title).getByRole('button', { name: 'Request access' })
    await button.click()
    expect((await request).postDataJSON()).toEqual({
      insightName: 'Locked',
      insightGroup: 'Reports',
      tileTitle: title,
      requestedData: { Hidden: data },
    })
    await page.getByText('Your request was sent to the administrators.').first().waitFor()
    await button.waitFor({ state: 'detached' })
  }
  const { items } = await stage.server.admin.call(searchFiles, {
    query: { query: 'groupName=DATA_REQUESTS' },
  })
  const records = await Promise.all(
    items.map(async ({ fid }) => (await stage.server.admin.fetch(`/file/${fid}/download`)).json()),
  )
  const record = (tileTitle: keyof typeof requested) => ({
    username: 'ben@example.com',
    insightName: 'Locked',
    insightGroup: 'Reports',
    tileTitle,
    requestedData: { Hidden: requested[tileTitle] },
  })
  expect(records).toHaveLength(2)
  expect(records).toEqual(expect.arrayContaining([record('Secret'), record('Partly')]))
  let environment = 'stage-dw'
  await page.route('**/configuration', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), environment } })
  })
  await page.reload()
  await tile(page, 'Secret').getByRole('button', { name: 'Request access' }).waitFor()
  environment = 'demo'
  await page.reload()
  for (const [title, text] of [
    ['Secret', 'You cannot read Hidden'],
    ['Partly', '1 of 2 symbols hidden'],
  ] as const) {
    await tile(page, title).getByText(text).waitFor()
    expect(await tile(page, title).getByRole('button', { name: 'Request access' }).count()).toBe(0)
  }
})

/** Creates a user with the role Analyst, except for one kind of insights, who can read the group Reports. */
async function userWithout(resource: 'Workflows' | 'Visualisations'): Promise<Session> {
  const { pool } = stage.server.running.platform.database
  const role = `Analyst without ${resource}`
  await pool.query('insert into roles (name) values ($1)', [role])
  await pool.query(
    `insert into role_entitlements (role_id, parent, resource, mode)
     select own.id, parent, resource, mode from roles as own, role_entitlements as given
     join roles as analyst on analyst.id = given.role_id and analyst.name = 'Analyst'
     where own.name = $1 and resource <> $2`,
    [role, resource],
  )
  const user = await stage.server.createUser({ email: `${resource.toLowerCase()}@example.com`, role })
  const { groupId } = await anna.call(getGroup, { params: { name: 'Reports' } })
  await pool.query(
    `insert into group_grants (group_id, user_id, access) select $1, id, 'R' from users where user_name = $2`,
    [groupId, user.userName],
  )
  return user
}

test('IN-037 IN-153 IN-154 IN-157 IN-161 access determines which kinds of tiles are visible, except in a new insight', async () => {
  const tiles = [
    { id: 'a', title: 'Words', type: 'Text', source: { type: 'EDITOR' }, templateContent: 'Hello' },
    { id: 'b', title: 'Status', type: 'STATUS' },
  ]
  await make('Both kinds', tiles)
  const content = { ...emptyContent(), tiles } as InsightContent
  await anna.call(createInsightTemplate, {
    body: { groupName: 'Reports', name: 'Both', parameters: [], outputs: [], content },
  })
  const titles = (page: Page) => page.locator('[data-tile-id] h2').allTextContents()
  const path = '/Insight/Reports/Both%20kinds'
  const visible = {
    both: await open(path),
    data: await open(path, await userWithout('Workflows')),
    workflows: await open(path, await userWithout('Visualisations')),
  }
  await expect.poll(() => titles(visible.both)).toEqual(['Words', 'Status'])
  await expect.poll(() => titles(visible.data)).toEqual(['Words'])
  await expect.poll(() => titles(visible.workflows)).toEqual(['Status'])
  for (const [user, view, other] of [
    ['data', 'Visualisations', 'Workflows'],
    ['workflows', 'Workflows', 'Visualisations'],
  ] as const) {
    await visible[user].goto(`${stage.server.url}/Insight`)
    await visible[user].getByRole('tab', { name: view, selected: true }).waitFor()
    expect(await visible[user].getByRole('tab', { name: other }).count()).toBe(0)
  }
  const template = '/Insight/Templates/Reports/Both'
  await visible.data.goto(`${stage.server.url}${template}`)
  await visible.data.getByText('not saved yet').waitFor()
  await expect.poll(() => titles(visible.data)).toEqual(['Words', 'Status'])
  await visible.both.evaluate((src) => {
    document.body.replaceChildren(Object.assign(document.createElement('iframe'), { src, id: 'framed' }))
  }, template)
  const framedTitles = visible.both.frameLocator('#framed').locator('[data-tile-id] h2')
  await expect.poll(() => framedTitles.allTextContents()).toEqual(['Words', 'Status'])
})

test('IN-131 IN-220 the source of a text tile is its editor or a file', async () => {
  await make('Source of text', [{ id: 'x', title: 'Words', type: 'Text', source: { type: 'EDITOR' } }])
  await upload(anna, { groupName: 'Reports', fileName: 'words.md', content: '## From the lake' })
  const page = await open('/Insight/Reports/Source of text?edit=true')
  await tile(page, 'Words').getByRole('heading', { name: 'Words' }).click()
  await page.getByLabel('Source').click()
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Editor', 'Markdown file'])
  await page.getByRole('option', { name: 'Markdown file' }).click()
  const settings = page.getByRole('complementary', { name: 'Settings' })
  await settings.getByLabel('Group').fill('Repor')
  await page.getByRole('option', { name: 'Reports' }).click()
  await settings.getByLabel('File', { exact: true }).fill('words')
  await page.getByRole('option', { name: 'words.md', exact: true }).click()
  await tile(page, 'Words').getByRole('heading', { name: 'From the lake' }).waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Insight has been saved.').waitFor()
  const { content } = await anna.call(getInsight, {
    params: { groupName: 'Reports', insightName: 'Source of text' },
  })
  expect(content.tiles[0]!.source).toEqual({
    type: 'FILE',
    value: { groupName: 'Reports', fileName: 'words.md' },
  })
})
