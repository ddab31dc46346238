import { spawn, type ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { migrationsFolder as accountsMigrations } from '@headwater/accounts/server'
import { createJobQueue, migrationsFolder as jobsMigrations } from '@headwater/jobs'
import { migrate, openDatabase, type Database } from '@headwater/server-kit'
import { createTestDatabase, fixedClock, silentLog, type TestDatabase } from '@headwater/server-kit/testing'
import { createSchedules, migrationsFolder } from './index.ts'
import { createRecordedRuns, recordingOwner } from './testing/recorded-runs.ts'

const killCount = inject('campaign') === 'long' ? 60 : 4
const targetCount = 40
/** As with `npm start`, each start reuses the code that earlier starts compiled. */
const compileCache = fileURLToPath(new URL('../../../.runtime/compile-cache', import.meta.url))
const script = fileURLToPath(new URL('./testing/scheduler-process.ts', import.meta.url))

let testDatabase: TestDatabase
let database: Database
const processes: ChildProcess[] = []

beforeAll(async () => {
  testDatabase = await createTestDatabase()
  database = openDatabase({ connectionString: testDatabase.connectionString, log: silentLog() })
  await migrate(database.pool, [accountsMigrations, jobsMigrations, migrationsFolder])
  await createRecordedRuns(database)
  await database.pool.query(`
    create table due_runs (target_id uuid, due_at timestamptz);
    create function record_due() returns trigger language plpgsql as $$
    begin
      insert into due_runs values (new.target_id, new.due_at);
      return null;
    end $$;
    create trigger record_due after update on schedules for each row
    when (new.due_at is not null and new.due_at is distinct from old.due_at) execute function record_due()`)
})
afterAll(async () => {
  for (const child of processes) child.kill('SIGKILL')
  await database.close()
  await testDatabase.drop()
})

async function startServer(startMs: number): Promise<ChildProcess> {
  const child = spawn(process.execPath, [script, testDatabase.connectionString, String(startMs)], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, NODE_COMPILE_CACHE: compileCache },
  })
  processes.push(child)
  await once(child.stdout!, 'data')
  return child
}

test('two repeatedly killed servers start each run once, and no schedule stops', async () => {
  const start = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000)
  const clock = fixedClock(start)
  const schedules = createSchedules({ database, clock, log: silentLog() })
  const { rows } = await database.pool.query(
    `insert into users (user_name, company_id) select 'anna', id from companies returning id`,
  )
  const targets = Array.from({ length: targetCount }, (_, index) => ({
    targetId: randomUUID(),
    hour: index % 24,
  }))
  for (const { targetId, hour } of targets)
    await schedules.set(
      {
        kind: 'report',
        targetId,
        triggers: [{ cron: `0 ${hour} * * *`, timeZone: 'UTC' }],
        active: true,
        setBy: rows[0].id,
      },
      database.pool,
    )

  const startMs = Date.now()
  const servers = [await startServer(startMs), await startServer(startMs)]
  for (let kill = 0; kill < killCount; kill++) {
    // Servers are killed at any point: between locking the schedule, claiming the job and committing the run.
    await new Promise((resolve) => setTimeout(resolve, 100 + ((kill * 73) % 300)))
    const victim = servers[kill % 2]!
    victim.kill('SIGKILL')
    await once(victim, 'exit')
    servers[kill % 2] = await startServer(startMs)
  }
  for (const server of servers) {
    server.kill('SIGKILL')
    await once(server, 'exit')
  }

  // A server that is not killed starts the remaining runs, and every schedule runs again a day later.
  const { rows: newest } = await database.pool.query('select max(next_at) as at from schedules')
  clock.advance(newest[0].at.getTime() - start.getTime())
  const queue = createJobQueue({ pool: database.pool, pollMs: 20 })
  const last = createSchedules({ database, clock, log: silentLog(), pollMs: 20 })
  last.register('report', recordingOwner(database, queue))
  await last.start()
  queue.start()
  const settled = () => expect.poll(openCount).toBe(0)
  async function openCount(): Promise<number> {
    const { rows: counts } = await database.pool.query(
      `select (select count(*) from schedules where next_at <= $1 or due_at is not null)
         + (select count(*) from queue_jobs where state in ('waiting', 'running')) as count`,
      [clock.now()],
    )
    return Number(counts[0].count)
  }
  try {
    await settled()
    clock.advance(86_400_000)
    await settled()
  } finally {
    await last.stop()
    await queue.stop()
  }

  const read = async (text: string) => (await database.pool.query(text)).rows as object[]
  const list = 'select target_id, due_at from'
  const order = 'order by target_id, due_at'
  expect(await read(`${list} recorded_runs ${order}`)).toEqual(await read(`${list} due_runs ${order}`))
  expect(await read(`${list} due_runs group by target_id, due_at having count(*) > 1`)).toEqual([])
  expect(
    await read(`select target_id from schedules where last_at is distinct from next_at - interval '1 day'`),
  ).toEqual([])
  const [{ runs }] = (await read('select count(*)::int as runs from due_runs')) as [{ runs: number }]
  // Besides the remaining runs and the runs a day later, some runs started while servers were being killed.
  expect(runs).toBeGreaterThan(2 * targetCount)
}, 240_000)
