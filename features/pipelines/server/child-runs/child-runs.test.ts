import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { refusal, type Session } from '@headwater/server/testing'
import {
  continuePipeline,
  createPipeline,
  deletePipeline,
  executePipeline,
  setRunLimits,
  stopPipeline,
  updatePipeline,
} from '../../contract/index.ts'
import { startTriggerWorld, type TriggerWorld } from '../triggers/testing/trigger-world.ts'

let world: TriggerWorld
let owner: Session

beforeAll(async () => {
  world = await startTriggerWorld()
  owner = world.owner
})
afterAll(() => world.stop())

type Params = Record<string, string>

const node = (taskName: string, params: Params, more: object = {}) => ({
  id: 'task',
  taskName,
  taskReadableName: 'task',
  taskOverrides: { params: Object.entries(params).map(([name, value]) => ({ name, value })) },
  ...more,
})

/** Saves a pipeline with one task and returns its id. */
async function save(name: string, taskName: string, params: Params, more: object = {}, caller = owner) {
  const { groupName = 'Flows', ...rest } = more as { groupName?: string }
  const { pipeline } = await caller.call(createPipeline, {
    body: { name, groupName, tasks: [node(taskName, params, rest) as never] },
  })
  return pipeline.id
}

const mail = (name: string, text: string, more: object = {}) =>
  save(name, 'email-sender', { subject: name, recipients: 'anna@example.com', text }, more)

async function run(pipelineId: string, caller = owner) {
  const { jobId } = await caller.call(executePipeline, { params: { pipelineId }, body: {} })
  return jobId
}

/** Runs a pipeline and returns its job after it has ended. */
async function ended(pipelineId: string, count = 1, caller = owner) {
  await run(pipelineId, caller)
  return (await world.ended(pipelineId, count, caller))[0]!
}

test('a task runs a different pipeline, passes a value, waits for it to end and receives its result', async () => {
  const child = await mail('child', '${trigger.item}')
  const parent = await save('parent', 'run-pipeline', { pipeline: 'child', value: 'hello' })
  const job = await ended(parent)
  expect(job).toMatchObject({ status: 'INFO' })
  expect(world.mails('child')).toEqual(['hello'])
  const [below] = await world.jobs(child)
  expect(below).toMatchObject({
    status: 'INFO',
    types: ['PIPELINE'],
    payload: { parentJobId: job.jobId, parentEId: expect.any(String), index: 1 },
  })
  const refusedMail = { subject: 'bad', recipients: 'nobody@example.com', text: 'x' }
  await save('bad', 'email-sender', refusedMail)
  expect(await ended(await save('of bad', 'run-pipeline', { pipeline: 'bad' }))).toMatchObject({
    status: 'ERROR',
  })
  const missing = await ended(await save('of none', 'run-pipeline', { pipeline: 'none' }))
  expect(missing).toMatchObject({
    status: 'ERROR',
    componentStatuses: [{ message: expect.stringContaining('“none” in the group “Flows”') }],
  })
})

test('a loop runs a pipeline for each item, with the item and its position', async () => {
  const child = await mail('each', '${trigger.item}')
  const items = Array.from({ length: 25 }, (_, index) => `item ${index + 1}`)
  const loop = await save('loop', 'for-each', { pipeline: 'each', items: items.join(','), parallel: '10' })
  expect(await ended(loop)).toMatchObject({
    status: 'INFO',
    componentStatuses: [{ message: '25 runs succeeded.' }],
  })
  expect(world.mails('each').toSorted()).toEqual(items.toSorted())
  const jobs = await world.jobs(child)
  expect(jobs.map(({ payload }) => (payload as { index: number }).index).toSorted((a, b) => a - b)).toEqual(
    items.map((_, index) => index + 1),
  )
  await mail('numbered', '${trigger.index}')
  const numbered = { pipeline: 'numbered', each: 'range', from: '2026-01-01', to: '2026-01-03' }
  await ended(await save('loop over dates', 'for-each', numbered))
  expect(world.mails('numbered')).toEqual(['1', '2', '3'])
})

test('at most ten runs of a loop are in progress concurrently', async () => {
  const child = await mail('waits', 'x', { isPaused: true })
  const items = Array.from({ length: 13 }, (_, index) => index).join(',')
  const loop = await save('ten', 'for-each', { pipeline: 'waits', items, parallel: '10' })
  const loopJob = await run(loop)
  const statuses = async () => (await world.jobs(child)).map(({ status }) => status).toSorted()
  const ten = Array.from({ length: 10 }, () => 'PAUSED')
  await expect.poll(statuses).toEqual(ten)
  await world.settled()
  expect(await statuses()).toEqual(ten)
  const { jobId } = (await world.jobs(child))[0]!
  await owner.call(continuePipeline, { body: { jobId } })
  await expect.poll(statuses).toEqual(['INFO', ...ten])
  await world.settled()
  expect(await statuses()).toEqual(['INFO', ...ten])
  await owner.call(stopPipeline, { body: { jobId: loopJob } })
  await world.ended(loop, 1)
})

test('a loop triggered by the end of its own runs is rejected after one repetition', async () => {
  const child = await mail('fed', 'x')
  const loop = await save('feeds itself', 'for-each', { pipeline: 'fed', items: 'a,b' })
  await world.set(loop, [{ type: 'PIPELINE', pipelineId: child, statuses: ['INFO'] }])
  await run(loop)
  const jobs = await world.ended(loop, 7)
  await world.settled()
  expect(world.mails('fed')).toHaveLength(6)
  const refused = jobs.filter((job) => JSON.stringify(job).includes('This would repeat forever.'))
  expect(refused).toHaveLength(4)
})

test('after an error, a loop either stops, or runs all items and ends with a warning', async () => {
  const recipients = '${trigger.item}'
  const child = await save('sent', 'email-sender', { subject: 'sent', recipients, text: 'x' })
  const items = { pipeline: 'sent', items: 'a@example.com, nobody@example.com, b@example.com' }
  const stopped = await ended(await save('stops', 'for-each', items))
  expect(stopped).toMatchObject({
    status: 'ERROR',
    componentStatuses: [{ message: expect.stringContaining('1 item did not start.') }],
  })
  expect(await world.jobs(child)).toHaveLength(2)
  const all = await ended(await save('continues', 'for-each', { ...items, onFailure: 'continue' }))
  expect(all).toMatchObject({
    status: 'WARN',
    componentStatuses: [{ message: expect.stringContaining('1 of 3 runs did not succeed.') }],
  })
  expect(await world.jobs(child)).toHaveLength(5)
})

test('stopping a run stops its child runs and starts no more of them', async () => {
  const leaf = await mail('leaf', 'x', { isPaused: true })
  const middle = await save('middle', 'for-each', { pipeline: 'leaf', items: '1,2,3', parallel: '2' })
  const top = await save('top', 'run-pipeline', { pipeline: 'middle' })
  const jobId = await run(top)
  await expect
    .poll(async () => (await world.jobs(leaf)).map(({ status }) => status))
    .toEqual(['PAUSED', 'PAUSED'])
  await owner.call(stopPipeline, { body: { jobId } })
  for (const [id, count] of [
    [top, 1],
    [middle, 1],
    [leaf, 2],
  ] as const)
    for (const job of await world.ended(id, count)) expect(job.status).toBe('ERROR')
  await world.settled()
  expect(await world.jobs(leaf)).toHaveLength(2)
})

test('a pipeline that would run itself is rejected on save, or at run time if only the run can detect it', async () => {
  const a = await mail('a', 'x')
  await save('b', 'run-pipeline', { pipeline: 'a' })
  const calls = (pipeline: string) => ({
    params: { pipelineId: a },
    body: { name: 'a', groupName: 'Flows', tasks: [node('run-pipeline', { pipeline })] as never },
  })
  const direct = await refusal(owner.call(updatePipeline, calls('a') as never))
  expect(direct).toMatchObject({
    status: 400,
    message: expect.stringContaining('“a” would run itself'),
  })
  expect(await refusal(owner.call(updatePipeline, calls('b') as never))).toMatchObject({ status: 400 })

  const { pipeline } = await owner.call(createPipeline, {
    body: {
      name: 'hidden',
      groupName: 'Flows',
      tasks: [
        {
          ...node('run-pipeline', {}),
          taskOverrides: { params: [{ name: 'pipeline', value: 'run.name', mode: 'expression' }] },
        },
      ] as never,
    },
  })
  const job = await ended(pipeline.id)
  expect(job).toMatchObject({
    status: 'ERROR',
    componentStatuses: [{ message: expect.stringContaining('“hidden” would run itself') }],
  })
})

test('pipelines can be nested at most five levels deep', async () => {
  await mail('level 6', 'x')
  for (const level of [5, 4, 3, 2])
    await save(`level ${level}`, 'run-pipeline', { pipeline: `level ${level + 1}` })
  expect(await ended(await save('level 1', 'run-pipeline', { pipeline: 'level 3' }))).toMatchObject({
    status: 'INFO',
  })
  const deep = await save('level 0', 'run-pipeline', { pipeline: 'level 2' })
  expect(await ended(deep)).toMatchObject({
    status: 'ERROR',
    componentStatuses: [
      {
        message: expect.stringContaining(
          'Pipelines can be nested at most 5 levels deep. “level 6” would be level 6. Run it from a pipeline higher up.',
        ),
      },
    ],
  })
})

test('a run at the limits of its user and group does not wait for its own child runs', async () => {
  await owner.call(createGroup, { body: { name: 'Narrow' } })
  await mail('narrow', 'x', { groupName: 'Narrow' })
  const parent = await save('wide', 'run-pipeline', { pipeline: 'narrow' }, { groupName: 'Narrow' })
  const paused = await mail('paused', 'x', { isPaused: true })
  await Promise.all(Array.from({ length: 19 }, () => run(paused)))
  expect(await ended(parent)).toMatchObject({ status: 'INFO' })
  await owner.call(deletePipeline, { params: { pipelineId: paused } })
  await owner.call(setRunLimits, { body: { groupName: 'Narrow', maxRuns: 1 } })
  await Promise.all([run(parent), run(parent)])
  for (const { status } of await world.ended(parent, 3)) expect(status).toBe('INFO')
  expect(world.mails('narrow')).toHaveLength(3)
})

/** Gives a user access to a group. */
async function grant(groupName: string, { userName }: Session, access: 'R' | 'RW') {
  await world.server.running.platform.database.pool.query(
    `insert into group_grants (group_id, user_id, source, source_id, access)
     select groups.id, users.id, 'direct', '', $1 from groups, users where groups.name = $2 and user_name = $3`,
    [access, groupName, userName],
  )
}

test('passing values requires write access to the group of the other pipeline; otherwise read access suffices', async () => {
  await owner.call(createGroup, { body: { name: 'Theirs' } })
  const theirs = await mail('theirs', 'x', { groupName: 'Theirs' })
  const reader = await world.server.createUser({ role: 'Pipeline builder' })
  await reader.call(createGroup, { body: { name: 'Own' } })
  const own = { groupName: 'Own' }
  const target = { pipeline: 'theirs', group: 'Theirs' }
  const plain = await save('plain', 'run-pipeline', target, own, reader)
  expect(await ended(plain, 1, reader)).toMatchObject({ status: 'ERROR' })
  await grant('Theirs', reader, 'R')
  const loop = await save('loop', 'for-each', { ...target, items: 'a' }, own, reader)
  const value = await save('value', 'run-pipeline', { ...target, value: 'a' }, own, reader)
  for (const id of [loop, value])
    expect(await ended(id, 1, reader)).toMatchObject({
      status: 'ERROR',
      componentStatuses: [{ message: expect.stringContaining('“Theirs”') }],
    })
  expect(await world.jobs(theirs)).toHaveLength(0)
  expect(await ended(plain, 2, reader)).toMatchObject({ status: 'INFO' })
})

test('a triggered run does not start a pipeline that others changed after its user saved the parent pipelines', async () => {
  await owner.call(createGroup, { body: { name: 'Shared' } })
  const colleague = await world.server.createUser({ role: 'Pipeline builder' })
  await grant('Shared', colleague, 'RW')
  const child = await mail('shared child', 'x', { groupName: 'Shared' })
  const first = await mail('first', 'x')
  const parent = await save('after first', 'run-pipeline', { pipeline: 'shared child', group: 'Shared' })
  await world.set(parent, [{ type: 'PIPELINE', pipelineId: first }])
  await run(first)
  expect((await world.ended(parent, 1))[0]).toMatchObject({ status: 'INFO' })
  const params = { subject: 'shared child', recipients: 'colleague@example.com', text: 'y' }
  await colleague.call(updatePipeline, {
    params: { pipelineId: child },
    body: { name: 'shared child', groupName: 'Shared', tasks: [node('email-sender', params)] },
  } as never)
  await run(first)
  expect((await world.ended(parent, 2))[0]).toMatchObject({
    status: 'ERROR',
    componentStatuses: [
      { message: expect.stringContaining(`${colleague.userName} saved version 2 of “shared child”`) },
    ],
  })
  expect(await ended(parent, 3)).toMatchObject({ status: 'INFO' })
})
