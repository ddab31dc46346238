import { call, freeTextQuery, links, pageSizes, searchHitLink, type SearchHit } from '@headwater/web-kit'
import { searchSymbols } from '../contract/index.ts'
import { symbolText } from './symbol-text.ts'

/** Finds symbols for the global search. */
export async function findSymbols(text: string, signal: AbortSignal): Promise<SearchHit[]> {
  const query = { query: freeTextQuery(text), size: pageSizes.search }
  const page = await call(searchSymbols, { query }, { signal })
  return page.items.map(({ symbols, groupName }) => {
    const title = symbolText(symbols)
    return {
      id: `${groupName}/${title}`,
      title,
      detail: groupName,
      href: searchHitLink(links.dataPrepNew({ groupName, symbol: symbols })),
    }
  })
}
