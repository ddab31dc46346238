import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'
import { administratorOf, startServerProcess, type ServerProcess } from './server-process.ts'
import { freePort } from '../../features/pipelines/server/triggers/testing/imap-server.ts'

const group = 'Killed triggers'
const killCount = inject('campaign') === 'long' ? 20 : 3
const filesPerKill = 8

let dataFolder: string
/** Database of the test run: killing the server would leave its own PostgreSQL running. */
let database: TestDatabase
let server: ServerProcess
let mailPort: number

const start = () =>
  startServerProcess(dataFolder, {
    DATABASE_URL: database.connectionString,
    HEADWATER_MAIL_IN_ADDRESS: 'pipelines@example.com',
    HEADWATER_MAIL_IN_PORT: String(mailPort),
  })

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'headwater-trigger-kill-'))
  database = await createTestDatabase()
  mailPort = await freePort()
  server = await start()
  await api().post('/file/group', { name: group })
})
afterAll(async () => {
  await server.stop()
  await database.drop()
  await rm(dataFolder, { recursive: true, force: true })
})

const api = () => administratorOf(server.url)

/** Saves a pipeline whose task writes an e-mail to the mail log, or fails if there is no text, and returns its id. */
async function pipeline(name: string, triggers: object[], text = 'done'): Promise<string> {
  const params = [
    { name: 'subject', value: name },
    { name: 'recipients', value: 'anna@example.com' },
    { name: 'text', value: text },
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

/** Saves the only trigger of a pipeline again with a new secret, and returns it. */
async function triggerOf(pipelineId: string): Promise<{ path?: string; address?: string }> {
  const { schedulerTriggers } = await api().get(`/mgmt/pipeline/${pipelineId}/schedule`)
  const [trigger] = schedulerTriggers as { id: string; type: string }[]
  const change = trigger!.type === 'None' ? { ...trigger, renewSecret: true } : trigger
  const saved = await api().put(`/mgmt/pipeline/${pipelineId}/schedule`, { schedulerTriggers: [change] })
  return (saved.schedulerTriggers as { path?: string; address?: string }[])[0]!
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
    const uploads = Array.from({ length: filesPerKill }, (_, index) =>
      api().upload({
        groupName: group,
        fileName: `${kill}-${index}.txt`,
        fileType: 'SOURCE',
        content: 'x',
      }),
    )
    const settled = Promise.allSettled(uploads)
    // Otherwise, on a busy machine, none of them would arrive before the kills.
    if (kill === 0) await uploads[0]
    // Kills happen at any point: between the arrival, the start and the end of runs.
    await sleep(60 + ((kill * 137) % 400))
    server.kill(server.pid)
    await server.gone
    await settled
    server = await start()
  }
  await api().upload({ groupName: group, fileName: 'last.txt', fileType: 'SOURCE', content: 'x' })
  const expected = { all: await fileCount(), open: 0 }
  expect(expected.all).toBeGreaterThan(1)
  await expect.poll(() => runsOf(first), { timeout: 90_000 }).toEqual(expected)
  await expect.poll(() => runsOf(second), { timeout: 90_000 }).toEqual(expected)
  await sleep(1500)
  expect([await runsOf(first), await runsOf(second)]).toEqual([expected, expected])
}, 240_000)

test('a server that is killed repeatedly starts exactly one run for each webhook call and each e-mail, and all repetitions of failed runs', async () => {
  const called = await pipeline('for each call', [{ type: 'None', name: 'hook' }])
  const mailed = await pipeline('for each mail', [{ type: 'EMAIL', allowedSenders: ['*@partner.example'] }])
  const retried = await pipeline('fails', [{ type: 'RETRY', attempts: 2, delaySeconds: 0 }], '')
  const { path } = await triggerOf(called)
  const { address } = await triggerOf(mailed)

  async function call(key: string): Promise<void> {
    const response = await fetch(server.url + path!, {
      method: 'POST',
      body: key,
      headers: { 'Content-Type': 'text/plain', 'Idempotency-Key': key },
    })
    if (response.status !== 202) throw new Error(`The call returned ${response.status}.`)
  }
  async function mail(key: string): Promise<void> {
    const transport = createTransport({ host: '127.0.0.1', port: mailPort, ignoreTLS: true })
    try {
      await transport.sendMail({
        from: 'anna@partner.example',
        to: address!,
        subject: key,
        text: key,
        messageId: `<${key}@partner.example>`,
        // A mail server resends an e-mail unchanged.
        date: new Date('2026-01-01T12:00:00Z'),
      })
    } finally {
      transport.close()
    }
  }
  const execute = () => api().post(`/mgmt/pipeline/${retried}/execute`, {})

  const keys: string[] = []
  for (let kill = 0; kill < killCount - 1; kill++) {
    const own = Array.from({ length: 4 }, (_, index) => `${kill}-${index}`)
    keys.push(...own)
    const sent = Promise.allSettled([...own.flatMap((key) => [call(key), mail(key)]), execute()])
    await sleep(60 + ((kill * 137) % 400))
    server.kill(server.pid)
    await server.gone
    await sent
    server = await start()
    // Senders repeat unconfirmed messages, and sometimes also confirmed ones.
    for (const key of own) await Promise.all([call(key), mail(key)])
  }
  await execute()
  const all = { all: keys.length, open: 0 }
  await expect.poll(() => runsOf(called), { timeout: 90_000 }).toEqual(all)
  await expect.poll(() => runsOf(mailed), { timeout: 90_000 }).toEqual(all)
  const typesOfRetried = async () => {
    const { items } = await api().get(`/status?size=1000&pipelineRootIds=${retried}`)
    const types = (items as { types: string[] }[]).map((job) => job.types.join())
    return {
      started: types.filter((each) => each === 'None').length,
      repeated: types.filter((each) => each === 'RETRY').length,
    }
  }
  await expect
    .poll(
      async () => {
        const { started, repeated } = await typesOfRetried()
        return started > 0 && repeated === 2 * started && (await runsOf(retried)).open === 0
      },
      { timeout: 90_000 },
    )
    .toBe(true)
  await sleep(1500)
  const { started, repeated } = await typesOfRetried()
  expect([await runsOf(called), await runsOf(mailed), repeated]).toEqual([all, all, 2 * started])
}, 240_000)
