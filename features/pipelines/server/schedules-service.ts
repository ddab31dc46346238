import { AppError } from '@headwater/contract'
import { CronError, nextMoments } from '@headwater/cron'
import type { JobQueue } from '@headwater/jobs'
import type { Clock, Executor, Principal } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'
import { cronTriggerName, pipelineErrors, type PipelineTask } from '../contract/index.ts'
import type { PipelinesStore, StoredTrigger } from './pipelines-store.ts'
import type { RunsService } from './runs-service.ts'
import type { SchedulesStore } from './schedules-store.ts'

export interface SchedulesServiceDependencies {
  schedules: SchedulesStore
  store: Pick<PipelinesStore, 'find' | 'transaction'>
  runs: Pick<RunsService, 'start'>
  statuses: Pick<Statuses, 'startJob'>
  queue: JobQueue
  /** The principal of an active user; runs ask with the rights of who saved the pipeline last. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  clock: Clock
}

export type SchedulesService = ReturnType<typeof createSchedulesService>

const dueJobKind = 'run-scheduled-pipeline'

interface DueRun {
  pipelineId: string
  /** ISO text. What is due at another moment by now is not started by this job. */
  dueAt: string
}

/** The rules of triggers by time: each save sets them, and what is due starts a run. */
export function createSchedulesService(dependencies: SchedulesServiceDependencies) {
  const { schedules, store, runs, statuses, queue, findPrincipal, clock } = dependencies
  const waitingRunOf = (pipelineId: string) => `${dueJobKind} ${pipelineId}`

  /** Has the next run of a pipeline wait for its moment, in place of the one that waited. Part of a transaction. */
  async function awaitDue(pipelineId: string, dueAt: Date | undefined, executor: Executor): Promise<void> {
    const uniqueKey = waitingRunOf(pipelineId)
    await queue.withdraw(uniqueKey, executor)
    if (dueAt === undefined) return
    const due: DueRun = { pipelineId, dueAt: dueAt.toISOString() }
    const serialKey = `${uniqueKey} ${due.dueAt}`
    await queue.enqueue(dueJobKind, due, { runAfter: dueAt, uniqueKey, serialKey }, executor)
  }

  async function findDue({ pipelineId, dueAt }: DueRun) {
    const found = await schedules.find(pipelineId)
    return found?.nextAt?.getTime() === new Date(dueAt).getTime() ? found : undefined
  }

  /** Moves on to the next moment. Part of the transaction that starts what was due, or says why nothing started. */
  async function moveOn(due: DueRun, triggers: readonly StoredTrigger[], executor: Executor): Promise<void> {
    const dueAt = new Date(due.dueAt)
    // Of several moments that passed while nothing ran only the first is made up for.
    const nextAt = nextOf(triggers, new Date(Math.max(dueAt.getTime(), clock.now().getTime())))
    // The next try finds that nothing is due.
    if (!(await schedules.advance(due.pipelineId, dueAt, nextAt, executor)))
      throw new Error('The schedule was changed while its run started.')
    await awaitDue(due.pipelineId, nextAt, executor)
  }

  async function tellRefusal(
    pipelineId: string,
    ownerId: number,
    reason: string,
    note: (executor: Executor) => Promise<void>,
  ): Promise<void> {
    const found = await store.find({ id: pipelineId })
    await store.transaction(async (executor) => {
      if (found !== undefined)
        await statuses.startJob(
          {
            type: 'PIPELINE',
            name: found.name,
            group: { id: found.groupId, name: found.groupName },
            ownerId,
            version: found.version,
            rootId: pipelineId,
            types: ['CRON'],
            payload: { groupName: found.groupName, pipelineId, version: found.version },
            status: 'ERROR',
            message: `The run by schedule did not start. ${reason}`,
          },
          executor,
        )
      await note(executor)
    })
  }

  queue.handle<DueRun>(dueJobKind, {
    async run(job) {
      const { payload: due } = job
      const schedule = await findDue(due)
      const pipeline = schedule && (await store.find({ id: due.pipelineId }))
      if (schedule === undefined || pipeline === undefined) return
      const note = async (executor: Executor) => {
        await moveOn(due, schedule.triggers, executor)
        await job.complete(executor)
      }
      const refuse = (reason: string) => tellRefusal(due.pipelineId, schedule.setBy, reason, note)
      const principal = await findPrincipal(schedule.setBy)
      if (principal === undefined || !principal.can('Science/Creator', 'RW')) {
        await refuse(`${pipeline.savedBy}, who saved it last, may not run pipelines any more. Save it anew.`)
        return
      }
      try {
        await runs.start(principal, pipeline, { types: ['CRON'], note })
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error
        await refuse(error.message)
      }
    },
    async giveUp({ payload: due }) {
      const schedule = await findDue(due)
      if (schedule === undefined) return
      await tellRefusal(due.pipelineId, schedule.setBy, 'It was tried several times.', (executor) =>
        moveOn(due, schedule.triggers, executor),
      )
    },
  })

  return {
    /** Sees to it that every schedule has a moment, and that its next run waits for it. */
    async resume(): Promise<void> {
      for (const schedule of await schedules.list()) {
        const nextAt = schedule.nextAt ?? nextOf(schedule.triggers, clock.now())
        await store.transaction(async (executor) => {
          await schedules.set({ ...schedule, nextAt }, executor)
          await awaitDue(schedule.pipelineId, nextAt, executor)
        })
      }
    },

    /** Refuses triggers that cannot be read. */
    check(tasks: readonly PipelineTask[]): void {
      const triggers = triggersOf(tasks)
      if (triggers.length > 0) nextOf(triggers, clock.now())
    },

    /** Sets when a pipeline runs by itself, as its tasks say. Part of the transaction that saves it. */
    async set(
      pipelineId: string,
      tasks: readonly PipelineTask[],
      setBy: number,
      executor: Executor,
    ): Promise<void> {
      const triggers = triggersOf(tasks)
      if (triggers.length === 0) {
        await schedules.remove(pipelineId, executor)
        await awaitDue(pipelineId, undefined, executor)
        return
      }
      const nextAt = nextOf(triggers, clock.now())
      await schedules.set({ pipelineId, triggers, setBy, nextAt }, executor)
      await awaitDue(pipelineId, nextAt, executor)
    },
  }
}

/** The triggers by time among tasks; one that is paused starts nothing. */
function triggersOf(tasks: readonly PipelineTask[]): StoredTrigger[] {
  return tasks
    .filter(
      ({ taskName, taskGroupName, isPaused }) =>
        taskName === cronTriggerName && taskGroupName === '' && !isPaused,
    )
    .map(({ params }) => {
      const valueOf = (name: string) => params.find((param) => param.name === name)?.value.trim() ?? ''
      return { cron: valueOf('cron'), timeZone: valueOf('timeZone') || 'UTC' }
    })
}

/** The next moment of all triggers. What cannot be read is told with its field. */
function nextOf(triggers: readonly StoredTrigger[], after: Date): Date {
  const moments = triggers.map(({ cron, timeZone }) => {
    try {
      return nextMoments({ expression: cron, timeZone }, after, 1)[0]!.getTime()
    } catch (error) {
      if (!(error instanceof CronError)) throw error
      const refuse =
        error.part === 'timeZone' ? pipelineErrors.scheduleZoneUnknown : pipelineErrors.scheduleUnreadable
      throw refuse({ reason: error.message })
    }
  })
  return new Date(Math.min(...moments))
}
