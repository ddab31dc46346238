import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { administratorOf, startServerProcess, type ServerProcess } from './server-process.ts'
import { loopOver, runsOf, saveStoringPipeline, versionsOf, type RunJob } from './storing-runs.ts'

const group = 'Killed databases'
const isLong = inject('campaign') === 'long'

let dataFolder: string
let server: ServerProcess
beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'headwater-database-kill-'))
  server = await startServerProcess(dataFolder)
  await administratorOf(server.url).post('/file/group', { name: group })
})
afterAll(async () => {
  await server.stop()
  await rm(dataFolder, { recursive: true, force: true })
})

/** Calls the server until PostgreSQL is available again. */
async function whenThere<Result>(call: () => Promise<Result>): Promise<Result> {
  let result: { value: Result } | undefined
  const attempt = async () => {
    result = await call().then(
      (value) => ({ value }),
      () => undefined,
    )
    return result !== undefined
  }
  await expect.poll(attempt, { interval: 50 }).toBe(true)
  return result!.value
}

test('after PostgreSQL is killed during a run, the run continues: every item runs once and stores its file and series once', async () => {
  const kills = isLong ? 20 : 2
  const items = Array.from({ length: isLong ? 60 : 12 }, (_, index) => `ITEM${index}`)
  const api = administratorOf(server.url)
  const child = await saveStoringPipeline(api, group, 'stores an item')
  const { pipeline } = (await api.post('/mgmt/pipeline', {
    name: 'loops',
    groupName: group,
    tasks: [loopOver('stores an item', items)],
  })) as { pipeline: { id: string } }
  const jobId = String((await api.post(`/mgmt/pipeline/${pipeline.id}/execute`, {})).jobId)
  const childRuns = () => whenThere(() => runsOf(api, child))
  const jobOf = async () => (await whenThere(() => api.get(`/status?jobId=${jobId}`))).items as RunJob[]
  for (let kill = 0; kill < kills; kill++) {
    const before = (await childRuns()).length
    await expect
      .poll(async () => (await childRuns()).length)
      .toBeGreaterThanOrEqual(Math.min(before + 1, items.length))
    // Kills happen at any point: between the start, the steps and the end of runs.
    await sleep((kill * 137) % 400)
    server.kill(await server.postgresPid())
  }
  await expect.poll(async () => (await jobOf())[0]?.endTime, { timeout: 120_000 }).toBeDefined()
  expect((await jobOf())[0]).toMatchObject({ status: 'INFO' })
  const jobs = await childRuns()
  expect(jobs.map(({ payload }) => payload.index).toSorted((a, b) => a - b)).toEqual(
    items.map((_, index) => index + 1),
  )
  expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(['INFO']))
  for (const item of items)
    expect([
      item,
      await versionsOf(api, group, `${item}.txt`),
      await versionsOf(api, group, `${item}.ncsv`),
    ]).toEqual([item, 1, 1])
}, 900_000)
