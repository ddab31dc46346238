import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { getSettings } from '@headwater/accounts/contract'
import { createGroup, shareGroups } from '@headwater/groups/contract'
import {
  createPipeline,
  executePipeline,
  getPipelineByName,
  sharePipeline,
  updatePipeline,
} from '@headwater/pipelines/contract'
import type { Session } from '@headwater/server/testing'
import { accessibilityProblems, pollClock, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ role: 'Pipeline builder', email: 'anna@example.com' })
  for (const name of ['Flows', 'Elsewhere']) await anna.call(createGroup, { body: { name } })
})

const cron = {
  id: 'start',
  taskName: 'cron-trigger',
  taskReadableName: 'Each morning',
  taskOverrides: { params: [{ name: 'cron', value: '0 7 * * 1-5' }] },
}

async function make(name: string, more: object = {}): Promise<string> {
  const body = { name, groupName: 'Flows', tasks: [cron], ...more }
  return (await anna.call(createPipeline, { body })).pipeline.id
}

async function open(path: string): Promise<Page> {
  const page = await stage.open(path, anna)
  return page
}

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const row = (page: Page, name: string | RegExp) => page.getByRole('row', { name })

async function act(page: Page, of: string, action: string): Promise<void> {
  await button(page, `Actions for ${of}`).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

test('DP-455 DP-459 DP-460 DP-461 a pipeline can be copied, renamed, moved, tagged and exported from the list, and imported again', async () => {
  await make('Daily', { tags: ['daily'] })
  const page = await open('/Science/List#Pipelines')
  await act(page, 'Daily', 'Copy')
  const copy = dialog(page, 'Copy pipeline')
  expect(await accessibilityProblems(page)).toEqual([])
  await copy.getByLabel('Name', { exact: true }).fill(' Daily ')
  await button(copy, 'Save copy').click()
  await copy
    .getByText(/already has a pipeline/)
    .first()
    .waitFor()
  await copy.getByLabel('Name', { exact: true }).fill('Second')
  const created = page.waitForRequest(
    (request) => request.method() === 'POST' && request.url().endsWith('/mgmt/pipeline'),
  )
  await button(copy, 'Save copy').click()
  expect(Object.keys((await created).postDataJSON() as object).toSorted()).toEqual([
    'groupName',
    'markdownId',
    'name',
    'payload',
    'tags',
    'tasks',
  ])
  await page.getByText('New Pipeline has been created.', { exact: true }).waitFor()

  await act(page, 'Second', 'Rename or move')
  const move = dialog(page, 'Rename or move pipeline')
  await move.getByLabel('Name', { exact: true }).fill('Renamed')
  await button(move, 'Save').click()
  await page.getByText('Pipeline has been saved.', { exact: true }).waitFor()
  await act(page, 'Renamed', 'Rename or move')
  await move.getByRole('combobox', { name: 'Group' }).fill('Elsewhere')
  await page.getByRole('option', { name: 'Elsewhere' }).click()
  await button(move, 'Save').click()
  await page.getByText('Pipeline has been moved to the new group.', { exact: true }).waitFor()

  await act(page, 'Renamed', 'Edit tags')
  const tags = dialog(page, 'Tags of Renamed')
  await tags.getByRole('combobox', { name: 'Tags' }).fill('monthly')
  await page.keyboard.press('Enter')
  await button(tags, 'Save').click()
  await row(page, /Renamed.*monthly/).waitFor()
  const { pipeline } = await anna.call(getPipelineByName, {
    query: { groupName: 'Elsewhere', name: 'Renamed' },
  })
  expect([pipeline.version, pipeline.tags]).toEqual([3, ['daily', 'monthly']])

  const download = page.waitForEvent('download')
  await act(page, 'Renamed', 'Export')
  const path = await (await download).path()
  expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ format: 'headwater-pipeline' })
  await button(page, 'Import').click()
  const load = dialog(page, 'Import pipeline')
  await load.getByLabel('Pipeline file', { exact: true }).setInputFiles(path)
  await load.getByText('A pipeline with this name exists.', { exact: false }).waitFor()
  await load.getByLabel('Name', { exact: true }).fill('Imported')
  await load.getByText('The import creates a pipeline but does not run it.').waitFor()
  await load.getByText('Added: Each morning').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await button(load, 'Import').click()
  await page.waitForURL('**/Science/Creator/Elsewhere/Imported/latest')
  const imported = await anna.call(getPipelineByName, { query: { groupName: 'Elsewhere', name: 'Imported' } })
  expect(imported.pipeline).toMatchObject({ schedules: [], job: null })
})

test('DP-434 the list and the creator offer to run, stop, resume, schedule, share and export a pipeline', async () => {
  const pipelineId = await make('Halting', { tasks: [cron, { ...cron, id: 'check', isPaused: true }] })
  await anna.call(executePipeline, { params: { pipelineId }, body: { waitSeconds: 60 } })
  const page = await open('/Science/List#Pipelines')
  await row(page, /Halting.*Paused/).waitFor()
  await button(page, 'Actions for Halting').click()
  const entries = () => page.getByRole('menuitem').allInnerTexts()
  const always = ['Triggers', 'Share', 'Export']
  await expect.poll(entries).toEqual(expect.arrayContaining(['Stop', ...always]))
  await page.keyboard.press('Escape')
  await page.getByRole('link', { name: 'Halting', exact: true }).click()
  await button(page, 'Stop').waitFor()
  await button(page, 'Continue').click()
  await button(dialog(page, 'Continue pipeline'), 'Continue').click()
  await page.getByText('Pipeline run has been continued.', { exact: true }).waitFor()
  await button(page, 'Run').waitFor()
  await button(page, 'More actions').click()
  await expect.poll(entries).toEqual(expect.arrayContaining(always))
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'Export', exact: true }).click()
  expect((await download).suggestedFilename()).toBe('Halting.pipeline.json')

  await anna.call(executePipeline, { params: { pipelineId }, body: { waitSeconds: 60 } })
  await page.goBack()
  await row(page, /Halting.*Paused/).waitFor()
  await act(page, 'Halting', 'Stop')
  const stop = dialog(page, 'Stop pipeline')
  await stop.getByText('Are you sure you want to terminate the pipeline?', { exact: true }).waitFor()
  await button(stop, 'Stop').click()
  await page.getByText('Pipeline run has been terminated.', { exact: true }).waitFor()
  await row(page, /Halting.*Stopped/).waitFor()
  await button(page, 'Actions for Halting').click()
  await page.getByRole('menuitem', { name: 'Run', exact: true }).waitFor()
  expect(await page.getByRole('menuitem', { name: 'Stop', exact: true }).count()).toBe(0)
  await page.getByRole('menuitem', { name: 'Delete', exact: true }).click()
  await dialog(page, 'Delete pipeline').getByText('1 schedule will be deleted too.').waitFor()
})

test('in a window of 1024 px the list shows what starts a pipeline and when it runs next', async () => {
  await make('On schedule')
  const page = await open('/Science/List#Pipelines')
  await page.setViewportSize({ width: 1024, height: 768 })
  const headers = page.getByRole('columnheader')
  await expect.poll(() => headers.allInnerTexts()).toEqual(expect.arrayContaining(['Trigger', 'Next run']))
  await row(page, /On schedule.*\d{4}-\d\d-\d\d 07:00/).waitFor()
})

test('SH-104 filters of the list are in the URL: favourites, trigger and tag; the settings contain the details of a favourite', async () => {
  const id = await make('Manual one', { tasks: [], tags: ['quiet'] })
  await make('Timed one', { tags: ['loud'] })
  const page = await open('/Science/List?trigger=None&tag=quiet#Pipelines')
  await row(page, /Manual one/).waitFor()
  expect(await row(page, /Timed one/).count()).toBe(0)
  await button(page, 'Add Manual one to favourites').click()
  await button(page, 'Remove Manual one from favourites').waitFor()
  const { favoritePipelines } = (await anna.call(getSettings, {})).settings
  expect(JSON.parse(favoritePipelines)).toEqual([
    { id, name: 'Manual one', groupName: 'Flows', tags: ['quiet'], trigger: 'None', favorite: true },
  ])
  await page.goto(`${stage.server.url}/Science/List#Pipelines`)
  await row(page, /Timed one/).waitFor()
  await page.getByRole('tab', { name: 'Favourites' }).click()
  await expect.poll(() => new URL(page.url()).searchParams.get('show')).toBe('favourites')
  await expect.poll(() => row(page, /Timed one/).count()).toBe(0)
  await row(page, /Manual one/).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})

test('DP-424 DP-429 DP-462 DP-463 versions have their own page, details refresh every 30 s, and a pipeline that does not load opens the list after one request', async () => {
  const pipelineId = await make('Watched')
  const page = await open('/Science/List/Versions/Flows/Watched')
  await row(page, /v1 · latest/).waitFor()
  await page.clock.install()
  await recordCalls(page, ['/mgmt/pipeline/name', `/mgmt/pipeline/${pipelineId}/versions`])
  await page.reload()
  await row(page, /v1 · latest/).waitFor()
  await stopClock(page)
  const calls = () =>
    page.evaluate(() => Object.values((window as unknown as { calls: Record<string, Call[]> }).calls))
  const pollCalls = (each: number) =>
    pollClock(page, 500, async () =>
      (await calls()).every((ended) => ended.length >= each && ended[each - 1]!.end !== undefined),
    ).toBe(true)
  await pollCalls(1)
  await anna.call(updatePipeline, {
    params: { pipelineId },
    body: { name: 'Watched', groupName: 'Flows', tasks: [cron] },
  })
  await pollCalls(2)
  await pollClock(page, 10, () => row(page, /v2 · latest/).count()).toBe(1)
  await pollCalls(3)
  for (const [first, second, third] of await calls())
    for (const pause of [second!.start - first!.end!, third!.start - second!.end!]) {
      expect(pause).toBeGreaterThanOrEqual(30_000)
      expect(pause).toBeLessThan(32_000)
    }
  await page.clock.resume()

  let reads = 0
  page.on('request', (request) => {
    if (new URL(request.url()).pathname === '/mgmt/pipeline/name') reads++
  })
  await page.goto(`${stage.server.url}/Science/Creator/Flows/Nobody/latest`)
  await page.waitForURL(/\/Science\/List/)
  await page.clock.fastForward(10_000)
  await page.getByText('There is no pipeline Nobody in the group Flows.').waitFor()
  expect(reads).toBe(1)
})

/** A request of a page, with times by the clock of the page. */
interface Call {
  start: number
  end?: number
}

/** Makes a page record its requests for these paths, by path, in `window.calls`. */
async function recordCalls(page: Page, paths: readonly string[]): Promise<void> {
  await page.addInitScript((recorded) => {
    const calls: Record<string, Call[]> = Object.fromEntries(recorded.map((path) => [path, []]))
    const original = window.fetch
    window.fetch = async (...given) => {
      const path = new URL(String(given[0]), location.href).pathname
      const call: Call = { start: Date.now() }
      calls[path]?.push(call)
      const response = await original(...given)
      await response.clone().text()
      call.end = Date.now()
      return response
    }
    Object.assign(window, { calls })
  }, paths)
}

test('DP-176 DP-177 DP-178 DP-179 DP-180 DP-181 sharing a pipeline previews the access to its groups, and reports a full, a partial and a failed share', async () => {
  const ben = await stage.server.createUser({ role: 'Pipeline builder', email: 'ben@example.com' })
  await stage.server.createUser({ role: 'Pipeline builder', email: 'carl@example.com' })
  for (const name of ['Of Ben', 'Also of Ben']) await ben.call(createGroup, { body: { name } })
  const fetches = (name: string) => ({
    id: name,
    taskName: 'query-series',
    taskReadableName: name,
    taskOverrides: {
      params: [
        { name: 'Group', value: name },
        { name: 'Series', value: JSON.stringify({ groupName: name, symbols: { A: 'a' }, column: 'Price' }) },
      ],
    },
  })
  const pipelineId = await make('Shared', { tasks: [cron] })
  await make('Partly', { tasks: [cron, fetches('Of Ben'), fetches('Also of Ben')] })
  const page = await open('/Science/List#Pipelines')
  await act(page, 'Shared', 'Share')
  const share = dialog(page, 'Share Shared')
  const emails = share.getByRole('combobox', { name: 'E-mail addresses' })
  const groups = share.getByRole('list', { name: 'Groups of the pipeline' })
  await groups.getByText('Flows', { exact: true }).waitFor()
  await emails.fill('nobody@example.com')
  await page.keyboard.press('Enter')
  const unknown =
    'No active user found for: nobody@example.com. You can share only with people who have an account.'
  await share.getByText(unknown, { exact: true }).waitFor()
  await button(share, 'Share').click()
  await expect.poll(() => page.getByText(unknown, { exact: true }).count()).toBe(2)
  stage.problemsOf(page).length = 0
  await page.keyboard.press('Backspace')
  await emails.focus()
  await page.keyboard.press('Backspace')
  await emails.fill('carl@example.com')
  await page.keyboard.press('Enter')
  await groups.getByText('Gains access: read', { exact: true }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await share.getByLabel('Message').fill('Have a look')
  const sent = page.waitForRequest((request) => {
    const body = request.postDataJSON() as { dryRun?: boolean } | null
    return request.url().endsWith(sharePipeline.path) && body?.dryRun === undefined
  })
  await button(share, 'Share').click()
  expect((await sent).postDataJSON()).toEqual({
    pipelineId,
    url: `${stage.server.url}/Science/Creator/Flows/Shared/latest`,
    access: 'R',
    groupNames: ['Flows'],
    message: 'Have a look',
    emails: ['carl@example.com'],
  })
  await page.getByText('You succesfully shared pipeline.', { exact: true }).waitFor()

  await act(page, 'Partly', 'Share')
  const partly = dialog(page, 'Share Partly')
  await partly.getByText('You cannot share this group').first().waitFor()
  await partly.getByRole('combobox', { name: 'E-mail addresses' }).fill('carl@example.com')
  await page.keyboard.press('Enter')
  await partly.getByText('Unchanged: read', { exact: true }).waitFor()
  const message = 'The mail server is not available.'
  await page.route(`**${sharePipeline.path}`, (route) =>
    route.fulfill({ status: 503, json: { code: 'unavailable', message } }),
  )
  await button(partly, 'Share').click()
  await page.getByText(message, { exact: true }).waitFor()
  await page.unroute(`**${sharePipeline.path}`)
  stage.problemsOf(page).length = 0
  await button(partly, 'Share').click()
  await page.getByText('Pipeline not fully shared', { exact: true }).waitFor()
  await page
    .getByText('Some groups could not be shared. User may lack permissions. Groups: Of Ben, Also of Ben.', {
      exact: true,
    })
    .waitFor()
})

test('the list and the creator offer Share to users with share access, not to those with write access', async () => {
  const dora = await stage.server.createUser({ role: 'Pipeline builder', email: 'dora@example.com' })
  for (const access of ['RW', 'RS'] as const) {
    await dora.call(createGroup, { body: { name: `Group ${access}` } })
    const shared = { groupName: `Group ${access}`, email: anna.userName, access }
    await dora.call(shareGroups, { body: { sharesList: [shared] } })
    const body = { name: `With ${access}`, groupName: `Group ${access}`, tasks: [cron] }
    await dora.call(createPipeline, { body })
  }
  const offered = async (page: Page, opener: string) => {
    await button(page, opener).click()
    await page.getByRole('menuitem', { name: 'Triggers', exact: true }).waitFor()
    const entries = await page.getByRole('menuitem').allTextContents()
    await page.keyboard.press('Escape')
    return entries.filter((entry) => ['Share', 'Delete'].includes(entry))
  }
  const page = await open('/Science/List#Pipelines')
  expect(await offered(page, 'Actions for With RW')).toEqual(['Delete'])
  expect(await offered(page, 'Actions for With RS')).toEqual(['Share'])
  for (const [access, entries] of [
    ['RW', ['Delete']],
    ['RS', ['Share']],
  ] as const) {
    await page.getByRole('link', { name: `With ${access}`, exact: true }).click()
    expect(await offered(page, 'More actions')).toEqual(entries)
    await page.goBack()
  }
})
