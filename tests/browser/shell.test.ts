import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight } from '@headwater/insights/contract'
import { startTestServer } from '@headwater/server/testing'
import { accessibilityProblems, openAs, stopClock } from './open-browser.ts'
import { setUpShell } from './set-up-shell.ts'

const { stage, path, sidebar, crumbs, redirectNotice, visit, changeSettings, ...users } = setUpShell()

let taskId: string
beforeAll(() => {
  taskId = users.taskId()
})

test('SH-148 SH-150 SH-151 / and unknown paths lead to the default page; without one, / leads to Insight', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/')
  await expect.poll(() => path(page)).toBe('/Insight')
  for (const [defaultPage, expected] of [
    ['data lake', '/Lake'],
    ['data storage', '/Storage'],
  ] as const) {
    await changeSettings(user.userName, { defaultPage })
    for (const opened of ['/', '/nothing/here']) {
      await page.goto(stage.server.url + opened)
      await expect.poll(() => path(page)).toBe(expected)
    }
    await redirectNotice(page).getByText('Page not found. There is no page /nothing/here.').waitFor()
  }
  await redirectNotice(page).getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(() => redirectNotice(page).innerText()).toBe('')
  expect(path(page)).toBe('/Storage')
})

test('SH-133 matches paths regardless of case', async () => {
  const page = await stage.open('/myaccount', stage.server.admin)
  await crumbs(page).getByText('My account').waitFor()
  await sidebar(page).getByRole('link', { name: 'Data lake' }).waitFor()
  for (const spelling of ['/SCIENCE/creator/Energy/Daily/latest', '/science/Creator/Energy/Daily/LATEST']) {
    await visit(page, '/insight')
    await page.getByRole('searchbox', { name: 'Search insights' }).waitFor()
    await visit(page, spelling)
    await page.getByRole('heading', { name: 'Daily' }).waitFor()
  }
})

test('SH-011 SH-143 SH-145 SH-147 SH-152 a frame of any width shows only Insight, without sidebar, breadcrumbs, panels and tools', async () => {
  const page = await stage.open('/MyAccount', stage.server.admin)
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  const accountPages = ['/MyAccount/Role/Create', '/MyAccount/DatabaseAccountSetup']
  for (const named of accountPages) {
    await visit(page, named)
    await page.getByText('This page is not available yet.').waitFor()
    await sidebar(page).waitFor()
    expect(path(page)).toBe(named)
  }
  const hasTools = () =>
    performance.getEntriesByType('resource').some(({ name }) => /\/assets\/Tool-[^/]*\.js$/.test(name))
  await expect.poll(() => page.evaluate(hasTools)).toBe(true)
  await page.route('**/frame-host', (route) =>
    route.fulfill({
      contentType: 'text/html',
      body: '<iframe src="/" width="900" height="600"></iframe>',
    }),
  )
  await page.goto(`${stage.server.url}/frame-host`)
  const frame = page.frames().find((one) => one !== page.mainFrame())!
  for (const framed of [
    '/',
    '/MyAccount',
    ...accountPages,
    `/MyAccount/User/${stage.server.admin.userName}`,
    '/nothing',
    '/Lake',
    '/Storage',
    '/Science/List',
    '/Statuses',
    '/Search',
    '/Trash',
    '/AITools',
    '/Templates/x',
    '/Logs/1',
    '/Excel',
    '/Administrator',
    '/KnowledgeCenter/Tasks',
  ]) {
    await frame.goto(stage.server.url + framed)
    await expect.poll(() => new URL(frame.url()).pathname, { message: framed }).toBe('/Insight')
    if (framed === '/nothing') await redirectNotice(frame).getByText('There is no page /nothing.').waitFor()
  }
  await frame.getByRole('link', { name: 'Crude' }).waitFor()
  await frame.locator('main').waitFor()
  await expect.poll(() => frame.getByRole('navigation').count()).toBe(0)
  await frame.locator('main').press('Control+k')
  await frame.locator('main').press('?')
  await frame.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
  expect(await frame.getByRole('dialog', { name: 'Search all' }).count()).toBe(0)
  await frame.evaluate(() => new Promise((resolve) => requestIdleCallback(resolve)))
  expect(await frame.evaluate(hasTools)).toBe(false)
  await page.locator('iframe').evaluate((element) => element.setAttribute('width', '500'))
  await frame.goto(`${stage.server.url}/Insight`)
  await frame.getByRole('link', { name: 'Crude' }).waitFor()
  expect(await frame.getByRole('navigation').count()).toBe(0)
})

test('SH-010 SH-076 SH-078 the public area needs no login, shows only shared insights, and has a reduced sidebar', async () => {
  const page = await stage.newPage()
  for (const other of ['/Public', '/Public/Lake', '/Public/MyAccount', '/Public/nothing/at/all']) {
    await page.goto(stage.server.url + other)
    await expect.poll(() => path(page)).toBe('/Public/Insight')
  }
  const links = sidebar(page).getByRole('link')
  await expect
    .poll(() => links.evaluateAll((all) => all.map((link) => link.getAttribute('aria-label'))))
    .toEqual(['Knowledge', 'Insight', 'Log in'])
  expect(await accessibilityProblems(page)).toEqual([])
  await page.goto(`${stage.server.url}/Public/Insight/Energy/Hidden`)
  await page.getByText('Public insight not found').waitFor()
  await page.goto(`${stage.server.url}/Public/Insight/Energy/Crude`)
  await crumbs(page).getByRole('heading', { name: 'Crude' }).waitFor()
  await expect.poll(() => page.getByText('Public insight not found').count()).toBe(0)
  expect(path(page)).toBe('/Public/Insight/Energy/Crude')
})

test('SH-011 SH-012 below 768 px the mobile layout has Statuses, Lake and Log out, and other paths lead there', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage({ viewport: { width: 390, height: 844 } })
  await openAs(page, stage.server.url, user.userName, '/Science/List')
  await expect.poll(() => path(page)).toBe('/Statuses')
  await expect
    .poll(() => sidebar(page).getByRole('link').allInnerTexts())
    .toEqual(['Statuses', 'Lake', 'Log out'])
  await sidebar(page).getByRole('link', { name: 'Lake' }).click()
  await expect.poll(() => page.url()).toBe(`${stage.server.url}/Lake?query=#Groups`)
  for (const other of [
    '/Storage',
    '/Science/Creator/New',
    '/Insight',
    '/Insight/Energy/Crude',
    '/MyAccount',
    '/AITools',
    '/Trash',
    '/Search',
    '/Excel',
    '/Administrator',
    '/Templates/x',
    '/KnowledgeCenter',
    '/KnowledgeCenter/Tasks',
    '/nothing',
  ]) {
    await visit(page, '/Lake')
    await expect.poll(() => path(page)).toBe('/Lake')
    await visit(page, other)
    await expect.poll(() => path(page), { message: other }).toBe('/Statuses')
  }
  // The logs of a job are part of its status.
  await visit(page, '/Logs/1')
  await expect.poll(() => path(page)).toBe('/Logs/1')
  await visit(page, '/Lake')
  await page.setViewportSize({ width: 768, height: 844 })
  await page.reload()
  await sidebar(page).getByRole('link', { name: 'Data preps' }).waitFor()
  await page.setViewportSize({ width: 767, height: 844 })
  await page.goto(`${stage.server.url}/MyAccount`)
  await expect.poll(() => path(page)).toBe('/Statuses')
  const notice = 'Page not available. Open it in a window at least 768 pixels wide.'
  await redirectNotice(page).getByText(notice, { exact: true }).waitFor()
  // The notice is visible once: neither a reload nor the next visit repeats it.
  for (const open of [() => page.reload(), () => page.goto(`${stage.server.url}/Statuses`)]) {
    await open()
    await sidebar(page).getByRole('link', { name: 'Lake' }).waitFor()
    expect(await redirectNotice(page).innerText()).toBe('')
  }

  await stage.server.running.platform.database.pool.query(
    `with r as (insert into roles (name) values ('Insight alone') returning id)
     insert into role_entitlements (role_id, resource, mode)
     select id, resource, 'R' from r, unnest(array['Insight', 'MyAccount']) as resource`,
  )
  const reader = await stage.server.createUser({ role: 'Insight alone' })
  const switchedOff = await stage.newPage({ viewport: { width: 390, height: 844 } })
  await openAs(switchedOff, stage.server.url, reader.userName, '/Insight')
  await expect.poll(() => sidebar(switchedOff).getAttribute('data-layout')).toBe('discovery')
  expect(await switchedOff.getByRole('link', { name: 'Log out' }).count()).toBe(0)
  expect(path(switchedOff)).toBe('/Insight')
})

test('a window that becomes narrow during work stays on its page', async () => {
  const page = await stage.newPage()
  await openAs(page, stage.server.url, stage.server.admin.userName, '/MyAccount#Settings')
  await page.getByRole('heading', { name: 'Preferences' }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('heading', { name: 'Preferences' }).waitFor()
  expect(path(page)).toBe('/MyAccount')
})

test('the sidebar stays pinned open until the user unpins it, and the browser stores the choice', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  const expanded = () => sidebar(page).getAttribute('data-expanded')
  await page.mouse.move(20, 700)
  await page.mouse.move(700, 700)
  await expect.poll(expanded).toBe('true')
  await page.getByRole('button', { name: 'Unpin the sidebar' }).click()
  await expect.poll(expanded).toBe('true')
  await page.mouse.move(700, 700)
  await expect.poll(expanded).toBeNull()
  await page.reload()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  expect(await expanded()).toBeNull()
  await page.mouse.click(20, 700)
  await page.getByRole('button', { name: 'Pin the sidebar open' }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  expect(await expanded()).toBe('true')
})

test('a pinned sidebar is a rail of icons while the window is narrow', async () => {
  const user = await stage.server.createUser()
  const page = await stage.open('/MyAccount', user, { viewport: { width: 1440, height: 800 } })
  await sidebar(page).waitFor()
  const width = async () => Math.round((await sidebar(page).boundingBox())!.width)
  await expect.poll(width).toBe(208)
  await page.mouse.move(700, 400)
  await page.setViewportSize({ width: 390, height: 800 })
  await expect.poll(width).toBe(52)
  await page.mouse.move(20, 400)
  await expect.poll(width).toBe(208)
  await expect.poll(() => page.getByRole('button', { name: 'Pin the sidebar open' }).count()).toBe(0)
  await page.mouse.move(300, 400)
  await expect.poll(width).toBe(52)
  await page.setViewportSize({ width: 1440, height: 800 })
  await expect.poll(width).toBe(208)
})

test('SH-165 SH-166 SH-167 an unpinned sidebar collapses when the pointer leaves, expands after 1.5 s of hover and on a click, and pushes the page', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  const expanded = () => sidebar(page).getAttribute('data-expanded')
  const covered = async () => {
    const bar = (await sidebar(page).boundingBox())!
    const main = (await page.getByRole('main').boundingBox())!
    return bar.x + bar.width - main.x
  }
  /** Moves the pointer onto or off the sidebar, and waits until the page reacts. */
  const hover = async (isOver: boolean) => {
    await page.mouse.move(isOver ? 20 : 700, 700)
    await expect.poll(() => sidebar(page).evaluate((bar) => bar.matches(':hover'))).toBe(isOver)
  }
  await page.getByRole('button', { name: 'Unpin the sidebar' }).click()
  await page.mouse.move(700, 700)
  await expect.poll(expanded).toBeNull()
  await expect.poll(async () => (await sidebar(page).boundingBox())!.width).toBeLessThan(80)
  await expect.poll(covered).toBe(0)
  const folded = (await page.getByRole('main').boundingBox())!.x
  await page.clock.install()
  await stopClock(page)
  await hover(true)
  await page.clock.runFor(1000)
  await hover(false)
  await page.clock.runFor(2000)
  expect(await expanded()).toBeNull()
  await hover(true)
  await page.clock.runFor(1400)
  await expect.poll(expanded).toBeNull()
  await page.clock.runFor(200)
  await expect.poll(expanded).toBe('true')
  await expect.poll(covered).toBe(0)
  expect((await page.getByRole('main').boundingBox())!.x).toBeGreaterThan(folded)
  await page.mouse.move(900, 700)
  await expect.poll(expanded).toBeNull()
  await page.mouse.click(20, 700)
  await expect.poll(expanded).toBe('true')
  await expect.poll(covered).toBe(0)
})

test('SH-086 SH-178 SH-179 SH-180 the clock shows the time of the chosen zone every second, and UTC with the offset when it differs', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.clock.install({ time: '2026-08-18T12:32:07Z' })
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  const clock = page.getByTestId('clock')
  // The time passes while the page loads.
  await expect.poll(() => clock.innerText()).toMatch(/^12:[345]\d:\d\d UTC$/)
  await changeSettings(user.userName, { definedTime: 'Asia/Kolkata' })
  await page.reload()
  const minutesAhead = async () => {
    const [, local, utc] = /^18:(\d\d):\d\d Kolkata\n12:(\d\d) UTC\+5:30$/.exec(await clock.innerText()) ?? []
    return 60 + Number(local) - Number(utc)
  }
  await expect.poll(minutesAhead).toBe(30)
  const { y, height } = (await sidebar(page).getByTestId('clock').boundingBox())!
  const firstEntry = await sidebar(page).getByRole('link', { name: 'Search all' }).boundingBox()
  expect(y + height).toBeLessThan(firstEntry!.y)
  await stopClock(page)
  const second = async () => Number(/:(\d\d) /.exec(await clock.innerText())![1])
  // The first tick can occur at any time within the second.
  await page.clock.runFor(1000)
  const start = await second()
  for (const passed of [1, 2, 3]) {
    await page.clock.runFor(1000)
    await expect.poll(second).toBe((start + passed) % 60)
  }
})

test('SH-016 SH-017 SH-023 SH-177 SH-181 shows the configured or the default logo, the badge Local, and the user name as tooltip', async () => {
  const user = await stage.server.createUser()
  const page = await stage.open('/MyAccount', user)
  await expect
    .poll(() => sidebar(page).locator('img').first().getAttribute('src'))
    .toBe('/logo.svg?of=harbour')
  expect(await sidebar(page).locator('svg[data-logo="default"]').count()).toBe(0)
  const logo = await sidebar(page).locator('img').first().boundingBox()
  const badge = await sidebar(page).getByText('Local', { exact: true }).boundingBox()
  const firstEntry = await sidebar(page).getByRole('link', { name: 'Search all' }).boundingBox()
  for (const { y, height } of [logo!, badge!]) expect(y + height).toBeLessThan(firstEntry!.y)
  // The pointer passes over a button, whose tooltip must not appear later.
  await sidebar(page).getByRole('button', { name: 'Unpin the sidebar' }).hover()
  await sidebar(page).getByRole('link', { name: user.userName }).hover()
  await page.getByRole('tooltip').getByText(user.userName).waitFor()
  expect(await page.getByRole('tooltip').allInnerTexts()).toEqual([user.userName])
  await page.route('**/logo.svg*', (route) => route.fulfill({ status: 404 }))
  await page.reload()
  await sidebar(page).locator('svg[data-logo="default"]').waitFor()
  expect(await sidebar(page).locator('img').count()).toBe(0)
})

test('SH-211 the keyboard lists the shortcuts, opens the search, whose blocks have five results each, and closes it', async () => {
  const { admin } = stage.server
  for (let number = 1; number <= 6; number++)
    await admin.call(createGroup, { body: { name: `Harbour prices ${number}` } })
  const page = await stage.open('/AITools', admin)
  await page.getByText('It is planned for a later version.').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Search all').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.keyboard.press('Control+k')
  const panel = page.getByRole('dialog', { name: 'Search all' })
  await panel.waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  const requests: URL[] = []
  page.on('request', (request) => {
    if (decodeURIComponent(request.url()).includes('arbour')) requests.push(new URL(request.url()))
  })
  await page.keyboard.insertText('arbour')
  const groups = panel.getByRole('region', { name: 'Groups' })
  await groups.getByRole('link', { name: 'Harbour prices' }).first().waitFor()
  expect(await groups.getByRole('link', { name: 'Harbour prices' }).count()).toBe(5)
  await expect.poll(() => panel.getByRole('region').count()).toBe(7)
  await expect.poll(() => requests.length).toBe(7)
  for (const { searchParams } of requests) expect(searchParams.get('size')).toBe('5')
  await page.keyboard.press('Escape')
  await expect.poll(() => panel.getByRole('searchbox').inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await expect.poll(() => panel.count()).toBe(0)
})

test('SH-009 SH-114 SH-118 SH-182 DP-037 without an entitlement the entry and the page are hidden; without lake, storage and science the layout is discovery only', async () => {
  const viewer = await stage.server.createUser({ role: 'Viewer' })
  const page = await stage.open('/Storage', viewer)
  await page.getByText('You do not have access to this page').waitFor()
  const entries = () => sidebar(page).getByRole('link').allInnerTexts()
  const labels = async () => (await entries()).map((text) => text.split('\n')[0])
  await expect.poll(labels).toContain('Data lake')
  for (const label of ['Data preps', 'Storage', 'List', 'Statuses', 'AI tools'])
    expect(await labels()).not.toContain(label)
  expect(await sidebar(page).getAttribute('data-layout')).toBe('full')
  for (const forbidden of ['/Science/List', '/Statuses', '/AITools']) {
    await visit(page, '/Lake')
    await page.getByRole('tab', { name: 'Groups' }).waitFor()
    await visit(page, forbidden)
    await page.getByText('You do not have access to this page').waitFor()
    expect(path(page)).toBe(forbidden)
  }

  const { pool } = stage.server.running.platform.database
  await pool.query(
    `with r as (insert into roles (name) values ('Reader') returning id)
     insert into role_entitlements (role_id, parent, resource, mode)
     select id, parent, resource, 'R' from r, (values
       ('', 'Insight'), ('', 'MyAccount'), ('', 'AITools'), ('', 'Search'),
       ('Insight', 'PublicView'), ('Insight', 'Visualisations'), ('Insight', 'Workflows')) as held(parent, resource)`,
  )
  const reader = await stage.server.createUser({ role: 'Reader' })
  const other = await stage.open('/Lake', reader)
  await other.getByText('You do not have access to this page').waitFor()
  const displayed = sidebar(other).getByRole('listitem')
  await expect
    .poll(() => displayed.allInnerTexts())
    .toEqual(['AI tools', 'Knowledge', 'Insight', reader.userName])
  expect(await sidebar(other).getAttribute('data-layout')).toBe('discovery')
  await visit(other, '/Insight')
  await other.getByRole('searchbox', { name: 'Search insights' }).waitFor()
  expect(await other.getByRole('tab', { name: 'Workflows' }).count()).toBe(1)
  expect(await other.getByRole('link', { name: 'Public view' }).count()).toBe(0)
  await visit(other, '/Trash')
  const noAccess = other.getByText('You do not have access to this page')
  const areLocked = async (pages: readonly string[]) => {
    for (const locked of pages) {
      await visit(other, '/AITools')
      await noAccess.waitFor({ state: 'detached' })
      await visit(other, locked)
      await noAccess.waitFor()
      expect(path(other)).toBe(locked)
    }
  }
  await areLocked([
    '/Lake/Groups/Energy',
    '/Storage/DataPreps',
    '/Storage/Creator/Energy/Curve/latest',
    '/Storage/Data',
    '/Storage/Symbols',
    '/Science/List',
    '/Science/Creator/Energy/Daily/latest',
    '/Science/Monitor',
    `/Science/task/creator/${taskId}`,
    '/Insight/Creator',
    '/Insight/PublicView',
    '/Statuses',
    '/Logs/1',
    '/Templates/x',
    '/Excel',
    '/Administrator',
    '/MyAccount/DatabaseAccountSetup',
  ])
  const { accounts } = stage.server.running.platform
  const { userId } = (await accounts.findUserByName(reader.userName))!
  const { rows } = await pool.query(
    `with r as (insert into roles (name) values ('Account alone') returning id)
     insert into role_entitlements (role_id, resource, mode) select id, 'MyAccount', 'R' from r returning role_id`,
  )
  await accounts.setUserRoles(userId, [rows[0].role_id])
  await visit(other, '/MyAccount')
  await other.reload()
  await other.getByRole('heading', { name: 'Settings' }).waitFor()
  await visit(other, '/Search')
  await noAccess.waitFor()
  for (const locked of ['/Insight', '/Insight/Energy/Crude', '/AITools']) {
    await visit(other, '/MyAccount')
    await noAccess.waitFor({ state: 'detached' })
    await visit(other, locked)
    await noAccess.waitFor()
  }
  await visit(other, '/MyAccount')
  await other.getByRole('heading', { name: 'Settings' }).waitFor()
  await accounts.setUserRoles(userId, [])
  await other.reload()
  await noAccess.waitFor()
})

test('SH-149 SH-151 without a default page / leads to Insight, and an unknown path to My account', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.route('**/auth/settings', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as Record<string, unknown>
    await route.fulfill({ response, json: { ...body, defaultPage: '' } })
  })
  await openAs(page, stage.server.url, user.userName, '/')
  await expect.poll(() => path(page)).toBe('/Insight')
  await page.goto(`${stage.server.url}/nothing/here`)
  await expect.poll(() => path(page)).toBe('/MyAccount')
  await redirectNotice(page).getByText('There is no page /nothing/here.').waitFor()
})

test('DP-023 DP-024 DP-155 SH-018 SH-019 SH-020 SH-023 SH-146 SH-176 the configuration switches Trash, sharing, API keys and the badge', async () => {
  const page = await stage.open('/Trash', stage.server.admin)
  await crumbs(page).getByText('Trash').waitFor()
  expect(path(page)).toBe('/Trash')
  const badge = (of: Page) => sidebar(of).getByText('Local', { exact: true })
  const trash = (of: Page) => sidebar(of).getByRole('link', { name: 'Trash' })
  await badge(page).waitFor()
  await trash(page).waitFor()
  await visit(page, '/MyAccount')
  await page.getByRole('tab', { name: 'API keys' }).waitFor()
  await visit(page, '/Insight/Energy/Crude')
  await page.getByRole('button', { name: 'Share', exact: true }).waitFor()
  await visit(page, '/Lake/Groups/Energy')
  await page.getByRole('button', { name: 'Show public views' }).waitFor()
  await page.getByRole('button', { name: 'Share', exact: true }).waitFor()

  const server = await startTestServer({
    env: {
      HEADWATER_WAREHOUSE_ONLY: 'false',
      HEADWATER_SHARING_ENABLED: 'false',
      HEADWATER_API_KEYS_ENABLED: 'false',
      HEADWATER_BUILD: '',
    },
  })
  try {
    const { admin } = server
    await admin.call(createGroup, { body: { name: 'Energy' } })
    const insight = { insightName: 'Crude', groupName: 'Energy', content: emptyContent() }
    await admin.call(createInsight, { body: insight })
    const other = await stage.newPage()
    await openAs(other, server.url, admin.userName, '/Trash')
    await expect.poll(() => path(other)).toBe('/Insight')
    expect(await trash(other).count()).toBe(0)
    expect(await badge(other).count()).toBe(0)
    await visit(other, '/MyAccount#ApiKeys')
    await other.getByRole('tab', { name: 'Settings', selected: true }).waitFor()
    expect(await other.getByRole('tab', { name: 'API keys' }).count()).toBe(0)
    await visit(other, '/Insight/Energy/Crude')
    await other.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    expect(await other.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0)
    await visit(other, '/Lake/Groups/Energy')
    await other.getByRole('button', { name: 'Show public views' }).waitFor()
    expect(await other.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0)
    await other.close()
  } finally {
    await server.stop()
  }
})

test('SH-008 SH-131 the knowledge centre opens in a new tab, at a separate route without sidebar', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/AITools')
  const opened = page.context().waitForEvent('page')
  await sidebar(page).getByRole('link', { name: 'Knowledge' }).click()
  const tab = await opened
  await expect.poll(() => path(tab)).toBe('/KnowledgeCenter/Tasks')
  await tab.getByText('It is planned for a later version.').waitFor()
  await expect.poll(() => sidebar(tab).count()).toBe(0)
})

test('SH-042 SH-124 SH-126 SH-127 SH-193 SH-194 each named route of Science, Storage and Insight opens its page, whose lists have rows of 36 px', async () => {
  const page = await stage.open('/Science/List#Pipelines', stage.server.admin)
  const selected = (name: string | RegExp) => page.getByRole('tab', { name, selected: true }).waitFor()
  const search = (name: string) => page.getByRole('searchbox', { name }).waitFor()
  /** At 1440 pixels with the sidebar pinned every column is visible. */
  const headings = () =>
    page
      .getByRole('columnheader')
      .evaluateAll((all) => all.map((heading) => heading.textContent ?? '').filter((text) => text !== ''))
  const rowHeight = async (text: string) =>
    (await page.getByRole('row').filter({ hasText: text }).first().boundingBox())!.height
  for (const [tab, name, href] of [
    ['Schedules'],
    ['Tasks', 'Greet', `/Science/task/creator/${taskId}`],
    ['Pipelines', 'Daily', '/Science/Creator/Energy/Daily/latest'],
  ] as const) {
    await visit(page, `/Science/List#${tab}`)
    await selected(tab)
    await search(`Search ${tab.toLowerCase()}`)
    if (name === undefined) continue
    if (tab === 'Pipelines')
      await expect
        .poll(headings)
        .toEqual([
          'Favourite',
          'Name',
          'Group',
          'Tags',
          'Trigger',
          'Next run',
          'Version',
          'Updated',
          'By',
          'Last run',
          'Actions',
        ])
    const link = page.getByRole('grid').getByRole('link', { name, exact: true })
    await expect.poll(() => link.getAttribute('href')).toBe(href)
    expect(await rowHeight(name)).toBe(36)
  }
  await visit(page, '/Science/List/Versions/Energy/Daily')
  await page.getByRole('grid', { name: 'Versions' }).getByRole('link', { name: 'v1 · latest' }).waitFor()

  for (const tab of ['Table', 'Basket', 'Charts']) {
    await visit(page, `/Storage/Creator/New#${tab}`)
    await selected(new RegExp(`^${tab}`))
  }
  await visit(page, '/Storage/DataPreps')
  await search('Search data preps')
  await page.getByRole('link', { name: 'Curve' }).waitFor()
  await expect
    .poll(headings)
    .toEqual([
      'Favourite',
      'Name',
      'Group',
      'Range',
      'Entries',
      'Version',
      'Updated',
      'By',
      'Next run',
      'Last run',
      'Actions',
    ])
  expect(await rowHeight('Curve')).toBe(36)
  await visit(page, '/Lake#Files')
  await page.getByRole('row', { name: /small\.txt/ }).waitFor()
  expect(await rowHeight('small.txt')).toBe(36)
  await visit(page, '/Storage/Data')
  await page.getByText('not saved yet').waitFor()
  await selected('Table')

  for (const tab of ['Visualisations', 'Workflows']) {
    await visit(page, `/Insight/${tab}`)
    await selected(tab)
    await expect.poll(() => new URL(page.url()).hash).toBe(`#${tab}`)
  }
  await visit(page, '/Insight/Visualisations')
  await page.getByRole('row', { name: /Crude/ }).waitFor()
  expect(await rowHeight('Crude')).toBe(36)
  await visit(page, '/Insight/PublicView')
  await search('Search public insights')
  await page.getByRole('grid', { name: 'Public insights' }).getByText('Crude').waitFor()
  expect(await rowHeight('Crude')).toBe(36)
  await visit(page, '/Insight/Templates')
  await search('Search templates')
  await visit(page, '/Insight/Creator')
  await page.getByRole('button', { name: /^Quick chart/ }).waitFor()
})

test('pages planned for a later version say so', async () => {
  const page = await stage.open('/Insight', stage.server.admin)
  await sidebar(page).waitFor()
  for (const named of [
    '/AITools/Parser',
    '/AITools/Transformer',
    '/AITools/Summarizer',
    '/MyAccount/Role/Create',
    '/MyAccount/DatabaseAccountSetup',
    '/Templates/x',
  ]) {
    await visit(page, named)
    await page.getByText('This page is not available yet.').waitFor()
    expect(path(page)).toBe(named)
    await visit(page, '/Insight')
    await page.getByRole('searchbox', { name: 'Search insights' }).waitFor()
  }
})

test('SH-144 SH-154 SH-155 SH-156 SH-157 SH-158 SH-159 SH-160 SH-161 SH-162 SH-163 shows breadcrumbs and the sidebar on each path', async () => {
  const page = await stage.open('/Insight', stage.server.admin)
  await sidebar(page).waitFor()
  const displayed = async () =>
    (await crumbs(page).locator('li:not([aria-hidden])').allInnerTexts()).join(' / ')
  for (const [url, expected] of [
    ['/statuses', 'Statuses'],
    ['/ai-tools', 'AI tools'],
    ['/ai-tools/parser', 'AI tools / parser'],
    ['/ai-tools/transformer', 'AI tools / transformer'],
    ['/ai-tools/summarizer', 'AI tools / summarizer'],
    ['/AITools/Parser', 'AI tools / Parser'],
    ['/lake#groups', 'Data lake / Groups'],
    ['/lake/groups/Energy?query=small', 'Data lake / Energy'],
    ['/storage/list', 'Data preps'],
    ['/storage#table', 'Data preps / Table'],
    ['/storage/creator/Energy/Curve/1', 'Data preps / Energy / Curve'],
    ['/storage/creator/New', 'Data preps / New data prep'],
    ['/science/list#pipelines', 'Pipelines'],
    [`/science/task/creator/${taskId}`, 'Tasks / Greet'],
    [`/science/task/versions/${taskId}`, 'Tasks / Versions of Greet'],
    ['/science/creator/Energy/Daily/latest', 'Pipelines / Energy / Daily'],
    ['/science/creator/New', 'Pipelines / New pipeline'],
    ['/science/versions/Energy/Daily', 'Pipelines / Energy / Daily / Versions'],
    ['/science/dashboard#recent', 'Monitor'],
    ['/science/dashboard/details', 'Monitor / Details'],
    ['/science/dashboard/history/Energy/Daily', 'Monitor / Energy / Daily / Last runs'],
    ['/trash', 'Trash'],
    ['/myaccount#settings', 'My account / Settings'],
    ['/myaccount/DatabaseAccountSetup', 'My account / Database account setup'],
    ['/myaccount/company/Acme', 'My account / Companies / Acme'],
    ['/myaccount/company/Acme/user/7', 'My account / Companies / Acme / 7'],
    ['/myaccount/user/admin@example.com', 'My account / Users / admin@example.com'],
    ['/myaccount/role/9', 'My account / Roles / 9'],
    ['/insight', 'Insight'],
    ['/insight/Energy', 'Insight / Energy'],
    ['/insight/Energy/Crude', 'Insight / Energy / Crude'],
    ['/insight/Energy/Crude/deeper', 'Insight / Energy / Crude / deeper'],
  ] as const) {
    await visit(page, url)
    await expect.poll(displayed, { message: url }).toBe(expected)
    expect(page.url()).toBe(stage.server.url + url)
    expect(await sidebar(page).count()).toBe(1)
  }
})

test('SH-153 a pipeline that cannot be loaded leads to the list of pipelines, with the reason', async () => {
  const page = await stage.open('/Science/Creator/Energy/No%20such/latest', stage.server.admin)
  await redirectNotice(page)
    .getByText('Pipeline not found. There is no pipeline No such in the group Energy.')
    .waitFor()
  await expect.poll(() => path(page)).toBe('/Science/List')
  expect(new URL(page.url()).hash).toBe('#Pipelines')
  expect(await page.goBack()).toBeNull()
})

test('SH-003 SH-043 DP-101 SH-170 SH-171 SH-172 SH-174 SH-175 the sidebar lists every area, and its entries open the areas', async () => {
  const { admin } = stage.server
  const page = await stage.open('/Insight', admin)
  await expect.poll(() => sidebar(page).getByRole('link', { name: 'Statuses' }).count()).toBe(1)
  const groups = await sidebar(page)
    .getByRole('group')
    .evaluateAll((all) =>
      all.map((group) => [
        group.firstElementChild?.getAttribute('aria-hidden') ? group.firstElementChild.textContent : '',
        ...[...group.querySelectorAll('a')].map((link) => link.querySelector('span')?.textContent),
      ]),
    )
  expect(groups).toEqual([
    ['', 'Search all', 'Statuses'],
    ['DATA', 'Data lake', 'Data preps', 'Storage'],
    ['PIPELINES', 'List', 'Monitoring', 'Creator'],
    ['DISCOVER', 'AI tools', 'Knowledge', 'Insight'],
    ['SETTINGS', 'Trash', admin.userName],
  ])
  for (const [entry, expected] of [
    ['Data lake', '/lake'],
    ['List', '/science/list'],
    ['Monitoring', '/science/monitor'],
    ['Creator', '/science/creator/new'],
    ['AI tools', '/aitools'],
    ['Insight', '/insight'],
    ['Trash', '/trash'],
    [admin.userName, '/myaccount'],
    ['Data preps', '/storage'],
  ] as const) {
    await sidebar(page).getByRole('link', { name: entry, exact: true }).click()
    await expect.poll(() => path(page).toLowerCase()).toBe(expected)
  }
  await page.getByRole('grid', { name: 'Data preps' }).getByRole('link', { name: 'Curve' }).waitFor()
  await sidebar(page).getByRole('link', { name: 'Storage', exact: true }).click()
  await expect.poll(() => path(page)).toBe('/Storage/Symbols')
  await page.getByRole('row', { name: /Energy.*Brent|Brent.*Energy/ }).waitFor()

  for (const [name, size] of [
    ['small.txt', '1.50 KB'],
    ['large.txt', '1.23 MB'],
  ] as const) {
    await visit(page, '/Lake/Groups/Energy')
    await page.getByRole('row').filter({ hasText: name }).getByText(size, { exact: true }).waitFor()
    await page.getByRole('button', { name, exact: true }).click()
    await page.getByRole('complementary').getByText(size, { exact: true }).first().waitFor()
    await page.getByRole('button', { name, exact: true }).click({ button: 'right' })
    await page.getByRole('menuitem', { name: 'Edit', exact: true }).click()
    const tool = page.getByRole('dialog', { name, exact: true })
    await tool.getByText(size).waitFor()
    await page.keyboard.press('Escape')
    await tool.waitFor({ state: 'detached' })
  }
})

test('SH-013 the colours follow the darkmode setting: on, off, and auto for the system scheme', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage({ colorScheme: 'dark' })
  const background = () => page.evaluate('getComputedStyle(document.body).backgroundColor') as Promise<string>
  const scheme = () => page.locator('html').getAttribute('data-mantine-color-scheme')
  const seen: Record<string, string> = {}
  await openAs(page, stage.server.url, user.userName, '/Insight')
  for (const [darkmode, expected] of [
    ['ON', 'dark'],
    ['OFF', 'light'],
    ['AUTO', 'dark'],
  ] as const) {
    await changeSettings(user.userName, { darkmode })
    await page.reload()
    await sidebar(page).waitFor()
    await expect.poll(scheme).toBe(expected)
    seen[darkmode] = await background()
  }
  expect(seen['ON']).not.toBe(seen['OFF'])
  expect(seen['AUTO']).toBe(seen['ON'])
  await page.emulateMedia({ colorScheme: 'light' })
  await expect.poll(background).toBe(seen['OFF'])
})

test('SH-013 the colours follow the system until the user chooses, before and after sign-in', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage({ colorScheme: 'light' })
  const scheme = (of = page) => of.locator('html').getAttribute('data-mantine-color-scheme')
  await page.goto(stage.server.url)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  expect(await scheme()).toBe('light')
  await page.emulateMedia({ colorScheme: 'dark' })
  await expect.poll(() => scheme()).toBe('dark')
  await page.goto(`${stage.server.url}/Public/Insight`)
  await page.getByText('This link is incomplete').waitFor()
  expect(await scheme()).toBe('dark')
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  const theme = page.getByRole('combobox', { name: 'Theme' })
  await expect.poll(() => theme.inputValue()).toBe('System')
  expect(await scheme()).toBe('dark')
  await theme.click()
  await page.getByRole('option', { name: 'Light', exact: true }).click()
  await page
    .getByRole('form', { name: 'Preferences' })
    .getByRole('button', { name: 'Save', exact: true })
    .click()
  await expect.poll(() => scheme()).toBe('light')
  await page.goto(`${stage.server.url}/Logout`)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  expect(await scheme()).toBe('light')
  // Another browser learns the choice from the account.
  const elsewhere = await stage.newPage({ colorScheme: 'dark' })
  await openAs(elsewhere, stage.server.url, user.userName, '/MyAccount')
  await sidebar(elsewhere).waitFor()
  await expect.poll(() => scheme(elsewhere)).toBe('light')
})

test('SH-168 the sidebar animates for 200 ms, and not at all with reduced motion', async () => {
  for (const [reducedMotion, longestSeconds] of [
    ['no-preference', 0.2],
    ['reduce', 0],
  ] as const) {
    const page = await stage.newPage({ reducedMotion })
    await openAs(page, stage.server.url, stage.server.admin.userName, '/Insight')
    await sidebar(page).waitFor()
    const duration = await sidebar(page).evaluate((element) =>
      Number.parseFloat(getComputedStyle(element).transitionDuration),
    )
    expect(duration).toBeCloseTo(longestSeconds, 2)
  }
})

test('in a narrow window the buttons of every creator are visible, without scrolling', async () => {
  const page = await stage.newPage()
  await openAs(page, stage.server.url, stage.server.admin.userName, '/Insight/Creator')
  for (const [path, names] of [
    ['/Insight/Creator', ['Cancel', 'Save']],
    ['/Science/Creator/New', ['Save', 'Run']],
    ['/Storage/Creator/New', ['Save', 'Run']],
  ] as const) {
    await page.setViewportSize({ width: 1440, height: 900 })
    await visit(page, path)
    const header = page.getByRole('banner')
    await header.getByRole('button', { name: names[1], exact: true }).waitFor()
    await page.setViewportSize({ width: 390, height: 844 })
    for (const name of names) {
      const target = header.getByRole('button', { name, exact: true })
      const isClickable = (button: Element) => {
        const { left, right, top, height } = button.getBoundingClientRect()
        const at = document.elementFromPoint((left + right) / 2, top + height / 2)
        return left >= 0 && right <= innerWidth && button.contains(at)
      }
      await expect.poll(() => target.evaluate(isClickable), { message: `${path}: ${name}` }).toBe(true)
    }
  }
})
