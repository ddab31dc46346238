import { AppError } from '@headwater/contract'
import { CronError, nextMoments } from '@headwater/cron'
import type { JobQueue, RunningJob } from '@headwater/jobs'
import { formatUtcSeconds, type Clock, type Executor, type Principal } from '@headwater/server-kit'
import type { NewJob, Statuses } from '@headwater/statuses/server'
import { prepErrors, type PrepSchedule, type PrepScheduleInput } from '../contract/index.ts'
import type { PrepsService } from './preps-service.ts'
import type { PrepsStore } from './preps-store.ts'
import type { RunsService } from './runs-service.ts'
import type { SchedulesStore, StoredSchedule } from './schedules-store.ts'

export interface SchedulesServiceDependencies {
  schedules: SchedulesStore
  store: Pick<PrepsStore, 'find'>
  preps: Pick<PrepsService, 'require'>
  runs: Pick<RunsService, 'start'>
  statuses: Pick<Statuses, 'startJob' | 'addComponent'>
  queue: JobQueue
  /** The principal of an active user; runs ask with the rights of who set the schedule. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  clock: Clock
}

export type SchedulesService = ReturnType<typeof createSchedulesService>

const dueJobKind = 'run-scheduled-data-prep'

/** Unique key of the job in the queue that waits for the moment of the next run of a data prep. */
export function waitingRunOf(prepId: string): string {
  return `${dueJobKind} ${prepId}`
}

interface DueRun {
  prepId: string
  /** ISO text. What is due at another moment by now is not started by this job. */
  dueAt: string
}

/** Notes that what was due has led to a job. Takes part in the transaction that makes the job. */
type Note = (jobId: string, executor: Executor) => Promise<void>

/** The rules of schedules: who sets them, and what happens when a run is due. */
export function createSchedulesService(dependencies: SchedulesServiceDependencies) {
  const { schedules, store, preps, runs, statuses, queue, findPrincipal, clock } = dependencies

  /** Has the next run of a data prep wait for its moment, in place of the one that waited. Part of a transaction that holds the schedule. */
  async function awaitDue(prepId: string, dueAt: Date | undefined, executor: Executor): Promise<void> {
    const uniqueKey = waitingRunOf(prepId)
    await queue.withdraw(uniqueKey, executor)
    if (dueAt === undefined) return
    const due: DueRun = { prepId, dueAt: dueAt.toISOString() }
    const serialKey = `${uniqueKey} ${due.dueAt}`
    await queue.enqueue(dueJobKind, due, { runAfter: dueAt, uniqueKey, serialKey }, executor)
  }

  /** Starts what is due; where no run can start, a job says why. Either comes about together with its note, or not at all. */
  async function startDue({ prepId, setBy, setAt }: StoredSchedule, note: Note): Promise<void> {
    const refuse = (message: string, status?: 'WARN') => tellRefusal(prepId, setBy.id, message, note, status)
    const principal = await findPrincipal(setBy.id)
    if (principal === undefined || !principal.can('Storage/DataPreps', 'RW'))
      return refuse(
        `${setBy.userName}, who set the schedule, no longer has permission to run data preps. Set the schedule again.`,
      )
    const prep = await store.find({ id: prepId })
    // Otherwise who may change the data prep would read whatever the one may who set the schedule.
    if (prep !== undefined && prep.savedBy !== setBy.userName && prep.savedAt > setAt)
      return refuse(
        `${prep.savedBy} saved version ${prep.version} after ${setBy.userName} had set the schedule, and runs use the access of the user who set it. Review the change and set the schedule again.`,
      )
    try {
      await runs.start(principal, prepId, prep?.version, note)
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      await refuse(error.message, error.code === 'prepRunning' ? 'WARN' : undefined)
    }
  }

  async function tellRefusal(
    prepId: string,
    ownerId: number,
    message: string,
    note: Note,
    status: 'WARN' | 'ERROR' = 'ERROR',
  ): Promise<void> {
    const prep = await store.find({ id: prepId })
    const told = { status, message: `The run by schedule did not start. ${message}` }
    await schedules.transaction(async (executor) => {
      const job: NewJob = {
        type: 'DATAPREP',
        name: prep?.name ?? '',
        ...(prep === undefined ? {} : { group: { id: prep.groupId, name: prep.groupName } }),
        ownerId,
        rootId: prepId,
        ...told,
      }
      const jobId = await statuses.startJob(job, executor)
      const component = { eId: jobId, component: 'Data prep', payload: {}, ...told }
      await statuses.addComponent(jobId, component, executor)
      await note(jobId, executor)
    })
  }

  /** The schedule of a due run; undefined when it is not due any more, as the schedule was changed. */
  async function findDue({ prepId, dueAt }: DueRun): Promise<StoredSchedule | undefined> {
    const found = await schedules.find(prepId)
    return found?.nextAt?.getTime() === new Date(dueAt).getTime() ? found : undefined
  }

  /** Notes the job of a due run, and has the next one wait. Part of a transaction. */
  async function moveOn(due: DueRun, schedule: StoredSchedule, jobId: string, executor: Executor) {
    const { prepId } = due
    const dueAt = new Date(due.dueAt)
    // Of several moments that passed while nothing ran only the first is made up for.
    const after = new Date(Math.max(dueAt.getTime(), clock.now().getTime()))
    const nextAt = nextMoment(schedule, after)
    // The next try finds that nothing is due.
    if (!(await schedules.advance(prepId, { dueAt, jobId, nextAt }, executor)))
      throw new Error('The schedule was changed while its run started.')
    await awaitDue(prepId, nextAt, executor)
  }

  queue.handle<DueRun>(dueJobKind, {
    async run(job: RunningJob<DueRun>) {
      const found = await findDue(job.payload)
      if (found === undefined) return
      await startDue(found, async (jobId, executor) => {
        await moveOn(job.payload, found, jobId, executor)
        await job.complete(executor)
      })
    },
    async giveUp({ payload }) {
      const found = await findDue(payload)
      if (found === undefined) return
      await tellRefusal(payload.prepId, found.setBy.id, 'Several attempts failed.', (jobId, executor) =>
        moveOn(payload, found, jobId, executor),
      )
    },
  })

  return {
    /** The schedule of a data prep that the caller can read; null when it has none. */
    async get(principal: Principal, prepId: string): Promise<PrepSchedule | null> {
      const { prep } = await preps.require(principal, { id: prepId }, 'R')
      const found = await schedules.find(prep.id)
      return found === undefined ? null : shown(found)
    },

    /** Sets or changes the schedule; its runs ask with the rights of the caller from now on. */
    async set(principal: Principal, prepId: string, input: PrepScheduleInput): Promise<PrepSchedule> {
      const { prep } = await preps.require(principal, { id: prepId }, 'RW')
      const { cron, timeZone, active } = input
      const setAt = clock.now()
      const next = nextMoment(input, setAt)
      const nextAt = active ? next : undefined
      const isThere = await schedules.transaction(async (executor) => {
        const schedule = {
          prepId: prep.id,
          cron,
          timeZone,
          active,
          setBy: principal.userId,
          setAt,
          nextAt,
        }
        if (!(await schedules.set(schedule, executor))) return false
        await awaitDue(prep.id, nextAt, executor)
        return true
      })
      const found = isThere ? await schedules.find(prep.id) : undefined
      if (found === undefined) throw prepErrors.prepNotFound({ what: `“${prep.name}”` })
      return shown(found)
    },

    async remove(principal: Principal, prepId: string): Promise<void> {
      const { prep } = await preps.require(principal, { id: prepId }, 'RW')
      await schedules.transaction(async (executor) => {
        await schedules.remove(prep.id, executor)
        await awaitDue(prep.id, undefined, executor)
      })
    },
  }
}

/** The next moment of a schedule. What cannot be read is told with its field. */
function nextMoment({ cron, timeZone }: Pick<StoredSchedule, 'cron' | 'timeZone'>, after: Date): Date {
  try {
    return nextMoments({ expression: cron, timeZone }, after, 1)[0]!
  } catch (error) {
    if (!(error instanceof CronError)) throw error
    const refuse = error.part === 'timeZone' ? prepErrors.scheduleZoneUnknown : prepErrors.scheduleUnreadable
    throw refuse({ reason: error.message })
  }
}

function shown(schedule: StoredSchedule): PrepSchedule {
  const { cron, timeZone, active, setBy, setAt, nextAt, lastRun } = schedule
  return {
    cron,
    timeZone,
    active,
    setBy: setBy.userName,
    setAt: formatUtcSeconds(setAt),
    nextRun: nextAt === undefined ? null : formatUtcSeconds(nextAt),
    lastRun: lastRun === undefined ? null : { at: formatUtcSeconds(lastRun.at), jobId: lastRun.jobId },
  }
}
