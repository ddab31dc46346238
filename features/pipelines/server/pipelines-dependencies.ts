import type { GroupAccess } from '@headwater/groups/server'
import type { Clock, Executor } from '@headwater/server-kit'
import type { Tasks } from '@headwater/tasks/server'
import type { PipelinesStore } from './pipelines-store.ts'
import type { RunPlans } from './run-plans.ts'
import type { SchedulesService } from './schedules-service.ts'

/** Dependencies of the pipelines service. */
export interface PipelinesServiceDependencies {
  /** Saved pipelines. */
  store: PipelinesStore
  /** Checks access to groups. */
  groups: GroupAccess
  /** Returns the categories of tasks. */
  tasks: Pick<Tasks, 'categoriesOf'>
  /** Checks the tasks of a pipeline. */
  plans: RunPlans
  /** Sets the schedule of a pipeline. */
  schedules: Pick<SchedulesService, 'check' | 'set'>
  /** Requests a stop of the runs of pipelines, in the transaction that deletes the pipelines. */
  stopRuns: (which: { pipelineIds: readonly string[] }, executor: Executor) => Promise<void>
  /** Returns the ids of the favourite pipelines of a user. */
  favouriteIds: (userId: number) => Promise<readonly string[]>
  /** Returns the job id of the latest run of each pipeline that has run. */
  latestJobs: (pipelineIds: readonly string[]) => Promise<ReadonlyMap<string, string>>
  /** Clock for the dates of saved versions. */
  clock: Clock
}
