import type { Router } from '@headwater/server-kit'
import { listSchedules } from '../../contract/index.ts'
import { listSchedules as list, type ScheduleListDependencies } from './schedule-list-service.ts'

/** Connects the route of schedules. */
export function registerScheduleListRoutes(router: Router, deps: ScheduleListDependencies): void {
  router.add(listSchedules, ({ query }, { principal }) => list(deps, principal, query))
}
