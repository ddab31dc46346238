import type { Page } from 'playwright'
import { describe, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
import { testPassword } from '../../apps/server/src/testing.ts'
import { accessibilityProblems, openAs, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

const path = (page: Page) => new URL(page.url()).pathname
const sidebar = (page: Page) => page.getByRole('navigation', { name: 'Main' })
const crumbs = (page: Page) => page.getByRole('navigation', { name: 'Breadcrumbs' })

async function changeSettings(userName: string, settings: Record<string, unknown>): Promise<void> {
  const response = await fetch(`${stage.server.url}/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ userName, password: testPassword }),
  })
  const { token } = (await response.json()) as { token: string }
  const answer = await fetch(stage.server.url + updateSettings.path, {
    method: updateSettings.method,
    headers: { 'Content-Type': 'application/json', Authorization: `Bearer ${token}` },
    body: JSON.stringify({ settings }),
  })
  expect(answer.status).toBe(200)
}

test('SH-073 SH-014 SH-015 logged out, any path shows the login screen, with the configured title and icon', async () => {
  const page = await stage.newPage()
  await page.goto(`${stage.server.url}/Lake/Groups/x`)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  expect(path(page)).toBe('/Lake/Groups/x')
  const configuration = (await (await fetch(`${stage.server.url}/configuration`)).json()) as {
    title: string
    icon: string
  }
  await expect.poll(() => page.title()).toBe(configuration.title)
  await expect.poll(() => page.locator('link[rel="icon"]').getAttribute('href')).toBe(configuration.icon)
  expect(await accessibilityProblems(page)).toEqual([])
})

test('SH-074 a wrong password is told; the right one opens the page that was asked for', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.goto(`${stage.server.url}/MyAccount#Settings`)
  await page.getByLabel('E-mail address').fill(user.userName)
  await page.getByLabel('Password').fill('not the password')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('the password is wrong').waitFor()
  await page.getByLabel('Password').fill(testPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  expect(path(page)).toBe('/MyAccount')
})

test('SH-068 SH-069 SH-070 SH-071 SH-072 the screens that need no login', async () => {
  const page = await stage.newPage()
  await page.goto(`${stage.server.url}/ResetPassword`)
  await page.getByLabel('E-mail address').fill('nobody@example.com')
  await page.getByRole('button', { name: 'Send the link' }).click()
  await page.getByRole('heading', { name: 'Look into your mailbox' }).waitFor()
  await page.goto(`${stage.server.url}/Activate/no-such-token`)
  await page.getByText('This link is not valid any more.').waitFor()
  await page.goto(`${stage.server.url}/ChangePassword/no-such-token`)
  await page.getByLabel('New password', { exact: true }).fill('a new long password')
  await page.getByLabel('New password, again').fill('another long password')
  await page.getByRole('button', { name: 'Set the password' }).click()
  await page.getByText('The two passwords are not the same.').waitFor()

  await page.route('**/auth/activation/*', (route) =>
    route.fulfill({ json: { userName: 'anna@example.com', company: 'Acme' } }),
  )
  await page.goto(`${stage.server.url}/Activate/token/Energy`)
  await page.getByRole('heading', { name: 'Activate your account' }).waitFor()
  await page.getByText('to open the template “Energy”').waitFor()
  await page.goto(`${stage.server.url}/Activate/token/Energy?withWelcomeEmail=true`)
  await page.getByRole('heading', { name: 'Welcome to' }).waitFor()
})

test('SH-056 SH-066 a refresh token in the query string signs in and is taken out of the URL', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/MyAccount?x=1#Settings')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  expect(page.url()).toBe(`${stage.server.url}/MyAccount?x=1#Settings`)
  await page.reload()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
})

test('SH-058 a stored token that is refused empties browser storage and shows login', async () => {
  const page = await stage.newPage()
  await page.addInitScript(() => localStorage.setItem('ng-token', 'worn out'))
  await page.goto(`${stage.server.url}/Lake`)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
})

test('SH-060 when the settings cannot be read the user is logged out', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.route('**/auth/settings', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  const loggedOut = page.waitForRequest('**/auth/logout')
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await loggedOut
})

test('SH-062 SH-064 /Logout ends the session, in other tabs of the browser too', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  const other = await page.context().newPage()
  await other.goto(`${stage.server.url}/MyAccount`)
  await other.getByRole('heading', { name: 'Settings' }).waitFor()
  const called = page.waitForRequest('**/auth/logout')
  await page.goto(`${stage.server.url}/logout`)
  await called
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await other.getByRole('heading', { name: 'Log in' }).waitFor()
})

test('SH-148 SH-150 / and unknown paths lead to the default page', async () => {
  const user = await stage.server.createUser()
  await changeSettings(user.userName, { defaultPage: 'data lake' })
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/')
  await expect.poll(() => path(page)).toBe('/Lake')
  await page.goto(`${stage.server.url}/nothing/here`)
  await expect.poll(() => path(page)).toBe('/Lake')
})

test('SH-133 paths match in any letter case; sidebar, breadcrumbs and page are there', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/myaccount')
  await crumbs(page).getByText('My account').waitFor()
  await sidebar(page).getByRole('link', { name: 'Data lake' }).waitFor()
  await page.goto(`${stage.server.url}/SCIENCE/creator/Energy/Daily/latest`)
  await crumbs(page).getByRole('heading', { name: 'Daily' }).waitFor()
})

test('SH-011 SH-143 SH-145 SH-147 SH-152 in a frame only Insight is shown, without sidebar, breadcrumbs and panels', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  for (const framed of ['/', '/MyAccount', '/nothing', '/Lake']) {
    await page.route('**/frame-host', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<iframe src="${framed}" width="900" height="600"></iframe>`,
      }),
    )
    await page.goto(`${stage.server.url}/frame-host`)
    const frame = page.frames().find((one) => one !== page.mainFrame())!
    await expect.poll(() => new URL(frame.url()).pathname).toBe('/Insight')
    await frame.locator('main').waitFor()
    await expect.poll(() => frame.getByRole('navigation').count()).toBe(0)
    await frame.locator('main').press('Control+k')
    await frame.locator('main').press('?')
    await frame.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    expect(await frame.getByRole('dialog', { name: 'Search all' }).count()).toBe(0)
    await page.unroute('**/frame-host')
  }
})

test('SH-010 SH-076 SH-078 the public area needs no login, shows only Insight, and has a reduced sidebar', async () => {
  const page = await stage.newPage()
  await page.goto(`${stage.server.url}/Public/Lake`)
  await expect.poll(() => path(page)).toBe('/Public/Insight')
  const links = sidebar(page).getByRole('link')
  await expect
    .poll(() => links.evaluateAll((all) => all.map((link) => link.getAttribute('aria-label'))))
    .toEqual(['Knowledge', 'Insight', 'Log in'])
  expect(await accessibilityProblems(page)).toEqual([])
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
  await page.setViewportSize({ width: 768, height: 844 })
  await page.reload()
  await sidebar(page).getByRole('link', { name: 'Data preps' }).waitFor()
})

test('a window that is drawn narrow in the middle of work keeps the page it shows', async () => {
  const page = await stage.newPage()
  await openAs(page, stage.server.url, stage.server.admin.userName, '/MyAccount#Settings')
  await page.getByRole('heading', { name: 'Preferences' }).waitFor()
  await page.setViewportSize({ width: 390, height: 844 })
  await page.getByRole('heading', { name: 'Preferences' }).waitFor()
  expect(path(page)).toBe('/MyAccount')
})

test('SH-165 SH-166 SH-167 the sidebar collapses when the pointer leaves, expands after 1.5 s of hover and on a click', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  const expanded = () => sidebar(page).getAttribute('data-expanded')
  await page.mouse.move(20, 700)
  await page.mouse.move(700, 700)
  await expect.poll(expanded).toBeNull()
  await page.clock.install()
  await stopClock(page)
  await page.mouse.move(20, 700)
  await page.clock.runFor(1400)
  await expect.poll(() => expanded()).toBeNull()
  await page.clock.runFor(200)
  await expect.poll(expanded).toBe('true')
  await page.mouse.move(700, 700)
  await expect.poll(expanded).toBeNull()
  await page.mouse.click(20, 700)
  await expect.poll(expanded).toBe('true')
})

test('a sidebar that has folded away once begins folded, so the page does not jump; one that is pinned stays open', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  const left = async () => (await page.getByRole('main').boundingBox())?.x
  const expanded = () => sidebar(page).getAttribute('data-expanded')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await expect.poll(expanded).toBe('true')
  await page.mouse.move(20, 700)
  await page.mouse.move(700, 700)
  await expect.poll(expanded).toBeNull()
  const folded = await left()
  await page.reload()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  expect(await expanded()).toBeNull()
  expect(await left()).toBe(folded)
  await page.mouse.click(20, 700)
  await page.getByRole('button', { name: 'Keep the sidebar open' }).click()
  await page.reload()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await expect.poll(expanded).toBe('true')
})

test('SH-086 SH-178 SH-179 SH-180 the clock shows the time of the chosen zone, and UTC with the offset when it differs', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.clock.setFixedTime('2026-08-18T12:32:07Z')
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  const clock = page.getByTestId('clock')
  await expect.poll(() => clock.innerText()).toBe('12:32:07 UTC')
  await changeSettings(user.userName, { definedTime: 'Asia/Kolkata' })
  await page.reload()
  await expect.poll(() => clock.innerText()).toBe('18:02:07 Kolkata\n12:32 UTC+5:30')
  await page.clock.setFixedTime('2026-08-18T12:32:08Z')
  await expect.poll(() => clock.innerText()).toBe('18:02:08 Kolkata\n12:32 UTC+5:30')
})

test('SH-017 SH-177 SH-181 the logo falls back to the own one, the profile entry tells the user name', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.route('**/logo.svg', (route) => route.fulfill({ status: 404 }))
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await sidebar(page).locator('svg[data-logo="default"]').waitFor()
  await sidebar(page).getByText('Local', { exact: true }).waitFor()
  await sidebar(page).getByRole('link', { name: user.userName }).hover()
  await page.getByRole('tooltip').getByText(user.userName).waitFor()
})

test('SH-184 SH-186 navigating from the sidebar aborts open requests and closes the panels', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.route('**/file/group?**', () => {})
  await openAs(page, stage.server.url, user.userName, '/Lake')
  await page.waitForRequest('**/file/group?**')
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().includes('/file/group?'))
  await sidebar(page).getByRole('link', { name: 'AI tools' }).click()
  expect((await aborted).failure()?.errorText).toBe('net::ERR_ABORTED')
  await sidebar(page).getByRole('link', { name: 'Search all' }).click()
  const panel = page.getByRole('dialog', { name: 'Search all' })
  await panel.waitFor()
  await sidebar(page).getByRole('link', { name: 'Insight' }).click()
  await expect.poll(() => panel.count()).toBe(0)
})

test('SH-038 SH-044 SH-045 SH-046 SH-047 losing and regaining the connection is told, each for 30 s', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.clock.install()
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await stopClock(page)
  for (const [offline, text] of [
    [true, 'You are offline.'],
    [false, 'You are back online.'],
  ] as const) {
    await page.context().setOffline(offline)
    const told = page.getByText(text)
    await told.waitFor()
    await page.getByText('Offline', { exact: true }).waitFor({ state: offline ? 'visible' : 'detached' })
    await page.clock.runFor(29_900)
    await told.waitFor()
    await page.clock.runFor(200)
    await told.waitFor({ state: 'detached' })
  }
})

test('SH-030 an exception nobody caught goes to the error log with message and user name', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  const sent = page.waitForRequest('**/log/error')
  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('a tile broke')
    })
  })
  const body = (await sent).postDataJSON() as { message: string; userName: string; level: string }
  expect(body).toMatchObject({ userName: user.userName, level: 'fatal' })
  expect(body.message).toContain('a tile broke')
  await expect.poll(() => stage.problemsOf(page)).toEqual(['a tile broke'])
  stage.problemsOf(page).length = 0
})

test('a layout that took one more turn is no error to report', async () => {
  const page = await stage.open('/MyAccount', await stage.server.createUser())
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  const reports: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/log/error')) reports.push(request.postData() ?? '')
  })
  await page.evaluate(() => {
    const message = 'ResizeObserver loop completed with undelivered notifications.'
    window.dispatchEvent(new ErrorEvent('error', { message }))
    window.dispatchEvent(new ErrorEvent('error', { message: 'another' }))
  })
  await expect.poll(() => reports.length).toBe(1)
  expect(reports[0]).toContain('another')
})

test('a page that stops working says so with an id, and the id stands in the report', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.route('**/assets/MyAccountScreen-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'export default function Broken() { throw new Error("broken") }',
    }),
  )
  const sent = page.waitForRequest('**/log/error')
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await page.getByRole('heading', { name: 'This page stopped working' }).waitFor()
  const id = await page.getByRole('alert').locator('code').innerText()
  const { message } = (await sent).postDataJSON() as { message: string }
  expect(message.startsWith(`[${id}]`)).toBe(true)
  await sidebar(page).getByRole('link', { name: 'AI tools' }).click()
  await page.getByText('transformers, parsers and summarizers').waitFor()
  await expect.poll(() => stage.problemsOf(page).join('\n')).toContain('broken')
  stage.problemsOf(page).length = 0
})

test('the keyboard: ? lists the shortcuts, Ctrl+K opens the search with the focus in its field, Esc closes the top-most', async () => {
  const user = await stage.server.createUser()
  await user.call(createGroup, { body: { name: 'Harbour prices' } })
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/AITools')
  await page.getByText('transformers, parsers').waitFor()
  await page.keyboard.press('?')
  await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).getByText('Search all').waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await page.keyboard.press('Control+k')
  const panel = page.getByRole('dialog', { name: 'Search all' })
  await panel.waitFor()
  await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('INPUT')
  await page.keyboard.type('arbour')
  await panel.getByRole('region', { name: 'Groups' }).getByRole('link', { name: 'Harbour prices' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => panel.getByRole('searchbox').inputValue()).toBe('')
  await page.keyboard.press('Escape')
  await expect.poll(() => panel.count()).toBe(0)
})

test('SH-118 without an entitlement neither the entry nor the page is there', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.route('**/auth/settings', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as { uiEntitlements: { resource: string; parent?: string }[] }
    body.uiEntitlements = body.uiEntitlements.filter((one) => one.resource !== 'AITools')
    await route.fulfill({ response, json: body })
  })
  await openAs(page, stage.server.url, user.userName, '/AITools')
  await page.getByText('You cannot see this page').waitFor()
  await expect.poll(() => sidebar(page).getByRole('link', { name: 'AI tools' }).count()).toBe(0)
})

test('SH-142 the main layout waits for the settings and shows a loader meanwhile', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  let goOn = () => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  await page.route('**/auth/settings', async (route) => {
    await held
    await route.continue()
  })
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await page.getByRole('status', { name: 'Signing in' }).waitFor()
  await expect.poll(() => page.getByRole('navigation').count()).toBe(0)
  goOn()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
})

test('SH-149 SH-151 without a default page / leads to Insight and unknown paths to My account', async () => {
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
  await page.getByText('There is no page /nothing/here.').waitFor()
})

test('SH-020 SH-023 SH-146 Trash is a page only in warehouse-only mode; a build that is not local has no badge', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/Trash')
  await crumbs(page).getByText('Trash').waitFor()
  await page.getByText('This part is not in this version yet.').waitFor()
  await page.route('**/configuration', async (route) => {
    const response = await route.fetch()
    const body = (await response.json()) as Record<string, unknown>
    await route.fulfill({ response, json: { ...body, warehouse_only: 'false', build: '' } })
  })
  await page.goto(`${stage.server.url}/Trash`)
  await expect.poll(() => path(page)).toBe('/Insight')
  await expect.poll(() => sidebar(page).getByRole('link', { name: 'Trash' }).count()).toBe(0)
  await expect.poll(() => sidebar(page).getByText('Local', { exact: true }).count()).toBe(0)
})

test('SH-008 SH-121 the knowledge centre opens in a new tab, without sidebar', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/AITools')
  const opened = page.context().waitForEvent('page')
  await sidebar(page).getByRole('link', { name: 'Knowledge' }).click()
  const tab = await opened
  await expect.poll(() => path(tab)).toBe('/KnowledgeCenter/Tasks')
  await tab.getByText('the guide to every task').waitFor()
  await expect.poll(() => sidebar(tab).count()).toBe(0)
})

describe('SH-122 SH-124 SH-125 SH-126 SH-127 SH-129 SH-134 each named route has a page', () => {
  test.each([
    ['SH-122', '/AITools/Parser'],
    ['SH-122', '/AITools/Transformer'],
    ['SH-122', '/AITools/Summarizer'],
    ['SH-124', '/Science/List#Schedules'],
    ['SH-125', '/Science/Creator'],
    ['SH-125', '/Science/Monitor/Details'],
    ['SH-125', '/Science/Pipeline/Approve/1'],
    ['SH-125', '/Science/task/creator/1'],
    ['SH-126', '/Storage/Creator/New#table'],
    ['SH-126', '/Storage/Data'],
    ['SH-127', '/Insight/Templates'],
    ['SH-129', '/MyAccount/Role/Create'],
    ['SH-129', '/MyAccount/DatabaseAccountSetup'],
    ['SH-134', '/Templates/x'],
  ])('%s %s is a named route with a page', async (_id, named) => {
    const page = await stage.newPage()
    await openAs(page, stage.server.url, stage.server.admin.userName, named)
    await page.locator('main p').first().waitFor()
    expect(path(page).toLowerCase()).toBe(named.split('#')[0]!.toLowerCase())
  })
})

test('a page that is left while it signs in, as by an impatient reload, ends no session', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.route('**/auth/settings', () => undefined)
  const asked = page.waitForRequest('**/auth/settings')
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await asked
  const again = page.waitForRequest('**/auth/settings')
  await page.reload()
  await again
  await page.unroute('**/auth/settings')
  await page.reload()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
})

test('SH-153 a pipeline that cannot be loaded leads to the list of pipelines, and it is said why', async () => {
  const page = await stage.open('/Science/Creator/Energy/No%20such/latest', stage.server.admin)
  await page.getByText('There is no pipeline No such in the group Energy.').waitFor()
  await expect.poll(() => path(page)).toBe('/Science/List')
  expect(new URL(page.url()).hash).toBe('#Pipelines')
  expect(await page.goBack()).toBeNull()
})

test('SH-031 SH-032 a monitoring script in the page is told of the session and of errors, the same in each page of a tab', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  const told: { type: string; detail: Record<string, unknown> }[] = []
  await page.exposeFunction('tell', (event: (typeof told)[number]) => told.push(event))
  await page.addInitScript(() => {
    for (const type of ['headwater:session', 'headwater:error'])
      window.addEventListener(type, (event) => {
        ;(window as never as { tell(told: object): void }).tell({
          type,
          detail: (event as CustomEvent<object>).detail,
        })
      })
  })
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  const sessions = () => told.filter(({ type }) => type === 'headwater:session').map(({ detail }) => detail)
  await expect.poll(() => sessions().length).toBeGreaterThan(0)
  const before = sessions().length
  await page.reload()
  await expect.poll(() => sessions().length).toBeGreaterThan(before)
  const [first] = sessions()
  expect(first).toEqual({ isMonitored: true, isRecorded: expect.any(Boolean) as boolean })
  for (const session of sessions()) expect(session).toEqual(first)

  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('a tile broke')
    })
  })
  await expect.poll(() => told.at(-1)).toMatchObject({ type: 'headwater:error', detail: { level: 'fatal' } })
  expect(told.at(-1)!.detail.message).toContain('a tile broke')
  await expect.poll(() => stage.problemsOf(page).splice(0)).toEqual(['a tile broke'])
})

test('SH-001 SH-002 SH-003 SH-004 SH-005 SH-006 SH-007 SH-131 SH-144 with full entitlements each area opens from the sidebar', async () => {
  const page = await stage.newPage()
  await openAs(page, stage.server.url, stage.server.admin.userName, '/Insight')
  for (const [entry, expected] of [
    ['Data lake', '/lake'],
    ['Storage', '/storage'],
    ['List', '/science/list'],
    ['AI tools', '/aitools'],
    ['Insight', '/insight'],
    [stage.server.admin.userName, '/myaccount'],
  ] as const) {
    await sidebar(page).getByRole('link', { name: entry, exact: true }).click()
    await expect.poll(() => path(page).toLowerCase()).toContain(expected)
    await page.getByRole('main').waitFor()
  }
  await expect
    .poll(() => sidebar(page).getByRole('link', { name: 'Knowledge' }).getAttribute('href'))
    .toMatch(/^\/KnowledgeCenter\/Tasks$/i)
})

test('SH-013 the colours follow the darkmode setting: on, off, and auto as the system says', async () => {
  const user = await stage.server.createUser()
  const background = (page: Page) =>
    page.evaluate('getComputedStyle(document.body).backgroundColor') as Promise<string>
  const seen: Record<string, string> = {}
  for (const darkmode of ['ON', 'OFF', 'AUTO']) {
    await changeSettings(user.userName, { darkmode })
    const page = await stage.newPage({ colorScheme: 'dark' })
    await openAs(page, stage.server.url, user.userName, '/Insight')
    await sidebar(page).waitFor()
    seen[darkmode] = await background(page)
  }
  expect(seen.ON).not.toBe(seen.OFF)
  expect(seen.AUTO).toBe(seen.ON)
})

test('SH-013 before sign-in the colours are those of the system', async () => {
  for (const colorScheme of ['dark', 'light'] as const) {
    const page = await stage.newPage({ colorScheme })
    await page.goto(stage.server.url)
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe(colorScheme)
  }
})

test('SH-168 the sidebar takes 200 ms to open and close, and none where motion is unwanted', async () => {
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
