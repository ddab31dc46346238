import type { Router } from '@headwater/server-kit'
import { getDemo, getDemoRemoval, removeDemo } from '../contract/index.ts'
import type { DemoService } from './demo-service.ts'

/** Registers the routes of the demo. */
export function registerDemoRoutes(router: Router, service: DemoService): void {
  router.add(getDemo, (_input, { principal }) => service.state(principal))
  router.add(getDemoRemoval, (_input, { principal }) => service.removal(principal))
  router.add(removeDemo, (_input, { principal }) => service.remove(principal))
}
