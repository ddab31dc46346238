import { call, links, pageSizes, type SearchHit } from '@headwater/web-kit'
import { searchInsights } from '../contract/index.ts'

/** Insights for the global search. */
export async function findInsights(text: string, signal: AbortSignal): Promise<SearchHit[]> {
  const page = await call(searchInsights, { query: { query: text, size: pageSizes.search } }, { signal })
  return page.items.map(({ fid, insightName, groupName }) => ({
    id: fid,
    title: insightName,
    detail: groupName,
    href: links.insight(groupName, insightName),
  }))
}
