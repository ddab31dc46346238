import { fileURLToPath } from 'node:url'
import type { JobQueue } from '@headwater/jobs'
import type { Clock, Database, Router } from '@headwater/server-kit'
import { registerStatusesRoutes } from './statuses-routes.ts'
import type { StatusGroups } from './new-job.ts'
import { createStatusesService, type StatusesService } from './statuses-service.ts'
import { createStatusesStore } from './statuses-store.ts'

export type { NewJob, StatusGroups } from './new-job.ts'
export type { ComponentChange } from './statuses-store.ts'
export { readsGroupsInJobs, visibilityOf, type ReadableGroups, type Visibility } from './visibility.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** The statuses feature. */
export interface Statuses extends Pick<
  StatusesService,
  | 'startJob'
  | 'joinOrStartJob'
  | 'addComponent'
  | 'updateComponent'
  | 'finishJob'
  | 'groupNameOf'
  | 'statusesOfComponents'
  | 'search'
  | 'requireReadable'
  | 'purge'
  | 'resume'
> {
  /** Registers the routes of the feature. */
  registerRoutes(router: Router): void
}

/**
 * Creates the statuses feature. The functions of groups are a parameter, because that feature comes later in the dependency
 * order.
 */
export function createStatuses(dependencies: {
  database: Database
  clock: Clock
  groups: StatusGroups
  queue: JobQueue
  /** Retention of ended jobs, in days. Default 90. */
  historyDays?: number
  /** Redacts the secrets that tasks of a user are currently using in a text from a script. */
  hideSecrets: (userId: number, text: string) => string
}): Statuses {
  const { database, hideSecrets, ...rest } = dependencies
  const service = createStatusesService({ ...rest, store: createStatusesStore(database) })
  return { ...service, registerRoutes: (router) => registerStatusesRoutes(router, service, hideSecrets) }
}
