import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, upload, type Session, type TestServer, refusal } from '@headwater/server/testing'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import {
  createInsight,
  createInsightTemplate,
  filledTemplate,
  getInsightTemplate,
  lookUpTemplateName,
  parseTemplateParams,
  searchInsightTemplates,
} from '../contract/index.ts'

let server: TestServer
let owner: Session
let stranger: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser()
  stranger = await server.createUser()
  await owner.call(createGroup, { body: { name: 'Patterns' } })
})
afterAll(() => server.stop())

const content = {
  ...emptyContent(),
  tiles: [
    { id: 't', type: 'Table', title: 'Rows of {{region}}' },
    { id: 'n', type: 'Text', title: 'Note', templateContent: '{{unknown}} {{ region }}' },
  ],
  inputParams: { p1: { keys: [{ symbolKey: 'Code', defaultValue: '' }] } },
} as InsightContent

test('IN-364 IN-370 a template can be searched, read and filled with its parameters and CSV outputs', async () => {
  const outputs = [
    { groupName: '', fileName: 'rows.csv', tileId: 't' },
    { groupName: '', fileName: 'first.csv', inputParamsId: 'p1' },
  ]
  const parameters = [{ name: 'region', label: 'Region', defaultValue: 'North' }]
  await owner.call(createInsightTemplate, {
    body: { groupName: 'Patterns', name: 'Regions', description: 'By region', parameters, outputs, content },
  })
  const result = await owner.call(searchInsightTemplates, { query: { query: 'region' } })
  expect(result.items).toMatchObject([{ name: 'Regions', groupName: 'Patterns', description: 'By region' }])
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

test('a template overwrites neither an insight nor another file, and the error names the conflict', async () => {
  const group = { groupName: 'Patterns' }
  await owner.call(createInsight, { body: { ...group, insightName: 'Desk', content } })
  await upload(owner, { ...group, fileName: 'Plain.json', fileType: 'SOURCE', content: '{}' })
  const save = (name: string) =>
    refusal(owner.call(createInsightTemplate, { body: { ...group, name, content } }))
  expect((await save('Desk')).body.validationErrors).toEqual([
    { field: 'name', message: expect.stringContaining('already has an insight “Desk”') as string },
  ])
  expect((await save('Plain')).body.validationErrors).toEqual([
    { field: 'name', message: expect.stringContaining('already has another file “Plain.json”') as string },
  ])
})

test('a template can be replaced only by naming its newest version', async () => {
  const saved = { groupName: 'Patterns', name: 'Saved', content }
  const save = (more: object = {}) => owner.call(createInsightTemplate, { body: { ...saved, ...more } })
  const { fileId: first } = await save()
  for (const more of [{}, { expectedFileId: randomUUID() }]) {
    const { status, body } = await refusal(save(more))
    expect([status, body.code, body.validationErrors]).toEqual([
      409,
      'templateExists',
      [{ field: 'name', message: expect.stringContaining(`saved by ${owner.userName}`) as string }],
    ])
  }
  const look = () =>
    owner.call(lookUpTemplateName, { query: { groupName: 'Patterns', insightName: 'Any', name: 'Saved' } })
  expect((await look()).template).toMatchObject({ fileId: first, owner: owner.userName, name: 'Saved' })
  const { fileId: second } = await save({ expectedFileId: first })
  expect((await refusal(save({ expectedFileId: first }))).body.code).toBe('templateExists')
  expect((await look()).template?.fileId).toBe(second)
  const saves = await Promise.allSettled(Array.from({ length: 5 }, () => save({ name: 'At once' })))
  expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test.each(['a=b', 'R&D', '100 %', 'what*', 'x'.repeat(195), '🛢'.repeat(100)])(
  'the proposed name for a template is free for any name of the insight: %s',
  async (insightName) => {
    const propose = async () =>
      (await owner.call(lookUpTemplateName, { query: { groupName: 'Patterns', insightName } })).freeName
    for (const end of [/ template$/, / template 2$/, / template 3$/]) {
      const name = await propose()
      expect(name).toMatch(end)
      await owner.call(createInsightTemplate, { body: { groupName: 'Patterns', name, content } })
    }
    const query = Array.from(insightName).slice(0, 50).join('')
    const result = await owner.call(searchInsightTemplates, { query: { query } })
    expect(result.totalSize).toBe(3)
  },
)

test('does not propose names of existing insights or files, and does not reveal names in inaccessible groups', async () => {
  await owner.call(createInsight, { body: { groupName: 'Patterns', insightName: 'Full template', content } })
  await upload(owner, {
    groupName: 'Patterns',
    fileName: 'Full template 2.json',
    fileType: 'SOURCE',
    content: '{}',
  })
  const query = { groupName: 'Patterns', insightName: 'Full', name: 'Full template' }
  expect(await owner.call(lookUpTemplateName, { query })).toEqual({
    freeName: 'Full template 3',
    template: null,
  })
  expect((await refusal(stranger.call(lookUpTemplateName, { query }))).body.code).toBe('groupNotFound')
})

test('IN-362 a missing, unreadable or damaged template has a specific error', async () => {
  await owner.call(createInsightTemplate, { body: { groupName: 'Patterns', name: 'Closed', content } })
  const read = (name: string, session = owner) =>
    refusal(session.call(getInsightTemplate, { params: { groupName: 'Patterns', name } }))
  const missing = await read('None')
  expect([missing.status, missing.body.message]).toEqual([404, 'Insight template not found'])
  expect((await read('Closed', stranger)).body.message).toBe('Insight template not found')
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

test('IN-361 template parameters are name=value pairs separated by |; anything else is rejected', () => {
  expect([...parseTemplateParams('a=1|b=2')]).toEqual([
    ['a', '1'],
    ['b', '2'],
  ])
  expect([...parseTemplateParams('region=Nord & Süd, 100%|eq=a=b')]).toEqual([
    ['region', 'Nord & Süd, 100%'],
    ['eq', 'a=b'],
  ])
  expect(parseTemplateParams('').size).toBe(0)
  for (const text of ['a', '=1', 'a=1|', 'a=1||b=2'])
    expect(() => parseTemplateParams(text), text).toThrow('Not a proper template params')
})

test('stores a template only if it can be read again: neither too deep nor too large', async () => {
  const save = (text: string) =>
    owner.fetch('/insight-templates', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: `{"groupName":"Patterns","name":"Huge","parameters":[],"outputs":[],"content":${text}}`,
    })
  const base = JSON.stringify(emptyContent()).slice(0, -1)
  const nested = (depth: number) => `${base},"extra":${'['.repeat(depth)}${']'.repeat(depth)}}`
  const responses = []
  for (const text of [
    nested(100_000),
    nested(61),
    nested(59),
    `${base},"text":"${'x'.repeat(5_000_000)}"}`,
  ]) {
    const response = await save(text)
    responses.push([response.status, ((await response.json()) as { code: string }).code])
  }
  expect(responses).toEqual([
    [400, 'jsonTooDeep'],
    [400, 'invalidInput'],
    [400, 'invalidInput'],
    [400, 'insightTooLarge'],
  ])
  expect((await save(nested(58))).status).toBe(201)
  const read = { params: { groupName: 'Patterns', name: 'Huge' } }
  expect((await owner.call(getInsightTemplate, read)).definition.insight).toHaveProperty('extra')
})

test('a database failure is not reported as a missing template', async () => {
  const { pool } = server.running.platform.database
  await pool.query('alter table group_grants rename to group_grants_away')
  const response = await refusal(
    stranger.call(getInsightTemplate, { params: { groupName: 'Patterns', name: 'Regions' } }),
  ).finally(() => pool.query('alter table group_grants_away rename to group_grants'))
  expect(response.status).toBe(500)
})
