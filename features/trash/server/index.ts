import type { JobQueue } from '@headwater/jobs'
import type { Log, Router } from '@headwater/server-kit'
import { registerPurge } from './purge-trash.ts'
import { registerTrashRoutes } from './trash-routes.ts'
import { createTrashService, type TrashServiceDependencies } from './trash-service.ts'

/** Dependencies of the trash feature. */
export interface TrashDependencies extends TrashServiceDependencies {
  /** Queue of the purge. */
  jobs: JobQueue
  /** Log of the purge. */
  log: Log
  /** Whether users can see and restore deleted objects. Otherwise the feature has no routes and only purges. */
  isEnabled: boolean
}

/** The trash feature. */
export interface Trash {
  /** Registers the routes of the feature, if it is enabled. */
  registerRoutes(router: Router): void
  /** Permanently deletes all objects past the retention period; returns their number. */
  purge(): Promise<number>
  /** Schedules the hourly purge. */
  resume(): Promise<void>
}

/** Creates the trash feature. */
export function createTrash({ jobs, log, isEnabled, ...dependencies }: TrashDependencies): Trash {
  const service = createTrashService(dependencies)
  return {
    registerRoutes(router) {
      if (isEnabled) registerTrashRoutes(router, service)
    },
    purge: () => service.purge(),
    resume: registerPurge({ service, jobs, log }),
  }
}
