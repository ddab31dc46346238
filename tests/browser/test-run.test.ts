import type { Page } from 'playwright'
import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { createPipeline, executePipeline } from '@headwater/pipelines/contract'
import type { Session } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask, getTask } from '@headwater/tasks/contract'
import { accessibilityProblems } from './open-browser.ts'
import { setUpStage } from './stage.ts'

const stage = setUpStage()
let anna: Session

beforeAll(async () => {
  anna = await stage.server.createUser({ role: 'Pipeline builder', email: 'anna@example.com' })
  await anna.call(createGroup, { body: { name: 'Flows' } })
})

interface Param {
  name: string
  type?: 'INPUT' | 'OUTPUT'
  valueType?: 'NUMBER'
  value?: string
  optional?: boolean
}

async function createScript(
  name: string,
  script: readonly string[],
  params: readonly Param[],
): Promise<string> {
  const all = [{ name: 'Script', valueType: 'SCRIPT', value: script.join('\n') }, ...params]
  const body = { name, groupName: 'Flows', definitionName: 'python-runner', params: all }
  return (await anna.call(createTask, { body: body as never })).id
}

async function openTask(id: string, search = ''): Promise<Page> {
  const page = await stage.open(`/Science/task/creator/${id}${search}`, anna)
  page.setDefaultTimeout(30_000)
  await page.getByRole('textbox', { name: 'Script', exact: true }).waitFor()
  return page
}

const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })
const output = (page: Page) => page.getByRole('log', { name: 'Output of the test run' })

async function replaceText(page: Page, field: string, text: string): Promise<void> {
  await page.getByRole('textbox', { name: field, exact: true }).click()
  await page.keyboard.press('Control+A')
  await page.keyboard.insertText(text)
}

test('an error that a test run finds is fixed in the script, without a saved version or run', async () => {
  const html = '<img src=x onerror="window.hacked = 1">'
  const script = [
    `import os; print('${html}')`,
    'prices = {"Brent": 78.5}',
    'print("Price:", prices[os.environ["Symbol"]])',
  ]
  const id = await createScript('fixed', script, [{ name: 'Symbol', value: 'brent' }])
  const page = await openTask(id)
  // By keyboard alone: the part opens, and the buttons are reached with Tab.
  await button(page, 'Test run').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Sample input' }).waitFor()
  await button(page, 'Run test').focus()
  await page.keyboard.press('Enter')
  const error = "Line 3: KeyError: 'brent'"
  await page.getByRole('alert').filter({ hasText: error }).waitFor()
  await page.getByRole('region', { name: 'Test run' }).getByText(error).waitFor()
  await output(page).getByText("KeyError: 'brent'").waitFor()
  await output(page).getByText(html).waitFor()
  expect(await page.evaluate(() => 'hacked' in window)).toBe(false)
  await expect.poll(() => page.locator('.cm-wrong').innerText()).toBe('print')
  expect(await accessibilityProblems(page)).toEqual([])
  await replaceText(page, 'Script', script.join('\n').replace('["Symbol"]', '["Symbol"].title()'))
  await page.locator('.cm-wrong').waitFor({ state: 'detached' })
  await button(page, 'Run test').click()
  await output(page).getByText('Price: 78.5').waitFor()
  await page.getByRole('region', { name: 'Test run' }).getByText('Succeeded').waitFor()
  await replaceText(page, 'Sample input', '{"Symbol": }')
  await button(page, 'Run test').click()
  await page.getByRole('alert').filter({ hasText: 'The sample is not valid JSON' }).waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  expect((await anna.call(getTask, { params: { taskId: id }, query: {} })).version).toBe(1)
  expect((await anna.call(searchStatuses, { query: {} })).totalSize).toBe(0)
})

test('the initial script of a new Python task runs without changes', async () => {
  const page = await stage.open('/Science/task/creator', anna)
  page.setDefaultTimeout(30_000)
  await button(page, 'Test run').click()
  await button(page, 'Run test').click()
  await output(page).getByText('Hello, world!').waitFor()
})

test('Stop ends a test run, keeps its output, and returns the focus', async () => {
  const id = await createScript(
    'endless',
    ['import time', 'print("begun", flush=True)', 'time.sleep(3600)'],
    [],
  )
  const page = await openTask(id)
  await button(page, 'Test run').click()
  await button(page, 'Run test').click()
  await output(page).getByText('begun').waitFor()
  await button(page, 'Stop').focus()
  await page.keyboard.press('Enter')
  await page.getByRole('status').getByText('Stopped').waitFor()
  await expect.poll(() => output(page).innerText()).toContain('begun')
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Run test')
})

test('a test run takes the values of the latest run of the pipeline that links to the task', async () => {
  const reference = '${11111111-1111-4111-8111-111111111111}'
  const store = [
    'import os, urllib.parse, urllib.request',
    'url = os.environ["NG_API_ENDPOINT"] + "/mgmt/store/None/" + urllib.parse.quote(os.environ["Price"], safe="$")',
    'headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "X-KH-JOB-ID": os.environ["JOBID"], "Content-Type": "text/plain"}',
    'urllib.request.urlopen(urllib.request.Request(url, data=b"81.25", headers=headers))',
  ]
  await createScript('fetch', store, [{ name: 'Price', type: 'OUTPUT' }])
  await createScript(
    'use',
    ['import os', 'print("Got", os.environ["Input"], os.environ["Factor"])'],
    [{ name: 'Input' }, { name: 'Factor', valueType: 'NUMBER', value: '2' }],
  )
  const node = (taskName: string, params: object[], before: string[]) => ({
    id: taskName,
    taskReadableName: taskName,
    taskName,
    taskGroup: 'Flows',
    prevTasks: before.map((id) => ({ id })),
    taskOverrides: { params },
  })
  const tasks = [
    node('fetch', [{ name: 'Price', type: 'OUTPUT', value: reference }], []),
    node('use', [{ name: 'Input', value: reference }], ['fetch']),
  ]
  const { pipeline } = await anna.call(createPipeline, {
    body: { name: 'daily', groupName: 'Flows', tasks: tasks as never },
  })
  const page = await stage.open('/Science/Creator/Flows/daily/latest', anna)
  page.setDefaultTimeout(30_000)
  await page.locator('.react-flow__node[data-id="use"]').getByText('use').click()
  const link = page.getByRole('complementary', { name: 'Task' }).getByRole('link', { name: 'Test run' })
  const tab = await stage.open((await link.getAttribute('href'))!, anna)
  tab.setDefaultTimeout(30_000)
  await button(tab, 'Use values of the latest run').click()
  await tab.getByText('You have not run this pipeline yet.').waitFor()
  await anna.call(executePipeline, {
    params: { pipelineId: pipeline.id },
    body: { waitSeconds: 60 } as never,
  })
  await button(tab, 'Use values of the latest run').click()
  await tab.getByText('1 value of the latest run').waitFor()
  await button(tab, 'Run test').click()
  await output(tab).getByText('Got 81.25 2').waitFor()
})
