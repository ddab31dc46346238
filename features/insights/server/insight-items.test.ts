import { afterAll, beforeAll, expect, test } from 'vitest'
import { deleteFile, searchFiles } from '@headwater/files/contract'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { CallError, startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { emptyContent } from '@headwater/tile-data/contract'
import {
  createInsight,
  createInsightTemplate,
  deleteInsight,
  getInsight,
  listInsightVersions,
  restoreInsightVersion,
  searchInsights,
  updateInsight,
} from '../contract/index.ts'

let server: TestServer
let owner: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser()
  for (const name of ['Energy', 'Power']) await owner.call(createGroup, { body: { name } })
})
afterAll(() => server.stop())

const content = emptyContent()
const create = (insightName: string, groupName = 'Energy') =>
  owner.call(createInsight, { body: { insightName, groupName, content } })
const update = (oldInsightName: string, more: object = {}) =>
  owner.call(updateInsight, { body: { oldGroupName: 'Energy', oldInsightName, content, ...more } })
const put = (insightName: string, fileType = 'INSIGHT') =>
  upload(owner, {
    groupName: 'Energy',
    fileName: `${insightName}.json`,
    fileType,
    content: JSON.stringify(content),
  })
const get = (insightName: string, groupName = 'Energy') =>
  owner.call(getInsight, { params: { groupName, insightName } })

/** Items of insights and templates, and the expected items derived from the files. */
async function compared() {
  const { pool } = server.running.platform.database
  const kinds = `kind in ('insight', 'insight-template')`
  const { rows: items } = await pool.query(
    `select kind, group_id, name, items.version as newest, saved.version, saved.content ->> 'fileId' as file
     from items join item_versions saved using (kind) where saved.item_id = items.id and ${kinds}
     order by kind, group_id, name, version`,
  )
  const { rows: files } = await pool.query(
    `select kind, group_id, name, max(version) over (partition by kind, group_id, name) as newest, version, file
     from (
       select case type when 'INSIGHT' then 'insight' else 'insight-template' end as kind, group_id,
         left(name, -5) as name, version, id::text as file
       from files where state = 'ready' and type in ('INSIGHT', 'INSIGHT_TEMPLATE') and name like '_%.json'
     ) versions order by kind, group_id, name, version`,
  )
  const { rows: empty } = await pool.query(
    `select name from items where ${kinds} and not exists (select from item_versions where item_id = items.id)`,
  )
  return { items: [...items, ...empty], files }
}

/** Items and files agree. */
async function expectAgreement(): Promise<void> {
  const { items, files } = await compared()
  expect(items).toEqual(files)
}

test('an insight keeps its id when it is saved, uploaded, restored, renamed or moved', async () => {
  await create('First')
  const { id } = await get('First')
  await update('First')
  await put('First')
  await owner.call(restoreInsightVersion, {
    params: { groupName: 'Energy', insightName: 'First', version: 1 },
    body: {},
  })
  expect(await get('First')).toMatchObject({ id, version: 4 })
  await update('First', { newInsightName: 'Second' })
  await update('Second', { newInsightName: 'Third', newGroupName: 'Power' })
  expect(await get('Third', 'Power')).toMatchObject({ id, version: 6 })
  const { items } = await owner.call(searchInsights, { query: { query: 'groupName=Power&name=Third' } })
  expect(items.map((item) => item.id)).toEqual([id])
  await expectAgreement()
})

test('an uploaded file becomes an insight with an id', async () => {
  await put('Uploaded')
  const { id } = await get('Uploaded')
  await update('Uploaded')
  expect(await get('Uploaded')).toMatchObject({ id, version: 2 })
  await expectAgreement()
})

test('the id is removed with the last version; a later insight with the same name has a new id', async () => {
  await create('Again')
  const { id } = await get('Again')
  const { fileId } = await update('Again')
  await owner.call(deleteFile, { params: { fid: fileId } })
  expect(await get('Again')).toMatchObject({ id, version: 1 })
  await update('Again')
  expect(await get('Again')).toMatchObject({ id, version: 2 })
  await expectAgreement()
  await owner.call(deleteInsight, { body: { groupName: 'Energy', insightName: 'Again' } })
  await create('Again')
  expect((await get('Again')).id).not.toBe(id)
  await expectAgreement()
})

test('a version of another file type hides the insight, which keeps its id', async () => {
  await put('Mixed', 'SOURCE')
  await put('Mixed')
  const { id } = await get('Mixed')
  const { fileId } = await put('Mixed', 'SOURCE')
  await expect(get('Mixed')).rejects.toMatchObject({ body: { code: 'insightNotFound' } })
  await owner.call(deleteFile, { params: { fid: fileId } })
  expect((await get('Mixed')).id).toBe(id)
  for (const name of ['odd.JSON', '.json', 'odd.txt'])
    await upload(owner, { groupName: 'Energy', fileName: name, fileType: 'INSIGHT', content: '{}' })
  await expectAgreement()
})

test('a template is an item of a separate kind', async () => {
  const template = { groupName: 'Energy', description: '', parameters: [], outputs: [], content }
  const { fileId } = await owner.call(createInsightTemplate, { body: { ...template, name: 'Pattern' } })
  await owner.call(createInsightTemplate, {
    body: { ...template, name: 'Pattern', expectedFileId: fileId },
  })
  await put('Pattern two', 'INSIGHT_TEMPLATE')
  const { items } = await compared()
  expect(items.filter(({ kind }) => kind === 'insight-template')).toMatchObject([
    { name: 'Pattern', newest: 2, version: 1 },
    { name: 'Pattern', newest: 2, version: 2 },
    { name: 'Pattern two', newest: 1, version: 1 },
  ])
  await expectAgreement()
})

test('after concurrent saves, uploads, renames and deletions, items and files are consistent', async () => {
  await create('Busy')
  const refused: unknown[] = []
  const change = async (index: number): Promise<void> => {
    const name = index % 5 === 0 ? 'Busier' : 'Busy'
    if (index % 4 === 0) await put(name)
    else if (index % 4 === 1) await update(name)
    else if (index % 4 === 2) await update(name, { newInsightName: name === 'Busy' ? 'Busier' : 'Busy' })
    else {
      const { items } = await owner.call(searchFiles, { query: { query: `name=${name}.json`, latest: true } })
      for (const { fid } of items) await owner.call(deleteFile, { params: { fid } })
    }
  }
  await Promise.all(
    Array.from({ length: 32 }, (_, index) => change(index).catch((error: unknown) => refused.push(error))),
  )
  expect(refused.filter((error) => !(error instanceof CallError) || error.status >= 500)).toEqual([])
  await expectAgreement()
})

test('a version that cannot be recorded is not stored', async () => {
  await create('Whole')
  const before = await compared()
  const { pool } = server.running.platform.database
  await pool.query(`create function refuse_version() returns trigger language plpgsql as
    $$ begin raise exception 'no versions today'; end $$`)
  await pool.query(`create trigger refuse_version before insert on item_versions for each row
    execute function refuse_version()`)
  try {
    await expect(put('Whole')).rejects.toThrow()
    await expect(update('Whole', { newInsightName: 'Halved' })).rejects.toThrow()
  } finally {
    await pool.query('drop function refuse_version cascade')
  }
  expect(await compared()).toEqual(before)
  expect(await get('Whole')).toMatchObject({ version: 1 })
})

test('deleting a group deletes its items', async () => {
  await owner.call(createGroup, { body: { name: 'Short-lived' } })
  await create('Gone', 'Short-lived')
  await create('Staying')
  await owner.call(deleteGroup, { params: { name: 'Short-lived' } })
  await expectAgreement()
  const { items } = await owner.call(listInsightVersions, {
    params: { groupName: 'Energy', insightName: 'Staying' },
  })
  expect(items).toHaveLength(1)
})
