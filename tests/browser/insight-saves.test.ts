import type { Request } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { getGroup } from '@headwater/groups/contract'
import type { InsightContent } from '@headwater/tile-data/contract'
import { getInsight, infoValue, listInsightVersions } from '@headwater/insights/contract'
import type { Session } from '@headwater/server/testing'
import { accessibilityProblems, openAs, pollClock, responsesProcessed, stopClock } from './open-browser.ts'
import { setUpReports } from './set-up-reports.ts'

const { stage, open, text, make, save, tile, titles, problemOf, named, png, holdRequests, ...users } =
  setUpReports()

let anna: Session
beforeAll(() => {
  anna = users.anna()
})

test('each save is a version, which can be listed with its author, compared field by field, viewed and restored', async () => {
  const target = await make('History', [text('a', 'Alpha', 'one'), text('b', 'Beta')])
  await save(target, [text('a', 'Alpha', 'two'), text('c', 'Gamma')])
  const page = await open(target.path)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Versions' }).click()
  const list = page.getByRole('complementary', { name: 'Versions' })
  await list.getByText('anna@example.com').first().waitFor()
  await list.getByText('“Gamma” added, “Alpha” changed, “Beta” removed').waitFor()
  const row = page.getByRole('row', { name: /Tile text/ })
  await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['one', 'two'])
  expect(await accessibilityProblems(page)).toEqual([])
  await list.getByRole('button', { name: /^v1/ }).click()
  await page.getByText('No earlier version to compare with.').waitFor()
  await page.getByRole('tab', { name: 'Preview' }).click()
  await expect.poll(() => titles(page)).toEqual(['Alpha', 'Beta'])
  await page.getByRole('button', { name: 'Restore' }).click()
  await page
    .getByRole('dialog', { name: 'Restore version 1' })
    .getByRole('button', { name: 'Restore' })
    .click()
  await page.getByText('Version 1 restored.').waitFor()
  await expect.poll(() => titles(page)).toEqual(['Alpha', 'Beta'])
  const { items } = await anna.call(listInsightVersions, { params: named(target) })
  expect(items.map(({ version }) => version)).toEqual([3, 2, 1])
})

test('changes of tile data have labels, or else the stored names', async () => {
  const line = (Code: string, more: object = {}) => ({
    label: '',
    groupName: 'Prices',
    symbolList: [{ Code }],
    column: 'Close',
    ...more,
  })
  const chart = (...series: object[]) => ({ id: 'c', title: 'Crude', type: 'Chart', series })
  const table = (columns: object[], source: object) => ({
    id: 't',
    title: 'Rows',
    type: 'Table',
    columns,
    source,
  })
  const target = await make('Reported', [
    chart(line('Brent')),
    table([{ columnId: 'Close', asyncFilters: [] }], { type: 'DATA_PREP', value: 't' }),
  ])
  await save(target, [
    chart(line('WTI'), line('Brent', { chartType: 'area' })),
    table([{ columnId: 'Close', asyncFilters: [{ name: 'Code', value: '*' }] }, { columnId: 'Open' }], {
      type: 'SOURCE_TILE',
      value: 'c',
    }),
  ])
  const page = await open(`${target.path}/Versions/2`)
  const messages = (title: string) =>
    page.getByRole('list', { name: `Data of ${title}` }).getByRole('listitem')
  await expect
    .poll(() => messages('Crude').allTextContents())
    .toEqual([
      'AddedSeries WTI, Close of Prices',
      'ChangedSeries Brent, Close: chart type from not set to area',
    ])
  await expect
    .poll(() => messages('Rows').allTextContents())
    .toEqual(['ChangedSource from its own series to the tile “Crude”', 'AddedColumn Open'])
  const stored = page.getByRole('group', { name: 'Column Close › Async filters, after' })
  expect(await stored.isVisible()).toBe(false)
  await page.getByText('Stored definition (JSON)').click()
  expect(JSON.parse((await stored.textContent())!)).toEqual([{ name: 'Code', value: '*' }])
  await expect.poll(() => page.getByRole('table').count()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
})

test('IN-081 IN-087 IN-088 IN-089 the first save of an insight creates its group, then uploads the logo, then assigns the roles', async () => {
  const page = await open('/Insight/Creator')
  const calls: string[] = []
  const bodies: unknown[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' || !pathname.startsWith('/insights')) return
    calls.push(`${request.method()} ${pathname}`)
    if (request.method() === 'POST') bodies.push(request.postDataJSON())
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.request().method() !== 'GET' && pathname.startsWith('/insights'))
      calls.push(`${response.status()} ${pathname}`)
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save insight' })
  await dialog.getByLabel('Name', { exact: true }).fill('New')
  await dialog.getByLabel('Create a new group').check()
  await dialog.getByLabel('Group', { exact: true }).fill('Fresh')
  await dialog.getByLabel('Description').fill('Brand new')
  await dialog.getByLabel('Tags').fill('oil')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Logo').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/Insight/Fresh/New')
  await dialog.waitFor({ state: 'detached' })
  expect(bodies[0]).toMatchObject({
    groupName: 'Fresh',
    insightName: 'New',
    shouldCreateGroup: true,
    description: 'Brand new',
    tags: ['oil'],
    useUserToken: false,
  })
  // Each call waits for the response to the one before.
  expect(calls).toEqual([
    'POST /insights',
    '201 /insights',
    'PUT /insights/Fresh/New/logo',
    '200 /insights/Fresh/New/logo',
    'PUT /insights/roles',
    '200 /insights/roles',
  ])
})

test('IN-036 Edit requires write access to the group and the entitlement to write visualisations', async () => {
  const target = await make('Written', [text('a', 'Alpha')])
  const { pool } = stage.server.running.platform.database
  const { groupId } = await anna.call(getGroup, { params: { name: 'Reports' } })
  await pool.query(`insert into roles (name) values ('Looks only')`)
  await pool.query(
    `insert into role_entitlements (role_id, parent, resource, mode)
     select own.id, parent, resource, case when resource = 'Visualisations' then 'R' else mode end
     from roles as own, role_entitlements as given
     join roles as analyst on analyst.id = given.role_id and analyst.name = 'Analyst'
     where own.name = 'Looks only'`,
  )
  for (const [at, [role, access, count]] of (
    [
      ['Analyst', 'R', 0],
      ['Looks only', 'RW', 0],
      ['Analyst', 'RW', 1],
    ] as const
  ).entries()) {
    const user = await stage.server.createUser({ email: `writer${at}@example.com`, role })
    await pool.query(
      `insert into group_grants (group_id, user_id, access) select $1, id, $3 from users where user_name = $2`,
      [groupId, user.userName, access],
    )
    const page = await open(target.path, user)
    await tile(page, 'Alpha').waitFor()
    await page.getByRole('button', { name: 'More actions' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(count)
  }
})

test('IN-089 IN-090 IN-091 IN-092 an edit conflict names its author; a save assigns the roles and ends editing', async () => {
  const target = await make('Conflict', [text('a', 'Alpha')])
  const page = await open(`${target.path}?edit=true`)
  const change = async () => {
    await tile(page, 'Alpha').getByRole('heading', { name: 'Alpha' }).click()
    await tile(page, 'Alpha').getByRole('button', { name: 'Duplicate tile' }).click()
    await page.keyboard.press('Control+s')
  }
  await page.getByText('editing · v1').waitFor()
  await save(target, [text('a', 'Alpha'), text('z', 'Zeta')])
  await change()
  const own = page.getByRole('dialog', { name: 'A newer version exists' })
  await own.getByText('in another tab or on another device', { exact: false }).waitFor()
  await own.getByRole('button', { name: 'Keep editing' }).click()
  await save(target, [text('a', 'Alpha')], stage.server.admin)
  await page.keyboard.press('Control+s')
  const other = page.getByRole('dialog', { name: 'A newer version exists' })
  await other.getByText(`${stage.server.admin.userName} saved version`, { exact: false }).waitFor()
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'PUT') calls.push(`${pathname} ${JSON.stringify(request.postDataJSON())}`)
  })
  await other.getByRole('button', { name: 'Save mine as latest' }).click()
  await page.getByText('Insight has been saved.').waitFor()
  await page.getByText(/^editing/).waitFor({ state: 'detached' })
  const savedTitles = ['Alpha', 'Alpha(1)']
  expect(await titles(page)).toEqual(savedTitles)
  // Without groups the server gives R on every group the insight shows.
  expect(calls).toEqual([
    expect.stringMatching(/^\/insights \{/) as string,
    `/insights/roles ${JSON.stringify(named(target))}`,
  ])
  expect((await anna.call(getInsight, { params: named(target) })).version).toBe(4)
  // Info and content are saved, so leaving the page needs no confirmation.
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByText('editing · v4').waitFor()
  expect(await titles(page)).toEqual(savedTitles)
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Insight' }).click()
  await page.waitForURL('**/Insight')
})

test('IN-081 IN-083 IN-087 IN-088 IN-089 IN-090 IN-091 IN-092 IN-094 IN-100 IN-105 IN-110 a save uploads the logo before it assigns the roles; a copy has the saved content and reuses the logo', async () => {
  const target = await make('Pictured', [text('a', 'Alpha')])
  const page = await open(target.path)
  const calls: string[] = []
  const bodies: Record<string, unknown> = {}
  page.on('request', (request) => {
    if (request.method() === 'GET') return
    const call = `${request.method()} ${new URL(request.url()).pathname}`
    calls.push(call)
    if (call.endsWith('/insights')) bodies[call] = request.postDataJSON()
  })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename, move or tag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename, move or tag' })
  const picker = dialog.getByLabel('Logo')
  expect(await picker.getAttribute('accept')).toBe('image/png,image/jpeg')
  expect(await picker.getAttribute('multiple')).toBeNull()
  await picker.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
  const notPicture = dialog.getByText('A logo must be a PNG or JPEG image.', { exact: false })
  await notPicture.waitFor()
  await picker.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from([0xff, 0xd8]) })
  await notPicture.waitFor({ state: 'detached' })
  await picker.setInputFiles({
    name: 'a.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg onload="x"/>'),
  })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('A logo must be a PNG or JPEG image. Choose another file.').waitFor()
  await picker.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png })
  await notPicture.waitFor({ state: 'detached' })
  await dialog.getByLabel('Tags').fill('crude')
  await page.keyboard.press('Enter')
  calls.length = 0
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByLabel('Notifications').getByText('Insight has been saved.', { exact: true }).waitFor()
  await dialog.waitFor({ state: 'detached' })
  expect(bodies['PUT /insights']).toMatchObject({
    content: { tiles: [{ id: 'a' }] },
    fields: expect.arrayContaining([{ name: 'description', value: 'About Pictured' }]) as object,
    isWorkflow: false,
    oldGroupName: 'Reports',
    oldInsightName: 'Pictured',
    newGroupName: 'Reports',
    newInsightName: 'Pictured',
    tags: ['crude'],
    waitForUpload: true,
  })
  expect(calls.filter((call) => call.includes('/insights'))).toEqual([
    'PUT /insights',
    'PUT /insights/Reports/Pictured/logo',
    'PUT /insights/roles',
  ])
  await page.locator('img[src^="blob:"]').waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Save a copy' }).click()
  const copy = page.getByRole('dialog', { name: 'Save a copy' })
  calls.length = 0
  await copy.getByRole('button', { name: 'Save copy' }).click()
  await page.waitForURL('**/Pictured%20copy')
  await copy.waitFor({ state: 'detached' })
  expect(calls.filter((call) => call.includes('/insights'))).toEqual([
    'POST /insights',
    'PUT /insights/roles',
  ])
  const logoOf = async (insightName: string) =>
    infoValue((await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })).fields, 'logo')
  const logo = await logoOf('Pictured')
  expect(logo).toMatch(/^[0-9a-f-]{36}$/)
  expect(bodies['POST /insights']).toMatchObject({
    content: { tiles: [{ id: 'a' }] },
    description: 'About Pictured',
    groupName: 'Reports',
    insightName: 'Pictured copy',
    isWorkflow: false,
    logoId: logo,
    tags: ['crude'],
    type: 'VISUALISATION',
    useUserToken: false,
  })
  expect(await logoOf('Pictured copy')).toBe(logo)
})

test('IN-074 a logo is requested once, cached while the page is open, and not requested again after a failure', async () => {
  for (const insightName of ['Logo', 'Lost logo']) {
    const { path } = await make(insightName, [text('a', 'Alpha')])
    const put = await anna.fetch(`${path.replace('/Insight/', '/insights/')}/logo`, {
      method: 'PUT',
      body: png,
    })
    expect(put.status).toBe(200)
  }
  const page = await stage.newPage()
  await page.clock.install()
  const requested: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/logo')) requested.push(pathname)
  })
  await openAs(page, stage.server.url, anna.userName, '/Insight')
  const logo = page.locator('img[src^="blob:"]')
  for (let visit = 0; visit < 2; visit += 1) {
    await page.getByRole('link', { name: 'Logo', exact: true }).click()
    await logo.waitFor()
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
    await crumbs.getByRole('link', { name: 'Insight' }).click()
    await page.getByRole('link', { name: 'Lost logo' }).waitFor()
    // Longer than the default cache time of responses.
    await page.clock.fastForward(600_000)
  }
  expect(requested).toEqual(['/insights/Reports/Logo/logo'])
  await page.route('**/logo', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/logo'))
  await page.getByRole('link', { name: 'Lost logo' }).click()
  await failed
  await tile(page, 'Alpha').waitFor()
  // Longer than the delay of a retry.
  await page.clock.runFor(10_000)
  expect(requested).toEqual(['/insights/Reports/Logo/logo', '/insights/Reports/Lost%20logo/logo'])
})

test('new details of an insight do not overwrite changes that another user has saved in the meantime', async () => {
  const target = await make('Renamed meanwhile', [text('a', 'Alpha')])
  const page = await open(target.path)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename, move or tag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename, move or tag' })
  await dialog.getByLabel('Description').fill('Mine')
  await save(target, [text('a', 'Alpha'), text('z', 'Zeta')], stage.server.admin)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText(`was saved by ${stage.server.admin.userName}`, { exact: false }).waitFor()
  const { version, content } = await anna.call(getInsight, { params: named(target) })
  expect([version, content.tiles.map(({ title }) => title)]).toEqual([2, ['Alpha', 'Zeta']])
})

test('IN-103 IN-105 IN-106 IN-107 IN-108 IN-109 server validation errors are shown on their field or as a message', async () => {
  await make('Taken', [])
  const target = await make('Mover', [text('a', 'Alpha')])
  const page = await open(target.path)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename, move or tag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename, move or tag' })
  await dialog.getByLabel('Name', { exact: true }).fill('Taken')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const refused = dialog.getByText(
    'The group “Reports” already has an insight “Taken”. Choose another name.',
    { exact: true },
  )
  await refused.waitFor()
  await expect.poll(() => problemOf(dialog, 'Name')).toContain('already has an insight “Taken”')
  await dialog.getByLabel('Name', { exact: true }).fill('Mover')
  await refused.waitFor({ state: 'detached' })

  // The form rejects such values, so the test inserts them into the request.
  const change = { newGroupName: 'x'.repeat(201), tags: ['x'.repeat(65)] }
  const fields = [{ name: 'description', value: 'x'.repeat(4001) }]
  await page.route('**/insights', (route) =>
    route.continue({
      postData: JSON.stringify({ ...(route.request().postDataJSON() as object), ...change, fields }),
    }),
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  const wrong = { Group: '200', Description: '4,000', Tags: 'A tag can have at most 64 characters.' }
  for (const [label, text] of Object.entries(wrong))
    await expect.poll(() => problemOf(dialog, label), { message: label }).toContain(text)
  await page.unroute('**/insights')
  await dialog.getByLabel('Description').fill('Changed')
  await expect.poll(() => problemOf(dialog, 'Description')).toBe('')
  await dialog.getByLabel('Tags').fill('oil')
  await page.keyboard.press('Enter')
  await expect.poll(() => problemOf(dialog, 'Tags')).toBe('')
  await expect.poll(() => problemOf(dialog, 'Group')).not.toBe('')
  await dialog.getByLabel('Group', { exact: true }).fill('Arch')
  await page.getByRole('option', { name: 'Archive' }).click()
  await expect.poll(() => problemOf(dialog, 'Group')).toBe('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Insight has been moved to the new group.').waitFor()
  await page.waitForURL('**/Insight/Archive/Mover')
  // The URL changes before the page at the earlier one disappears.
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByText('Archive', { exact: true }).waitFor()

  // The builder creates no such title, so the test inserts it into the request.
  await page.route('**/insights', async (route) => {
    const body = route.request().postDataJSON() as { content: InsightContent }
    for (const each of body.content.tiles) each.title = each.title.padEnd(501, 'x')
    await route.continue({ postData: JSON.stringify(body) })
  })
  const toasts = page.getByLabel('Notifications')
  const messages = toasts.getByText('A title can have at most 500 characters.', { exact: true })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename, move or tag' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await messages.waitFor()
  expect(await dialog.getByText('A title can have at most 500 characters.').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await messages.waitFor({ state: 'detached', timeout: 60_000 })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  // Without a form, every error is reported, including those that a form would show at its field.
  await page.unroute('**/insights')
  await page.route('**/insights', async (route) => {
    const body = route.request().postDataJSON() as { content: InsightContent }
    for (const each of body.content.tiles) each.title = each.title.padEnd(501, 'x')
    await route.continue({ postData: JSON.stringify({ ...body, ...change, fields }) })
  })
  const response = page.waitForResponse((each) => each.request().method() === 'PUT')
  await page.keyboard.press('Control+s')
  const { validationErrors } = (await (await response).json()) as {
    validationErrors: { field: string; message: string }[]
  }
  expect(validationErrors.map(({ field }) => field).toSorted()).toEqual([
    'content.tiles[0].title',
    'fields[0].value',
    'newGroupName',
    'tags[0]',
  ])
  for (const { message } of validationErrors) await toasts.getByText(message, { exact: true }).waitFor()
})

test('IN-017 IN-018 IN-020 IN-025 IN-027 IN-054 the URLs of an insight and of the lists open them, and an insight that cannot be opened leads to the list with the reason', async () => {
  const target = await make('Addressed', [text('a', 'Alpha')])
  const page = await stage.newPage()
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await openAs(
    page,
    stage.server.url,
    anna.userName,
    target.path.toLowerCase().replace('reports/addressed', 'Reports/Addressed'),
  )
  await tile(page, 'Alpha').waitFor()
  expect(paths).toContain('/insight/proxy/Reports/Addressed.json')
  paths.length = 0
  await page.goto(new URL(`${target.path}/deeper/still?edit=true`, stage.server.url).href)
  await tile(page, 'Alpha').waitFor()
  await page.getByText('editing · v1').waitFor()
  expect(paths.filter((path) => path.includes('/proxy/'))).toEqual([])
  await page.route('**/insight/proxy/Reports/Addressed.json', (route) =>
    route.fulfill({ status: 500, json: { status: 500, code: 'x', message: 'The mill is broken' } }),
  )
  for (const [name, reason] of [
    ['Nothing', 'There is no insight “Nothing”'],
    ['Addressed', 'The mill is broken'],
  ] as const) {
    const reported = page.waitForRequest((request) => request.url().endsWith('/log/error'))
    await page.goto(new URL(`/Insight/Reports/${name}`, stage.server.url).href)
    await page.waitForURL('**/Insight')
    expect((await reported).postData()).toContain(reason)
    await page.getByRole('status', { name: 'Reason for this page' }).getByText(reason).waitFor()
  }
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('heading', { name: 'Templates' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/Insight/Templates')
  await page.goto(new URL('/Insight/PublicView', stage.server.url).href)
  await page.getByRole('heading', { name: 'Public view' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.goto(new URL('/Insight/Creator', stage.server.url).href)
  await page.getByText('not saved yet').waitFor()
})

test('IN-047 IN-068 IN-069 IN-072 SH-035 SH-050 SH-108 lists refresh every 10 s unless the API is rate-limited, favourites every 20 s with one search each', async () => {
  for (const name of ['Plain', 'Star one', 'Star two']) await make(name, [])
  const favorite = (fileName: string) => ({ fileName, groupName: 'Reports', favorite: true })
  await anna.call(updateSettings, {
    body: {
      settings: {
        favoriteInsights: JSON.stringify([favorite('Star one.json'), favorite('Star two.json')]),
      },
    },
  })
  const page = await stage.newPage()
  await page.clock.install()
  const queries: URLSearchParams[] = []
  const pending = new Set<Request>()
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname !== '/insights') return
    queries.push(url.searchParams)
    pending.add(request)
  })
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  await openAs(page, stage.server.url, anna.userName, '/Insight')
  await page.getByRole('link', { name: 'Star one' }).waitFor()
  for (const name of ['Star one', 'Star two'])
    await page.getByRole('button', { name: `Remove ${name} from favourites` }).waitFor()
  await page.getByRole('button', { name: 'Add Plain to favourites' }).waitFor()
  await stopClock(page)
  // The interval begins when the page receives the response, so the response is delayed while the clock runs.
  const release = await holdRequests(page, 'GET', '/insights')
  const polled = page.waitForResponse((response) => new URL(response.url()).pathname === '/insights')
  await page.clock.runFor(10_000)
  release()
  await (await polled).finished()
  await responsesProcessed(page)
  queries.length = 0
  await page.clock.runFor(9000)
  expect(queries.map(String)).toEqual([])
  await page.clock.runFor(2000)
  await expect.poll(() => queries.length).toBe(1)
  expect([queries[0]?.get('insightType'), queries[0]?.get('from')]).toEqual(['VISUALISATION', '0'])

  await page.getByRole('tab', { name: 'Favourites' }).click()
  const favourites = page.getByLabel('Favourite insights')
  // Timers render new data, and the test must advance the stopped clock.
  await pollClock(page, 20, () => favourites.getByRole('link', { name: /^Star/ }).count()).toBe(2)
  const searches = () =>
    queries
      .filter((query) => query.get('size') === '1')
      .map((query) => query.get('query') ?? '')
      .toSorted((a, b) => a.localeCompare(b))
  const each = ['groupName=Reports&name=Star one', 'groupName=Reports&name=Star two']
  await expect.poll(() => [...new Set(searches())]).toEqual(each)
  await expect.poll(() => pending.size).toBe(0)
  await responsesProcessed(page)
  queries.length = 0
  await page.clock.runFor(17_000)
  expect(queries.map(String)).toEqual([])
  await page.clock.runFor(3500)
  await expect.poll(searches).toEqual(each)

  // A response 429 limits the API for 120 s: neither favourites nor the list refresh.
  await page.getByRole('tab', { name: 'Visualisations' }).click()
  await page.route('**/insights?*', (route) =>
    route.fulfill({ status: 429, json: { status: 429, code: 'tooManyRequests', message: 'Wait.' } }),
  )
  queries.length = 0
  const limit = page.waitForResponse((response) => response.status() === 429)
  await pollClock(page, 2000, () => queries.length).toBeGreaterThan(0)
  await (await limit).finished()
  await responsesProcessed(page)
  await page.clock.runFor(200)
  await page.unroute('**/insights?*')
  const before = queries.length
  await page.clock.runFor(60_000)
  expect(queries.length).toBe(before)
  // Requests resume when the limit ends.
  await page.clock.runFor(65_000)
  await expect.poll(() => queries.length).toBeGreaterThan(before)
  queries.length = 0
  await pollClock(page, 2000, () => queries.length).toBeGreaterThan(0)
})
