import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import {
  createApiKey,
  getSettings,
  getStorageLimits,
  getUser,
  listApiKeys,
  listRoles,
  listUsers,
  updateSettings,
  updateStorageLimits,
} from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
import { testPassword, upload } from '@headwater/server/testing'
import { accessibilityProblems, openAs } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

async function open(hash = '') {
  const user = await stage.server.createUser()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, user.userName, `/MyAccount${hash}`)
  await page.getByRole('tab', { name: 'Settings' }).waitFor()
  return { user, page }
}

async function choose(page: Page, field: string, option: string) {
  await page.getByRole('combobox', { name: field }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('SH-013 SH-084 SH-093 SH-101 SH-102 DP-576 saves only changed settings, applies them at once and confirms it', async () => {
  const { user, page } = await open()
  const form = page.getByRole('form', { name: 'Preferences' })
  const save = form.getByRole('button', { name: 'Save' })
  const saved: unknown[] = []
  page.on('request', (request) => {
    if (request.method() === 'PUT') saved.push(request.postDataJSON())
  })
  await choose(page, 'Theme', 'Dark')
  await expect.poll(() => save.isEnabled()).toBe(true)
  await choose(page, 'Theme', 'System')
  await expect.poll(() => save.isDisabled()).toBe(true)
  await choose(page, 'Theme', 'Dark')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Warsaw')
  await page.getByRole('option', { name: 'Europe/Warsaw' }).click()
  await save.click()
  const toasts = page.getByLabel('Notifications')
  await toasts.getByText('Settings have been saved', { exact: true }).waitFor()
  expect(saved).toEqual([{ settings: { darkmode: 'ON', definedTime: 'Europe/Warsaw' } }])
  await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
  // The collapsed sidebar has no space for the zone.
  await page.getByRole('navigation', { name: 'Main' }).hover()
  await page.getByTestId('clock').getByText('Warsaw').waitFor()
  expect((await user.call(getSettings, {})).settings).toMatchObject({
    darkmode: 'ON',
    definedTime: 'Europe/Warsaw',
  })
})

test('SH-098 SH-099 SH-101 SH-102 DP-566 DP-567 DP-028 rejects dashboard tabs that are not JSON, and saves valid ones', async () => {
  const { user, page } = await open()
  const form = page.getByRole('form', { name: 'Dashboards' })
  await form.getByLabel('Dashboard user tabs').fill('[{"tag":')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Dashboard user tabs is not a proper JSON', { exact: true }).waitFor()
  expect((await user.call(getSettings, {})).settings.dashboardUserTabs).toBe('[]')
  await form.getByLabel('Dashboard user tabs').fill('[{"tag":"energy"}]')
  await form.getByRole('button', { name: 'Save' }).click()
  const toasts = page.getByLabel('Notifications')
  await toasts.getByText('Your changes have been saved', { exact: true }).waitFor()
  expect((await user.call(getSettings, {})).settings.dashboardUserTabs).toBe('[{"tag":"energy"}]')
})

test('leaving unsaved settings needs a confirmation', async () => {
  const { page } = await open()
  await page.getByLabel('Default group').fill('another')
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'AI tools' })
  await entry.click()
  const confirmation = page.getByRole('dialog', { name: 'Unsaved changes' })
  await confirmation.getByRole('button', { name: 'Stay' }).click()
  expect(new URL(page.url()).pathname).toBe('/MyAccount')
  await entry.click()
  await confirmation.getByRole('button', { name: 'Leave' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/AITools')
})

test('a typed hash selects its tab without a warning in the console', async () => {
  const { page } = await open()
  const printed: string[] = []
  page.on('console', (message) => printed.push(message.text()))
  await page.evaluate(() => (location.hash = 'apikeys'))
  await page.getByRole('tab', { name: 'API keys', selected: true }).waitFor()
  expect(printed).toEqual([])
})

test('SH-128 DP-561 each of the hashes Settings, Companies, Users and Roles selects its tab', async () => {
  const page = await stage.open('/MyAccount#settings', stage.server.admin)
  const selected = () => page.getByRole('tab', { selected: true }).innerText()
  await page.getByRole('form', { name: 'Preferences' }).waitFor()
  expect(await selected()).toBe('Settings')
  for (const [hash, content] of [
    ['Users', page.getByRole('grid', { name: 'Users' }).getByText('admin@example.com')],
    ['Roles', page.getByRole('grid', { name: 'Roles' }).getByText('Administrator', { exact: true })],
    ['Companies', page.getByText('You belong to this company.')],
    ['Settings', page.getByRole('form', { name: 'Preferences' })],
  ] as const) {
    await page.evaluate((next) => (location.hash = next), hash)
    await content.waitFor()
    expect(await selected()).toBe(hash)
  }
  await page.getByRole('tab', { name: 'Roles' }).click()
  await expect.poll(() => new URL(page.url()).hash).toBe('#Roles')
})

test('the heading of the page is the name of the selected tab', async () => {
  const page = await stage.open('/MyAccount#settings', stage.server.admin)
  await page.getByRole('form', { name: 'Preferences' }).waitFor()
  const tabs = await page.getByRole('tablist', { name: 'My account' }).getByRole('tab').allTextContents()
  expect(tabs).toContain('Audit log')
  for (const name of tabs) {
    await page.getByRole('tab', { name, exact: true }).click()
    await page.getByRole('heading', { level: 1, name, exact: true }).waitFor()
  }
})

test('DP-019 arrows beside tabs that do not fit scroll them by 200 px', async () => {
  const page = await stage.newPage({ viewport: { width: 768, height: 600 } })
  await openAs(page, stage.server.url, 'admin@example.com', '/MyAccount')
  const tabs = page.getByRole('tablist', { name: 'My account' })
  const arrow = (direction: string) => page.getByRole('button', { name: `My account: scroll ${direction}` })
  await arrow('right').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const setWidth = (width: string) =>
    tabs.evaluate((element, value) => {
      element.parentElement!.style.width = value
    }, width)
  await setWidth('240px')
  const left = () => tabs.evaluate((element) => element.scrollLeft)
  expect([await left(), await arrow('left').isDisabled()]).toEqual([0, true])
  await arrow('right').click()
  await expect.poll(left).toBe(200)
  await arrow('right').click()
  await expect.poll(left).toBe(400)
  await arrow('left').click()
  await expect.poll(left).toBe(200)
  await setWidth('')
  await page.setViewportSize({ width: 1440, height: 600 })
  await arrow('left').waitFor({ state: 'detached' })
  expect(await arrow('right').count()).toBe(0)
})

test('the arrow keys move between tabs, and going back restores the previous tab', async () => {
  const { page } = await open('#apikeys')
  await expect.poll(() => page.getByRole('tab', { selected: true }).innerText()).toBe('API keys')
  await page.getByRole('tab', { selected: true }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => new URL(page.url()).hash).toBe('#Settings')
  await page.goBack()
  await expect.poll(() => page.getByRole('tab', { selected: true }).innerText()).toBe('API keys')
})

test('DP-028 DP-617 DP-618 DP-619 DP-620 creates an API key, shows it once, and deletes it', async () => {
  await stage.server.admin.call(createApiKey, { body: { label: 'of another user' } })
  const { user, page } = await open('#ApiKeys')
  await page.getByText('No API keys yet').waitFor()
  await page.getByRole('button', { name: 'New API key' }).first().click()
  await page.getByLabel('Label').fill('nightly upload')
  const created = page.waitForRequest((request) => request.method() === 'POST')
  await page.keyboard.press('Enter')
  expect((await created).postDataJSON()).toEqual({ label: 'nightly upload' })
  const secret = await page.getByRole('dialog', { name: 'Your new API key' }).locator('code').innerText()
  const works = () =>
    fetch(stage.server.url + getSettings.path, { headers: { Authorization: `ApiKey ${secret}` } }).then(
      (r) => r.status,
    )
  expect(await works()).toBe(200)
  await page.getByRole('button', { name: 'Done' }).click()
  const grid = page.getByRole('grid', { name: 'API keys' })
  await grid.getByText('nightly upload').waitFor()
  expect(await grid.getByText('of another user').count()).toBe(0)
  const keys = await user.call(listApiKeys, {})
  expect(keys).toMatchObject([{ id: expect.any(Number) as number, label: 'nightly upload' }])
  await grid.getByRole('button', { name: 'Delete the key nightly upload' }).click()
  const deleted = page.waitForRequest((request) => request.method() === 'DELETE')
  await page.getByRole('dialog', { name: 'Delete API key' }).getByRole('button', { name: 'Delete' }).click()
  expect(new URL((await deleted).url()).pathname).toBe(`/auth/apiKeys/${keys[0]!.id}`)
  await page.getByText('Your changes have been saved', { exact: true }).waitFor()
  await page.getByText('No API keys yet').waitFor()
  expect(await works()).toBe(401)
})

test('an API key can have an expiry, which the list shows', async () => {
  const { page } = await open('#ApiKeys')
  await page.getByRole('button', { name: 'New API key' }).first().click()
  await page.getByLabel('Label').fill('for a while')
  await page.getByLabel('Expires on').fill('2020-01-01')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('This date has passed. Choose a later one, or none.').waitFor()
  const expiry = page.getByLabel('Expires on')
  await expiry.fill('31.12.2999')
  await expiry.blur()
  await page.getByText('Enter a date such as 2026-01-31.').waitFor()
  await expiry.fill('2999-12-01')
  await expiry.fill('2999-12-')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByText('Enter a date such as 2026-01-31.').waitFor()
  await expect.poll(() => expiry.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await page.getByRole('button', { name: 'Done' }).count()).toBe(0)
  await expiry.fill('2999-12-01')
  await page.getByRole('button', { name: 'Open calendar' }).click()
  await page.getByText('December 2999').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  // The chosen day has the focus; 30 days later is 31 December.
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowRight', 'ArrowRight'])
    await page.keyboard.press(key)
  await page.keyboard.press('Enter')
  await page.getByText('December 2999').waitFor({ state: 'detached' })
  expect(await expiry.inputValue()).toBe('2999-12-31')
  await page.getByRole('button', { name: 'Create' }).click()
  await page.getByRole('button', { name: 'Done' }).click()
  const row = page.getByRole('grid', { name: 'API keys' }).getByRole('row', { name: /for a while/ })
  expect(await row.innerText()).toContain('2999')
  await row.getByRole('button', { name: 'Delete the key for a while' }).click()
  await page.getByRole('dialog', { name: 'Delete API key' }).getByRole('button', { name: 'Delete' }).click()
  await row.waitFor({ state: 'detached' })
})

test('DP-588 an administrator creates a user with a role and opens the page of the user', async () => {
  const page = await stage.newPage()
  await openAs(page, stage.server.url, stage.server.admin.userName, '/MyAccount#Users')
  await page.getByRole('button', { name: 'New user' }).click()
  const dialog = page.getByRole('dialog', { name: 'New user' })
  await dialog.getByLabel('E-mail address').fill('not an address')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('Enter an e-mail address.').waitFor()
  await dialog.getByLabel('E-mail address').fill('beata@example.com')
  const roleField = dialog.getByLabel('Roles')
  await roleField.fill('nothing like it')
  await roleField.press('Enter')
  await page.getByText('Sorry, nothing found!').waitFor()
  await roleField.fill('Report')
  await page.getByRole('option', { name: 'Report author', exact: true }).waitFor()
  await roleField.press('Enter')
  await dialog.getByRole('button', { name: 'Remove Report author' }).waitFor()
  await dialog.getByRole('heading', { name: 'New user' }).click()
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('beata@example.com has been created.').waitFor()
  const { items: users } = await stage.server.admin.call(listUsers, { query: { query: 'beata' } })
  const { items: roles } = await stage.server.admin.call(listRoles, {})
  const names = users[0]?.roleIds.map((id) => roles.find((role) => role.id === id)?.name)
  expect(names).toEqual(['Report author'])
  await page.getByRole('grid', { name: 'Users' }).getByRole('link', { name: 'beata@example.com' }).click()
  await page.getByRole('heading', { name: 'beata@example.com', level: 1 }).waitFor()
  await page.getByText('Not activated').waitFor()
  await page.getByText('Password or single sign-on').waitFor()
})

test("an administrator revokes a user's access step by step and confirms each step", async () => {
  const user = await stage.server.createUser()
  for (const label of ['nightly upload', 'weekly report', 'old laptop'])
    await user.call(createApiKey, { body: { label } })
  const params = { userName: user.userName }
  const page = await stage.open('/MyAccount#Users', stage.server.admin)
  await page.getByRole('searchbox', { name: 'Search users' }).fill(user.userName)
  await page.getByRole('grid', { name: 'Users' }).getByRole('link', { name: user.userName }).press('Enter')
  await page.getByRole('heading', { name: user.userName, level: 1 }).waitFor()
  const keys = page.getByRole('grid', { name: 'API keys' })
  const sessions = page.getByRole('grid', { name: 'Sessions' })
  await keys.getByText('old laptop').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  async function confirm(title: string, text: string, button: string) {
    const dialog = page.getByRole('dialog', { name: title })
    await dialog.getByText(text).waitFor()
    await dialog.getByRole('button', { name: button }).press('Enter')
    await dialog.waitFor({ state: 'detached' })
  }

  const revoke = keys.getByRole('button', { name: 'Revoke the key old laptop' })
  await revoke.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  expect((await stage.server.admin.call(getUser, { params })).apiKeys).toHaveLength(3)
  await revoke.press('Enter')
  await confirm('Revoke API key', 'Programs that use “old laptop” stop working at once.', 'Revoke key')
  await revoke.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Revoke all keys' }).click()
  await confirm('Revoke all API keys', 'stop working at once', 'Revoke all keys')
  await page.getByText('2 API keys revoked.').waitFor()
  await page.getByText('This user has no API keys.').waitFor()
  expect((await stage.server.admin.call(getUser, { params })).apiKeys).toEqual([])

  await page.getByRole('button', { name: 'End all sessions' }).click()
  await confirm('End all sessions', 'is logged out in every browser', 'End all sessions')
  await page.getByText('1 session ended.').waitFor()
  await sessions.waitFor({ state: 'detached' })
  await page.getByText('This user is not logged in anywhere.').waitFor()

  await page.getByRole('button', { name: 'Change roles' }).press('Enter')
  const roles = page.getByRole('dialog', { name: 'Change roles' })
  expect(await accessibilityProblems(page)).toEqual([])
  await roles.getByRole('button', { name: 'Remove Analyst' }).click()
  await roles.getByRole('combobox', { name: 'Roles' }).click()
  await page.getByRole('option', { name: 'Viewer', exact: true }).click()
  await roles.getByRole('button', { name: 'Save' }).press('Enter')
  await roles.waitFor({ state: 'detached' })
  await page
    .getByRole('definition')
    .filter({ hasText: /^Viewer$/ })
    .waitFor()
  const tab = await stage.open('/MyAccount#Users', stage.server.admin)
  await tab.getByRole('searchbox', { name: 'Search users' }).fill(user.userName)
  await tab
    .getByRole('row', { name: new RegExp(user.userName) })
    .getByText('Viewer')
    .waitFor()

  const body = { userName: user.userName, password: testPassword }
  const own = await stage.open('/Insight', user)
  await own.getByRole('heading', { level: 1 }).first().waitFor()
  await page.getByRole('button', { name: 'Deactivate' }).click()
  await confirm('Deactivate user', 'API keys stop working at once', 'Deactivate')
  await page.getByText('Inactive').waitFor()
  await own.reload()
  const reason = 'This account is deactivated. An administrator can activate it again.'
  await own.getByRole('alert').getByText(reason).waitFor()
  const login = own.getByRole('form', { name: 'Log in' })
  await login.getByLabel('E-mail address').fill(body.userName)
  await login.getByLabel('Password').fill('wrong')
  await login.getByRole('button', { name: 'Log in' }).click()
  await own.getByRole('alert').getByText('The e-mail address or the password is wrong').waitFor()
  expect(await own.getByText(reason).count()).toBe(0)
  await login.getByLabel('Password').fill(body.password)
  await login.getByRole('button', { name: 'Log in' }).click()
  await own.getByRole('alert').getByText(reason).waitFor()
  await stage.server.admin.call(updateSettings, { body: { settings: { darkmode: 'ON' } } })
  await page.reload()
  await page.getByRole('button', { name: 'Reactivate' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await stage.server.admin.call(updateSettings, { body: { settings: { darkmode: 'OFF' } } })
  await page.getByRole('button', { name: 'Reactivate' }).click()
  expect((await stage.server.admin.call(getUser, { params })).status).toBe('INACTIVE')
  await confirm('Reactivate user', 'the API keys below work again', 'Reactivate')
  await page.getByText('Active', { exact: true }).waitFor()
  expect((await stage.server.admin.call(getUser, { params })).status).toBe('ACTIVE')
})

test('the page of an unknown user links to the list of users', async () => {
  const page = await stage.open('/MyAccount/User/nobody@example.com', stage.server.admin)
  await page.getByText('No user has the e-mail address nobody@example.com.').waitFor()
  await page.getByRole('link', { name: 'Show all users' }).click()
  await page.getByRole('grid', { name: 'Users' }).waitFor()
})

test('an administrator limits the storage of users; users see their usage and limit', async () => {
  const { user, page: own } = await open()
  expect(await own.getByRole('tab', { name: 'Storage' }).count()).toBe(0)
  const page = await stage.open('/MyAccount#Storage', stage.server.admin)
  const form = page.getByRole('form', { name: 'Storage limits' })
  const perUser = form.getByLabel('Limit per user (GB)')
  await form.getByLabel('Free disk space to keep (GB)').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await perUser.fill('-1')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Enter 0 (no limit) or more.').waitFor()
  await perUser.fill('')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Enter a number; 0 means no limit.').waitFor()
  expect(await perUser.inputValue()).toBe('')
  await perUser.fill('2000000')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('The largest limit is 1,000,000 GB (1,000 TB).').waitFor()
  await perUser.fill('0.5')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings have been saved', { exact: true }).waitFor()
  expect(await stage.server.admin.call(getStorageLimits, {})).toMatchObject({ bytesPerUser: 500_000_000 })
  await user.call(createGroup, { body: { name: 'Limited' } })
  await upload(user, { groupName: 'Limited', content: 'x'.repeat(1500) })
  await own.reload()
  await own.getByText('1.5 KB of 500 MB').waitFor()
  await stage.server.admin.call(updateStorageLimits, { body: { bytesPerUser: 0 } })
})

test('my account has no accessibility problem and no error in the console', async () => {
  const { page } = await open()
  for (const hash of ['#Settings', '#ApiKeys']) {
    await page.goto(`${stage.server.url}/MyAccount${hash}`)
    await page.getByRole('tab', { selected: true }).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  }
  await page.goto(`${stage.server.url}/MyAccount#ApiKeys`)
  await page.getByRole('button', { name: 'New API key' }).first().click()
  expect(await accessibilityProblems(page)).toEqual([])
})
