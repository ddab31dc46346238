import { useQuery } from '@tanstack/react-query'
import { call, routeKey } from '@headwater/web-kit'
import { searchInsights, type InsightSummary } from '../../contract/index.ts'

type Query = NonNullable<Parameters<typeof call<typeof searchInsights>>[1]>['query']

/** Returns the insights that match a query, and those of the previous query until the response arrives. */
export function useInsights(query: Query, enabled = true) {
  return useQuery({
    queryKey: routeKey(searchInsights, { query }),
    enabled,
    queryFn: ({ signal }) => call(searchInsights, { query }, { signal }),
    placeholderData: (previous) => previous,
  })
}

/** Returns the name of an insight with its group. */
export function insightLabel({ insightName, groupName }: InsightSummary): string {
  return `${insightName} · ${groupName}`
}
