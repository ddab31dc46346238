import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup, deleteGroup, getGroup, shareGroups } from '@headwater/groups/contract'
import { getInsight, patchInsight, updateInsight } from '@headwater/insights/contract'
import { createPublicLink, listPublicLinks, updatePublicStatus } from '@headwater/publishing/contract'
import { upload, type Session } from '@headwater/server/testing'
import { accessibilityProblems } from './open-browser.ts'
import { setUpReports } from './set-up-reports.ts'

const { stage, open, visit, text, table, prepOf, make, tile, titles, storedKeys, named, ...users } =
  setUpReports()

let anna: Session
beforeAll(() => {
  anna = users.anna()
})

test('IN-005 IN-036 IN-076 IN-077 IN-154 a share lets a user open the insight until it is removed', async () => {
  const viewer = await stage.server.createUser({ email: 'viewer@example.com', role: 'Viewer' })
  const target = await make('Shared', [table('t', 'Rows'), { id: 's', title: 'Runs', type: 'STATUS' }], {
    datapreps: { t: prepOf('Brent') },
  })
  const page = await open(target.path)
  await expect.poll(() => titles(page)).toEqual(['Rows', 'Runs'])
  const bodies: Record<string, unknown> = {}
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/insights/shared') bodies[pathname] = Object.fromEntries(searchParams)
    else if (request.method() === 'POST') bodies[pathname] = request.postDataJSON()
  })
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Shared' })
  await dialog.getByRole('tab', { name: 'People' }).click()
  await dialog.getByText('Not shared with anyone yet.').waitFor()
  expect(bodies['/insights/shared']).toEqual({ groupName: 'Reports', name: 'Shared' })
  const field = dialog.getByLabel('E-mail addresses')
  await field.fill('nobody@example.com')
  await field.press('Enter')
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await dialog.getByText('No active user found for: nobody@example.com', { exact: false }).waitFor()
  await field.press('Backspace')
  await dialog.getByText('No active user found', { exact: false }).waitFor({ state: 'detached' })
  await field.fill('viewer@example.com')
  await field.press('Enter')
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await dialog.getByRole('listitem').getByText('viewer@example.com').waitFor()
  const sent = { groupName: 'Reports', insightName: 'Shared' }
  expect(bodies['/insights/share']).toEqual({ ...sent, shares: ['viewer@example.com'] })
  expect(await accessibilityProblems(page)).toEqual([])
  const other = await open(target.path, viewer)
  await tile(other, 'Rows').getByText('Brent').first().waitFor()
  expect(await titles(other)).toEqual(['Rows'])
  for (const name of ['Share', 'Edit'])
    expect(await other.getByRole('button', { name, exact: true }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Revoke access of viewer@example.com' }).click()
  await dialog.getByText('Not shared with anyone yet.').waitFor()
  expect(bodies['/insights/unshare']).toEqual({ ...sent, emails: ['viewer@example.com'] })
  await expect(viewer.call(getGroup, { params: { name: 'Prices' } })).rejects.toThrow('groupNotFound')
  const ownGroup = await make('Through the group', [text('n', 'Note')])
  const sharesList = [{ groupName: 'Reports', email: viewer.userName, access: 'R' as const }]
  await anna.call(shareGroups, { body: { sharesList } })
  const again = await open(ownGroup.path)
  await again.getByRole('button', { name: 'Share', exact: true }).click()
  await again.getByRole('dialog').getByRole('tab', { name: 'People' }).click()
  await again
    .getByText('1 other user can read this insight through the group Reports.', { exact: true })
    .waitFor()
  expect(await again.getByText('Not shared with anyone yet.').count()).toBe(0)
})

test('IN-011 IN-024 IN-156 IN-371 SH-008 SH-075 SH-078 SH-183 visitors with the link see a public insight in a reduced layout', async () => {
  const target = await make(
    'Open',
    [table('t', 'Rows'), text('n', 'Note'), { id: 's', title: 'Runs', type: 'STATUS' }],
    { datapreps: { t: prepOf('Brent') } },
  )
  const page = await open(target.path)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Open' })
  const changed = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().includes('/insights'),
  )
  await dialog.getByRole('switch', { name: /Anyone with the link/ }).click()
  expect(new URL((await changed).url()).pathname).toBe('/insights/public')
  expect((await changed).postDataJSON()).toEqual({ ...named(target), isPublic: true, expirationDate: null })
  const visible = dialog.locator('code')
  await visible.waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const limited = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().endsWith('/insights/public'),
  )
  await dialog.getByLabel('Expires on').fill('2999-12-31')
  expect((await limited).postDataJSON()).toEqual({
    ...named(target),
    isPublic: true,
    expirationDate: '2999-12-31',
  })
  await dialog.getByText('End of the day in UTC.', { exact: true }).waitFor()

  const visitor = await stage.newPage()
  const requests: string[] = []
  visitor.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await visitor.goto((await visible.textContent())!)
  await tile(visitor, 'Rows').getByText('Brent').first().waitFor()
  await expect.poll(() => titles(visitor)).toEqual(['Rows', 'Note'])
  expect(requests).toContain('/insight/public/proxy/Reports/Open.json')
  expect(requests.filter((path) => /^\/(insights|ts|file)\b/.test(path))).toEqual([])
  const entries = visitor.getByRole('navigation', { name: 'Main' }).getByRole('link')
  expect(await entries.evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')))).toEqual([
    'Knowledge',
    'Insight',
    'Log in',
  ])
  expect(await entries.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    '/KnowledgeCenter/Tasks',
    '/Public/Insight/Reports/Open',
    '/',
  ])
  expect(await entries.evaluateAll((links) => links.map((link) => link.getAttribute('target')))).toEqual([
    '_blank',
    null,
    null,
  ])
  expect(await accessibilityProblems(visitor)).toEqual([])
  // Visitors cannot open any other part of the product.
  await visitor.goto(new URL('/Public/Lake/Groups', stage.server.url).href)
  await visitor.waitForURL('**/Public/Insight')
  await visitor.goBack()
  await visitor.goto((await visible.textContent())!)
  await tile(visitor, 'Rows').waitFor()

  await dialog.getByRole('switch', { name: /Anyone with the link/ }).click()
  await visible.waitFor({ state: 'detached' })
  await visitor.reload()
  await visitor.getByText('Public insight not found').waitFor()
})

test('the switch of the public link moves before the server responds, and moves back if the change fails', async () => {
  const target = await make('Slow to publish', [text('a', 'Alpha')])
  const page = await open(target.path)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Slow to publish' })
  const publicLink = dialog.getByRole('switch', { name: /Anyone with the link/ })
  await publicLink.waitFor()
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  let changes = 0
  await page.route('**/insights/public', async (route) => {
    if (route.request().method() !== 'PUT') return route.continue()
    changes += 1
    await held
    return route.fulfill({ status: 500, json: { status: 500, code: 'unexpected', message: 'It broke.' } })
  })
  await publicLink.dblclick()
  await expect.poll(() => publicLink.isChecked()).toBe(true)
  letGo()
  await dialog.getByRole('alert').getByText('It broke.').waitFor()
  await expect.poll(() => publicLink.isChecked()).toBe(false)
  expect(changes).toBe(1)
})

test('a public view with links ends only after a confirmation that says what happens to the links', async () => {
  const target = await make('Published with a link', [text('a', 'Alpha')])
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  await anna.call(createPublicLink, { body: { ...named(target), dates: true } })
  const page = await open(target.path)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Published with a link' })
  await dialog.getByRole('list', { name: 'Links with parameters' }).waitFor()
  const publicLink = dialog.getByRole('switch', { name: /Anyone with the link/ })
  await publicLink.click()
  const end = page.getByRole('dialog', { name: 'End public view' })
  await end.getByText(/^The link with parameters is deleted\./).waitFor()
  await end.getByRole('button', { name: 'Cancel' }).click()
  await end.waitFor({ state: 'detached' })
  expect(await publicLink.isChecked()).toBe(true)
  await publicLink.click()
  await end.getByRole('button', { name: 'End public view' }).click()
  await expect.poll(() => publicLink.isChecked()).toBe(false)
  await page.getByText('The insight is no longer public.', { exact: true }).waitFor()
})

test('a user who opens a public link stays logged in, even if the session starts slowly', async () => {
  const target = await make('Passing', [text('a', 'Alpha')])
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const page = await open(target.path)
  await tile(page, 'Alpha').waitFor()
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/auth/refresh', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(new URL(`/Public${target.path}`, stage.server.url).href)
  await tile(page, 'Alpha').waitFor()
  const settings = page.waitForResponse((response) => response.url().endsWith('/auth/settings'))
  letGo()
  expect((await settings).status()).toBe(200)
  await page.goto(new URL(target.path, stage.server.url).href)
  await page.getByRole('button', { name: 'Share', exact: true }).waitFor()
})

test('a public link lets visitors set the allowed parameters, and reports when it was changed or revoked', async () => {
  const inputParams = {
    p1: { title: 'Choose', groupName: 'Prices', keys: [{ symbolKey: 'Code', defaultValue: 'Brent' }] },
  }
  const target = await make('Chosen', [table('t', 'Rows', { sourceInputParamsId: 'p1' })], {
    datapreps: { t: prepOf('Brent') },
    inputParams,
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const parameters = [{ name: 'Code', values: ['WTI'] }]
  const { path } = await anna.call(createPublicLink, { body: { ...named(target), parameters } })
  const page = await visit(path, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await tile(page, 'Rows').getByText('Brent').first().waitFor()
  await page.getByRole('button', { name: 'Parameters' }).click()
  await page.getByLabel('Code').fill('W')
  await page.getByRole('option', { name: 'WTI' }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  expect(await accessibilityProblems(page)).toEqual([])
  await tile(page, 'Rows').getByText('WTI').first().waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.goto(new URL(`${path}x`, stage.server.url).href)
  await page.getByText('This link is incomplete', { exact: true }).waitFor()

  // The server accepts only dates in the future, so the database moves this one into the past.
  const inAnHour = new Date(Date.now() + 3_600_000).toISOString()
  await anna.call(updatePublicStatus, {
    body: { ...named(target), isPublic: true, expirationDate: inAnHour },
  })
  await stage.server.running.platform.database.pool.query(
    `update insight_publications set expires_at = now() - interval '1 second' where expires_at = $1`,
    [inAnHour],
  )
  await expect
    .poll(() =>
      stage.server.nobody.fetch('/insight/public/proxy/Reports/Chosen').then(({ status }) => status),
    )
    .toBe(410)
  await page.goto(new URL(path, stage.server.url).href)
  await page.getByText('This public view has expired').waitFor()
})

test('visitors see that the data of a tile no longer exists and that search is unavailable; no tile loads forever', async () => {
  await anna.call(createGroup, { body: { name: 'Secret past' } })
  const content = 'Code,Date,Close\nBrent,2026-01-01,1\nWTI,2026-01-01,2'
  await upload(anna, { groupName: 'Secret past', fileType: 'NCSV', content })
  const inPast = (Code: string) => ({ ...prepOf(Code).symbols[0]!, groupName: 'Secret past' })
  const target = await make(
    'Outlived',
    [
      table('t', 'Rows'),
      table('m', 'Mixed'),
      { id: 'q', type: 'SEARCH', title: 'Find', groupNames: ['Prices'] },
    ],
    {
      datapreps: {
        t: { symbols: [inPast('Brent'), inPast('WTI')] },
        m: { symbols: [...prepOf('Brent').symbols, inPast('Brent')] },
      },
    },
  )
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  await anna.call(deleteGroup, { params: { name: 'Secret past' } })
  const page = await visit(`/Public${target.path}`)
  await tile(page, 'Rows').getByText('The data of this tile no longer exists.').waitFor()
  await tile(page, 'Mixed').getByText('89', { exact: true }).waitFor()
  await tile(page, 'Find').getByText('Visitors cannot use the symbol search.').waitFor()
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
  expect(await page.locator('main').textContent()).not.toContain('Secret')
  expect(await accessibilityProblems(page)).toEqual([])
})

test('an open page of a visitor loads the newer version when the insight is saved again', async () => {
  const dataOf = (Code: string) => ({
    t: { symbols: [{ groupName: 'Prices', symbols: { Code }, valueColumnNames: ['Close'] }] },
  })
  const made = await make('Saved again', [table('t', 'Rows')], { datapreps: dataOf('Brent') })
  await anna.call(updatePublicStatus, { body: { ...named(made), isPublic: true } })
  const page = await visit(`/Public${made.path}`)
  await tile(page, 'Rows').getByText('Brent').first().waitFor()
  const { content } = await anna.call(getInsight, { params: named(made) })
  const { groupName: oldGroupName, insightName: oldInsightName } = named(made)
  const body = { oldGroupName, oldInsightName, content: { ...content, datapreps: dataOf('WTI') } }
  await anna.call(updateInsight, { body })
  await page.getByRole('button', { name: 'Refresh the data' }).click()
  await tile(page, 'Rows').getByText('WTI').first().waitFor()
  expect(await tile(page, 'Rows').getByText('Brent').count()).toBe(0)
  expect(await page.locator('[data-tile-error]').count()).toBe(0)
})

test('visitors can choose the allowed values and the initial one, and any value only if the link permits it', async () => {
  const inputParams = {
    p1: {
      title: 'Choose',
      groupName: 'Prices',
      keys: [{ symbolKey: 'Code', defaultValue: 'Brent' }, { symbolKey: 'Region' }],
      withDateRange: true,
    },
  }
  const target = await make('Narrow', [table('t', 'Rows', { sourceInputParamsId: 'p1' })], {
    datapreps: { t: prepOf('Brent') },
    inputParams,
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  for (const [values, offered] of [
    [['WTI'], ['Brent', 'WTI']],
    [
      ['WTI', '*'],
      ['Any', 'Brent', 'WTI'],
    ],
    [['*'], ['Any', 'Brent', 'WTI']],
  ] as const) {
    const parameters = [{ name: 'code', values: [...values] }]
    const { path } = await anna.call(createPublicLink, { body: { ...named(target), parameters } })
    const page = await visit(path)
    await page.getByRole('button', { name: 'Parameters' }).click()
    await page.getByRole('button', { name: 'Apply' }).waitFor()
    await page.getByLabel('Code').click()
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(offered)
    await page.getByLabel('Code').fill('wt')
    await page.getByRole('option', { name: 'WTI', exact: true }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await tile(page, 'Rows').getByText('WTI').first().waitFor()
    expect(await page.getByLabel('Region').count()).toBe(0)
    expect(await page.getByLabel('Range').count()).toBe(0)
  }
})

test('visitors choose the page range only if the link allows dates', async () => {
  const target = await make('Dated', [table('t', 'Rows'), table('k', 'Kept', { keepOwnRange: true })], {
    datapreps: { t: prepOf('Brent'), k: prepOf('WTI') },
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const { path } = await anna.call(createPublicLink, { body: { ...named(target), dates: true } })
  const page = await visit(path)
  const rows = (title: string) =>
    tile(page, title)
      .getByText(/^2026-01-/)
      .count()
  await expect.poll(() => Promise.all(['Rows', 'Kept'].map(rows))).toEqual([5, 5])
  await page.getByRole('button', { name: 'Range Default' }).click()
  await page.getByRole('dialog', { name: 'Range' }).getByRole('button', { name: 'Last 7 days' }).click()
  await expect.poll(() => Promise.all(['Rows', 'Kept'].map(rows))).toEqual([7, 5])
  await tile(page, 'Kept').getByText('Own range: last 5 values').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.goto(new URL(`/Public${target.path}?range=ALL`, stage.server.url).href)
  await expect.poll(() => Promise.all(['Rows', 'Kept'].map(rows))).toEqual([5, 5])
  expect(await page.getByRole('button', { name: /^Range/ }).count()).toBe(0)
})

test('applies a value that a visitor types, and reports one that does not exist', async () => {
  const inputParams = {
    p1: { title: 'Choose', groupName: 'Prices', keys: [{ symbolKey: 'Code', defaultValue: 'Brent' }] },
  }
  const target = await make('Typed', [table('t', 'Rows', { sourceInputParamsId: 'p1' })], {
    datapreps: { t: prepOf('Brent') },
    inputParams,
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const parameters = [{ name: 'Code', values: ['*'] }]
  const { path } = await anna.call(createPublicLink, { body: { ...named(target), parameters } })
  const page = await visit(path)
  await page.getByRole('button', { name: 'Parameters' }).click()
  await page.getByLabel('Code').fill('WTI')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Parameters applied succesfully').waitFor()
  await tile(page, 'Rows').getByText('WTI').first().waitFor()
  await page.getByLabel('Code').fill('Nothing')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page
    .getByRole('alert')
    .getByText('One of choosen symbols does not exist. Please select different ones.')
    .first()
    .waitFor()
  expect(new URL(page.url()).search).toContain('WTI')
})

test('the page of a group lists its public views for the owner, who revokes one', async () => {
  const target = await make('Ended by owner', [table('t', 'Rows')], { datapreps: { t: prepOf('Brent') } })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const page = await open('/Lake/Groups/Prices')
  await page.getByRole('button', { name: 'Show public views' }).click()
  const entry = page.getByRole('listitem').filter({ hasText: 'Ended by owner' })
  await entry.getByText('In Reports, published by anna').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await entry.getByRole('button', { name: 'Unpublish Ended by owner' }).click()
  await page.getByRole('button', { name: 'Unpublish', exact: true }).click()
  await page.getByText('“Ended by owner” is no longer public.').waitFor()
  await entry.waitFor({ state: 'detached' })
  const reply = await stage.server.nobody.fetch('/insight/public/proxy/Reports/Ended%20by%20owner')
  expect(reply.status).toBe(404)
})

test('parameters that open automatically do so for visitors with access, until they are closed', async () => {
  const inputParams = {
    p1: {
      title: 'Choose',
      groupName: 'Prices',
      keys: [{ symbolKey: 'Code', defaultValue: 'Brent' }],
      shouldOpenOnStart: true,
    },
  }
  const target = await make('Opens', [table('t', 'Rows', { sourceInputParamsId: 'p1' })], {
    datapreps: { t: prepOf('Brent') },
    inputParams,
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const parameters = [{ name: 'Code', values: ['WTI'] }]
  const { path } = await anna.call(createPublicLink, { body: { ...named(target), parameters } })
  const page = await visit(path)
  await page.getByRole('button', { name: 'Apply' }).waitFor()
  await page.getByLabel('Code').click()
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Brent', 'WTI'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Close parameters' }).click()
  await page.goto(new URL(path, stage.server.url).href)
  await tile(page, 'Rows').getByText('Brent').first().waitFor()
  expect(await page.getByRole('button', { name: 'Apply' }).count()).toBe(0)
  // visitors without parameters have no panel
  const plain = await visit(`/Public${target.path}`)
  await tile(plain, 'Rows').getByText('Brent').first().waitFor()
  expect(await plain.getByRole('button', { name: 'Apply' }).count()).toBe(0)
})

test('code of another user gets data only after the reader allows it, until the reader withdraws this; your own code runs at once', async () => {
  const reader = await stage.server.createUser({ role: 'Viewer' })
  const sharesList = ['Reports', 'Prices'].map((groupName) => ({
    groupName,
    email: reader.userName,
    access: 'R' as const,
  }))
  await anna.call(shareGroups, { body: { sharesList } })
  const templateContent =
    '<p id="p"></p><script>p.textContent = `${headwater.data.rows.length} rows`</script>'
  const code = { type: 'CODE', source: { type: 'EDITOR' }, templateContent, lastTypeAmount: 5 }
  const tiles = ['Own code', 'More code'].map((title, at) => ({ ...code, id: `c${at}`, title }))
  const target = await make('Code', tiles, { datapreps: { c0: prepOf('Brent'), c1: prepOf('Brent') } })
  const result = (of: Page, title = 'Own code') => tile(of, title).frameLocator('iframe').getByText('5 rows')
  await result(await open(target.path)).waitFor()
  const page = await open(target.path, reader)
  const run = tile(page, 'Own code').getByRole('button', { name: `Run code of ${anna.userName}` })
  await run.waitFor()
  expect(await tile(page, 'Own code').locator('iframe').count()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await run.click()
  for (const title of ['Own code', 'More code']) await result(page, title).waitFor()
  const focused = () => page.evaluate(() => document.activeElement?.ariaLabel)
  await expect.poll(focused).toBe('Content of Own code')
  await page.reload()
  await result(page).waitFor()
  await tile(page, 'Own code').getByRole('button', { name: 'Actions for Own code' }).click()
  await page.getByRole('menuitem', { name: `Stop running code of ${anna.userName}` }).click()
  for (const title of ['Own code', 'More code'])
    await tile(page, title)
      .getByRole('button', { name: `Run code of ${anna.userName}` })
      .waitFor()
  await expect.poll(focused).toBe('Actions for Own code')
  await page.reload()
  await run.waitFor()
})

test('unavailable content is listed before an insight is published, and its tile offers no retry', async () => {
  const code = { type: 'CODE', codeType: 'python', source: { type: 'EDITOR' }, templateContent: 'print(1)' }
  const target = await make('Coded', [{ ...code, id: 'c', title: 'Snake' }, text('a', 'Alpha')])
  const page = await open(target.path)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByText('Visitors do not see “Snake”', { exact: false }).waitFor()
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const visited = await visit(`/Public${target.path}`)
  const snake = tile(visited, 'Snake')
  await snake.getByText('Hidden from visitors').waitFor()
  await snake.getByText('Visitors cannot use Python.', { exact: false }).waitFor()
  expect(await snake.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})

test('a first link with choices starts with those of the insight; links are listed with their permissions and can be revoked individually', async () => {
  const inputParams = {
    p1: { title: 'Choose', groupName: 'Prices', keys: [{ symbolKey: 'Code', label: 'Metal' }] },
  }
  const target = await make('Linked', [table('t', 'Rows', { sourceInputParamsId: 'p1' })], {
    datapreps: { t: prepOf('Brent') },
    inputParams,
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const page = await open(target.path)
  const address = page.url()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const openShare = () => page.getByRole('button', { name: 'Share', exact: true }).click()
  await openShare()
  await page.getByRole('button', { name: 'Create link' }).waitFor()
  // Enter right after opening a dialog does not close it
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Share Linked')
  await page.keyboard.press('Enter')
  const links = page.getByRole('list', { name: 'Links with parameters' }).getByRole('listitem')
  const values = page.getByLabel('Allowed values of Metal')
  await expect.poll(() => values.inputValue()).toBe('*')
  await page.getByRole('button', { name: 'Create link' }).dblclick()
  await links.getByText('Metal: Any New').waitFor()
  await page.getByText('Link created and copied.').waitFor()
  const query = named(target)
  const [created] = (await anna.call(listPublicLinks, { query })).items
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${stage.server.url}${created!.path}`)
  // The whole address is visible.
  const url = links.getByText(`${stage.server.url}${created!.path}`, { exact: true })
  expect(await url.evaluate((code) => code.scrollWidth <= code.clientWidth)).toBe(true)
  await values.fill('WTI, Gas')
  await page.getByLabel('Visitors can choose the date range').check()
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect.poll(() => links.count()).toBe(2)
  await expect.poll(() => links.first().textContent()).toContain('Metal: WTI, Gas · Date range: Any New')
  expect(await accessibilityProblems(page)).toEqual([])

  // The URL contains the open dialog: a reload opens it again, and Back and Escape return to the URL of the insight.
  expect(new URL(page.url()).search).toBe('?share=open')
  await page.reload()
  await page.getByRole('dialog', { name: 'Share Linked' }).waitFor()
  await page.goBack()
  await page.getByRole('dialog', { name: 'Share Linked' }).waitFor({ state: 'detached' })
  expect(page.url()).toBe(address)
  await page.goto(`${address}?share=open`)
  await page.getByRole('dialog', { name: 'Share Linked' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.url()).toBe(address)
  await openShare()
  await expect.poll(() => values.inputValue()).toBe('WTI, Gas')
  const { items } = await anna.call(listPublicLinks, { query })
  const wide = items.find(({ parameters }) => parameters[0]?.values[0] === '*')!
  const visitor = await visit(wide.path)
  await visitor.getByRole('button', { name: 'Metal Default' }).waitFor()
  await links.filter({ hasText: 'Metal: Any' }).getByRole('button', { name: 'Revoke link' }).click()
  await page.getByRole('dialog', { name: 'Revoke link' }).getByRole('button', { name: 'Revoke link' }).click()
  await expect.poll(() => links.count()).toBe(1)
  await visitor.reload()
  await visitor.getByText('This link is incomplete or out of date.', { exact: false }).waitFor()
})

test('the dialogs that delete an insight or a group list its public links and e-mail export', async () => {
  const target = await make('Leaving', [table('t', 'Rows')], { datapreps: { t: prepOf('Brent') } })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const page = await open(target.path)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The insight is public. Its public link stops working immediately.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.goto(new URL('/Lake/Groups/Prices', stage.server.url).href)
  await page.getByRole('button', { name: 'Delete group' }).click()
  await dialog.getByText(/\d+ public insights? shows? data of this group\./).waitFor()
})

test('parameters that are open during a short server outage are requested with the access of the visitor', async () => {
  const inputParams = { p1: { title: 'Choose', groupName: 'Prices', keys: [{ symbolKey: 'Code' }] } }
  const target = await make('Away', [table('t', 'Rows', { sourceInputParamsId: 'p1' })], {
    datapreps: { t: prepOf('Brent') },
    inputParams,
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const parameters = [{ name: 'Code', values: ['WTI'] }]
  const { path } = await anna.call(createPublicLink, { body: { ...named(target), parameters } })
  const page = await stage.newPage()
  await page.clock.install()
  await page.goto(new URL(path, stage.server.url).href)
  await page.getByRole('button', { name: 'Parameters' }).click()
  await page.getByRole('button', { name: 'Apply' }).waitFor()
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 401) refused.push(response.url())
  })
  await page.route('**/insight/public/proxy/**', (route) => route.abort())
  await expect
    .poll(
      async () => {
        await page.clock.runFor(5000)
        return page.getByText('The insight cannot be displayed').count()
      },
      { timeout: 20_000 },
    )
    .toBe(1)
  await page.unroute('**/insight/public/proxy/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Apply' }).waitFor()
  expect(refused).toEqual([])
})

test('a chart, stats and a table bound to a parameter show visitors its initial value with its name', async () => {
  const inputParams = {
    p1: { title: 'Choose', groupName: 'Prices', keys: [{ symbolKey: 'Code', defaultValue: 'WTI' }] },
  }
  const bound = { sourceInputParamsId: 'p1', lastTypeAmount: 5 }
  const series = { groupName: 'Prices', column: 'Close', label: 'Brent' }
  const target = await make(
    'Bound',
    [
      {
        ...bound,
        id: 'c',
        type: 'Chart',
        title: 'Close of Brent',
        series: [{ ...series, symbolList: [{ Code: 'Brent' }] }],
      },
      {
        ...bound,
        id: 'y',
        type: 'Chart',
        title: 'Close of Brent (seasonality chart)',
        basicChartType: 'seasonality',
        series: [{ ...series, symbolList: [{ Code: 'Brent' }] }],
      },
      {
        ...bound,
        id: 's',
        type: 'STATS',
        title: 'Figure',
        series: [{ ...series, label: '', symbols: { Code: 'Brent' } }],
      },
      table('t', 'Rows', bound),
    ],
    { datapreps: { t: prepOf('Brent') }, inputParams },
  )
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const page = await visit(`/Public${target.path}`)
  await tile(page, 'Close of WTI').getByRole('listitem').getByText('WTI', { exact: true }).waitFor()
  const charts = page.getByRole('application')
  const chartNames = () =>
    charts.evaluateAll((all) => all.map((chart) => chart.getAttribute('aria-label')?.split(':')[0]))
  await expect.poll(chartNames).toEqual(['Close of WTI', 'Close of WTI (seasonality chart)'])
  await tile(page, 'Figure').getByText('99', { exact: true }).waitFor()
  await tile(page, 'Figure').getByText('WTI').waitFor()
  await tile(page, 'Rows').getByText('WTI').first().waitFor()
  const own = await open(`${target.path}?params.p1=${encodeURIComponent('Code=*')}`)
  const legend = tile(own, 'Close').getByRole('listitem')
  await expect.poll(() => legend.allTextContents()).toEqual(['Brent', 'WTI'])
})

test('IN-158 IN-159 IN-160 IN-163 IN-373 IN-374 IN-420 the public access form opens all tiles, including after a reload', async () => {
  const target = await make('Gated', [text('a', 'First'), text('b', 'Second'), text('c', 'Third')])
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  await anna.call(patchInsight, {
    body: {
      ...named(target),
      fields: [
        { name: 'is_self_activation_required', value: 'true' },
        { name: 'self_activation_tiles', value: '1' },
      ],
    },
  })
  const none = [{ name: 'self_activation_tiles', value: '0' }]
  await anna.call(patchInsight, { body: { ...named(target), fields: none } })
  const closed = await visit('/Public/Insight/Reports/Gated')
  await closed.getByRole('heading', { name: '3 tiles', exact: true }).waitFor()
  expect(await titles(closed)).toEqual([])
  const one = [{ name: 'self_activation_tiles', value: '1' }]
  await anna.call(patchInsight, { body: { ...named(target), fields: one } })
  const page = await visit('/Public/Insight/Reports/Gated')
  await page.getByRole('heading', { name: '2 more tiles' }).waitFor()
  await expect.poll(() => titles(page)).toEqual(['First'])
  expect(await accessibilityProblems(page)).toEqual([])
  const form = page.getByRole('form', { name: 'See all tiles' })
  for (const label of ['Full name', 'E-mail address', 'Company'])
    expect(await form.getByLabel(label).getAttribute('required')).not.toBeNull()
  await form.getByLabel('Full name').fill('Vera Visitor')
  await form.getByLabel('Discount code').fill('X1')
  await form.getByLabel('E-mail address').fill('vera')
  await form.getByLabel('Company').fill('ACME')
  await form.getByRole('button', { name: 'See all tiles' }).click()
  await form.getByText('This is not an e-mail address.').waitFor()
  await form.getByLabel('E-mail address').fill('vera@example.com')
  await form.getByText('This is not an e-mail address.').waitFor({ state: 'detached' })
  const submitted = page.waitForRequest((request) => request.url().endsWith('/insight/public/access'))
  await form.getByRole('button', { name: 'See all tiles' }).click()
  expect((await submitted).postDataJSON()).toEqual({
    company: 'ACME',
    email: 'vera@example.com',
    fullName: 'Vera Visitor',
    discountCode: 'X1',
    groupName: 'Reports',
    insightName: 'Gated',
  })
  await expect.poll(() => titles(page)).toEqual(['First', 'Second', 'Third'])
  await page.reload()
  await expect.poll(() => titles(page)).toEqual(['First', 'Second', 'Third'])
  await expect.poll(() => storedKeys(page)).toEqual(['ng-public-access'])
  const owner = await open(target.path)
  await owner.getByRole('button', { name: 'Share', exact: true }).click()
  await owner.getByText('Vera Visitor, ACME · vera@example.com').waitFor()
  await owner.getByLabel('Tiles visible before the form').click()
  await expect.poll(() => owner.getByRole('option').allTextContents()).toEqual(['0', '1', '2', '3', '4'])
  const saved = owner.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok())
  await owner.getByRole('option', { name: '2', exact: true }).click()
  await saved
  const visitor = await visit('/Public/Insight/Reports/Gated')
  await visitor.getByRole('heading', { name: 'One more tile', exact: true }).waitFor()
  expect(await titles(visitor)).toEqual(['First', 'Second'])
})

test('IN-031 IN-032 IN-034 an insight in a frame, public or not, has no sidebar and reports its height', async () => {
  const target = await make('Framed', [text('a', 'First'), text('b', 'Second')])
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const page = await open(target.path)
  await tile(page, 'Second').waitFor()
  for (const framed of ['/Public/Insight/Reports/Framed', target.path]) {
    await page.route('**/host.html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<body><iframe title="f" src="${framed}" width="800" height="300"></iframe>
          <script>window.heights = []; onmessage = ({ data }) => window.heights.push(data)</script></body>`,
      }),
    )
    await page.goto(new URL('/host.html', stage.server.url).href)
    const frame = page.frameLocator('iframe')
    await frame.getByRole('region', { name: 'Second' }).waitFor()
    expect(await frame.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
    const messages = () => page.evaluate('window.heights') as Promise<{ type: string; height: number }[]>
    await expect
      .poll(async () => (await messages()).at(-1)?.type, { message: framed })
      .toBe('headwater:height')
    await expect.poll(async () => (await messages()).at(-1)?.height).toBeGreaterThan(300)
  }
})
