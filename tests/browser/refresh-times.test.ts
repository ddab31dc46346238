import type { Browser } from 'playwright'
import type { ViteDevServer } from 'vite'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from './open-browser.ts'
import { servePage } from './serve-page.ts'

let vite: ViteDevServer
let browser: Browser

beforeAll(async () => {
  vite = await servePage('refresh')
  browser = await openBrowser()
  // the first visit makes Vite bundle the libraries and reload
  const { page } = await openPage(browser)
  await page.goto(vite.resolvedUrls!.local[0]!)
  await page.getByText('Data as of 1 Jan 2026').waitFor({ timeout: 60_000 })
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(() => vite.close())

test('new data in one tile rerenders the note of the page, but not the page or other tiles', async () => {
  const { page, problems } = await openPage(browser)
  await page.goto(vite.resolvedUrls!.local[0]!)
  await page.getByText('Data as of 1 Jan 2026').waitFor()
  const drawn = () =>
    page.evaluate(() => ({ ...(window as unknown as { drawn: Record<string, number> }).drawn }))
  const before = await drawn()
  await page.getByRole('button', { name: 'b', exact: true }).click()
  await page.getByText('Data as of 2 Jan 2026').waitFor()
  await page.getByRole('button', { name: 'b', exact: true }).click()
  await page.getByText('Data as of 3 Jan 2026').waitFor()
  expect(await drawn()).toEqual({ ...before, b: before['b']! + 2 })
  expect(problems).toEqual([])
})
