import { newestStatus } from '@headwater/statuses/web'
import {
  call,
  ifThere,
  links,
  pageSizes,
  searchHitLink,
  type Recent,
  type RecentHit,
  type SearchHit,
} from '@headwater/web-kit'
import { listDataPrepVersionsByName, searchDataPreps } from '../contract/index.ts'
import { type CreatorTab, prepHref } from './prep-links.ts'

/** Finds data preps for the global search. Text without `=` matches a part of the name. */
export async function findDataPreps(
  text: string,
  tab: CreatorTab,
  signal: AbortSignal,
): Promise<SearchHit[]> {
  const query = text.includes('=') ? text : `name=*${text}*`
  const page = await call(
    searchDataPreps,
    { query: { query, latest: true, size: pageSizes.search } },
    { signal },
  )
  return page.items.map((prep) => ({
    id: prep.id,
    title: prep.name,
    detail: prep.groupName,
    href: searchHitLink(prepHref(prep, tab, prep.version)),
  }))
}

/** Finds a recently opened data prep, with the status of its newest run. */
export async function findRecentDataPrep(
  { name, groupName }: Recent,
  signal: AbortSignal,
): Promise<RecentHit | undefined> {
  const query = { groupName, name, size: pageSizes.details }
  const versions = await ifThere(call(listDataPrepVersionsByName, { query }, { signal }))
  const newest = versions?.items[0]
  if (newest === undefined) return undefined
  return {
    id: newest.id,
    title: newest.name,
    detail: newest.groupName,
    href: links.dataPrep(newest.groupName, newest.name),
    latestStatus: await newestStatus({ type: 'DATAPREP', name, groupName }, signal),
  }
}
