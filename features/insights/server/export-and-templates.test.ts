import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { CallError, startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import {
  createInsight,
  createInsightTemplate,
  emptyContent,
  executeInsightExport,
  exporterName,
  filledTemplate,
  getInsightExport,
  getInsightTemplate,
  parseTemplateParams,
  saveInsightExport,
  searchInsightTemplates,
  updateInsight,
  type InsightContent,
} from '../contract/index.ts'

let server: TestServer
let owner: Session
let stranger: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser()
  stranger = await server.createUser()
  for (const name of ['Reports', 'Patterns']) await owner.call(createGroup, { body: { name } })
  await owner.call(createInsight, {
    body: { insightName: 'sales', groupName: 'Reports', content: emptyContent() },
  })
})
afterAll(() => server.stop())

async function refusal(call: Promise<unknown>): Promise<CallError> {
  const error = await call.then(
    () => undefined,
    (problem: unknown) => problem,
  )
  expect(error).toBeInstanceOf(CallError)
  return error as CallError
}

const params = { groupName: 'Reports', insightName: 'sales' }
const details = {
  emailSubject: 'Sales of today',
  reportTitle: 'Sales',
  recipients: ['Anna@example.com', 'ben@example.com'],
  cron: '0 7 * * 1-5',
}

test('IN-375 IN-382 IN-385 IN-386 IN-387 IN-388 IN-389 the exporter has its tasks, names and recipients', async () => {
  expect(await owner.call(getInsightExport, { params })).toEqual({
    pipeline: null,
    changedBy: null,
    changed: null,
  })
  const { pipeline, changedBy } = await owner.call(saveInsightExport, { params, body: details })
  expect(changedBy).toBe(owner.userName)
  expect(pipeline).toMatchObject({ name: 'sales email exporter', groupName: 'Reports', tags: ['insight'] })
  expect(exporterName('sales.json')).toBe('sales email exporter')
  const tasks = Object.fromEntries(pipeline!.tasks.map((task) => [task.taskName, task]))
  expect(Object.keys(tasks)).toEqual([
    'cron-trigger',
    'tile-downloader',
    'generic-html-template',
    'email-sender',
  ])
  expect(tasks['cron-trigger']).toMatchObject({
    name: 'cron-trigger',
    parameters: { cron: '0 7 * * 1-5', timeZone: 'UTC' },
  })
  expect(tasks['generic-html-template']?.parameters).toEqual({
    title: 'Sales',
    outputFile: 'sales email exporter-html-template.html',
  })
  expect(tasks['email-sender']?.parameters).toMatchObject({
    subject: 'Sales of today',
    recipients: 'anna@example.com,ben@example.com',
  })
  expect(pipeline?.payload.details.recipients).toHaveLength(2)
})

test('IN-383 an exporter is changed, follows a rename, and does not run before pipelines exist', async () => {
  await owner.call(saveInsightExport, { params, body: { ...details, reportTitle: 'Other' } })
  expect((await owner.call(getInsightExport, { params })).pipeline?.payload.details.reportTitle).toBe('Other')
  await owner.call(updateInsight, {
    body: {
      oldGroupName: 'Reports',
      oldInsightName: 'sales',
      newInsightName: 'turnover',
      content: emptyContent(),
    },
  })
  const renamed = { ...params, insightName: 'turnover' }
  expect((await owner.call(getInsightExport, { params: renamed })).pipeline?.name).toBe(
    'turnover email exporter',
  )
  const run = await refusal(owner.call(executeInsightExport, { params: renamed }))
  expect([run.status, run.body.code]).toEqual([409, 'pipelinesLater'])
  expect((await refusal(stranger.call(getInsightExport, { params: renamed }))).status).toBe(404)
})

test('what is no subject, recipient or schedule is told at its field', async () => {
  const place = { groupName: 'Reports', insightName: 'turnover' }
  const wrong = [
    { emailSubject: '' },
    { emailSubject: 'a\r\nBcc: b@example.com' },
    { recipients: [] },
    { recipients: ['a@example.com,b@example.com'] },
    { cron: 'every day' },
    { cron: '0 7 * *; rm -rf /' },
    { cron: '0 7 * * 1;x' },
    { cron: '0 0 31 2 *' },
  ]
  for (const change of wrong) {
    const error = await refusal(
      owner.call(saveInsightExport, { params: place, body: { ...details, ...change } }),
    )
    expect(error.body.validationErrors?.[0]?.field).toMatch(new RegExp(`^${Object.keys(change)[0]}`))
  }
})

const content = {
  ...emptyContent(),
  tiles: [
    { id: 't', type: 'Table', title: 'Rows of {{region}}' },
    { id: 'n', type: 'Text', title: 'Note', templateContent: '{{unknown}} {{ region }}' },
  ],
  inputParams: { p1: { keys: [{ symbolKey: 'Code', defaultValue: '' }] } },
} as InsightContent

test('IN-364 IN-370 a template is found, read and filled with its parameters and CSV outputs', async () => {
  const outputs = [
    { groupName: '', fileName: 'rows.csv', tileId: 't' },
    { groupName: '', fileName: 'first.csv', inputParamsId: 'p1' },
  ]
  const parameters = [{ name: 'region', label: 'Region', defaultValue: 'North' }]
  await owner.call(createInsightTemplate, {
    body: { groupName: 'Patterns', name: 'Regions', description: 'By region', parameters, outputs, content },
  })
  const found = await owner.call(searchInsightTemplates, { query: { query: 'region' } })
  expect(found.items).toMatchObject([{ name: 'Regions', groupName: 'Patterns', description: 'By region' }])
  expect((await stranger.call(searchInsightTemplates, {})).totalSize).toBe(0)
  const { definition } = await owner.call(getInsightTemplate, {
    params: { groupName: 'Patterns', name: 'Regions' },
  })
  const [rows, first] = definition.outputs
  const filled = filledTemplate(definition, parseTemplateParams('region=South'), [
    { output: rows!, header: ['a'], rows: [['1']], text: 'a\n1\n' },
    { output: first!, header: ['code'], rows: [['BRENT'], ['WTI']], text: '' },
  ])
  expect(filled.tiles[0]).toMatchObject({
    title: 'Rows of South',
    source: { type: 'EDITOR' },
    dataContent: 'a\n1\n',
  })
  expect(filled.tiles[1]).toMatchObject({ templateContent: '{{unknown}} South' })
  expect(filled.inputParams?.p1).toMatchObject({ keys: [{ symbolKey: 'Code', defaultValue: 'BRENT' }] })
  expect(filledTemplate(definition, new Map(), []).tiles[0]?.title).toBe('Rows of North')
})

test('IN-362 a template that is not there, not readable or damaged is told as such', async () => {
  const read = (name: string, session = owner) =>
    refusal(session.call(getInsightTemplate, { params: { groupName: 'Patterns', name } }))
  const missing = await read('None')
  expect([missing.status, missing.body.message]).toEqual([404, 'Insight template not found'])
  expect((await read('Regions', stranger)).body.message).toBe('Insight template not found')
  for (const [name, text] of Object.entries({
    Text: 'hello',
    Empty: '{}',
    Output: '{"insight":{"tiles":[]},"outputs":[{"fileName":"../x.sh"}]}',
  })) {
    await upload(owner, {
      groupName: 'Patterns',
      fileName: `${name}.json`,
      fileType: 'INSIGHT_TEMPLATE',
      content: text,
    })
    expect((await read(name)).body.code, name).toBe('templateDamaged')
  }
})

test('IN-360 IN-361 template parameters are pairs joined by bars, encoded; anything else is refused', () => {
  expect([...parseTemplateParams('a=1|b=2')]).toEqual([
    ['a', '1'],
    ['b', '2'],
  ])
  expect([...parseTemplateParams(encodeURIComponent('region=Nord & Süd|eq=a=b'))]).toEqual([
    ['region', 'Nord & Süd'],
    ['eq', 'a=b'],
  ])
  expect(parseTemplateParams('').size).toBe(0)
  for (const text of ['a', '=1', 'a=1|', '%E0%A4%A', 'a=1||b=2'])
    expect(() => parseTemplateParams(text), text).toThrow('Not a proper template params')
})

test('a template is kept only if it can be read again: not nested without end, not too large', async () => {
  const save = (text: string) =>
    owner.fetch('/insight-templates', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"groupName":"Patterns","name":"Huge","parameters":[],"outputs":[],"content":${text}}`,
    })
  const base = JSON.stringify(emptyContent()).slice(0, -1)
  const nested = (depth: number) => `${base},"extra":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const answers = []
  for (const text of [
    nested(100_000),
    nested(61),
    nested(59),
    `${base},"text":"${'x'.repeat(5_000_000)}"}`,
  ]) {
    const answer = await save(text)
    answers.push([answer.status, ((await answer.json()) as { code: string }).code])
  }
  expect(answers).toEqual([
    [400, 'invalidInput'],
    [400, 'invalidInput'],
    [400, 'invalidInput'],
    [400, 'insightTooLarge'],
  ])
  expect((await save(nested(58))).status).toBe(201)
  const read = { params: { groupName: 'Patterns', name: 'Huge' } }
  expect((await owner.call(getInsightTemplate, read)).definition.insight).toHaveProperty('extra')
})

test('a failure of the database is not told as a template that is not there', async () => {
  const { pool } = server.running.platform.database
  await pool.query('alter table group_grants rename to group_grants_away')
  const answer = await refusal(
    stranger.call(getInsightTemplate, { params: { groupName: 'Patterns', name: 'Regions' } }),
  ).finally(() => pool.query('alter table group_grants_away rename to group_grants'))
  expect(answer.status).toBe(500)
})
