import type { JobQueue } from '@headwater/jobs'
import type { CronTrigger, RecordStart, Schedule, Schedules } from '@headwater/schedules/server'
import { formatUtcSeconds, isClientError, type Principal } from '@headwater/server-kit'
import type { NewJob, Statuses } from '@headwater/statuses/server'
import { prepErrors, type PrepSchedule, type PrepScheduleInput } from '../contract/index.ts'
import type { PrepsService } from './preps-service.ts'
import { prepKind, type PrepsStore } from './preps-store.ts'
import type { RunsService } from './runs-service.ts'

/** Dependencies of the schedules service. */
export interface SchedulesServiceDependencies {
  /** Stores schedules. */
  schedules: Pick<Schedules, 'register' | 'find' | 'set' | 'remove'>
  /** Stores data preps. */
  store: Pick<PrepsStore, 'find' | 'transaction' | 'hold'>
  /** Checks access to data preps. */
  preps: Pick<PrepsService, 'require'>
  /** Starts runs. */
  runs: Pick<RunsService, 'start'>
  /** Reports statuses. */
  statuses: Pick<Statuses, 'startJob' | 'addComponent'>
  /** Queue of jobs. */
  queue: JobQueue
  /** The principal of an active user; runs use the access of the user who set the schedule. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
}

/** The service of schedules. */
export type SchedulesService = ReturnType<typeof createSchedulesService>

/** Creates the service of schedules of data preps. */
export function createSchedulesService(dependencies: SchedulesServiceDependencies) {
  const { schedules, store, preps, runs, statuses, queue, findPrincipal } = dependencies

  /** Starts a due run; if it cannot start, a job records the reason. */
  async function startDue(schedule: Schedule, record: RecordStart): Promise<void> {
    const { targetId: prepId, setBy, setAt } = schedule
    const refuse = (message: string, status?: 'WARN') => refuseDue(schedule, message, record, status)
    const principal = await findPrincipal(setBy.id)
    if (principal === undefined || !principal.can('Storage/DataPreps', 'RW'))
      return refuse(
        `${setBy.userName}, who set the schedule, no longer has permission to run data preps. Set the schedule again.`,
      )
    const prep = await store.find({ id: prepId })
    // Otherwise a user who edits the data prep could read data with the access of the user who set the schedule.
    if (prep !== undefined && prep.savedBy !== setBy.userName && prep.savedAt > setAt)
      return refuse(
        `${prep.savedBy} saved version ${prep.version} after ${setBy.userName} had set the schedule, and runs use the access of the user who set it. Review the change and set the schedule again.`,
      )
    try {
      await runs.start(principal, prepId, prep?.version, record)
    } catch (error) {
      if (!isClientError(error)) throw error
      await refuse(error.message, error.code === 'prepRunning' ? 'WARN' : undefined)
    }
  }

  async function refuseDue(
    { targetId: prepId, setBy }: Schedule,
    reason: string,
    record: RecordStart,
    status: 'WARN' | 'ERROR' = 'ERROR',
  ): Promise<void> {
    const prep = await store.find({ id: prepId })
    // Its schedule was deleted with it.
    if (prep === undefined) return
    const refusal = { status, message: `The scheduled run did not start. ${reason}` }
    await store.transaction(async (executor) => {
      const job: NewJob = {
        type: 'DATAPREP',
        name: prep.name,
        group: { id: prep.groupId, name: prep.groupName },
        ownerId: setBy.id,
        rootId: prepId,
        ...refusal,
      }
      const jobId = await statuses.startJob(job, executor)
      const component = { eId: jobId, component: 'Data prep', payload: {}, ...refusal }
      await statuses.addComponent(jobId, component, executor)
      await record(jobId, executor)
    })
  }

  schedules.register(prepKind, {
    queue,
    start: startDue,
    giveUp: (schedule, record) => refuseDue(schedule, 'Several attempts failed.', record),
  })

  return {
    /** Returns the schedule of a data prep; null without one. */
    async get(principal: Principal, prepId: string): Promise<PrepSchedule | null> {
      const { item: prep } = await preps.require(principal, { id: prepId }, 'R')
      const schedule = await schedules.find(targetOf(prep.id))
      return schedule === undefined ? null : toPrepSchedule(schedule)
    },

    /** Sets or changes the schedule; its runs use the access of the caller from now on. */
    async set(principal: Principal, prepId: string, input: PrepScheduleInput): Promise<PrepSchedule> {
      const { item: prep } = await preps.require(principal, { id: prepId }, 'RW')
      const { cron, timeZone, active } = input
      const target = targetOf(prep.id)
      const exists = await store.transaction(async (executor) => {
        if (!(await store.hold(prep.id, executor))) return false
        await schedules.set(
          { ...target, triggers: [{ cron, timeZone }], active, setBy: principal.userId },
          executor,
        )
        return true
      })
      const schedule = exists ? await schedules.find(target) : undefined
      if (schedule === undefined) throw prepErrors.notFound({ what: `“${prep.name}”` })
      return toPrepSchedule(schedule)
    },

    async remove(principal: Principal, prepId: string): Promise<void> {
      const { item: prep } = await preps.require(principal, { id: prepId }, 'RW')
      await store.transaction((executor) => schedules.remove(targetOf(prep.id), executor))
    },
  }
}

function targetOf(prepId: string) {
  return { kind: prepKind, targetId: prepId }
}

function toPrepSchedule({ triggers, active, setBy, setAt, nextAt, lastRun }: Schedule): PrepSchedule {
  const { cron, timeZone } = triggers[0] as CronTrigger
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
