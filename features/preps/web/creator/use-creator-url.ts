import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { formatSymbolParameter, parseSymbolParameter, type SymbolMap } from '@headwater/symbols/contract'
import { routeNames as names, sameName } from '@headwater/web-kit'
import type { CreatorTab } from '../prep-links.ts'

const tabs = { Table: names.table, Basket: names.basket, Charts: names.charts } as const

/** A symbol in the URL. */
export interface NamedSymbol {
  /** Name of the group. */
  groupName: string
  /** Keys and values. */
  symbols: SymbolMap
}

/** State of the creator in its URL: tab, symbol search and job. */
export interface CreatorUrl {
  /** Open tab. */
  tab: CreatorTab
  /** Text of the symbol search. */
  query: string
  /** Group of the symbol search; undefined for all. */
  groupName: string | undefined
  /** Key values to filter symbols by. */
  filters: SymbolMap
  /** Initial symbols of a new data prep: each pair of `groupName` and `symbol`. */
  named: readonly NamedSymbol[]
  /** Job to follow; undefined for none. */
  jobId: string | undefined
  /** Changes the current URL; does nothing on another page. A change of the tab adds a history entry. */
  go: (to: Partial<Omit<CreatorUrl, 'go' | 'named'>>, options?: { replace?: boolean }) => void
}

/** Reads and changes the URL of the creator, so that reload, back and links restore its state. */
export function useCreatorUrl(): CreatorUrl {
  const [search] = useSearchParams()
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  const hashTab = hash.replace(/^#/, '')
  const tab = (Object.keys(tabs) as CreatorTab[]).find((each) => sameName(hashTab, tabs[each])) ?? 'Table'
  return {
    tab,
    query: search.get('query') ?? '',
    ...symbolsIn(search),
    jobId: search.get('jobId') || undefined,
    go(to, { replace = to.tab === undefined || to.tab === tab } = {}) {
      const now = window.location
      if (now.pathname !== pathname) return
      const next = new URLSearchParams(now.search)
      const set = (name: string, value: string | undefined) => {
        if (value === undefined || value === '') next.delete(name)
        else next.set(name, value)
      }
      if ('query' in to) set('query', to.query)
      // Empty values stay in the URL, because they override the filter by its symbol.
      if ('groupName' in to) next.set('group', to.groupName ?? '')
      if ('filters' in to) next.set('filter', formatSymbolParameter(to.filters ?? {}))
      if ('jobId' in to) set('jobId', to.jobId)
      const nextHash = to.tab === undefined ? now.hash : `#${tabs[to.tab]}`
      void navigate({ pathname, search: next.toString(), hash: nextHash }, { replace })
    },
  }
}

/** Returns the symbols and the filter of a URL. Without its own filter, a single symbol is the filter. */
export function symbolsIn(search: URLSearchParams): Pick<CreatorUrl, 'named' | 'groupName' | 'filters'> {
  const groups = search.getAll('groupName')
  const given = search.getAll('symbol').map(parseSymbolParameter)
  const named = given.flatMap((symbols, index): NamedSymbol[] => {
    const groupName = groups[index]
    const values = Object.values(symbols)
    const isSymbol = values.length > 0 && !values.some((value) => value.includes('*'))
    return groupName && isSymbol ? [{ groupName, symbols }] : []
  })
  const isOne = given.length <= 1
  const filter = search.get('filter')
  return {
    named,
    groupName: (search.get('group') ?? (isOne ? groups[0] : '')) || undefined,
    filters: filter === null ? (isOne ? (given[0] ?? {}) : {}) : parseSymbolParameter(filter),
  }
}
