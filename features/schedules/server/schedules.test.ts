import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { migrationsFolder as accountsMigrations } from '@headwater/accounts/server'
import { AppError } from '@headwater/contract'
import { createJobQueue, migrationsFolder as jobsMigrations, type JobQueue } from '@headwater/jobs'
import type { Database, Log } from '@headwater/server-kit'
import { fixedClock, openTestDatabase, silentLog } from '@headwater/server-kit/testing'
import {
  createSchedules,
  migrationsFolder,
  type NewSchedule,
  type ScheduleOwner,
  type Schedules,
  type SchedulesDependencies,
} from './index.ts'
import { createRecordedRuns, recordingOwner } from './testing/recorded-runs.ts'

let database: Database
let userId: number
const stops: (() => Promise<void>)[] = []

beforeAll(async () => {
  database = await openTestDatabase([accountsMigrations, jobsMigrations, migrationsFolder], { poolSize: 30 })
  await createRecordedRuns(database)
  const { rows } = await database.pool.query(
    `insert into users (user_name, company_id) select 'anna', id from companies returning id`,
  )
  userId = rows[0].id
})
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
  await database.pool.query('truncate schedules, queue_jobs, recorded_runs')
})
afterAll(() => database.close())

const kind = 'report'
const morning = '2026-03-02T06:00:00.000Z'
const minutes = (count: number) => count * 60_000
const daily = { cron: '0 7 * * *', timeZone: 'UTC' }

interface Server {
  schedules: Schedules
  queue: JobQueue
  warnings: string[]
  start(): Promise<void>
}

/** A server with the kind `report` that has not been started. */
function server(
  options: {
    clock?: ReturnType<typeof fixedClock>
    owner?: Partial<ScheduleOwner>
    findHolidays?: SchedulesDependencies['findHolidays']
  } = {},
): Server {
  const { clock = fixedClock(morning), owner, findHolidays } = options
  const warnings: string[] = []
  const log: Log = Object.assign(silentLog(), {
    warn: (_: unknown, message: string) => void warnings.push(message),
  })
  const schedules = createSchedules({ database, clock, log, findHolidays, pollMs: 20 })
  const queue = createJobQueue({ pool: database.pool, pollMs: 20 })
  schedules.register(kind, { ...recordingOwner(database, queue), ...owner })
  stops.push(async () => {
    await schedules.stop()
    await queue.stop()
  })
  return {
    schedules,
    queue,
    warnings,
    async start() {
      await schedules.start()
      queue.start()
    },
  }
}

/** Sets a schedule and returns its target. */
async function set({ schedules }: Server, schedule: Partial<NewSchedule> = {}) {
  const target = { kind, targetId: schedule.targetId ?? randomUUID() }
  const values = { ...target, triggers: [daily], active: true, setBy: userId, ...schedule }
  await schedules.set(values, database.pool)
  return target
}

/** Returns the started runs, ordered by due time. */
async function runs(): Promise<{ targetId: string; dueAt: string; outcome: string }[]> {
  const { rows } = await database.pool.query<{ targetId: string; dueAt: Date; outcome: string }>(
    'select target_id as "targetId", due_at as "dueAt", outcome from recorded_runs order by due_at',
  )
  return rows.map((row) => ({ ...row, dueAt: row.dueAt.toISOString() }))
}

const runCount = async () => (await runs()).length

async function openJobs(): Promise<number> {
  const { rows } = await database.pool.query(
    `select count(*)::int as count from queue_jobs where state in ('waiting', 'running')`,
  )
  return rows[0].count
}

/** Waits until nothing is due and every job has ended. */
async function settled(clock: { now(): Date }): Promise<void> {
  const dueCount = async () => {
    const { rows } = await database.pool.query(
      'select count(*)::int as count from schedules where next_at <= $1 or due_at is not null',
      [clock.now()],
    )
    return rows[0].count + (await openJobs())
  }
  await expect.poll(dueCount).toBe(0)
}

test('a schedule waits without a job, runs when it is due, and then sets its next run', async () => {
  const clock = fixedClock(morning)
  const one = server({ clock })
  await one.start()
  const target = await set(one)
  expect(await one.schedules.find(target)).toEqual({
    ...target,
    triggers: [daily],
    active: true,
    setBy: { id: userId, userName: 'anna' },
    setAt: new Date(morning),
    dueAt: undefined,
    nextAt: new Date('2026-03-02T07:00:00.000Z'),
    lastRun: undefined,
  })
  expect(await openJobs()).toBe(0)
  clock.advance(minutes(60))
  await expect.poll(runCount).toBe(1)
  await settled(clock)
  expect(await runs()).toEqual([
    { targetId: target.targetId, dueAt: '2026-03-02T07:00:00.000Z', outcome: 'started' },
  ])
  expect(await one.schedules.find(target)).toMatchObject({
    dueAt: undefined,
    nextAt: new Date('2026-03-03T07:00:00.000Z'),
    lastRun: { at: new Date('2026-03-02T07:00:00.000Z'), jobId: target.targetId },
  })
  clock.advance(minutes(24 * 60))
  await expect.poll(runCount).toBe(2)
})

test('a schedule with several triggers runs at the occurrences of each of them, in their time zones', async () => {
  const clock = fixedClock(morning)
  const one = server({ clock })
  await set(one, { triggers: [daily, { cron: '30 1 * * *', timeZone: 'America/New_York' }] })
  await one.start()
  clock.advance(minutes(29))
  await settled(clock)
  expect(await runs()).toEqual([])
  clock.advance(minutes(1))
  await expect.poll(runCount).toBe(1)
  await settled(clock)
  clock.advance(minutes(30))
  await expect.poll(runCount).toBe(2)
  expect((await runs()).map(({ dueAt }) => dueAt)).toEqual([
    '2026-03-02T06:30:00.000Z',
    '2026-03-02T07:00:00.000Z',
  ])
})

test.each([
  { missedRuns: undefined, expected: ['2026-03-02T07:00:00.000Z'] },
  { missedRuns: 'once' as const, expected: ['2026-03-02T07:00:00.000Z'] },
  { missedRuns: 'skip' as const, expected: [] },
])('after downtime, the policy $missedRuns runs the missed occurrences $expected', async (row) => {
  const clock = fixedClock(morning)
  await set(server({ clock }))
  clock.advance(minutes(5 * 24 * 60))
  const one = server({ clock, owner: row.missedRuns && { missedRuns: row.missedRuns } })
  await one.start()
  await settled(clock)
  expect((await runs()).map(({ dueAt }) => dueAt)).toEqual(row.expected)
  clock.advance(minutes(60))
  await expect.poll(runCount).toBe(row.expected.length + 1)
})

test.each([
  ['once', ['2026-03-02T07:00:00.000Z']],
  ['skip', []],
  ['all', ['2026-03-06T07:00:00.000Z', '2026-03-06T19:00:00.000Z']],
] as const)(
  'a schedule with the policy %s runs the missed occurrences %j, regardless of the default policy of its kind',
  async (missedRuns, expected) => {
    const clock = fixedClock(morning)
    await set(server({ clock }), { triggers: [{ cron: '0 7,19 * * *', timeZone: 'UTC' }], missedRuns })
    clock.advance(minutes(5 * 24 * 60 - 1))
    const one = server({ clock, owner: { missedRuns: missedRuns === 'once' ? 'skip' : 'once' } })
    await one.start()
    await settled(clock)
    expect((await runs()).map(({ dueAt }) => dueAt)).toEqual(expected)
    clock.advance(minutes(61))
    await expect.poll(runCount).toBe(expected.length + 1)
  },
)

test('a schedule that runs missed occurrences does not delay other schedules', async () => {
  const clock = fixedClock(morning)
  const one = server({ clock })
  await set(one, { triggers: [{ cron: '*/5 * * * *', timeZone: 'UTC' }], missedRuns: 'all' })
  const other = await set(one)
  // Only its loop runs; no worker claims the jobs.
  await one.schedules.start()
  clock.advance(minutes(60))
  await expect.poll(async () => (await one.schedules.find(other))?.dueAt).toBeDefined()
  one.queue.start()
  await expect.poll(runCount).toBe(13)
  await settled(clock)
})

describe('with a holiday calendar', () => {
  const free = new Set<string>()
  const findHolidays = async (name: string) => {
    if (name !== 'GB') throw new AppError('noSuchHolidayCalendar', 400, 'There is no such calendar.')
    return { weekend: [6, 7], holidays: [...free] }
  }
  const triggers = [{ ...daily, holidayCalendar: 'GB' }]
  beforeEach(() => free.clear())

  test('occurrences on its holidays and weekends do not run', async () => {
    const clock = fixedClock(morning)
    free.add('2026-03-03').add('2026-03-06')
    const one = server({ clock, findHolidays })
    const target = await set(one, { triggers })
    await one.start()
    for (const next of ['2026-03-04', '2026-03-05', '2026-03-09']) {
      const schedule = await one.schedules.find(target)
      clock.advance(schedule!.nextAt!.getTime() - clock.now().getTime())
      await settled(clock)
      expect((await one.schedules.find(target))?.nextAt).toEqual(new Date(`${next}T07:00:00.000Z`))
    }
    expect(await runCount()).toBe(3)
  })

  test('a schedule does not run on a holiday that was added later', async () => {
    const clock = fixedClock(morning)
    const target = await set(server({ clock, findHolidays }), { triggers })
    free.add('2026-03-02')
    const one = server({ clock, findHolidays })
    await one.start()
    clock.advance(minutes(60))
    await settled(clock)
    expect(await runs()).toEqual([])
    expect((await one.schedules.find(target))?.nextAt).toEqual(new Date('2026-03-03T07:00:00.000Z'))
  })

  test('a rule uses the business days of the calendar', async () => {
    free.add('2026-03-02').add('2026-03-03')
    const rule = {
      kind: 'CALENDAR',
      times: ['09:00'],
      days: 'FIRST_BUSINESS_DAY_OF_MONTH',
      timeZone: 'UTC',
    } as const
    const one = server({ findHolidays })
    const target = await set(one, { triggers: [{ rule, holidayCalendar: 'GB' }] })
    expect((await one.schedules.find(target))?.nextAt).toEqual(new Date('2026-03-04T09:00:00.000Z'))
  })

  test('an unknown calendar is rejected; if a calendar is deleted later, the due run starts but no next run is set', async () => {
    const clock = fixedClock(morning)
    const one = server({ clock, findHolidays })
    await expect(set(one, { triggers: [{ ...daily, holidayCalendar: 'Atlantis' }] })).rejects.toMatchObject({
      code: 'noSuchHolidayCalendar',
    })
    const target = await set(one, { triggers })
    const other = server({ clock, findHolidays: () => Promise.reject(new Error('deleted')) })
    await other.start()
    clock.advance(minutes(60))
    await settled(clock)
    expect(await runCount()).toBe(1)
    expect((await one.schedules.find(target))?.nextAt).toBeUndefined()
    expect(other.warnings).toEqual([`The schedule of the report ${target.targetId} has no next run.`])
  })
})

test('later occurrences of a due run that has not started do not add a second run', async () => {
  const clock = fixedClock(morning)
  const one = server({ clock })
  const target = await set(one, { triggers: [{ cron: '* * * * *', timeZone: 'UTC' }] })
  // Only its loop runs; no worker claims the job.
  await one.schedules.start()
  for (const minute of [1, 2, 3]) {
    clock.advance(minutes(1))
    const next = async () => {
      const { rows } = await database.pool.query('select next_at from schedules')
      return rows[0].next_at.toISOString()
    }
    await expect.poll(next).toBe(`2026-03-02T06:0${minute + 1}:00.000Z`)
  }
  expect(await one.schedules.find(target)).toMatchObject({ nextAt: new Date('2026-03-02T06:01:00.000Z') })
  expect(await openJobs()).toBe(1)
  one.queue.start()
  await expect.poll(runCount).toBe(1)
  await settled(clock)
  expect((await runs()).map(({ dueAt }) => dueAt)).toEqual(['2026-03-02T06:01:00.000Z'])
})

test.each(['changed', 'paused', 'removed'] as const)(
  'a due run does not start if its schedule was %s before the start',
  async (change) => {
    const clock = fixedClock(morning)
    const [one, other] = [server({ clock }), server({ clock })]
    const target = await set(one)
    await one.schedules.start()
    clock.advance(minutes(60))
    await expect.poll(openJobs).toBe(1)
    if (change === 'removed') await other.schedules.remove(target, database.pool)
    else await set(other, { ...target, ...(change === 'paused' ? { active: false } : {}) })
    one.queue.start()
    await expect.poll(openJobs).toBe(0)
    expect(await runs()).toEqual([])
    expect((await one.schedules.find(target))?.nextAt).toEqual(
      change === 'changed' ? new Date('2026-03-03T07:00:00.000Z') : undefined,
    )
  },
)

test('a schedule that was changed on a different server runs at its new occurrence', async () => {
  const clock = fixedClock(morning)
  const [one, other] = [server({ clock }), server({ clock })]
  const target = await set(one)
  await one.start()
  await set(other, { ...target, triggers: [{ cron: '15 6 * * *', timeZone: 'UTC' }] })
  clock.advance(minutes(15))
  await expect.poll(runCount).toBe(1)
})

test('several servers start each run once, even when a batch is full', async () => {
  const clock = fixedClock(morning)
  const servers = [server({ clock }), server({ clock }), server({ clock })]
  for (let index = 0; index < 250; index++) await set(servers[0]!)
  for (const each of servers) await each.start()
  for (let day = 1; day <= 3; day++) {
    clock.advance(minutes(24 * 60))
    await expect.poll(runCount).toBeGreaterThanOrEqual(250 * day)
    await settled(clock)
    expect(await runCount()).toBe(250 * day)
  }
  const { rows } = await database.pool.query(
    'select count(*)::int as count from (select distinct target_id, due_at from recorded_runs) as distinct_runs',
  )
  expect(rows[0].count).toBe(750)
})

test('a failed start is retried; a start interrupted before the commit starts nothing', async () => {
  const clock = fixedClock(morning)
  let attempts = 0
  const one = server({ clock })
  const owner = recordingOwner(database, one.queue)
  const failing = server({
    clock,
    owner: {
      start: (schedule, record) =>
        owner.start(schedule, async (jobId, executor) => {
          await record(jobId, executor)
          attempts += 1
          if (attempts === 1) throw new Error('broken off')
        }),
    },
  })
  await set(failing)
  await failing.start()
  clock.advance(minutes(60))
  await expect.poll(runCount).toBe(1)
  await settled(clock)
  expect(attempts).toBe(2)
  expect(await runCount()).toBe(1)
})

test('after the last failed attempt the run is recorded as given up, and the schedule continues', async () => {
  const clock = fixedClock(morning)
  const one = server({ clock, owner: { start: () => Promise.reject(new Error('no')) } })
  const target = await set(one)
  await one.schedules.start()
  clock.advance(minutes(60))
  await expect.poll(openJobs).toBe(1)
  await database.pool.query('update queue_jobs set max_attempts = 1')
  one.queue.start()
  await expect.poll(runCount).toBe(1)
  expect(await runs()).toMatchObject([{ outcome: 'given up' }])
  await settled(clock)
  expect((await one.schedules.find(target))?.nextAt).toEqual(new Date('2026-03-03T07:00:00.000Z'))
})

test('a due run starts at the next occurrence if its job has failed permanently', async () => {
  const clock = fixedClock(morning)
  const one = server({ clock })
  await set(one)
  await one.schedules.start()
  clock.advance(minutes(60))
  await expect.poll(openJobs).toBe(1)
  await database.pool.query(`update queue_jobs set state = 'failed', ended_at = now()`)
  one.queue.start()
  clock.advance(minutes(24 * 60))
  await expect.poll(runCount).toBe(1)
  await settled(clock)
  expect((await runs()).map(({ dueAt }) => dueAt)).toEqual(['2026-03-02T07:00:00.000Z'])
})

test('a schedule that can no longer be parsed starts its due run, has no next run, and does not delay other schedules', async () => {
  const clock = fixedClock(morning)
  const one = server({ clock })
  const [broken, whole] = [await set(one), await set(one)]
  await database.pool.query(
    `update schedules set triggers = '[{"cron": "0 7 * * *", "timeZone": "Mars/Olympus"}]' where target_id = $1`,
    [broken.targetId],
  )
  await one.start()
  clock.advance(minutes(60))
  await expect.poll(runCount).toBe(2)
  await settled(clock)
  expect((await one.schedules.find(broken))?.nextAt).toBeUndefined()
  expect((await one.schedules.find(whole))?.nextAt).toEqual(new Date('2026-03-03T07:00:00.000Z'))
  expect(one.warnings).toEqual([`The schedule of the report ${broken.targetId} has no next run.`])
})

test('when the server starts, it computes the next run only for active schedules without one', async () => {
  const one = server()
  const [fresh, paused] = [await set(one), await set(one, { active: false })]
  await database.pool.query('update schedules set next_at = null')
  await one.start()
  expect((await one.schedules.find(fresh))?.nextAt).toEqual(new Date('2026-03-02T07:00:00.000Z'))
  expect((await one.schedules.find(paused))?.nextAt).toBeUndefined()
})

test('a server ignores kinds that are not registered', async () => {
  const clock = fixedClock(morning)
  const one = server({ clock })
  const target = { kind: 'other', targetId: randomUUID() }
  await one.schedules.set({ ...target, triggers: [daily], active: true, setBy: userId }, database.pool)
  await set(one)
  await one.start()
  clock.advance(minutes(60))
  await expect.poll(runCount).toBe(1)
  expect(await one.schedules.find(target)).toMatchObject({
    dueAt: undefined,
    nextAt: new Date('2026-03-02T07:00:00.000Z'),
  })
})

test('a kind can have only one owner', () => {
  const one = server()
  expect(() => one.schedules.register(kind, recordingOwner(database, one.queue))).toThrow('two owners')
})

test.each([
  [{ cron: '0 25 * * *' }, 'cron', 'Invalid value for hour: 25'],
  [{ cron: '0 0 31 2 *' }, 'cron', '“0 0 31 2 *” never occurs'],
  [{ timeZone: 'Mars/Olympus' }, 'timeZone', '“Mars/Olympus” is not a time zone'],
])(
  'triggers that cannot be parsed are rejected with an error on their field: %j',
  async (change, field, message) => {
    const one = server()
    const triggers = [daily, { ...daily, ...change }]
    const refusal = expect.objectContaining({
      status: 400,
      validationErrors: [{ field, message: expect.stringContaining(message) as string }],
    }) as Error
    await expect(one.schedules.check(triggers)).rejects.toEqual(refusal)
    await expect(set(one, { triggers })).rejects.toEqual(refusal)
  },
)
