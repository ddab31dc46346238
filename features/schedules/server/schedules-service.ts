import type { JobQueue } from '@headwater/jobs'
import type { Clock, Executor } from '@headwater/server-kit'
import type { NonWorkingDaysByCalendar } from './non-working-days.ts'
import { nextOccurrence } from './next-occurrence.ts'
import type {
  DueSchedule,
  MissedRuns,
  MovedSchedule,
  NewSchedule,
  Schedule,
  SchedulesStore,
  Target,
  Trigger,
} from './schedules-store.ts'

/** The handlers for a kind of schedule, registered by its feature. */
export interface ScheduleOwner {
  /** The queue that starts the runs. */
  queue: JobQueue
  /** Policy for missed occurrences of schedules without their own policy. Default `once`. */
  missedRuns?: MissedRuns
  /**
   * Starts a run, or creates a job with the reason why it cannot start, in the same transaction as `record`. An error causes a
   * retry.
   */
  start(schedule: Schedule, record: RecordStart): Promise<void>
  /** Creates a job that reports that all attempts failed, in the same transaction as `record`. */
  giveUp(schedule: Schedule, record: RecordStart): Promise<void>
}

/** Records the job of the due run. Throws if the schedule has changed, which rolls the start back. */
export type RecordStart = (jobId: string, executor: Executor) => Promise<void>

/** Dependencies of the service. */
export interface SchedulesServiceDependencies {
  /** Stores schedules. */
  store: SchedulesStore
  /** Loads the non-working days of the holiday calendars that triggers use. */
  nonWorkingDaysOf: (triggers: readonly Trigger[], after: Date) => Promise<NonWorkingDaysByCalendar>
  /** Clock that determines due runs. */
  clock: Clock
  /** Reports errors outside requests. */
  warn: (message: string, error: unknown) => void
}

/** The service of schedules. */
export type SchedulesService = ReturnType<typeof createSchedulesService>

/** Maximum number of schedules per transaction. */
const batchSize = 100
/** Time after which an occurrence counts as missed, in ms: the shortest interval of a cron expression. */
const missedAfterMs = 60_000
/** Maximum age of missed occurrences that the policy `all` runs, in ms. */
const allMissedMs = 24 * 60 * 60_000

/**
 * Creates the service. When a schedule is due, the service moves it to its next occurrence and enqueues one short job for its
 * owner.
 */
export function createSchedulesService({
  store,
  nonWorkingDaysOf,
  clock,
  warn,
}: SchedulesServiceDependencies) {
  const owners = new Map<string, ScheduleOwner>()

  /** Moves up to `batchSize` due schedules to their next occurrence and enqueues their jobs; returns their number. */
  function processBatch(): Promise<number> {
    return store.transaction(async (executor) => {
      const now = clock.now()
      const due = await store.lockDue([...owners.keys()], now, batchSize, executor)
      const moved: MovedSchedule[] = []
      for (const schedule of due) moved.push(await enqueueDue(schedule, now, executor))
      await store.moveOn(moved, executor)
      return due.length
    })
  }

  /** Enqueues the job of a due schedule if it must run; returns its next occurrence. */
  async function enqueueDue(schedule: DueSchedule, now: Date, executor: Executor): Promise<MovedSchedule> {
    const { kind, targetId, nextAt } = schedule
    const owner = owners.get(kind)!
    const missedRuns = schedule.missedRuns ?? owner.missedRuns ?? 'once'
    const lateMs = now.getTime() - nextAt.getTime()
    const isDue =
      !(missedRuns === 'skip' && lateMs > missedAfterMs) &&
      !(missedRuns === 'all' && lateMs > allMissedMs) &&
      (await stillOccurs(schedule))
    if (isDue) {
      // A job only checks for a due run, so one waiting job per schedule suffices.
      const key = `${jobKindOf(kind)} ${targetId}`
      const options = { uniqueKey: key, serialKey: key }
      await owner.queue.enqueue(jobKindOf(kind), { targetId }, options, executor)
    }
    const after =
      missedRuns === 'all' ? new Date(Math.max(nextAt.getTime(), now.getTime() - allMissedMs)) : now
    return { kind, targetId, nextAt: await occurrenceAfter(schedule, after), isDue }
  }

  /** Returns whether the next occurrence of a schedule is still valid, because its calendar may have changed. */
  async function stillOccurs({ triggers, nextAt }: DueSchedule): Promise<boolean> {
    if (triggers.every(({ holidayCalendar }) => holidayCalendar === undefined)) return true
    const before = new Date(nextAt.getTime() - 1)
    try {
      return (await occurrenceOf(triggers, before)).getTime() === nextAt.getTime()
    } catch {
      // If the calendar no longer exists, the schedule keeps its current occurrence.
      return true
    }
  }

  async function occurrenceOf(triggers: readonly Trigger[], after: Date): Promise<Date> {
    return nextOccurrence(triggers, after, await nonWorkingDaysOf(triggers, after))
  }

  /** Returns the next occurrence; undefined, with a warning, if the triggers are invalid. */
  async function occurrenceAfter(
    { kind, targetId, triggers }: Target & { triggers: readonly Trigger[] },
    after: Date,
  ): Promise<Date | undefined> {
    try {
      return await occurrenceOf(triggers, after)
    } catch (error) {
      warn(`The schedule of the ${kind} ${targetId} has no next run.`, error)
      return undefined
    }
  }

  /** Returns the schedule and the due run of a job; undefined if nothing is due because the schedule changed. */
  async function findDue(target: Target): Promise<{ schedule: Schedule; dueAt: Date } | undefined> {
    const schedule = await store.find(target)
    return schedule?.dueAt && { schedule, dueAt: schedule.dueAt }
  }

  async function record(target: Target, dueAt: Date, jobId: string, executor: Executor): Promise<void> {
    // The retry finds no due run.
    if (!(await store.recordStart(target, { dueAt, jobId }, executor)))
      throw new Error('The schedule was changed while its run was starting.')
  }

  return {
    /** Registers the owner of a kind. Call it once per kind, before the start. */
    register(kind: string, owner: ScheduleOwner): void {
      if (owners.has(kind)) throw new Error(`The schedules of the kind ${kind} have two owners.`)
      owners.set(kind, owner)
      owner.queue.handle<{ targetId: string }>(jobKindOf(kind), {
        async run(job) {
          const target = { kind, targetId: job.payload.targetId }
          const due = await findDue(target)
          if (due === undefined) return
          await owner.start(due.schedule, async (jobId, executor) => {
            await record(target, due.dueAt, jobId, executor)
            await job.complete(executor)
          })
        },
        async giveUp({ payload: { targetId } }) {
          const target = { kind, targetId }
          const due = await findDue(target)
          if (due === undefined) return
          await owner.giveUp(due.schedule, (jobId, executor) => record(target, due.dueAt, jobId, executor))
        },
      })
    },

    /** Returns the schedule of a target. */
    find: (target: Target): Promise<Schedule | undefined> => store.find(target),

    /** Creates or replaces a schedule in a transaction that has locked its target. */
    async set(schedule: NewSchedule, executor: Executor): Promise<void> {
      const setAt = clock.now()
      const next = await occurrenceOf(schedule.triggers, setAt)
      await store.set({ ...schedule, setAt, nextAt: schedule.active ? next : undefined }, executor)
    },

    /** Removes a schedule, if it exists, as part of a transaction. */
    remove: (target: Target, executor: Executor): Promise<void> => store.remove(target, executor),

    /** Drops the due runs of targets, so that they continue with their next occurrences; part of a transaction. */
    async skipMissed(kind: string, targetIds: readonly string[], executor: Executor): Promise<void> {
      for (const schedule of await store.dropDue(kind, targetIds, executor)) {
        const nextAt = await occurrenceAfter(schedule, clock.now())
        if (nextAt !== undefined) await store.setFirstOccurrence(schedule, nextAt, executor)
      }
    },

    /** Throws `scheduleUnreadable`, `scheduleZoneUnknown` or the error of an unknown holiday calendar for invalid triggers. */
    async check(triggers: NewSchedule['triggers']): Promise<void> {
      if (triggers.length > 0) await occurrenceOf(triggers, clock.now())
    },

    /** Computes the next occurrence of schedules that a migration created without one. */
    async resume(): Promise<void> {
      for (const schedule of await store.listWithoutOccurrence([...owners.keys()])) {
        const nextAt = await occurrenceAfter(schedule, clock.now())
        if (nextAt !== undefined) await store.setFirstOccurrence(schedule, nextAt)
      }
    },

    /** Processes all due schedules; returns the milliseconds until the next occurrence, or `Infinity` if there is none. */
    async processDue(): Promise<number> {
      for (;;) {
        const first = await store.firstOccurrence([...owners.keys()])
        const inMs = first === undefined ? Infinity : first.getTime() - clock.now().getTime()
        if (inMs > 0) return inMs
        // A different server may have locked all due schedules.
        if ((await processBatch()) === 0) return Infinity
      }
    },
  }
}

function jobKindOf(kind: string): string {
  return `start-scheduled-${kind}`
}
