import { AppError } from '@headwater/contract'
import type { GroupAccess } from '@headwater/groups/server'
import type { JobQueue } from '@headwater/jobs'
import type { RecordStart, Schedule, Schedules } from '@headwater/schedules/server'
import type { Executor, Principal } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'
import type { PipelineTask } from '../contract/index.ts'
import { triggersOf } from './cron-trigger.ts'
import { pipelineKind, type PipelinesStore, type StoredPipeline } from './pipelines-store.ts'
import type { RunPlans } from './run-plans.ts'
import type { RunsService } from './runs-service.ts'

export interface SchedulesServiceDependencies {
  schedules: Pick<Schedules, 'register' | 'check' | 'set' | 'remove'>
  store: Pick<PipelinesStore, 'find' | 'transaction'>
  runs: Pick<RunsService, 'start'>
  plans: Pick<RunPlans, 'find' | 'changedByOthers'>
  groups: Pick<GroupAccess, 'getGroupById'>
  statuses: Pick<Statuses, 'startJob'>
  queue: JobQueue
  /** The principal of an active user; runs use the access of the user who saved the pipeline last. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
}

export type SchedulesService = ReturnType<typeof createSchedulesService>

/** The rules of schedules of pipelines: each save sets them, and what is due starts a run. */
export function createSchedulesService(dependencies: SchedulesServiceDependencies) {
  const { schedules, store, runs, plans, groups, statuses, queue, findPrincipal } = dependencies

  /** Starts a due run; when it cannot start, a job says why. */
  async function startDue({ setBy }: Schedule, pipeline: StoredPipeline, record: RecordStart): Promise<void> {
    const refuse = (reason: string) => refuseDue(setBy.id, pipeline, reason, record)
    const principal = await findPrincipal(setBy.id)
    if (principal === undefined || !principal.can('Science/Creator', 'RW'))
      return refuse(
        `${pipeline.savedBy} saved the pipeline last and no longer has permission to run pipelines. Save the pipeline again.`,
      )
    try {
      await groups.getGroupById(principal, pipeline.groupId, 'R')
      // Otherwise who may change a task would have it run with the rights of who set the schedule.
      const found = await plans.find(principal, pipeline.content.tasks)
      const changed = plans.changedByOthers(found, pipeline)
      if (changed !== undefined)
        return await refuse(
          `${changed}, and runs use the access of ${pipeline.savedBy}. Review the task and save the pipeline again.`,
        )
      await runs.start(principal, pipeline, { types: ['CRON'], found, note: record })
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      await refuse(error.message)
    }
  }

  function refuseDue(
    ownerId: number,
    pipeline: StoredPipeline,
    reason: string,
    record: RecordStart,
  ): Promise<void> {
    const { id, name, groupId, groupName, version } = pipeline
    return store.transaction(async (executor) => {
      const jobId = await statuses.startJob(
        {
          type: 'PIPELINE',
          name,
          group: { id: groupId, name: groupName },
          ownerId,
          version,
          rootId: id,
          types: ['CRON'],
          payload: { groupName, pipelineId: id, version },
          status: 'ERROR',
          message: `The run by schedule did not start. ${reason}`,
        },
        executor,
      )
      await record(jobId, executor)
    })
  }

  schedules.register(pipelineKind, {
    queue,
    async start(schedule, record) {
      const pipeline = await store.find({ id: schedule.targetId })
      // Without it, its schedule was deleted with it.
      if (pipeline !== undefined) await startDue(schedule, pipeline, record)
    },
    async giveUp(schedule, record) {
      const pipeline = await store.find({ id: schedule.targetId })
      if (pipeline !== undefined)
        await refuseDue(schedule.setBy.id, pipeline, 'Several attempts failed.', record)
    },
  })

  return {
    /** Refuses triggers that cannot be parsed. */
    check: (tasks: readonly PipelineTask[]): void => schedules.check(triggersOf(tasks)),

    /** Sets the schedule of a pipeline to the triggers among its tasks. Part of the transaction that saves it. */
    async set(
      pipelineId: string,
      tasks: readonly PipelineTask[],
      setBy: number,
      executor: Executor,
    ): Promise<void> {
      const target = { kind: pipelineKind, targetId: pipelineId }
      const triggers = triggersOf(tasks)
      if (triggers.length === 0) await schedules.remove(target, executor)
      else await schedules.set({ ...target, triggers, active: true, setBy }, executor)
    },
  }
}
