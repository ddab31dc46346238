import { registerHourly, type JobQueue } from '@headwater/jobs'
import type { Log } from '@headwater/server-kit'
import type { TrashService } from './trash-service.ts'

/** Registers the hourly purge; the returned function schedules the next one. */
export function registerPurge({
  service,
  jobs,
  log,
}: {
  service: Pick<TrashService, 'purge'>
  jobs: JobQueue
  log: Log
}): () => Promise<void> {
  return registerHourly(jobs, 'purge-trash', async () => {
    const purged = await service.purge()
    if (purged > 0) log.info({ purged }, 'deleted objects of the trash permanently')
  })
}
