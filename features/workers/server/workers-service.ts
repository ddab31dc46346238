import { createHmac, randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import { formatUtcSeconds, type Log } from '@headwater/server-kit'
import type { Worker } from '../contract/index.ts'
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
}

/** Workers of the installation, and the heartbeat of this one. */
export interface WorkersService {
  /**
   * Adds this process to the list and starts its heartbeat.
   * @throws if a running process has another installation key
   */
  join(): Promise<void>
  /** Shows in the list that this process takes no new jobs. */
  drain(): Promise<void>
  /** Stops the heartbeat and removes this process from the list. */
  leave(): Promise<void>
  /** Returns all workers by name. */
  list(): Promise<Worker[]>
}

/** Time without a heartbeat after which a worker counts as lost, in seconds. */
const lostAfterSeconds = 15
/** Time that a lost worker stays in the list, in seconds. */
const retentionSeconds = 86_400

/** Creates the service. */
export function createWorkersService(deps: {
  store: WorkersStore
  log: Log
  self: ThisWorker
  heartbeatMs?: number
}): WorkersService {
  const { store, log, self, heartbeatMs = 5000 } = deps
  const id = randomUUID()
  const row = {
    id,
    name: `${hostname()} ${process.pid}`,
    kind: self.kind,
    tags: self.tags,
    version: self.version,
    keyCheck: createHmac('sha256', self.secret).update('installation').digest('base64url'),
  }
  let draining = false
  let timer: NodeJS.Timeout | undefined
  let beating: Promise<void> = Promise.resolve()

  function beat(): void {
    beating = beating
      .then(() => store.save({ ...row, draining }))
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
      await store.save({ ...row, draining })
      timer = setInterval(beat, heartbeatMs)
      timer.unref()
    },
    async drain() {
      draining = true
      if (timer !== undefined) beat()
      await beating
    },
    async leave() {
      if (timer === undefined) return
      clearInterval(timer)
      timer = undefined
      await beating
      await store.remove(id)
    },
    async list() {
      const stored = await store.list(lostAfterSeconds)
      return stored.map(({ isLost, isDraining, startedAt, seenAt, ...rest }) => ({
        ...rest,
        state: isLost ? 'lost' : isDraining ? 'draining' : 'running',
        startTime: formatUtcSeconds(startedAt),
        lastSeen: formatUtcSeconds(seenAt),
      }))
    },
  }
}
