import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { createInsight } from '@headwater/insights/contract'
import { listBackfills } from '@headwater/monitor/contract'
import { createPipeline } from '@headwater/pipelines/contract'
import { listSecrets, putSecret } from '@headwater/secrets/contract'
import { refusal, type Session } from '@headwater/server/testing'
import { createTask } from '@headwater/tasks/contract'
import { emptyContent } from '@headwater/tile-data/contract'
import { accessibilityProblems, openAs } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage({ env: { HEADWATER_INTERNAL_HOSTS: 'files.example.local 10.0.0.5:8080' } })
let anna: Session
let pipelineId: string

beforeAll(async () => {
  anna = await stage.server.createUser({ role: 'Pipeline builder', email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Flows' } })
  const params = [
    { name: 'Script', value: 'print(1)', valueType: 'SCRIPT' as const },
    { name: 'Key', valueType: 'SECRET' as const, optional: true },
  ]
  await anna.call(createTask, {
    body: { name: 'fetch', groupName: 'Flows', definitionName: 'python-runner', params },
  })
  const task = {
    id: 'a',
    taskReadableName: 'Fetch',
    taskName: 'cron-trigger',
    taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
    isPaused: true,
  }
  const body = { name: 'Daily', groupName: 'Flows', tasks: [task] }
  pipelineId = (await anna.call(createPipeline, { body })).pipeline.id
})

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const field = (within: Page | Locator, name: string) => within.getByRole('textbox', { name, exact: true })
const toasts = (page: Page) => page.getByLabel('Notifications')

async function hasNoAccessibilityProblems(page: Page): Promise<void> {
  expect(await accessibilityProblems(page)).toEqual([])
}

test('personal secrets and those of a group are stored, replaced and deleted; a taken name is rejected and no value is ever visible', async () => {
  const eva = await stage.server.createUser({ role: 'Pipeline builder', email: 'eva@example.com' })
  await eva.call(createGroup, { body: { name: 'Keys' } })
  const page = await stage.open('/MyAccount#Secrets', eva)
  const list = page.getByRole('grid', { name: 'Secrets' })
  await page.getByText('No secrets yet', { exact: true }).waitFor()
  await button(page, 'New secret').first().click()
  const dialog = page.getByRole('dialog', { name: 'New secret' })
  await field(dialog, 'Name').fill('api key')
  await field(dialog, 'Value').fill('short')
  await page.keyboard.press('Tab')
  await button(dialog, 'Store').click()
  await dialog.getByText('A secret must have at least 8 characters.', { exact: true }).waitFor()
  expect(await field(dialog, 'Name').getAttribute('aria-invalid')).toBe('true')
  await hasNoAccessibilityProblems(page)
  await field(dialog, 'Name').fill('api-key')
  // Copying a line often adds its end.
  await field(dialog, 'Value').fill('value one of Anna\n')
  await field(dialog, 'Name').press('Enter')
  await toasts(page).getByText('Secret api-key has been stored.', { exact: true }).waitFor()
  await list.getByRole('row', { name: /api-key.*You.*eva@example\.com/ }).waitFor()
  const principal = (await stage.server.running.platform.accounts.findUserByName('eva@example.com'))!
  const access = (await stage.server.running.platform.accounts.findPrincipal(principal.userId))!
  const reveal = (name: string) => stage.server.running.platform.secrets.reveal(access, name)
  expect(await reveal('api-key')).toBe('value one of Anna')

  await button(page, 'New secret').click()
  await field(dialog, 'Name').fill('api-key')
  await field(dialog, 'Value').fill('another value')
  await button(dialog, 'Store').click()
  await dialog
    .getByText(
      'A secret with the name “api-key” already exists. Choose another name, or replace the value of that secret.',
    )
    .waitFor()
  await button(dialog, 'Cancel').click()
  await button(list, 'Replace the value of api-key').click()
  const replace = page.getByRole('dialog', { name: 'Replace the value of api-key' })
  expect(await field(replace, 'Value').inputValue()).toBe('')
  await field(replace, 'Value').fill('line one of a key\nline two of a key\n')
  await button(replace, 'Replace').click()
  await replace.waitFor({ state: 'hidden' })
  expect(await reveal('api-key')).toBe('line one of a key\nline two of a key\n')
  await button(list, 'Delete api-key').click()
  await button(page.getByRole('dialog', { name: 'Delete secret' }), 'Delete').click()
  await page.getByText('No secrets yet', { exact: true }).waitFor()
  expect((await eva.call(listSecrets, {})).totalSize).toBe(0)

  await page.getByRole('link', { name: 'Data lake', exact: true }).click()
  await page.getByRole('link', { name: 'Keys', exact: true }).first().click()
  await button(page, 'Secrets of the group').click()
  const tool = page.getByRole('dialog', { name: 'Secrets of Keys' })
  await button(tool, 'New secret').first().click()
  await field(dialog, 'Name').fill('group-key')
  await field(dialog, 'Value').fill('value of the group')
  await button(dialog, 'Store').click()
  await tool.getByRole('row', { name: /group-key.*Keys/ }).waitFor()
  await hasNoAccessibilityProblems(page)
  const { items } = await eva.call(listSecrets, { query: { groupName: 'Keys' } })
  expect(items.map(({ name }) => name)).toEqual(['group-key'])
  await page.keyboard.press('Escape')
  await tool.waitFor({ state: 'hidden' })
})

test('a parameter of the type secret offers the names that the user can use, and stores a new one of the group', async () => {
  await anna.call(putSecret, { params: { name: 'own-key' }, body: { value: 'an own value' } })
  const body = { value: 'value of the group', groupName: 'Flows' }
  await anna.call(putSecret, { params: { name: 'shared-key' }, body })
  const page = await stage.open('/Science/List#Tasks', anna)
  await page.getByRole('grid').getByRole('link', { name: 'fetch' }).click()
  const secret = page.getByRole('combobox', { name: 'Key', exact: true })
  await secret.click()
  await page.getByRole('option', { name: 'shared-key · Flows' }).waitFor()
  await page.getByRole('option', { name: 'own-key · yours' }).click()
  await button(page, 'New secret for Key').click()
  const dialog = page.getByRole('dialog', { name: 'New secret' })
  await field(dialog, 'Name').fill('created-here')
  await field(dialog, 'Value').fill('value of the group')
  await expect.poll(() => dialog.getByRole('combobox', { name: 'Owner' }).inputValue()).toBe('Group Flows')
  await button(dialog, 'Store').click()
  await expect.poll(() => secret.inputValue()).toBe('created-here · Flows')
  const { items } = await anna.call(listSecrets, { query: { groupName: 'Flows' } })
  expect(items.map(({ name }) => name)).toContain('created-here')
})

test('a backfill names the runs and skipped dates before its start, shows its progress, and is cancelled', async () => {
  const page = await stage.open('/Science/Monitor/History/Flows/Daily?days=90', anna)
  await button(page, 'Backfill').click()
  const dialog = page.getByRole('dialog', { name: 'Backfill' })
  expect(await field(dialog, 'First date').inputValue()).toBe('')
  expect(await field(dialog, 'Last date').inputValue()).toBe('')
  await dialog
    .getByText('Dates are run again if their run ended with a warning or an error.', { exact: true })
    .waitFor()
  await field(dialog, 'First date').fill('2026-01-10')
  await field(dialog, 'Last date').fill('2026-01-05')
  await dialog.getByText('The last date is before the first one.').waitFor()
  expect(await button(dialog, 'Start').isDisabled()).toBe(true)
  await field(dialog, 'First date').fill('2026-01-01')
  await button(dialog, 'Start 5 runs').waitFor()
  // Backspace removes the pills of the field, the last one first: Sunday, then Saturday.
  await dialog.getByRole('combobox', { name: 'Days of the week' }).press('Backspace')
  await dialog.getByRole('combobox', { name: 'Days of the week' }).press('Backspace')
  await button(dialog, 'Start 3 runs').waitFor()
  const dryRun = dialog.getByRole('region', { name: 'Dry run' })
  await dryRun.getByText('3 runs will start.').waitFor()
  await dryRun.getByText('This day of the week is not selected. (2)', { exact: true }).waitFor()
  await dryRun.getByText('2026-01-03, 2026-01-04', { exact: true }).waitFor()
  await field(dialog, 'Last date').focus()
  await hasNoAccessibilityProblems(page)
  expect((await anna.call(listBackfills, { params: { pipelineId } })).items).toEqual([])
  await dialog.getByRole('spinbutton', { name: 'Concurrent runs' }).fill('2')
  await button(dialog, 'Start 3 runs').click()
  await toasts(page).getByText('The backfill has been started.', { exact: true }).waitFor()

  const table = page.getByRole('table', { name: 'Backfills' })
  await table.getByRole('row', { name: /2026-01-01 – 2026-01-05.*Running.*0 of 3 runs/ }).waitFor()
  // The new backfill is open; the URL has it beside the period.
  const { searchParams } = new URL(page.url())
  const [started] = (await anna.call(listBackfills, { params: { pipelineId } })).items
  expect([searchParams.get('backfill'), searchParams.get('days')]).toEqual([started?.id, '90'])
  const runs = table.getByRole('list', { name: 'Runs of the backfill' })
  await expect.poll(() => runs.getByRole('link').count(), { timeout: 20_000 }).toBe(2)
  await runs.getByRole('img', { name: 'Waiting' }).waitFor()
  await hasNoAccessibilityProblems(page)
  await button(table, 'Cancel the backfill of 2026-01-01 – 2026-01-05').click()
  await button(page.getByRole('dialog', { name: 'Cancel backfill' }), 'Cancel backfill').click()
  await table.getByRole('row', { name: /2026-01-01 – 2026-01-05.*Cancelled/ }).waitFor()
  expect((await anna.call(listBackfills, { params: { pipelineId } })).items[0]?.state).toBe('CANCELLED')
  await runs.getByRole('img', { name: 'No run' }).waitFor()
})

test('administrators see the queue and let a process drain and continue; they allow hosts for a script, and see the internal ones', async () => {
  const page = await stage.open('/Science/Monitor', stage.server.admin)
  await page.getByRole('link', { name: 'Workers and queue' }).click()
  const queue = page.getByRole('table', { name: 'Queue' })
  await queue.getByRole('row', { name: /^Scripts 0 of \d+ 0 — 0$/ }).waitFor()
  expect(await queue.getByRole('row').count()).toBe(6)
  const workers = page.getByRole('table', { name: 'Servers and workers' })
  const server = workers.getByRole('row', { name: /Server/ })
  await server.getByText('Running', { exact: true }).waitFor()
  await hasNoAccessibilityProblems(page)
  await server.getByRole('button', { name: /^Drain / }).click()
  const drain = page.getByRole('dialog', { name: 'Drain' })
  await drain.getByText('No other process accepts jobs').waitFor()
  await button(drain, 'Drain').click()
  await server.getByText('Draining', { exact: true }).waitFor()
  await queue.getByRole('row', { name: /^Scripts 0 of 0/ }).waitFor()
  await server.getByRole('button', { name: /^Continue / }).click()
  await server.getByText('Running', { exact: true }).waitFor()

  await page.getByRole('tab', { name: 'Secrets' }).click()
  await button(page, 'Rotate key').click()
  await button(page.getByRole('dialog', { name: 'Rotate key' }), 'Rotate key').click()
  await toasts(page)
    .getByText(/^\d+ secrets? ha(s|ve) been encrypted with a new key\.$/)
    .waitFor()

  await page.getByRole('tab', { name: 'Hosts' }).click()
  const internal = page.getByRole('region', { name: 'Internal hosts' })
  await internal.getByText('files.example.local', { exact: true }).waitFor()
  await internal.getByText('10.0.0.5:8080', { exact: true }).waitFor()
  await internal.getByText('HEADWATER_INTERNAL_HOSTS', { exact: true }).waitFor()
  await page.getByText('No script can connect to a host', { exact: true }).waitFor()
  await button(page, 'Allow hosts').first().click()
  const dialog = page.getByRole('dialog', { name: 'Allow hosts' })
  await dialog.getByRole('combobox', { name: 'Task' }).click()
  await page.getByRole('option', { name: /^fetch/ }).click()
  const hosts = dialog
    .getByRole('textbox', { name: 'Hosts' })
    .or(dialog.getByRole('combobox', { name: 'Hosts' }))
  await hosts.fill('https://api.example.com/')
  await hosts.press('Enter')
  await button(dialog, 'Save').click()
  await dialog.getByText('“https://api.example.com/” is not a host.').waitFor()
  await hosts.press('Backspace')
  await hosts.fill('API.example.com')
  await hosts.press('Enter')
  await button(dialog, 'Save').click()
  const row = page
    .getByRole('grid', { name: 'Hosts of scripts' })
    .getByRole('row', { name: /fetch.*Flows.*api\.example\.com/ })
  await row.waitFor()
  await hasNoAccessibilityProblems(page)
  await button(row, 'Change the hosts of fetch').click()
  const change = page.getByRole('dialog', { name: 'Hosts of fetch' })
  await change
    .getByRole('textbox', { name: 'Hosts' })
    .or(change.getByRole('combobox', { name: 'Hosts' }))
    .press('Backspace')
  await button(change, 'Save').click()
  await page.getByText('No script can connect to a host', { exact: true }).waitFor()
})

test('a user without access to Science sees no entry for it, and no page sends a request that the server rejects', async () => {
  await stage.server.running.platform.database.pool.query(
    `with added as (
       insert into roles (name, description, holds_everything) values ('Data analyst', 'No pipelines.', false) returning id)
     insert into role_entitlements (role_id, parent, resource, mode)
     select added.id, parent, resource, mode from added, role_entitlements own join roles on roles.id = own.role_id
     where roles.name = 'Analyst' and 'Science' not in (own.parent, own.resource)`,
  )
  const ben = await stage.server.createUser({ role: 'Data analyst' })
  await ben.call(createGroup, { body: { name: 'Desk' } })
  await ben.call(createInsight, {
    body: { groupName: 'Desk', insightName: 'Overview', content: emptyContent() },
  })
  const page = await stage.newPage()
  const refused: string[] = []
  page.on('response', (response) => {
    if (response.status() === 403) refused.push(response.url())
  })
  await openAs(page, stage.server.url, ben.userName, '/Lake')
  const navigation = page.getByRole('navigation', { name: 'Main' })
  await page.getByRole('link', { name: 'Desk', exact: true }).first().click()
  await button(page, 'Usage of the group').waitFor()
  expect(await button(page, 'Secrets of the group').count()).toBe(0)
  await button(navigation, 'Statuses')
    .or(navigation.getByRole('link', { name: 'Statuses' }))
    .click()
  await page.getByRole('heading', { name: 'Data preps' }).waitFor()
  await page.keyboard.press('Escape')
  await navigation.getByRole('link', { name: 'Data preps', exact: true }).click()
  await page.getByText('No data preps yet', { exact: true }).waitFor()
  await navigation.getByRole('link', { name: 'Insight', exact: true }).click()
  await page.getByRole('link', { name: 'Overview' }).click()
  await page.getByRole('heading', { name: 'Overview' }).waitFor()
  await navigation.getByRole('link', { name: ben.userName }).click()
  await page.getByRole('form', { name: 'Preferences' }).waitFor()
  expect(await page.getByRole('tab').allTextContents()).toEqual(['Settings', 'API keys'])
  expect(await navigation.getByRole('link').allTextContents()).not.toContain('Monitoring')
  expect(await page.locator('a[href^="/Science"]').count()).toBe(0)
  expect(refused).toEqual([])
})

test('administrators read the audit log by user, object and outcome; other users have no such tab', async () => {
  const params = { name: 'Audited' }
  await anna.call(createGroup, { body: params })
  const ben = await stage.server.createUser({ email: 'ben.audit@example.com' })
  await refusal(ben.call(deleteGroup, { params }))
  await anna.call(deleteGroup, { params })
  await stage.server.running.platform.audit.flush()
  const page = await stage.open('/MyAccount#Audit', stage.server.admin)
  const rows = page.getByRole('table', { name: 'Audit log' }).getByRole('row')
  await page.getByPlaceholder('Part of a name or id').fill('audited')
  await expect.poll(() => rows.count()).toBe(4)
  const texts = await rows.allInnerTexts()
  expect(texts.slice(1).map((text) => text.replaceAll(/\s+/g, ' '))).toEqual([
    expect.stringMatching(/anna@example\.com Delete group Audited Succeeded/),
    expect.stringMatching(/ben\.audit@example\.com Delete group Audited Refused \(404\)/),
    expect.stringMatching(/anna@example\.com Create group Audited Succeeded/),
  ])
  await hasNoAccessibilityProblems(page)
  await page.getByPlaceholder('E-mail address of a user').fill('anna@example.com')
  await expect.poll(() => rows.count()).toBe(3)
  await page.getByPlaceholder('E-mail address of a user').fill('')
  await page.getByPlaceholder('Every outcome').click()
  await page.getByRole('option', { name: 'Refused' }).click()
  await expect.poll(() => rows.count()).toBe(2)
  const own = await stage.open('/MyAccount', anna)
  await own.getByRole('tab', { name: 'Secrets' }).waitFor()
  expect(await own.getByRole('tab', { name: 'Audit log' }).count()).toBe(0)
})
