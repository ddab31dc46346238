import { fileURLToPath } from 'node:url'
import type { JobQueue } from '@headwater/jobs'
import type { Clock, Database, Log, RecordedRequest, Router } from '@headwater/server-kit'
import { listAuditRecords } from '../contract/index.ts'
import { createAuditStore, type AuditStore } from './audit-store.ts'
import { createAuditWriter } from './audit-writer.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

const dayMs = 86_400_000
const retentionJob = 'delete-audit-records'
const retentionEveryMs = 3_600_000

/** The audit log. */
export interface Audit {
  /** Records a request. Never waits and never throws. */
  record(this: void, request: RecordedRequest): void
  /** Registers the routes of the feature. */
  registerRoutes(router: Router): void
  /** Deletes records that are older than the retention; returns their number. */
  deleteOld(): Promise<number>
  /** Stores the waiting records. */
  flush(): Promise<void>
  /** Schedules the hourly deletion of old records. */
  resume(): Promise<void>
}

/** Creates the audit log. Registers its job at the queue, which the caller starts. */
export function createAudit({
  database,
  jobs,
  clock,
  log,
  retentionDays,
}: {
  database: Database
  jobs: JobQueue
  clock: Clock
  log: Log
  /** Days for which records are stored. */
  retentionDays: number
}): Audit {
  const store = createAuditStore(database)
  const writer = createAuditWriter({ store, warn: (message, error) => log.warn({ error }, message) })
  const deleteOld = () => deleteBefore(store, new Date(clock.now().getTime() - retentionDays * dayMs))

  /** Schedules the next deletion. */
  async function schedule(): Promise<void> {
    const runAfter = new Date(clock.now().getTime() + retentionEveryMs)
    await jobs.enqueue(retentionJob, {}, { uniqueKey: retentionJob, runAfter })
  }

  jobs.handle(retentionJob, {
    async run() {
      await deleteOld()
      await schedule()
    },
    giveUp: schedule,
  })

  return {
    record: (request) => writer.record(request),
    registerRoutes(router) {
      router.add(listAuditRecords, async ({ query }) => {
        const { timeFrom, timeTo, size, ...filter } = query
        const items = await store.list({
          ...filter,
          from: timeFrom === undefined ? undefined : instantOf(timeFrom),
          to: timeTo === undefined ? undefined : instantOf(timeTo),
          size: size + 1,
        })
        const page = items.slice(0, size)
        return { items: page, next: items.length > size ? page.at(-1)!.id : null }
      })
    },
    deleteOld,
    resume: schedule,
    flush: () => writer.flush(),
  }
}

async function deleteBefore(store: Pick<AuditStore, 'deleteBefore'>, time: Date): Promise<number> {
  let deleted = 0
  for (let count = await store.deleteBefore(time); count > 0; count = await store.deleteBefore(time))
    deleted += count
  return deleted
}

function instantOf(text: string): Date {
  return new Date(/(?:Z|[+-]\d{2}:?\d{2})$/i.test(text) ? text : `${text}Z`)
}
