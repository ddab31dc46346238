import type { Page } from 'playwright'
import { expect, test } from 'vitest'
import { getSettings } from '@headwater/accounts/contract'
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

test('SH-084 SH-101 SH-102 DP-576 saving settings takes effect at once and says so', async () => {
  const { user, page } = await open()
  await choose(page, 'Dark mode', 'Dark')
  await page.getByRole('combobox', { name: 'Time zone' }).fill('Warsaw')
  await page.getByRole('option', { name: 'Europe/Warsaw' }).click()
  const sent = page.waitForRequest((request) => request.method() === 'PUT')
  await page.getByRole('form', { name: 'Preferences' }).getByRole('button', { name: 'Save' }).click()
  await page.getByText('Settings have been saved').waitFor()
  expect((await sent).postDataJSON()).toEqual({ settings: { darkmode: 'ON', definedTime: 'Europe/Warsaw' } })
  await expect.poll(() => page.locator('html').getAttribute('data-mantine-color-scheme')).toBe('dark')
  await page.getByTestId('clock').getByText('Warsaw').waitFor()
  const saved = await user.call(getSettings, {})
  expect(saved.settings).toMatchObject({ darkmode: 'ON', definedTime: 'Europe/Warsaw' })
})

test('SH-098 SH-099 DP-567 DP-028 tabs that are no JSON are refused, tabs that are get saved', async () => {
  const { page } = await open()
  const form = page.getByRole('form', { name: 'Dashboards' })
  await form.getByLabel('Dashboard user tabs').fill('[{"tag":')
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByText('Dashboard user tabs is not a proper JSON').waitFor()
  await form.getByLabel('Dashboard user tabs').fill('[{"tag":"energy"}]')
  await form.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Your changes have been saved').waitFor()
})

test('leaving unsaved settings is asked about', async () => {
  const { page } = await open()
  await page.getByLabel('Default group').fill('another')
  const entry = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'AI tools' })
  await entry.click()
  const question = page.getByRole('dialog', { name: 'Unsaved changes' })
  await question.getByRole('button', { name: 'Stay' }).click()
  expect(new URL(page.url()).pathname).toBe('/MyAccount')
  await entry.click()
  await question.getByRole('button', { name: 'Leave' }).click()
  await expect.poll(() => new URL(page.url()).pathname).toBe('/AITools')
})

test('SH-128 DP-561 the hash selects the tab, and the arrow keys move between tabs', async () => {
  const { page } = await open('#apikeys')
  await expect.poll(() => page.getByRole('tab', { selected: true }).innerText()).toBe('API keys')
  await page.getByRole('tab', { selected: true }).focus()
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => new URL(page.url()).hash).toBe('#Settings')
  await page.goBack()
  await expect.poll(() => page.getByRole('tab', { selected: true }).innerText()).toBe('API keys')
})

test('DP-617 DP-618 DP-619 DP-620 an API key is created, shown once, works, and is deleted', async () => {
  const { page } = await open('#ApiKeys')
  await page.getByText('No API keys yet').waitFor()
  await page.getByRole('button', { name: 'New API key' }).first().click()
  await page.getByLabel('Label').fill('nightly upload')
  await page.keyboard.press('Enter')
  const secret = await page.getByRole('dialog', { name: 'Your new API key' }).locator('code').innerText()
  const works = () =>
    fetch(stage.server.url + getSettings.path, { headers: { Authorization: `ApiKey ${secret}` } }).then(
      (r) => r.status,
    )
  expect(await works()).toBe(200)
  await page.getByRole('button', { name: 'Done' }).click()
  const grid = page.getByRole('grid', { name: 'API keys' })
  await grid.getByText('nightly upload').waitFor()
  await grid.getByRole('button', { name: 'Delete the key nightly upload' }).click()
  await page.getByRole('dialog', { name: 'Delete API key' }).getByRole('button', { name: 'Delete' }).click()
  await page.getByText('No API keys yet').waitFor()
  expect(await works()).toBe(401)
})

test('DP-588 DP-589 an administrator creates a user with a role and opens the user', async () => {
  const page = await stage.newPage()
  await openAs(page, stage.server.url, stage.server.admin.userName, '/MyAccount#Users')
  await page.getByRole('button', { name: 'New user' }).click()
  const dialog = page.getByRole('dialog', { name: 'New user' })
  await dialog.getByLabel('E-mail address').fill('not an address')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await dialog.getByText('Enter an e-mail address.').waitFor()
  await dialog.getByLabel('E-mail address').fill('beata@example.com')
  await dialog.getByRole('button', { name: 'Create' }).click()
  await page.getByText('beata@example.com has been created.').waitFor()
  await page.getByRole('grid', { name: 'Users' }).getByRole('link', { name: 'beata@example.com' }).click()
  await page.getByRole('heading', { name: 'beata@example.com', level: 1 }).waitFor()
  await page.getByText('Not activated').waitFor()
  await page.getByText('Password or single sign-on').waitFor()
})

test.each(['light', 'dark'])(
  'my account in %s has no accessibility problem and no error in the console',
  async (scheme) => {
    const { page } = await open()
    if (scheme === 'dark') {
      await choose(page, 'Dark mode', 'Dark')
      await page.getByRole('form', { name: 'Preferences' }).getByRole('button', { name: 'Save' }).click()
      await page.getByText('Settings have been saved').waitFor()
    }
    for (const hash of ['#Settings', '#ApiKeys']) {
      await page.goto(`${stage.server.url}/MyAccount${hash}`)
      await page.getByRole('tab', { selected: true }).waitFor()
      expect(await accessibilityProblems(page)).toEqual([])
    }
    await page.goto(`${stage.server.url}/MyAccount#ApiKeys`)
    await page.getByRole('button', { name: 'New API key' }).first().click()
    expect(await accessibilityProblems(page)).toEqual([])
  },
)
