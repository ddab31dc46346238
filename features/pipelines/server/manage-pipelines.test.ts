import { afterAll, beforeAll, expect, test } from 'vitest'
import { updateSettings } from '@headwater/accounts/contract'
import { createGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import {
  createPipeline,
  executePipeline,
  getPipeline,
  listPipelineTags,
  listPipelineVersions,
  listPipelineVersionsByName,
  patchPipeline,
  pipelineDetails,
  searchPipelines,
  updatePipeline,
} from '../contract/index.ts'

let server: TestServer
let owner: Session
let stranger: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder', email: 'olga@example.com' })
  stranger = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Flows' } })
  await stranger.call(createGroup, { body: { name: 'Hidden' } })
})
afterAll(() => server.stop())

const cron = {
  id: 'start',
  taskName: 'cron-trigger',
  taskReadableName: 'Start',
  taskOverrides: { params: [{ name: 'cron', value: '0 7 * * 1-5' }] },
}
const body = (name: string, more: object = {}) => ({ name, groupName: 'Flows', tasks: [cron], ...more })

async function make(name: string, more: object = {}, caller = owner): Promise<string> {
  return (await caller.call(createPipeline, { body: body(name, more) })).pipeline.id
}
const read = (pipelineId: string) => owner.call(getPipeline, { params: { pipelineId }, query: {} })

test('DP-435 DP-436 DP-437 DP-438 a pipeline contains its fields, trigger, schedules, job, payload and tasks', async () => {
  const payload = JSON.stringify({
    positions: { start: { x: 150, y: 200 } },
    comments: [{ id: 'c', text: 'Each morning', author: 'Comment', position: { x: 1, y: 2 } }],
    commentsVisible: true,
  })
  const id = await make('whole', { tags: ['daily'], markdownId: 'm1', payload })
  await owner.call(updateSettings, {
    body: {
      settings: {
        favoritePipelines: JSON.stringify([{ id, name: 'whole', groupName: 'Flows', favorite: true }]),
      },
    },
  })
  const before = await read(id)
  expect(before.pipeline.job).toBeNull()
  const { jobId } = await owner.call(executePipeline, { params: { pipelineId: id }, body: {} })
  const details = await read(id)
  expect(details.pipeline).toMatchObject({
    id,
    name: 'whole',
    groupName: 'Flows',
    tags: ['daily'],
    version: 1,
    latest: true,
    favorite: true,
    lastChangeBy: 'olga@example.com',
    markdownId: 'm1',
    trigger: 'CRON',
    schedules: [{ type: 'CRON', cron: '0 7 * * 1-5' }],
    job: { jobId },
  })
  expect(details.payload).toBe(payload)
  expect(details.batchConfig.tasks.map((task) => task.id)).toEqual(['start'])
  expect(pipelineDetails.parse(details)).toEqual(details)
  const { items } = await owner.call(searchPipelines, { query: { query: 'name=whole' } })
  expect(items[0]).toMatchObject({ favorite: true, job: { jobId } })
  const other = await make('another')
  expect((await read(other)).pipeline).toMatchObject({ favorite: false, job: null })
})

test('DP-454 a patch changes the name and tags of the newest version without creating a new version; other patches are rejected', async () => {
  const id = await make('patched', { tags: ['old'] })
  const params = { pipelineId: id }
  const earlier = await read(id)
  const patch = (objToUpdate: object, more: object = {}, caller = owner) =>
    caller.call(patchPipeline, { params, body: { objToUpdate, ...more } })
  const { pipeline } = await patch({ tags: [' new ', 'second'] })
  expect(pipeline).toEqual({ ...earlier.pipeline, tags: ['new', 'second'] })
  expect((await patch({ name: ' renamed ' })).pipeline).toEqual({ ...pipeline, name: 'renamed' })
  expect(await read(id)).toEqual({ ...earlier, pipeline: { ...pipeline, name: 'renamed' } })
  expect((await owner.call(listPipelineVersions, { params })).totalSize).toBe(1)
  await make('taken')
  expect((await refusal(patch({ name: 'taken' }))).body.code).toBe('pipelineExists')
  expect((await refusal(patch({ tags: [''] }))).body.validationErrors).toMatchObject([
    { field: 'objToUpdate.tags[0]' },
  ])
  expect((await refusal(patch({}))).status).toBe(400)
  expect((await refusal(patch({ tags: [] }, {}, stranger))).status).toBe(404)
  await owner.call(updatePipeline, { params, body: body('renamed') })
  expect((await refusal(patch({ tags: ['late'] }, { version: 1 }))).body.code).toBe('pipelineChanged')
  expect((await read(id)).pipeline.tags).toEqual([])
})

test('DP-458 tags can be searched by any part regardless of case, in both orders, and only tags of readable pipelines are returned', async () => {
  await make('tagged', { tags: ['Weekly report', 'monthly'] })
  await make('tagged too', { tags: ['weekly check', 'Weekly report'] })
  await make('hidden', { groupName: 'Hidden', tags: ['weekly secret'] }, stranger)
  const changed = await make('once tagged', { tags: ['weekly past'] })
  await owner.call(updatePipeline, { params: { pipelineId: changed }, body: body('once tagged') })
  const tags = async (query: object) => (await owner.call(listPipelineTags, { query })).items
  expect(await tags({ query: 'WEEKLY' })).toEqual(['weekly check', 'Weekly report'])
  expect(await tags({ query: 'weekly', sortOrder: 'desc' })).toEqual(['Weekly report', 'weekly check'])
  expect(await tags({ query: '%' })).toEqual([])
  const page = await owner.call(listPipelineTags, { query: { query: 'weekly', from: 1, size: 1 } })
  expect(page).toEqual({ from: 1, totalSize: 2, items: ['Weekly report'] })
})

test('DP-451 DP-452 versions can be listed by name with a query and size, and by id with a size and favourite filter', async () => {
  const id = await make('versions')
  const params = { pipelineId: id }
  await owner.call(updatePipeline, { params, body: body('versions') })
  await server.admin.call(updatePipeline, { params, body: body('versions') })
  await owner.call(createGroup, { body: { name: 'Other flows' } })
  await make('versions', { groupName: 'Other flows' })
  await make('versions of another name')
  const byName = async (query: object, caller = owner) =>
    (
      await caller.call(listPipelineVersionsByName, {
        query: { pipelineName: 'versions', groupName: 'Flows', ...query },
      })
    ).items.map(({ version }) => version)
  expect(await byName({})).toEqual([3, 2, 1])
  expect(await byName({ size: 2 })).toEqual([3, 2])
  expect(await byName({ query: 'OLGA' })).toEqual([2, 1])
  expect(await byName({ query: '3' })).toEqual([3])
  expect(await byName({ groupName: 'Other flows' })).toEqual([1])
  expect((await refusal(byName({}, stranger))).body.code).toBe('pipelineNotFound')
  const byId = async (favorite: boolean, size = 100) =>
    (await owner.call(listPipelineVersions, { params, query: { size, favorite } })).items.map((version) => [
      version.version,
      version.favorite,
    ])
  expect([await byId(true), (await byId(false)).length]).toEqual([[], 3])
  expect((await byId(false, 2)).map(([version]) => version)).toEqual([3, 2])
  await owner.call(updateSettings, {
    body: { settings: { favoritePipelines: JSON.stringify([{ id, name: 'versions', groupName: 'Flows' }]) } },
  })
  expect(await byId(true)).toEqual([
    [3, true],
    [2, true],
    [1, true],
  ])
  expect(await byId(false)).toEqual([])
})
