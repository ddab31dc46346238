import type { Router } from '@headwater/server-kit'
import { listWorkers } from '../contract/index.ts'
import type { WorkersService } from './workers-service.ts'

/** Registers the routes of workers. */
export function registerWorkersRoutes(router: Router, workers: WorkersService): void {
  router.add(listWorkers, async () => ({ items: await workers.list() }))
}
