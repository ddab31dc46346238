import { useQuery, useQueryClient } from '@tanstack/react-query'
import { call, routeKey } from '@headwater/web-kit'
import {
  getInsight,
  getInsightVersion,
  listInsightVersions,
  restoreInsightVersion,
  searchInsights,
} from '../../contract/index.ts'
import type { InsightName } from '../insights-client.ts'

/** An older version of an insight; it never changes. */
export function useInsightVersion(name: InsightName, version: number | undefined) {
  const input = { params: { ...name, version: version ?? 1 } }
  return useQuery({
    queryKey: routeKey(getInsightVersion, input),
    queryFn: ({ signal }) => call(getInsightVersion, input, { signal }),
    enabled: version !== undefined,
    staleTime: Infinity,
  })
}

/** Restores an older version as the newest one. */
export function useRestore(name: InsightName): (version: number, expectedFileId: string) => Promise<void> {
  const client = useQueryClient()
  return async (version, expectedFileId) => {
    const input = { params: { ...name, version }, body: { expectedFileId } }
    await call(restoreInsightVersion, input, { keep: true })
    await Promise.all(
      [getInsight, listInsightVersions, searchInsights].map((route) =>
        client.invalidateQueries({ queryKey: [route.name] }),
      ),
    )
  }
}
