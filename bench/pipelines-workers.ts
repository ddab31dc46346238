// Workers that are killed: the time until another worker executes the step again. Stops: the time until the script on a worker ends.
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { startS3Server } from '@headwater/server-kit/testing'
import { startChdbServer } from '@headwater/timeseries/testing'
import {
  administratorOf,
  startServerProcess,
  startWorkerProcess,
  type WorkerProcess,
} from '../tests/acceptance/server-process.ts'
import { atMost, median, type Figure } from './figure.ts'
import { withPostgres } from './with-postgres.ts'

const kills = Number(process.env.HEADWATER_BENCH_KILLS ?? 200)
const stops = 20
const groupName = 'Scripts'

/** Prints the time every 20 ms, so that its log shows when it was stopped. */
const ticks = `import time
print("begun")
while True:
    print(time.time(), flush=True)
    time.sleep(0.02)`

/**
 * Kills the worker of a running script again and again, and measures the time until another worker has restarted the script.
 * Then stops scripts on a worker by requests to the server.
 */
export default async function workers(): Promise<Figure[]> {
  return withPostgres([], async (_database, { connectionString, folder }) => {
    const [series, s3] = await Promise.all([startChdbServer(), startS3Server()])
    await s3.createBucket('lake')
    const { accessKeyId, secretAccessKey } = s3.credentials
    const shared = {
      DATABASE_URL: connectionString,
      HEADWATER_CLICKHOUSE_URL: series.url,
      HEADWATER_S3_URL: `http://${accessKeyId}:${secretAccessKey}@127.0.0.1:${s3.port}/lake/files`,
    }
    const server = await startServerProcess(join(folder, 'server'), { ...shared, HEADWATER_JOBS: 'off' })
    let number = 0
    const startWorker = async () => {
      const env = { ...shared, HEADWATER_SECRETS_FILE: join(folder, 'server', 'secrets.json') }
      const worker = startWorkerProcess(join(folder, `worker-${number++}`), env)
      await worker.ready
      return worker
    }
    let worker: WorkerProcess | undefined
    try {
      const api = administratorOf(server.url)
      await api.post('/file/group', { name: groupName })
      const scripts = { long: 'import time\nprint("begun")\ntime.sleep(3600)', ticks }
      for (const [name, value] of Object.entries(scripts)) {
        const params = [{ name: 'Script', value, valueType: 'SCRIPT' }]
        await api.post('/mgmt/task', { name, groupName, definitionName: 'python-runner', params })
      }
      const run = async (taskName: string) => {
        const { jobId } = await api.post('/mgmt/task/execute', { taskName, taskGroupName: groupName })
        await untilMessage(api, String(jobId), 'begun')
        return String(jobId)
      }
      const resumedMs: number[] = []
      worker = await startWorker()
      for (let kill = 0; kill < kills; kill++) {
        const jobId = await run('long')
        const other = await startWorker()
        const killedMs = performance.now()
        worker.kill()
        worker = other
        await untilMessage(api, jobId, 'was restarted')
        resumedMs.push(performance.now() - killedMs)
        await api.post('/mgmt/pipeline/stop', { jobId })
      }
      const stoppedMs: number[] = []
      const silentMs: number[] = []
      for (let stop = 0; stop < stops; stop++) {
        const jobId = await run('ticks')
        const stopMs = Date.now()
        await api.post('/mgmt/pipeline/stop', { jobId })
        await untilEnd(api, jobId)
        stoppedMs.push(Date.now() - stopMs)
        silentMs.push((await lastTickMs(api, jobId)) - stopMs)
      }
      console.log({ kills, resumedMs: Math.round(median(resumedMs)), stops, stoppedMs: median(stoppedMs) })
      return [
        atMost(6, {
          name: `worker killed ${kills} times, longest time until another one restarted the script`,
          value: Math.max(...resumedMs) / 1000,
          unit: 's',
        }),
        atMost(1000, {
          name: `${stops} stops of scripts on a worker, longest time until the run has ended`,
          value: Math.max(...stoppedMs),
          unit: 'ms',
        }),
        atMost(1000, {
          name: 'the same, longest time until the last output of the script',
          value: Math.max(...silentMs),
          unit: 'ms',
        }),
      ]
    } finally {
      await worker?.stop()
      await server.stop()
      await Promise.all([series.stop(), s3.stop()])
    }
  })
}

/** Waits until a run has ended. */
async function untilEnd(api: ReturnType<typeof administratorOf>, jobId: string): Promise<void> {
  for (;;) {
    const { items } = (await api.get(`/status?jobId=${jobId}`)) as { items: { endTime?: string }[] }
    if (items[0]?.endTime !== undefined) return
    await sleep(10)
  }
}

/** Returns the time of the last line of the script {@link ticks}, in milliseconds. */
async function lastTickMs(api: ReturnType<typeof administratorOf>, jobId: string): Promise<number> {
  const log = await (await api.request(`/log/${jobId}/download`)).text()
  const times = [...log.matchAll(/\t(\d+\.\d+)$/gm)].map(([, seconds]) => Number(seconds) * 1000)
  return Math.max(...times)
}

/** Waits until the message of the step of a run contains a string. */
async function untilMessage(
  api: ReturnType<typeof administratorOf>,
  jobId: string,
  text: string,
): Promise<void> {
  for (;;) {
    const { items } = (await api.get(`/status?jobId=${jobId}`)) as {
      items: { componentStatuses: { message: string }[] }[]
    }
    if (items[0]?.componentStatuses[0]?.message.includes(text) === true) return
    await sleep(20)
  }
}
