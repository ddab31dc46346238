import { fileURLToPath } from 'node:url'
import type { Database, Log, Router } from '@headwater/server-kit'
import { registerWorkersRoutes } from './workers-routes.ts'
import { createWorkersService, type ThisWorker, type WorkersService } from './workers-service.ts'
import type { DescribeJobs, WorkQueue } from './work-view.ts'
import { createWorkersStore } from './workers-store.ts'

export type { DescribeJobs, WorkLane, WorkQueue } from './work-view.ts'
export type { ThisWorker } from './workers-service.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Dependencies of the feature. */
export interface WorkersDependencies {
  /** Database that stores the workers. */
  database: Database
  /** Log for failed heartbeats. */
  log: Log
  /** This process. */
  self: ThisWorker
  /** Job queues of this process. */
  queue: WorkQueue
  /** Returns descriptions of running jobs by job id; jobs without a description are absent. */
  describeJobs: DescribeJobs
  /** Heartbeat interval in ms. Default 5000. */
  heartbeatMs?: number
}

/** The workers feature. */
export interface Workers extends Pick<WorkersService, 'join' | 'drain' | 'leave'> {
  /** Registers the routes of the feature. */
  registerRoutes(router: Router): void
}

/** Creates the feature. */
export function createWorkers({ database, ...rest }: WorkersDependencies): Workers {
  const service = createWorkersService({ ...rest, store: createWorkersStore(database) })
  return { ...service, registerRoutes: (router) => registerWorkersRoutes(router, service) }
}
