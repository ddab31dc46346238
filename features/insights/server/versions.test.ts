import { afterAll, beforeAll, expect, test } from 'vitest'
import { listFileVersions, searchFiles } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import {
  type CallError,
  startTestServer,
  upload,
  type Session,
  type TestServer,
  refusal,
} from '@headwater/server/testing'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import {
  createInsight,
  getInsight,
  getInsightVersion,
  infoValue,
  listInsightVersions,
  maxLogoBytes,
  patchInsight,
  readInsight,
  restoreInsightVersion,
  updateInsight,
} from '../contract/index.ts'
import { selfActivationTiles } from '@headwater/publishing/contract'

let server: TestServer
let owner: Session
let stranger: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser()
  stranger = await server.createUser()
  for (const name of ['Energy', 'Power']) await owner.call(createGroup, { body: { name } })
})
afterAll(() => server.stop())

const content = (...tiles: Record<string, unknown>[]): InsightContent => ({
  ...emptyContent(),
  tiles: tiles as InsightContent['tiles'],
})
const text = (id: string, title: string, templateContent = '') => ({
  id,
  title,
  type: 'Text',
  source: { type: 'EDITOR' },
  templateContent,
})
const create = (insightName: string, given: InsightContent = content()) =>
  owner.call(createInsight, { body: { insightName, groupName: 'Energy', content: given } })
const update = (oldInsightName: string, given: InsightContent, more: object = {}) =>
  owner.call(updateInsight, { body: { oldGroupName: 'Energy', oldInsightName, content: given, ...more } })
const named = (insightName: string, groupName = 'Energy') => ({ groupName, insightName })

test('each version states its author and which tiles were added, removed and changed', async () => {
  await create('Story', content(text('a', 'Alpha'), text('b', 'Beta')))
  await update('Story', content(text('b', 'Beta'), text('a', 'Alpha', 'new'), text('c', 'Gamma')))
  await update('Story', content(text('a', 'Alpha', 'new'), text('c', 'Gamma')), {
    tags: ['x'],
    fields: [{ name: 'description', value: 'Described' }],
  })
  const { items, totalSize } = await owner.call(listInsightVersions, { params: named('Story') })
  expect(totalSize).toBe(3)
  expect(items.map(({ version, author, tiles }) => [version, author, tiles])).toEqual([
    [3, owner.userName, 2],
    [2, owner.userName, 3],
    [1, owner.userName, 2],
  ])
  expect(items.map(({ changes }) => changes)).toEqual([
    {
      added: [],
      removed: ['Beta'],
      changed: [],
      reordered: false,
      renamedFrom: null,
      moved: false,
      rest: ['description', 'tags'],
    },
    {
      added: ['Gamma'],
      removed: [],
      changed: ['Alpha'],
      reordered: true,
      renamedFrom: null,
      moved: false,
      rest: [],
    },
    null,
  ])
  const second = await owner.call(listInsightVersions, {
    params: named('Story'),
    query: { size: 1, from: 1 },
  })
  expect(second.items[0]?.changes?.added).toEqual(['Gamma'])
})

test('an old version can be viewed and restored as a new one; the versions between remain', async () => {
  await create('Back', content(text('a', 'First')))
  const { fileId } = await update('Back', content(text('a', 'Second')))
  const old = await owner.call(getInsightVersion, { params: { ...named('Back'), version: 1 } })
  expect(old).toMatchObject({ version: 1, content: { tiles: [{ title: 'First' }] } })
  const params = { ...named('Back'), version: 1 }
  await owner.call(restoreInsightVersion, { params, body: { expectedFileId: fileId } })
  const now = await owner.call(getInsight, { params: named('Back') })
  expect(now).toMatchObject({ version: 3, content: { tiles: [{ title: 'First' }] } })
  expect(
    (await refusal(owner.call(restoreInsightVersion, { params, body: { expectedFileId: fileId } }))).body
      .code,
  ).toBe('insightChanged')
  const none = { ...named('Back'), version: 99 }
  expect((await refusal(owner.call(getInsightVersion, { params: none }))).body.code).toBe('versionNotFound')
  expect((await refusal(stranger.call(getInsightVersion, { params }))).status).toBe(404)
})

test('restoring a version restores its tags', async () => {
  await create('Tagged')
  await update('Tagged', content(), { tags: ['old'] })
  await update('Tagged', content(), { tags: ['new'] })
  await owner.call(restoreInsightVersion, { params: { ...named('Tagged'), version: 2 }, body: {} })
  expect((await owner.call(getInsight, { params: named('Tagged') })).tags).toEqual(['old'])
})

test('a damaged version is listed as damaged and cannot be restored', async () => {
  await create('Broken', content(text('a', 'Fine')))
  await upload(owner, {
    groupName: 'Energy',
    fileName: 'Broken.json',
    fileType: 'INSIGHT',
    content: '{"tiles": [',
  })
  const { items } = await owner.call(listInsightVersions, { params: named('Broken') })
  expect(items.map(({ readable, changes }) => [readable, changes])).toEqual([
    [false, null],
    [true, null],
  ])
  const restore = (version: number) =>
    owner.call(restoreInsightVersion, { params: { ...named('Broken'), version }, body: {} })
  expect((await refusal(restore(2))).body.code).toBe('insightDamaged')
  await restore(1)
  expect((await owner.call(getInsight, { params: named('Broken') })).content.tiles[0]?.title).toBe('Fine')
})

test('IN-083 IN-095 a rename or move preserves all versions and moves the files of texts', async () => {
  const { id } = await create('Old', content(text('a', 'Intro', '# One')))
  await update('Old', content(text('a', 'Intro', '# Two')))
  await update('Old', content(text('a', 'Intro', '# Two')), {
    newGroupName: 'Power',
    newInsightName: 'New',
  })
  const { items } = await owner.call(listInsightVersions, { params: named('New', 'Power') })
  expect(items.map(({ version }) => version)).toEqual([3, 2, 1])
  expect(items.map(({ changes }) => changes && [changes.renamedFrom, changes.moved])).toEqual([
    ['Old', true],
    [null, false],
    null,
  ])
  expect(items.at(-1)?.fid).toBe(id)
  const files = await owner.call(searchFiles, { query: { query: 'name=*_Intro.md' } })
  expect(files.items.map(({ fileName, groupName, version }) => [fileName, groupName, version])).toEqual([
    ['New_Intro.md', 'Power', 2],
    ['New_Intro.md', 'Power', 1],
  ])
  expect((await owner.call(searchFiles, { query: { query: 'name=Old*' } })).totalSize).toBe(0)
  expect((await refusal(owner.call(getInsight, { params: named('Old') }))).body.code).toBe('insightNotFound')
  const versions = await owner.call(listFileVersions, { params: { fid: id } })
  expect(versions.totalSize).toBe(3)
  const body = { oldGroupName: 'Power', oldInsightName: 'New', content: content() }
  await owner.call(updateInsight, { body })
  const newest = await owner.call(listInsightVersions, { params: named('New', 'Power'), query: { size: 1 } })
  expect(newest.items[0]?.changes).toMatchObject({ renamedFrom: null, moved: false, removed: ['Intro'] })
})

test('a rename to a name that is taken changes nothing', async () => {
  await create('Here', content(text('a', 'T', 'x')))
  await create('There')
  const move = update('Here', content(), { newInsightName: 'There' })
  expect((await refusal(move)).body.validationErrors).toMatchObject([{ field: 'name' }])
  expect((await owner.call(getInsight, { params: named('Here') })).version).toBe(1)
  expect((await owner.call(searchFiles, { query: { query: 'name=Here_T.md' } })).totalSize).toBe(1)
})

test('IN-025 the proxy path returns an insight by the name of its file', async () => {
  await create('Proxied', content(text('a', 'Here')))
  for (const fileName of ['Proxied.json', 'Proxied'])
    expect(await owner.call(readInsight, { params: { groupName: 'Energy', fileName } })).toMatchObject({
      insightName: 'Proxied',
      content: { tiles: [{ title: 'Here' }] },
    })
  expect((await owner.fetch('/insight/proxy/Energy/Proxied.json')).status).toBe(200)
})

test('IN-043 IN-078 a patch sets fields without a new version and ignores fields of other calls', async () => {
  await create('Patched')
  const patch = (name: string, value: string) =>
    owner.call(patchInsight, { body: { ...named('Patched'), fields: [{ name, value }] } })
  await owner.call(patchInsight, {
    body: {
      ...named('Patched'),
      fields: [
        { name: 'is_self_activation_required', value: 'true' },
        { name: 'self_activation_tiles', value: '3' },
      ],
    },
  })
  await patch('public_view', 'true')
  const insight = await owner.call(getInsight, { params: named('Patched') })
  expect(insight).toMatchObject({ version: 1, isPublic: false })
  expect(infoValue(insight.fields, 'is_self_activation_required')).toBe('true')
  expect(infoValue(insight.fields, 'self_activation_tiles')).toBe('3')
  expect(infoValue(insight.fields, 'public_view')).toBeUndefined()
})

test('IN-159 the number of self-activation tiles is 0 to 4', async () => {
  await create('Few')
  const set = (value: string) =>
    owner.call(patchInsight, {
      body: { ...named('Few'), fields: [{ name: 'self_activation_tiles', value }] },
    })
  expect(selfActivationTiles).toEqual([0, 1, 2, 3, 4])
  for (const value of ['0', '1', '2', '3', '4'])
    expect(infoValue((await set(value)).fields, 'self_activation_tiles')).toBe(value)
  for (const value of ['5', '-1', '1.5', 'many'])
    expect((await refusal(set(value))).body.code).toBe('selfActivationNotValid')
})

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

test('IN-041 IN-082 IN-088 a logo is uploaded to logoLocation and is a file of the insight', async () => {
  const { logoLocation } = await create('Pictured')
  const put = await owner.fetch(logoLocation, { method: 'PUT', body: png })
  const { logoId } = (await put.json()) as { logoId: string }
  const insight = await owner.call(getInsight, { params: named('Pictured') })
  expect(infoValue(insight.fields, 'logo')).toBe(logoId)
  const got = await owner.fetch(logoLocation)
  expect(got.headers.get('content-type')).toBe('image/png')
  expect(Buffer.from(await got.arrayBuffer()).equals(png)).toBe(true)
  const headers = { 'If-None-Match': got.headers.get('etag')! }
  const again = await owner.fetch(logoLocation, { headers })
  expect([again.status, await again.text()]).toEqual([304, ''])
  const other = Buffer.concat([png, Buffer.from('more')])
  await owner.fetch(logoLocation, { method: 'PUT', body: other })
  const changed = await owner.fetch(logoLocation, { headers })
  expect(Buffer.from(await changed.arrayBuffer()).equals(other)).toBe(true)
  expect((await stranger.fetch(logoLocation)).status).toBe(404)
  expect((await stranger.fetch(logoLocation, { method: 'PUT', body: png })).status).toBe(404)
})

test('IN-110 a logo must be a PNG or JPEG by its content: rejects SVG, HTML, GIF and large files', async () => {
  const { logoLocation } = await create('Hostile')
  const put = async (body: string | Buffer<ArrayBuffer>) => {
    const response = await owner.fetch(logoLocation, { method: 'PUT', body })
    return { status: response.status, ...((await response.json()) as CallError['body']) }
  }
  const jpeg = Buffer.from([0xff, 0xd8, 0xff, 0xe0, 0, 16, 74, 70, 73, 70, 0, 1])
  for (const picture of [png, jpeg]) expect((await put(picture)).status).toBe(200)
  const hostile = ['<svg onload="alert(1)"/>', '<html><script>alert(1)</script>', 'GIF89a\u0001\u0001', '']
  for (const body of hostile)
    expect(await put(body)).toMatchObject({ code: 'logoNotValid', validationErrors: [{ field: 'image' }] })
  const large = Buffer.concat([png, Buffer.alloc(maxLogoBytes)])
  expect(await put(large)).toMatchObject({ status: 400, code: 'logoTooLarge' })
  const logo = await upload(owner, { groupName: 'Energy', fileName: 'a.png', content: '<svg onload="x"/>' })
  await owner.call(patchInsight, {
    body: { ...named('Hostile'), fields: [{ name: 'logo', value: logo.fileId }] },
  })
  expect((await owner.fetch(logoLocation)).status).toBe(404)
})

/** Returns the texts of the files of a group by file name. */
async function textsOf(beginning: string): Promise<Record<string, string>> {
  const { items } = await owner.call(searchFiles, {
    query: { query: `groupName=Energy&name=${beginning}*`, latest: true, size: 100 },
  })
  const texts = items.filter(({ fileName }) => !fileName.endsWith('.json'))
  const read = async (fid: string) => (await owner.fetch(`/file/${fid}/download`)).text()
  return Object.fromEntries(
    await Promise.all(texts.map(async ({ fileName, fid }) => [fileName, await read(fid)] as const)),
  )
}

test('the text of a tile never overwrites a file that does not belong to its insight', async () => {
  await upload(owner, { groupName: 'Energy', fileName: 'Plan_notes.md', content: 'mine' })
  await create('Plan', content(text('a', 'notes', 'one')))
  expect(await textsOf('Plan')).toEqual({ 'Plan_notes.md': 'mine', 'Plan_notes(1).md': 'one' })
  await update('Plan', content(text('a', 'notes', 'two')))
  expect(await textsOf('Plan')).toEqual({ 'Plan_notes.md': 'mine', 'Plan_notes(1).md': 'two' })

  await create('Deep', content(text('a', 'B_C', 'of Deep')))
  await create('Deep_B', content(text('a', 'C', 'of Deep_B')))
  expect(await textsOf('Deep')).toEqual({ 'Deep_B_C.md': 'of Deep', 'Deep_B_C(1).md': 'of Deep_B' })
  await update('Deep_B', content(text('a', 'C', 'of Deep_B')), { newInsightName: 'Flat' })
  expect(await textsOf('Deep')).toEqual({ 'Deep_B_C.md': 'of Deep' })
  expect(await textsOf('Flat')).toEqual({ 'Flat_C.md': 'of Deep_B' })
})

test('two texts that exchange their titles keep one file each', async () => {
  await create('Swap', content(text('a', 'x', 'of a'), text('b', 'y', 'of b')))
  await update('Swap', content(text('a', 'y', 'of a'), text('b', 'x', 'of b')))
  expect(await textsOf('Swap')).toEqual({ 'Swap_x.md': 'of b', 'Swap_y.md': 'of a' })
})

test('a version is not restored into another insight that has taken the name in the meantime', async () => {
  await create('Reborn', content(text('a', 'old')))
  await update('Reborn', content(text('a', 'newer')))
  const { pool } = server.running.platform.database
  const lock = await pool.connect()
  try {
    await lock.query('begin')
    await lock.query(
      `select pg_advisory_xact_lock(hashtextextended('insight ' || id || ' Reborn', 0)) from groups where name = 'Energy'`,
    )
    const refused = refusal(
      owner.call(restoreInsightVersion, { params: { ...named('Reborn'), version: 1 }, body: {} }),
    )
    await expect
      .poll(async () => {
        const { rows } = await pool.query(`select 1 from pg_locks join pg_database on oid = database
          where locktype = 'advisory' and not granted and datname = current_database()`)
        return rows.length
      })
      .toBe(1)
    await upload(owner, {
      groupName: 'Energy',
      fileName: 'Reborn.json',
      fileType: 'INSIGHT',
      content: JSON.stringify(content(text('b', 'another'))),
    })
    await lock.query('commit')
    expect((await refused).body.code).toBe('insightChanged')
  } finally {
    lock.release()
  }
  const { content: current } = await owner.call(getInsight, { params: named('Reborn') })
  expect(current.tiles.map(({ title }) => title)).toEqual(['another'])
})

test('lists versions with large definitions', async () => {
  const large = { ...content(text('a', 'A')), padding: Array.from({ length: 400_000 }, () => ({})) }
  await create('Large', content())
  for (let version = 0; version < 5; version++)
    await upload(owner, {
      groupName: 'Energy',
      fileName: 'Large.json',
      fileType: 'INSIGHT',
      content: JSON.stringify({ ...large, version }),
    })
  const { items } = await owner.call(listInsightVersions, { params: named('Large'), query: { size: 5 } })
  expect(items.map(({ version, tiles }) => [version, tiles])).toEqual([6, 5, 4, 3, 2].map((at) => [at, 1]))
})
