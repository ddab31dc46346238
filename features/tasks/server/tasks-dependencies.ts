import type { GroupAccess } from '@headwater/groups/server'
import type { Clock } from '@headwater/server-kit'
import type { TaskKinds } from './task-kinds.ts'
import type { TasksStore } from './tasks-store.ts'

/** Dependencies of the tasks service. */
export interface TasksServiceDependencies {
  /** Saved tasks. */
  store: TasksStore
  /** Kinds of tasks that this installation can run. */
  kinds: TaskKinds
  /** Checks access to groups. */
  groups: GroupAccess
  /** Clock for the dates of saved versions. */
  clock: Clock
}
