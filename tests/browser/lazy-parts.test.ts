import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { createInsight } from '@headwater/insights/contract'
import type { Session } from '@headwater/server/testing'
import { openAs, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Reports' } })
  const texts = { type: 'Text', tileWidth: 'half', source: { type: 'EDITOR' } }
  const tiles = [
    { id: 't', title: 'Finder', type: 'SEARCH', tileWidth: 'half' },
    { id: 'x', title: 'One', ...texts, templateContent: 'first words' },
    { id: 'y', title: 'Two', ...texts, templateContent: 'other words' },
  ]
  const content = { ...emptyContent(), tiles } as never
  await anna.call(createInsight, { body: { insightName: 'Lossy', groupName: 'Reports', content } })
})

/** Opens the insight in a page that cannot load a file while `lost` is true; counts its requests. */
async function openLosing(file: RegExp, path = '/Insight/Reports/Lossy') {
  const page = await stage.newPage()
  const line = { lost: true, requested: 0, reports: 0 }
  page.on('request', (request) => {
    if (request.method() === 'POST' && request.postData()?.includes('"fatal"') === true) line.reports += 1
  })
  await page.route(file, (route) => {
    line.requested += 1
    return line.lost ? route.abort() : route.continue()
  })
  await openAs(page, stage.server.url, anna.userName, path)
  return { page, line }
}

/** Removes the console messages about files that do not arrive. */
function forgetLosses(page: Page): void {
  const problems = stage.problemsOf(page)
  const others = problems.filter(
    (text) => !/dynamically imported module|Unable to preload CSS|could not be loaded/.test(text),
  )
  problems.splice(0, problems.length, ...others)
}

const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })

test('every retry loads the missing code of a tile again, and the other tiles continue', async () => {
  const { page, line } = await openLosing(/TextTile-[^/]*\.js$/)
  const stopped = (title: string) => tile(page, title).getByText('This tile could not be loaded')
  const retry = (title: string) => tile(page, title).getByRole('button', { name: 'Try again' }).click()
  await stopped('One').waitFor()
  await stopped('Two').waitFor()
  await tile(page, 'Finder').getByText('No groups yet').waitFor()

  const before = line.requested
  await retry('One')
  await expect.poll(() => line.requested).toBe(before + 1)
  await stopped('One').waitFor()

  line.lost = false
  await retry('One')
  await tile(page, 'One').getByText('first words').waitFor()
  await stopped('Two').waitFor()
  await retry('Two')
  await tile(page, 'Two').getByText('other words').waitFor()
  expect(line.requested).toBe(before + 2)
  expect(line.reports).toBe(0)
  forgetLosses(page)
})

test('a retry loads the missing styles of a tile', async () => {
  const { page, line } = await openLosing(/rendered-markdown-[^/]*\.css$/)
  await tile(page, 'One').getByText('This tile could not be loaded').waitFor()
  line.lost = false
  await tile(page, 'One').getByRole('button', { name: 'Try again' }).click()
  await tile(page, 'One').getByText('first words').waitFor()
  const loaded = () =>
    page
      .locator('link[rel="stylesheet"][href*="rendered-markdown-"]')
      .evaluateAll((all) => all.map((link) => (link as HTMLLinkElement).sheet !== null))
  await expect.poll(loaded).toEqual([true])
  forgetLosses(page)
})

test('a panel whose code failed to load can be retried without losing edits', async () => {
  const { page, line } = await openLosing(/TextEditor-[^/]*\.js$/, '/Insight/Reports/Lossy?edit=true')
  await tile(page, 'Two').getByRole('heading').click()
  await tile(page, 'Two').getByRole('button', { name: 'Duplicate tile' }).click()
  await tile(page, 'Two(1)').waitFor()
  const settings = page.getByRole('complementary', { name: 'Settings' })
  await settings.getByText('This part could not be loaded').waitFor()
  line.lost = false
  await settings.getByRole('button', { name: 'Try again' }).click()
  await settings.getByRole('textbox', { name: 'Markdown' }).waitFor()
  await tile(page, 'Two(1)').waitFor()
  forgetLosses(page)
})

test('a page whose code failed to load is loaded again at the next visit', async () => {
  const { page, line } = await openLosing(/InsightScreen-[^/]*\.js$/, '/Insight')
  await page.getByRole('link', { name: 'Lossy' }).click()
  await page.getByText('This page could not be loaded').waitFor()
  line.lost = false
  await page.goBack()
  await page.getByRole('link', { name: 'Lossy' }).click()
  await tile(page, 'One').getByText('first words').waitFor()
  forgetLosses(page)
})

test('loaded content appears at once, without a minimum duration of the loading state', async () => {
  const page = await stage.newPage()
  await page.clock.install()
  const hold = async (file: RegExp) => {
    const sent = Promise.withResolvers<void>()
    const released = Promise.withResolvers<void>()
    await page.route(file, async (route) => {
      sent.resolve()
      await released.promise
      await route.continue()
    })
    return { requested: sent.promise, release: released.resolve }
  }
  /** Advances the clock of the page until something is visible, at most for the given time. */
  const seeWithin = async (limitMs: number, text: Locator) => {
    let passedMs = 0
    const look = async () => {
      if (passedMs < limitMs) await page.clock.runFor(1)
      passedMs += 1
      return text.count()
    }
    await expect.poll(look, { interval: 10 }).toBe(1)
  }
  const screen = await hold(/InsightScreen-[^/]*\.js$/)
  const text = await hold(/TextTile-[^/]*\.js$/)
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/Lossy')
  await Promise.all([screen.requested, page.getByRole('status', { name: 'Loading the page' }).waitFor()])
  await stopClock(page)
  screen.release()
  await seeWithin(1000, tile(page, 'One'))
  await text.requested
  text.release()
  await seeWithin(100, tile(page, 'One').getByText('first words'))
})

test('code and styles of an insight are requested once each', async () => {
  const page = await stage.newPage()
  const sent: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/assets/')) sent.push(pathname)
  })
  await openAs(page, stage.server.url, anna.userName, '/Insight/Reports/Lossy')
  await tile(page, 'One').getByText('first words').waitFor()
  await tile(page, 'Finder').getByText('No groups yet').waitFor()
  expect(sent.filter((path) => path.endsWith('.css')).length).toBeGreaterThan(3)
  expect(sent.filter((path, at) => sent.indexOf(path) !== at)).toEqual([])
})
