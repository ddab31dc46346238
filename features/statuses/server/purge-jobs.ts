import { registerHourly, type JobQueue } from '@headwater/jobs'
import type { Clock } from '@headwater/server-kit'
import type { StatusesStore } from './statuses-store.ts'

const dayMs = 86_400_000

/** Registers the hourly purge of ended jobs. */
export function createPurge(deps: {
  store: Pick<StatusesStore, 'purge'>
  clock: Clock
  queue: JobQueue
  historyDays?: number
}) {
  const { store, clock, queue, historyDays = 90 } = deps
  /** Deletes jobs that ended more than `historyDays` days ago, except the newest job of each item. Returns their number. */
  const purge = () => store.purge(new Date(clock.now().getTime() - historyDays * dayMs))

  return {
    purge,
    /** Starts the hourly purge. */
    resume: registerHourly(queue, 'purge-statuses', purge),
  }
}
