import type { Router } from '@headwater/server-kit'
import { drainWorker, listWorkers } from '../contract/index.ts'
import type { WorkersService } from './workers-service.ts'

/** Registers the routes of workers. */
export function registerWorkersRoutes(router: Router, workers: WorkersService): void {
  router.add(listWorkers, () => workers.overview())
  router.add(drainWorker, async ({ params, body }) => {
    await workers.requestDrain(params.workerId, body.isDraining)
    return {}
  })
}
