// A script of one user while scripts of three other users run for a long time.
import { setTimeout as sleep } from 'node:timers/promises'
import { atMost, p95, type Figure } from './figure.ts'
import { withLake, type LakeUser } from './lake/open-lake.ts'

const rounds = Number(process.env.HEADWATER_BENCH_ROUNDS ?? 20)
const slowUsers = 3

/** Measures the time from the request for a short script to its end. */
export default async function fairness(): Promise<Figure[]> {
  return withLake(async (lake) => {
    const users: LakeUser[] = []
    for (let number = 0; number <= slowUsers; number++)
      users.push(await lake.createUser(`user${number}@example.com`, 'Pipeline builder'))
    const [last, ...others] = users.toReversed() as [LakeUser, ...LakeUser[]]
    const slow = await Promise.all(
      others.map((user) => start(user, 'import time\nprint("begun")\ntime.sleep(600)', 'slow')),
    )
    await Promise.all(others.map((user, at) => untilStatus(user, slow[at]!, 'RUNNING')))
    const times: number[] = []
    for (let round = 0; round <= rounds; round++) {
      const startedMs = performance.now()
      const jobId = await start(last, 'print(1)', 'short')
      await untilStatus(last, jobId, 'INFO')
      // The first one starts the sandbox.
      if (round > 0) times.push(performance.now() - startedMs)
    }
    await Promise.all(
      others.map((user, at) => user.send('POST', '/mgmt/pipeline/stop', { jobId: slow[at]! })),
    )
    return [
      atMost(1000, {
        name: `a script of a user beside slow scripts of ${slowUsers} others, from the request to its end, p95`,
        value: Math.round(p95(times)),
        unit: 'ms',
      }),
    ]
  })
}

/** Executes a script as a single task, which is created with its group at first. */
async function start(user: LakeUser, script: string, name: string): Promise<string> {
  const groupName = `Scripts of ${user.userName}`
  if (!created.has(user)) {
    created.add(user)
    await user.send('POST', '/file/group', { name: groupName })
    const params = [{ name: 'Script', value: script, valueType: 'SCRIPT' }]
    await user.send('POST', '/mgmt/task', { name, groupName, definitionName: 'python-runner', params })
  }
  const body = { taskName: name, taskGroupName: groupName }
  return (await user.send<{ jobId: string }>('POST', '/mgmt/task/execute', body)).jobId
}

const created = new Set<LakeUser>()

async function untilStatus(user: LakeUser, jobId: string, status: string): Promise<void> {
  for (;;) {
    const response = await user.fetch(`/status?jobId=${jobId}`)
    const { items } = (await response.json()) as { items: { status: string }[] }
    if (items[0]?.status === status) return
    if (items[0]?.status === 'ERROR') throw new Error('A script failed.')
    await sleep(10)
  }
}
