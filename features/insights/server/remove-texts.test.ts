import { afterAll, beforeAll, expect, test } from 'vitest'
import { searchFiles } from '@headwater/files/contract'
import { createGroup } from '@headwater/groups/contract'
import { startTestServer, upload, type Session, type TestServer } from '@headwater/server/testing'
import { emptyContent, type InsightContent } from '@headwater/tile-data/contract'
import { createInsight, deleteInsight, updateInsight } from '../contract/index.ts'

let server: TestServer
let owner: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser()
})
afterAll(() => server.stop())

const text = (id: string, title: string, templateContent = `text of ${title}`) => ({
  id,
  title,
  type: 'Text',
  source: { type: 'EDITOR' } as Record<string, unknown>,
  templateContent,
})
const code = { ...text('code', 'Model'), type: 'CODE', codeType: 'python' }
const content = (...tiles: unknown[]): InsightContent => ({
  ...emptyContent(),
  tiles: tiles as InsightContent['tiles'],
})

const make = (groupName: string, insightName: string, ...tiles: unknown[]) =>
  owner.call(createInsight, { body: { insightName, groupName, content: content(...tiles) } })
const save = (groupName: string, insightName: string, ...tiles: unknown[]) =>
  owner.call(updateInsight, {
    body: { oldInsightName: insightName, oldGroupName: groupName, content: content(...tiles) },
  })
const remove = (groupName: string, insightName: string) =>
  owner.call(deleteInsight, { body: { groupName, insightName } })

/** Returns the files of a group with the number of their versions. */
async function filesIn(groupName: string): Promise<Record<string, number>> {
  const { items } = await owner.call(searchFiles, { query: { query: `groupName=${groupName}`, size: 100 } })
  const versions: Record<string, number> = {}
  for (const { fileName } of items) versions[fileName] = (versions[fileName] ?? 0) + 1
  return versions
}

test('removing or renaming a text tile, or deleting the insight, leaves no file behind', async () => {
  await owner.call(createGroup, { body: { name: 'Clean' } })
  await make('Clean', 'Notes', text('a', 'Intro'), text('b', 'End'), code)
  await save('Clean', 'Notes', text('a', 'Intro', 'changed'), text('b', 'End'), code)
  expect(await filesIn('Clean')).toEqual({
    'Notes.json': 2,
    'Notes_Intro.md': 2,
    'Notes_End.md': 1,
    'Notes_Model.py': 1,
  })
  await save('Clean', 'Notes', text('b', 'Summary'))
  expect(await filesIn('Clean')).toEqual({ 'Notes.json': 3, 'Notes_Summary.md': 1 })
  await owner.call(updateInsight, {
    body: {
      oldInsightName: 'Notes',
      oldGroupName: 'Clean',
      newInsightName: 'Board',
      content: content(text('c', 'Only')),
    },
  })
  expect(await filesIn('Clean')).toEqual({ 'Board.json': 4, 'Board_Only.md': 1 })
  await save('Clean', 'Board', text('b', 'Summary'))
  expect(await filesIn('Clean')).toEqual({ 'Board.json': 5, 'Board_Summary.md': 1 })
  await remove('Clean', 'Board')
  expect(await filesIn('Clean')).toEqual({})
})

test('files that a user changed, that another object uses, or that do not belong to a text are preserved', async () => {
  await owner.call(createGroup, { body: { name: 'Kept' } })
  await make('Kept', 'Desk', text('a', 'Edited'), text('b', 'Used'), text('c', 'Own'))
  await upload(owner, {
    groupName: 'Kept',
    fileName: 'Desk_Edited.md',
    fileType: 'MARKDOWN',
    content: 'edited text',
  })
  await upload(owner, { groupName: 'Kept', fileName: 'picture.png', content: 'a picture' })
  const used = { type: 'FILE', value: { groupName: 'Kept', name: 'Desk_Used.md' } }
  await make('Kept', 'Reader', { ...text('r', 'Reader'), source: used, templateContent: '' })
  const { platform } = server.running
  const isLinked = async () =>
    (await platform.database.pool.query(`select from item_links where target = 'Desk_Used.md'`)).rowCount
  await expect.poll(isLinked).toBe(1)
  await remove('Kept', 'Desk')
  expect(await filesIn('Kept')).toEqual({
    'Desk_Edited.md': 2,
    'Desk_Used.md': 1,
    'picture.png': 1,
    'Reader.json': 1,
  })
})

test('an uploaded definition that references another user’s file does not delete it', async () => {
  await owner.call(createGroup, { body: { name: 'Named' } })
  await upload(owner, { groupName: 'Named', fileName: 'plan.md', fileType: 'MARKDOWN', content: 'the plan' })
  const tile = { ...text('a', 'Plan', 'the plan'), source: { type: 'EDITOR', value: 'plan.md' } }
  await upload(owner, {
    groupName: 'Named',
    fileName: 'Trap.json',
    fileType: 'INSIGHT',
    content: JSON.stringify(content(tile)),
  })
  await save('Named', 'Trap')
  await remove('Named', 'Trap')
  expect(await filesIn('Named')).toEqual({ 'plan.md': 1 })
})
