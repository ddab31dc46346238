import type { Router } from '@headwater/server-kit'
import { getPipelineHistory, getRun, listRuns } from '../../contract/index.ts'
import type { MonitorService } from './monitor-service.ts'

/** Connects the routes of the monitor to its service. */
export function registerMonitorRoutes(router: Router, monitor: MonitorService): void {
  router.add(listRuns, ({ query }, { principal }) => monitor.list(principal, query))
  router.add(getRun, ({ params }, { principal }) => monitor.get(principal, params.jobId))
  router.add(getPipelineHistory, ({ params, query }, { principal }) =>
    monitor.history(principal, params.pipelineId, query),
  )
}
