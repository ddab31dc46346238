import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { createFile } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { type Session, type TestServer, startTestServer } from '@headwater/server/testing'
import { accessibilityProblems, openAs, openBrowser, openPage } from './open-browser.ts'

let server: TestServer
let browser: Browser
let anna: Session
const problems: string[][] = []

beforeAll(async () => {
  server = await startTestServer()
  browser = await openBrowser()
  anna = await server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Prices' } })
  await upload(
    'prices.csv',
    'Commodity,Region,Date,Price\nBrent,EU,2026-08-17,92.43\nBrent,EU,2026-08-18,95.29\nWTI,US,2026-08-18,86.48\n',
  )
})
afterAll(async () => {
  await browser.close()
  await server.stop()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
  expect(problems.splice(0).flat()).toEqual([])
})

async function upload(fileName: string, content: string): Promise<void> {
  const body = { groupName: 'Prices', fileName, fileType: 'NCSV', fields: [] }
  const { location } = await anna.call(createFile, { body })
  await fetch(location, { method: 'PUT', body: content })
}

async function openStorage(path: string, colorScheme: 'light' | 'dark' = 'light') {
  const opened = await openPage(browser, { colorScheme })
  problems.push(opened.problems)
  await openAs(opened.page, server.url, 'anna@example.com', path)
  return opened.page
}

test('DP-295 symbols are listed by group with their keys, columns and dates, and found by a search', async () => {
  const page = await openStorage('/Storage/Symbols')
  await page
    .getByRole('main')
    .getByRole('link', { name: /Prices/ })
    .first()
    .click()
  await page.getByRole('row', { name: /Brent.*EU.*Price.*2026-08-17.*2026-08-18/ }).waitFor()
  await page.getByRole('searchbox', { name: /symbols/i }).fill('symbols.Region=U*')
  await page.getByRole('row', { name: /Brent/ }).waitFor({ state: 'detached' })
  await page.getByRole('row', { name: /WTI.*US/ }).waitFor()
  await page.reload()
  await page.getByRole('row', { name: /WTI.*US/ }).waitFor()
  expect(await page.getByRole('row', { name: /Brent/ }).count()).toBe(0)
})

test('a symbol shows its last values; a daily price stays on its day, whatever the zone of the reader; a correction counts', async () => {
  const settings = { definedTime: 'America/New_York' }
  await anna.call(updateSettings, { body: { settings } })
  const page = await openStorage('/Storage/Symbols/Prices')
  await page.getByRole('button', { name: 'Brent' }).click()
  const panel = page.getByRole('complementary', { name: 'Preview' })
  await panel.getByRole('row', { name: /2026-08-18.*95\.29/ }).waitFor()
  await panel.getByText('Date (UTC)').waitFor()
  await upload('correction.csv', 'Commodity,Region,Date,Price\nBrent,EU,2026-08-18,95.31\n')
  await page.reload()
  await panel.getByRole('row', { name: /2026-08-18.*95\.31/ }).waitFor()
  expect(await panel.getByRole('row', { name: /95\.29/ }).count()).toBe(0)
})

test.each(['light', 'dark'] as const)(
  'the accessibility checker finds nothing in the storage: %s',
  async (colorScheme) => {
    const page = await openStorage('/Storage/Symbols/Prices', colorScheme)
    await page.getByRole('button', { name: 'Brent' }).click()
    await page.getByRole('complementary', { name: 'Preview' }).getByRole('row').nth(1).waitFor()
    expect(await accessibilityProblems(page)).toEqual([])
  },
)
