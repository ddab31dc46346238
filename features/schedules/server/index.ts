import { fileURLToPath } from 'node:url'
import type { Clock, Database, Log } from '@headwater/server-kit'
import { startDueLoop, type DueLoop } from './due-loop.ts'
import { createNonWorkingDays, type FindHolidays } from './non-working-days.ts'
import { createSchedulesService, type SchedulesService } from './schedules-service.ts'
import { createSchedulesStore } from './schedules-store.ts'

export { nextOccurrence } from './next-occurrence.ts'
export type { RecordStart, ScheduleOwner } from './schedules-service.ts'
export type {
  CronTrigger,
  MissedRuns,
  NewSchedule,
  RuleTrigger,
  Schedule,
  Target,
  Trigger,
} from './schedules-store.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Dependencies of schedules. */
export interface SchedulesDependencies {
  /** Database that stores the schedules. */
  database: Database
  /** Clock that determines due runs. */
  clock: Clock
  /** Log for schedules that cannot be read. */
  log: Log
  /** Returns the non-working days of a holiday calendar. Default: there are no calendars. */
  findHolidays?: FindHolidays | undefined
  /** Maximum milliseconds between two reads of due schedules. Default 1000. */
  pollMs?: number
}

/** The schedules feature. */
export interface Schedules extends Pick<
  SchedulesService,
  'register' | 'find' | 'set' | 'remove' | 'check' | 'skipMissed'
> {
  /** Starts runs when they are due. Call it once, after every kind is registered. */
  start(): Promise<void>
  /** Waits for the current batch, then stops the loop. */
  stop(): Promise<void>
}

/** Interval at which schedules without a next run are checked again. */
const resumeMs = 60 * 60_000

/** Creates the schedules feature. */
export function createSchedules({
  database,
  clock,
  log,
  findHolidays = async (name) => Promise.reject(new Error(`There is no holiday calendar “${name}”.`)),
  pollMs = 1000,
}: SchedulesDependencies): Schedules {
  const warn = (message: string, error: unknown) => log.warn({ error }, message)
  const service = createSchedulesService({
    store: createSchedulesStore(database),
    nonWorkingDaysOf: createNonWorkingDays({ findHolidays, clock }),
    clock,
    warn,
  })
  let loop: DueLoop | undefined
  let retries: NodeJS.Timeout | undefined
  return {
    ...service,
    async start() {
      await service.resume()
      // A holiday calendar may have been missing temporarily.
      retries = setInterval(() => {
        service
          .resume()
          .catch((error: unknown) => warn('Schedules without a next run could not be read.', error))
      }, resumeMs).unref()
      loop = startDueLoop({ processDue: () => service.processDue(), pollMs, warn })
    },
    async stop() {
      clearInterval(retries)
      await loop?.stop()
    },
  }
}
