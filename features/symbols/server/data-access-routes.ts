import type { Router } from '@headwater/server-kit'
import { requestDataAccess } from '../contract/index.ts'
import type { DataAccessService } from './data-access-service.ts'

/** Registers the route for data access requests. */
export function registerDataAccessRoutes(router: Router, service: DataAccessService): void {
  router.add(requestDataAccess, ({ body }, { principal }) => service.request(principal, body))
}
