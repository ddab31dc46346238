import type { JobQueue } from '@headwater/jobs'
import type { Clock, Executor } from '@headwater/server-kit'
import { nextMoment } from './next-moment.ts'
import type {
  DueSchedule,
  MovedSchedule,
  NewSchedule,
  Schedule,
  SchedulesStore,
  Target,
} from './schedules-store.ts'

/** What the feature that owns a kind does with its runs. */
export interface ScheduleOwner {
  /** The queue whose workers start the runs. */
  queue: JobQueue
  /**
   * Moments that passed while no server ran: `once` makes up for the first of them, `skip` for none. Default `once`.
   */
  missedRuns?: 'once' | 'skip'
  /**
   * Starts a run, or creates the job that says why it cannot start. Either happens in one transaction with `record`. An
   * error lets it be tried again.
   */
  start(schedule: Schedule, record: RecordStart): Promise<void>
  /** Creates the job that says that all attempts failed, in one transaction with `record`. */
  giveUp(schedule: Schedule, record: RecordStart): Promise<void>
}

/** Records that the due run has led to a job. It throws when the schedule was changed meanwhile; nothing starts then. */
export type RecordStart = (jobId: string, executor: Executor) => Promise<void>

export interface SchedulesServiceDependencies {
  store: SchedulesStore
  clock: Clock
  /** Reports what goes wrong without a caller. */
  warn: (message: string, error: unknown) => void
}

export type SchedulesService = ReturnType<typeof createSchedulesService>

/** Schedules that one transaction moves on. */
const batchSize = 100
/** A moment is missed when it passed longer ago; the smallest step of a cron expression. */
const missedAfterMs = 60_000

/** The rules of schedules: what is due is moved on and leads to one short job of the queue, which its owner handles. */
export function createSchedulesService({ store, clock, warn }: SchedulesServiceDependencies) {
  const owners = new Map<string, ScheduleOwner>()

  /** Moves up to `batchSize` due schedules on and enqueues their jobs; returns how many there were. */
  function takeBatch(): Promise<number> {
    return store.transaction(async (executor) => {
      const now = clock.now()
      const due = await store.lockDue([...owners.keys()], now, batchSize, executor)
      const moved: MovedSchedule[] = []
      for (const schedule of due) moved.push(await take(schedule, now, executor))
      await store.moveOn(moved, executor)
      return due.length
    })
  }

  /** Enqueues the job of a due schedule; returns what becomes of the schedule. */
  async function take(schedule: DueSchedule, now: Date, executor: Executor): Promise<MovedSchedule> {
    const { kind, targetId, nextAt } = schedule
    const owner = owners.get(kind)!
    const isDue = owner.missedRuns !== 'skip' || now.getTime() - nextAt.getTime() <= missedAfterMs
    if (isDue) {
      // A job only says that there may be a due run, so one that waits already will do.
      const key = `${jobKindOf(kind)} ${targetId}`
      const options = { uniqueKey: key, serialKey: key }
      await owner.queue.enqueue(jobKindOf(kind), { targetId }, options, executor)
    }
    return { kind, targetId, nextAt: momentAfter(schedule, now), isDue }
  }

  /** The next moment; undefined, with a warning, when the triggers cannot be parsed any more. */
  function momentAfter({ kind, targetId, triggers }: Omit<DueSchedule, 'nextAt'>, after: Date) {
    try {
      return nextMoment(triggers, after)
    } catch (error) {
      warn(`The schedule of the ${kind} ${targetId} has no next run.`, error)
      return undefined
    }
  }

  /** The schedule and the due run of a job; undefined when nothing is due, as the schedule was changed or removed. */
  async function findDue(target: Target): Promise<{ schedule: Schedule; dueAt: Date } | undefined> {
    const schedule = await store.find(target)
    return schedule?.dueAt && { schedule, dueAt: schedule.dueAt }
  }

  async function record(target: Target, dueAt: Date, jobId: string, executor: Executor): Promise<void> {
    // The next attempt finds that nothing is due.
    if (!(await store.recordStart(target, { dueAt, jobId }, executor)))
      throw new Error('The schedule was changed while its run started.')
  }

  return {
    /** Sets what happens when schedules of a kind are due. Called once for each kind, before the start. */
    register(kind: string, owner: ScheduleOwner): void {
      if (owners.has(kind)) throw new Error(`The schedules of the kind ${kind} have two owners.`)
      owners.set(kind, owner)
      owner.queue.handle<{ targetId: string }>(jobKindOf(kind), {
        async run(job) {
          const target = { kind, targetId: job.payload.targetId }
          const found = await findDue(target)
          if (found === undefined) return
          await owner.start(found.schedule, async (jobId, executor) => {
            await record(target, found.dueAt, jobId, executor)
            await job.complete(executor)
          })
        },
        async giveUp({ payload: { targetId } }) {
          const target = { kind, targetId }
          const found = await findDue(target)
          if (found === undefined) return
          await owner.giveUp(found.schedule, (jobId, executor) =>
            record(target, found.dueAt, jobId, executor),
          )
        },
      })
    },

    find: (target: Target): Promise<Schedule | undefined> => store.find(target),

    /** Sets a schedule in place of the one before. Part of a transaction that keeps its target from being deleted. */
    async set(schedule: NewSchedule, executor: Executor): Promise<void> {
      const setAt = clock.now()
      const next = nextMoment(schedule.triggers, setAt)
      await store.set({ ...schedule, setAt, nextAt: schedule.active ? next : undefined }, executor)
    },

    /** Removes a schedule, if there is one. Part of a transaction. */
    remove: (target: Target, executor: Executor): Promise<void> => store.remove(target, executor),

    /** Refuses triggers that cannot be parsed. */
    check(triggers: NewSchedule['triggers']): void {
      if (triggers.length > 0) nextMoment(triggers, clock.now())
    },

    /** Works out the next run of schedules that a migration wrote without one. */
    async resume(): Promise<void> {
      for (const schedule of await store.listWithoutMoment([...owners.keys()])) {
        const nextAt = momentAfter(schedule, clock.now())
        if (nextAt !== undefined) await store.setFirstMoment(schedule, nextAt)
      }
    },

    /** Takes everything that is due; returns the milliseconds until the next moment, `Infinity` when there is none. */
    async takeDue(): Promise<number> {
      for (;;) {
        const first = await store.firstMoment([...owners.keys()])
        const inMs = first === undefined ? Infinity : first.getTime() - clock.now().getTime()
        if (inMs > 0) return inMs
        // What another server is taking leaves nothing to lock.
        if ((await takeBatch()) === 0) return Infinity
      }
    },
  }
}

function jobKindOf(kind: string): string {
  return `start-scheduled-${kind}`
}
