import { createHash, randomUUID } from 'node:crypto'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createPasswordHasher } from '@headwater/accounts/server'
import { createTestDatabase } from '@headwater/server-kit/testing'
import {
  migrateUntil,
  startTestServer,
  testPassword,
  uploadSeries,
  type Session,
  type TestServer,
} from './testing.ts'

/**
 * The first migration that the old database lacks. It begins to move schedules, items and runs to separate
 * features.
 */
const nextMigration = '2026-11-24T0010-create-schedules.sql'

type Query = (text: string, values: unknown[]) => Promise<unknown>

let server: TestServer
let dataFolder: string
let anna: Session
let ben: Session

const [task, pipeline, prep, run] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()]
const [owner, colleague] = ['anna@example.com', 'ben@example.com']
const insight = { tiles: [{ id: 't', type: 'Table', title: 'Close of Brent' }] }
const template = { insight: { tiles: [{ id: 'note', type: 'Text', title: 'Summary of the week' }] } }
const savedAt = '2026-03-01T10:00:00.000Z'

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'headwater-test-'))
  await chmod(dataFolder, 0o711)
  const database = await createTestDatabase()
  const pool = new pg.Pool({ connectionString: database.connectionString, max: 1 })
  try {
    await migrateUntil(pool, nextMigration)
    await writeOldData((text, values) => pool.query(text, values))
  } finally {
    await pool.end()
  }
  server = await startTestServer({ database, dataFolder })
  anna = await server.signIn(owner)
  ben = await server.signIn(colleague)
})
afterAll(async () => {
  await server.stop()
  await rm(dataFolder, { recursive: true, force: true })
})

/** Writes users, groups and objects in the same way as the server with that schema. */
async function writeOldData(query: Query): Promise<void> {
  const hash = await createPasswordHasher({ cost: { memoryCost: 8, timeCost: 1, parallelism: 1 } }).hash(
    testPassword,
  )
  for (const name of [owner, colleague]) {
    await query(
      `insert into users (user_name, company_id, status, password_hash) select $1, id, 'ACTIVE', $2 from companies`,
      [name, hash],
    )
    await query(
      `insert into user_roles (user_id, role_id) select users.id, roles.id from users, roles
       where user_name = $1 and roles.name = 'Analyst'`,
      [name],
    )
  }
  for (const name of ['Board', 'Flows'])
    await query(`insert into groups (name, owner_id) select $1, id from users where user_name = $2`, [
      name,
      owner,
    ])
  await query(
    `insert into group_grants (group_id, user_id, access) select groups.id, users.id, 'R' from groups, users
     where groups.name = 'Flows' and user_name = $1`,
    [colleague],
  )
  const saved = (table: string, column: string, values: unknown[], columns: string) =>
    query(
      `insert into ${table} (${column}, version, ${columns}, saved_by, saved_at)
       select $1, 1, ${values
         .slice(1)
         .map((_, index) => `$${index + 2}`)
         .join(', ')}, id, '${savedAt}' from users where user_name = '${owner}'`,
      values,
    )
  await query(
    `insert into tasks (id, group_id, name, version) select $1, id, 'print', 1 from groups where name = 'Flows'`,
    [task],
  )
  const script = { definitionName: 'python-runner', params: [{ name: 'Script', value: 'print("new run")' }] }
  await saved('task_versions', 'task_id', [task, JSON.stringify(script)], 'input')
  await query(
    `insert into pipelines (id, group_id, name, version) select $1, id, 'daily', 1 from groups where name = 'Flows'`,
    [pipeline],
  )
  const tasks = [{ id: 'a', name: 'a', taskName: 'print', taskGroupName: 'Flows', taskId: task, params: [] }]
  await saved(
    'pipeline_versions',
    'pipeline_id',
    [pipeline, JSON.stringify(tasks), '{}', ['prices']],
    'tasks, payload, tags',
  )
  await query(
    `insert into pipeline_schedules (pipeline_id, triggers, set_by, next_at)
     select $1, '[{"cron": "30 7 * * *", "timeZone": "Asia/Tokyo"}]', id, '2099-01-01T22:30:00Z' from users where user_name = $2`,
    [pipeline, owner],
  )
  await query(
    `insert into data_preps (id, group_id, name, owner_id, version, created_at, updated_at)
     select $1, id, 'closes', owner_id, 1, $2, $2 from groups where name = 'Flows'`,
    [prep, savedAt],
  )
  const definition = { symbols: [{ groupName: 'Board', symbols: { Code: 'BRENT' } }], range: 'ALL' }
  await saved(
    'data_prep_versions',
    'data_prep_id',
    [prep, JSON.stringify(definition), 1],
    'definition, symbol_count',
  )
  await query(
    `insert into data_prep_schedules (data_prep_id, cron, time_zone, active, set_by, set_at, next_at)
     select $1, '0 7 * * 1-5', 'Europe/London', true, id, $2, '2099-01-01T07:00:00Z' from users where user_name = $3`,
    [prep, savedAt, owner],
  )
  await writeOldInsight(query)
  await writePausedRun(query)
}

/** Writes a file of the group Board with JSON content. */
async function writeOldFile(query: Query, name: string, type: string, json: object): Promise<void> {
  const content = JSON.stringify(json)
  const hash = createHash('sha256').update(content).digest('hex')
  const path = join(dataFolder, 'content', hash.slice(0, 2), hash.slice(2, 4), hash)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, content)
  await query(
    `insert into files (id, group_id, name, type, owner_id, saved_by, zipped, partial_update, avoid_duplicates,
       skip_metadata, job_id, announced_at, state, hash, size_bytes, holds_content, version, latest, arrival, arrived_at)
     select gen_random_uuid(), id, $1, $2, owner_id, owner_id, false, false, false, false, gen_random_uuid(), $3,
       'ready', $4, $5, true, 1, true, nextval('file_arrivals'), $3 from groups where name = 'Board'`,
    [name, type, savedAt, hash, content.length],
  )
}

/** Publishes the insight with one link, which a visitor has used. */
async function publishOldInsight(query: Query): Promise<void> {
  await query(
    `insert into insight_publications (insight_id, publisher_id, signing_key, published_at)
     select insights.id, owner_id, 'old signing key', $1 from insights join groups on groups.id = group_id`,
    [savedAt],
  )
  await query(
    `insert into insight_public_links (insight_id, key, parameters, dates, created_at)
     select id, 'old-link', '[]', true, $1 from insights`,
    [savedAt],
  )
  await query(
    `insert into insight_visitors (insight_id, company, email, full_name, discount_code, submitted_at)
     select id, 'Nordwind', 'visitor@example.com', 'Vera Visitor', '', $1 from insights`,
    [savedAt],
  )
}

async function writeOldInsight(query: Query): Promise<void> {
  await writeOldFile(query, 'sales.json', 'INSIGHT', insight)
  await writeOldFile(query, 'weekly.json', 'INSIGHT_TEMPLATE', template)
  await query(`insert into insights (group_id, name) select id, $1 from groups where name = 'Board'`, [
    'sales',
  ])
  await query(
    `insert into insight_shares (insight_id, user_id, shared_by, shared_at)
     select insights.id, users.id, groups.owner_id, $2 from insights join groups on groups.id = group_id, users
     where user_name = $1`,
    [colleague, savedAt],
  )
  // A share gave access to groups; the table of grants contained the combined access of each user.
  await query(
    `insert into insight_grants (insight_id, user_id, group_id, access)
     select insight_id, user_id, group_id, 'R' from insight_shares join insights on insights.id = insight_id`,
    [],
  )
  await query(
    `insert into group_grants (group_id, user_id, access) select group_id, user_id, access from insight_grants`,
    [],
  )
  await publishOldInsight(query)
}

/** Writes a run that waits for a user before its second step. */
async function writePausedRun(query: Query): Promise<void> {
  await query(
    `insert into jobs (id, type, name, group_id, group_name, owner_id, status, latest_status, types, follows_components, started_at)
     select $1, 'PIPELINE', 'daily', id, name, owner_id, 'RUNNING', 'RUNNING', '{None}', false, $2 from groups where name = 'Flows'`,
    [run, savedAt],
  )
  await query(
    `insert into pipeline_runs (id, pipeline_id, name, group_name, user_id, paused)
     select $1, $2, 'daily', 'Flows', id, true from users where user_name = $3`,
    [run, pipeline, owner],
  )
  for (const [index, outcome] of [{ status: 'INFO', message: 'earlier' }, null, null].entries()) {
    const eId = randomUUID()
    const name = `step ${index + 1}`
    const stored = {
      nodeId: name,
      name,
      taskName: name,
      definitionName: 'python-runner',
      inputs: { Script: `print("output of ${name}")` },
      outputs: {},
      memory: 128,
      timeout: 60,
      isPaused: index === 1,
    }
    await query('insert into pipeline_run_steps values ($1, $2, $3, $4, $5, $6)', [
      run,
      index + 1,
      eId,
      JSON.stringify(stored),
      outcome === null ? 'waiting' : 'done',
      outcome === null ? null : JSON.stringify(outcome),
    ])
    await query(
      `insert into job_components (job_id, e_id, component, status, started_at) values ($1, $2, $3, $4, $5)`,
      [run, eId, name, outcome?.status ?? 'UNEXECUTED', savedAt],
    )
  }
}

type Json = Record<string, unknown>

async function send(user: Session, method: string, path: string, body?: unknown): Promise<Json> {
  const content =
    body === undefined ? {} : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }
  const response = await user.fetch(path, { method, ...content })
  const text = await response.text()
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
  return JSON.parse(text) as Json
}

/** Waits for the end of a job; returns its status, the statuses of its steps, and its log. */
async function ended(jobId: string): Promise<{ status: unknown; steps: string[]; log: string[] }> {
  let job: Json = {}
  const isEnded = async () => {
    const { items } = await send(anna, 'GET', `/status?jobId=${jobId}`)
    job = (items as Json[])[0]!
    return job.endTime
  }
  await expect.poll(isEnded).toBeTruthy()
  const { items: lines } = await send(anna, 'GET', `/log/${jobId}?size=100`)
  return {
    status: job.status,
    steps: (job.componentStatuses as Json[]).map(
      ({ component, status }) => `${String(component)} ${String(status)}`,
    ),
    log: (lines as Json[]).map(({ text }) => String(text)),
  }
}

test('after an upgrade, pipelines, data preps and insights keep their contents, authors, times and schedules', async () => {
  const read = await send(anna, 'GET', `/mgmt/pipeline/${pipeline}`)
  expect(read).toMatchObject({
    pipeline: {
      name: 'daily',
      groupName: 'Flows',
      tags: ['prices'],
      version: 1,
      trigger: 'CRON',
      lastChangeBy: owner,
      modifyDate: '2026-03-01T10:00:00',
    },
    batchConfig: { tasks: [{ id: 'a', taskName: 'print' }] },
  })
  expect(await send(anna, 'GET', `/dataprep/${prep}`)).toMatchObject({
    name: 'closes',
    outputGroup: 'Flows',
    range: 'ALL',
    version: 1,
    modifiedBy: owner,
    symbols: [{ groupName: 'Board', symbols: { Code: 'BRENT' } }],
    nextRun: '2099-01-01T07:00:00',
  })
  expect(await send(anna, 'GET', `/dataprep/${prep}/schedule`)).toMatchObject({
    schedule: { cron: '0 7 * * 1-5', timeZone: 'Europe/London', active: true, setBy: owner, lastRun: null },
  })
  expect(await send(anna, 'GET', '/mgmt/schedule?query=groupName%3DFlows')).toMatchObject({
    items: [
      { name: 'closes', nextRun: '2099-01-01T07:00:00' },
      { name: 'daily', nextRun: '2099-01-01T22:30:00' },
    ],
  })
  expect(await send(anna, 'GET', '/insight/proxy/Board/sales.json')).toMatchObject({
    insightName: 'sales',
    owner,
    modified: '2026-03-01T10:00:00',
    version: 1,
    isShared: true,
    content: { tiles: [{ id: 't', type: 'Table', title: 'Close of Brent' }] },
  })
})

test('after an upgrade, users have the access that shares of groups and insights gave them, and other users have none', async () => {
  expect(await send(ben, 'GET', '/insight/proxy/Board/sales.json')).toMatchObject({
    content: { tiles: [{ title: 'Close of Brent' }] },
    writeAccess: false,
  })
  expect(await send(ben, 'GET', `/dataprep/${prep}`)).toMatchObject({ name: 'closes', writeAccess: false })
  const stranger = await server.createUser()
  await expect(send(stranger, 'GET', '/insight/proxy/Board/sales.json')).rejects.toThrow(': 404')
  await expect(send(stranger, 'GET', `/dataprep/${prep}`)).rejects.toThrow(': 404')
})

test('after an upgrade, public links open the insight, list their visitors and can be ended, and templates remain', async () => {
  const location = 'groupName=Board&insightName=sales'
  const { items } = await send(anna, 'GET', `/insights/public/links?${location}`)
  const [link, ...others] = items as { key: string; path: string }[]
  expect(link).toMatchObject({ key: 'old-link', parameters: [], dates: true, created: '2026-03-01T10:00:00' })
  expect(others).toEqual([])
  const signed = new URL(link!.path, server.url).search
  const opened = await server.nobody.fetch(`/insight/public/proxy/Board/sales.json${signed}`)
  expect(await opened.json()).toMatchObject({ content: { tiles: [{ title: 'Close of Brent' }] } })
  expect(await send(anna, 'GET', `/insights/public/visitors?${location}`)).toMatchObject({
    items: [{ company: 'Nordwind', email: 'visitor@example.com', submitted: '2026-03-01T10:00:00' }],
  })
  expect(await send(anna, 'GET', '/insight-templates/Board/weekly')).toMatchObject({
    owner,
    modified: '2026-03-01T10:00:00',
    definition: { insight: { tiles: [{ type: 'Text', title: 'Summary of the week' }] } },
  })

  await send(anna, 'DELETE', `/insights/public/links?${location}&key=old-link`)
  const refused = await server.nobody.fetch(`/insight/public/proxy/Board/sales.json${signed}`)
  expect(refused.ok).toBe(false)
})

test('after an upgrade, a paused run finishes, its pipeline runs again, and the data prep runs', async () => {
  await send(anna, 'POST', '/mgmt/pipeline/continue', { jobId: run })
  const continued = await ended(run)
  expect(continued).toMatchObject({ status: 'INFO', steps: ['step 1 INFO', 'step 2 INFO', 'step 3 INFO'] })
  const printed = continued.log.filter((line) => line.startsWith('output of'))
  expect(printed).toEqual(['output of step 2', 'output of step 3'])

  const { jobId } = await send(anna, 'POST', `/mgmt/pipeline/${pipeline}/execute`, {})
  const again = await ended(String(jobId))
  expect(again).toMatchObject({ status: 'INFO', steps: [expect.stringContaining('INFO')] })
  expect(again.log).toContain('new run')

  await uploadSeries(anna, { groupName: 'Board', content: 'Code,Date,Close\r\nBRENT,2026-01-01,60.5\r\n' })
  const prepRun = await send(anna, 'POST', `/dataprep/${prep}/execute`, {})
  expect((await ended(String(prepRun.jobId))).status).toBe('INFO')
})
