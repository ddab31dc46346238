import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { administratorOf, startServerProcess, type ServerProcess } from './server-process.ts'

const group = 'Killed triggers'
const killCount = inject('campaign') === 'long' ? 20 : 3
const filesPerKill = 8

let dataFolder: string
let server: ServerProcess

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'headwater-trigger-kill-'))
  server = await startServerProcess(dataFolder)
  await api().post('/file/group', { name: group })
}, 60_000)
afterAll(async () => {
  await server.stop()
  await rm(dataFolder, { recursive: true, force: true })
})

const api = () => administratorOf(server.url)

/** Saves a pipeline whose task writes a mail to the mail log, and returns its id. */
async function pipeline(name: string, triggers: object[]): Promise<string> {
  const params = [
    { name: 'subject', value: name },
    { name: 'recipients', value: 'anna@example.com' },
    { name: 'text', value: 'done' },
  ]
  const tasks = [
    { id: 'mail', taskReadableName: 'mail', taskName: 'email-sender', taskOverrides: { params } },
  ]
  const made = (await api().post('/mgmt/pipeline', { name, groupName: group, tasks })) as {
    pipeline: { id: string }
  }
  await api().put(`/mgmt/pipeline/${made.pipeline.id}/schedule`, { schedulerTriggers: triggers })
  return made.pipeline.id
}

/** Returns the number of all runs of a pipeline, and of those that have not ended. */
async function runsOf(pipelineId: string): Promise<{ all: number; open: number }> {
  const { items } = await api().get(`/status?size=1000&pipelineRootIds=${pipelineId}`)
  const jobs = items as { endTime?: string }[]
  return { all: jobs.length, open: jobs.filter(({ endTime }) => endTime === undefined).length }
}

async function fileCount(): Promise<number> {
  const query = encodeURIComponent(`groupName=${group}`)
  return Number((await api().get(`/file/search?size=1&query=${query}`)).totalSize)
}

test('a server that is killed repeatedly starts exactly one run for each file and for each end of a run', async () => {
  const first = await pipeline('for each file', [{ type: 'FILEARRIVAL', groupName: group }])
  const statuses = ['INFO', 'WARN', 'ERROR']
  const second = await pipeline('for each end', [{ type: 'PIPELINE', pipelineId: first, statuses }])
  for (let kill = 0; kill < killCount; kill++) {
    const uploads = Promise.allSettled(
      Array.from({ length: filesPerKill }, (_, index) =>
        api().upload({
          groupName: group,
          fileName: `${kill}-${index}.txt`,
          fileType: 'SOURCE',
          content: 'x',
        }),
      ),
    )
    // Kills come at any point: between the arrival, the start and the end of runs.
    await sleep(60 + ((kill * 137) % 400))
    server.kill(server.pid)
    await server.gone
    await uploads
    server = await startServerProcess(dataFolder)
  }
  await api().upload({ groupName: group, fileName: 'last.txt', fileType: 'SOURCE', content: 'x' })
  const expected = { all: await fileCount(), open: 0 }
  expect(expected.all).toBeGreaterThan(1)
  await expect.poll(() => runsOf(first), { timeout: 90_000 }).toEqual(expected)
  await expect.poll(() => runsOf(second), { timeout: 90_000 }).toEqual(expected)
  await sleep(1500)
  expect([await runsOf(first), await runsOf(second)]).toEqual([expected, expected])
}, 240_000)
