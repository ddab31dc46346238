import type { JobQueue } from '@headwater/jobs'
import type { Clock, Log } from '@headwater/server-kit'
import type { TrashService } from './trash-service.ts'

const purgeJobKind = 'purge-trash'
const purgeEveryMs = 3_600_000

/** Registers the hourly purge; the returned function schedules the next one. */
export function registerPurge({
  service,
  jobs,
  log,
  clock,
}: {
  service: Pick<TrashService, 'purge'>
  jobs: JobQueue
  log: Log
  clock: Clock
}): () => Promise<void> {
  async function enqueuePurge(): Promise<void> {
    const runAfter = new Date(clock.now().getTime() + purgeEveryMs)
    await jobs.enqueue(purgeJobKind, {}, { uniqueKey: purgeJobKind, runAfter })
  }
  jobs.handle(purgeJobKind, {
    async run() {
      const purged = await service.purge()
      if (purged > 0) log.info({ purged }, 'deleted objects of the trash permanently')
      await enqueuePurge()
    },
    giveUp: enqueuePurge,
  })
  return enqueuePurge
}
