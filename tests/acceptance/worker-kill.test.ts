import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import {
  createTestDatabase,
  startS3Server,
  type S3Server,
  type TestDatabase,
} from '@headwater/server-kit/testing'
import { describeWithServer, startChdbServer, type ChdbServer } from '@headwater/timeseries/testing'
import {
  administratorOf,
  startServerProcess,
  startWorkerProcess,
  type ServerProcess,
  type WorkerProcess,
} from './server-process.ts'

const group = 'Shared'

interface Job {
  status: string
  endTime?: string
  componentStatuses: { status: string; message: string }[]
}

interface Worker {
  name: string
  kind: string
  state: string
  tags: string[]
}

test('a worker reports every setting that is missing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-worker-'))
  const worker = startWorkerProcess(folder)
  worker.ready.catch(() => {})
  expect(await worker.gone).toBe(1)
  expect(worker.output()).toBe(
    'The worker could not start: A worker uses the same stores and the same installation key as the servers. Set ' +
      'DATABASE_URL (PostgreSQL), HEADWATER_CLICKHOUSE_URL (ClickHouse), HEADWATER_S3_URL (S3 store of files) and ' +
      'HEADWATER_SECRETS_FILE (installation key) as on the servers.\n',
  )
  expect(await readdir(folder)).toEqual([])
  await rm(folder, { recursive: true })
})

describeWithServer('two servers and workers', () => {
  let base: string
  let database: TestDatabase
  let series: ChdbServer
  let s3: S3Server
  let servers: ServerProcess[]
  const workers: WorkerProcess[] = []
  let shared: Record<string, string>

  beforeAll(async () => {
    base = await mkdtemp(join(tmpdir(), 'headwater-workers-'))
    ;[database, series, s3] = await Promise.all([createTestDatabase(), startChdbServer(), startS3Server()])
    await s3.createBucket('lake')
    const { accessKeyId, secretAccessKey } = s3.credentials
    shared = {
      DATABASE_URL: database.connectionString,
      HEADWATER_CLICKHOUSE_URL: series.url,
      HEADWATER_S3_URL: `http://${accessKeyId}:${secretAccessKey}@127.0.0.1:${s3.port}/lake/files`,
      HEADWATER_JOBS: 'off',
    }
    const first = await startServerProcess(join(base, 'server-1'), shared)
    shared.HEADWATER_SECRETS_FILE = join(base, 'server-1', 'secrets.json')
    servers = [first, await startServerProcess(join(base, 'server-2'), shared)]
    await api(0).post('/file/group', { name: group })
  })

  afterAll(async () => {
    await Promise.all([...servers, ...workers].map((each) => each.stop()))
    await Promise.all([database.drop(), series.stop(), s3.stop()])
    await rm(base, { recursive: true, force: true })
  })

  const api = (server: number) => administratorOf(servers[server]!.url)

  async function startWorker(env: Record<string, string> = {}): Promise<WorkerProcess> {
    const worker = startWorkerProcess(join(base, `worker-${workers.length}`), { ...shared, ...env })
    workers.push(worker)
    await worker.ready
    return worker
  }

  async function listWorkers(): Promise<Worker[]> {
    return (await api(1).get('/mgmt/worker')).items as Worker[]
  }

  /** Python that creates a version of a file and then executes further lines. */
  async function saveScript(name: string, then: string[]): Promise<void> {
    const script = [
      'import json, os, time, urllib.parse, urllib.request',
      'def call(url, data=None, method="GET", headers={}):',
      '    return urllib.request.urlopen(urllib.request.Request(url, data=data, method=method, headers=headers)).read()',
      'api = os.environ["NG_API_ENDPOINT"]',
      'headers = {"Authorization": "Bearer " + os.environ["NG_API_AUTHTOKEN"], "Content-Type": "application/json"}',
      `body = {"groupName": "${group}", "fileName": "${name}.txt", "fileType": "SOURCE", "fields": []}`,
      'made = json.loads(call(api + "/file", json.dumps(body).encode(), "POST", headers))',
      'call(made["location"], b"written by " + os.environ["EID"].encode() + str(time.time()).encode(), "PUT")',
      `query = urllib.parse.quote("name=${name}.txt&groupName=${group}")`,
      'found = json.loads(call(api + "/file/search?query=" + query, headers=headers))',
      'version = found["items"][0]["version"]',
      ...then,
    ].join('\n')
    const params = [{ name: 'Script', value: script, valueType: 'SCRIPT' }]
    await api(0).post('/mgmt/task', { name, groupName: group, definitionName: 'python-runner', params })
  }

  async function run(name: string): Promise<string> {
    const { jobId } = await api(1).post('/mgmt/task/execute', { taskName: name, taskGroupName: group })
    return String(jobId)
  }

  async function versionsOf(name: string): Promise<number> {
    const query = encodeURIComponent(`name=${name}.txt&groupName=${group}`)
    const { items } = await api(0).get(`/file/search?query=${query}`)
    return (items as { version: number }[])[0]?.version ?? 0
  }

  async function ended(jobId: string): Promise<Job> {
    const find = async () => ((await api(0).get(`/status?jobId=${jobId}`)).items as Job[])[0]
    await expect.poll(async () => (await find())?.endTime).toBeDefined()
    return (await find())!
  }

  test('a session of one server is valid on the other', async () => {
    const response = await api(0).request('/auth/login')
    const { token } = (await response.json()) as { token: string }
    const settings = await fetch(`${servers[1]!.url}/auth/settings`, {
      headers: { Authorization: `Bearer ${token}` },
    })
    expect(settings.status).toBe(200)
  })

  test('a worker executes the task of a server; its file is in the bucket and on both servers', async () => {
    const worker = await startWorker({ HEADWATER_WORKER_TAGS: 'large london' })
    await saveScript('writes', ['print("version", version)'])
    const job = await ended(await run('writes'))
    expect([job.status, job.componentStatuses[0]?.message]).toEqual(['INFO', 'version 1'])
    const query = encodeURIComponent(`name=writes.txt&groupName=${group}`)
    const { items } = await api(0).get(`/file/search?query=${query}`)
    const { fid } = (items as { fid: string }[])[0]!
    const contents = await Promise.all(
      [0, 1].map(async (server) => (await api(server).request(`/file/${fid}/download`)).text()),
    )
    expect(contents).toEqual([expect.stringContaining('written by '), contents[0]])
    const hash = createHash('sha256').update(contents[0]!).digest('hex')
    const objects = await readdir(join(s3.folder, 'lake', 'files'), { recursive: true })
    expect(objects.some((name) => name.includes(hash))).toBe(true)
    expect(await listWorkers()).toMatchObject(
      expect.arrayContaining([
        expect.objectContaining({ kind: 'server', state: 'running' }),
        expect.objectContaining({ kind: 'worker', state: 'running', tags: ['large', 'london'] }),
      ]) as object,
    )
    expect(await worker.stop()).toBe(0)
    // Killed workers of other tests stay in the list.
    const names = (await listWorkers()).map(({ name }) => name)
    expect(names).not.toContainEqual(expect.stringMatching(` ${worker.pid}$`))
  })

  test('an ingest runs on a worker, and its series are on both servers', async () => {
    const worker = await startWorker()
    const content = `Code,Date,Close\nBRENT,2026-01-01,1.5\n`
    const { receipt } = await api(0).upload({
      groupName: group,
      fileName: 'a.ncsv',
      fileType: 'NCSV',
      content,
    })
    expect(receipt.status).toBe('READY')
    for (const server of [0, 1]) {
      const response = await api(server).request('/ts/stream', {
        method: 'POST',
        body: JSON.stringify({
          keys: [{ groupName: group, symbols: { Code: 'BRENT' } }],
          formatType: 'NCSV',
        }),
        headers: { 'Content-Type': 'application/json' },
      })
      expect(await response.text()).toContain('1.5')
    }
    await worker.stop()
  })

  test('a step whose worker is killed is executed again by another worker', async () => {
    const killed = await startWorker()
    await saveScript('killed', ['time.sleep(600 if version == 1 else 0)'])
    const jobId = await run('killed')
    await expect.poll(() => versionsOf('killed')).toBe(1)
    const other = await startWorker()
    killed.kill()
    await killed.gone
    const job = await ended(jobId)
    expect(job.status).toBe('INFO')
    expect(job.componentStatuses[0]?.message).toContain('was restarted')
    expect(await versionsOf('killed')).toBe(2)
    await other.stop()
  })

  test('if workers are killed during loops, no item is lost or run twice, and its file is stored once', async () => {
    const kills = inject('campaign') === 'long' ? 200 : 1
    const itemsPerLoop = 10
    const store = {
      id: 'store',
      taskReadableName: 'store',
      taskName: 'store-file',
      taskOverrides: {
        params: [
          { name: 'Content', value: 'text' },
          { name: 'Group', value: group },
          { name: 'Text', value: '${trigger.item}' },
          { name: 'File name', mode: 'expression', value: 'trigger.item & ".txt"' },
        ],
      },
    }
    const { pipeline: child } = (await api(0).post('/mgmt/pipeline', {
      name: 'stores an item',
      groupName: group,
      tasks: [store],
    })) as { pipeline: { id: string } }
    const loopOf = (items: readonly string[]) => ({
      id: 'loop',
      taskReadableName: 'loop',
      taskName: 'for-each',
      taskOverrides: {
        params: Object.entries({ pipeline: 'stores an item', items: items.join(','), parallel: '3' }).map(
          ([name, value]) => ({ name, value }),
        ),
      },
    })
    const runCount = async () =>
      Number((await api(0).get(`/status?size=1&pipelineRootIds=${child.id}`)).totalSize)
    const allItems: string[] = []
    const loops: string[] = []
    const startLoop = async () => {
      const items = Array.from({ length: itemsPerLoop }, (_, index) => `W${loops.length}N${index}`)
      allItems.push(...items)
      const { pipeline } = (await api(0).post('/mgmt/pipeline', {
        name: `loop ${loops.length}`,
        groupName: group,
        tasks: [loopOf(items)],
      })) as { pipeline: { id: string } }
      loops.push(String((await api(0).post(`/mgmt/pipeline/${pipeline.id}/execute`, {})).jobId))
    }
    let [current, other] = await Promise.all([startWorker(), startWorker()])
    for (let kill = 0; kill < kills; kill++) {
      const last = loops.at(-1)
      const isOpen =
        last !== undefined &&
        ((await api(0).get(`/status?jobId=${last}`)).items as Job[])[0]?.endTime === undefined
      if (!isOpen) await startLoop()
      await expect.poll(runCount, { interval: 20 }).toBeGreaterThan((loops.length - 1) * itemsPerLoop)
      await sleep((kill * 137) % 400)
      current.kill()
      await current.gone
      ;[current, other] = [other, await startWorker()]
    }
    for (const loop of loops) expect((await ended(loop)).status).toBe('INFO')
    expect(await runCount()).toBe(allItems.length)
    const versions = new Map<string, number>()
    for (const item of allItems) versions.set(item, await versionsOf(item))
    expect([...versions].filter(([, version]) => version !== 1)).toEqual([])
    await Promise.all([current.stop(), other.stop()])
  }, 1_800_000)

  test('a draining worker finishes a short job and accepts no new one', async () => {
    const draining = await startWorker({ HEADWATER_DRAIN_SECONDS: '60' })
    await saveScript('short', [
      `end = api + "/file/search?query=" + urllib.parse.quote("name=end.txt&groupName=${group}")`,
      'while version == 1 and json.loads(call(end, headers=headers))["totalSize"] == 0: time.sleep(0.1)',
      'print("finished before the end")',
    ])
    const first = await run('short')
    await expect.poll(() => versionsOf('short')).toBe(1)
    const stopped = draining.stop()
    await expect
      .poll(async () => (await listWorkers()).filter(({ state }) => state === 'draining').length)
      .toBe(1)
    const second = await run('short')
    await api(0).upload({ groupName: group, fileName: 'end.txt', fileType: 'SOURCE', content: 'end' })
    expect(await stopped).toBe(0)
    expect((await ended(first)).componentStatuses[0]?.message).toBe('finished before the end')
    expect(await versionsOf('short')).toBe(1)
    const other = await startWorker()
    expect((await ended(second)).status).toBe('INFO')
    await other.stop()
  })

  test('a job that does not finish during draining is executed again by another worker', async () => {
    const draining = await startWorker({ HEADWATER_DRAIN_SECONDS: '1' })
    await saveScript('long', ['time.sleep(600 if version == 1 else 0)'])
    const jobId = await run('long')
    await expect.poll(() => versionsOf('long')).toBe(1)
    const other = await startWorker()
    expect(await draining.stop()).toBe(0)
    expect((await ended(jobId)).status).toBe('INFO')
    expect(await versionsOf('long')).toBe(2)
    await other.stop()
  })

  test('a worker with a different installation key does not start', async () => {
    const file = join(base, 'other.json')
    const secrets = await readFile(shared.HEADWATER_SECRETS_FILE!, 'utf8')
    const other = { ...(JSON.parse(secrets) as object), tokenSigningKey: 'x'.repeat(86) }
    await writeFile(file, JSON.stringify(other))
    const worker = startWorkerProcess(join(base, 'stranger'), { ...shared, HEADWATER_SECRETS_FILE: file })
    worker.ready.catch(() => {})
    expect(await worker.gone).toBe(1)
    expect(worker.output()).toContain('The installation key differs from that of the running process')
  })
})
