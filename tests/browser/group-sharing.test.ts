import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { searchFiles } from '@headwater/files/contract'
import { createGroup, getGroup, shareGroups, updateGroup } from '@headwater/groups/contract'
import { upload, type Session } from '@headwater/server/testing'
import { accessibilityProblems, openAs } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
let anna: Session
let ben: Session
let carl: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna.shares@example.com' })
  ben = await stage.server.createUser({ email: 'ben.shares@example.com' })
  carl = await stage.server.createUser({ email: 'carl.shares@example.com' })
})

const list = (page: Page) => page.getByRole('list', { name: 'Users' })
const rows = async (page: Page) => (await list(page).getByRole('listitem').all()).length
const accessOf = async (session: Session, name: string) =>
  (await session.call(getGroup, { params: { name } }).catch(() => undefined))?.access
const share = (groupName: string, email: string, access: 'R' | 'RW' | 'RS' | 'RWS') =>
  anna.call(shareGroups, { body: { sharesList: [{ groupName, email, access }] } })

/** Opens the share dialog from the page of a group and returns the requests for shares that it sends. */
async function openShare(session: Session, groupName: string) {
  const page = await stage.newPage()
  await openAs(page, stage.server.url, session.userName, `/Lake/Groups/${encodeURIComponent(groupName)}`)
  const requests: { path: string; body: unknown }[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/file\/group\/(share|unshare)$|\/(shareable|users)$/.test(pathname))
      requests.push({ path: pathname.split('/').at(-1)!, body: request.postDataJSON() as unknown })
  })
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  return { page, requests, dialog: page.getByRole('dialog', { name: `Share ${groupName}` }) }
}

test('DP-156 DP-159 DP-160 DP-161 DP-163 DP-164 DP-165 DP-166 DP-167 DP-168 DP-171 DP-175 the dialog lists, adds, edits and removes shares, and one save sends all changes', async () => {
  const groupName = 'Shared prices'
  await anna.call(createGroup, { body: { name: groupName } })
  await share(groupName, ben.userName, 'RW')
  const dora = await stage.server.createUser({ email: 'dora.shares@example.com' })
  await share(groupName, dora.userName, 'R')
  const { page, requests, dialog } = await openShare(anna, groupName)
  const url = page.url()
  await list(page).waitFor()
  expect(requests.map(({ path }) => path)).toEqual(['shareable', 'users'])
  expect(await dialog.innerText()).toContain('Step 1 of 2')
  expect(await list(page).innerText()).toMatch(
    /anna\.shares@example\.com\s+Owner[^]*ben\.shares@example\.com/,
  )
  expect(await page.getByLabel(`Access of ${ben.userName}`).inputValue()).toBe('Editor who cannot share')
  expect(await accessibilityProblems(page)).toEqual([])
  const size = page.viewportSize()!
  await page.setViewportSize({ width: 390, height: 844 })
  await expect.poll(async () => (await dialog.boundingBox())?.width).toBe(390)
  await expect.poll(() => dialog.innerText()).toContain('Step 1 of 2')
  await page.setViewportSize(size)

  await page.getByRole('button', { name: 'Add users' }).click()
  await expect.poll(() => dialog.innerText()).toContain('Step 2 of 2')
  await expect.poll(() => page.getByLabel('Access', { exact: true }).inputValue()).toBe('Editor')
  await expect
    .poll(() => page.getByLabel('E-mail addresses').evaluate((field) => field === document.activeElement))
    .toBe(true)
  await page.keyboard.type('nobody@example.com')
  await page.keyboard.press('Enter')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByText('No active user found for: nobody@example.com.').waitFor()
  await page.getByLabel('E-mail addresses').press('Backspace')
  await page.getByLabel('E-mail addresses').fill('carl.sh')
  await page.getByRole('option', { name: carl.userName }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Send an e-mail').check()
  await page.getByLabel('Message').fill('Prices of May')
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await list(page).waitFor()
  await expect.poll(() => dialog.innerText()).toContain('Step 1 of 2: users, with unsaved changes')
  expect(await rows(page)).toBe(4)

  await page.getByLabel(`Access of ${carl.userName}`).click()
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Viewer', 'Editor'])
  await page.getByRole('option', { name: 'Viewer' }).click()
  await page.getByLabel(`Access of ${dora.userName}`).click()
  await page.getByRole('option', { name: 'Editor' }).click()
  await page.getByLabel(`Select ${ben.userName}`).check()
  await page.getByRole('group', { name: 'Selected users' }).getByRole('button', { name: 'Remove' }).click()
  await expect.poll(() => accessOf(ben, groupName)).toBe('RW')
  requests.length = 0
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const sent = Object.fromEntries(
    requests.filter(({ path }) => path.endsWith('share')).map(({ path, body }) => [path, body]),
  )
  expect(sent).toEqual({
    share: {
      sharesList: [
        {
          email: carl.userName,
          access: 'R',
          dataStart: null,
          dataEnd: null,
          expirationDate: null,
          sendMessage: true,
          message: 'Prices of May',
          url: `/Lake/Groups/${encodeURIComponent(groupName)}`,
          groupName,
          merge: true,
        },
        {
          email: dora.userName,
          access: 'RWS',
          dataStart: null,
          dataEnd: null,
          expirationDate: null,
          sendMessage: false,
          groupName,
          merge: false,
        },
      ],
    },
    unshare: { groupName, emails: [ben.userName] },
  })
  expect(page.url()).toBe(url)
  expect(await Promise.all([ben, carl, dora].map((user) => accessOf(user, groupName)))).toEqual([
    undefined,
    'R',
    'RWS',
  ])
  await page.getByRole('button', { name: 'Delete group' }).waitFor()
  // Full access does not include the deletion of the group, which is up to its owner.
  const { page: other } = await openShare(dora, groupName)
  await other.getByRole('button', { name: 'Edit group' }).waitFor()
  expect(await other.getByRole('button', { name: 'Delete group' }).count()).toBe(0)
})

test('DP-169 a user cannot change shares that are higher than their own, can give up their own share, and cannot share without share access', async () => {
  const groupName = 'Shared on'
  await anna.call(createGroup, { body: { name: groupName } })
  await share(groupName, ben.userName, 'RS')
  await share(groupName, carl.userName, 'RW')
  const { page } = await openShare(ben, groupName)
  await list(page).waitFor()
  expect(await list(page).innerText()).toMatch(/anna\.shares@example\.com\s+Owner/)
  expect(await page.getByLabel(`Access of ${carl.userName}`).isDisabled()).toBe(true)
  expect(await page.getByRole('button', { name: `Remove ${carl.userName}` }).isDisabled()).toBe(true)
  expect(await page.getByLabel(`Access of ${ben.userName}`).isDisabled()).toBe(true)
  await page.getByRole('button', { name: 'Add users' }).click()
  await page.getByLabel('Access', { exact: true }).click()
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Viewer'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: `Remove ${ben.userName}` }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await page.getByText('Access has been revoked.').waitFor()
  expect(await accessOf(ben, groupName)).toBeUndefined()

  const reader = await stage.newPage()
  await openAs(reader, stage.server.url, carl.userName, `/Lake/Groups/${encodeURIComponent(groupName)}`)
  await reader.getByRole('button', { name: 'Edit group' }).waitFor()
  expect(await reader.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0)
})

test('DP-162 DP-170 step 2 has an optional data range, with a hint that files need a data range of their own', async () => {
  const groupName = 'Shared days'
  await anna.call(createGroup, { body: { name: groupName } })
  const marked = (start: string, end: string) =>
    Object.entries({ dataStart: start, dataEnd: end }).map(([name, day]) => ({
      name,
      value: String(Date.parse(`${day}T12:00:00Z`)),
    }))
  await upload(anna, { groupName, fileName: 'inside.csv', fields: marked('2026-03-01', '2026-03-31') })
  await upload(anna, { groupName, fileName: 'across.csv', fields: marked('2026-03-01', '2026-04-01') })
  await upload(anna, { groupName, fileName: 'unmarked.csv' })
  const { page, dialog } = await openShare(anna, groupName)
  await list(page).waitFor()
  await page.getByRole('button', { name: 'Add users' }).click()
  await expect
    .poll(() => dialog.innerText())
    .toMatch(/file only if its period, set at the upload, lies within this range/)
  await page.getByLabel('E-mail addresses').fill(ben.userName)
  await page.getByRole('option', { name: ben.userName, exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Data from').fill('2026-03-01')
  await page.getByLabel('Data to').fill('2026-02-01')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByText('The range ends before it starts.').waitFor()
  await page.getByLabel('Data to').fill('2026-03-31')
  await expect.poll(() => page.getByLabel('Access', { exact: true }).inputValue()).toBe('Viewer')
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await list(page).waitFor()
  expect(await list(page).innerText()).toMatch(/Only data from 1 March 2026 to 31 March 2026 \(UTC\)/)
  await page.getByRole('button', { name: 'Add users' }).click()
  await page.getByLabel('E-mail addresses').fill(ben.userName)
  await page.getByRole('option', { name: ben.userName, exact: true }).click()
  const current = `Replaces the current share of ${ben.userName}: Viewer, only data from 1 March 2026 to 31 March 2026 (UTC)`
  await dialog.getByText(`${current} → Editor.`, { exact: true }).waitFor()
  await page.keyboard.press('Escape')
  await page.getByLabel('Data from').fill('2026-02-01')
  await page.getByLabel('Expires on').fill('2099-12-31')
  await dialog
    .getByText(`${current} → Viewer, only data from 1 February 2026 (UTC), until 2099-12-31.`, {
      exact: true,
    })
    .waitFor()
  await page.getByLabel('Data from').fill('')
  await page.getByLabel('Expires on').fill('')
  await dialog.getByRole('button', { name: `Remove ${ben.userName}` }).click()
  await page.getByLabel('E-mail addresses').fill(carl.userName)
  await page.getByRole('option', { name: carl.userName, exact: true }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Expires on').fill('2020-01-01')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await dialog.getByText('This date is in the past. Choose a later date, or none.').waitFor()
  await page.getByLabel('Expires on').fill('')
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await dialog.waitFor({ state: 'detached' })
  const filesOf = async (session: Session) =>
    (
      await session.call(searchFiles, { query: { query: `groupName=${groupName}`, sortBy: 'name' } })
    ).items.map(({ name }) => name)
  expect(await filesOf(ben)).toEqual(['inside.csv'])
  expect(await filesOf(carl)).toEqual(['across.csv', 'inside.csv', 'unmarked.csv'])
  const reader = await stage.newPage()
  await openAs(reader, stage.server.url, ben.userName, `/Lake/Groups/${encodeURIComponent(groupName)}`)
  await reader.getByText('inside.csv').waitFor()
  expect(await reader.getByText('You can read only data from').innerText()).toMatch(
    /from 1 March 2026 to 31 March 2026 \(UTC\)/,
  )
  expect(await reader.getByText(/across\.csv|unmarked\.csv/).count()).toBe(0)
})

test('if another user has changed a group in the meantime, a save shows both versions, and the user overwrites the newer one or discards the changes', async () => {
  const groupName = 'Edited twice'
  await anna.call(createGroup, { body: { name: groupName, description: 'First text' } })
  await share(groupName, ben.userName, 'RW')
  const page = await stage.newPage()
  await openAs(page, stage.server.url, anna.userName, `/Lake/Groups/${encodeURIComponent(groupName)}`)
  const change = async (mine: string, theirs: string) => {
    await page.getByRole('button', { name: 'Edit group' }).click()
    await page.getByLabel('Description').fill(mine)
    await ben.call(updateGroup, { params: { name: groupName }, body: { description: theirs } })
    await page.getByRole('button', { name: 'Save', exact: true }).click()
    const dialog = page.getByRole('dialog', { name: 'A newer version exists' })
    await dialog.getByText(`${ben.userName} saved version`).waitFor()
    expect(await dialog.getByRole('list', { name: 'Differences' }).innerText()).toMatch(
      new RegExp(`Description\\s+Version \\d+\\s+${theirs}\\s+Yours\\s+${mine}`),
    )
    return dialog
  }
  const stored = async () => (await anna.call(getGroup, { params: { name: groupName } })).description
  const first = await change('Text of Anna', 'Text of Ben')
  expect(await accessibilityProblems(page)).toEqual([])
  await first.getByRole('button', { name: 'Keep editing' }).click()
  await expect.poll(() => page.getByLabel('Description').inputValue()).toBe('Text of Anna')
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(stored).toBe('Text of Ben')
  await first.getByRole('button', { name: 'Save mine as latest' }).click()
  await first.waitFor({ state: 'detached' })
  await expect.poll(stored).toBe('Text of Anna')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
  await page.getByText('Text of Anna').waitFor()
  const second = await change('Other text of Anna', 'Other text of Ben')
  await second.getByRole('button', { name: 'Discard my changes' }).click()
  await page.getByRole('button', { name: 'Discard changes', exact: true }).click()
  await second.waitFor({ state: 'detached' })
  expect(await stored()).toBe('Other text of Ben')
})

test('in step 2 Enter adds the suggestion for a part of an address, but adds a complete address unchanged', async () => {
  const groupName = 'Shared by typing'
  await anna.call(createGroup, { body: { name: groupName } })
  const { page, dialog } = await openShare(anna, groupName)
  await list(page).waitFor()
  await expect.poll(async () => (await dialog.boundingBox())!.height).toBeLessThan(300)
  await page.getByRole('button', { name: 'Add users' }).click()
  const field = page.getByLabel('E-mail addresses')
  await field.fill('ben.sh')
  await page.getByRole('option', { name: ben.userName }).waitFor()
  await field.press('Enter')
  await dialog.getByRole('button', { name: `Remove ${ben.userName}` }).waitFor()
  await expect.poll(() => field.inputValue()).toBe('')
  await field.fill('arl.shares@example.com')
  await page.getByRole('option', { name: carl.userName }).waitFor()
  await field.press('Enter')
  const last = dialog.getByRole('button', { name: 'Remove arl.shares@example.com' })
  await last.waitFor()
  await field.press('Shift+Tab')
  const outlineOf = (element: Element) => getComputedStyle(element).outlineStyle
  await expect.poll(() => last.locator('..').evaluate(outlineOf)).toBe('solid')
  await expect.poll(() => last.evaluate(outlineOf)).toBe('none')
})

test('Esc asks before a dialog discards input, and keeps the input unless the user confirms', async () => {
  const page = await stage.newPage()
  await openAs(page, stage.server.url, anna.userName, '/Lake')
  const dialog = page.getByRole('dialog', { name: 'New group' })
  const confirmation = page.getByRole('dialog', { name: 'Unsaved changes' })
  await page.getByRole('button', { name: 'New group' }).first().click()
  await dialog.waitFor()
  await page.keyboard.press('Escape')
  await dialog.waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'New group' }).first().click()
  await page.getByLabel('Name', { exact: true }).fill('Half typed')
  await page.keyboard.press('Escape')
  await confirmation.getByText('Your changes in “New group” are not saved.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.keyboard.press('Escape')
  await confirmation.waitFor({ state: 'detached' })
  await expect.poll(() => page.getByLabel('Name', { exact: true }).inputValue()).toBe('Half typed')
  await dialog.getByRole('button', { name: 'Close' }).click()
  await confirmation.getByRole('button', { name: 'Close without saving' }).click()
  await dialog.waitFor({ state: 'detached' })
})
