import { abortedByClose, createFairQueue, type Router } from '@headwater/server-kit'
import { getUsage, usageErrors } from '../contract/index.ts'
import { findUsage, type UsageDependencies } from './find-usage.ts'

/** A search reads the symbols of files, which can be a million. */
const searchesAtOnce = 4
const searchesPerUser = 2
const waitingPerUser = 20

/** The usage feature. */
export interface Usage {
  /** Registers the routes of the feature. */
  registerRoutes(router: Router): void
}

/** Creates the feature. It only reads data of other features. */
export function createUsage(dependencies: UsageDependencies): Usage {
  return {
    registerRoutes(router) {
      const queue = createFairQueue({
        concurrency: searchesAtOnce,
        perOwner: searchesPerUser,
        releaseAfterMs: 120_000,
        tooManyOfOwner: { waiting: waitingPerUser, error: usageErrors.tooManyUsageRequests },
      })
      router.add(getUsage, async ({ query }, { principal, reply }) => {
        const slot = await queue.take({ owner: principal.userId, signal: abortedByClose(reply.raw).signal })
        try {
          return await findUsage(dependencies, principal, query)
        } finally {
          slot.end()
        }
      })
    },
  }
}
