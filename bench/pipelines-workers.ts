// Workers that are killed: the time until another worker executes the step again.
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
const groupName = 'Scripts'

/** Kills the worker of a running script again and again, and measures the time until another worker has restarted the script. */
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
      await api.post('/mgmt/task', {
        name: 'long',
        groupName,
        definitionName: 'python-runner',
        params: [
          { name: 'Script', value: 'import time\nprint("begun")\ntime.sleep(3600)', valueType: 'SCRIPT' },
        ],
      })
      const resumedMs: number[] = []
      worker = await startWorker()
      for (let kill = 0; kill < kills; kill++) {
        const { jobId } = await api.post('/mgmt/task/execute', { taskName: 'long', taskGroupName: groupName })
        await untilMessage(api, String(jobId), 'begun')
        const other = await startWorker()
        const killedMs = performance.now()
        worker.kill()
        worker = other
        await untilMessage(api, String(jobId), 'was restarted')
        resumedMs.push(performance.now() - killedMs)
        await api.post('/mgmt/pipeline/stop', { jobId })
      }
      console.log({ kills, medianMs: Math.round(median(resumedMs)) })
      return [
        atMost(6, {
          name: `worker killed ${kills} times, longest time until another one restarted the script`,
          value: Math.max(...resumedMs) / 1000,
          unit: 's',
        }),
      ]
    } finally {
      await worker?.stop()
      await server.stop()
      await Promise.all([series.stop(), s3.stop()])
    }
  })
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
