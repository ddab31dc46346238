import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup, getGroup, shareGroups } from '@headwater/groups/contract'
import type { Session } from '@headwater/server/testing'
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

  await page.getByRole('button', { name: 'Add users' }).click()
  expect(await dialog.innerText()).toContain('Step 2 of 2')
  expect(await page.getByLabel('Access', { exact: true }).inputValue()).toBe('Editor')
  await page.getByLabel('E-mail addresses').fill('carl.sh')
  await page.getByRole('option', { name: carl.userName }).click()
  await page.keyboard.press('Escape')
  await page.getByLabel('Send an e-mail').check()
  await page.getByLabel('Message').fill('Prices of May')
  expect(await accessibilityProblems(page)).toEqual([])
  await dialog.getByRole('button', { name: 'Add', exact: true }).click()
  await list(page).waitFor()
  expect(await dialog.innerText()).toContain('Step 1 of 2')
  expect(await rows(page)).toBe(4)

  await page.getByLabel(`Access of ${carl.userName}`).click()
  expect(await page.getByRole('option').allTextContents()).toEqual(['Viewer', 'Editor'])
  await page.getByRole('option', { name: 'Viewer' }).click()
  await page.getByLabel(`Access of ${dora.userName}`).click()
  await page.getByRole('option', { name: 'Editor' }).click()
  await page.getByLabel(`Select ${ben.userName}`).check()
  await page.getByRole('group', { name: 'Selected users' }).getByRole('button', { name: 'Remove' }).click()
  expect(await accessOf(ben, groupName)).toBe('RW')
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
})

test('DP-169 a user changes only shares of others that are not higher, gives up an own share, and has no share action without share access', async () => {
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
  expect(await page.getByRole('option').allTextContents()).toEqual(['Viewer'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Back', exact: true }).click()
  await page.getByRole('button', { name: `Remove ${ben.userName}` }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.poll(() => accessOf(ben, groupName)).toBeUndefined()

  const reader = await stage.newPage()
  await openAs(reader, stage.server.url, carl.userName, `/Lake/Groups/${encodeURIComponent(groupName)}`)
  await reader.getByRole('button', { name: 'Edit group' }).waitFor()
  expect(await reader.getByRole('button', { name: 'Share', exact: true }).count()).toBe(0)
})
