// How fast the log of a run with a million lines is written, paged, searched and followed.
import { randomUUID } from 'node:crypto'
import { migrationsFolder as accountsMigrations } from '@headwater/accounts/server'
import { migrationsFolder as eventsMigrations } from '@headwater/events/server'
import { migrationsFolder as jobsMigrations } from '@headwater/jobs'
import { createLogs, migrationsFolder as logsMigrations, type Logs } from '@headwater/logs/server'
import { systemClock, type Database, type Principal } from '@headwater/server-kit'
import { silentLog } from '@headwater/server-kit/testing'
import { migrationsFolder as statusesMigrations } from '@headwater/statuses/server'
import { atMost, median, type Figure } from './figure.ts'
import { withPostgres } from './with-postgres.ts'

const lineCount = 1_000_000
/** Number of lines that a script writes before the writer can store them. */
const linesAtOnce = 10_000
const rounds = 9

/** Measures a log of a million lines of about 90 characters, written by four steps in turns. */
export default async function logs(): Promise<Figure[]> {
  return withPostgres(
    [accountsMigrations, jobsMigrations, eventsMigrations, statusesMigrations, logsMigrations],
    async (database) => {
      const store = createLogs({
        database,
        clock: systemClock,
        log: silentLog(),
        statuses: {
          requireReadable: async (_, jobId) => ({ jobId, readable: 'all' }),
        },
        limits: { lines: 2_000_000, bytes: 256_000_000 },
      })
      const jobId = await startJob(database)
      const startedAt = performance.now()
      await write(store, jobId)
      const seconds = (performance.now() - startedAt) / 1000
      console.log(
        `written: ${Math.round(lineCount / seconds)} lines/s, ${await sizeMb(database)} MB in the database`,
      )
      const measure = (name: string, limitMs: number, query: Parameters<typeof readOnce>[2]) =>
        figureOf(name, limitMs, () => readOnce(store, jobId, query))
      return [
        await measure('first page of 1,000,000 lines', 500, {}),
        await measure('page in the middle', 500, { from: lineCount / 2 }),
        await measure('last page of the warnings', 500, { level: ['WARN'], from: lineCount / 100 - 500 }),
        await measure('search with one match', 1000, { query: 'needle 999999' }),
        await measure('search with 10,000 matches', 1000, { query: 'LATE PRICE' }),
        await figureOf('new line, from its output to a reader that asks every 100 ms', 1000, () =>
          follow(store, jobId),
        ),
      ]
    },
  )
}

async function startJob({ pool }: Database): Promise<string> {
  const jobId = randomUUID()
  await pool.query(
    `with owner as (insert into users (user_name, company_id) select 'bench@example.com', id from companies returning id)
     insert into jobs (id, type, name, owner_id, status, latest_status, types, follows_components, started_at)
     select $1, 'PIPELINE', 'bench', owner.id, 'RUNNING', 'RUNNING', '{None}', false, now() from owner`,
    [jobId],
  )
  return jobId
}

async function write(store: Logs, jobId: string): Promise<void> {
  for (let line = 0; line < lineCount;) {
    const step = (line / linesAtOnce) % 4
    const writer = store.open({ jobId, eId: `step ${step}`, component: `step ${step}` })
    for (const end = line + linesAtOnce; line < end; line++) writer.write(textOf(line), 'stdout')
    await writer.end()
  }
}

function textOf(line: number): string {
  if (line % 100 === 7)
    return `WARNING:prices:late price of contract ${(line * 7919) % 10_007}, the previous one is used`
  const mark = line === lineCount - 1 ? 'needle 999999' : `row ${line}`
  return `${mark}: contract ${(line * 7919) % 10_007} has the price ${((line * 104_729) % 99_991) / 100} at ${line % 86_400} s`
}

type Query = Partial<Parameters<Logs['read']>[1]>

const reader: Principal = {
  userId: 1,
  userName: 'bench@example.com',
  companyId: 1,
  scheme: 'Bearer',
  isAdministrator: false,
  can: () => true,
}

function readOnce(store: Logs, jobId: string, query: Query) {
  const signal = new AbortController().signal
  return store.read(reader, { jobId, after: 0, from: 0, size: 500, ...query }, signal)
}

/** Waits until a new line is visible. */
async function follow(store: Logs, jobId: string): Promise<void> {
  const { lastLine } = await readOnce(store, jobId, { size: 1 })
  const writer = store.open({ jobId, eId: 'step 0', component: 'step 0' })
  writer.write('a new line', 'stdout')
  while ((await readOnce(store, jobId, { after: lastLine })).items.length === 0)
    await new Promise((resolve) => setTimeout(resolve, 100))
  await writer.end()
}

async function figureOf(name: string, limitMs: number, work: () => Promise<unknown>): Promise<Figure> {
  const times: number[] = []
  for (let round = 0; round < rounds; round++) {
    const start = performance.now()
    await work()
    times.push(performance.now() - start)
  }
  return atMost(limitMs, { name, value: Math.round(median(times)), unit: 'ms' })
}

async function sizeMb({ pool }: Database): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(`select pg_total_relation_size('log_chunks') as bytes`)
  return Math.round(rows[0]!.bytes / 1_000_000)
}
