import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createJobQueue } from '@headwater/jobs'
import { migrateUntil, migrationsFolders } from '@headwater/server/testing'
import { migrate, type Database } from '@headwater/server-kit'
import { fixedClock, openTestDatabase, silentLog } from '@headwater/server-kit/testing'
import { createSchedules } from './index.ts'
import { createRecordedRuns, recordingOwner } from './testing/recorded-runs.ts'

let database: Database

beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

const query = (text: string, values: unknown[] = []) => database.pool.query(text, values)

const savedAt = '2026-03-01T10:00:00.000Z'
const lastRun = { at: '2026-03-01T07:00:00.000Z', jobId: randomUUID() }
const missed = '2026-03-02T07:00:00.000Z'
const future = '2026-03-02T18:30:00.000Z'
const [idle, due, paused, scheduled, fresh] = Array.from({ length: 5 }, () => randomUUID()) as [
  string,
  string,
  string,
  string,
  string,
]

/** Writes a data prep with a schedule and the job that waited for its next run, as earlier versions did. */
async function writeOldPrep(
  id: string,
  { nextAt, state, last }: { nextAt: string | null; state?: 'waiting' | 'running'; last?: typeof lastRun },
): Promise<void> {
  await query(
    `insert into data_preps (id, group_id, name, owner_id, version, created_at, updated_at)
     select $1::uuid, groups.id, $1::uuid::text, owner_id, 1, $2, $2 from groups where name = 'Prices'`,
    [id, savedAt],
  )
  await query(
    `insert into data_prep_schedules (data_prep_id, cron, time_zone, active, set_by, set_at, next_at, last_at, last_job_id)
     select $1, '0 7 * * 1-5', 'Europe/London', $3, id, $2, $4, $5, $6 from users where user_name = 'anna'`,
    [id, savedAt, nextAt !== null, nextAt, last?.at, last?.jobId],
  )
  if (nextAt !== null) await writeOldJob('run-scheduled-data-prep', { prepId: id }, nextAt, state)
}

async function writeOldPipeline(id: string, nextAt: string | null): Promise<void> {
  await query(
    `insert into pipelines (id, group_id, name, version) select $1::uuid, id, $1::uuid::text, 2 from groups where name = 'Prices'`,
    [id],
  )
  for (const [version, hours] of [
    [1, 1],
    [2, 0],
  ])
    await query(
      `insert into pipeline_versions (pipeline_id, version, tasks, payload, tags, saved_by, saved_at)
       select $1, $2, '[]', '{}', '{}', id, $3::timestamptz - $4 * interval '1 hour' from users where user_name = 'anna'`,
      [id, version, savedAt, hours],
    )
  await query(
    `insert into pipeline_schedules (pipeline_id, triggers, set_by, next_at)
     select $1, '[{"cron": "30 * * * *", "timeZone": "UTC"}, {"cron": "0 8 * * *", "timeZone": "Asia/Tokyo"}]', id, $2
     from users where user_name = 'anna'`,
    [id, nextAt],
  )
  if (nextAt !== null) await writeOldJob('run-scheduled-pipeline', { pipelineId: id }, nextAt)
}

/** Writes a job to the queue. A running job has the lease of a server that no longer exists. */
async function writeOldJob(
  kind: string,
  target: Record<string, string>,
  dueAt: string,
  state = 'waiting',
): Promise<void> {
  const key = `${kind} ${Object.values(target)[0]}`
  const isRunning = state === 'running'
  await query(
    `insert into queue_jobs (kind, payload, state, run_after, unique_key, serial_key, max_attempts, worker, lease_until, attempt)
     values ($1, $2, $3, $4, $5, $6, 5, $7, $8, $9)`,
    [
      kind,
      JSON.stringify({ ...target, dueAt }),
      state,
      dueAt,
      isRunning ? null : key,
      `${key} ${dueAt}`,
      isRunning ? 'gone:1' : null,
      isRunning ? dueAt : null,
      isRunning ? 1 : 0,
    ],
  )
}

test('migrated schedules of data preps and pipelines keep their occurrences, lose their waiting jobs, and continue', async () => {
  await migrateUntil(database.pool, '2026-11-24T0010-create-schedules.sql')
  const { rows: users } = await query(
    `insert into users (user_name, company_id) select 'anna', id from companies returning id`,
  )
  await query(`insert into groups (name, owner_id) select 'Prices', id from users where user_name = 'anna'`)
  await writeOldPrep(idle, { nextAt: future, last: lastRun })
  await writeOldPrep(due, { nextAt: missed, state: 'running' })
  await writeOldPrep(paused, { nextAt: null, last: lastRun })
  await writeOldPipeline(scheduled, future)
  await writeOldPipeline(fresh, null)
  await query(`insert into queue_jobs (kind, payload, max_attempts) values ('run-data-prep', '{}', 5)`)

  await migrate(database.pool, migrationsFolders)

  const { rows } = await query(
    `select kind, target_id, triggers, active, set_by, set_at, due_at, next_at, last_at, last_job_id from schedules`,
  )
  const london = [{ cron: '0 7 * * 1-5', timeZone: 'Europe/London' }]
  const both = [
    { cron: '30 * * * *', timeZone: 'UTC' },
    { cron: '0 8 * * *', timeZone: 'Asia/Tokyo' },
  ]
  const stored = (
    kind: string,
    targetId: string,
    triggers: object[],
    nextAt: string | null,
    last?: typeof lastRun,
  ) => ({
    kind,
    target_id: targetId,
    triggers,
    active: targetId !== paused,
    set_by: users[0].id as number,
    set_at: new Date(savedAt),
    due_at: null,
    next_at: nextAt && new Date(nextAt),
    last_at: last ? new Date(last.at) : null,
    last_job_id: last?.jobId ?? null,
  })
  expect(new Map(rows.map((row: { target_id: string }) => [row.target_id, row]))).toEqual(
    new Map([
      [idle, stored('data-prep', idle, london, future, lastRun)],
      [due, stored('data-prep', due, london, missed)],
      [paused, stored('data-prep', paused, london, null, lastRun)],
      [scheduled, stored('pipeline', scheduled, both, future)],
      [fresh, stored('pipeline', fresh, both, null)],
    ]),
  )
  expect((await query('select kind from queue_jobs')).rows).toEqual([{ kind: 'run-data-prep' }])
  const { rows: old } = await query(
    `select to_regclass('data_prep_schedules') as preps, to_regclass('pipeline_schedules') as pipelines`,
  )
  expect(old).toEqual([{ preps: null, pipelines: null }])

  await createRecordedRuns(database)
  const clock = fixedClock('2026-03-02T12:00:00.000Z')
  const queue = createJobQueue({ pool: database.pool, pollMs: 20 })
  const schedules = createSchedules({ database, clock, log: silentLog(), pollMs: 20 })
  for (const kind of ['data-prep', 'pipeline']) schedules.register(kind, recordingOwner(database, queue))
  await schedules.start()
  queue.start()
  const runs = async () =>
    (await query('select target_id, due_at from recorded_runs order by due_at, target_id')).rows
  try {
    await expect.poll(runs).toEqual([{ target_id: due, due_at: new Date(missed) }])
    const next = async (kind: string, targetId: string) =>
      (await schedules.find({ kind, targetId }))?.nextAt?.toISOString()
    expect(await next('data-prep', due)).toBe('2026-03-03T07:00:00.000Z')
    expect(await next('pipeline', fresh)).toBe('2026-03-02T12:30:00.000Z')
  } finally {
    await schedules.stop()
    await queue.stop()
  }
  await query(`delete from groups where name = 'Prices'`)
  expect((await query('select from schedules')).rowCount).toBe(0)
})
