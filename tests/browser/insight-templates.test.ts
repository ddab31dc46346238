import { beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import { createInsightTemplate, getInsight, lookUpTemplateName } from '@headwater/insights/contract'
import { updatePipeline } from '@headwater/pipelines/contract'
import { upload, type Session } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask } from '@headwater/tasks/contract'
import { accessibilityProblems, openAs } from './open-browser.ts'
import { setUpReports } from './set-up-reports.ts'

const {
  stage,
  open,
  text,
  table,
  prepOf,
  make,
  idOf,
  tile,
  storedKeys,
  ownKey,
  isCall,
  holdRequests,
  ...users
} = setUpReports()

let anna: Session
beforeAll(() => {
  anna = users.anna()
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

test('code with values from the URL gets data only after the user allows it, also after saving; code with default values runs at once for the user who saved it', async () => {
  const script = (value: string) =>
    `<p id="p"></p><script>p.textContent = '${value} ' + headwater.data.rows.length</script>`
  const code = { type: 'CODE', source: { type: 'EDITOR' }, lastTypeAmount: 5 }
  const tiles = [
    { ...code, id: 'given', title: 'Given', templateContent: script('{{unit}}') },
    { ...code, id: 'default', title: 'Default', templateContent: script('{{kind}}') },
  ]
  const content = {
    ...emptyContent(),
    tiles,
    datapreps: { given: prepOf('Brent'), default: prepOf('Brent') },
  } as unknown as InsightContent
  const parameters = [{ name: 'unit' }, { name: 'kind', defaultValue: 'Oil' }]
  await anna.call(createInsightTemplate, {
    body: { groupName: 'Archive', name: 'Coded', parameters: parameters as never, outputs: [], content },
  })
  const injected = "'; document.body.append(`sent ${headwater.data.rows.length}`); '"
  const page = await open(`/Insight/Templates/Archive/Coded/${encodeURIComponent(`unit=${injected}`)}`)
  const allow = tile(page, 'Given').getByRole('button', { name: 'Run code with values from a link' })
  await allow.waitFor()
  expect(await accessibilityProblems(page)).toEqual([])
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const form = page.getByRole('dialog')
  await form.getByLabel('Name', { exact: true }).fill('Coded')
  await form.getByRole('button', { name: 'Save', exact: true }).click()
  await page.waitForURL(/\/Insight\/[^/]+\/Coded/)
  // The URL changes before the template disappears.
  await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
  await tile(page, 'Default').frameLocator('iframe').getByText('Oil 5').waitFor()
  await allow.waitFor()
  expect(await tile(page, 'Given').locator('iframe').count()).toBe(0)
  await allow.click()
  await tile(page, 'Given').frameLocator('iframe').getByText('sent 5').waitFor()
  await page.reload()
  await tile(page, 'Given').frameLocator('iframe').getByText('sent 5').waitFor()
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

/** Python that writes text as a file of the lake. */
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
