import { fileURLToPath } from 'node:url'
import type { Clock, Database, Log } from '@headwater/server-kit'
import { startDueLoop, type DueLoop } from './due-loop.ts'
import { createSchedulesService, type SchedulesService } from './schedules-service.ts'
import { createSchedulesStore } from './schedules-store.ts'

export { nextOccurrence } from './next-occurrence.ts'
export type { RecordStart, ScheduleOwner } from './schedules-service.ts'
export type { NewSchedule, Schedule, Target, Trigger } from './schedules-store.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Dependencies of schedules. */
export interface SchedulesDependencies {
  /** PostgreSQL. */
  database: Database
  /** Clock of due runs. */
  clock: Clock
  /** Log of schedules that cannot be read. */
  log: Log
  /** Maximum milliseconds between two reads of due schedules, default 1000. */
  pollMs?: number
}

/** The schedules feature. */
export interface Schedules extends Pick<SchedulesService, 'register' | 'find' | 'set' | 'remove' | 'check'> {
  /** Starts runs when they are due. Called once, after every kind is registered. */
  start(): Promise<void>
  /** Waits for the current batch and stops the loop. */
  stop(): Promise<void>
}

/** Creates the schedules feature. */
export function createSchedules({ database, clock, log, pollMs = 1000 }: SchedulesDependencies): Schedules {
  const warn = (message: string, error: unknown) => log.warn({ error }, message)
  const service = createSchedulesService({ store: createSchedulesStore(database), clock, warn })
  let loop: DueLoop | undefined
  return {
    ...service,
    async start() {
      await service.resume()
      loop = startDueLoop({ takeDue: () => service.takeDue(), pollMs, warn })
    },
    stop: async () => loop?.stop(),
  }
}
