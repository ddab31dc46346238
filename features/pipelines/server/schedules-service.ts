import type { GroupAccess } from '@headwater/groups/server'
import type { JobQueue } from '@headwater/jobs'
import type { RecordStart, Schedule, Schedules } from '@headwater/schedules/server'
import { isClientError, type Executor, type Principal } from '@headwater/server-kit'
import type { Statuses } from '@headwater/statuses/server'
import type { StoredPipelineTask } from '../contract/index.ts'
import { triggersOf } from './cron-trigger.ts'
import { pipelineKind, type PipelinesStore, type StoredPipeline } from './pipelines-store.ts'
import { reportNotStarted } from './report-not-started.ts'
import type { RunPlans } from './run-plans.ts'
import type { RunsService } from './runs-service.ts'

/** Dependencies of the schedules service. */
export interface SchedulesServiceDependencies {
  /** Starts due runs. */
  schedules: Pick<Schedules, 'register' | 'check' | 'set' | 'remove'>
  /** Saved pipelines. */
  store: Pick<PipelinesStore, 'find' | 'transaction'>
  /** Starts runs. */
  runs: Pick<RunsService, 'start'>
  /** Resolves the tasks of a pipeline. */
  plans: Pick<RunPlans, 'resolve' | 'changedByOthers'>
  /** Checks access to groups. */
  groups: Pick<GroupAccess, 'getGroupById'>
  /** Reports runs that did not start. */
  statuses: Pick<Statuses, 'startJob'>
  /** Executes due starts. */
  queue: JobQueue
  /** Returns the principal of an active user. Due runs have the access of the user who last saved the pipeline. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
}

/** The service of pipeline schedules. */
export type SchedulesService = ReturnType<typeof createSchedulesService>

/** Creates the service: each save of a pipeline sets its schedule, and due schedules start runs. */
export function createSchedulesService(deps: SchedulesServiceDependencies) {
  const { schedules, store, queue } = deps
  schedules.register(pipelineKind, {
    queue,
    async start(schedule, record) {
      const pipeline = await store.find({ id: schedule.targetId })
      // If the pipeline was deleted, its schedule was deleted with it.
      if (pipeline !== undefined) await startDueRun(deps, schedule, pipeline, record)
    },
    async giveUp(schedule, record) {
      const pipeline = await store.find({ id: schedule.targetId })
      if (pipeline !== undefined)
        await refuseDueRun(deps, schedule, pipeline, 'Several attempts failed.', record)
    },
  })

  return {
    /** Throws if a trigger cannot be parsed. */
    check: (tasks: readonly StoredPipelineTask[]): Promise<void> => schedules.check(triggersOf(tasks)),

    /**
     * Sets the schedule of a pipeline to the triggers of its tasks, in the transaction that saves the pipeline.
     */
    async set(
      pipelineId: string,
      tasks: readonly StoredPipelineTask[],
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

/** Starts a due run. If it cannot start, a failed job states the reason. */
async function startDueRun(
  deps: SchedulesServiceDependencies,
  schedule: Schedule,
  pipeline: StoredPipeline,
  record: RecordStart,
): Promise<void> {
  const { findPrincipal, groups, plans, runs } = deps
  const { setBy } = schedule
  const refuse = (reason: string) => refuseDueRun(deps, schedule, pipeline, reason, record)
  const principal = await findPrincipal(setBy.id)
  if (principal === undefined || !principal.can('Science/Creator', 'RW'))
    return refuse(
      `${pipeline.savedBy} last saved the pipeline and no longer has permission to run pipelines. Save the pipeline again.`,
    )
  try {
    await groups.getGroupById(principal, pipeline.groupId, 'R')
    const resolved = await plans.resolve(principal, pipeline.content.tasks)
    // Otherwise a user who can change a task could run code with the access of the user who set the schedule.
    const changed = plans.changedByOthers(resolved, pipeline)
    if (changed !== undefined)
      return await refuse(
        `${changed}, and runs use the access of ${pipeline.savedBy}. Review the task and save the pipeline again.`,
      )
    await runs.start(principal, pipeline, { types: ['CRON'], resolved, inSameTransaction: record })
  } catch (error) {
    if (!isClientError(error)) throw error
    await refuse(error.message)
  }
}

function refuseDueRun(
  deps: SchedulesServiceDependencies,
  { setBy }: Schedule,
  pipeline: StoredPipeline,
  reason: string,
  record: RecordStart,
): Promise<void> {
  const message = `The scheduled run did not start. ${reason}`
  return reportNotStarted(deps, pipeline, { ownerId: setBy.id, type: 'CRON', message }, record)
}
