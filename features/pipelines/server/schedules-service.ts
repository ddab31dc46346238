import { AppError } from '@headwater/contract'
import type { GroupAccess } from '@headwater/groups/server'
import type { JobQueue } from '@headwater/jobs'
import type { Clock, Executor, Principal } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'
import type { PipelineTask } from '../contract/index.ts'
import type { PipelinesStore, StoredTrigger } from './pipelines-store.ts'
import { nextOf, triggersOf } from './next-run.ts'
import type { RunPlans } from './run-plans.ts'
import type { RunsService } from './runs-service.ts'
import type { SchedulesStore } from './schedules-store.ts'

export interface SchedulesServiceDependencies {
  schedules: SchedulesStore
  store: Pick<PipelinesStore, 'find' | 'transaction'>
  runs: Pick<RunsService, 'start'>
  plans: Pick<RunPlans, 'find' | 'changedByOthers'>
  groups: Pick<GroupAccess, 'getGroupById'>
  statuses: Pick<Statuses, 'startJob'>
  queue: JobQueue
  /** The principal of an active user; runs ask with the rights of who saved the pipeline last. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
  clock: Clock
  /** Told of a schedule that cannot be taken up. */
  warn: (message: string, error: unknown) => void
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
  const { schedules, store, runs, plans, groups, statuses, queue, findPrincipal, clock, warn } = dependencies
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
        await refuse(
          `${pipeline.savedBy} saved the pipeline last and no longer has permission to run pipelines. Save the pipeline again.`,
        )
        return
      }
      try {
        await groups.getGroupById(principal, pipeline.groupId, 'R')
        // Otherwise who may change a task would have it run with the rights of who set the schedule.
        const found = await plans.find(principal, pipeline.tasks)
        const changed = plans.changedByOthers(found, pipeline)
        if (changed !== undefined) {
          await refuse(
            `${changed}, and runs use the access of ${pipeline.savedBy}. Review the task and save the pipeline again.`,
          )
          return
        }
        await runs.start(principal, pipeline, { types: ['CRON'], found, note })
      } catch (error) {
        if (!(error instanceof AppError) || error.status >= 500) throw error
        await refuse(error.message)
      }
    },
    async giveUp({ payload: due }) {
      const schedule = await findDue(due)
      if (schedule === undefined) return
      await tellRefusal(due.pipelineId, schedule.setBy, 'Several attempts failed.', (executor) =>
        moveOn(due, schedule.triggers, executor),
      )
    },
  })

  return {
    /** Works out the next run of schedules that came without one. */
    async resume(): Promise<void> {
      for (const { pipelineId, triggers } of await schedules.listWithoutMoment())
        try {
          const nextAt = nextOf(triggers, clock.now())
          await store.transaction(async (executor) => {
            if (await schedules.setFirst(pipelineId, nextAt, executor))
              await awaitDue(pipelineId, nextAt, executor)
          })
        } catch (error) {
          warn('a schedule of a pipeline could not be taken up', error)
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
