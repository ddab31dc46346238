import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, upload, type Session, type TestServer, refusal } from '@headwater/server/testing'
import { emptyContent, type InsightContent } from '@headwater/tiles/contract'
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

test('IN-364 IN-370 a template is searched, read and filled with its parameters and CSV outputs', async () => {
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

test('a template is not saved over an insight or another file, and what is in the way is told', async () => {
  const place = { groupName: 'Patterns' }
  await owner.call(createInsight, { body: { ...place, insightName: 'Desk', content } })
  await upload(owner, { ...place, fileName: 'Plain.json', fileType: 'SOURCE', content: '{}' })
  const save = (name: string) =>
    refusal(owner.call(createInsightTemplate, { body: { ...place, name, content } }))
  expect((await save('Desk')).body.validationErrors).toEqual([
    { field: 'name', message: expect.stringContaining('already has an insight “Desk”') as string },
  ])
  expect((await save('Plain')).body.validationErrors).toEqual([
    { field: 'name', message: expect.stringContaining('already has another file “Plain.json”') as string },
  ])
})

test('a template is replaced only by who says which version, and as long as that is the newest', async () => {
  const place = { groupName: 'Patterns', name: 'Kept', content }
  const save = (more: object = {}) => owner.call(createInsightTemplate, { body: { ...place, ...more } })
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
    owner.call(lookUpTemplateName, { query: { groupName: 'Patterns', insightName: 'Any', name: 'Kept' } })
  expect((await look()).template).toMatchObject({ fileId: first, owner: owner.userName, name: 'Kept' })
  const { fileId: second } = await save({ expectedFileId: first })
  expect((await refusal(save({ expectedFileId: first }))).body.code).toBe('templateExists')
  expect((await look()).template?.fileId).toBe(second)
  const saves = await Promise.allSettled(Array.from({ length: 5 }, () => save({ name: 'At once' })))
  expect(saves.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
})

test.each(['a=b', 'R&D', '100 %', 'what*', 'x'.repeat(195), '🛢'.repeat(100)])(
  'the name that is proposed for a template is free, whatever the insight is called: %s',
  async (insightName) => {
    const propose = async () =>
      (await owner.call(lookUpTemplateName, { query: { groupName: 'Patterns', insightName } })).freeName
    for (const end of [/ template$/, / template 2$/, / template 3$/]) {
      const name = await propose()
      expect(name).toMatch(end)
      await owner.call(createInsightTemplate, { body: { groupName: 'Patterns', name, content } })
    }
    const query = Array.from(insightName).slice(0, 50).join('')
    const found = await owner.call(searchInsightTemplates, { query: { query } })
    expect(found.totalSize).toBe(3)
  },
)

test('no name is proposed that an insight or another file has, and names of groups of others are not told', async () => {
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

test('IN-362 a missing, unreadable or damaged template has an error of its own', async () => {
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

test('IN-361 template parameters are name=value pairs separated by |; rejects anything else', () => {
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
    [400, 'jsonTooDeep'],
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
