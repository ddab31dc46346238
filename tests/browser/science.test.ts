import type { Locator, Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { searchFiles } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import {
  createPipeline,
  executePipeline,
  getPipelineByName,
  searchPipelines,
  updatePipeline,
} from '@headwater/pipelines/contract'
import { createDataPrep, getPrepSchedule, setPrepSchedule } from '@headwater/preps/contract'
import type { Session } from '@headwater/server/testing'
import { createTask, deleteTask, searchTasks, updateTask, type Task } from '@headwater/tasks/contract'
import { accessibilityProblems } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()

const isoTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/
const longName =
  'A pipeline with a name that is longer than any column can ever show, and then some more of it'
let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ role: 'Pipeline builder', email: 'anna@example.com' })
  for (const name of ['Flows', 'Scripts']) await anna.call(createGroup, { body: { name } })
  await script(
    'greet',
    ['import os', 'print("Hello " + os.environ["Whom"])'],
    [{ name: 'Whom', defaultValue: 'World' }],
  )
  await script('wait', ['import time', 'time.sleep(600)'])
  await pipeline('Daily prices', [
    {
      id: 'start',
      taskReadableName: 'Each morning',
      taskName: 'cron-trigger',
      taskOverrides: {
        params: [
          { name: 'cron', value: '0 7 * * 1-5' },
          { name: 'timeZone', value: 'Europe/Berlin' },
        ],
      },
    },
    { id: 'greet', taskReadableName: 'Greet Brent', prevTasks: [{ id: 'start' }], taskOverrides: brent },
  ])
})

function script(name: string, lines: string[], params: object[] = []): Promise<Task> {
  const code = { name: 'Script', value: lines.join('\n'), valueType: 'SCRIPT' }
  return anna.call(createTask, {
    body: {
      name,
      groupName: 'Scripts',
      readableName: `Script ${name}`,
      definitionName: 'python-runner',
      params: [code, ...params] as never,
    },
  })
}

/** Values of a task that greets Brent. */
const brent = { params: [{ name: 'Whom', value: 'Brent' }] }

/** Saves a pipeline. Tasks without a name are the greeting task. */
async function pipeline(name: string, tasks: object[]): Promise<string> {
  const filled = tasks.map((task) =>
    'taskName' in task ? task : { taskName: 'greet', taskGroup: 'Scripts', ...task },
  )
  const body = { name, groupName: 'Flows', tags: ['daily'], tasks: filled as never }
  return (await anna.call(createPipeline, { body })).pipeline.id
}

async function open(path: string, user: { userName: string } = anna): Promise<Page> {
  return stage.open(path, user)
}

function row(page: Page, name: string | RegExp): Locator {
  return page.getByRole('row', { name })
}

async function act(page: Page, of: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `Actions for ${of}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action, exact: true }).click()
}

const button = (within: Page | Locator, name: string) => within.getByRole('button', { name, exact: true })
const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })
const header = (page: Page) => page.getByRole('banner')

test('DP-390 DP-423 DP-547 the hash selects the tab: pipelines with trigger, tags and version, tasks, and descriptions of schedules', async () => {
  await pipeline(`Cut off: ${longName}`, [{ id: 'a', taskReadableName: 'A step' }])
  const page = await open('/Science/List#pipelines')
  await page.setViewportSize({ width: 1680, height: 900 })
  const selected = (name: string) => page.getByRole('tab', { name, selected: true })
  await row(page, /Cut off/).waitFor()
  await selected('Pipelines').waitFor()
  await row(
    page,
    /Daily prices.*Flows.*daily.*At 07:00, Monday through Friday, Europe\/Berlin.*v1.*anna@example.com/,
  ).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('tab', { name: 'Tasks' }).click()
  await selected('Tasks').waitFor()
  expect(new URL(page.url()).hash).toBe('#Tasks')
  await page.getByRole('tab', { name: 'Pipelines' }).click()
  await selected('Pipelines').waitFor()
  expect(new URL(page.url()).hash).toBe('#Pipelines')
  await page.goto(`${stage.server.url}/Science/List#tasks`)
  await selected('Tasks').waitFor()
  await row(page, /Script greet.*Python.*Scripts.*v1.*anna@example.com/).waitFor()
  await row(page, /Send e-mail.*Built in/).waitFor()
  await page.evaluate(() => (location.hash = '#pipelines'))
  await selected('Pipelines').waitFor()
  await row(page, /Daily prices.*Flows/).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const scheduled = page.waitForRequest((request) => {
    const { pathname, searchParams } = new URL(request.url())
    return pathname === '/mgmt/schedule' && searchParams.get('query') === ''
  })
  await page.goto(`${stage.server.url}/Science/List#schedules`)
  await scheduled
  await selected('Schedules').waitFor()
  await row(
    page,
    /Daily prices.*Flows.*At 07:00, Monday through Friday, Europe\/Berlin.*\d{4}-\d\d-\d\d 07:00 Europe\/Berlin/,
  ).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
})

test('the tab Schedules lists pipelines and data preps with type, next run, last run and owner; tooltips of times name the zone of the user and UTC', async () => {
  const { id } = await anna.call(createDataPrep, {
    body: { dataPrep: { name: 'Nightly', outputGroup: 'Flows', symbols: [] } } as never,
  })
  const body = { cron: '0 6 * * *', timeZone: 'America/New_York', active: true }
  await anna.call(setPrepSchedule, { params: { id }, body })
  const jobId = await makeDue(id)
  await anna.call(updateSettings, { body: { settings: { definedTime: 'Asia/Kolkata' } } })
  const page = await open('/Science/List#schedules')
  await page.setViewportSize({ width: 1440, height: 900 })
  const texts = (name: RegExp) => row(page, name).getByRole('gridcell').allInnerTexts()
  await row(page, /Nightly/).waitFor()
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
    'Name',
    'Type',
    'Group',
    'Schedule',
    'Next run',
    'Last run',
    'Owner',
  ])
  expect(await texts(/Daily prices/)).toEqual([
    'Daily prices',
    'Pipeline',
    'Flows',
    'At 07:00, Monday through Friday, Europe/Berlin',
    expect.stringMatching(/^\d{4}-\d\d-\d\d 07:00 Europe\/Berlin$/),
    '—',
    'anna@example.com',
  ])
  expect(await texts(/Nightly/)).toEqual([
    'Nightly',
    'Data prep',
    'Flows',
    'At 06:00, America/New_York',
    expect.stringMatching(/^\d{4}-\d\d-\d\d 06:00 America\/New_York$/),
    expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d$/),
    'anna@example.com',
  ])
  const links = row(page, /Nightly/).getByRole('link')
  expect(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))).toEqual([
    '/Storage/Creator/Flows/Nightly/latest',
    '/Lake/Groups/Flows',
    `/Logs/${jobId}`,
  ])

  const next = /^\d{4}-\d\d-\d\d 07:00 Europe\/Berlin$/
  const tooltip = /^\d{4}-\d\d-\d\d 1[01]:30 Asia\/Kolkata\n\d{4}-\d\d-\d\d 0[56]:00:00 UTC$/
  expect(
    await row(page, /Daily prices/)
      .getByText(next)
      .getAttribute('title'),
  ).toMatch(tooltip)
  await row(page, /Daily prices/)
    .getByRole('link', { name: 'Daily prices' })
    .click()
  await expect.poll(() => page.getByText(next).getAttribute('title')).toMatch(tooltip)
  await anna.call(updateSettings, { body: { settings: { definedTime: 'UTC' } } })
})

/** Makes the run of a data prep due, and returns the job of this run once it has started. */
async function makeDue(prepId: string): Promise<string> {
  await stage.server.running.platform.database.pool.query(
    `update schedules set next_at = date_trunc('minute', now()) where target_id = $1`,
    [prepId],
  )
  await expect.poll(async () => (await lastRun())?.jobId ?? '').not.toBe('')
  return (await lastRun())!.jobId
  async function lastRun() {
    return (await anna.call(getPrepSchedule, { params: { id: prepId } })).schedule?.lastRun
  }
}

test('the next run is shown in the zone of the schedule, beside the last run at 1280 px', async () => {
  const page = await open('/Science/List#pipelines')
  await page.setViewportSize({ width: 1280, height: 800 })
  const next = /^\d{4}-\d\d-\d\d 07:00 Europe\/Berlin$/
  const listed = row(page, /Daily prices/).getByText(next)
  await listed.waitFor()
  const isCut = (text: Element) => {
    const cell = text.closest('[role="gridcell"]')!.getBoundingClientRect()
    return text.getBoundingClientRect().right > cell.right
  }
  await expect.poll(() => listed.evaluate(isCut)).toBe(false)
  const headers = page.getByRole('columnheader')
  const box = async (name: string) => (await headers.filter({ hasText: name }).boundingBox())!
  await expect
    .poll(async () => {
      const [nextRun, lastRun] = [await box('Next run'), await box('Last run')]
      return lastRun.x - nextRun.x - nextRun.width
    })
    .toBeGreaterThan(0)

  await row(page, /Daily prices/)
    .getByRole('link', { name: 'Daily prices' })
    .click()
  await page.getByText('At 07:00, Monday through Friday, Europe/Berlin').waitFor()
  await page.getByText(next).waitFor()
})

test('DP-450 lists can be searched, and a search without matches can be cleared', async () => {
  const page = await open('/Science/List?query=greet#Tasks')
  await row(page, /Script greet/).waitFor()
  expect(await page.getByRole('row').count()).toBe(2)
  await page.getByRole('tab', { name: 'Pipelines' }).click()
  const searched = page.waitForRequest((request) => {
    const { pathname, searchParams } = new URL(request.url())
    return pathname === '/mgmt/pipeline' && searchParams.get('query') === 'nothing of the kind'
  })
  await page.getByRole('searchbox', { name: 'Search pipelines' }).fill('nothing of the kind')
  expect(Object.fromEntries(new URL((await searched).url()).searchParams)).toEqual({
    query: 'nothing of the kind',
    size: '100',
    sortBy: 'updated',
    sortOrder: 'desc',
    latest: 'true',
    triggerType: 'ANY',
    from: '0',
  })
  await page.getByText('Sorry, nothing found!').waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('query')).toBe('nothing of the kind')
  await button(page, 'Show all pipelines').click()
  await row(page, /Daily prices/).waitFor()
  const scheduled = page.waitForRequest((request) => {
    const { pathname, searchParams } = new URL(request.url())
    return pathname === '/mgmt/schedule' && searchParams.has('query')
  })
  await page.goto(`${stage.server.url}/Science/List?query=greet#Schedules`)
  expect(Object.fromEntries(new URL((await scheduled).url()).searchParams)).toEqual({
    query: 'greet',
    size: '100',
    from: '0',
  })
})

test('DP-397 DP-406 DP-399 a Python task is created in the browser and runs there without a dialog; its inputs are beside the script, and its output is below or to the right of it', async () => {
  const page = await open('/Science/List#Tasks')
  await page.getByRole('link', { name: 'New task' }).click()
  await page.getByText('not saved yet').waitFor()
  await page.getByLabel('Name', { exact: true }).fill('add')
  await page.getByLabel('Display name').fill('Adds two numbers')
  await page.getByRole('combobox', { name: 'Group', exact: true }).click()
  await page.getByRole('option', { name: 'Scripts', exact: true }).click()
  await page.getByLabel('Timeout (s)').fill('30')
  const editor = page.getByRole('textbox', { name: 'Script', exact: true })
  await expect.poll(() => editor.innerText()).toContain('read_input("Name")')
  await editor.click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText('import os\nprint(int(os.environ["A"]) + int(os.environ["B"]))')
  await page.locator('.tok-keyword', { hasText: 'import' }).waitFor()
  for (const name of ['A', 'B']) {
    await button(page, 'Add parameter').click()
    await page.getByLabel('Name of Input #1').fill(name)
  }
  await page.getByRole('columnheader', { name: 'Value type', exact: true }).waitFor()
  const typeOfB = page.getByRole('combobox', { name: 'Value type of B', exact: true })
  expect(await typeOfB.inputValue()).toBe('Text')
  await typeOfB.click()
  await page.getByRole('option', { name: 'Number', exact: true }).click()
  await expect.poll(() => typeOfB.inputValue()).toBe('Number')
  await page.getByLabel('Default of B').fill('2')
  expect(await accessibilityProblems(page)).toEqual([])

  await button(page, 'Run').click()
  await page.getByText('New Task has been created.').waitFor()
  const inputs = page.getByRole('region', { name: 'Inputs' })
  await inputs.getByText('The task “Adds two numbers” needs a value for its parameter “A”.').waitFor()
  const [task] = (await anna.call(searchTasks, { query: { query: 'name=add' } })).items
  await page.waitForURL(`**/Science/task/creator/${task!.id}`)
  await inputs.getByLabel('A', { exact: true }).fill('40')
  expect(await accessibilityProblems(page)).toEqual([])
  const executed = page.waitForRequest((request) => request.url().endsWith('/mgmt/task/execute'))
  await button(page, 'Run').click()
  const sent = (await executed).postDataJSON() as { params: object[] }
  expect(sent).toMatchObject({
    taskName: 'add',
    taskGroupName: 'Scripts',
    taskVersion: 1,
    withOpenAiKey: false,
  })
  expect(sent.params).toContainEqual({ name: 'A', value: '40' })
  const output = page.getByRole('region', { name: 'Output' })
  await output.getByRole('cell', { name: '42', exact: true }).waitFor()
  await output.getByRole('region', { name: 'Run' }).getByText('The task succeeded.').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await inputs.getByLabel('A', { exact: true }).fill('1')
  await button(page, 'Run').click()
  await output.getByRole('cell', { name: '3', exact: true }).waitFor()

  // A run saves the changes and starts without a dialog. Lines appear while the script runs.
  await editor.click()
  await page.keyboard.press('Control+End')
  await page.keyboard.insertText('\nimport time\nprint("a first line", flush=True)\ntime.sleep(600)')
  await button(page, 'Run').click()
  await page.getByText('Task has been saved.').waitFor()
  await output.getByRole('cell', { name: 'a first line', exact: true }).waitFor()
  await output.getByText('Running', { exact: true }).waitFor()
  expect(await page.getByRole('dialog').count()).toBe(0)
  const boxes = async () => [(await editor.boundingBox())!, (await output.boundingBox())!] as const
  const [code, below] = await boxes()
  expect(below.y).toBeGreaterThanOrEqual(code.y + code.height)
  expect(below.y + below.height).toBeLessThanOrEqual(page.viewportSize()!.height)
  await button(output, 'Move the output to the right').click()
  await expect
    .poll(async () => {
      const [leftCode, right] = await boxes()
      return right.x - leftCode.x - leftCode.width
    })
    .toBeGreaterThanOrEqual(0)
  expect(await accessibilityProblems(page)).toEqual([])
  await page.reload()
  await output.getByRole('cell', { name: 'a first line', exact: true }).waitFor()
  await button(output, 'Move the output below the script').waitFor()
  await button(output, 'Stop').click()
  await output.getByText('Stopped', { exact: true }).waitFor()

  expect(task).toMatchObject({ groupName: 'Scripts', readableName: 'Adds two numbers', timeout: 30 })
  expect(task!.params.map(({ name, valueType, defaultValue }) => [name, valueType, defaultValue])).toEqual([
    ['Script', 'SCRIPT', ''],
    ['A', 'TEXT', ''],
    ['B', 'NUMBER', '2'],
  ])
  await page.goto(`${stage.server.url}/Science/List#Tasks`)
  await row(page, /Adds two numbers.*Python.*Scripts/).waitFor()
})

test('validation errors of a task are shown on their fields', async () => {
  const page = await open('/Science/Task/Creator')
  await page.getByLabel('Name', { exact: true }).fill('greet')
  await page.getByRole('combobox', { name: 'Group', exact: true }).click()
  await page.getByRole('option', { name: 'Scripts', exact: true }).click()
  await button(page, 'Save').click()
  await page.getByRole('alert').getByText('The group “Scripts” already has a task “greet”.').first().waitFor()
  await page.getByLabel('Name', { exact: true }).fill('fine')
  await expect.poll(() => page.getByLabel('Name', { exact: true }).getAttribute('aria-invalid')).toBeNull()
  await button(page, 'Add parameter').click()
  await page.getByLabel('Name of Input #1').fill('a=b')
  await page.keyboard.press('Control+s')
  await expect.poll(() => page.getByLabel('Name of a=b').getAttribute('aria-invalid')).toBe('true')
})

test('DP-388 DP-395 DP-389 DP-398 a task is saved as a new version, and an older version can be opened and saved again', async () => {
  const { id, ...made } = await script('edited', ['print(1)'])
  const { name, groupName, definitionName } = made
  const params = made.params.map((param) =>
    param.name === 'Script' ? { ...param, value: 'print(2)' } : param,
  )
  const taskInput = { name, groupName, definitionName, params, markdownId: 'm1' }
  await anna.call(updateTask, { params: { taskId: id }, body: { version: 1, taskInput } })
  const page = await open(`/Science/task/creator/${id}`)
  await page.getByLabel('Description', { exact: true }).fill('Prints one.')
  await header(page).getByText('v2 · unsaved changes').waitFor()
  await page.getByRole('link', { name: 'Tasks', exact: true }).click()
  await button(dialog(page, 'Unsaved changes'), 'Stay').click()
  const saved = page.waitForRequest(
    (request) => request.method() === 'PUT' && request.url().endsWith(`/mgmt/task/${id}`),
  )
  await page.keyboard.press('Control+s')
  expect((await saved).postDataJSON()).toMatchObject({
    version: 2,
    taskInput: { name: 'edited', markdownId: 'm1' },
  })
  await page.getByText('Task has been saved.').waitFor()
  await header(page).getByText('v3', { exact: true }).waitFor()
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Versions' }).click()
  await page.waitForURL(`**/Science/Task/Versions/${id}`)
  await row(page, /v3 · latest/).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await button(page, 'Compare versions').click()
  const difference = dialog(page, 'Compare versions')
  const settings = difference.getByRole('table', { name: 'Changed settings' }).getByRole('row')
  await expect
    .poll(() => settings.allInnerTexts())
    .toEqual(['Setting\tFrom\tTo', 'Description\t—\tPrints one.'])
  await difference.getByRole('combobox', { name: 'From' }).click()
  await page.getByRole('option', { name: 'v1', exact: true }).click()
  await expect.poll(() => new URL(page.url()).search).toBe('?compare=1-3')
  const lines = difference.getByRole('list', { name: 'Changed lines of Script.py' }).locator('[data-kind]')
  await expect
    .poll(() => lines.evaluateAll((all) => all.map((line) => line.querySelector('code')!.textContent)))
    .toEqual(['print(1)', 'print(2)'])
  expect(await accessibilityProblems(page)).toEqual([])
  await button(difference, 'Close').click()
  await page.getByRole('link', { name: 'v1', exact: true }).click()
  await header(page).getByText('v1, an older version').waitFor()
  expect(await page.getByLabel('Description', { exact: true }).inputValue()).toBe('')
  await button(page, 'Save').click()
  await button(dialog(page, 'A newer version exists'), 'Save mine as latest').click()
  await page.waitForURL(`**/Science/task/creator/${id}`)
  await header(page).getByText('v4', { exact: true }).waitFor()
})

test('a task that another user has saved in the meantime is overwritten only after confirmation', async () => {
  const { id, ...task } = await script('contested', ['print(1)'])
  const page = await open(`/Science/task/creator/${id}`)
  await page.getByLabel('Display name').fill('Mine')
  const { name, groupName, definitionName, params } = task
  const taskInput = { name, groupName, definitionName, params, readableName: 'Theirs' }
  await anna.call(updateTask, { params: { taskId: id }, body: { version: 1, taskInput } })
  await button(page, 'Save').click()
  const conflict = dialog(page, 'A newer version exists')
  await conflict
    .getByText(
      /^You are editing version 1\. You saved version 2 on .*\d\d:\d\d.* in another tab or on another device\./,
    )
    .waitFor()
  await button(conflict, 'Save mine as latest').click()
  await header(page).getByText('v3', { exact: true }).waitFor()
})

test('the dialog that runs a Python task shows its inputs but not its script', async () => {
  const page = await open('/Science/List?query=greet#Tasks')
  await act(page, 'Script greet', 'Run')
  const run = dialog(page, 'Run Script greet')
  await run.getByLabel('Whom').fill('Brent')
  await expect.poll(() => run.getByRole('textbox').count()).toBe(1)
  await button(run, 'Run').click()
  await run.getByRole('region', { name: 'Output' }).getByText('Hello Brent').waitFor()
  await page.keyboard.press('Escape')
  await button(page, 'Run a task').click()
  const choice = dialog(page, 'Run a task')
  await choice.getByRole('combobox', { name: 'Task' }).fill('wait scripts')
  await expect.poll(() => page.getByRole('option').count()).toBe(1)
  await page.getByRole('option').click()
  await choice.getByText('This task has no inputs.').waitFor()
})

test('does not run a task that was replaced after the dialog opened', async () => {
  const { id } = await script('replaced', ['print("the one that was looked at")'])
  const page = await open('/Science/List?query=replaced#Tasks')
  await act(page, 'Script replaced', 'Run')
  const run = dialog(page, 'Run Script replaced')
  await run.waitFor()
  await anna.call(deleteTask, { params: { taskId: id } })
  await script('replaced', ['print("another")'])
  await button(run, 'Run').click()
  await run.getByText(`There is no task “replaced” with the id ${id}`).waitFor()
})

test('DP-453 a task and a pipeline can be deleted from their lists', async () => {
  await script('fleeting', ['print(1)'])
  await pipeline('Fleeting', [{ id: 'a', taskReadableName: 'a', taskName: 'fleeting', taskGroup: 'Scripts' }])
  const page = await open('/Science/List#Tasks')
  await act(page, 'Script fleeting', 'Delete')
  await dialog(page, 'Delete task')
    .getByText('1 pipeline uses it and will stop working: “Fleeting”.')
    .waitFor()
  await button(dialog(page, 'Delete task'), 'Delete').click()
  await page.getByText('Task has been deleted.').waitFor()
  await expect.poll(() => row(page, /Script fleeting/).count()).toBe(0)
  await page.getByRole('tab', { name: 'Pipelines' }).click()
  await act(page, 'Fleeting', 'Delete')
  await button(dialog(page, 'Delete pipeline'), 'Delete').click()
  await page.getByText('Pipeline has been deleted.').waitFor()
  await expect.poll(() => row(page, /Fleeting/).count()).toBe(0)
  expect((await anna.call(searchPipelines, { query: { query: 'name=Fleeting' } })).totalSize).toBe(0)
})

test('DP-521 DP-538 SH-256 a pipeline can be run from the list, which shows the result of the run', async () => {
  await pipeline('From the list', [{ id: 'a', taskReadableName: 'a' }])
  const page = await open('/Science/List#Pipelines')
  await act(page, 'From the list', 'Run')
  await dialog(page, 'Run pipeline')
    .getByText('Are you sure you want to run the pipeline?', { exact: true })
    .waitFor()
  await button(dialog(page, 'Run pipeline'), 'Run').click()
  await page.getByText('Pipeline has been run.', { exact: true }).waitFor()
  await page.getByText('The run of From the list succeeded.').waitFor()
  await row(page, /From the list.*Succeeded/).waitFor()
  await page.getByRole('link', { name: 'Show run' }).click()
  await page.waitForURL(/\/Science\/Creator\/Flows\/From%20the%20list\/1\?jobId=[0-9a-f-]{36}$/)
  await page.getByRole('listitem', { name: 'a', exact: true }).getByText('Hello World').waitFor()
})

test('DP-425 DP-449 DP-517 DP-521 DP-524 DP-525 DP-529 DP-530 DP-531 DP-540 DP-541 SH-257 SH-258 the page of a pipeline shows its tasks in order and can run, continue and stop it', async () => {
  const pipelineId = await pipeline('Three steps', [
    {
      id: 'c',
      taskReadableName: 'Third',
      prevTasks: [{ id: 'b' }],
      taskName: 'wait',
      taskGroup: 'Scripts',
    },
    { id: 'a', taskReadableName: 'First', taskOverrides: brent },
    { id: 'b', taskReadableName: 'Second', prevTasks: [{ id: 'a' }], isPaused: true },
  ])
  const page = await open('/Science/Creator/Flows/Three%20steps/latest')
  const [request] = await Promise.all([
    page.waitForRequest((each) => new URL(each.url()).pathname === '/mgmt/pipeline/name'),
    page.reload(),
  ])
  expect(Object.fromEntries(new URL(request.url()).searchParams)).toEqual({
    name: 'Three steps',
    groupName: 'Flows',
    version: 'latest',
  })
  const tasks = page.getByRole('list', { name: 'Tasks' }).getByRole('listitem')
  await expect
    .poll(() => tasks.evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))))
    .toEqual(['First', 'Second', 'Third'])
  const task = (name: string) => page.getByRole('listitem', { name, exact: true })
  expect(await task('First').innerText()).toMatch(/greet · Scripts[^]*Whom\s+Brent/)
  expect(await task('Third').innerText()).toMatch(/Follows\s+Second/)
  await task('Second').getByText('Requires approval').waitFor()
  await page.getByText('No schedule. Runs start manually.').waitFor()
  const triggersLink = page.getByRole('main').getByRole('link', { name: 'Triggers', exact: true })
  expect(await triggersLink.getAttribute('href')).toBe('/Science/Schedules/Flows/Three%20steps')
  expect(await accessibilityProblems(page)).toEqual([])
  /** Returns the visible buttons that depend on the flags of the run. */
  const actions = async () => {
    const all = ['Run', 'Continue', 'Stop']
    const counts = await Promise.all(all.map((name) => button(page, name).count()))
    return all.filter((_, at) => counts[at]! > 0)
  }
  await expect.poll(actions).toEqual(['Run'])
  const bodies: Record<string, unknown> = {}
  page.on('request', (request) => {
    const action = /\/mgmt\/pipeline\/(?:[^/]+\/)?(execute|stop|continue)$/.exec(request.url())?.[1]
    if (action !== undefined) bodies[action] = request.postDataJSON()
  })

  await button(page, 'Run').click()
  const start = dialog(page, 'Run pipeline')
  await start.getByText('Are you sure you want to run the pipeline?', { exact: true }).waitFor()
  expect(bodies).toEqual({})
  const started = page.waitForResponse((response) => response.url().endsWith('/execute'))
  await button(start, 'Run').click()
  const reply = (await (await started).json()) as { jobId: string }
  expect(bodies.execute).toEqual({ pipelineId, version: 1, details: { version: 1 } })
  await page.getByText('Pipeline has been run.', { exact: true }).waitFor()
  await expect.poll(() => new URL(page.url()).searchParams.get('jobId')).toBe(reply.jobId)
  expect(reply.jobId).toMatch(/^[0-9a-f-]{36}$/)
  await task('First').getByText('Hello Brent').waitFor()
  await task('Second').getByText('Paused', { exact: true }).waitFor()
  await expect.poll(actions).toEqual(['Continue', 'Stop'])
  expect(await accessibilityProblems(page)).toEqual([])

  await button(page, 'Continue').click()
  const confirmation = dialog(page, 'Continue pipeline')
  await confirmation.getByText('Are you sure you want to continue the pipeline?', { exact: true }).waitFor()
  expect(bodies).not.toHaveProperty('continue')
  await button(confirmation, 'Continue').click()
  await page.getByText('Pipeline run has been continued.', { exact: true }).waitFor()
  expect(bodies.continue).toEqual({ userName: 'anna@example.com', jobId: reply.jobId })
  await task('Second').getByText('Hello World').waitFor()
  await task('Third').getByText('Running', { exact: true }).waitFor()
  await expect.poll(actions).toEqual(['Stop'])

  // The latest run is also found without its job in the URL.
  await page.goto(`${stage.server.url}/Science/Creator/Flows/Three%20steps/latest`)
  await button(page, 'Stop').click()
  const end = dialog(page, 'Stop pipeline')
  await end.getByText('Are you sure you want to terminate the pipeline?', { exact: true }).waitFor()
  expect(bodies).not.toHaveProperty('stop')
  await button(end, 'Stop').click()
  await page.getByText('Pipeline run has been terminated.', { exact: true }).waitFor()
  expect(bodies.stop).toEqual({ pipelineId, jobId: reply.jobId })
  await task('Third').getByText('The run was stopped by anna@example.com.').waitFor()
  await expect.poll(actions).toEqual(['Run'])
  await page.reload()
  await task('Third').getByText('The run was stopped by anna@example.com.').waitFor()
})

test('DP-528 DP-558 a task is approved or declined on the page of its pipeline, and an ended run is executed again, whole or in part', async () => {
  await pipeline('Decisions', [
    { id: 'a', taskReadableName: 'First', taskOverrides: brent },
    { id: 'b', taskReadableName: 'Second', prevTasks: [{ id: 'a' }], isPaused: true },
    { id: 'c', taskReadableName: 'Third', prevTasks: [{ id: 'b' }], isPaused: true },
  ])
  const page = await open('/Science/Creator/Flows/Decisions/latest')
  const task = (name: string) => page.getByRole('listitem', { name, exact: true })
  await button(page, 'Run').click()
  await button(dialog(page, 'Run pipeline'), 'Run').click()
  const resumed = () => page.waitForRequest((request) => request.url().endsWith('/mgmt/pipeline/resume'))
  const jobIn = () => new URL(page.url()).searchParams.get('jobId')
  const { userName } = anna
  const change = { approveTime: expect.stringMatching(isoTime) as string, userName }
  const approved = resumed()
  await button(page, 'Approve Second').click()
  const sent = { jobId: jobIn(), userName }
  expect((await approved).postDataJSON()).toEqual({
    ...sent,
    changes: [{ ...change, action: 'APPROVE', nodeId: 'b' }],
  })
  await task('Second').getByText('Hello World').waitFor()
  await button(page, 'Decline Third').waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  const declined = resumed()
  await button(page, 'Decline Third').click()
  expect((await declined).postDataJSON()).toEqual({
    ...sent,
    changes: [{ ...change, action: 'DECLINE', nodeId: 'c' }],
  })
  await task('Third').getByText('anna@example.com declined the task.').waitFor()
  const jobOf = () => new URL(page.url()).searchParams.get('jobId')
  const first = jobOf()

  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Rerun failed tasks' }).click()
  await expect.poll(jobOf).not.toBe(first)
  await task('Third').getByText('Paused', { exact: true }).waitFor()
  await task('First').getByText('Hello Brent').waitFor()
  await button(page, 'Approve Third').click()
  await task('Third').getByText('Hello World').waitFor()
  const second = jobOf()

  // A task that requires approval requires it again.
  await button(page, 'Rerun from here: Second').click()
  await expect.poll(jobOf).not.toBe(second)
  await task('Second').getByText('Paused', { exact: true }).waitFor()
  await button(page, 'Stop').click()
  await button(dialog(page, 'Stop pipeline'), 'Stop').click()
  await page.getByText('Pipeline run has been terminated.', { exact: true }).waitFor()
  const third = jobOf()
  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Rerun all tasks' }).click()
  await expect.poll(jobOf).not.toBe(third)
  await task('Second').getByText('Paused', { exact: true }).waitFor()
  await button(page, 'Stop').click()
  await button(dialog(page, 'Stop pipeline'), 'Stop').click()
  await button(page, 'Run').waitFor()
})

test('DP-533 a change of a file appears as a difference, which the user accepts together with the paused task, or declines', async () => {
  const reference = '${7d1f8a34-52c1-4d7a-8b0e-1f2e3d4c5b6a}'
  const store = [
    { name: 'Content', value: 'text' },
    { name: 'Text', value: 'Code,Max\nA,15\nB,7\n' },
    { name: 'Group', value: 'Flows' },
    { name: 'File name', value: 'limits.csv' },
    { name: 'File', type: 'OUTPUT', value: reference },
  ]
  const checks = [
    { name: 'File to check', value: reference },
    { name: 'Minimum rows', value: '3' },
  ]
  const builtIn = { taskGroup: '', taskVersion: null }
  const pipelineId = await pipeline('Edits', [
    {
      ...builtIn,
      id: 'a',
      taskReadableName: 'Limits',
      taskName: 'store-file',
      taskOverrides: { params: store },
    },
    {
      ...builtIn,
      id: 'b',
      taskReadableName: 'Check limits',
      taskName: 'check-file',
      taskOverrides: { params: checks },
      isPaused: true,
    },
  ])
  const start = () =>
    anna.call(executePipeline, { params: { pipelineId }, body: { waitSeconds: 60 } as never })
  const { jobId } = await start()
  const page = await open(`/Science/Creator/Flows/Edits/latest?jobId=${jobId}`)
  await button(page, 'Edit a file for Check limits').click()
  const editor = dialog(page, 'Edit a file for Check limits')
  await editor.getByRole('combobox', { name: 'File' }).waitFor()
  const content = editor.getByRole('textbox', { name: 'Content' })
  await content.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('Code,Max\nA,9\nC,1\nB,7\n')
  await button(editor, 'Review changes').click()
  const review = dialog(page, 'Review changes to limits.csv')
  await review.getByText('1 row changed, 1 added, 0 removed', { exact: true }).waitFor()
  const rows = review.getByRole('table', { name: 'Changed rows of limits.csv' }).getByRole('row')
  expect(await rows.allInnerTexts()).toEqual([
    'Row\tChange\tCode\tMax',
    '2\tChanged\tA\t159',
    '3\tAdded\tC\t1',
  ])
  for (const [tag, text] of [
    ['del', '15'],
    ['ins', '9'],
  ] as const)
    expect(await review.locator(tag).allInnerTexts()).toEqual([text])
  expect(await accessibilityProblems(page)).toEqual([])
  await button(review, 'Back to editing').click()
  await expect.poll(() => content.innerText()).toContain('C,1')
  await button(editor, 'Review changes').click()
  const resumed = page.waitForRequest((request) => request.url().endsWith('/mgmt/pipeline/resume'))
  await button(review, 'Accept and approve').click()
  expect((await resumed).postDataJSON()).toMatchObject({
    jobId,
    changes: [
      {
        action: 'FILE_EDIT',
        payload: {
          groupName: 'Flows',
          fileName: 'limits.csv',
          fileType: 'SOURCE',
          fileId: expect.any(String) as string,
          content: 'Code,Max\nA,9\nC,1\nB,7\n',
        },
      },
      { action: 'APPROVE', nodeId: 'b' },
    ],
  })
  const task = page.getByRole('listitem', { name: 'Check limits', exact: true })
  await task.getByText('All checks passed for 3 rows.').waitFor()

  const second = await start()
  await page.goto(`${stage.server.url}/Science/Monitor/Details/${second.jobId}?step=b`)
  await button(page, 'Edit a file for Check limits').click()
  await content.click()
  await page.keyboard.press('Control+a')
  await page.keyboard.insertText('no table\nA,15\nB,7\n')
  await button(editor, 'Review changes').click()
  await review.getByText('1 line added, 1 line removed', { exact: true }).waitFor()
  const lines = review.getByRole('list', { name: 'Changed lines of limits.csv' }).getByRole('listitem')
  expect(await lines.locator('code').allInnerTexts()).toEqual(['Code,Max', 'no table', 'A,15', 'B,7'])
  await button(review, 'Decline task').click()
  await page.getByText('anna@example.com declined the task.').first().waitFor()
  const { items } = await anna.call(searchFiles, { query: { query: 'name=limits.csv' } })
  expect(items.map(({ version }) => version)).toEqual([3, 2, 1])
})

test('DP-426 DP-522 DP-523 an older version can be selected and needs a second confirmation to run', async () => {
  const pipelineId = await pipeline(longName, [{ id: 'a', taskReadableName: 'Old step' }])
  const tasks = [{ id: 'a', taskReadableName: 'New step', taskName: 'greet', taskGroup: 'Scripts' }] as never
  await anna.call(updatePipeline, {
    params: { pipelineId },
    body: { name: longName, groupName: 'Flows', tasks },
  })
  const page = await open(`/Science/Creator/Flows/${encodeURIComponent(longName)}/1`)
  await page.getByRole('listitem', { name: 'Old step' }).waitFor()
  for (const [option, version, step] of [
    ['v2 · latest', 'latest', 'New step'],
    ['v1', '1', 'Old step'],
  ] as const) {
    await page.getByRole('combobox', { name: 'Version' }).click()
    await page.getByRole('option', { name: option, exact: true }).click()
    await page.waitForURL((url) => url.pathname.endsWith(`/${version}`))
    await page.getByRole('listitem', { name: step }).waitFor()
  }
  await header(page).getByText('v1, an older version').waitFor()
  await button(page, 'Run').click()
  const warning = page.getByRole('dialog', { name: "Pipeline's version is not latest", exact: true })
  await warning
    .getByText('The pipeline you are trying to execute has more recent version. Do you want to proceed?', {
      exact: true,
    })
    .waitFor()
  await button(warning, 'Cancel').click()
  await expect.poll(() => page.getByRole('dialog').count()).toBe(0)
  await button(page, 'Run').click()
  await button(warning, 'Proceed').click()
  await button(dialog(page, 'Run pipeline'), 'Run').click()
  await page.getByRole('listitem', { name: 'Old step' }).getByText('Hello World').waitFor()
  await page.getByRole('region', { name: 'Run' }).getByText('v1').waitFor()

  await button(page, 'More actions').click()
  await page.getByRole('menuitem', { name: 'Versions' }).click()
  await row(page, /v2 · latest/).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.goto(`${stage.server.url}/Science/List/Versions/Flows/Daily%20prices`)
  await row(page, /v1 · latest/).waitFor()
})

test('IN-420 IN-422 DP-396 five of six used tasks are stored, and the picker offers them first', async () => {
  const names = ['one', 'two', 'three', 'four', 'five', 'six']
  const page = await open('/Science/List#Tasks')
  await row(page, /Script greet/).waitFor()
  const stored = () => page.evaluate(() => localStorage.getItem('ng-recent-tasks') ?? '[]')
  const namesOf = async () => (JSON.parse(await stored()) as { name: string }[]).map(({ name }) => name)
  for (const name of names) {
    const { id } = await script(name, ['print(1)'])
    await page.goto(`${stage.server.url}/Science/task/creator/${id}`)
    await header(page).getByText(`Script ${name}`).waitFor()
    // The page stores the task after it has rendered it.
    await expect.poll(async () => (await namesOf())[0]).toBe(name)
  }
  expect(await namesOf()).toEqual(names.slice(1).toReversed())

  const searched = page.waitForRequest((request) => {
    const { pathname, searchParams } = new URL(request.url())
    return pathname === '/mgmt/task' && searchParams.get('size') === '1000'
  })
  await page.goto(`${stage.server.url}/Science/List#Tasks`)
  await button(page, 'Run a task').click()
  await searched
  await expect(anna.call(searchTasks, { query: { size: 1001 } })).rejects.toMatchObject({ status: 400 })
  const run = dialog(page, 'Run a task')
  expect(await accessibilityProblems(page)).toEqual([])
  const picker = run.getByRole('combobox', { name: 'Task' })
  await picker.click()
  const offered = () => page.getByRole('option').allInnerTexts()
  await expect
    .poll(async () => (await offered()).slice(0, 5))
    .toEqual(['six', 'five', 'four', 'three', 'two'].map((name) => `Script ${name} (${name}) · Scripts`))
  await picker.fill('greet scripts')
  await expect.poll(offered).toEqual(['Script greet (greet) · Scripts'])
  await page.getByRole('option').click()
  await run.getByLabel('Whom').fill('WTI')
  await button(run, 'Run').click()
  await run.getByRole('region', { name: 'Output' }).getByText('Hello WTI').waitFor()
  expect((await namesOf())[0]).toBe('greet')
  await picker.fill('six scripts')
  await page.getByRole('option', { name: 'Script six' }).click()
  await run.getByRole('region', { name: 'Output' }).waitFor({ state: 'detached' })
  await button(run, 'Run').waitFor()

  await page.evaluate(() => localStorage.setItem('ng-recent-tasks', '{'))
  await page.reload()
  await button(page, 'Run a task').click()
  await picker.click()
  await expect.poll(async () => (await offered()).length).toBeGreaterThan(5)
})

test('SH-217 SH-218 DP-391 DP-430 the global search finds pipelines and tasks, and offers recent pipelines', async () => {
  const page = await open('/Science/Creator/Flows/Daily%20prices/latest')
  await page.getByRole('listitem', { name: 'Greet Brent' }).waitFor()
  await page.keyboard.press('Control+k')
  const panel = dialog(page, 'Search all')
  const recent = panel
    .getByRole('region', { name: 'Recent pipelines' })
    .getByRole('link', { name: 'Daily prices' })
  expect(await recent.getAttribute('href')).toBe('/Science/Creator/Flows/Daily%20prices/latest')
  await panel.getByRole('combobox').or(panel.getByRole('searchbox')).fill('greet')
  const task = panel.getByRole('link', { name: /Script greet/ })
  await task.waitFor()
  expect(await task.innerText()).toMatch(/^Script greet\s+Python$/)
  const [greet] = (await anna.call(searchTasks, { query: { query: 'name=greet' } })).items
  expect(await task.getAttribute('href')).toBe(`/Science/task/creator/${greet!.id}`)

  await page.goto(`${stage.server.url}/Lake`)
  await page.getByRole('tab', { name: 'Groups' }).waitFor()
  await page.keyboard.press('Control+k')
  const response = page.waitForResponse((received) => {
    const { pathname, searchParams } = new URL(received.url())
    return pathname === '/mgmt/pipeline' && /daily/.test(searchParams.get('query') ?? '')
  })
  await panel.getByRole('combobox').or(panel.getByRole('searchbox')).fill('daily')
  const { pipeline: daily } = await anna.call(getPipelineByName, {
    query: { groupName: 'Flows', name: 'Daily prices' },
  })
  expect(await (await response).json()).toMatchObject({
    items: [{ id: daily.id, name: 'Daily prices', groupName: 'Flows' }],
  })
  const result = panel.getByRole('link', { name: /Daily prices/ })
  await expect.poll(() => result.getAttribute('href')).toBe('/Science/creator/Flows/Daily%20prices/latest')
  expect(await result.innerText()).toMatch(/^Daily prices\s+Flows$/)
  await result.click()
  await page.waitForURL('**/Science/creator/Flows/Daily%20prices/latest')
  await page.getByRole('listitem', { name: 'Greet Brent' }).waitFor()
  await panel.waitFor({ state: 'detached' })
})

test('SH-189 DP-428 the job of a pipeline links to the page of the pipeline, which shows that run', async () => {
  const pipelineId = await pipeline('Linked', [{ id: 'a', taskReadableName: 'Only step' }])
  const page = await open('/Science/Creator/Flows/Linked/latest')
  await button(page, 'Run').click()
  await button(dialog(page, 'Run pipeline'), 'Run').click()
  await page.getByText('The run of Linked succeeded.').waitFor()
  const jobId = new URL(page.url()).searchParams.get('jobId')
  expect(jobId).toMatch(/^[0-9a-f-]{36}$/)
  await page.goto(`${stage.server.url}/Statuses`)
  await page.getByText('Linked', { exact: true }).first().click()
  const link = page.getByRole('link', { name: 'Open', exact: true })
  const href = `/Science/Creator/Flows/Linked/1?jobId=${jobId}`
  await expect.poll(() => link.getAttribute('href')).toBe(href)
  await link.click()
  await page.waitForURL(stage.server.url + href)
  await page.getByRole('listitem', { name: 'Only step' }).getByText('Hello World').waitFor()
  const { pipeline: reported } = await anna.call(getPipelineByName, {
    query: { groupName: 'Flows', name: 'Linked' },
  })
  expect(reported.id).toBe(pipelineId)
})

test('DP-431 DP-433 DP-392 users with read access see pipelines without buttons to save or run them, and no task pages; a viewer sees none', async () => {
  const carol = await stage.server.createUser({ role: 'Pipeline builder' })
  await carol.call(createGroup, { body: { name: 'Carols' } })
  const tasks = [{ id: 'a', taskReadableName: 'Mail', taskName: 'email-sender' }]
  const hers = { name: 'Hers', groupName: 'Carols', tasks } as never
  const { pipeline: made } = await carol.call(createPipeline, { body: hers })
  const task = await carol.call(createTask, {
    body: { name: 'task', groupName: 'Carols', readableName: 'Task of hers', definitionName: 'email-sender' },
  })
  const page = await open(`/Science/task/creator/${task.id}`, carol)
  await header(page).getByText('Task of hers').waitFor()
  await page.goto(`${stage.server.url}/Science/task/versions/${task.id}`)
  await page.getByText('Versions of Task of hers').waitFor()
  await makeReader(carol)
  const params = { pipelineId: made.id }
  for (const refused of [
    carol.call(createPipeline, { body: hers }),
    carol.call(updatePipeline, { params, body: hers }),
    carol.call(executePipeline, { params, body: {} }),
  ])
    await expect(refused).rejects.toMatchObject({ status: 403 })
  await page.goto(`${stage.server.url}/Science/List#Pipelines`)
  await button(page, 'Actions for Hers').click()
  await expect
    .poll(() => page.getByRole('menuitem').allInnerTexts())
    .toEqual(['Open', 'Versions', 'Triggers', 'Export'])
  await page.goto(`${stage.server.url}/Science/Creator/Carols/Hers/latest`)
  await page.getByRole('listitem', { name: 'Mail' }).waitFor()
  expect(await page.getByRole('button', { name: /^(Run|Save|Quick)/ }).count()).toBe(0)
  await button(page, 'More actions').click()
  await expect
    .poll(() => page.getByRole('menuitem').allInnerTexts())
    .toEqual(['Versions', 'Triggers', 'Export'])
  await page.goto(`${stage.server.url}/Science/List#Tasks`)
  await button(page, 'Actions for Send e-mail').click()
  await expect.poll(() => page.getByRole('menuitem').allInnerTexts()).toEqual(['Run'])
  await expect.poll(() => page.getByRole('link', { name: 'New task' }).count()).toBe(0)
  for (const path of ['creator', 'versions']) {
    await page.goto(`${stage.server.url}/Science/task/${path}/${task.id}`)
    await page.getByText('You do not have access to this page').waitFor()
  }

  const viewer = await stage.server.createUser({ role: 'Viewer' })
  const other = await open('/Science/List', viewer)
  for (const path of ['', '/Creator/Carols/Hers/latest']) {
    await other.getByText('You do not have access to this page').waitFor()
    await other.goto(`${stage.server.url}/Science${path}`)
  }
  await other.getByText('You do not have access to this page').waitFor()
})

/** Gives a user a role with read access to data science only. */
async function makeReader({ userName }: { userName: string }): Promise<void> {
  const { accounts, database } = stage.server.running.platform
  const { rows } = await database.pool.query<{ id: string }>(
    `update role_entitlements set mode = 'R'
       from roles
      where roles.id = role_id and roles.name = 'Report author' and resource = 'Creator' and parent = 'Science'
      returning roles.id`,
  )
  await database.pool.query(
    `insert into role_entitlements (role_id, parent, resource, mode) values ($1, 'Science', 'Task', 'R')`,
    [rows[0]!.id],
  )
  const { userId } = (await accounts.findUserByName(userName))!
  await accounts.setUserRoles(userId, [Number(rows[0]!.id)])
}
