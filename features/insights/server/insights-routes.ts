import type { Router } from '@headwater/server-kit'
import {
  createInsight,
  deleteInsight,
  getInsight,
  listInsightTags,
  searchInsights,
  updateInsight,
} from '../contract/index.ts'
import type { InsightsService } from './insights-service.ts'

/** Connects the routes of insights with their rules. */
export function registerInsightsRoutes(router: Router, service: InsightsService): void {
  router.add(searchInsights, ({ query }, { principal }) => service.search(principal, query))
  router.add(listInsightTags, ({ query }, { principal }) => service.listTags(principal, query))
  router.add(getInsight, ({ params }, { principal }) =>
    service.get(principal, params.groupName, params.insightName),
  )
  router.add(createInsight, ({ body }, { principal }) => service.create(principal, body))
  router.add(updateInsight, ({ body }, { principal }) => service.update(principal, body))
  router.add(deleteInsight, async ({ body }, { principal }) => {
    await service.remove(principal, body)
    return {}
  })
}
