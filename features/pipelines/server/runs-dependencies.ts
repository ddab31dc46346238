import type { Approvals } from '@headwater/approvals/server'
import type { Files } from '@headwater/files/server'
import type { GroupAccess } from '@headwater/groups/server'
import type { Runs } from '@headwater/runs/server'
import type { Clock } from '@headwater/server-kit'
import type { Tasks } from '@headwater/tasks/server'
import type { PipelineValues } from './pipeline-values.ts'
import type { PipelinesStore } from './pipelines-store.ts'
import type { RunPlans } from './run-plans.ts'

/** Dependencies of the runs service. */
export interface RunsServiceDependencies {
  /** Stored runs and their steps. */
  runs: Runs
  /** Saved pipelines. */
  store: Pick<PipelinesStore, 'find'>
  /** Values that outlive a run. */
  values: PipelineValues
  /** Checks access to groups. */
  groups: GroupAccess
  /** Converts tasks to the steps of a run. */
  plans: RunPlans
  /** Finds tasks and their kinds. */
  tasks: Pick<Tasks, 'findRunnable' | 'findKind'>
  /** Stores the edited files of paused runs. */
  files: Pick<Files, 'create' | 'getReadable' | 'putContent'>
  /** Decides on tasks that require approvers. */
  approvals: Pick<Approvals, 'isApproval' | 'canDecide' | 'decideAs' | 'neededFor'>
  /** Current time. */
  clock: Clock
}
