import { searchFiles } from '@headwater/files/contract'
import {
  call,
  freeTextQuery,
  links,
  pageSizes,
  type Recent,
  type RecentHit,
  type SearchHit,
} from '@headwater/web-kit'
import { searchInsights } from '../contract/index.ts'

/** Insights for the global search. */
export async function findInsights(text: string, signal: AbortSignal): Promise<SearchHit[]> {
  const query = { query: freeTextQuery(text), size: pageSizes.search }
  const page = await call(searchInsights, { query }, { signal })
  return page.items.map(({ fid, insightName, groupName }) => ({
    id: fid,
    title: insightName,
    detail: groupName,
    href: links.insight(groupName, insightName),
  }))
}

/** Returns a recently viewed insight by the newest version of its file. */
export async function findRecentInsight(
  { name, groupName }: Recent,
  signal: AbortSignal,
): Promise<RecentHit | undefined> {
  const fileName = `${name}.json`
  const query = { name: fileName, groupName, type: 'INSIGHT', latest: true, size: pageSizes.details }
  const { items } = await call(searchFiles, { query }, { signal })
  const file = items.find((each) => each.fileName === fileName && each.groupName === groupName)
  if (file === undefined) return undefined
  return { id: file.fid, title: name, detail: groupName, href: links.insight(groupName, name) }
}
