import type { Router } from '@headwater/server-kit'
import { getUsage } from '../contract/index.ts'
import { findUsage, type UsageDependencies } from './find-usage.ts'

/** The usage feature. */
export interface Usage {
  /** Registers the routes of the feature. */
  registerRoutes(router: Router): void
}

/** Creates the feature. It only reads data of other features. */
export function createUsage(dependencies: UsageDependencies): Usage {
  return {
    registerRoutes(router) {
      router.add(getUsage, ({ query }, { principal }) => findUsage(dependencies, principal, query))
    },
  }
}
