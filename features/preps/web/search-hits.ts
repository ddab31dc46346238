import { call, pageSizes, type SearchHit } from '@headwater/web-kit'
import { searchDataPreps } from '../contract/index.ts'
import { type CreatorTab, prepHref } from './prep-links.ts'

/** Data preps for the global search: a text without `=` is a part of the name. */
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
    href: prepHref(prep, tab, prep.version),
  }))
}
