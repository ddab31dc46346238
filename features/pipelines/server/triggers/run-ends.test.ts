import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { refusal, upload, type Session } from '@headwater/server/testing'
import {
  deletePipeline,
  executePipeline,
  listGeneratedValues,
  stopPipeline,
  updatePipeline,
} from '../../contract/index.ts'
import { hasCycle } from './trigger-cycles.ts'
import { startTriggerWorld, type TriggerWorld } from './testing/trigger-world.ts'

let world: TriggerWorld
let owner: Session

beforeAll(async () => {
  world = await startTriggerWorld()
  owner = world.owner
  await owner.call(createGroup, { body: { name: 'Inbox' } })
})
afterAll(() => world.stop())

const run = async (pipelineId: string) =>
  (await owner.call(executePipeline, { params: { pipelineId }, body: {} })).jobId

const failing = { recipient: 'nobody@example.com' }

test('a pipeline starts once whenever a different pipeline ends with a selected status', async () => {
  const [good, bad] = [await world.pipeline('good'), await world.pipeline('bad', 'text', failing)]
  const after = await world.pipeline('after', '${trigger.pipelineName} ${trigger.status}')
  const text = await world.pipeline('after good', '${trigger.pipelineName}')
  await world.set(text, [{ type: 'PIPELINE', pipelineId: good }])
  await world.set(after, [{ type: 'PIPELINE', pipelineId: bad, statuses: ['WARN', 'ERROR'] }])
  const jobIds = [await run(good), await run(good)]
  await run(bad)
  const afterGood = await world.ended(text, 2)
  for (const job of afterGood) expect(job).toMatchObject({ status: 'INFO', types: ['PIPELINE'] })
  expect(world.mails('after good')).toEqual(['good', 'good'])
  await world.ended(after, 1)
  await world.settled()
  expect(await world.jobs(text)).toHaveLength(2)
  expect(await world.jobs(after)).toHaveLength(1)
  const { rows } = await world.server.running.platform.database.pool.query(
    `select run_values ->> 'jobId' as id from pipeline_trigger_firings
     where trigger_id in (select id from pipeline_triggers where pipeline_id = $1)`,
    [text],
  )
  expect(new Set(rows.map(({ id }) => id as string))).toEqual(new Set(jobIds))
})

test('triggers that would start each other in a cycle are rejected, even if two users save concurrently', async () => {
  const [a, b, c] = [await world.pipeline('a'), await world.pipeline('b'), await world.pipeline('c')]
  const after = (pipelineId: string) => [{ type: 'PIPELINE' as const, pipelineId }]
  const itself = await refusal(world.set(a, after(a)))
  expect(itself.body.validationErrors).toMatchObject([{ field: 'schedulerTriggers' }])
  await world.set(b, after(a))
  await world.set(c, after(b))
  const circle = await refusal(world.set(a, after(c)))
  expect(circle.message).toContain(
    '“a” would start after its own end, through the triggers of other pipelines.',
  )
  // Paused triggers also count, because they can be switched on later.
  await refusal(world.set(a, [{ ...after(c)[0]!, active: false }]))
  await world.set(c, [])
  await world.set(a, after(c))

  const [d, e] = [await world.pipeline('d'), await world.pipeline('e')]
  const saves = await Promise.allSettled([world.set(d, after(e)), world.set(e, after(d))])
  expect(saves.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
})

test('detects a cycle through any number of pipelines', () => {
  const edges = Array.from({ length: 500 }, (_, n) => ({ pipelineId: `${n}`, after: `${n + 1}` }))
  expect(hasCycle('0', edges)).toBe(false)
  expect(hasCycle('0', [...edges, { pipelineId: '500', after: '0' }])).toBe(true)
  expect(hasCycle('0', [...edges, { pipelineId: '500', after: '250' }])).toBe(false)
})

test('a failed run is repeated with its values until the attempts are used up', async () => {
  const id = await world.pipeline('retried', 'text', failing)
  const [trigger] = await world.set(id, [
    { type: 'RETRY', attempts: 2, delaySeconds: 0 },
    { type: 'RETRY', attempts: 1, delaySeconds: 0, statuses: ['WARN'] },
  ])
  await run(id)
  const jobs = await world.ended(id, 3)
  await world.settled()
  expect((await world.jobs(id)).map(({ types }) => types)).toEqual([['RETRY'], ['RETRY'], ['None']])
  expect((await world.list(id))[0]!.lastRun!.jobId).toBe(jobs[0]!.jobId)
  expect(trigger!.type).toBe('RETRY')
})

test('a repetition waits for its delay and has the values of the failed run', async () => {
  const id = await world.pipeline('waits', '${trigger.fileName}', failing)
  await world.set(id, [
    { type: 'FILEARRIVAL', groupName: 'Inbox', namePattern: 'retry*' },
    { type: 'RETRY', attempts: 1, delaySeconds: 3600 },
  ])
  await upload(owner, { groupName: 'Inbox', fileName: 'retry.txt' })
  const [failed] = await world.ended(id, 1)
  const { pool } = world.server.running.platform.database
  const { rows } = await pool.query(
    `update queue_jobs set run_after = now() where state = 'delayed' and kind = 'fire-pipeline-trigger' returning id`,
  )
  expect(rows).toHaveLength(1)
  const [repeated] = await world.ended(id, 2)
  expect(repeated).toMatchObject({ types: ['RETRY'] })
  const { items } = await owner.call(listGeneratedValues, {
    params: { pipelineId: id },
    query: { jobId: repeated!.jobId },
  })
  expect(Object.fromEntries(items.map(({ name, value }) => [name, value]))).toMatchObject({
    '${trigger.type}': 'RETRY',
    '${trigger.fileName}': 'retry.txt',
    '${trigger.groupName}': 'Inbox',
    '${trigger.jobId}': failed!.jobId,
    '${trigger.status}': 'ERROR',
    '${trigger.attempt}': '1',
  })
})

test('a run that a user stopped is not repeated', async () => {
  const id = await world.pipeline('stopped')
  await owner.call(updatePipeline, {
    params: { pipelineId: id },
    body: {
      name: 'stopped',
      groupName: 'Flows',
      tasks: [
        {
          id: 'a',
          taskReadableName: 'a',
          taskName: 'cron-trigger',
          isPaused: true,
          taskOverrides: { params: [{ name: 'cron', value: '0 0 1 1 *' }] },
        },
      ],
    },
  })
  await world.set(id, [{ type: 'RETRY', delaySeconds: 0 }])
  const jobId = await run(id)
  await owner.call(stopPipeline, { body: { jobId } })
  expect(await world.ended(id, 1)).toMatchObject([{ status: 'ERROR' }])
  await world.settled()
  expect(await world.jobs(id)).toHaveLength(1)
})

test('a run of a deleted pipeline can still start a different pipeline when it ends', async () => {
  const [gone, after] = [await world.pipeline('gone'), await world.pipeline('after gone')]
  await world.set(after, [{ type: 'PIPELINE', pipelineId: gone }])
  await owner.call(deletePipeline, { params: { pipelineId: gone } })
  expect(await world.list(after)).toMatchObject([{ pipelineId: gone, pipelineName: null }])
})
