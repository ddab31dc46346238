import { fileURLToPath } from 'node:url'
import type { Approvals } from '@headwater/approvals/server'
import type { GroupAccess } from '@headwater/groups/server'
import type { JobQueue } from '@headwater/jobs'
import type { Pipelines } from '@headwater/pipelines/server'
import type { Runs } from '@headwater/runs/server'
import type { Clock, Database, Principal, Router } from '@headwater/server-kit'
import { createBackfillsService } from './backfills/backfills-service.ts'
import { createBackfillsStore } from './backfills/backfills-store.ts'
import { registerMonitorRoutes } from './monitor-routes.ts'
import { createMonitorService } from './monitor-service.ts'
import { createMonitorStore } from './monitor-store.ts'

/** Folder of the SQL migrations of this feature. */
export const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** Dependencies of the feature. */
export interface MonitorFeatureDependencies {
  /** Stores backfills; has the runs. */
  database: Database
  /** Clock that dates backfills. */
  clock: Clock
  /** Checks access to groups. */
  groups: GroupAccess
  /** Finds pipelines and starts their runs. */
  pipelines: Pick<Pipelines, 'require' | 'find' | 'startRun'>
  /** Reads the steps of runs; stops runs. */
  runs: Runs
  /** Returns the approvers that a run waits for. */
  approvals: Pick<Approvals, 'isApproval' | 'openApprovers'>
  /** Queue of the jobs that start the runs of backfills. */
  queue: JobQueue
  /** Returns the principal of an active user. The runs of a backfill have the access of the user who started it. */
  findPrincipal: (userId: number) => Promise<Principal | undefined>
}

/** The feature. */
export interface Monitor {
  /** Adds the routes of the monitor and of backfills to a router. */
  registerRoutes(router: Router): void
}

/** Creates the feature and registers the handler that starts the runs of backfills. The caller starts the queue. */
export function createMonitor({ database, ...dependencies }: MonitorFeatureDependencies): Monitor {
  const monitor = createMonitorService({ ...dependencies, monitor: createMonitorStore(database) })
  const backfills = createBackfillsService({
    ...dependencies,
    backfills: createBackfillsStore(database.pool),
  })
  return { registerRoutes: (router) => registerMonitorRoutes(router, { monitor, backfills }) }
}
