import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup, deleteGroup } from '@headwater/groups/contract'
import { searchFiles } from '@headwater/files/contract'
import { startTestServer, uploadSeries, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses, type Job } from '@headwater/statuses/contract'
import {
  createDataPrep,
  deleteDataPrep,
  getPrepSchedule,
  removePrepSchedule,
  setPrepSchedule,
  updateDataPrep,
  type PrepSchedule,
} from '../contract/index.ts'

let server: TestServer
let anna: Session
let ben: Session

beforeAll(async () => {
  server = await startTestServer()
  anna = await server.createUser({ email: 'anna@example.com' })
  ben = await server.createUser({ email: 'ben@example.com' })
  await anna.call(createGroup, { body: { name: 'Prices' } })
  await uploadSeries(anna, { groupName: 'Prices', content: 'Code,Date,Close\nA,2024-01-01,1.5\n' })
})
afterAll(() => server.stop())

const utc = (text: string) => new Date(`${text}Z`)

let count = 0
async function makePrep(symbols: object[] = [{ groupName: 'Prices', symbols: { Code: 'A' } }]) {
  const name = `prep ${++count}`
  const { id } = await anna.call(createDataPrep, {
    body: { dataPrep: { name, outputGroup: 'Prices', symbols } } as never,
  })
  return { id, name }
}
const weekdays = { cron: '0 7 * * 1-5', timeZone: 'Europe/London', active: true }
/** An hourly schedule whose next occurrence is half an hour away, so that it is not due during a test. */
const hourly = () => ({ ...weekdays, cron: `${(new Date().getUTCMinutes() + 30) % 60} * * * *` })

function database(text: string, values: unknown[]) {
  return server.running.platform.database.pool.query(text, values)
}

let secondsAgo = 3000
/** Makes the next run of a data prep due, at a different time in the past on each call; returns that time. */
async function letComeDue(id: string): Promise<string> {
  const due = new Date(Date.now() - secondsAgo-- * 1000)
  due.setUTCMilliseconds(0)
  await setNextRun(id, due)
  return withoutZone(due)
}

async function setNextRun(id: string, nextAt: Date): Promise<void> {
  await database(`update schedules set next_at = $2 where target_id = $1 and next_at is not null`, [
    id,
    nextAt,
  ])
}

const withoutZone = (date: Date) => date.toISOString().slice(0, 19)

/** Returns the schedule after the run that was due has started. */
async function started(id: string, due: string): Promise<PrepSchedule> {
  const read = async () => (await anna.call(getPrepSchedule, { params: { id } })).schedule!
  await expect.poll(async () => (await read()).lastRun?.at).toBe(due)
  return read()
}

async function ended(jobId: string, session = anna): Promise<Job> {
  const find = async () => (await session.call(searchStatuses, { query: { jobId } })).items[0]
  await expect.poll(async () => (await find())?.status).toMatch(/INFO|WARN|ERROR/)
  return (await find())!
}

const messageOf = ({ latestStatus }: Job) => latestStatus.message

/** Jobs of the runs of a data prep. */
async function jobsOf(id: string): Promise<string[]> {
  const { items } = await anna.call(searchStatuses, { query: { query: '*', type: 'DATAPREP', size: 500 } })
  return items.filter(({ rootId }) => rootId === id).map(({ jobId }) => jobId)
}

async function set(id: string, body: object, session = anna): Promise<PrepSchedule> {
  const { schedule } = await session.call(setPrepSchedule, { params: { id }, body: body as never })
  return schedule!
}

test('a data prep with a schedule runs when it is due, and its next run is scheduled', async () => {
  const { id, name } = await makePrep()
  expect(await anna.call(getPrepSchedule, { params: { id } })).toEqual({ schedule: null })
  const first = await set(id, weekdays)
  expect(first).toMatchObject({ ...weekdays, setBy: 'anna@example.com', lastRun: null })
  const due = utc(first.nextRun!)
  expect(due.getTime()).toBeGreaterThan(Date.now())
  expect(due.toLocaleTimeString('en-GB', { timeZone: 'Europe/London' })).toBe('07:00:00')

  const second = await started(id, await letComeDue(id))
  expect(utc(second.nextRun!).getTime()).toBeGreaterThanOrEqual(due.getTime())
  expect(await ended(second.lastRun!.jobId)).toMatchObject({ status: 'INFO', name, rootId: id })
  const files = await anna.call(searchFiles, { query: { query: `name=${name}.csv` } })
  expect(files.items).toHaveLength(1)

  const third = await started(id, await letComeDue(id))
  expect(third.lastRun!.jobId).not.toBe(second.lastRun!.jobId)
})

test.each([
  [{ cron: '0 25 * * *' }, 'Could not translate the cron expression: Invalid value for hour: 25.'],
  [{ cron: 'often' }, 'Could not translate the cron expression. It needs five fields'],
  [{ cron: '0 0 31 2 *' }, '“0 0 31 2 *” never occurs'],
  [{ timeZone: 'Mars/Olympus' }, '“Mars/Olympus” is not a time zone'],
  [{ cron: 'a'.repeat(101) }, 'at most 100 characters'],
])('the schedule %j is rejected with an error on its field', async (change, message) => {
  const { id } = await makePrep()
  const before = await set(id, weekdays)
  const response = await anna.fetch(`/dataprep/${id}/schedule`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...weekdays, ...change }),
  })
  expect(response.status).toBe(400)
  const { validationErrors } = (await response.json()) as { validationErrors: unknown[] }
  const [field] = Object.keys(change)
  expect(validationErrors).toEqual([{ field, message: expect.stringContaining(message) as string }])
  expect((await anna.call(getPrepSchedule, { params: { id } })).schedule).toEqual(before)
})

test('after downtime only one of the missed runs is caught up', async () => {
  const { id } = await makePrep()
  await set(id, hourly())
  const missed = new Date(Date.now() - 3 * 86_400_000)
  missed.setUTCSeconds(0, 0)
  await setNextRun(id, missed)
  const { nextRun, lastRun } = await started(id, withoutZone(missed))
  expect(utc(nextRun!).getTime()).toBeGreaterThan(Date.now() - 60_000)
  expect(await jobsOf(id)).toEqual([lastRun!.jobId])
})

/** Returns the stored next runs of a data prep, for all of its schedules. */
async function storedTimes(id: string): Promise<string[]> {
  const { rows } = await database('select next_at from schedules where target_id = $1', [id])
  return rows.flatMap(({ next_at: nextAt }: { next_at: Date | null }) =>
    nextAt === null ? [] : [withoutZone(nextAt)],
  )
}

test('a data prep has one next run, which is deleted with the schedule or the data prep', async () => {
  const { id } = await makePrep()
  await set(id, { ...weekdays, cron: '0 0 1 1 *' })
  await set(id, weekdays)
  await set(id, weekdays)
  const changed = await set(id, { ...weekdays, cron: '5 8 * * *' })
  expect(await storedTimes(id)).toEqual([changed.nextRun])
  await set(id, { ...weekdays, active: false })
  expect(await storedTimes(id)).toEqual([])
  await set(id, weekdays)
  await anna.call(removePrepSchedule, { params: { id } })
  expect(await storedTimes(id)).toEqual([])
  await set(id, weekdays)
  expect(await storedTimes(id)).toHaveLength(1)
  await anna.call(deleteDataPrep, { params: { id } })
  expect(await storedTimes(id)).toEqual([])
})

test('a run that was claimed just before its schedule was paused, changed or removed does not start', async () => {
  for (const change of ['pause', 'change', 'remove'] as const) {
    const { id } = await makePrep()
    await set(id, weekdays)
    await database(
      `update schedules set due_at = next_at, next_at = next_at + interval '1 day' where target_id = $1`,
      [id],
    )
    if (change === 'remove') await anna.call(removePrepSchedule, { params: { id } })
    else
      await set(id, change === 'pause' ? { ...weekdays, active: false } : { ...weekdays, cron: '5 8 * * *' })
    const { rows } = await database(
      `insert into queue_jobs (kind, payload, max_attempts) values ('start-scheduled-data-prep', $1, 5) returning id`,
      [JSON.stringify({ targetId: id })],
    )
    const { id: queueJobId } = rows[0] as { id: string }
    const stateOf = async () =>
      (await database('select state from queue_jobs where id = $1', [queueJobId])).rows[0] as object
    await expect.poll(stateOf).toEqual({ state: 'done' })
    expect(await jobsOf(id)).toEqual([])
    const { schedule } = await anna.call(getPrepSchedule, { params: { id } })
    expect(schedule?.lastRun ?? null).toBeNull()
    if (change === 'pause') expect(schedule).toMatchObject({ active: false, nextRun: null })
  }
})

test('a schedule that is changed to an earlier time runs at that time', async () => {
  const { id } = await makePrep()
  await set(id, { ...weekdays, cron: '0 0 1 1 *' })
  await set(id, hourly())
  const second = await started(id, await letComeDue(id))
  expect(await jobsOf(id)).toEqual([second.lastRun!.jobId])
})

test('a run whose start fails before it is recorded starts once', async () => {
  const { id, name } = await makePrep()
  await set(id, weekdays)
  // A sequence continues even though the first record is rolled back.
  await database(`create sequence notes`, [])
  await database(
    `create function break_first_note() returns trigger language plpgsql as $$
     begin
       if nextval('notes') = 1 then raise exception 'broken off'; end if;
       return new;
     end $$`,
    [],
  )
  await database(
    `create trigger break_first_note before update on schedules for each row
     when (new.last_at is distinct from old.last_at) execute function break_first_note()`,
    [],
  )
  const second = await started(id, await letComeDue(id))
  await database(`drop trigger break_first_note on schedules`, [])
  expect(await ended(second.lastRun!.jobId)).toMatchObject({ status: 'INFO' })
  expect(await jobsOf(id)).toEqual([second.lastRun!.jobId])
  const { rows } = await database('select 1 from files where name = $1', [`${name}.csv`])
  expect(rows).toHaveLength(1)
})

/** Gives ben write access to the group of the data preps, if he has none. */
async function letBenWrite(): Promise<void> {
  await database(
    `insert into group_grants (group_id, user_id, access)
     select groups.id, users.id, 'RW' from groups, users where groups.name = 'Prices' and user_name = 'ben@example.com'
     on conflict do nothing`,
    [],
  )
}

test('a user without permission starts no run; a job records the reason, and the schedule continues', async () => {
  const { id } = await makePrep()
  await letBenWrite()
  const first = await set(id, weekdays, ben)
  expect(first.setBy).toBe('ben@example.com')
  await database(
    `delete from group_grants where user_id = (select id from users where user_name = 'ben@example.com')`,
    [],
  )
  const second = await started(id, await letComeDue(id))
  const job = await ended(second.lastRun!.jobId, server.admin)
  expect(job).toMatchObject({ status: 'ERROR', type: 'DATAPREP' })
  expect(messageOf(job)).toContain('The scheduled run did not start.')
  expect(second.nextRun).not.toBeNull()
})

test('a version saved by another user after the schedule was set does not run with the access of the user who set it', async () => {
  await anna.call(createGroup, { body: { name: 'Secret' } })
  await letBenWrite()
  const { id, name } = await makePrep()
  await set(id, weekdays)
  const change = {
    name,
    outputGroup: 'Prices',
    symbols: [{ groupName: 'Secret', symbols: { Code: 'S' } }],
    version: 1,
  }
  await ben.call(updateDataPrep, { params: { id }, body: { dataPrep: change } as never })
  const second = await started(id, await letComeDue(id))
  const job = await ended(second.lastRun!.jobId)
  expect(job.status).toBe('ERROR')
  expect(messageOf(job)).toContain(
    'ben@example.com saved version 2 after anna@example.com had set the schedule',
  )
  expect((await anna.call(searchFiles, { query: { query: `name=${name}.csv` } })).items).toEqual([])

  await set(id, weekdays, ben)
  await letComeDue(id)
  const lastJob = async () =>
    (await ben.call(getPrepSchedule, { params: { id } })).schedule?.lastRun?.jobId ?? ''
  await expect.poll(lastJob).not.toBe(job.jobId)
  expect(messageOf(await ended(await lastJob(), ben))).toContain(
    'There is no group “Secret” that you can read.',
  )
})

test('a data prep with an empty basket does not start, and its job explains the remedy', async () => {
  const { id, name } = await makePrep([])
  await set(id, weekdays)
  const job = await ended((await started(id, await letComeDue(id))).lastRun!.jobId)
  expect(job).toMatchObject({ status: 'ERROR', name, rootId: id })
  expect(messageOf(job)).toContain('The basket of')
})

test('deletes the schedule with its data prep', async () => {
  const { id } = await makePrep()
  await set(id, weekdays)
  await anna.call(deleteDataPrep, { params: { id } })
  await expect(anna.call(getPrepSchedule, { params: { id } })).rejects.toMatchObject({ status: 404 })
  expect(await schedulesOf(id)).toBe(0)
})

test('permanently deletes schedules with their group, including one that is set during the deletion', async () => {
  const name = 'Short-lived'
  const { groupId } = await anna.call(createGroup, { body: { name } })
  const make = async (prepName: string) => {
    const { id } = await anna.call(createDataPrep, {
      body: { dataPrep: { name: prepName, outputGroup: name, symbols: [] } } as never,
    })
    return id
  }
  const [early, late] = [await make('early'), await make('late')]
  await set(early, weekdays)
  await anna.call(deleteGroup, { params: { name } })
  const setting = await server.running.platform.database.pool.connect()
  try {
    await setting.query('begin')
    await setting.query('select from items where id = $1 for key share', [late])
    await setting.query(
      `insert into schedules (kind, target_id, triggers, active, set_by, set_at, next_at)
       select kind, $2, triggers, active, set_by, set_at, next_at from schedules where target_id = $1`,
      [early, late],
    )
    const deleting = anna.fetch(`/trash/groups/${groupId}`, { method: 'DELETE' })
    const waiting = async () => {
      const { rows } = await database(
        `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
        [],
      )
      return rows.length
    }
    await expect.poll(waiting).toBeGreaterThan(0)
    await setting.query('commit')
    expect((await deleting).ok).toBe(true)
  } finally {
    setting.release()
  }
  expect([await schedulesOf(early), await schedulesOf(late)]).toEqual([0, 0])
})

async function schedulesOf(id: string): Promise<number> {
  const { rows } = await database('select 1 from schedules where target_id = $1', [id])
  return rows.length
}
