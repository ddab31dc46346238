import type { Router } from '@headwater/server-kit'
import {
  cancelBackfill,
  getBackfill,
  getPipelineHistory,
  getRun,
  listBackfills,
  listRuns,
  startBackfill,
} from '../contract/index.ts'
import type { BackfillsService } from './backfills/backfills-service.ts'
import type { MonitorService } from './monitor-service.ts'

/** Connects the routes of the monitor and of backfills to their services. */
export function registerMonitorRoutes(
  router: Router,
  { monitor, backfills }: { monitor: MonitorService; backfills: BackfillsService },
): void {
  router.add(listRuns, ({ query }, { principal }) => monitor.list(principal, query))
  router.add(getRun, ({ params }, { principal }) => monitor.get(principal, params.jobId))
  router.add(getPipelineHistory, ({ params, query }, { principal }) =>
    monitor.history(principal, params.pipelineId, query),
  )
  router.add(startBackfill, ({ params, body }, { principal }) =>
    backfills.start(principal, params.pipelineId, body),
  )
  router.add(listBackfills, async ({ params }, { principal }) => ({
    items: await backfills.list(principal, params.pipelineId),
  }))
  router.add(getBackfill, ({ params }, { principal }) =>
    backfills.get(principal, params.pipelineId, params.backfillId),
  )
  router.add(cancelBackfill, async ({ params }, { principal }) => {
    await backfills.cancel(principal, params.pipelineId, params.backfillId)
    return {}
  })
}
