import { createHmac, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { isUuid, type RouteOutput } from '@headwater/contract'
import { formatUtcSeconds, type Log } from '@headwater/server-kit'
import { type listWorkers, workerErrors, type Worker } from '../contract/index.ts'
import { processView, queueView, type DescribeJobs, type WorkQueue } from './work-view.ts'
import type { WorkersStore } from './workers-store.ts'

/** Describes this process. */
export interface ThisWorker {
  /** Whether it has a web port. */
  kind: Worker['kind']
  /** Labels in the list of workers. */
  tags: readonly string[]
  /** Version of the product. */
  version: string
  /** Secret of the installation. */
  secret: string
  /** Prefix of the owner names of its job queues. */
  queueOwner: string
  /** Whether it executes jobs. */
  executesJobs: boolean
}

/** Lists the workers of the installation and sends the heartbeat of this process. */
export interface WorkersService {
  /**
   * Adds this process to the list and starts its heartbeat.
   * @throws if a running process has a different installation key
   */
  join(): Promise<void>
  /** Records that this process accepts no new jobs. */
  drain(): Promise<void>
  /** Stops the heartbeat and removes this process from the list. */
  leave(): Promise<void>
  /** Returns all workers by name, with their jobs, and the queue. */
  overview(): Promise<RouteOutput<typeof listWorkers>>
  /** Drains a process, or lets it accept jobs again. */
  requestDrain(id: string, isDraining: boolean): Promise<void>
}

/** Time without a heartbeat after which a worker counts as lost, in seconds. */
const lostAfterSeconds = 15
/** Time for which a lost worker stays in the list, in seconds. */
const retentionSeconds = 86_400

/** Creates the service. */
export function createWorkersService(deps: {
  store: WorkersStore
  log: Log
  self: ThisWorker
  queue: WorkQueue
  describeJobs: DescribeJobs
  heartbeatMs?: number
}): WorkersService {
  const { store, log, self, queue, describeJobs, heartbeatMs = 5000 } = deps
  const id = randomUUID()
  const row = {
    id,
    name: `${hostname()} ${process.pid}`,
    kind: self.kind,
    tags: self.tags,
    version: self.version,
    queueOwner: self.queueOwner,
    keyCheck: createHmac('sha256', self.secret).update('installation').digest('base64url'),
  }
  let draining = false
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()

  let isPaused = false

  /** Records the heartbeat, and pauses or resumes the queue if an administrator requested it. */
  async function save(): Promise<void> {
    const slots = self.executesJobs
      ? queue.lanes().map(({ kind, slots: count }) => ({ kind, slots: count }))
      : []
    await follow(await store.save({ ...row, slots, draining }))
  }

  async function follow(isDraining: boolean): Promise<void> {
    if (isPaused === isDraining) return
    isPaused = isDraining
    await queue.pause(isDraining)
  }

  function sendHeartbeat(): void {
    beating = beating
      .then(save)
      .catch((error: unknown) => log.warn({ error }, 'The heartbeat of this process could not be saved'))
  }

  return {
    async join() {
      const other = await store.findOtherKey(row.keyCheck, lostAfterSeconds)
      if (other !== undefined)
        throw new Error(
          `The installation key differs from that of the running process ${other}. ` +
            'Copy secrets.json from the data folder of that server, and set HEADWATER_SECRETS_FILE to its path.',
        )
      await store.removeUnseen(retentionSeconds)
      await save()
      timer = setInterval(sendHeartbeat, heartbeatMs)
      timer.unref()
    },
    async drain() {
      draining = true
      if (timer !== undefined) sendHeartbeat()
      await beating
    },
    async leave() {
      if (timer === undefined) return
      clearInterval(timer)
      timer = undefined
      await beating
      await store.remove(id)
    },
    async overview() {
      const [stored, load] = await Promise.all([store.list(lostAfterSeconds), queue.load()])
      const described = await describeJobs(load.running)
      const items = stored.map(({ isLost, isDraining, startedAt, seenAt, queueOwner, slots, ...rest }) => ({
        ...rest,
        ...processView({ queueOwner, slots }, load.running, described, queue.lanes()),
        state: stateOf(isLost, isDraining),
        startTime: formatUtcSeconds(startedAt),
        lastSeen: formatUtcSeconds(seenAt),
      }))
      return { items, queue: queueView(items, load.kinds, queue.lanes()) }
    },
    async requestDrain(workerId, isDraining) {
      if (!isUuid(workerId) || !(await store.requestDrain(workerId, isDraining)))
        throw workerErrors.workerNotFound()
      if (workerId === id) await follow(isDraining)
    },
  }
}

function stateOf(isLost: boolean, isDraining: boolean): Worker['state'] {
  return isLost ? 'lost' : isDraining ? 'draining' : 'running'
}
