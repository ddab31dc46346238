import type { Browser } from 'playwright'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { openBrowser, openPage } from './open-browser.ts'
import { type ServedPage, servePage } from './serve-page.ts'

let served: ServedPage
let browser: Browser

beforeAll(async () => {
  served = await servePage('refresh')
  browser = await openBrowser()
})
afterEach(async () => {
  for (const context of browser.contexts()) await context.close()
})
afterAll(() => served.close())

test('new data in one tile rerenders the note of the page, but not the page or other tiles', async () => {
  const { page, problems } = await openPage(browser)
  await page.goto(served.url)
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
