import type { Database, Router } from '@headwater/server-kit'
import type { Files } from '@headwater/files/server'
import type { Groups } from '@headwater/groups/server'
import { createInsightLocks } from './insight-locks.ts'
import { createInsightsReadModel } from './insights-read-model.ts'
import { registerInsightsRoutes } from './insights-routes.ts'
import { createInsightsService } from './insights-service.ts'

/** What other rooms may ask of insights. */
export interface Insights {
  registerRoutes(router: Router): void
}

/** Makes the insights room. It has no tables of its own: an insight is a file. */
export function createInsights(dependencies: { database: Database; files: Files; groups: Groups }): Insights {
  const { database, files, groups } = dependencies
  const service = createInsightsService({
    readModel: createInsightsReadModel(database),
    locks: createInsightLocks(database),
    files,
    groups,
  })
  return { registerRoutes: (router) => registerInsightsRoutes(router, service) }
}
