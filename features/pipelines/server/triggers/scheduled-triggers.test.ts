import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { saveHolidayCalendar } from '@headwater/symbols/contract'
import { createGroup } from '@headwater/groups/contract'
import { refusal, type Session } from '@headwater/server/testing'
import { createDataPrep, setPrepSchedule } from '@headwater/preps/contract'
import {
  createPipeline,
  deletePipeline,
  getPipeline,
  listSchedules,
  searchPipelines,
  triggerInput,
  updatePipeline,
} from '../../contract/index.ts'
import { startTriggerWorld, type TriggerWorld } from './testing/trigger-world.ts'

let world: TriggerWorld
let owner: Session

beforeAll(async () => {
  world = await startTriggerWorld()
  owner = world.owner
})
afterAll(() => world.stop())

const daily = { type: 'CRON', cron: '0 7 * * *', timeZone: 'Europe/Berlin' } as const
const business = {
  type: 'SCHEDULER',
  rule: { kind: 'CALENDAR', times: ['07:00'], days: 'BUSINESS_DAYS' },
} as const

async function makeDue(pipelineId: string, at = `date_trunc('minute', now())`): Promise<void> {
  await world.server.running.platform.database.pool.query(
    `update schedules set next_at = ${at} where kind = 'pipeline-trigger'
     and target_id in (select id from pipeline_triggers where pipeline_id = $1)`,
    [pipelineId],
  )
}

test('the schedule call stores the triggers of a pipeline', async () => {
  const id = await world.pipeline('Scheduled')
  const sent = [
    { ...daily, name: 'Every morning' },
    { ...business, timeZone: 'Europe/London', holidayCalendar: 'GB', missedRuns: 'SKIP' },
    {
      type: 'SCHEDULER',
      rule: { kind: 'INTERVAL', every: 15, unit: 'MINUTES', start: '2026-01-01T00:00' },
      active: false,
    },
  ] as const
  const set = await world.set(id, sent)
  expect(set).toMatchObject(sent)
  expect(await world.list(id)).toEqual(set)
  for (const each of set) expect(each).toMatchObject({ owner: owner.userName, lastRun: null })
  expect(set.map(({ nextRun }) => nextRun === null)).toEqual([false, false, true])
  const { pipeline } = await owner.call(getPipeline, { params: { pipelineId: id }, query: {} })
  expect(pipeline.trigger).toBe('CRON')
  expect(pipeline.schedules).toEqual([
    {
      type: 'CRON',
      cron: '0 7 * * *',
      timeZone: 'Europe/Berlin',
      description: '',
      nextRun: set[0]!.nextRun,
    },
    {
      type: 'SCHEDULER',
      cron: '',
      timeZone: 'Europe/London',
      description: 'At 07:00 on business days',
      nextRun: set[1]!.nextRun,
    },
  ])
  expect(await world.set(id, [])).toEqual([])
  expect((await owner.call(getPipeline, { params: { pipelineId: id }, query: {} })).pipeline.trigger).toBe(
    'None',
  )
})

test('the list of schedules contains active and paused schedules of pipelines and data preps in readable groups, with their runs and owners', async () => {
  await owner.call(createGroup, { body: { name: 'Timed' } })
  const prep = await owner.call(createDataPrep, {
    body: { dataPrep: { name: 'b prep', outputGroup: 'Timed', symbols: [] } } as never,
  })
  const body = { cron: '30 6 * * *', timeZone: 'Asia/Tokyo', active: false }
  await owner.call(setPrepSchedule, { params: { id: prep.id }, body })
  const task = (id: string, cron: string, timeZone: string) => ({
    id,
    taskReadableName: id,
    taskName: 'cron-trigger',
    taskOverrides: {
      params: [
        { name: 'cron', value: cron },
        { name: 'timeZone', value: timeZone },
      ],
    },
  })
  const tasks = [task('x', '0 7 * * *', 'Europe/Berlin'), task('y', '0 8 * * *', 'UTC')]
  const { pipeline } = await owner.call(createPipeline, {
    body: { name: 'c pipeline', groupName: 'Timed', tasks: tasks as never },
  })
  const id = await world.pipeline('a triggers', 'done', { groupName: 'Timed' })
  const [trigger] = await world.set(id, [{ ...business, timeZone: 'Europe/London' }])
  await makeDue(id)
  const [job] = await world.ended(id, 1)
  await world.settled()

  const list = (query: object, by = owner) => by.call(listSchedules, { query: query as never })
  const { items, ...page } = await list({ query: 'groupName=timed' })
  expect(page).toEqual({ from: 0, totalSize: 4 })
  const common = { groupName: 'Timed', active: true, lastRun: null, owner: owner.userName }
  const [ofTrigger] = await world.list(id)
  expect(items).toEqual([
    {
      ...common,
      type: 'PIPELINE',
      id,
      number: 1,
      name: 'a triggers',
      cron: '',
      description: 'At 07:00 on business days',
      timeZone: 'Europe/London',
      nextRun: trigger!.nextRun,
      lastRun: { at: ofTrigger!.lastRun!.at, jobId: job!.jobId },
    },
    {
      ...common,
      type: 'DATAPREP',
      id: prep.id,
      number: 1,
      name: 'b prep',
      cron: '30 6 * * *',
      description: '',
      timeZone: 'Asia/Tokyo',
      active: false,
      nextRun: null,
    },
    ...(['Europe/Berlin', 'UTC'] as const).map((timeZone, index) => ({
      ...common,
      type: 'PIPELINE',
      id: pipeline.id,
      number: index + 1,
      name: 'c pipeline',
      cron: pipeline.schedules[index]!.cron,
      description: '',
      timeZone,
      nextRun: pipeline.schedules[index]!.nextRun,
    })),
  ])
  expect(pipeline.schedules[1]!.nextRun).toMatch(/T08:00:00$/)
  const names = async (query: object) => (await list(query)).items.map(({ name, number }) => [name, number])
  expect(await names({ query: 'C PIPE', from: 1, size: 1 })).toEqual([['c pipeline', 2]])
  expect(await names({ query: 'name=b*' })).toEqual([['b prep', 1]])
  const stranger = await world.server.createUser({ role: 'Pipeline builder' })
  expect((await list({}, stranger)).totalSize).toBe(0)
})

test('DP-548 triggers have the job types that the specification defines', () => {
  const types = triggerInput.options.map(({ shape }) => shape.type.value)
  expect(types).toEqual(['CRON', 'SCHEDULER', 'FILEARRIVAL', 'PIPELINE', 'RETRY', 'EMAIL', 'None'])
})

test('DP-550 the search filters by every type of trigger; paused triggers are ignored', async () => {
  const names = async (triggerType: string) =>
    (
      await owner.call(searchPipelines, {
        query: { query: 'name=of type*', triggerType, sortBy: 'name' } as never,
      })
    ).items.map(({ name, trigger }) => [name.replace('of type ', ''), trigger])
  const other = await world.pipeline('other')
  const add = async (name: string, ...triggers: Parameters<TriggerWorld['set']>[1]) =>
    world.set(await world.pipeline(`of type ${name}`), triggers)
  await add('a', daily)
  await add('b', business, { type: 'FILEARRIVAL', groupName: 'Flows' })
  await add('c', { type: 'PIPELINE', pipelineId: other })
  await add('d', { type: 'RETRY' })
  await add('e', { type: 'None' })
  await add('f', { ...daily, active: false })
  expect(await names('CRON')).toEqual([['a', 'CRON']])
  expect(await names('SCHEDULER')).toEqual([['b', 'SCHEDULER']])
  expect(await names('FILEARRIVAL')).toEqual([['b', 'SCHEDULER']])
  expect(await names('PIPELINE')).toEqual([['c', 'PIPELINE']])
  expect(await names('RETRY')).toEqual([['d', 'RETRY']])
  expect(await names('EMAIL')).toEqual([])
  expect(await names('None')).toEqual([
    ['e', 'None'],
    ['f', 'None'],
  ])
  expect(await names('ANY')).toHaveLength(6)
})

test('a due trigger starts one run with the access of its owner, then waits for the next occurrence', async () => {
  const id = await world.pipeline('due')
  const [before] = await world.set(id, [daily, business])
  await makeDue(id)
  const jobs = await world.ended(id, 2)
  expect(jobs.flatMap(({ types }) => types).toSorted()).toEqual(['CRON', 'SCHEDULER'])
  for (const job of jobs) expect(job).toMatchObject({ status: 'INFO', owner: owner.userName, rootId: id })
  const [cron] = await world.list(id)
  expect(cron!.lastRun).toMatchObject({ jobId: jobs.find(({ types }) => types[0] === 'CRON')!.jobId })
  expect(cron!.nextRun).toBe(before!.nextRun)
  expect(world.mails('due')).toEqual(['done', 'done'])
})

test('a changed trigger belongs to the caller; an unchanged trigger keeps its owner unless the caller claims it', async () => {
  await owner.call(createGroup, {
    body: { name: 'Shared' },
  })
  const admin = world.server.admin
  const id = await world.pipeline('owners', 'done', { groupName: 'Shared' })
  const [first, second] = await world.set(id, [daily, { ...daily, cron: '0 8 * * *' }])
  const changed = await world.set(id, [first!, { ...second!, cron: '0 9 * * *' }], admin)
  expect(changed.map((each) => each.owner)).toEqual([owner.userName, admin.userName])
  expect(changed.map((each) => each.id)).toEqual([first!.id, second!.id])
  expect(changed[0]).toEqual(first)
  const taken = await world.set(id, [{ ...changed[0]!, becomeOwner: true }, changed[1]!], admin)
  expect(taken.map((each) => each.owner)).toEqual([admin.userName, admin.userName])
})

test('a pipeline that a different user saved later runs only after the trigger is set again', async () => {
  const id = await world.pipeline('changed by others')
  const [set] = await world.set(id, [daily])
  const { pipeline, batchConfig } = await owner.call(getPipeline, { params: { pipelineId: id }, query: {} })
  const body = { ...pipeline, tasks: batchConfig.tasks, version: 1 }
  await world.server.admin.call(updatePipeline, { params: { pipelineId: id }, body: body as never })
  await makeDue(id)
  const [refused] = await world.ended(id, 1)
  expect(refused!.status).toBe('ERROR')
  expect(refused!.latestStatus.message).toContain(
    `${world.server.admin.userName} saved version 2 after ${owner.userName} had set the trigger, and runs use the access of ${owner.userName}.`,
  )
  await world.set(id, [{ ...set!, becomeOwner: true }])
  await makeDue(id)
  expect((await world.ended(id, 2))[0]!.status).toBe('INFO')
})

test('a trigger starts no run after its owner lost access, and a job records the reason', async () => {
  const leaver = await world.server.createUser({ role: 'Pipeline builder' })
  const id = await world.pipeline('left')
  const { pool } = world.server.running.platform.database
  const [set] = await world.set(id, [daily], world.server.admin)
  await pool.query(
    'update pipeline_triggers set owner_id = (select id from users where user_name = $2) where id = $1',
    [set!.id, leaver.userName],
  )
  await makeDue(id)
  const [job] = await world.ended(id, 1)
  expect(job!.latestStatus.message).toBe(
    `The trigger did not start a run. ${leaver.userName} owns the trigger and can no longer read the group “Flows”. Set the trigger again.`,
  )
})

test.each([
  [{ ...daily, cron: 'often' }, 'cron'],
  [{ ...daily, timeZone: 'Mars/Olympus' }, 'timeZone'],
  [{ ...business, timeZone: 'Mars/Olympus' }, 'timeZone'],
  [{ ...business, holidayCalendar: 'Atlantis' }, undefined],
  [
    { type: 'SCHEDULER', rule: { kind: 'CALENDAR', times: ['25:00'], days: 'EVERY_DAY' } },
    'schedulerTriggers[0].rule.times[0]',
  ],
  [
    { type: 'SCHEDULER', rule: { kind: 'CALENDAR', times: ['07:00'], days: 'WEEKDAYS' } },
    'schedulerTriggers[0].rule',
  ],
  [
    { type: 'SCHEDULER', rule: { kind: 'INTERVAL', every: 0, unit: 'DAYS', start: '2026-01-01T00:00' } },
    'schedulerTriggers[0].rule.every',
  ],
  [
    { type: 'SCHEDULER', rule: { kind: 'INTERVAL', every: 1, unit: 'DAYS', start: '2026-02-30T00:00' } },
    'schedulerTriggers[0].rule.start',
  ],
  [{ type: 'ANY' }, 'schedulerTriggers[0].type'],
  [{ type: 'FILEARRIVAL', groupName: 'No such group' }, 'schedulerTriggers'],
  [{ type: 'PIPELINE', pipelineId: 'd0000000-0000-4000-8000-000000000000' }, 'schedulerTriggers'],
  [{ ...daily, id: 'd0000000-0000-4000-8000-000000000000' }, 'schedulerTriggers'],
] as const)('an invalid trigger is rejected with an error on its field: %j', async (given, field) => {
  const id = await world.pipeline(`invalid ${randomUUID()}`)
  const error = await refusal(world.set(id, [given as never]))
  expect(error.status).toBeLessThan(500)
  if (field !== undefined) expect(error.body.validationErrors?.[0]?.field).toBe(field)
  expect(await world.list(id)).toEqual([])
})

test('a schedule does not run on a holiday that was added later', async () => {
  const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
  // The run is due on the second day if midnight passes during the test.
  const [today, tomorrow] = [dayIn(0), dayIn(1)]
  const { admin } = world.server
  const save = (days: { date: string }[]) =>
    admin.call(saveHolidayCalendar, {
      params: { name: 'Own' },
      body: { weekend: [], days: days as never },
    })
  await save([{ date: today }, { date: tomorrow }])
  const id = await world.pipeline('holidays')
  const [set] = await world.set(id, [{ ...daily, timeZone: 'UTC', holidayCalendar: 'Own' }])
  expect(set!.nextRun!.slice(0, 10) > tomorrow).toBe(true)
  await makeDue(id)
  await world.settled()
  await expect.poll(async () => (await world.list(id))[0]!.nextRun).toBe(set!.nextRun)
  expect(await world.jobs(id)).toEqual([])
})

test('deleting a pipeline deletes its triggers and their schedules', async () => {
  const id = await world.pipeline('deleted')
  const [set] = await world.set(id, [daily])
  await owner.call(deletePipeline, { params: { pipelineId: id } })
  const { rows } = await world.server.running.platform.database.pool.query(
    `select (select count(*)::int from schedules where target_id = $1)
       + (select count(*)::int from pipeline_triggers where id = $1) as count`,
    [set!.id],
  )
  expect(rows[0].count).toBe(0)
})
