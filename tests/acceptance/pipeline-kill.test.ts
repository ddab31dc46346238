import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { startMailServer, type MailServer } from '@headwater/server/testing'
import { createTestDatabase, type TestDatabase } from '@headwater/server-kit/testing'
import { administratorOf, startServerProcess, type ServerProcess } from './server-process.ts'
import {
  loopOver,
  runsOf,
  saveStoringPipeline,
  versionsOf as versionsOfFile,
  type RunJob,
} from './storing-runs.ts'

const group = 'Killed pipelines'
const isLong = inject('campaign') === 'long'

let dataFolder: string
/** Database of the test run: killing the server would leave its own PostgreSQL running. */
let database: TestDatabase
let mailServer: MailServer
let server: ServerProcess
let expectMail = () => {}
const mailArrived = new Promise<void>((resolve) => {
  expectMail = resolve
})

beforeAll(async () => {
  dataFolder = await mkdtemp(join(tmpdir(), 'headwater-pipeline-kill-'))
  database = await createTestDatabase()
  mailServer = await startMailServer({
    // The mail server has the e-mail, but the sender never receives the confirmation.
    beforeTaken: () => {
      expectMail()
      return new Promise(() => {})
    },
  })
  server = await start()
  await administratorOf(server.url).post('/file/group', { name: group })
}, 60_000)

afterAll(async () => {
  await server.stop()
  await mailServer.stop()
  await database.drop()
  await rm(dataFolder, { recursive: true, force: true })
})

const start = () =>
  startServerProcess(dataFolder, {
    DATABASE_URL: database.connectionString,
    HEADWATER_SMTP_URL: mailServer.url,
  })

const api = () => administratorOf(server.url)

async function jobOf(jobId: string): Promise<RunJob | undefined> {
  return ((await api().get(`/status?jobId=${jobId}`)).items as RunJob[])[0]
}

const versionsOf = (fileName: string) => versionsOfFile(api(), group, fileName)

async function killAndStart(): Promise<void> {
  server.kill(server.pid)
  await server.gone
  server = await start()
}

async function run(name: string, tasks: object[], more: object = {}): Promise<string> {
  const { pipeline } = (await api().post('/mgmt/pipeline', { name, groupName: group, tasks, ...more })) as {
    pipeline: { id: string }
  }
  return String((await api().post(`/mgmt/pipeline/${pipeline.id}/execute`, {})).jobId)
}

/** Python that creates a version of a file, so that the test can count its runs. */
function writing(fileName: string, then: string[]): string {
  return [
    'import json, os, time, urllib.request',
    'def call(url, data, method, headers={}):',
    '    return urllib.request.urlopen(urllib.request.Request(url, data=data, method=method, headers=headers)).read()',
    'headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "Content-Type": "application/json"}',
    `body = {"groupName": "${group}", "fileName": "${fileName}", "fileType": "SOURCE", "fields": []}`,
    'made = json.loads(call(os.environ["NG_API_ENDPOINT"] + "/file", json.dumps(body).encode(), "POST", headers))',
    'call(made["location"], os.environ["EID"].encode() + str(time.time()).encode(), "PUT")',
    ...then,
  ].join('\n')
}

async function saveScript(name: string, script: string): Promise<void> {
  await api().post('/mgmt/task', {
    name,
    groupName: group,
    definitionName: 'python-runner',
    params: [{ name: 'Script', value: script, valueType: 'SCRIPT' }],
  })
}

test('a run whose server is killed resumes at the interrupted step', async () => {
  const search = `"/file/search?query=" + urllib.parse.quote("name=second.txt&groupName=${group}")`
  const sleepFirst = [
    'import urllib.parse',
    `request = urllib.request.Request(os.environ["NG_API_ENDPOINT"] + ${search}, headers=headers)`,
    'found = json.loads(urllib.request.urlopen(request).read())',
    'time.sleep(600 if found["items"][0]["version"] == 1 else 0)',
  ]
  await saveScript('first', writing('first.txt', []))
  await saveScript('second', writing('second.txt', sleepFirst))
  const task = (id: string, previous: string[] = []) => ({
    id,
    taskReadableName: id,
    taskName: id,
    taskGroup: group,
    prevTasks: previous.map((other) => ({ id: other })),
  })
  const jobId = await run('goes on', [task('first'), task('second', ['first'])])
  await expect.poll(() => versionsOf('second.txt'), { timeout: 30_000 }).toBe(1)
  await killAndStart()
  await expect.poll(async () => (await jobOf(jobId))?.endTime, { timeout: 60_000 }).toBeDefined()
  const job = await jobOf(jobId)
  expect(job).toMatchObject({ status: 'INFO' })
  const again = 'The task was interrupted, for example by a server stop, and was restarted.'
  expect(job?.componentStatuses.map(({ message }) => message.includes(again))).toEqual([false, true])
  expect([await versionsOf('first.txt'), await versionsOf('second.txt')]).toEqual([1, 2])
}, 150_000)

test('a step executed again after a kill does not store its files and series a second time', async () => {
  const series = 'Code,Date(UTC),Close\\nBRENT,2026-01-01T00:00:00,1.5\\n'
  const upload = (fileName: string, fileType: string, content: string) => [
    `body = {"groupName": "${group}", "fileName": "${fileName}", "fileType": "${fileType}", "fields": []}`,
    'made = json.loads(call(os.environ["NG_API_ENDPOINT"] + "/file", json.dumps(body).encode(), "POST", headers))',
    `call(made["location"], "${content}".encode(), "PUT")`,
    `request = urllib.request.Request(os.environ["NG_API_ENDPOINT"] + "/file/" + made["fileId"], headers=headers)`,
    'print("version", json.loads(urllib.request.urlopen(request).read())["version"])',
  ]
  const effects = [...upload('once.txt', 'SOURCE', 'same'), ...upload('once.ncsv', 'NCSV', series)]
  const attempts = writing('attempts.txt', [
    'request = urllib.request.Request(os.environ["NG_API_ENDPOINT"] + "/file/" + made["fileId"], headers=headers)',
    'attempt = json.loads(urllib.request.urlopen(request).read())["version"]',
  ])
  await saveScript('once', `${attempts}\n${effects.join('\n')}\ntime.sleep(600 if attempt == 1 else 0)`)
  const jobId = await run('once', [
    { id: 'once', taskReadableName: 'once', taskName: 'once', taskGroup: group },
  ])
  await expect.poll(() => versionsOf('once.ncsv'), { timeout: 30_000 }).toBe(1)
  await killAndStart()
  await expect.poll(async () => (await jobOf(jobId))?.endTime, { timeout: 60_000 }).toBeDefined()
  const job = await jobOf(jobId)
  expect(job?.status).toBe('INFO')
  expect(job?.componentStatuses[0]?.message).toMatch(/version 1\nversion 1$/)
  const versions = await Promise.all(['attempts.txt', 'once.txt', 'once.ncsv'].map(versionsOf))
  expect(versions).toEqual([2, 1, 1])
  const response = await api().request('/ts/stream', {
    method: 'POST',
    body: JSON.stringify({
      keys: [{ groupName: group, symbols: { Code: 'BRENT' } }],
      formatType: 'NCSV',
      corrections: 'true',
    }),
    headers: { 'Content-Type': 'application/json' },
  })
  expect((await response.text()).trim().split('\n')).toHaveLength(2)
}, 150_000)

test('an e-mail that was being sent when the server was killed is not sent again; the run reports that it may have been sent', async () => {
  const jobId = await run('mails', [
    {
      id: 'mail',
      taskReadableName: 'mail',
      taskName: 'email-sender',
      taskOverrides: {
        params: [
          { name: 'subject', value: 'Once' },
          { name: 'recipients', value: 'anna@example.com' },
          { name: 'text', value: 'Only once.' },
        ],
      },
    },
  ])
  await mailArrived
  await killAndStart()
  await expect.poll(async () => (await jobOf(jobId))?.endTime, { timeout: 60_000 }).toBeDefined()
  const job = await jobOf(jobId)
  expect(job?.status).toBe('ERROR')
  expect(job?.componentStatuses[0]?.message).toContain('may have finished its work')
  expect(mailServer.mails).toHaveLength(1)
}, 150_000)

test('a chain of fused steps whose server is killed is executed again from its first step, and stores each file once', async () => {
  const names = Array.from({ length: 50 }, (_, index) => `fused ${index}.txt`)
  const tasks = names.map((name, index) => ({
    id: name,
    taskReadableName: name,
    taskName: 'store-file',
    prevTasks: index === 0 ? [] : [{ id: names[index - 1]! }],
    taskOverrides: {
      params: [
        { name: 'Content', value: 'text' },
        { name: 'Text', value: name },
        { name: 'Group', value: group },
        { name: 'File name', value: name },
      ],
    },
  }))
  const jobId = await run('fused', tasks, { executionMode: 'fused' })
  await expect.poll(() => versionsOf('fused 2.txt'), { timeout: 30_000, interval: 5 }).toBe(1)
  await killAndStart()
  await expect.poll(async () => (await jobOf(jobId))?.endTime, { timeout: 60_000 }).toBeDefined()
  const job = await jobOf(jobId)
  expect(job?.status).toBe('INFO')
  const [first, ...others] = job!.componentStatuses.filter(({ component }) => names.includes(component))
  expect(first?.message).toContain('The task was interrupted')
  expect(others.map(({ status, message }) => `${status} ${message}`)).toEqual(
    names.slice(1).map((name) => `INFO Stored ${name} (0.01 KB) in ${group}.`),
  )
  expect(new Set(await Promise.all(names.map(versionsOf)))).toEqual(new Set([1]))
}, 150_000)

test('after its server is killed, a loop resumes: every item runs once and stores its file and series once', async () => {
  const kills = isLong ? 200 : 1
  const items = Array.from({ length: isLong ? 500 : 12 }, (_, index) => `ITEM${index}`)
  const child = await saveStoringPipeline(api(), group, 'stores an item')
  const childRuns = () => runsOf(api(), child)
  const loop = loopOver('stores an item', items)
  const parent = {
    id: 'parent',
    taskReadableName: 'parent',
    taskName: 'run-pipeline',
    taskOverrides: { params: [{ name: 'pipeline', value: 'loops' }] },
  }
  await api().post('/mgmt/pipeline', { name: 'loops', groupName: group, tasks: [loop] })
  const jobId = await run('runs the loop', [parent])
  for (let kill = 0; kill < kills; kill++) {
    const before = (await childRuns()).length
    await expect
      .poll(async () => (await childRuns()).length, { timeout: 30_000 })
      .toBeGreaterThanOrEqual(Math.min(before + 1, items.length))
    // Kills happen at any point: between the start, the steps and the end of runs.
    await sleep((kill * 137) % 400)
    await killAndStart()
  }
  await expect.poll(async () => (await jobOf(jobId))?.endTime, { timeout: 120_000 }).toBeDefined()
  expect((await jobOf(jobId))?.status).toBe('INFO')
  const jobs = await childRuns()
  expect(jobs.map(({ payload }) => payload.index).toSorted((a, b) => a - b)).toEqual(
    items.map((_, index) => index + 1),
  )
  expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set(['INFO']))
  for (const item of items)
    expect([item, await versionsOf(`${item}.txt`), await versionsOf(`${item}.ncsv`)]).toEqual([item, 1, 1])
}, 3_600_000)
