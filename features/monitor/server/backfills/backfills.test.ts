import { afterAll, beforeAll, expect, test } from 'vitest'
import { createGroup } from '@headwater/groups/contract'
import { refusal, startTestServer, type Session, type TestServer } from '@headwater/server/testing'
import { searchStatuses } from '@headwater/statuses/contract'
import { createTask } from '@headwater/tasks/contract'
import { continuePipeline, createPipeline, executePipeline } from '@headwater/pipelines/contract'
import {
  cancelBackfill,
  getBackfill,
  getRun,
  listBackfills,
  listRuns,
  startBackfill,
} from '../../contract/index.ts'
import { datesOf } from './backfill-dates.ts'

let server: TestServer
let owner: Session
let reader: Session

beforeAll(async () => {
  server = await startTestServer()
  owner = await server.createUser({ role: 'Pipeline builder' })
  reader = await server.createUser({ role: 'Pipeline builder' })
  await owner.call(createGroup, { body: { name: 'Days' } })
  await server.grantGroup({ groupName: 'Days', userName: reader.userName, access: 'R' })
  const script = [
    'import os, json, urllib.request, urllib.parse',
    'url = os.environ["NG_API_ENDPOINT"] + "/mgmt/store/" + os.environ["PIPELINE_ID"] + "/" + urllib.parse.quote(os.environ["Day"], safe="$")',
    'headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "X-KH-JOB-ID": os.environ["JOBID"]}',
    'print(json.loads(urllib.request.urlopen(urllib.request.Request(url, headers=headers)).read())["value"])',
  ]
  const params = [{ name: 'Script', value: script.join('\n'), valueType: 'SCRIPT' as const }, { name: 'Day' }]
  await owner.call(createTask, {
    body: { name: 'day', groupName: 'Days', definitionName: 'python-runner', params },
  })
})
afterAll(() => server.stop())

async function pipeline(name: string, isPaused: boolean): Promise<string> {
  const task = {
    id: 'a',
    taskReadableName: 'a',
    taskName: 'day',
    taskGroup: 'Days',
    taskOverrides: { params: [{ name: 'Day', value: '${trigger.date}' }] },
    isPaused,
  }
  return (await owner.call(createPipeline, { body: { name, groupName: 'Days', tasks: [task] } })).pipeline.id
}

const range = { from: '2026-01-01', to: '2026-01-05' }
const progressOf = async (pipelineId: string, backfillId: string) =>
  owner.call(getBackfill, { params: { pipelineId, backfillId } })

async function jobOf(jobId: string) {
  const [job] = (await owner.call(searchStatuses, { query: { jobId } })).items
  return job!
}

test('a range excludes future dates, other days of the week and dates of successful backfills', () => {
  const input = { ...range, weekdays: [1, 2, 3, 4, 5], order: 'NEWEST_FIRST' as const, skipDone: true }
  expect(datesOf(input, '2026-01-04', new Set(['2026-01-02']))).toEqual([
    { date: '2026-01-05', reason: 'The date is in the future.' },
    { date: '2026-01-04', reason: 'This day of the week is not selected.' },
    { date: '2026-01-03', reason: 'This day of the week is not selected.' },
    { date: '2026-01-02', reason: 'A run of an earlier backfill succeeded for this date.' },
    { date: '2026-01-01', reason: null },
  ])
  const all = { ...input, order: 'OLDEST_FIRST' as const, skipDone: false, weekdays: [5] }
  expect(datesOf(all, '2026-02-01', new Set(['2026-01-02'])).filter(({ reason }) => reason === null)).toEqual(
    [{ date: '2026-01-02', reason: null }],
  )
})

test('a backfill runs the pipeline once for each date, and a dry run only lists the dates', async () => {
  const pipelineId = await pipeline('once', false)
  const params = { pipelineId }
  const body = { ...range, to: '2026-01-03', weekdays: [4, 6] }
  const dry = await owner.call(startBackfill, { params, body: { ...body, dryRun: true } })
  expect(dry).toEqual({
    id: null,
    dates: [
      { date: '2026-01-01', reason: null },
      { date: '2026-01-02', reason: 'This day of the week is not selected.' },
      { date: '2026-01-03', reason: null },
    ],
  })
  expect((await owner.call(listBackfills, { params })).items).toEqual([])
  const unknown = { ...body, dryRun: true, version: 1e15 }
  expect(await refusal(owner.call(startBackfill, { params, body: unknown }))).toMatchObject({ status: 404 })
  const { id } = await owner.call(startBackfill, { params, body })
  await expect.poll(async () => (await progressOf(pipelineId, id!)).state).toBe('ENDED')
  const done = await progressOf(pipelineId, id!)
  expect(done).toMatchObject({
    from: '2026-01-01',
    to: '2026-01-03',
    total: 2,
    started: 2,
    ended: 2,
    failed: 0,
    warned: 0,
    userName: owner.userName,
  })
  const printed = []
  for (const { date, jobId, status } of done.dates)
    if (jobId !== null) printed.push([date, status, (await jobOf(jobId)).componentStatuses[0]!.message])
  expect(printed).toEqual([
    ['2026-01-01', 'INFO', '2026-01-01'],
    ['2026-01-03', 'INFO', '2026-01-03'],
  ])
  const listed = (await owner.call(listRuns, { query: { pipelineId } })).items
  expect(listed.map(({ backfillDate }) => String(backfillDate)).toSorted()).toEqual([
    '2026-01-01',
    '2026-01-03',
  ])
  const again = { ...body, skipDone: true }
  const empty = await refusal(owner.call(startBackfill, { params, body: again }))
  expect([empty.status, empty.body.code]).toEqual([400, 'backfillEmpty'])
  // Other runs have the date of their start.
  const { jobId } = await owner.call(executePipeline, { params, body: { waitSeconds: 60 } })
  expect((await owner.call(getRun, { params: { jobId } })).run.backfillDate).toBeNull()
  expect((await jobOf(jobId)).componentStatuses[0]!.message).toMatch(/^\d{4}-\d{2}-\d{2}$/)
})

test('a backfill respects its limit even if its jobs are repeated, continues when runs end, and can be cancelled', async () => {
  const pipelineId = await pipeline('paused', true)
  const params = { pipelineId }
  const body = { ...range, maxParallel: 2 }
  const { id } = await owner.call(startBackfill, { params, body })
  const progress = () => progressOf(pipelineId, id!)
  await expect.poll(async () => (await progress()).started).toBe(2)
  const running = await refusal(owner.call(startBackfill, { params, body }))
  expect([running.status, running.body.code]).toEqual([409, 'backfillRunning'])

  // Simulates a crash: jobs of the backfill are executed again.
  const { pool } = server.running.platform.database
  const repeat = () =>
    pool.query(
      `select enqueue_queue_jobs(jsonb_agg(jsonb_build_object('kind', 'continue-backfill', 'payload',
         jsonb_build_object('backfillId', $1::text)))) from generate_series(1, 5)`,
      [id],
    )
  const idle = () =>
    expect
      .poll(async () => {
        const { rows } = await pool.query(
          `select count(*)::integer as open from queue_jobs where kind = 'continue-backfill' and state in ('waiting', 'running')`,
        )
        return (rows[0] as { open: number }).open
      })
      .toBe(0)
  await repeat()
  await idle()
  const first = (await progress()).dates.filter(({ jobId }) => jobId !== null)
  expect(first.map(({ date }) => date)).toEqual(['2026-01-01', '2026-01-02'])

  await expect.poll(async () => (await jobOf(first[0]!.jobId!)).status).toBe('PAUSED')
  await owner.call(continuePipeline, { body: { jobId: first[0]!.jobId! } })
  await expect.poll(async () => (await progress()).started).toBe(3)
  await repeat()
  await idle()
  expect(await progress()).toMatchObject({ state: 'RUNNING', started: 3, ended: 1, failed: 0 })

  const cancel = (caller: Session) => caller.call(cancelBackfill, { params: { pipelineId, backfillId: id! } })
  expect((await refusal(cancel(reader))).status).toBe(404)
  expect((await reader.call(listBackfills, { params })).items).toMatchObject([{ id, started: 3 }])
  await cancel(owner)
  await idle()
  expect(await progress()).toMatchObject({ state: 'CANCELLED', started: 3, ended: 3, failed: 2 })
  for (const [wrong, field] of [
    [{ from: '2026-02-30', to: '2026-03-01' }, 'from'],
    [{ from: '2026-01-02', to: '2026-01-01' }, 'to'],
    [{ from: '2020-01-01', to: '2026-01-01' }, 'to'],
    [{ ...range, maxParallel: 11 }, 'maxParallel'],
  ] as const) {
    const { status, body: error } = await refusal(owner.call(startBackfill, { params, body: wrong }))
    expect([status, error.validationErrors?.[0]?.field]).toEqual([400, field])
  }
})
