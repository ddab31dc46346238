import type { BrowserContextOptions, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { sendStatus } from '@headwater/statuses/contract'
import { type Session, upload, uploadSeries } from '@headwater/server/testing'
import { accessibilityProblems, openAs, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session
/** Ids of users by their names. */
const userIds = new Map<string, number>()

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Prices' } })
  const good = 'Commodity,Date,Price\nBrent,2026-01-01,70\nBrent,2026-01-02,71\n'
  await uploadSeries(anna, { groupName: 'Prices', fileName: 'good.csv', content: good })
  const content = 'Commodity,Date,Price\nBrent,2026-01-01,70\nBrent,yesterday,71\n'
  await upload(anna, { groupName: 'Prices', fileName: 'bad.csv', fileType: 'NCSV', content })
  await anna.call(createGroup, { body: { name: 'Others' } })
  await uploadSeries(anna, { groupName: 'Others', fileName: 'other.csv', content: good })
  const { rows } = await stage.server.running.platform.database.pool.query('select id, user_name from users')
  for (const { id, user_name } of rows) userIds.set(user_name, id)
})

async function openPanel(options: BrowserContextOptions = {}, user = 'anna@example.com'): Promise<Page> {
  const page = await stage.newPage(options)
  await openAs(page, stage.server.url, user, '/Insight')
  await statusesEntry(page).click()
  await block(page, 'Groups').getByRole('listitem').first().waitFor()
  return page
}

const statusesEntry = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Statuses' })
const panel = (page: Page) => page.getByRole('dialog', { name: 'Statuses' })
const block = (page: Page, name: string) => panel(page).getByRole('region', { name, exact: true })
const mainSearch = (page: Page) =>
  panel(page).getByPlaceholder('Search statuses by group, pipeline, data prep name', { exact: true })
const nothingFound = 'Sorry, nothing found!'

test('SH-259 SH-260 SH-261 the panel slides in, closes with its button and with a click on the background, and clears its state', async () => {
  const page = await openPanel({ reducedMotion: 'no-preference' })
  const look = await panel(page).evaluate((element) => {
    const { animationName, position } = getComputedStyle(element)
    return { animationName, position }
  })
  expect(look).toEqual({ animationName: expect.stringContaining('slide'), position: 'fixed' })
  await mainSearch(page).fill('nothing of that name')
  await panel(page).getByText('bad.csv').waitFor({ state: 'detached' })
  await panel(page).getByRole('button', { name: 'Close' }).click()
  await panel(page).waitFor({ state: 'detached' })
  await statusesEntry(page).click()
  await expect.poll(() => mainSearch(page).inputValue()).toBe('')
  await panel(page).getByText('bad.csv').waitFor()
  await block(page, 'Groups').getByRole('button', { name: 'See all results' }).click()
  await mainSearch(page).waitFor({ state: 'detached' })
  await page.mouse.click(1400, 500)
  await panel(page).waitFor({ state: 'detached' })
  await statusesEntry(page).click()
  await mainSearch(page).waitFor()
})

test('SH-246 SH-265 SH-266 SH-267 SH-268 SH-272 SH-295 MAIN has a search box and three blocks with the 10 newest jobs and a link to all', async () => {
  const blocks = [
    ['PIPELINE', 'Pipelines'],
    ['ETL', 'Groups'],
    ['DATAPREP', 'Data preps'],
  ] as const
  const ownerId = userIds.get('admin@example.com')!
  for (const [type] of blocks)
    for (let n = 1; n <= 12; n += 1)
      await stage.server.running.platform.statuses.startJob({
        type,
        name: `${type} ${n}`,
        ownerId,
        status: 'COMPLETED',
      })
  const page = await stage.newPage()
  const sizes: Record<string, string | null> = {}
  /** The size and query of each search, by the type of its jobs. */
  const queries: Record<string, Set<string>> = {}
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname !== '/status') return
    const type = searchParams.get('type') ?? ''
    sizes[type] = searchParams.get('size')
    ;(queries[type] ??= new Set()).add(`${sizes[type]} ${searchParams.get('query')}`)
  })
  await openAs(page, stage.server.url, 'admin@example.com', '/Insight')
  await statusesEntry(page).click()
  await mainSearch(page).waitFor()
  const titles = panel(page).getByRole('heading', { level: 3 })
  await expect.poll(() => titles.allTextContents()).toEqual(blocks.map(([, title]) => title))
  for (const [type, title] of blocks) {
    const newest = Array.from({ length: 10 }, (_, at) => `${type} ${12 - at}`)
    const names = block(page, title).getByRole('listitem').locator(`[title^="${type}"]`)
    await expect.poll(() => names.allTextContents()).toEqual(newest)
    expect(await block(page, title).getByRole('listitem').count()).toBe(10)
  }
  expect(sizes).toMatchObject({ PIPELINE: '10', ETL: '10', DATAPREP: '10' })
  for (const [type, title] of blocks) {
    await block(page, title).getByRole('button', { name: 'See all results', exact: true }).click()
    await panel(page).getByRole('heading', { name: title, level: 2, exact: true }).waitFor()
    await panel(page).getByText(`${type} 1`, { exact: true }).waitFor()
    await panel(page).getByPlaceholder('Search pipeline statuses', { exact: true }).fill('nonsense')
    await panel(page).getByText(nothingFound, { exact: true }).waitFor()
    await panel(page).getByRole('button', { name: 'Back' }).click()
  }
  await mainSearch(page).fill('nonsense')
  for (const [, title] of blocks) await block(page, title).getByText(nothingFound, { exact: true }).waitFor()
  for (const [type] of blocks)
    expect([...queries[type]!]).toEqual(['10 *', '32 *', '32 *nonsense*', '10 *nonsense*'])
})

test('all pipeline jobs can be filtered by tag', async () => {
  await stage.server.running.platform.statuses.startJob({
    type: 'PIPELINE',
    name: 'Without a tag',
    ownerId: userIds.get('admin@example.com')!,
    status: 'COMPLETED',
  })
  const page = await openPanel({}, 'admin@example.com')
  await block(page, 'Pipelines').getByRole('button', { name: 'See all results', exact: true }).click()
  const job = panel(page).getByText('Without a tag', { exact: true })
  await job.waitFor()
  const tag = panel(page).getByPlaceholder('Filter by tag')
  await tag.fill('nightly')
  await panel(page).getByText(nothingFound, { exact: true }).waitFor()
  await tag.fill('')
  await job.waitFor()
})

test('SH-247 an id is searched as a job id, not as a name', async () => {
  const { items } = (await (await anna.fetch('/status?query=*Prices*&size=10')).json()) as {
    items: { jobId: string; payload: { fileName: string } }[]
  }
  const { jobId } = items.find((job) => job.payload.fileName === 'good.csv')!
  const page = await openPanel()
  const [request] = await Promise.all([
    page.waitForRequest((each) => {
      const { pathname, searchParams } = new URL(each.url())
      return pathname === '/status' && searchParams.get('type') === 'ETL' && searchParams.has('jobId')
    }),
    mainSearch(page).fill(jobId),
  ])
  const { searchParams } = new URL(request.url())
  expect([searchParams.get('jobId'), searchParams.has('query')]).toEqual([jobId, false])
  const rows = block(page, 'Groups').getByRole('listitem')
  await expect.poll(() => rows.count()).toBe(1)
  await rows.getByText('good.csv').waitFor()
})

test('SH-269 without read access to the pipelines list the Pipelines block is hidden', async () => {
  await stage.server.running.platform.database.pool.query(
    `delete from role_entitlements using roles
      where roles.id = role_id and roles.name = 'Report author' and resource = 'Science' and parent = ''`,
  )
  const { userName } = await stage.server.createUser({ role: 'Report author' })
  const page = await stage.newPage()
  await openAs(page, stage.server.url, userName, '/Statuses')
  await page.getByRole('main').getByRole('region', { name: 'Groups' }).waitFor()
  await expect.poll(() => page.getByRole('main').getByRole('region', { name: 'Data preps' }).count()).toBe(1)
  expect(await page.getByRole('main').getByRole('region', { name: 'Pipelines' }).count()).toBe(0)
})

test('SH-262 SH-263 SH-264 SH-275 SH-276 SH-281 MAIN leads to DETAILS, HISTORY and SEE_ALL; back restores the previous mode', async () => {
  const page = await openPanel()
  const steps = panel(page).getByRole('table')
  const back = panel(page).getByRole('button', { name: 'Back' })
  await panel(page).getByText('bad.csv').click()
  await expect
    .poll(() => steps.getByRole('columnheader').allTextContents())
    .toEqual(['Start time', 'Status', 'Run time', 'Execution', 'Message'])
  await steps.getByText(/(row|line) 3, column 2 \(Date\)/i).waitFor()
  const failed = steps.getByRole('row').filter({ hasText: 'column 2' }).getByRole('cell')
  const matching = (pattern: RegExp) => expect.stringMatching(pattern) as string
  expect(await failed.allTextContents()).toEqual([
    matching(/^\d\d:\d\d:\d\d$/),
    'Error',
    matching(/^\d+ (ms|s|min)/),
    'ETL',
    matching(/column 2 \(Date\)/),
  ])
  const header = panel(page)
    .getByRole('heading', { name: /bad\.csv/ })
    .locator('..')
  for (const name of ['Last runs', 'Copy jobId', 'Open logs', 'Open'])
    await header.getByLabel(name, { exact: true }).locator('svg').waitFor()

  await panel(page).getByLabel('Last runs').click()
  await panel(page).getByRole('heading', { name: 'Prices', exact: true }).waitFor()
  const runs = panel(page).getByRole('listitem')
  await expect.poll(() => runs.count()).toBe(2)
  await runs.filter({ hasText: 'bad.csv' }).getByRole('button', { name: 'Open' }).waitFor()
  await runs.filter({ hasText: 'good.csv' }).getByRole('button', { name: 'Open' }).waitFor()
  expect(await runs.filter({ hasText: 'other.csv' }).count()).toBe(0)
  expect(await steps.count()).toBe(0)
  await back.click()
  await steps.getByText(/(row|line) 3, column 2 \(Date\)/i).waitFor()
  await back.click()
  await mainSearch(page).waitFor()
  expect(await back.count()).toBe(0)

  await block(page, 'Groups').getByRole('button', { name: 'See all results' }).click()
  await panel(page).getByRole('heading', { name: 'Groups', level: 2 }).waitFor()
  await panel(page).getByText('bad.csv').click()
  await steps.waitFor()
  await back.click()
  await panel(page).getByRole('heading', { name: 'Groups', level: 2 }).waitFor()
  await back.click()
  await mainSearch(page).waitFor()
})

test('SH-282 SH-283 SH-286 SH-287 job details show readable payload labels and refresh every 5 s for 30 s', async () => {
  await stage.server.running.platform.statuses.startJob({
    type: 'PIPELINE',
    name: 'Slow run',
    ownerId: userIds.get('admin@example.com')!,
    payload: { nodeId: 'node-1', pipelineId: 'pipeline-1', version: 77, fileName: 'a.csv', retryCount: 3 },
  })
  const page = await stage.newPage()
  await page.clock.install()
  await page.addInitScript(() => {
    const fetchNow = window.fetch.bind(window)
    const reads: number[] = []
    Object.assign(window, { reads, completed: 0 })
    window.fetch = async (...given) => {
      const isRead = String(given[0]).includes('jobId=')
      if (isRead) reads.push(Date.now())
      const response = await fetchNow(...given)
      if (isRead) {
        await response.clone().arrayBuffer()
        Object.assign(window, { completed: reads.length })
      }
      return response
    }
  })
  await openAs(page, stage.server.url, 'admin@example.com', '/Insight')
  await statusesEntry(page).click()
  await block(page, 'Pipelines').getByText('Slow run').click()
  const terms = panel(page).locator('dt')
  await expect
    .poll(async () => (await terms.allTextContents()).toSorted())
    .toEqual(['File name', 'Retry count'])
  const descriptions = panel(page).locator('dl > div')
  expect((await descriptions.allInnerTexts()).map((text) => text.replace(/\s*\n/, ': ')).toSorted()).toEqual([
    'File name: a.csv',
    'Retry count: 3',
  ])
  await stopClock(page)
  /** Returns the age of the details at each read, after every response has arrived. */
  async function ages(): Promise<number[]> {
    await expect.poll(() => page.evaluate('window.completed === window.reads.length')).toBe(true)
    const reads = (await page.evaluate('window.reads')) as number[]
    return reads.map((time) => time - reads[0]!)
  }
  const count = () => page.evaluate('window.reads.length')
  let known = await ages()
  while (known.at(-1)! < 30_000) {
    for (let step = 0; step < 70 && (await count()) === known.length; step += 1) await page.clock.runFor(100)
    const before = known
    known = await ages()
    expect(known).toHaveLength(before.length + 1)
    // The first pause began while the clock was still running.
    if (before.length > 1) expect(Math.round((known.at(-1)! - before.at(-1)!) / 1000)).toBe(5)
  }
  expect(known.at(-1)).toBeLessThan(36_000)
  await page.clock.runFor(60_000)
  expect(await ages()).toEqual(known)
})

test('DP-061 DP-062 SH-139 SH-191 SH-192 SH-277 SH-278 SH-279 SH-280 details copy the job id, open the logs in a new tab and open the file', async () => {
  const { items } = (await (await anna.fetch('/status?query=*Prices*&size=10')).json()) as {
    items: { jobId: string; payload: { fileName: string; fileId: string } }[]
  }
  const { jobId, payload } = items.find((job) => job.payload.fileName === 'good.csv')!
  const page = await openPanel({ permissions: ['clipboard-read', 'clipboard-write'] })
  await panel(page).getByText('good.csv').click()
  await panel(page).getByRole('table').waitFor()
  const requests: string[] = []
  page.on('request', (request) => requests.push(`${request.method()} ${request.url()}`))
  await panel(page).getByLabel('Copy jobId').click()
  const toasts = page.getByLabel('Notifications')
  await toasts.getByText('JobId copied to clipboard.', { exact: true }).waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(jobId)
  expect(requests.filter((each) => !each.startsWith('GET ') || each.includes(jobId))).toEqual([])

  const [tab] = await Promise.all([
    page.context().waitForEvent('page'),
    panel(page).getByLabel('Open logs').click(),
  ])
  await tab.getByRole('heading', { name: 'good.csv' }).waitFor()
  expect(new URL(tab.url()).pathname).toBe(`/Logs/${jobId}`)
  await tab.close()

  const openFile = () => panel(page).getByLabel('Open', { exact: true }).click()
  await openFile()
  await page.waitForURL(`**/Lake/Groups/Prices?query=${payload.fileId}`)
  await page.getByRole('row', { name: /good\.csv/ }).waitFor()
  await page
    .getByRole('navigation', { name: 'Main' })
    .getByRole('link', { name: 'Data lake', exact: true })
    .click()
  await page.waitForURL('**/Lake')
  await panel(page).waitFor({ state: 'detached' })
  await page.evaluate('window.isSamePage = true')
  await statusesEntry(page).click()
  await panel(page).getByText('good.csv').click()
  await openFile()
  await page.waitForURL(`**/Lake?query=${payload.fileId}#Files`)
  await page.getByRole('row', { name: /good\.csv/ }).waitFor()
  expect(await page.evaluate('window.isSamePage')).toBe(true)
})

test('SH-293 SH-295 SH-298 earlier runs and all jobs of a block are requested in pages of 32', async () => {
  const page = await openPanel()
  const [all] = await Promise.all([
    page.waitForRequest((each) => new URL(each.url()).searchParams.get('size') === '32'),
    block(page, 'Groups').getByRole('button', { name: 'See all results' }).click(),
  ])
  expect(new URL(all.url()).searchParams.get('type')).toBe('ETL')
  await panel(page).getByPlaceholder('Search pipeline statuses', { exact: true }).waitFor()
  await panel(page).getByText('good.csv').click()
  const [history] = await Promise.all([
    page.waitForRequest((each) => new URL(each.url()).searchParams.has('groupName')),
    panel(page).getByLabel('Last runs').click(),
  ])
  const { searchParams } = new URL(history.url())
  expect([searchParams.get('groupName'), searchParams.get('size')]).toEqual(['Prices', '32'])
  const rows = panel(page).getByRole('listitem')
  await rows.nth(1).waitFor()
  await rows.nth(0).getByRole('button', { name: 'Open' }).waitFor()
})

test('DP-016 all jobs of a block load the next page 800 px before the end', async () => {
  const user = await stage.server.createUser()
  const { rows: matches } = await stage.server.running.platform.database.pool.query(
    'select id from users where user_name = $1',
    [user.userName],
  )
  for (let n = 1; n <= 40; n += 1)
    await stage.server.running.platform.statuses.startJob({
      type: 'ETL',
      name: `Load ${n}`,
      ownerId: matches[0].id,
      status: 'COMPLETED',
    })
  const page = await openPanel({ viewport: { width: 1280, height: 400 } }, user.userName)
  const sent: (string | null)[] = []
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/status' && searchParams.get('size') === '32') sent.push(searchParams.get('from'))
  })
  await block(page, 'Groups').getByRole('button', { name: 'See all results' }).click()
  await panel(page).getByText('Load 9', { exact: true }).waitFor()
  /** Scrolls to the given distance from the end, and waits until the page has rendered. */
  const scrollTo = (pixels: number) =>
    panel(page)
      .getByRole('list')
      .evaluate(async (list, left) => {
        let box = list.parentElement!
        while (getComputedStyle(box).overflowY !== 'auto') box = box.parentElement!
        box.scrollTop = box.scrollHeight - box.clientHeight - left
        for (let frame = 0; frame < 3; frame += 1) await new Promise(requestAnimationFrame)
        return box.scrollTop
      }, pixels)
  expect(await scrollTo(840)).toBeGreaterThan(0)
  expect(sent).not.toContain('32')
  await scrollTo(799)
  await expect.poll(() => sent).toContain('32')
  await panel(page).getByText('Load 1', { exact: true }).waitFor()
})

test('SH-240 each of the eight statuses has a distinct icon', async () => {
  const user = await stage.server.createUser()
  const { rows: matches } = await stage.server.running.platform.database.pool.query(
    'select id from users where user_name = $1',
    [user.userName],
  )
  const texts = {
    RUNNING: 'Running',
    PAUSED: 'Paused',
    COMPLETED: 'Succeeded',
    ERROR: 'Error',
    INFO: 'Succeeded',
    PENDING: 'Pending',
    UNEXECUTED: 'Unexecuted',
    WARN: 'Warning',
  } as const
  for (const status of Object.keys(texts) as (keyof typeof texts)[])
    await stage.server.running.platform.statuses.startJob({
      type: 'ETL',
      name: `Job ${status}`,
      ownerId: matches[0].id,
      status,
    })
  const page = await openPanel({}, user.userName)
  const icons = new Set<string>()
  for (const [status, term] of Object.entries(texts)) {
    const row = block(page, 'Groups')
      .getByRole('listitem')
      .filter({ hasText: `Job ${status}` })
    icons.add(await row.getByRole('img', { name: term, exact: true }).innerHTML())
  }
  expect(icons.size).toBe(8)
})

test('SH-136 SH-137 SH-138 the logs of a job can be limited to a component and a level', async () => {
  const { statuses } = stage.server.running.platform
  const jobId = await statuses.startJob({
    type: 'PIPELINE',
    name: 'Logged run',
    ownerId: userIds.get('anna@example.com')!,
  })
  for (const [component, status, text] of [
    ['load', 'INFO', 'load ended'],
    ['load', 'ERROR', 'load failed'],
    ['store', 'ERROR', 'store failed'],
  ] as const)
    await statuses.addComponent(jobId, { component, status, message: text })
  const page = await stage.newPage()
  await openAs(page, stage.server.url, 'anna@example.com', `/Logs/${jobId}`)
  for (const [path, messages] of [
    ['', ['load ended', 'load failed', 'store failed']],
    ['/load', ['load ended', 'load failed']],
    ['/load/error', ['load failed']],
    ['/store/error', ['store failed']],
  ] as const) {
    if (path !== '') await page.goto(`${stage.server.url}/Logs/${jobId}${path}`)
    await page.getByRole('heading', { name: 'Logged run' }).waitFor()
    await expect.poll(() => page.locator('tbody tr td:last-child').allTextContents()).toEqual(messages)
    await page.locator('code').getByText(jobId).waitFor()
  }
  await page.goto(`${stage.server.url}/Logs/${jobId}/load/running`)
  await page.getByText('No log entries').waitFor()
})

test('log lines can be filtered by level in the URL, searched on the server, followed and downloaded', async () => {
  const { statuses, logs } = stage.server.running.platform
  const ownerId = userIds.get('anna@example.com')!
  const jobId = await statuses.startJob({ type: 'PIPELINE', name: 'Long run', ownerId })
  const eId = await statuses.addComponent(jobId, { component: 'load', status: 'RUNNING' })
  const writer = logs.open({ jobId, eId, component: 'load' })
  for (let line = 1; line <= 3000; line++)
    writer.write(line % 1000 === 0 ? `WARNING:root:late ${line}` : `line ${line}`, 'stdout')
  await writer.end()
  const page = await stage.newPage()
  await openAs(page, stage.server.url, 'anna@example.com', `/Logs/${jobId}`)
  await page.getByText('late 3000').waitFor()
  expect(await page.getByRole('row').count()).toBeLessThan(200)
  const next = logs.open({ jobId, eId, component: 'load' })
  next.write('a new line', 'stdout')
  await next.end()
  await page.getByText('a new line').waitFor()

  await page.getByLabel('Level').click()
  await page.getByRole('option', { name: 'Warning' }).click()
  await page.waitForURL(`**/Logs/${jobId}?level=WARN`)
  const texts = page.getByRole('row').locator('[role=cell]:last-child')
  await expect
    .poll(() => texts.allTextContents())
    .toEqual(['root: late 1000', 'root: late 2000', 'root: late 3000'])
  await page.getByLabel('Search the log').fill('LATE 2')
  await expect.poll(() => texts.allTextContents()).toEqual(['root: late 2000'])
  await page.waitForURL(`**/Logs/${jobId}?level=WARN&search=LATE+2`)
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ])
  expect(download.suggestedFilename()).toBe(`log-${jobId}.txt`)
  await page.goto(`${stage.server.url}/Logs/${jobId}/load/warning?search=3000`)
  await expect.poll(() => texts.allTextContents()).toEqual(['root: late 3000'])
  await page.getByRole('row').first().click()
  await page.getByLabel('Line 3000').getByText('root: late 3000').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await statuses.finishJob(jobId, { status: 'COMPLETED' })
})

test('job details show the messages of a step in order, with the numbers of warnings and errors', async () => {
  const { statuses } = stage.server.running.platform
  const ownerId = userIds.get('anna@example.com')!
  const jobId = await statuses.startJob({ type: 'PIPELINE', name: 'Run with messages', ownerId })
  const eId = await statuses.addComponent(jobId, { component: 'load', status: 'RUNNING' })
  for (const [status, message] of [
    ['INFO', 'I1'],
    ['WARN', 'W1'],
    ['ERROR', 'E1'],
    ['INFO', 'I2'],
  ] as const)
    await anna.call(sendStatus, { body: { jobId, eId, status, message } })
  const page = await openPanel()
  await mainSearch(page).fill(jobId)
  await panel(page).getByText('Run with messages').click()
  await panel(page).getByText('1 warning · 1 error').first().waitFor()
  const rows = panel(page).locator('tbody tr')
  await expect
    .poll(() => rows.locator('td:last-child').allTextContents())
    .toEqual(['', 'I1', 'W1', 'E1', 'I2'])
  await statuses.finishJob(jobId, { status: 'COMPLETED' })
})

test('the accessibility checker finds no problems in the panel', async () => {
  const page = await openPanel()
  expect(await accessibilityProblems(page)).toEqual([])
  await panel(page).getByText('bad.csv').click()
  await panel(page).getByRole('table').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})

test('if there are no jobs and no search, each block explains its contents', async () => {
  const page = await stage.open('/Statuses', await stage.server.createUser())
  const main = page.getByRole('main')
  await main.getByText('Pipeline runs and their results appear here.').waitFor()
  await main.getByText('Uploaded files and their results appear here').waitFor()
  await main.getByRole('region', { name: 'Groups' }).getByRole('button', { name: 'See all results' }).click()
  await main.getByText('Uploaded files and their results appear here').waitFor()
  await main.getByLabel('Search statuses').fill('nonsense')
  await main.getByText('Sorry, nothing found!').waitFor()
})

test('a change of a job is visible before the next poll; the tabs of a browser share one event stream', async () => {
  const { statuses, accounts } = stage.server.running.platform
  const dora = await stage.server.createUser({ email: 'dora@example.com' })
  const { userId: ownerId } = (await accounts.findUserByName(dora.userName))!
  const jobId = await statuses.startJob({ type: 'PIPELINE', name: 'watched', ownerId, status: 'RUNNING' })
  const first = await stage.newPage()
  const streams: { tab: Page; lastEventId: string | undefined }[] = []
  first.context().on('request', (request) => {
    if (new URL(request.url()).pathname !== '/events') return
    streams.push({ tab: request.frame().page(), lastEventId: request.headers()['last-event-id'] })
  })
  await first.clock.install()
  await openAs(first, stage.server.url, dora.userName, '/Statuses')
  const rowOn = (tab: Page) => tab.getByRole('main').getByRole('listitem').filter({ hasText: 'watched' })
  await rowOn(first).waitFor()
  await expect.poll(() => streams.length).toBe(1)
  const second = await first.context().newPage()
  await second.goto(`${stage.server.url}/Statuses`)
  await rowOn(second).waitFor()
  // The clock of both tabs.
  await stopClock(first)

  let polls = 0
  first.context().on('request', (request) => {
    if (new URL(request.url()).pathname === '/status') polls += 1
  })
  /**
   * Changes the message of the job directly after a poll, and returns the time of the clock until all tabs show it. The next poll
   * would follow after 5 s.
   */
  async function visibleAfterMs(message: string, tabs: Page[]): Promise<number> {
    const before = polls
    await expect
      .poll(async () => {
        await tabs[0]!.clock.runFor(500)
        return polls
      })
      .toBeGreaterThan(before)
    await statuses.finishJob(jobId, { status: 'RUNNING', message })
    let passedMs = 0
    await expect
      .poll(
        async () => {
          // At the end of the steps the clock nearly stands still, so that a slow machine does not reach the next poll.
          const stepMs = passedMs < 3000 ? 100 : 1
          await tabs[0]!.clock.runFor(stepMs)
          passedMs += stepMs
          const texts = await Promise.all(tabs.map((tab) => rowOn(tab).innerText()))
          return texts.every((text) => text.includes(message))
        },
        { interval: 100, timeout: 30_000 },
      )
      .toBe(true)
    return passedMs
  }
  expect(await visibleAfterMs('half of it', [first, second])).toBeLessThan(4000)
  expect(streams.map(({ tab }) => tab === first)).toEqual([true])
  await first.close()
  await expect.poll(() => streams.length).toBe(2)
  expect(streams[1]).toMatchObject({ lastEventId: expect.stringMatching(/^\d{13}\./) })
  expect(streams[1]!.tab === second).toBe(true)
  expect(await visibleAfterMs('nearly all of it', [second])).toBeLessThan(4000)
  await statuses.finishJob(jobId, { status: 'COMPLETED' })
})
