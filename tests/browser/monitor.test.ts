import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
import { getRun } from '@headwater/monitor/contract'
import {
  continuePipeline,
  createPipeline,
  declinePipeline,
  executePipeline,
} from '@headwater/pipelines/contract'
import { upload, type Session } from '@headwater/server/testing'
import { accessibilityProblems, openAs, pollClock, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
let anna: Session
const ids: Record<string, string> = {}

beforeAll(async () => {
  anna = await stage.server.createUser({ role: 'Pipeline builder', email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Flows' } })
  ids['good'] = await pipeline(
    'Daily prices',
    ['daily'],
    [task('load'), task('store', { prevTasks: [{ id: 'load' }] })],
  )
  ids['paused'] = await pipeline(
    'Month end',
    [],
    [task('check', { isPaused: true }), task('send', { prevTasks: [{ id: 'check' }] })],
  )
  ids['failing'] = await pipeline('Nightly load', ['night'], [task('import', { isPaused: true })])
  ids['resolved'] = await pipeline('Hourly import', [], [task('import', { isPaused: true })])
  const tabs = JSON.stringify([{ tag: 'daily' }, { tag: 'night', name: 'At night' }])
  await anna.call(updateSettings, { body: { settings: { dashboardUserTabs: tabs } } })
})

function task(id: string, more: object = {}) {
  const params = [{ name: 'cron', value: '0 0 1 1 *' }]
  return { id, taskReadableName: `Task ${id}`, taskName: 'cron-trigger', taskOverrides: { params }, ...more }
}

async function pipeline(
  name: string,
  tags: string[],
  tasks: object[],
  { by = anna, groupName = 'Flows' } = {},
): Promise<string> {
  const body = { name, groupName, tags, tasks: tasks as never }
  return (await by.call(createPipeline, { body })).pipeline.id
}

async function run(pipelineId: string, by = anna): Promise<string> {
  const body = { waitSeconds: 60 }
  return (await by.call(executePipeline, { params: { pipelineId }, body })).jobId
}

const grid = (page: Page) => page.getByRole('grid', { name: 'Runs' })
const steps = (page: Page) => page.getByRole('table', { name: 'Steps' })

async function hasNoAccessibilityProblems(page: Page): Promise<void> {
  expect(await accessibilityProblems(page)).toEqual([])
}

test('DP-506 DP-539 DP-542 DP-526 DP-544 SH-083 the monitor lists open failures first with tabs by tag; details and history open, and a run can be stopped and repeated', async () => {
  const failed = await run(ids['failing']!)
  await anna.call(declinePipeline, { body: { jobId: failed } })
  await run(ids['good']!)
  // A failure that a later run has resolved is among the other runs.
  const resolved = await run(ids['resolved']!)
  await anna.call(declinePipeline, { body: { jobId: resolved } })
  await anna.call(continuePipeline, { body: { jobId: await run(ids['resolved']!) } })
  const paused = await run(ids['paused']!)
  const page = await stage.open('/Science/Monitor#Recent', anna, {
    permissions: ['clipboard-read', 'clipboard-write'],
  })
  await grid(page)
    .getByRole('row', { name: /Succeeded.*Hourly import/ })
    .first()
    .waitFor()
  const rows = await grid(page).getByRole('row').allTextContents()
  expect(
    rows
      .slice(1)
      .map(
        (text) =>
          /Nightly load|Month end|Hourly import.*A later run succeeded|Hourly import|Daily prices/.exec(
            text,
          )?.[0],
      ),
  ).toEqual([
    'Nightly load',
    'Month end',
    'Hourly import',
    expect.stringContaining('A later run succeeded'),
    'Daily prices',
  ])
  await grid(page)
    .getByRole('row', { name: /Succeeded.*Daily prices/ })
    .waitFor()
  await hasNoAccessibilityProblems(page)
  await page.getByRole('tab', { name: 'At night' }).click()
  await grid(page)
    .getByRole('row', { name: /Daily prices/ })
    .waitFor({ state: 'detached' })
  await grid(page)
    .getByRole('row', { name: /Nightly load/ })
    .waitFor()
  expect(await grid(page).getByRole('row').count()).toBe(2)
  await page.getByRole('tab', { name: 'Recent' }).click()
  await grid(page)
    .getByRole('row', { name: /Daily prices/ })
    .waitFor()
  await page.getByRole('searchbox', { name: 'Search runs' }).fill('month')
  await grid(page)
    .getByRole('row', { name: /Daily prices/ })
    .waitFor({ state: 'detached' })
  await expect.poll(() => new URL(page.url()).searchParams.get('query')).toBe('month')
  // The name is a link; a click anywhere else on the row opens the run as well.
  await grid(page).getByRole('link', { name: 'Month end' }).waitFor()
  await grid(page)
    .getByRole('row', { name: /Month end/ })
    .getByRole('gridcell')
    .first()
    .click()

  await steps(page)
    .getByRole('row', { name: /Task check.*Paused/ })
    .waitFor()
  expect(new URL(page.url()).pathname).toBe(`/Science/Monitor/Details/${paused}`)
  await page.getByRole('button', { name: 'Copy jobId' }).click()
  await page.getByText('JobId copied to clipboard.', { exact: true }).waitFor()
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(paused)
  await page.getByRole('button', { name: 'Task check' }).click()
  await page.getByRole('button', { name: 'Approve Task check' }).waitFor()
  await hasNoAccessibilityProblems(page)
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Stop pipeline' })
  await dialog
    .getByText('Are you sure you want to stop the running pipeline? Your progress will not be saved.', {
      exact: true,
    })
    .waitFor()
  await dialog.getByRole('button', { name: 'Stop' }).click()
  await page.getByText('Pipeline has been terminated.', { exact: true }).waitFor()
  await steps(page)
    .getByRole('row', { name: /Task check.*Unexecuted/ })
    .waitFor()
  await page.getByRole('banner').getByText('Stopped', { exact: true }).waitFor()
  expect(await page.getByText('Error', { exact: true }).count()).toBe(0)
  await page
    .getByRole('status')
    .getByText(/^The run was stopped by \S+@\S+\.$/)
    .waitFor()
  await page.getByRole('button', { name: 'Rerun', exact: true }).click()
  await page.getByRole('menuitem', { name: 'All tasks (version 1)' }).click()
  await page.getByText('Your pipeline is running.', { exact: true }).waitFor()
  await expect.poll(() => new URL(page.url()).pathname).not.toContain(paused)
  // A step of the ended run would open that run again.
  await page.getByRole('button', { name: 'Rerun', exact: true }).waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Task check' }).click()
  await page.getByRole('button', { name: 'Approve Task check' }).click()
  await steps(page)
    .getByRole('row', { name: /Task send.*Succeeded/ })
    .waitFor()
  await steps(page)
    .getByRole('img', { name: /Attempt 1: Succeeded/ })
    .first()
    .waitFor()

  await page.getByRole('link', { name: 'Last runs' }).click()
  await page.waitForURL((url) => url.pathname === '/Science/Monitor/History/Flows/Month%20end')
  const history = page.getByRole('table', { name: 'Results by date' })
  await history.getByRole('link', { name: /^Task send, \d{4}-\d\d-\d\d: Succeeded$/ }).waitFor()
  await history.getByTitle(/: 2 runs, 0 failed, 1 stopped\. Last run: Succeeded$/).waitFor()
  await grid(page)
    .getByRole('row', { name: /Stopped/ })
    .waitFor()
  await hasNoAccessibilityProblems(page)
  await page.goto(`${stage.server.url}/Science/Dashboard#Recent`)
  await grid(page)
    .getByRole('row', { name: /Month end/ })
    .first()
    .waitFor()
  await page.goto(`${stage.server.url}/Science/Monitor/Details`)
  await page.getByText('No run chosen').waitFor()
})

test('the header arrow marks the order that the user chose; the default order, open failures first, has no arrow', async () => {
  const failed = await run(ids['failing']!)
  await anna.call(declinePipeline, { body: { jobId: failed } })
  await run(ids['good']!)
  const page = await stage.open('/Science/Monitor#Recent', anna)
  const names = async () =>
    (await grid(page).getByRole('row').allTextContents())
      .slice(1, 3)
      .map((text) => /Nightly load|Daily prices/.exec(text)?.[0])
  const sorted = () => grid(page).locator('[aria-sort]').allTextContents()
  await expect.poll(async () => (await names())[0]).toBe('Nightly load')
  expect(await sorted()).toEqual([])
  await page.getByRole('combobox', { name: 'Order' }).click()
  await page.getByRole('option', { name: 'Newest first' }).click()
  await expect.poll(names).toEqual(['Daily prices', 'Nightly load'])
  await expect.poll(sorted).toEqual(['Start'])
  expect(new URL(page.url()).searchParams.get('order')).toBe('newest')
  await grid(page).getByRole('button', { name: 'Start' }).click()
  await expect.poll(async () => (await names())[0]).toBe('Nightly load')
  await expect.poll(sorted).toEqual([])
})

test('the monitor explains how to start a run if there are none, and offers all runs if none are in the period', async () => {
  const page = await stage.open('/Science/Monitor', anna)
  await grid(page)
    .getByRole('row', { name: /Daily prices/ })
    .first()
    .waitFor()
  const carl = await stage.server.createUser({ role: 'Pipeline builder' })
  const empty = await stage.open('/Science/Monitor', carl)
  await empty.getByText('No runs yet', { exact: true }).waitFor()
  await empty.getByText('To start one, open a pipeline and click Run, or add a trigger to it.').waitFor()
  expect(await empty.getByText('Sorry, nothing found!').count()).toBe(0)
  await empty.getByRole('link', { name: 'Show pipelines' }).waitFor()
  await carl.call(createGroup, { body: { name: 'Old flows' } })
  const old = await pipeline('Old', [], [task('load')], { by: carl, groupName: 'Old flows' })
  const jobId = await run(old, carl)
  await stage.server.running.platform.database.pool.query(
    `update jobs set started_at = started_at - interval '8 days' where id = $1`,
    [jobId],
  )
  await empty.reload()
  await empty.getByText('No run started in this period.').waitFor()
  await empty.getByRole('button', { name: 'Show all runs' }).click()
  await grid(empty).getByRole('row', { name: /Old/ }).first().waitFor()
})

test('the details of a run follow its end at once, not only at the next refresh', async () => {
  const jobId = await run(ids['paused']!)
  const page = await stage.newPage()
  await page.clock.install()
  const stream = page.waitForResponse((response) => new URL(response.url()).pathname === '/events')
  await openAs(page, stage.server.url, anna.userName, `/Science/Monitor/Details/${jobId}`)
  // A change before the stream is open is visible only at the next refresh.
  await stream
  await page.getByRole('button', { name: 'Continue' }).waitFor()
  await stopClock(page)
  let polls = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.endsWith(`/run/${jobId}`)) polls += 1
  })
  // The response to the poll is older than the change, and arrives after it.
  const declined = Promise.withResolvers<void>()
  await page.route(
    `**/run/${jobId}`,
    async (route) => {
      const response = await route.fetch()
      await declined.promise
      await route.fulfill({ response })
    },
    { times: 1 },
  )
  await pollClock(page, 500, () => polls).toBe(1)
  await anna.call(declinePipeline, { body: { jobId } })
  await expect
    .poll(async () => (await anna.call(getRun, { params: { jobId } })).run.endTime, { interval: 500 })
    .not.toBe(null)
  declined.resolve()
  // The next poll would follow 5 s after the last one; the clock of the page counts.
  let passedMs = 0
  await expect
    .poll(
      async () => {
        // At the end of the steps the clock nearly stands still, so that a slow machine does not reach the next poll.
        const stepMs = passedMs < 3000 ? 100 : 1
        await page.clock.runFor(stepMs)
        passedMs += stepMs
        return page.getByRole('button', { name: 'Rerun' }).count()
      },
      { interval: 250, timeout: 30_000 },
    )
    .toBe(1)
  expect(passedMs).toBeLessThan(4000)
})

test('DP-507 the monitor requires its entitlement, which report authors have', async () => {
  const viewer = await stage.server.createUser({ role: 'Viewer' })
  const page = await stage.open('/Science/Monitor', viewer)
  await page.getByText('You do not have access to this page').waitFor()
  expect(new URL(page.url()).pathname).toBe('/Science/Monitor')
  expect(await grid(page).count()).toBe(0)
  expect(await page.getByRole('link', { name: 'Monitoring' }).count()).toBe(0)
  const author = await stage.server.createUser({ role: 'Report author' })
  const own = await stage.open('/Science/List', author)
  await own.getByRole('link', { name: 'Monitoring' }).click()
  await own.getByText('No runs yet').waitFor()
})

test('the values of a run and the details of a step name the output of the task, and open the file', async () => {
  await anna.call(createGroup, { body: { name: 'Checked' } })
  const { fileId: id } = await upload(anna, { groupName: 'Checked', fileName: 'daily.csv' })
  const reference = `\${${crypto.randomUUID()}}`
  const params = [
    { name: 'File to check', value: JSON.stringify({ id, name: 'daily.csv', groupName: 'Checked' }) },
    { name: 'File', type: 'OUTPUT', value: reference },
  ]
  const check = { id: 'check', taskReadableName: 'Check prices', taskName: 'check-file' }
  const jobId = await run(await pipeline('Checks', [], [{ ...check, taskOverrides: { params } }]))
  const page = await stage.open(`/Science/Monitor/Details/${jobId}?tab=values`, anna)
  const facts = page.getByRole('complementary', { name: 'Run', exact: true })
  await facts.getByRole('link', { name: 'Checks' }).waitFor()
  const values = page.getByLabel('Values', { exact: true })
  await values.getByText('File of Check prices', { exact: true }).waitFor()
  await values.getByText('daily.csv', { exact: true }).waitFor()
  expect(await values.getByText(reference).count()).toBe(0)
  await hasNoAccessibilityProblems(page)
  await page.getByRole('tab', { name: 'Steps' }).click()
  await steps(page).getByRole('button', { name: 'Check prices', exact: true }).click()
  const stored = page.getByLabel('Stored objects', { exact: true })
  await stored.getByText('File of Check prices', { exact: true }).waitFor()
  await hasNoAccessibilityProblems(page)
  await stored.getByRole('button', { name: 'Open daily.csv' }).click()
  await page.waitForURL((url) => url.pathname === '/Lake/Groups/Checked')
  await page.getByRole('row', { name: /daily\.csv/ }).waitFor()
})

test('DP-537 the values of a run refresh every 3 s while it runs, and otherwise every 10 s', async () => {
  const ben = await stage.server.createUser({ role: 'Pipeline builder' })
  await ben.call(createGroup, { body: { name: 'Values' } })
  const own = await pipeline('Values', [], [task('check', { isPaused: true })], {
    by: ben,
    groupName: 'Values',
  })
  const jobId = await run(own, ben)
  const page = await stage.newPage()
  await page.clock.install()
  await page.addInitScript(recordReads)
  await openAs(page, stage.server.url, ben.userName, `/Science/Monitor/Details/${jobId}?tab=values`)
  await page.getByText('No values yet').waitFor()
  await stopClock(page)
  /** Returns the pauses between further reads, in seconds. */
  async function pauses(count: number): Promise<number[]> {
    const times: number[] = []
    while (times.length <= count) {
      const before = (await reads(page)).length
      await expect
        .poll(
          async () => {
            await page.clock.runFor(100)
            return (await reads(page)).length
          },
          { interval: 5, timeout: 20_000 },
        )
        .toBeGreaterThan(before)
      await expect.poll(() => page.evaluate('window.responses === window.reads.length')).toBe(true)
      times.push((await reads(page)).at(-1)!)
    }
    return times.slice(1).map((time, index) => Math.round((time - times[index]!) / 1000))
  }
  expect(await pauses(2)).toEqual([3, 3])
  await ben.call(declinePipeline, { body: { jobId } })
  await pollClock(page, 1000, () => page.getByRole('button', { name: 'Rerun' }).count()).toBe(1)
  expect(await pauses(2)).toEqual([10, 10])
})

/** Records the times at which the page reads the values of a run. */
function recordReads(): void {
  const seen = window as unknown as { reads: number[]; responses: number }
  Object.assign(seen, { reads: [], responses: 0 })
  const { fetch } = window
  window.fetch = async (...input) => {
    const isRead = String(input[0] instanceof Request ? input[0].url : input[0]).includes('/values')
    if (isRead) seen.reads.push(Date.now())
    const response = await fetch(...input)
    if (isRead) {
      await response.clone().arrayBuffer()
      seen.responses += 1
    }
    return response
  }
}

async function reads(page: Page): Promise<number[]> {
  return (await page.evaluate('window.reads')) as number[]
}
