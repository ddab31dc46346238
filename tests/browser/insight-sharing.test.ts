import type { BrowserContextOptions, Locator, Page, Request } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { createGroup, deleteGroup, getGroup } from '@headwater/groups/contract'
import { emptyContent, type InsightContent } from '@headwater/tiles/contract'
import {
  createInsight,
  createInsightTemplate,
  getInsight,
  infoValue,
  listInsightVersions,
  lookUpTemplateName,
  patchInsight,
  updateInsight,
} from '@headwater/insights/contract'
import { createPublicLink, listPublicLinks, updatePublicStatus } from '@headwater/publishing/contract'
import { updatePipeline } from '@headwater/pipelines/contract'
import { upload, type Session } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask } from '@headwater/tasks/contract'
import { accessibilityProblems, openAs, pollClock, stopClock } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ email: 'anna@example.com' })
  for (const name of ['Prices', 'Reports', 'Archive']) await anna.call(createGroup, { body: { name } })
  const lines = ['Brent', 'WTI'].flatMap((code, at) =>
    Array.from(
      { length: 30 },
      (_, day) => `${code},2026-01-${String(day + 1).padStart(2, '0')},${60 + at * 10 + day}`,
    ),
  )
  const content = ['Code,Date,Close', ...lines].join('\n')
  await upload(anna, { groupName: 'Prices', fileType: 'NCSV', content })
})

async function open(path: string, session: Session | undefined = anna, options: BrowserContextOptions = {}) {
  const page = await stage.newPage(options)
  if (session === undefined) await page.goto(new URL(path, stage.server.url).href)
  else await openAs(page, stage.server.url, session.userName, path)
  return page
}
const visit = async (path: string, options: BrowserContextOptions = {}) => {
  const page = await stage.newPage(options)
  await page.goto(new URL(path, stage.server.url).href)
  return page
}

const text = (id: string, title: string, templateContent = title) => ({
  id,
  title,
  type: 'Text',
  tileHeight: 'quarter',
  source: { type: 'EDITOR' },
  templateContent,
})
const table = (id: string, title: string, more: object = {}) => ({
  id,
  title,
  type: 'Table',
  lastTypeAmount: 5,
  ...more,
})
const prepOf = (Code: string) => ({
  symbols: [{ groupName: 'Prices', symbols: { Code }, valueColumnNames: ['Close'] }],
})

async function make(insightName: string, tiles: object[], more: Partial<InsightContent> = {}) {
  const target = { groupName: 'Reports', insightName }
  const content = { ...emptyContent(), tiles, ...more } as InsightContent
  await anna.call(createInsight, { body: { ...target, description: `About ${insightName}`, content } })
  return { ...target, path: `/Insight/Reports/${encodeURIComponent(insightName)}` }
}
const idOf = async (insightName: string) =>
  (await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })).id
const save = (target: { groupName: string; insightName: string }, tiles: object[], session = anna) =>
  session.call(updateInsight, {
    body: {
      oldGroupName: target.groupName,
      oldInsightName: target.insightName,
      content: { ...emptyContent(), tiles } as InsightContent,
    },
  })
const tile = (page: Page, title: string) => page.getByRole('region', { name: title, exact: true })
const titles = (page: Page) => page.locator('[data-tile-id] h2').allTextContents()
const storedKeys = (page: Page) => page.evaluate(() => Object.keys(localStorage))
const ownKey: unknown = expect.stringMatching(/^ng-/)
/** Returns the error below a field; empty if there is none. */
const problemOf = (within: Locator, label: string) =>
  within
    .getByLabel(label, { exact: true })
    .first()
    .evaluate((field) => {
      const isInvalid = field.getAttribute('aria-invalid') === 'true'
      return (isInvalid && document.getElementById(`${field.id}-note`)?.textContent) || ''
    })
const named = ({ groupName, insightName }: { groupName: string; insightName: string }) => ({
  groupName,
  insightName,
})

test('IN-005 IN-036 IN-076 IN-077 IN-154 a share lets a user open the insight until it is removed', async () => {
  const viewer = await stage.server.createUser({ email: 'viewer@example.com', role: 'Viewer' })
  const target = await make('Shared', [table('t', 'Rows'), { id: 's', title: 'Runs', type: 'STATUS' }], {
    datapreps: { t: prepOf('Brent') },
  })
  const page = await open(target.path)
  await expect.poll(() => titles(page)).toEqual(['Rows', 'Runs'])
  const bodies: Record<string, unknown> = {}
  page.on('request', (request) => {
    const { pathname, searchParams } = new URL(request.url())
    if (pathname === '/insights/shared') bodies[pathname] = Object.fromEntries(searchParams)
    else if (request.method() === 'POST') bodies[pathname] = request.postDataJSON()
  })
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Shared' })
  await dialog.getByRole('tab', { name: 'People' }).click()
  await dialog.getByText('Not shared with anyone yet.').waitFor()
  expect(bodies['/insights/shared']).toEqual({ groupName: 'Reports', name: 'Shared' })
  const field = dialog.getByLabel('E-mail addresses')
  await field.fill('nobody@example.com')
  await field.press('Enter')
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await dialog.getByText('No active user found for: nobody@example.com', { exact: false }).waitFor()
  await field.press('Backspace')
  await dialog.getByText('No active user found', { exact: false }).waitFor({ state: 'detached' })
  await field.fill('viewer@example.com')
  await field.press('Enter')
  await dialog.getByRole('button', { name: 'Share', exact: true }).click()
  await dialog.getByRole('listitem').getByText('viewer@example.com').waitFor()
  const sent = { groupName: 'Reports', insightName: 'Shared' }
  expect(bodies['/insights/share']).toEqual({ ...sent, shares: ['viewer@example.com'] })
  expect(await accessibilityProblems(page)).toEqual([])
  const other = await open(target.path, viewer)
  await tile(other, 'Rows').getByText('Brent').first().waitFor()
  expect(await titles(other)).toEqual(['Rows'])
  for (const name of ['Share', 'Edit'])
    expect(await other.getByRole('button', { name, exact: true }).count()).toBe(0)
  await dialog.getByRole('button', { name: 'Revoke access of viewer@example.com' }).click()
  await dialog.getByText('Not shared with anyone yet.').waitFor()
  expect(bodies['/insights/unshare']).toEqual({ ...sent, emails: ['viewer@example.com'] })
  await expect(viewer.call(getGroup, { params: { name: 'Prices' } })).rejects.toThrow('groupNotFound')
})

test('IN-011 IN-024 IN-156 IN-371 SH-008 SH-075 SH-078 SH-183 visitors with the link see a public insight in a reduced layout', async () => {
  const target = await make(
    'Open',
    [table('t', 'Rows'), text('n', 'Note'), { id: 's', title: 'Runs', type: 'STATUS' }],
    { datapreps: { t: prepOf('Brent') } },
  )
  const page = await open(target.path)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Share Open' })
  const changed = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().includes('/insights'),
  )
  await dialog.getByRole('switch', { name: /Anyone with the link/ }).click()
  expect(new URL((await changed).url()).pathname).toBe('/insights/public')
  expect((await changed).postDataJSON()).toEqual({ ...named(target), isPublic: true, expirationDate: null })
  const visible = dialog.locator('code')
  await visible.waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const limited = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().endsWith('/insights/public'),
  )
  await dialog.getByLabel('Expires on').fill('2999-12-31')
  expect((await limited).postDataJSON()).toEqual({
    ...named(target),
    isPublic: true,
    expirationDate: '2999-12-31',
  })
  await dialog.getByText('End of the day in UTC.', { exact: true }).waitFor()

  const visitor = await stage.newPage()
  const requests: string[] = []
  visitor.on('request', (request) => requests.push(new URL(request.url()).pathname))
  await visitor.goto((await visible.textContent())!)
  await tile(visitor, 'Rows').getByText('Brent').first().waitFor()
  await expect.poll(() => titles(visitor)).toEqual(['Rows', 'Note'])
  expect(requests).toContain('/insight/public/proxy/Reports/Open.json')
  expect(requests.filter((path) => /^\/(insights|ts|file)\b/.test(path))).toEqual([])
  const entries = visitor.getByRole('navigation', { name: 'Main' }).getByRole('link')
  expect(await entries.evaluateAll((links) => links.map((link) => link.getAttribute('aria-label')))).toEqual([
    'Knowledge',
    'Insight',
    'Log in',
  ])
  expect(await entries.evaluateAll((links) => links.map((link) => link.getAttribute('href')))).toEqual([
    '/KnowledgeCenter/Tasks',
    '/Public/Insight/Reports/Open',
    '/',
  ])
  expect(await entries.evaluateAll((links) => links.map((link) => link.getAttribute('target')))).toEqual([
    '_blank',
    null,
    null,
  ])
  expect(await accessibilityProblems(visitor)).toEqual([])
  // Visitors cannot open any other part of the product.
  await visitor.goto(new URL('/Public/Lake/Groups', stage.server.url).href)
  await visitor.waitForURL('**/Public/Insight')
  await visitor.goBack()
  await visitor.goto((await visible.textContent())!)
  await tile(visitor, 'Rows').waitFor()

  await dialog.getByRole('switch', { name: /Anyone with the link/ }).click()
  await visible.waitFor({ state: 'detached' })
  await visitor.reload()
  await visitor.getByText('Public insight not found').waitFor()
})

test('a user who opens a public link stays logged in, even if the session starts slowly', async () => {
  const target = await make('Passing', [text('a', 'Alpha')])
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const page = await open(target.path)
  await tile(page, 'Alpha').waitFor()
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  await page.route('**/auth/refresh', async (route) => {
    await held
    await route.continue()
  })
  await page.goto(new URL(`/Public${target.path}`, stage.server.url).href)
  await tile(page, 'Alpha').waitFor()
  const settings = page.waitForResponse((response) => response.url().endsWith('/auth/settings'))
  letGo()
  expect((await settings).status()).toBe(200)
  await page.goto(new URL(target.path, stage.server.url).href)
  await page.getByRole('button', { name: 'Share', exact: true }).waitFor()
})

test('a public link lets visitors set the allowed parameters, and reports when it was changed or revoked', async () => {
  const inputParams = {
    p1: { title: 'Choose', groupName: 'Prices', keys: [{ symbolKey: 'Code', defaultValue: 'Brent' }] },
  }
  const target = await make('Chosen', [table('t', 'Rows', { sourceInputParamsId: 'p1' })], {
    datapreps: { t: prepOf('Brent') },
    inputParams,
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const parameters = [{ name: 'Code', values: ['WTI'] }]
  const { path } = await anna.call(createPublicLink, { body: { ...named(target), parameters } })
  const page = await visit(path, { viewport: { width: 390, height: 844 }, colorScheme: 'dark' })
  await tile(page, 'Rows').getByText('Brent').first().waitFor()
  await page.getByRole('button', { name: 'Parameters' }).click()
  await page.getByLabel('Code').fill('W')
  await page.getByRole('option', { name: 'WTI' }).click()
  await page.getByRole('button', { name: 'Apply' }).click()
  expect(await accessibilityProblems(page)).toEqual([])
  await tile(page, 'Rows').getByText('WTI').first().waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.goto(new URL(`${path}x`, stage.server.url).href)
  await page.getByText('This link is incomplete', { exact: true }).waitFor()

  const soon = new Date(Date.now() + 1500).toISOString()
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true, expirationDate: soon } })
  await expect
    .poll(() =>
      stage.server.nobody.fetch('/insight/public/proxy/Reports/Chosen').then(({ status }) => status),
    )
    .toBe(410)
  await page.goto(new URL(path, stage.server.url).href)
  await page.getByText('This public view has ended').waitFor()
})

test('visitors see that the data of a tile no longer exists and that search is unavailable; no tile loads forever', async () => {
  await anna.call(createGroup, { body: { name: 'Secret past' } })
  const content = 'Code,Date,Close\nBrent,2026-01-01,1\nWTI,2026-01-01,2'
  await upload(anna, { groupName: 'Secret past', fileType: 'NCSV', content })
  const inPast = (Code: string) => ({ ...prepOf(Code).symbols[0]!, groupName: 'Secret past' })
  const target = await make(
    'Outlived',
    [
      table('t', 'Rows'),
      table('m', 'Mixed'),
      { id: 'q', type: 'SEARCH', title: 'Find', groupNames: ['Prices'] },
    ],
    {
      datapreps: {
        t: { symbols: [inPast('Brent'), inPast('WTI')] },
        m: { symbols: [...prepOf('Brent').symbols, inPast('Brent')] },
      },
    },
  )
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  await anna.call(deleteGroup, { params: { name: 'Secret past' } })
  const page = await visit(`/Public${target.path}`)
  await tile(page, 'Rows').getByText('The data of this tile no longer exists.').waitFor()
  await tile(page, 'Mixed').getByText('89', { exact: true }).waitFor()
  await tile(page, 'Find').getByText('Visitors cannot use the symbol search.').waitFor()
  expect(await page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
  expect(await page.locator('main').textContent()).not.toContain('Secret')
  expect(await accessibilityProblems(page)).toEqual([])
})

test('an open page of a visitor loads the newer version when the insight is saved again', async () => {
  const dataOf = (Code: string) => ({
    t: { symbols: [{ groupName: 'Prices', symbols: { Code }, valueColumnNames: ['Close'] }] },
  })
  const made = await make('Saved again', [table('t', 'Rows')], { datapreps: dataOf('Brent') })
  await anna.call(updatePublicStatus, { body: { ...named(made), isPublic: true } })
  const page = await visit(`/Public${made.path}`)
  await tile(page, 'Rows').getByText('Brent').first().waitFor()
  const { content } = await anna.call(getInsight, { params: named(made) })
  const { groupName: oldGroupName, insightName: oldInsightName } = named(made)
  const body = { oldGroupName, oldInsightName, content: { ...content, datapreps: dataOf('WTI') } }
  await anna.call(updateInsight, { body })
  await page.getByRole('button', { name: 'Refresh the data' }).click()
  await tile(page, 'Rows').getByText('WTI').first().waitFor()
  expect(await tile(page, 'Rows').getByText('Brent').count()).toBe(0)
  expect(await page.locator('[data-tile-error]').count()).toBe(0)
})

test('visitors can choose the allowed values and the initial one, and any value only if the link permits it', async () => {
  const inputParams = {
    p1: {
      title: 'Choose',
      groupName: 'Prices',
      keys: [{ symbolKey: 'Code', defaultValue: 'Brent' }, { symbolKey: 'Region' }],
      withDateRange: true,
    },
  }
  const target = await make('Narrow', [table('t', 'Rows', { sourceInputParamsId: 'p1' })], {
    datapreps: { t: prepOf('Brent') },
    inputParams,
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  for (const [values, offered] of [
    [['WTI'], ['Brent', 'WTI']],
    [
      ['WTI', '*'],
      ['Any', 'Brent', 'WTI'],
    ],
    [['*'], ['Any', 'Brent', 'WTI']],
  ] as const) {
    const parameters = [{ name: 'code', values: [...values] }]
    const { path } = await anna.call(createPublicLink, { body: { ...named(target), parameters } })
    const page = await visit(path)
    await page.getByRole('button', { name: 'Parameters' }).click()
    await page.getByRole('button', { name: 'Apply' }).waitFor()
    await page.getByLabel('Code').click()
    await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(offered)
    await page.getByLabel('Code').fill('wt')
    await page.getByRole('option', { name: 'WTI', exact: true }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await tile(page, 'Rows').getByText('WTI').first().waitFor()
    expect(await page.getByLabel('Region').count()).toBe(0)
    expect(await page.getByLabel('Range').count()).toBe(0)
  }
})

test('visitors choose the page range only if the link allows dates', async () => {
  const target = await make('Dated', [table('t', 'Rows'), table('k', 'Kept', { keepOwnRange: true })], {
    datapreps: { t: prepOf('Brent'), k: prepOf('WTI') },
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const { path } = await anna.call(createPublicLink, { body: { ...named(target), dates: true } })
  const page = await visit(path)
  const rows = (title: string) =>
    tile(page, title)
      .getByText(/^2026-01-/)
      .count()
  await expect.poll(() => Promise.all(['Rows', 'Kept'].map(rows))).toEqual([5, 5])
  await page.getByRole('button', { name: 'Range Default' }).click()
  await page.getByRole('dialog', { name: 'Range' }).getByRole('button', { name: 'Last 7 days' }).click()
  await expect.poll(() => Promise.all(['Rows', 'Kept'].map(rows))).toEqual([7, 5])
  await tile(page, 'Kept').getByText('Own range: last 5 values').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.goto(new URL(`/Public${target.path}?range=ALL`, stage.server.url).href)
  await expect.poll(() => Promise.all(['Rows', 'Kept'].map(rows))).toEqual([5, 5])
  expect(await page.getByRole('button', { name: /^Range/ }).count()).toBe(0)
})

test('applies a value that a visitor types, and reports one that does not exist', async () => {
  const inputParams = {
    p1: { title: 'Choose', groupName: 'Prices', keys: [{ symbolKey: 'Code', defaultValue: 'Brent' }] },
  }
  const target = await make('Typed', [table('t', 'Rows', { sourceInputParamsId: 'p1' })], {
    datapreps: { t: prepOf('Brent') },
    inputParams,
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const parameters = [{ name: 'Code', values: ['*'] }]
  const { path } = await anna.call(createPublicLink, { body: { ...named(target), parameters } })
  const page = await visit(path)
  await page.getByRole('button', { name: 'Parameters' }).click()
  await page.getByLabel('Code').fill('WTI')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page.getByText('Parameters applied succesfully').waitFor()
  await tile(page, 'Rows').getByText('WTI').first().waitFor()
  await page.getByLabel('Code').fill('Nothing')
  await page.keyboard.press('Tab')
  await page.getByRole('button', { name: 'Apply' }).click()
  await page
    .getByRole('alert')
    .getByText('One of choosen symbols does not exist. Please select different ones.')
    .first()
    .waitFor()
  expect(new URL(page.url()).search).toContain('WTI')
})

test('the page of a group lists its public views for the owner, who revokes one', async () => {
  const target = await make('Ended by owner', [table('t', 'Rows')], { datapreps: { t: prepOf('Brent') } })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const page = await open('/Lake/Groups/Prices')
  await page.getByRole('button', { name: 'Show public views' }).click()
  const entry = page.getByRole('listitem').filter({ hasText: 'Ended by owner' })
  await entry.getByText('In Reports, published by anna').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await entry.getByRole('button', { name: 'Unpublish Ended by owner' }).click()
  await page.getByRole('button', { name: 'Unpublish', exact: true }).click()
  await page.getByText('“Ended by owner” is no longer public.').waitFor()
  await entry.waitFor({ state: 'detached' })
  const reply = await stage.server.nobody.fetch('/insight/public/proxy/Reports/Ended%20by%20owner')
  expect(reply.status).toBe(404)
})

test('parameters that open automatically do so for visitors with access, until they are closed', async () => {
  const inputParams = {
    p1: {
      title: 'Choose',
      groupName: 'Prices',
      keys: [{ symbolKey: 'Code', defaultValue: 'Brent' }],
      shouldOpenOnStart: true,
    },
  }
  const target = await make('Opens', [table('t', 'Rows', { sourceInputParamsId: 'p1' })], {
    datapreps: { t: prepOf('Brent') },
    inputParams,
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const parameters = [{ name: 'Code', values: ['WTI'] }]
  const { path } = await anna.call(createPublicLink, { body: { ...named(target), parameters } })
  const page = await visit(path)
  await page.getByRole('button', { name: 'Apply' }).waitFor()
  await page.getByLabel('Code').click()
  await expect.poll(() => page.getByRole('option').allTextContents()).toEqual(['Brent', 'WTI'])
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Close parameters' }).click()
  await page.goto(new URL(path, stage.server.url).href)
  await tile(page, 'Rows').getByText('Brent').first().waitFor()
  expect(await page.getByRole('button', { name: 'Apply' }).count()).toBe(0)
  // visitors without parameters have no panel
  const plain = await visit(`/Public${target.path}`)
  await tile(plain, 'Rows').getByText('Brent').first().waitFor()
  expect(await plain.getByRole('button', { name: 'Apply' }).count()).toBe(0)
})

test('unavailable content is listed before an insight is published, and its tile offers no retry', async () => {
  const code = { type: 'CODE', codeType: 'python', source: { type: 'EDITOR' }, templateContent: 'print(1)' }
  const target = await make('Coded', [{ ...code, id: 'c', title: 'Snake' }, text('a', 'Alpha')])
  const page = await open(target.path)
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await page.getByText('Visitors do not see “Snake”', { exact: false }).waitFor()
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const visited = await visit(`/Public${target.path}`)
  const snake = tile(visited, 'Snake')
  await snake.getByText('Hidden from visitors').waitFor()
  await snake.getByText('Visitors cannot use Python.', { exact: false }).waitFor()
  expect(await snake.getByRole('button', { name: 'Try again' }).count()).toBe(0)
})

test('a first link with choices starts with those of the insight; links are listed with their permissions and can be revoked individually', async () => {
  const inputParams = {
    p1: { title: 'Choose', groupName: 'Prices', keys: [{ symbolKey: 'Code', label: 'Metal' }] },
  }
  const target = await make('Linked', [table('t', 'Rows', { sourceInputParamsId: 'p1' })], {
    datapreps: { t: prepOf('Brent') },
    inputParams,
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const page = await open(target.path)
  const address = page.url()
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  const openShare = () => page.getByRole('button', { name: 'Share', exact: true }).click()
  await openShare()
  await page.getByRole('button', { name: 'Create link' }).waitFor()
  // Enter right after opening a dialog does not close it
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Share', exact: true }).click()
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Share Linked')
  await page.keyboard.press('Enter')
  const links = page.getByRole('list', { name: 'Links with parameters' }).getByRole('listitem')
  const values = page.getByLabel('Allowed values of Metal')
  await expect.poll(() => values.inputValue()).toBe('*')
  await page.getByRole('button', { name: 'Create link' }).dblclick()
  await links.getByText('Metal: Any New').waitFor()
  await page.getByText('Link created and copied.').waitFor()
  const query = named(target)
  const [created] = (await anna.call(listPublicLinks, { query })).items
  expect(await page.evaluate('navigator.clipboard.readText()')).toBe(`${stage.server.url}${created!.path}`)
  // The whole address is visible.
  const url = links.getByText(`${stage.server.url}${created!.path}`, { exact: true })
  expect(await url.evaluate((code) => code.scrollWidth <= code.clientWidth)).toBe(true)
  await values.fill('WTI, Gas')
  await page.getByLabel('Visitors can choose the date range').check()
  await page.getByRole('button', { name: 'Create link' }).click()
  await expect.poll(() => links.count()).toBe(2)
  expect(await links.first().textContent()).toContain('Metal: WTI, Gas · Date range: Any New')
  expect(await accessibilityProblems(page)).toEqual([])

  // The URL contains the open dialog: a reload opens it again, and Back and Escape return to the URL of the insight.
  expect(new URL(page.url()).search).toBe('?share=open')
  await page.reload()
  await page.getByRole('dialog', { name: 'Share Linked' }).waitFor()
  await page.goBack()
  await page.getByRole('dialog', { name: 'Share Linked' }).waitFor({ state: 'detached' })
  expect(page.url()).toBe(address)
  await page.goto(`${address}?share=open`)
  await page.getByRole('dialog', { name: 'Share Linked' }).waitFor()
  await page.keyboard.press('Escape')
  await expect.poll(() => page.url()).toBe(address)
  await openShare()
  await expect.poll(() => values.inputValue()).toBe('WTI, Gas')
  const { items } = await anna.call(listPublicLinks, { query })
  const wide = items.find(({ parameters }) => parameters[0]?.values[0] === '*')!
  const visitor = await visit(wide.path)
  await visitor.getByRole('button', { name: 'Metal Default' }).waitFor()
  await links.filter({ hasText: 'Metal: Any' }).getByRole('button', { name: 'Revoke link' }).click()
  await page.getByRole('dialog', { name: 'Revoke link' }).getByRole('button', { name: 'Revoke link' }).click()
  await expect.poll(() => links.count()).toBe(1)
  await visitor.reload()
  await visitor.getByText('This link is incomplete or out of date.', { exact: false }).waitFor()
})

test('the dialogs that delete an insight or a group list its public links and e-mail export', async () => {
  const target = await make('Leaving', [table('t', 'Rows')], { datapreps: { t: prepOf('Brent') } })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const page = await open(target.path)
  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('The insight is public. Its public link stops working immediately.').waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.goto(new URL('/Lake/Groups/Prices', stage.server.url).href)
  await page.getByRole('button', { name: 'Delete group' }).click()
  await dialog.getByText(/\d+ public insights? shows? data of this group\./).waitFor()
})

test('parameters that are open during a short server outage are requested with the access of the visitor', async () => {
  const inputParams = { p1: { title: 'Choose', groupName: 'Prices', keys: [{ symbolKey: 'Code' }] } }
  const target = await make('Away', [table('t', 'Rows', { sourceInputParamsId: 'p1' })], {
    datapreps: { t: prepOf('Brent') },
    inputParams,
  })
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const parameters = [{ name: 'Code', values: ['WTI'] }]
  const { path } = await anna.call(createPublicLink, { body: { ...named(target), parameters } })
  const page = await stage.newPage()
  await page.clock.install()
  await page.goto(new URL(path, stage.server.url).href)
  await page.getByRole('button', { name: 'Parameters' }).click()
  await page.getByRole('button', { name: 'Apply' }).waitFor()
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 401) refused.push(response.url())
  })
  await page.route('**/insight/public/proxy/**', (route) => route.abort())
  await expect
    .poll(
      async () => {
        await page.clock.runFor(5000)
        return page.getByText('The insight cannot be displayed').count()
      },
      { timeout: 20_000 },
    )
    .toBe(1)
  await page.unroute('**/insight/public/proxy/**')
  await page.getByRole('button', { name: 'Try again' }).click()
  await page.getByRole('button', { name: 'Apply' }).waitFor()
  expect(refused).toEqual([])
})

test('a chart, stats and a table bound to a parameter show visitors its initial value with its name', async () => {
  const inputParams = {
    p1: { title: 'Choose', groupName: 'Prices', keys: [{ symbolKey: 'Code', defaultValue: 'WTI' }] },
  }
  const bound = { sourceInputParamsId: 'p1', lastTypeAmount: 5 }
  const series = { groupName: 'Prices', column: 'Close', label: 'Brent' }
  const target = await make(
    'Bound',
    [
      {
        ...bound,
        id: 'c',
        type: 'Chart',
        title: 'Close of Brent',
        series: [{ ...series, symbolList: [{ Code: 'Brent' }] }],
      },
      {
        ...bound,
        id: 's',
        type: 'STATS',
        title: 'Figure',
        series: [{ ...series, label: '', symbols: { Code: 'Brent' } }],
      },
      table('t', 'Rows', bound),
    ],
    { datapreps: { t: prepOf('Brent') }, inputParams },
  )
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const page = await visit(`/Public${target.path}`)
  await tile(page, 'Close of WTI').getByRole('listitem').getByText('WTI', { exact: true }).waitFor()
  await tile(page, 'Figure').getByText('99', { exact: true }).waitFor()
  await tile(page, 'Figure').getByText('WTI').waitFor()
  await tile(page, 'Rows').getByText('WTI').first().waitFor()
  const own = await open(`${target.path}?params.p1=${encodeURIComponent('Code=*')}`)
  const legend = tile(own, 'Close').getByRole('listitem')
  await expect.poll(() => legend.allTextContents()).toEqual(['Brent', 'WTI'])
})

test('a template in the URL starts with the input parameter that the URL names', async () => {
  const content = {
    ...emptyContent(),
    tiles: [table('t', 'Rows', { sourceInputParamsId: 'p1' })],
    datapreps: { t: prepOf('Brent') },
    inputParams: {
      p1: { groupName: 'Prices', keys: [{ symbolKey: 'Code', label: 'Oil', defaultValue: 'Brent' }] },
    },
  } as InsightContent
  await anna.call(createInsightTemplate, {
    body: { groupName: 'Archive', name: 'Oils', parameters: [], outputs: [], content },
  })
  const page = await open('/Insight/Templates/Archive/Oils/Oil=WTI')
  await tile(page, 'Rows').getByText('WTI').first().waitFor()
  expect(await tile(page, 'Rows').getByText('Brent').count()).toBe(0)
})

test('IN-158 IN-159 IN-160 IN-163 IN-373 IN-374 IN-420 the public access form opens all tiles, including after a reload', async () => {
  const target = await make('Gated', [text('a', 'First'), text('b', 'Second'), text('c', 'Third')])
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  await anna.call(patchInsight, {
    body: {
      ...named(target),
      fields: [
        { name: 'is_self_activation_required', value: 'true' },
        { name: 'self_activation_tiles', value: '1' },
      ],
    },
  })
  const none = [{ name: 'self_activation_tiles', value: '0' }]
  await anna.call(patchInsight, { body: { ...named(target), fields: none } })
  const closed = await visit('/Public/Insight/Reports/Gated')
  await closed.getByRole('heading', { name: '3 tiles', exact: true }).waitFor()
  expect(await titles(closed)).toEqual([])
  const one = [{ name: 'self_activation_tiles', value: '1' }]
  await anna.call(patchInsight, { body: { ...named(target), fields: one } })
  const page = await visit('/Public/Insight/Reports/Gated')
  await page.getByRole('heading', { name: '2 more tiles' }).waitFor()
  await expect.poll(() => titles(page)).toEqual(['First'])
  expect(await accessibilityProblems(page)).toEqual([])
  const form = page.getByRole('form', { name: 'See all tiles' })
  for (const label of ['Full name', 'E-mail address', 'Company'])
    expect(await form.getByLabel(label).getAttribute('required')).not.toBeNull()
  await form.getByLabel('Full name').fill('Vera Visitor')
  await form.getByLabel('Discount code').fill('X1')
  await form.getByLabel('E-mail address').fill('vera')
  await form.getByLabel('Company').fill('ACME')
  await form.getByRole('button', { name: 'See all tiles' }).click()
  await form.getByText('This is not an e-mail address.').waitFor()
  await form.getByLabel('E-mail address').fill('vera@example.com')
  await form.getByText('This is not an e-mail address.').waitFor({ state: 'detached' })
  const submitted = page.waitForRequest((request) => request.url().endsWith('/insight/public/access'))
  await form.getByRole('button', { name: 'See all tiles' }).click()
  expect((await submitted).postDataJSON()).toEqual({
    company: 'ACME',
    email: 'vera@example.com',
    fullName: 'Vera Visitor',
    discountCode: 'X1',
    groupName: 'Reports',
    insightName: 'Gated',
  })
  await expect.poll(() => titles(page)).toEqual(['First', 'Second', 'Third'])
  await page.reload()
  await expect.poll(() => titles(page)).toEqual(['First', 'Second', 'Third'])
  expect(await storedKeys(page)).toEqual(['ng-public-access'])
  const owner = await open(target.path)
  await owner.getByRole('button', { name: 'Share', exact: true }).click()
  await owner.getByText('Vera Visitor, ACME · vera@example.com').waitFor()
  await owner.getByLabel('Tiles shown before the form').click()
  await expect.poll(() => owner.getByRole('option').allTextContents()).toEqual(['0', '1', '2', '3', '4'])
  const saved = owner.waitForResponse((response) => response.request().method() === 'PATCH' && response.ok())
  await owner.getByRole('option', { name: '2', exact: true }).click()
  await saved
  const visitor = await visit('/Public/Insight/Reports/Gated')
  await visitor.getByRole('heading', { name: 'One more tile', exact: true }).waitFor()
  expect(await titles(visitor)).toEqual(['First', 'Second'])
})

test('IN-031 IN-032 IN-034 an insight in a frame, public or not, has no sidebar and reports its height', async () => {
  const target = await make('Framed', [text('a', 'First'), text('b', 'Second')])
  await anna.call(updatePublicStatus, { body: { ...named(target), isPublic: true } })
  const page = await open(target.path)
  await tile(page, 'Second').waitFor()
  for (const framed of ['/Public/Insight/Reports/Framed', target.path]) {
    await page.route('**/host.html', (route) =>
      route.fulfill({
        contentType: 'text/html',
        body: `<body><iframe title="f" src="${framed}" width="800" height="300"></iframe>
          <script>window.heights = []; onmessage = ({ data }) => window.heights.push(data)</script></body>`,
      }),
    )
    await page.goto(new URL('/host.html', stage.server.url).href)
    const frame = page.frameLocator('iframe')
    await frame.getByRole('region', { name: 'Second' }).waitFor()
    expect(await frame.getByRole('navigation', { name: 'Main' }).count()).toBe(0)
    const messages = () => page.evaluate('window.heights') as Promise<{ type: string; height: number }[]>
    await expect
      .poll(async () => (await messages()).at(-1)?.type, { message: framed })
      .toBe('headwater:height')
    await expect.poll(async () => (await messages()).at(-1)?.height).toBeGreaterThan(300)
  }
})

test('each save is a version, which can be listed with its author, compared field by field, viewed and restored', async () => {
  const target = await make('History', [text('a', 'Alpha', 'one'), text('b', 'Beta')])
  await save(target, [text('a', 'Alpha', 'two'), text('c', 'Gamma')])
  const page = await open(target.path)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Versions' }).click()
  const list = page.getByRole('complementary', { name: 'Versions' })
  await list.getByText('anna@example.com').first().waitFor()
  await list.getByText('“Gamma” added, “Alpha” changed, “Beta” removed').waitFor()
  const row = page.getByRole('row', { name: /Tile text/ })
  await expect.poll(() => row.getByRole('cell').allTextContents()).toEqual(['one', 'two'])
  expect(await accessibilityProblems(page)).toEqual([])
  await list.getByRole('button', { name: /^v1/ }).click()
  await page.getByText('No earlier version to compare with.').waitFor()
  await page.getByRole('tab', { name: 'Preview' }).click()
  await expect.poll(() => titles(page)).toEqual(['Alpha', 'Beta'])
  await page.getByRole('button', { name: 'Restore' }).click()
  await page
    .getByRole('dialog', { name: 'Restore version 1' })
    .getByRole('button', { name: 'Restore' })
    .click()
  await page.getByText('Version 1 restored.').waitFor()
  await expect.poll(() => titles(page)).toEqual(['Alpha', 'Beta'])
  const { items } = await anna.call(listInsightVersions, { params: named(target) })
  expect(items.map(({ version }) => version)).toEqual([3, 2, 1])
})

test('changes of tile data have labels, or else the stored names', async () => {
  const line = (Code: string, more: object = {}) => ({
    label: '',
    groupName: 'Prices',
    symbolList: [{ Code }],
    column: 'Close',
    ...more,
  })
  const chart = (...series: object[]) => ({ id: 'c', title: 'Crude', type: 'Chart', series })
  const table = (columns: object[], source: object) => ({
    id: 't',
    title: 'Rows',
    type: 'Table',
    columns,
    source,
  })
  const target = await make('Reported', [
    chart(line('Brent')),
    table([{ columnId: 'Close', asyncFilters: [] }], { type: 'DATA_PREP', value: 't' }),
  ])
  await save(target, [
    chart(line('WTI'), line('Brent', { chartType: 'area' })),
    table([{ columnId: 'Close', asyncFilters: [{ name: 'Code', value: '*' }] }, { columnId: 'Open' }], {
      type: 'SOURCE_TILE',
      value: 'c',
    }),
  ])
  const page = await open(`${target.path}/Versions/2`)
  const messages = (title: string) =>
    page.getByRole('list', { name: `Data of ${title}` }).getByRole('listitem')
  await expect
    .poll(() => messages('Crude').allTextContents())
    .toEqual([
      'AddedSeries WTI, Close of Prices',
      'ChangedSeries Brent, Close: chart type from not set to area',
    ])
  await expect
    .poll(() => messages('Rows').allTextContents())
    .toEqual(['ChangedSource from its own series to the tile “Crude”', 'AddedColumn Open'])
  const stored = page.getByRole('group', { name: 'Column Close › Async filters, after' })
  expect(await stored.isVisible()).toBe(false)
  await page.getByText('Stored definition (JSON)').click()
  expect(JSON.parse((await stored.textContent())!)).toEqual([{ name: 'Code', value: '*' }])
  expect(await page.getByRole('table').count()).toBe(0)
  expect(await accessibilityProblems(page)).toEqual([])
})

test('IN-081 IN-087 IN-088 IN-089 the first save of an insight creates its group, then uploads the logo, then assigns the roles', async () => {
  const page = await open('/Insight/Creator')
  const calls: string[] = []
  const bodies: unknown[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'GET' || !pathname.startsWith('/insights')) return
    calls.push(`${request.method()} ${pathname}`)
    if (request.method() === 'POST') bodies.push(request.postDataJSON())
  })
  page.on('response', (response) => {
    const { pathname } = new URL(response.url())
    if (response.request().method() !== 'GET' && pathname.startsWith('/insights'))
      calls.push(`${response.status()} ${pathname}`)
  })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save insight' })
  await dialog.getByLabel('Name', { exact: true }).fill('New')
  await dialog.getByLabel('Create a new group').check()
  await dialog.getByLabel('Group', { exact: true }).fill('Fresh')
  await dialog.getByLabel('Description').fill('Brand new')
  await dialog.getByLabel('Tags').fill('oil')
  await page.keyboard.press('Enter')
  await dialog.getByLabel('Logo').setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/Insight/Fresh/New')
  await dialog.waitFor({ state: 'detached' })
  expect(bodies[0]).toMatchObject({
    groupName: 'Fresh',
    insightName: 'New',
    shouldCreateGroup: true,
    description: 'Brand new',
    tags: ['oil'],
    useUserToken: false,
  })
  // Each call waits for the response to the one before.
  expect(calls).toEqual([
    'POST /insights',
    '201 /insights',
    'PUT /insights/Fresh/New/logo',
    '200 /insights/Fresh/New/logo',
    'PUT /insights/roles',
    '200 /insights/roles',
  ])
})

test('IN-036 Edit requires write access to the group and the entitlement to write visualisations', async () => {
  const target = await make('Written', [text('a', 'Alpha')])
  const { pool } = stage.server.running.platform.database
  const { groupId } = await anna.call(getGroup, { params: { name: 'Reports' } })
  await pool.query(`insert into roles (name) values ('Looks only')`)
  await pool.query(
    `insert into role_entitlements (role_id, parent, resource, mode)
     select own.id, parent, resource, case when resource = 'Visualisations' then 'R' else mode end
     from roles as own, role_entitlements as given
     join roles as analyst on analyst.id = given.role_id and analyst.name = 'Analyst'
     where own.name = 'Looks only'`,
  )
  for (const [at, [role, access, count]] of (
    [
      ['Analyst', 'R', 0],
      ['Looks only', 'RW', 0],
      ['Analyst', 'RW', 1],
    ] as const
  ).entries()) {
    const user = await stage.server.createUser({ email: `writer${at}@example.com`, role })
    await pool.query(
      `insert into group_grants (group_id, user_id, access) select $1, id, $3 from users where user_name = $2`,
      [groupId, user.userName, access],
    )
    const page = await open(target.path, user)
    await tile(page, 'Alpha').waitFor()
    await page.getByRole('button', { name: 'More actions' }).waitFor()
    await expect.poll(() => page.getByRole('button', { name: 'Edit', exact: true }).count()).toBe(count)
  }
})

test('IN-089 IN-090 IN-091 IN-092 an edit conflict names its author; a save assigns the roles and ends editing', async () => {
  const target = await make('Conflict', [text('a', 'Alpha')])
  const page = await open(`${target.path}?edit=true`)
  const change = async () => {
    await tile(page, 'Alpha').getByRole('heading', { name: 'Alpha' }).click()
    await tile(page, 'Alpha').getByRole('button', { name: 'Duplicate tile' }).click()
    await page.keyboard.press('Control+s')
  }
  await page.getByText('editing · v1').waitFor()
  await save(target, [text('a', 'Alpha'), text('z', 'Zeta')])
  await change()
  const own = page.getByRole('dialog', { name: 'You saved this insight elsewhere' })
  await own.getByText('in another tab or on another device', { exact: false }).waitFor()
  await own.getByRole('button', { name: 'Keep editing' }).click()
  await save(target, [text('a', 'Alpha')], stage.server.admin)
  await page.keyboard.press('Control+s')
  const other = page.getByRole('dialog', { name: 'Someone else saved this insight' })
  await other.getByText(`was saved by ${stage.server.admin.userName}`, { exact: false }).waitFor()
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (request.method() === 'PUT') calls.push(`${pathname} ${JSON.stringify(request.postDataJSON())}`)
  })
  await other.getByRole('button', { name: 'Save mine as latest' }).click()
  await page.getByText('Insight has been saved.').waitFor()
  await page.getByText(/^editing/).waitFor({ state: 'detached' })
  const savedTitles = ['Alpha', 'Alpha(1)']
  expect(await titles(page)).toEqual(savedTitles)
  // Without groups the server gives R on every group the insight shows.
  expect(calls).toEqual([
    expect.stringMatching(/^\/insights \{/) as string,
    `/insights/roles ${JSON.stringify(named(target))}`,
  ])
  expect((await anna.call(getInsight, { params: named(target) })).version).toBe(4)
  // Info and content are saved, so leaving the page needs no confirmation.
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByText('editing · v4').waitFor()
  expect(await titles(page)).toEqual(savedTitles)
  await page.getByRole('navigation', { name: 'Breadcrumbs' }).getByRole('link', { name: 'Insight' }).click()
  await page.waitForURL('**/Insight')
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('IN-081 IN-083 IN-087 IN-088 IN-089 IN-090 IN-091 IN-092 IN-094 IN-100 IN-105 IN-110 a save uploads the logo before it assigns the roles; a copy has the saved content and reuses the logo', async () => {
  const target = await make('Pictured', [text('a', 'Alpha')])
  const page = await open(target.path)
  const calls: string[] = []
  const bodies: Record<string, unknown> = {}
  page.on('request', (request) => {
    if (request.method() === 'GET') return
    const call = `${request.method()} ${new URL(request.url()).pathname}`
    calls.push(call)
    if (call.endsWith('/insights')) bodies[call] = request.postDataJSON()
  })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename, move or tag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename, move or tag' })
  const picker = dialog.getByLabel('Logo')
  expect(await picker.getAttribute('accept')).toBe('image/png,image/jpeg')
  expect(await picker.getAttribute('multiple')).toBeNull()
  await picker.setInputFiles({ name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from('<svg/>') })
  const notPicture = dialog.getByText('A logo is a PNG or JPEG image.', { exact: false })
  await notPicture.waitFor()
  await picker.setInputFiles({ name: 'a.jpg', mimeType: 'image/jpeg', buffer: Buffer.from([0xff, 0xd8]) })
  await notPicture.waitFor({ state: 'detached' })
  await picker.setInputFiles({
    name: 'a.png',
    mimeType: 'image/png',
    buffer: Buffer.from('<svg onload="x"/>'),
  })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.getByText('A logo is a PNG or JPEG image. Choose another file.').waitFor()
  await picker.setInputFiles({ name: 'a.png', mimeType: 'image/png', buffer: png })
  await notPicture.waitFor({ state: 'detached' })
  await dialog.getByLabel('Tags').fill('crude')
  await page.keyboard.press('Enter')
  calls.length = 0
  await dialog.getByRole('button', { name: 'Save' }).click()
  await dialog.waitFor({ state: 'detached' })
  expect(bodies['PUT /insights']).toMatchObject({
    content: { tiles: [{ id: 'a' }] },
    fields: expect.arrayContaining([{ name: 'description', value: 'About Pictured' }]) as object,
    isWorkflow: false,
    oldGroupName: 'Reports',
    oldInsightName: 'Pictured',
    newGroupName: 'Reports',
    newInsightName: 'Pictured',
    tags: ['crude'],
    waitForUpload: true,
  })
  expect(calls.filter((call) => call.includes('/insights'))).toEqual([
    'PUT /insights',
    'PUT /insights/Reports/Pictured/logo',
    'PUT /insights/roles',
  ])
  await page.getByLabel('Notifications').getByText('Insight has been saved.', { exact: true }).waitFor()
  await page.locator('img[src^="blob:"]').waitFor()
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Save a copy' }).click()
  const copy = page.getByRole('dialog', { name: 'Save a copy' })
  calls.length = 0
  await copy.getByRole('button', { name: 'Save copy' }).click()
  await page.waitForURL('**/Pictured%20copy')
  await copy.waitFor({ state: 'detached' })
  expect(calls.filter((call) => call.includes('/insights'))).toEqual([
    'POST /insights',
    'PUT /insights/roles',
  ])
  const logoOf = async (insightName: string) =>
    infoValue((await anna.call(getInsight, { params: { groupName: 'Reports', insightName } })).fields, 'logo')
  const logo = await logoOf('Pictured')
  expect(logo).toMatch(/^[0-9a-f-]{36}$/)
  expect(bodies['POST /insights']).toMatchObject({
    content: { tiles: [{ id: 'a' }] },
    description: 'About Pictured',
    groupName: 'Reports',
    insightName: 'Pictured copy',
    isWorkflow: false,
    logoId: logo,
    tags: ['crude'],
    type: 'VISUALISATION',
    useUserToken: false,
  })
  expect(await logoOf('Pictured copy')).toBe(logo)
})

test('IN-074 a logo is requested once, cached while the page is open, and not requested again after a failure', async () => {
  for (const insightName of ['Logo', 'Lost logo']) {
    const { path } = await make(insightName, [text('a', 'Alpha')])
    const put = await anna.fetch(`${path.replace('/Insight/', '/insights/')}/logo`, {
      method: 'PUT',
      body: png,
    })
    expect(put.status).toBe(200)
  }
  const page = await stage.newPage()
  await page.clock.install()
  const requested: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.endsWith('/logo')) requested.push(pathname)
  })
  await openAs(page, stage.server.url, anna.userName, '/Insight')
  const logo = page.locator('img[src^="blob:"]')
  for (let visit = 0; visit < 2; visit += 1) {
    await page.getByRole('link', { name: 'Logo', exact: true }).click()
    await logo.waitFor()
    const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' })
    await crumbs.getByRole('link', { name: 'Insight' }).click()
    await page.getByRole('link', { name: 'Lost logo' }).waitFor()
    // Longer than the default cache time of responses.
    await page.clock.fastForward(600_000)
  }
  expect(requested).toEqual(['/insights/Reports/Logo/logo'])
  await page.route('**/logo', (route) => route.abort())
  const failed = page.waitForEvent('requestfailed', (request) => request.url().endsWith('/logo'))
  await page.getByRole('link', { name: 'Lost logo' }).click()
  await failed
  await tile(page, 'Alpha').waitFor()
  // Longer than the delay of a retry.
  await page.clock.runFor(10_000)
  expect(requested).toEqual(['/insights/Reports/Logo/logo', '/insights/Reports/Lost%20logo/logo'])
})

test('new details of an insight do not overwrite changes that another user has saved in the meantime', async () => {
  const target = await make('Renamed meanwhile', [text('a', 'Alpha')])
  const page = await open(target.path)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename, move or tag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename, move or tag' })
  await dialog.getByLabel('Description').fill('Mine')
  await save(target, [text('a', 'Alpha'), text('z', 'Zeta')], stage.server.admin)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText(`was saved by ${stage.server.admin.userName}`, { exact: false }).waitFor()
  const { version, content } = await anna.call(getInsight, { params: named(target) })
  expect([version, content.tiles.map(({ title }) => title)]).toEqual([2, ['Alpha', 'Zeta']])
})

test('IN-103 IN-105 IN-106 IN-107 IN-108 IN-109 server validation errors are shown on their field or as a message', async () => {
  await make('Taken', [])
  const target = await make('Mover', [text('a', 'Alpha')])
  const page = await open(target.path)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename, move or tag' }).click()
  const dialog = page.getByRole('dialog', { name: 'Rename, move or tag' })
  await dialog.getByLabel('Name', { exact: true }).fill('Taken')
  await dialog.getByRole('button', { name: 'Save' }).click()
  const refused = dialog.getByText(
    'The group “Reports” already has an insight “Taken”. Choose another name.',
    { exact: true },
  )
  await refused.waitFor()
  await expect.poll(() => problemOf(dialog, 'Name')).toContain('already has an insight “Taken”')
  await dialog.getByLabel('Name', { exact: true }).fill('Mover')
  await refused.waitFor({ state: 'detached' })

  // The form rejects such values, so the test inserts them into the request.
  const change = { newGroupName: 'x'.repeat(201), tags: ['x'.repeat(65)] }
  const fields = [{ name: 'description', value: 'x'.repeat(4001) }]
  await page.route('**/insights', (route) =>
    route.continue({
      postData: JSON.stringify({ ...(route.request().postDataJSON() as object), ...change, fields }),
    }),
  )
  await dialog.getByRole('button', { name: 'Save' }).click()
  const wrong = { Group: '200', Description: '4,000', Tags: 'A tag has at most 64 characters.' }
  for (const [label, text] of Object.entries(wrong))
    await expect.poll(() => problemOf(dialog, label), { message: label }).toContain(text)
  await page.unroute('**/insights')
  await dialog.getByLabel('Description').fill('Changed')
  await expect.poll(() => problemOf(dialog, 'Description')).toBe('')
  await dialog.getByLabel('Tags').fill('oil')
  await page.keyboard.press('Enter')
  await expect.poll(() => problemOf(dialog, 'Tags')).toBe('')
  expect(await problemOf(dialog, 'Group')).not.toBe('')
  await dialog.getByLabel('Group', { exact: true }).fill('Arch')
  await page.getByRole('option', { name: 'Archive' }).click()
  await expect.poll(() => problemOf(dialog, 'Group')).toBe('')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Insight has been moved to the new group.').waitFor()
  await page.waitForURL('**/Insight/Archive/Mover')

  // The builder creates no such title, so the test inserts it into the request.
  await page.route('**/insights', async (route) => {
    const body = route.request().postDataJSON() as { content: InsightContent }
    for (const each of body.content.tiles) each.title = each.title.padEnd(501, 'x')
    await route.continue({ postData: JSON.stringify(body) })
  })
  const toasts = page.getByLabel('Notifications')
  const messages = toasts.getByText('A title has at most 500 characters.', { exact: true })
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Rename, move or tag' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await messages.waitFor()
  expect(await dialog.getByText('A title has at most 500 characters.').count()).toBe(0)
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await messages.waitFor({ state: 'detached', timeout: 60_000 })
  await page.getByRole('button', { name: 'Edit', exact: true }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).waitFor()
  // Without a form, every error is reported, including those that a form would show at its field.
  await page.unroute('**/insights')
  await page.route('**/insights', async (route) => {
    const body = route.request().postDataJSON() as { content: InsightContent }
    for (const each of body.content.tiles) each.title = each.title.padEnd(501, 'x')
    await route.continue({ postData: JSON.stringify({ ...body, ...change, fields }) })
  })
  const response = page.waitForResponse((each) => each.request().method() === 'PUT')
  await page.keyboard.press('Control+s')
  const { validationErrors } = (await (await response).json()) as {
    validationErrors: { field: string; message: string }[]
  }
  expect(validationErrors.map(({ field }) => field).toSorted()).toEqual([
    'content.tiles[0].title',
    'fields[0].value',
    'newGroupName',
    'tags[0]',
  ])
  for (const { message } of validationErrors) await toasts.getByText(message, { exact: true }).waitFor()
})

test('IN-017 IN-018 IN-020 IN-025 IN-027 IN-054 the URLs of an insight, of the lists and of an unknown insight', async () => {
  const target = await make('Addressed', [text('a', 'Alpha')])
  const page = await stage.newPage()
  const paths: string[] = []
  page.on('request', (request) => paths.push(new URL(request.url()).pathname))
  await openAs(
    page,
    stage.server.url,
    anna.userName,
    target.path.toLowerCase().replace('reports/addressed', 'Reports/Addressed'),
  )
  await tile(page, 'Alpha').waitFor()
  expect(paths).toContain('/insight/proxy/Reports/Addressed.json')
  paths.length = 0
  await page.goto(new URL(`${target.path}/deeper/still?edit=true`, stage.server.url).href)
  await tile(page, 'Alpha').waitFor()
  await page.getByText('editing · v1').waitFor()
  expect(paths.filter((path) => path.includes('/proxy/'))).toEqual([])
  await page.route('**/insight/proxy/Reports/Addressed.json', (route) =>
    route.fulfill({ status: 500, json: { status: 500, code: 'x', message: 'The mill is broken' } }),
  )
  for (const [name, reason] of [
    ['Nothing', 'There is no insight “Nothing”'],
    ['Addressed', 'The mill is broken'],
  ] as const) {
    const reported = page.waitForRequest((request) => request.url().endsWith('/log/error'))
    await page.goto(new URL(`/Insight/Reports/${name}`, stage.server.url).href)
    await page.waitForURL('**/Insight')
    expect((await reported).postData()).toContain(reason)
    await page.getByRole('status', { name: 'Reason for this page' }).getByText(reason).waitFor()
  }
  await page.getByRole('link', { name: 'Templates' }).click()
  await page.getByRole('heading', { name: 'Templates' }).waitFor()
  expect(new URL(page.url()).pathname).toBe('/Insight/Templates')
  await page.goto(new URL('/Insight/PublicView', stage.server.url).href)
  await page.getByRole('heading', { name: 'Public view' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.goto(new URL('/Insight/Creator', stage.server.url).href)
  await page.getByText('not saved yet').waitFor()
})

test('IN-047 IN-068 IN-069 IN-072 SH-035 SH-050 SH-108 lists refresh every 10 s unless the API is rate-limited, favourites every 20 s with one search each', async () => {
  for (const name of ['Plain', 'Star one', 'Star two']) await make(name, [])
  const favorite = (fileName: string) => ({ fileName, groupName: 'Reports', favorite: true })
  await anna.call(updateSettings, {
    body: {
      settings: {
        favoriteInsights: JSON.stringify([favorite('Star one.json'), favorite('Star two.json')]),
      },
    },
  })
  const page = await stage.newPage()
  await page.clock.install()
  const queries: URLSearchParams[] = []
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.pathname === '/insights') queries.push(url.searchParams)
  })
  await openAs(page, stage.server.url, anna.userName, '/Insight')
  await page.getByRole('link', { name: 'Star one' }).waitFor()
  for (const name of ['Star one', 'Star two'])
    await page.getByRole('button', { name: `Remove ${name} from favourites` }).waitFor()
  await page.getByRole('button', { name: 'Add Plain to favourites' }).waitFor()
  await stopClock(page)
  const polled = page.waitForResponse((response) => new URL(response.url()).pathname === '/insights')
  await page.clock.runFor(10_000)
  await (await polled).finished()
  queries.length = 0
  await page.clock.runFor(9000)
  expect(queries.map(String)).toEqual([])
  await page.clock.runFor(2000)
  await expect.poll(() => queries.length).toBe(1)
  expect([queries[0]?.get('insightType'), queries[0]?.get('from')]).toEqual(['VISUALISATION', '0'])

  await page.getByRole('tab', { name: 'Favourites' }).click()
  const favourites = page.getByLabel('Favourite insights')
  // Timers render new data, and the test must advance the stopped clock.
  await pollClock(page, 20, () => favourites.getByRole('link', { name: /^Star/ }).count()).toBe(2)
  const searches = () =>
    queries
      .filter((query) => query.get('size') === '1')
      .map((query) => query.get('query') ?? '')
      .toSorted((a, b) => a.localeCompare(b))
  const each = ['groupName=Reports&name=Star one', 'groupName=Reports&name=Star two']
  await expect.poll(() => [...new Set(searches())]).toEqual(each)
  queries.length = 0
  await page.clock.runFor(17_000)
  expect(queries.map(String)).toEqual([])
  await page.clock.runFor(3500)
  await expect.poll(searches).toEqual(each)

  // A response 429 limits the API for 120 s: neither favourites nor the list refresh.
  await page.getByRole('tab', { name: 'Visualisations' }).click()
  await page.route('**/insights?*', (route) =>
    route.fulfill({ status: 429, json: { status: 429, code: 'tooManyRequests', message: 'Wait.' } }),
  )
  queries.length = 0
  const limit = page.waitForResponse((response) => response.status() === 429)
  await pollClock(page, 2000, () => queries.length).toBeGreaterThan(0)
  await (await limit).finished()
  await page.clock.runFor(200)
  await page.unroute('**/insights?*')
  const before = queries.length
  await page.clock.runFor(60_000)
  expect(queries.length).toBe(before)
  // Requests resume when the limit ends.
  await page.clock.runFor(65_000)
  await expect.poll(() => queries.length).toBeGreaterThan(before)
  queries.length = 0
  await pollClock(page, 2000, () => queries.length).toBeGreaterThan(0)
})

test('IN-090 IN-358 IN-359 IN-360 IN-361 IN-362 IN-364 IN-365 a template in the URL becomes an unsaved insight with its outputs', async () => {
  await anna.call(createGroup, { body: { name: 'From templates' } })
  await upload(anna, {
    groupName: 'Archive',
    fileName: 'rows.csv',
    content: 'Region,Share\n"North, upper",40\nSouth,60\n',
  })
  const content = {
    ...emptyContent(),
    tiles: [table('t', 'Rows of {{region}}'), text('note', 'Note', '{{note}}')],
    inputParams: { p1: { title: 'Choose', groupName: 'Prices', keys: [{ symbolKey: 'Region' }] } },
  } as InsightContent
  const outputs = [
    { fileName: 'rows.csv', tileId: 't' },
    { fileName: 'rows.csv', inputParamsId: 'p1' },
  ]
  await anna.call(createInsightTemplate, {
    body: {
      groupName: 'Archive',
      name: 'Regions',
      parameters: [{ name: 'region' }, { name: 'note' }],
      outputs,
      content,
    },
  })
  const page = await open('/Insight/Templates')
  page.on('dialog', (dialog) => void dialog.accept())
  await page.getByRole('link', { name: 'Regions' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const params = encodeURIComponent('region=Europe|note=100% of A/B & C, %41')
  await page.goto(new URL(`/Insight/Templates/Archive/Regions/${params}`, stage.server.url).href)
  await tile(page, 'Rows of Europe').waitFor()
  await tile(page, 'Note').getByText('100% of A/B & C, %41', { exact: true }).waitFor()
  await page.getByText('Created from the template Regions. Save it to keep it.').waitFor()
  await page.getByText('not saved yet').waitFor()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const dialog = page.getByRole('dialog', { name: 'Save insight' })
  await dialog.getByLabel('Name', { exact: true }).fill('From template')
  await dialog.getByLabel('Group', { exact: true }).fill('From t')
  await page.getByRole('option', { name: 'From templates' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL('**/Insight/From%20templates/From%20template')
  await dialog.waitFor({ state: 'detached' })
  await page.getByText('not saved yet').waitFor({ state: 'detached' })
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await tile(page, 'Rows of Europe').getByText('North, upper', { exact: true }).waitFor()
  const made = { groupName: 'From templates', insightName: 'From template' }
  expect(await anna.call(getInsight, { params: made })).toMatchObject({
    description: 'Created from the template Regions. Save it to keep it.',
    content: { inputParams: { p1: { keys: [{ symbolKey: 'Region', defaultValue: 'North, upper' }] } } },
  })
  const logged = page.waitForRequest(
    (request) =>
      request.url().endsWith('/log/error') &&
      (request.postData() ?? '').includes('Not a proper template params'),
  )
  await page.goto(new URL('/Insight/Templates/Archive/Regions/broken', stage.server.url).href)
  await logged
  await tile(page, 'Rows of {{region}}').waitFor()
  await page.goto(new URL('/Insight/Templates/Archive/None', stage.server.url).href)
  await page.getByText('Insight template not found').waitFor()
  await page.waitForURL('**/Insight/Templates')
})

test('IN-008 IN-028 IN-375 IN-376 IN-377 IN-379 IN-380 IN-382 IN-383 IN-384 the EXPORT view creates the exporter of an insight and runs it', async () => {
  const target = await make('Mailed', [text('a', 'Alpha')])
  const page = await open(target.path)
  const id = await idOf('Mailed')
  const release = await holdRequests(page, 'GET', `/insight/${id}/exporter`)
  await page.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Export by e-mail' }).click()
  await page.waitForURL('**?view=EXPORT')
  const step = () => page.locator('[data-step]').getAttribute('data-step')
  await expect.poll(step).toBe('CHECK_IN_PROGRESS')
  const views = page.getByRole('tablist', { name: 'Views of the insight' }).getByRole('tab')
  expect(await views.allTextContents()).toEqual(['Layout', 'Export'])
  release()
  await expect.poll(step).toBe('PIPELINE_DOES_NOT_EXIST')
  await page.getByText('No export yet', { exact: true }).waitFor()
  const form = page.getByRole('form', { name: 'Export by e-mail' })
  for (const email of ['anna@example.com', 'ben@example.com']) {
    await form.getByLabel('Recipients').fill(email)
    await form.getByLabel('Recipients').press('Enter')
  }
  await form.getByLabel('Subject').fill('Prices of today')
  await form.getByLabel('Report title').fill('The report')
  const model = page.waitForRequest((request) => request.url().includes('name=insight-exporter'))
  const create = await holdRequests(page, 'POST', '/mgmt/pipeline')
  const created = page.waitForRequest((request) => isCall(request, 'POST', '/mgmt/pipeline'))
  await form.getByRole('button', { name: 'Create export' }).click()
  expect(Object.fromEntries(new URL((await model).url()).searchParams)).toEqual({
    name: 'insight-exporter',
    groupName: 'Pipeline templates',
    version: 'latest',
  })
  const body = (await created).postDataJSON() as Record<string, unknown>
  expect(Object.keys(body).toSorted()).toEqual(['groupName', 'name', 'payload', 'tags', 'tasks'])
  expect(body).toMatchObject({ name: 'Mailed email exporter', groupName: 'Reports', tags: ['insight'] })
  await expect.poll(step).toBe('IN_PROGRESS')
  create()
  await expect.poll(step).toBe('PIPELINE_EXISTS')
  await page.getByText('The export is set up', { exact: true }).waitFor()
  const { tasks } = body as { tasks: { taskOverrides: { params: { name: string; value: string }[] } }[] }
  expect(tasks.flatMap(({ taskOverrides }) => taskOverrides.params)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ name: 'subject', value: 'Prices of today' }) as object,
      expect.objectContaining({ name: 'title', value: 'The report' }) as object,
      expect.objectContaining({ name: 'recipients', value: 'anna@example.com,ben@example.com' }) as object,
    ]),
  )
  await page.getByText('anna@example.com,ben@example.com').waitFor()
  await page.getByText('Mailed email exporter-html-template.html').first().waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const runs: unknown[] = []
  page.on('request', (request) => {
    if (/\/mgmt\/pipeline\/[^/]+\/execute$/.test(request.url())) runs.push(request.postDataJSON())
  })
  const send = form.getByRole('button', { name: 'Send now' })
  // A message can cover the button for a while; a forced click does not wait for it.
  await send.click({ trial: true })
  const started = page.waitForResponse((response) => response.url().endsWith('/execute'))
  await send.dblclick({ force: true })
  const { jobId } = (await (await started).json()) as { jobId: string }
  const exporterId = new URL((await started).url()).pathname.split('/').at(-2)!
  const run = page.getByRole('region', { name: 'Run' })
  await run.getByText('No mail server is configured', { exact: false }).waitFor()
  await expect.poll(() => send.isEnabled()).toBe(true)
  const pipelineId = expect.any(String) as string
  expect(runs).toEqual([{ pipelineId, details: { version: 1 } }])
  const { items } = await anna.call(searchStatuses, { query: { jobId } })
  expect(items).toMatchObject([{ name: 'Mailed email exporter', jobId }])
  const markdownId = 'documentation-1'
  await anna.call(updatePipeline, {
    params: { pipelineId: exporterId },
    body: { ...body, pipelineId: exporterId, markdownId, version: 1 } as never,
  })
  await page.reload()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Statuses' }).click()
  const panel = page.getByRole('dialog', { name: 'Statuses' })
  await panel.getByText('Mailed email exporter').first().waitFor()
  await panel.press('Escape')
  await panel.waitFor({ state: 'detached' })
  // The sidebar covers the tabs as long as the pointer is on it.
  await form.getByLabel('Subject').hover()
  await form.getByLabel('Subject').fill('Another one')
  await page.getByRole('tab', { name: 'Layout' }).click()
  const guard = page.getByRole('dialog', { name: 'Unsaved changes' })
  await guard.getByRole('button', { name: 'Stay' }).click()
  await guard.waitFor({ state: 'detached' })
  expect(await form.getByLabel('Subject').inputValue()).toBe('Another one')
  const updated = page.waitForRequest((request) => request.method() === 'PUT')
  await form.getByRole('button', { name: 'Save' }).click()
  const update = (await updated).postDataJSON() as Record<string, unknown>
  const { version, ...rest } = update
  expect(version).toBe(2)
  expect(Object.keys(rest).toSorted()).toEqual([...Object.keys(body), 'pipelineId', 'markdownId'].toSorted())
  expect(update).toMatchObject({
    name: 'Mailed email exporter',
    groupName: 'Reports',
    tags: ['insight'],
    markdownId,
    payload: body.payload,
  })
  expect(JSON.stringify(update.tasks)).toContain('Another one')
  expect(new URL((await updated).url()).pathname).toBe(`/mgmt/pipeline/${update.pipelineId as string}`)
  await page.getByText('The export has been changed.').waitFor()
  await page.getByRole('tab', { name: 'Layout' }).click()
  await tile(page, 'Alpha').waitFor()
  expect(new URL(page.url()).searchParams.get('view')).not.toBe('EXPORT')
  expect(await guard.count()).toBe(0)
})

test('an insight without an exporter logs nothing in the console, in its export view and before it is deleted', async () => {
  const target = await make('Unmailed', [text('a', 'Alpha')])
  const page = await stage.newPage()
  const printed: string[] = []
  page.on('console', (message) => printed.push(message.text()))
  await openAs(page, stage.server.url, anna.userName, `${target.path}?view=EXPORT`)
  await page.getByText('No export yet', { exact: true }).waitFor()
  await page.goto(new URL(target.path, stage.server.url).href)
  await page.getByRole('button', { name: 'More actions' }).click()
  const id = await idOf('Unmailed')
  const looked = page.waitForResponse((response) => response.url().endsWith(`/insight/${id}/exporter`))
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await looked
  await page.getByRole('dialog', { name: 'Delete insight' }).getByRole('button', { name: 'Cancel' }).click()
  expect(printed).toEqual([])
})

test('IN-376 IN-378 any failure while the exporter is created sets the step to error', async () => {
  const target = await make('Unsent', [text('a', 'Alpha')])
  const page = await open(`${target.path}?view=EXPORT`)
  const step = () => page.locator('[data-step]').getAttribute('data-step')
  await expect.poll(step).toBe('PIPELINE_DOES_NOT_EXIST')
  const form = page.getByRole('form', { name: 'Export by e-mail' })
  const create = form.getByRole('button', { name: 'Create export' })
  await create.click()
  await form.getByText('Enter at least one recipient.').waitFor()
  await expect.poll(step).toBe('ERROR')
  await page.getByText('The export was not saved', { exact: true }).waitFor()
  await form.getByLabel('Recipients').fill('anna@example.com')
  await form.getByLabel('Recipients').press('Enter')
  // The template cannot be read, then the pipeline cannot be created.
  for (const [method, path] of [
    ['GET', '/mgmt/pipeline/name'],
    ['POST', '/mgmt/pipeline'],
  ] as const) {
    const matches = (url: URL) => url.pathname === path
    const refused = page.waitForEvent('requestfailed', (request) => isCall(request, method, path))
    await page.route(matches, (route) =>
      route.request().method() === method ? route.abort() : route.continue(),
    )
    await create.click()
    await refused
    await expect.poll(step).toBe('ERROR')
    await page.unroute(matches)
  }
  await create.click()
  await expect.poll(step).toBe('PIPELINE_EXISTS')
})

const isCall = (request: Request, method: string, path: string) =>
  request.method() === method && new URL(request.url()).pathname === path

/** Delays requests until the returned function is called. */
async function holdRequests(page: Page, method: string, path: string): Promise<() => void> {
  let release = () => {}
  const held = new Promise<void>((resolve) => {
    release = resolve
  })
  await page.route(
    (url) => url.pathname === path,
    async (route) => {
      if (route.request().method() === method) await held
      await route.continue()
    },
  )
  return release
}

test('an insight can be saved as a template with a proposed free name and a task of a group', async () => {
  await taskOfTemplate('Proposed', ['print(1)'])
  const target = await make('Model', [text('a', 'Alpha')])
  await anna.call(createInsightTemplate, {
    body: { groupName: 'Reports', name: 'Model template', content: emptyContent() },
  })
  const page = await open(target.path)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as template' })
  const name = dialog.getByLabel('Name', { exact: true })
  await expect.poll(() => name.inputValue()).toBe('Model template 2')
  await dialog.getByLabel('Task').click()
  await page.getByRole('option', { name: /Proposed/ }).waitFor()
  expect(await page.getByRole('option', { name: /built in/ }).count()).toBe(0)
  await page.getByRole('option', { name: /Proposed/ }).click()
  await dialog.getByText('Users who open it also need read access to Archive.', { exact: false }).waitFor()
  await name.fill('Model')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await dialog.getByText('already has an insight “Model”', { exact: false }).waitFor()
  await name.fill('Model template 2')
  await dialog.getByRole('button', { name: 'Save template' }).click()
  await page.getByText('Template has been saved.').waitFor()
})

test('an existing template is replaced only after a confirmation that names its owner', async () => {
  const target = await make('P&L = 100%', [text('a', 'Alpha')])
  const names = { groupName: 'Reports', name: 'P&L = 100% template' }
  const { fileId } = await stage.server.admin.call(createInsightTemplate, {
    body: { ...names, description: 'of the administrator', content: emptyContent() },
  })
  const page = await open(target.path)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Save as template' }).click()
  const dialog = page.getByRole('dialog', { name: 'Save as template' })
  const name = dialog.getByLabel('Name', { exact: true })
  await expect.poll(() => name.inputValue()).toBe('P&L = 100% template 2')
  await name.fill(names.name)
  const save = dialog.getByRole('button', { name: 'Save template' })
  await save.click()
  const confirmation = page.getByRole('dialog', { name: 'Replace the template?' })
  await confirmation
    .getByText(`${stage.server.admin.userName} saved “${names.name}”`, { exact: false })
    .waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await confirmation.getByRole('button', { name: 'Cancel' }).click()
  await confirmation.waitFor({ state: 'detached' })
  const look = () => anna.call(lookUpTemplateName, { query: { ...names, insightName: target.insightName } })
  expect((await look()).template?.fileId).toBe(fileId)
  await save.click()
  await confirmation.getByRole('button', { name: 'Replace' }).click()
  await page.getByText('Template has been saved.').waitFor()
  await dialog.waitFor({ state: 'detached' })
  const { template } = await look()
  expect([template?.fileId === fileId, template?.owner]).toEqual([false, 'anna@example.com'])
})

/** A task of an administrator that runs before a template opens. */
async function taskOfTemplate(name: string, lines: string[], groupName = 'Archive'): Promise<void> {
  await stage.server.admin.call(createTask, {
    body: {
      name,
      groupName,
      definitionName: 'python-runner',
      readableName: `Task ${name}`,
      timeout: 60,
      params: [
        { name: 'Script', value: lines.join('\n'), valueType: 'SCRIPT' },
        { name: 'region', defaultValue: 'North' },
      ],
    },
  })
}

/** Python that writes a text as a file of the lake. */
const writeFile = (fileName: string, text: string) => [
  'import json, os, urllib.request',
  'def call(url, data, method="POST", headers={}):',
  '    request = urllib.request.Request(url, data=data, method=method, headers=headers)',
  '    return urllib.request.urlopen(request).read()',
  'headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "Content-Type": "application/json"}',
  `body = {"groupName": "Archive", "fileName": "${fileName}", "fileType": "SOURCE", "fields": []}`,
  'made = json.loads(call(os.environ["NG_API_ENDPOINT"] + "/file", json.dumps(body).encode(), headers=headers))',
  `call(made["location"], (${text}).encode(), "PUT")`,
]

test('IN-363 IN-369 IN-420 a template runs its task with its parameters and shows the outputs; tasks of other users need a confirmation', async () => {
  await taskOfTemplate(
    'Regional',
    writeFile('regional.csv', '"Region,Total\\n" + os.environ["region"] + ",42\\n"'),
  )
  const content = {
    ...emptyContent(),
    tiles: [{ id: 't', type: 'Table', title: 'Totals of {{region}}' }],
  } as InsightContent
  await anna.call(createInsightTemplate, {
    body: {
      groupName: 'Archive',
      name: 'Totals',
      parameters: [{ name: 'region', defaultValue: 'North' }, { name: 'unknown to the task' }],
      outputs: [{ groupName: '', fileName: 'regional.csv', tileId: 't' }],
      task: { taskName: 'Regional', taskGroupName: 'Archive' },
      content,
    },
  })
  const page = await open('/Insight/Templates/Archive/Totals/region=South')
  page.on('dialog', (dialog) => void dialog.accept())
  const confirmation = page.getByRole('dialog', { name: 'Run the task of this template?' })
  await confirmation.getByText(stage.server.admin.userName, { exact: false }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const cancel = confirmation.getByRole('button', { name: 'Cancel' })
  await expect.poll(() => cancel.evaluate((button) => button === document.activeElement)).toBe(true)
  // Both responses are delayed until both requests were sent.
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  for (const path of ['**/mgmt/task?*', '**/mgmt/task/execute'])
    await page.route(path, async (route) => {
      await held
      await route.continue()
    })
  const definitions: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (/^\/insight(?:s|-templates)\//.test(pathname)) definitions.push(pathname)
  })
  const ran = page.waitForRequest((request) => request.url().endsWith('/mgmt/task/execute'))
  const looked = page.waitForRequest((request) => new URL(request.url()).pathname === '/mgmt/task')
  await confirmation.getByRole('button', { name: 'Run' }).click()
  expect((await ran).postDataJSON()).toEqual({
    taskName: 'Regional',
    taskGroupName: 'Archive',
    taskId: expect.any(String) as string,
    taskVersion: 1,
    params: [{ name: 'region', value: 'South' }],
    withOpenAiKey: false,
  })
  // Neither call waits for the response to the other.
  expect(new URL((await looked).url()).searchParams.get('query')).toBe('name=Regional&groupName=Archive')
  // One response has the definitions of both template and insight, so none waits for the end of the run.
  expect(definitions).toEqual(['/insight-templates/Archive/Totals'])
  letGo()
  await tile(page, 'Totals of South').getByRole('row', { name: /42/ }).waitFor()
  expect(definitions).toHaveLength(1)
  const keys = await storedKeys(page)
  expect(keys).toContain('ng-trusted-tasks')
  expect(keys).toEqual(keys.map(() => ownKey))
  await page.reload()
  await tile(page, 'Totals of South').getByRole('row', { name: /42/ }).waitFor()
})

test('users with access to tasks can view the task of a template in another tab before it runs', async () => {
  await taskOfTemplate('Looked at', ['print(1)'])
  await anna.call(createInsightTemplate, {
    body: {
      groupName: 'Archive',
      name: 'Looking',
      task: { taskName: 'Looked at', taskGroupName: 'Archive' },
      content: emptyContent(),
    },
  })
  const boss = await stage.server.createUser({ role: 'Administrator' })
  const page = await open('/Insight/Templates/Archive/Looking', boss)
  const confirmation = page.getByRole('dialog', { name: 'Run the task of this template?' })
  const opened = page.waitForEvent('popup')
  await confirmation.getByRole('link', { name: 'Looked at' }).click()
  await (await opened).getByRole('heading', { name: 'Task Looked at' }).waitFor()
})

test('IN-368 a template whose task fails shows the message of the task and opens the templates', async () => {
  await taskOfTemplate('Failing', ['raise ValueError("no totals today")'])
  await stage.server.admin.call(createInsightTemplate, {
    body: {
      groupName: 'Archive',
      name: 'Hopeless',
      task: { taskName: 'Failing', taskGroupName: 'Archive' },
      content: emptyContent(),
    },
  })
  const page = await stage.open('/Insight/Templates/Archive/Hopeless', stage.server.admin)
  await page.getByText('no totals today', { exact: false }).waitFor()
  await page.waitForURL('**/Insight/Templates')
})

test('a template whose task cannot be read names the task, its group and the person to contact', async () => {
  const { admin } = stage.server
  await admin.call(createGroup, { body: { name: 'Vault' } })
  await taskOfTemplate('Locked', ['print(1)'], 'Vault')
  await admin.call(createInsightTemplate, {
    body: {
      groupName: 'Archive',
      name: 'Locked task',
      task: { taskName: 'Locked', taskGroupName: 'Vault' },
      content: emptyContent(),
    },
  })
  const page = await open('/Insight/Templates/Archive/Locked%20task')
  await page
    .getByText('runs the task “Locked” of the group “Vault”, which does not exist or which you cannot read', {
      exact: false,
    })
    .waitFor()
  await page.waitForURL('**/Insight/Templates')
})
