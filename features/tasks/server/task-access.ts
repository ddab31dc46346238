import { itemAccess } from '@headwater/items/server'
import { taskErrors } from '../contract/index.ts'
import type { TasksServiceDependencies } from './tasks-dependencies.ts'
import type { StoredTask } from './tasks-store.ts'

/** Returns the access checks of saved tasks. Access to a task depends on access to its group. */
export function accessToTasks({ store, groups }: TasksServiceDependencies) {
  return itemAccess<StoredTask>({ store, groups, errors: taskErrors })
}
