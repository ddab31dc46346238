import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { CallError, startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import {
  createInsight,
  createInsightTemplate,
  getInsight,
  getInsightTemplate,
  restoreInsightVersion,
  updateInsight,
} from '../contract/index.ts'

let server: TestServer
let owner: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser()
  await owner.call(createGroup, { body: { name: 'Energy' } })
})
afterAll(() => server.stop())

function put(insightName: string, definition: unknown) {
  const content = typeof definition === 'string' ? definition : JSON.stringify(definition)
  return upload(owner, {
    groupName: 'Energy',
    fileName: `${insightName}.json`,
    fileType: 'INSIGHT',
    content,
  })
}

async function read(insightName: string): Promise<InsightContent> {
  return (await owner.call(getInsight, { params: { groupName: 'Energy', insightName } })).content
}

test('rejects a file with too many tiles quickly', async () => {
  await put('Many', { tiles: Array.from({ length: 5000 }, () => ({ type: 'Text', title: 'A' })) })
  const refused = await read('Many').catch((reason: unknown) => reason)
  expect(refused).toBeInstanceOf(CallError)
  expect(refused).toMatchObject({ status: 422, body: { code: 'insightDamaged' } })
  expect((refused as CallError).body.message).toContain(
    'it has 5000 tiles, but an insight can have at most 500.',
  )
})

test('IN-058 IN-059 sizes that are not text or numbers become the default, in insights and in templates', async () => {
  const odd = { toString: 1, valueOf: 1 }
  const tiles = [{ id: 'a', title: 'A', type: 'Text', sectionSize: odd, sectionHeight: odd }]
  const usual = [{ id: 'a', title: 'A', type: 'Text', tileWidth: 'full', tileHeight: 'half' }]
  await put('Sizes', { tiles })
  expect((await read('Sizes')).tiles).toEqual(usual)
  const content = { ...emptyContent(), tiles }
  await owner.call(createInsight, { body: { insightName: 'Sizes sent', groupName: 'Energy', content } })
  expect((await read('Sizes sent')).tiles).toEqual(usual)
  await owner.call(createInsightTemplate, {
    body: {
      groupName: 'Energy',
      name: 'Sizes template',
      description: '',
      parameters: [],
      outputs: [],
      content,
    },
  })
  const params = { groupName: 'Energy', name: 'Sizes template' }
  expect((await owner.call(getInsightTemplate, { params })).definition.insight.tiles).toEqual(usual)
})

const tooLong = 'i'.repeat(201)
const odd: Record<string, object> = {
  'no sizes': { tileWidth: null, tileHeight: 7 },
  'long id': { id: tooLong, source: { type: 'DATA_PREP', value: tooLong } },
  'long kind': { type: 'K'.repeat(101) },
  'long title': { title: 'T'.repeat(501) },
  'half of a character': { title: '\ud800', note: '\udc00' },
  'reserved names': JSON.parse('{"note":{"__proto__":1,"constructor":{"prototype":1}}}') as object,
}

test.each(Object.keys(odd))(
  'every definition that opens can be saved and restored: a tile with %s',
  async (name) => {
    const tile = { id: 'a', type: 'Text', title: 'A', ...odd[name] }
    await put(name, { type: 5, tiles: [tile, tile], datapreps: { [tile.id]: { symbols: [] } } })
    const content = await read(name)
    const names = { groupName: 'Energy', insightName: name }
    await owner.call(updateInsight, {
      body: {
        oldGroupName: 'Energy',
        oldInsightName: name,
        content: { ...content, colorScheme: { changed: true } },
      },
    })
    expect(await read(name)).toEqual({ ...content, colorScheme: { changed: true } })
    await owner.call(restoreInsightVersion, { params: { ...names, version: 1 }, body: {} })
    expect((await read(name)).tiles).toHaveLength(2)
  },
)

test('IN-063 input parameter tiles with any id move into inputParams', async () => {
  for (const id of ['constructor', 'toString', '__proto__']) {
    await put(`Parameters ${id}`, {
      tiles: [
        { id, type: 'INPUT_PARAMS', title: 'P', keys: [] },
        { id: 't', type: 'Table', title: 'T', sourceInputParamsId: id },
      ],
    })
    const content = await read(`Parameters ${id}`)
    const [setId] = Object.keys(content.inputParams!)
    expect(content.tiles.map((each) => each.type)).toEqual(['Table'])
    expect(content.tiles[0]!.sourceInputParamsId).toBe(setId)
    expect(content.inputParams![setId!]).toMatchObject({ title: 'P', keys: [] })
    await owner.call(updateInsight, {
      body: { oldGroupName: 'Energy', oldInsightName: `Parameters ${id}`, content },
    })
    expect(await read(`Parameters ${id}`)).toEqual(content)
  }
})

test('a file that starts with a byte order mark opens, as an insight and as a template', async () => {
  await put('Marked', `\ufeff{"tiles":[{"id":"a","type":"Text","title":"Öl"}]}`)
  expect((await read('Marked')).tiles[0]!.title).toBe('Öl')
  await upload(owner, {
    groupName: 'Energy',
    fileName: 'Marked template.json',
    fileType: 'INSIGHT_TEMPLATE',
    content: `\ufeff{"insight":{"tiles":[]}}`,
  })
  const params = { groupName: 'Energy', name: 'Marked template' }
  expect((await owner.call(getInsightTemplate, { params })).definition.insight.tiles).toEqual([])
})
