import { expect, test } from 'vitest'
import { createUser } from '@headwater/accounts/contract'
import { createFile } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { upload } from '@headwater/server/testing'
import { testPassword } from '../../apps/server/src/testing.ts'
import { accessibilityProblems, logIn, openAs, pollClock, stopClock } from './open-browser.ts'
import { setUpShell } from './set-up-shell.ts'

const { stage, path, sidebar, visit, mailedLink } = setUpShell()

test('SH-010 SH-073 SH-014 SH-015 without a login, any path shows the login screen, with the configured title and icon', async () => {
  const page = await stage.newPage()
  for (const opened of [
    '/',
    '/Lake/Groups/x',
    '/Storage',
    '/Science/List',
    '/Insight/Energy/Crude',
    '/AITools',
    '/MyAccount',
    '/Statuses',
    '/Search',
    '/Trash',
    '/Logs/1',
    '/Templates/x',
    '/Excel',
    '/Administrator',
    '/KnowledgeCenter/Tasks',
    '/nothing/here',
  ]) {
    await page.goto(stage.server.url + opened)
    await page.getByRole('heading', { name: 'Log in' }).waitFor()
    expect(path(page)).toBe(opened)
  }
  await expect.poll(() => page.title()).toBe('Harbour data')
  await expect.poll(() => page.locator('link[rel="icon"]').getAttribute('href')).toBe('/icon.svg?of=harbour')
  expect(await accessibilityProblems(page)).toEqual([])
})

test('SH-074 rejects a wrong password, then opens the requested page', async () => {
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

test('the message that names a wait disappears when the wait is over', async () => {
  const page = await stage.newPage()
  await page.clock.install()
  await page.goto(`${stage.server.url}/`)
  const error = { status: 403, code: 'tooManyAttempts', message: 'Wait 7 seconds.', retryAfterSeconds: 7 }
  await page.route('**/auth/login', (route) => route.fulfill({ status: 403, json: error }))
  await page.getByLabel('E-mail address').fill('anna@example.com')
  await page.getByLabel('Password').fill('not the password')
  await stopClock(page)
  await page.keyboard.press('Enter')
  const alert = page.getByRole('alert').getByText('Wait 7 seconds.')
  await alert.waitFor()
  await page.clock.runFor(6900)
  expect(await alert.count()).toBe(1)
  await page.clock.runFor(200)
  await alert.waitFor({ state: 'detached' })
})

test('SH-069 SH-070 SH-071 SH-074 accounts are activated with the links in the e-mails, without login', async () => {
  const { admin } = stage.server
  for (const [name, more] of [
    ['plain', {}],
    ['template', { templateName: 'Energy' }],
    ['welcome', { templateName: 'Energy', withWelcomeEmail: true }],
  ] as const)
    await admin.call(createUser, { body: { email: `${name}@example.com`, ...more } })
  const page = await stage.newPage()
  const heading = (name: string) => page.getByRole('heading', { name, exact: true })

  const template = await mailedLink('template@example.com')
  expect(template).toMatch(/^\/Activate\/[\w-]+\/Energy$/)
  await page.goto(stage.server.url + template)
  await heading('Activate your account').waitFor()
  await page.getByText('Choose a password for template@example.com to open the template “Energy”.').waitFor()
  const welcome = await mailedLink('welcome@example.com')
  expect(welcome).toMatch(/^\/Activate\/[\w-]+\/Energy\?withWelcomeEmail=true$/)
  await page.goto(stage.server.url + welcome)
  await heading('Welcome to Harbour data').waitFor()
  await page.getByText('You have been invited to the company “Default”.').waitFor()

  await page.goto(`${stage.server.url}/Activate/no-such-token`)
  await page.getByText('This link is no longer valid.').waitFor()
  const plain = await mailedLink('plain@example.com')
  expect(plain).toMatch(/^\/Activate\/[\w-]+$/)
  await page.goto(stage.server.url + plain)
  await heading('Activate your account').waitFor()
  await page.getByText('Choose a password for plain@example.com.').waitFor()
  await page.getByLabel('New password', { exact: true }).fill(testPassword)
  await page.getByLabel('Repeat new password').fill(testPassword)
  await page.getByRole('button', { name: 'Activate' }).click()
  await sidebar(page).getByRole('link', { name: 'plain@example.com' }).waitFor()
})

test('SH-068 SH-072 SH-074 a password is reset with the link in an e-mail, without login', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.goto(`${stage.server.url}/ResetPassword`)
  await page.getByLabel('E-mail address').fill(user.userName)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByRole('heading', { name: 'Check your inbox' }).waitFor()
  const link = await mailedLink(user.userName)
  expect(link).toMatch(/^\/ChangePassword\/[\w-]+$/)
  await page.goto(stage.server.url + link)
  await page.getByLabel('New password', { exact: true }).fill('a new long password')
  await page.getByLabel('Repeat new password').fill('another long password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByText('The passwords do not match.').waitFor()
  await page.getByLabel('Repeat new password').fill('a new long password')
  await page.getByRole('button', { name: 'Set password' }).click()
  await page.getByRole('heading', { name: 'The password is set' }).waitFor()
  await page.getByRole('link', { name: 'Back to log in' }).click()
  await page.getByLabel('E-mail address').fill(user.userName)
  await page.getByLabel('Password', { exact: true }).fill('a new long password')
  await page.keyboard.press('Enter')
  await sidebar(page).waitFor()
})

test('SH-056 SH-066 signs in with a refresh token in the query string and removes it from the URL', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/MyAccount?x=1#Settings')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  expect(page.url()).toBe(`${stage.server.url}/MyAccount?x=1#Settings`)
  await page.reload()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
})

test('a refresh token is removed from the URL before the application is loaded', async () => {
  const page = await stage.newPage()
  await page.route('**/assets/*.js', (route) => route.abort())
  await page.goto(`${stage.server.url}/Insight?a=1&refreshToken=secret#b`)
  expect(page.url()).toBe(`${stage.server.url}/Insight?a=1#b`)
})

test('a page that is reloaded while the token in its URL is being exchanged still signs in', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  const exchanged = Promise.withResolvers<void>()
  await page.route(
    '**/auth/refresh',
    async (route) => {
      // The server has consumed the token, but the page never receives the response.
      await route.fetch()
      exchanged.resolve()
    },
    { times: 1 },
  )
  await openAs(page, stage.server.url, user.userName, '/MyAccount#Settings')
  await exchanged.promise
  await page.reload()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
})

test('a link with the token of another user needs a confirmation before it switches the account', async () => {
  const [anna, eve] = [await stage.server.createUser(), await stage.server.createUser()]
  const page = await stage.newPage()
  const confirmation = page.getByRole('heading', { name: 'Switch account?' })
  const signedInAs = async (userName: string) => {
    await page.goto(`${stage.server.url}/MyAccount#Settings`)
    await page.getByText(userName).first().waitFor()
  }
  await openAs(page, stage.server.url, anna.userName, '/MyAccount')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  await openAs(page, stage.server.url, eve.userName, '/MyAccount')
  await confirmation.waitFor()
  expect(page.url()).toBe(`${stage.server.url}/MyAccount`)
  expect(await page.getByRole('main').textContent()).toContain(`You are logged in as ${anna.userName}.`)
  expect(await page.getByRole('main').textContent()).toContain(`logs you in as ${eve.userName}.`)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Stay logged in' }).click()
  await confirmation.waitFor({ state: 'detached' })
  await signedInAs(anna.userName)
  await openAs(page, stage.server.url, eve.userName, '/MyAccount')
  await page.getByRole('button', { name: 'Switch account' }).click()
  await confirmation.waitFor({ state: 'detached' })
  await signedInAs(eve.userName)
})

test('SH-058 clears browser storage and shows login when the stored token is rejected', async () => {
  const page = await stage.newPage()
  await page.addInitScript(() => localStorage.setItem('ng-token', 'worn out'))
  await page.goto(`${stage.server.url}/Lake`)
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0)
})

test('SH-060 logs the user out when the settings cannot be read', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.route('**/auth/settings', (route) => route.fulfill({ status: 500, json: { message: 'broken' } }))
  const loggedOut = page.waitForRequest('**/auth/logout')
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await loggedOut
})

test('SH-062 SH-064 /Logout ends the session, including in other tabs of the browser', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
  const other = await page.context().newPage()
  await other.goto(`${stage.server.url}/MyAccount`)
  await other.getByRole('heading', { name: 'Settings' }).waitFor()
  const called = page.waitForRequest('**/auth/logout')
  await page.goto(`${stage.server.url}/logout`)
  expect((await called).method()).toBe('POST')
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  await other.getByRole('heading', { name: 'Log in' }).waitFor()
})

test('SH-061 log out clears the data of the user without a reload, and preserves the configuration', async () => {
  const [anna, ben] = [await stage.server.createUser(), await stage.server.createUser()]
  await anna.call(createGroup, { body: { name: `Private of ${anna.userName}` } })
  const page = await stage.open('/Lake#Groups', anna)
  const row = page.getByRole('row', { name: `Private of ${anna.userName}` })
  await row.waitFor()
  const configurations: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith('/configuration')) configurations.push(request.url())
  })
  await visit(page, '/Logout')
  await page.getByRole('heading', { name: 'Log in' }).waitFor()
  // Only a cache could show rows now.
  await page.route('**/file/group?**', () => {})
  await logIn(page, ben.userName)
  await sidebar(page).getByRole('link', { name: ben.userName }).waitFor()
  const requested = page.waitForRequest('**/file/group?**')
  await visit(page, '/Lake#Groups')
  await requested
  await page.getByRole('searchbox', { name: 'Search groups' }).waitFor()
  expect(await row.count()).toBe(0)
  expect(configurations).toEqual([])
  await expect.poll(() => page.title()).toBe('Groups · Data lake · Harbour data')
})

test('SH-184 SH-185 SH-186 navigating from the sidebar aborts open requests and closes the panels for search and statuses', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.route('**/file/group?**', () => {})
  const sent = page.waitForRequest('**/file/group?**')
  await openAs(page, stage.server.url, user.userName, '/Lake')
  await sent
  const aborted = page.waitForEvent('requestfailed', (request) => request.url().includes('/file/group?'))
  await sidebar(page).getByRole('link', { name: 'AI tools' }).click()
  expect((await aborted).failure()?.errorText).toBe('net::ERR_ABORTED')
  for (const name of ['Search all', 'Statuses']) {
    await sidebar(page).getByRole('link', { name }).click()
    const panel = page.getByRole('dialog', { name })
    await panel.waitFor()
    // This is not the open page, because its own entry also closes the panel.
    await sidebar(page).getByRole('link', { name: 'Insight' }).click()
    await expect.poll(() => panel.count()).toBe(0)
  }
})

test('a panel that is opened while a page loads stays open when the page appears', async () => {
  const user = await stage.server.createUser()
  const page = await stage.open('/AITools', user)
  const loaded = Promise.withResolvers<void>()
  await page.route('**/assets/InsightsScreen-*.js', async (route) => {
    await loaded.promise
    await route.continue()
  })
  const requested = page.waitForRequest('**/assets/InsightsScreen-*.js')
  await sidebar(page).getByRole('link', { name: 'Insight' }).click()
  await requested
  await sidebar(page).getByRole('link', { name: 'Statuses' }).click()
  const panel = page.getByRole('dialog', { name: 'Statuses' })
  await panel.waitFor()
  loaded.resolve()
  await page.getByText('No insights yet').waitFor()
  expect(await panel.isVisible()).toBe(true)
})

test('SH-184 navigating from the sidebar aborts a download that no part of the page waits for', async () => {
  const user = await stage.server.createUser({ email: 'left@example.com' })
  const file = { groupName: 'left@example.com_home', fileName: 'left.txt', fileType: 'SOURCE' }
  const { fileId } = await upload(user, file)
  const page = await stage.newPage()
  await page.route(`**/file/${fileId}`, () => {})
  await openAs(page, stage.server.url, user.userName, '/AITools')
  for (const name of ['AI tools', 'Harbour data, start page']) {
    await visit(page, '/Lake/Groups/left@example.com_home')
    await page
      .getByRole('row', { name: /left\.txt/ })
      .getByRole('checkbox')
      .check()
    const held = page.waitForRequest(`**/file/${fileId}`)
    await page.getByRole('button', { name: 'Download' }).click()
    await held
    const aborted = page.waitForEvent('requestfailed', (request) => request.url().endsWith(`/file/${fileId}`))
    await sidebar(page).getByRole('link', { name }).click()
    expect((await aborted).failure()?.errorText).toBe('net::ERR_ABORTED')
  }
})

test('SH-038 SH-044 SH-045 SH-046 SH-047 reports losing and regaining the connection for 30 s each, and shows a flag while offline', async () => {
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
    const reported = page.getByLabel('Notifications').getByText(text, { exact: true })
    await reported.waitFor()
    await page.getByText('Offline', { exact: true }).waitFor({ state: offline ? 'visible' : 'detached' })
    await page.clock.runFor(29_900)
    await reported.waitFor()
    await page.clock.runFor(200)
    await reported.waitFor({ state: 'detached' })
  }
})

test('SH-029 SH-030 reports an uncaught exception and a rejected promise to the error log with message and user name, as fatal', async () => {
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
  const rejected = page.waitForRequest('**/log/error')
  await page.evaluate(() => void Promise.reject(new Error('a call broke')))
  expect((await rejected).postDataJSON()).toMatchObject({
    message: expect.stringContaining('a call broke') as string,
    userName: user.userName,
    level: 'fatal',
  })
  await expect.poll(() => stage.problemsOf(page)).toEqual(['a tile broke', 'a call broke'])
  stage.problemsOf(page).length = 0
})

test('does not report an additional layout pass as an error', async () => {
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

test('SH-030 a crashed page shows an error id and reports it as fatal', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.route('**/assets/LakeScreen-*.js', (route) =>
    route.fulfill({
      contentType: 'text/javascript',
      body: 'export default function Broken() { throw new Error("broken") }',
    }),
  )
  const sent = page.waitForRequest('**/log/error')
  await openAs(page, stage.server.url, user.userName, '/Lake')
  await page.getByRole('heading', { name: 'This page stopped working' }).waitFor()
  const id = await page.getByRole('alert').locator('code').innerText()
  const report = (await sent).postDataJSON() as { message: string }
  expect(report).toMatchObject({ level: 'fatal', userName: user.userName })
  expect(report.message.startsWith(`[${id}]`)).toBe(true)
  await sidebar(page).getByRole('link', { name: 'AI tools' }).click()
  await page.getByText('It is planned for a later version.').waitFor()
  await expect.poll(() => stage.problemsOf(page).join('\n')).toContain('broken')
  stage.problemsOf(page).length = 0
})

test('SH-142 the main layout shows a loader until the settings arrive', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  let goOn = () => {}
  const held = new Promise<void>((resolve) => (goOn = resolve))
  await page.route('**/auth/settings', async (route) => {
    await held
    await route.continue()
  })
  const requested = page.waitForRequest('**/auth/settings')
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await requested
  await page.getByRole('status', { name: 'Signing in' }).waitFor()
  expect(await page.getByRole('navigation').count()).toBe(0)
  goOn()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
})

test('DP-015 DP-020 SH-034 SH-035 SH-036 SH-037 SH-267 statuses, lists, pipelines and triggers refresh at their intervals', async () => {
  const { admin } = stage.server
  await admin.call(createGroup, { body: { name: 'Waiting' } })
  for (let number = 1; number <= 12; number++)
    await admin.call(createFile, {
      body: { groupName: 'Waiting', fileName: `awaited ${number}.csv`, fileType: 'NCSV' },
    })
  const page = await stage.newPage()
  await page.clock.install()
  await page.addInitScript(() => {
    const real = window.fetch
    const noted = { calls: [] as { url: string; atMs: number }[], open: 0 }
    Object.assign(window, { noted })
    window.fetch = async (input, init) => {
      noted.calls.push({ url: String(input), atMs: Date.now() })
      noted.open += 1
      try {
        const response = await real(input, init)
        // The interval to the next call begins when the page has read the whole response.
        if (!response.headers.get('content-type')?.startsWith('text/event-stream'))
          await response.clone().arrayBuffer()
        return response
      } finally {
        noted.open -= 1
      }
    }
  })
  type Noted = { noted: { calls: { url: string; atMs: number }[]; open: number } }
  await openAs(page, stage.server.url, admin.userName, '/Lake#Groups')
  await page.getByRole('row').nth(1).waitFor()
  await stopClock(page)
  const allEnded = () => expect.poll(() => page.evaluate(() => (window as never as Noted).noted.open)).toBe(0)

  /** Returns the times between calls of an address, in intervals of the given length. */
  async function gaps(address: RegExp, intervalMs: number, calls = 3): Promise<number[]> {
    await allEnded()
    await page.evaluate(() => ((window as never as Noted).noted.calls = []))
    const timesOfCalls = async () =>
      (await page.evaluate(() => (window as never as Noted).noted.calls))
        .filter(({ url }) => address.test(url))
        .map(({ atMs }) => atMs)
    for (let known = 0, steps = 0; known < calls && steps < 100; steps++) {
      // Most of an interval passes at once, as soon as the response of the last call has been read.
      await page.clock.runFor(known > 0 && steps === 3 ? 0.7 * intervalMs : intervalMs / 20)
      await allEnded()
      const result = (await timesOfCalls()).length
      if (result > known) steps = 0
      known = result
    }
    const times = await timesOfCalls()
    // The next interval begins when the response is read, up to three steps of the clock after the call.
    return times.slice(1, calls).map((time, at) => Math.floor(((time - times[at]!) / intervalMs) * 5) / 5)
  }
  const seen = (text: string) => pollClock(page, 50, () => page.getByText(text).count()).toBeGreaterThan(0)

  expect(await gaps(/\/file\/group\?/, 10_000)).toEqual([1, 1])
  await visit(page, '/Science/List#Pipelines')
  await seen('Daily')
  expect(await gaps(/\/mgmt\/pipeline\?/, 10_000)).toEqual([1, 1])
  for (const [list, text, address] of [
    ['/Science/List#Tasks', 'Greet', /\/mgmt\/task\?/],
    ['/Storage/DataPreps', 'Curve', /\/dataprep\?/],
    ['/Lake#Files', 'small.txt', /\/file\/search\?/],
    ['/Insight/PublicView', 'Crude', /\/insights\?.*publicOnly=true/],
    ['/Storage/Symbols', 'Energy', /\/ts\/symbol\/groups\?/],
    ['/MyAccount#Users', 'Last login', /\/auth\/users\?/],
  ] as const) {
    await visit(page, list)
    await seen(text)
    expect(await gaps(address, 10_000, 2)).toEqual([1])
  }
  await visit(page, '/Science/List#Schedules')
  await seen('No schedules yet')
  expect(await gaps(/\/mgmt\/schedule\?/, 600_000)).toEqual([1, 1])
  await visit(page, '/Science/Versions/Energy/Daily')
  await seen('v1 · latest')
  expect(await gaps(/\/mgmt\/pipeline\/name\?/, 30_000)).toEqual([1, 1])
  expect(await gaps(/\/mgmt\/pipeline\/[^/?]+\/versions/, 30_000)).toEqual([1, 1])
  await visit(page, '/Statuses')
  await seen('awaited 12.csv')
  expect(await gaps(/\/status\?.*type=ETL/, 5000)).toEqual([1, 1])
  const rows = page.getByRole('main').getByRole('region', { name: 'Groups' }).getByRole('listitem')
  expect((await rows.allInnerTexts()).map((text) => /awaited \d+/.exec(text)?.[0])).toEqual(
    Array.from({ length: 10 }, (_, at) => `awaited ${12 - at}`),
  )
  await rows.first().getByRole('button').click()
  await seen('Start time')
  expect(await gaps(/\/status\?.*jobId=/, 5000)).toEqual([1, 1])
  const main = page.getByRole('main')
  await main.getByLabel('Last runs').click()
  await seen('awaited 1.csv')
  expect(await gaps(/\/status\?.*groupName=Waiting/, 5000, 2)).toEqual([1])
  for (const step of ['Back', 'Back']) await main.getByRole('button', { name: step }).click()
  await main.getByRole('region', { name: 'Groups' }).getByRole('button', { name: 'See all results' }).click()
  await seen('awaited 1.csv')
  expect(await gaps(/\/status\?.*size=32/, 5000, 2)).toEqual([1])
})

test('leaving or reloading a page during sign-in does not end a session', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await page.route('**/auth/settings', () => undefined)
  const requested = page.waitForRequest('**/auth/settings')
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  await requested
  const again = page.waitForRequest('**/auth/settings')
  await page.reload()
  await again
  await page.unroute('**/auth/settings')
  await page.reload()
  await page.getByRole('heading', { name: 'Settings' }).waitFor()
})

test('SH-030 SH-031 SH-032 notifies a monitoring script of the session and of fatal errors, consistently on each page of a tab', async () => {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  const reported: { type: string; detail: Record<string, unknown> }[] = []
  await page.exposeFunction('report', (event: (typeof reported)[number]) => reported.push(event))
  await page.addInitScript(() => {
    const { random } = Math
    // The first random number is for the session; later ones are not controlled.
    Math.random = () => Number(sessionStorage.getItem('drawn') ?? 0.21)
    window.addEventListener('headwater:session', () => (Math.random = random))
    for (const type of ['headwater:session', 'headwater:error'])
      window.addEventListener(type, (event) => {
        ;(window as never as { report(event: object): void }).report({
          type,
          detail: (event as CustomEvent<object>).detail,
        })
      })
  })
  await openAs(page, stage.server.url, user.userName, '/MyAccount')
  const sessions = () =>
    reported.filter(({ type }) => type === 'headwater:session').map(({ detail }) => detail)
  await expect.poll(() => sessions().length).toBeGreaterThan(0)
  const before = sessions().length
  const drawLower = () => page.evaluate(() => sessionStorage.setItem('drawn', '0.19'))
  await drawLower()
  await page.reload()
  await expect.poll(() => sessions().length).toBeGreaterThan(before)
  for (const session of sessions()) expect(session).toEqual({ isMonitored: true, isRecorded: false })
  await page.evaluate(() => sessionStorage.clear())
  await drawLower()
  await page.reload()
  await expect.poll(() => sessions().at(-1)).toEqual({ isMonitored: true, isRecorded: true })

  await page.evaluate(() => {
    setTimeout(() => {
      throw new Error('a tile broke')
    })
  })
  await expect
    .poll(() => reported.at(-1))
    .toMatchObject({ type: 'headwater:error', detail: { level: 'fatal' } })
  expect(reported.at(-1)!.detail.message).toContain('a tile broke')
  await expect.poll(() => stage.problemsOf(page).splice(0)).toEqual(['a tile broke'])
})

test('DP-026 SH-234 every list and each block of the global search say that nothing was found', async () => {
  const page = await stage.open('/Insight', stage.server.admin)
  const main = page.getByRole('main')
  const message = 'Sorry, nothing found!'
  for (const [list, label] of [
    ['/Insight', 'Search insights'],
    ['/Insight/PublicView', 'Search public insights'],
    ['/Insight/Templates', 'Search templates'],
    ['/Lake#Groups', 'Search groups'],
    ['/Lake#Files', 'Search files'],
    ['/Science/List#Pipelines', 'Search pipelines'],
    ['/Science/List#Tasks', 'Search tasks'],
    ['/Storage/DataPreps', 'Search data preps'],
    ['/Storage/Symbols', 'Search symbols'],
    ['/MyAccount#Users', 'Search users'],
  ] as const) {
    await visit(page, list)
    const search = main.getByRole('searchbox', { name: label, exact: true })
    await search.fill('no such thing')
    await main.getByText(message, { exact: true }).waitFor()
    await search.fill('')
    await main.getByText(message, { exact: true }).waitFor({ state: 'detached' })
  }
  await page.keyboard.press('Control+k')
  const panel = page.getByRole('dialog', { name: 'Search all' })
  await panel.getByRole('searchbox').fill('no such thing')
  const blocks = panel.getByRole('region')
  await expect.poll(() => blocks.count()).toBeGreaterThan(1)
  await expect
    .poll(async () => (await blocks.allInnerTexts()).every((text) => text.includes(message)))
    .toBe(true)
})
