import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { formatSymbolParameter, parseSymbolParameter, type SymbolMap } from '@headwater/symbols/contract'
import { routeNames as names, sameName } from '@headwater/web-kit'
import type { CreatorTab } from '../prep-links.ts'

const tabs = { Table: names.table, Basket: names.basket, Charts: names.charts } as const

/** A symbol that the URL names. */
export interface NamedSymbol {
  groupName: string
  symbols: SymbolMap
}

/** What of the creator stands in its URL besides the data prep: tab, what is searched for, the job that is followed. */
export interface CreatorPlace {
  tab: CreatorTab
  query: string
  /** Group that symbols are looked for in; undefined for all. */
  groupName: string | undefined
  /** Values that symbols are filtered by. */
  filters: SymbolMap
  /** Symbols that a new data prep begins with: each pair of `groupName` and `symbol`. */
  named: readonly NamedSymbol[]
  jobId: string | undefined
  /** Changes the URL as it is now; does nothing once another page is open. Another tab is a step of the history. */
  go: (to: Partial<Omit<CreatorPlace, 'go' | 'named'>>, options?: { replace?: boolean }) => void
}

/** Reads and changes the URL of the creator, so that reload, back and a pasted link show the same. */
export function useCreatorPlace(): CreatorPlace {
  const [search] = useSearchParams()
  const { pathname, hash } = useLocation()
  const navigate = useNavigate()
  const shownTab = hash.replace(/^#/, '')
  const tab = (Object.keys(tabs) as CreatorTab[]).find((each) => sameName(shownTab, tabs[each])) ?? 'Table'
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
      // these may be empty: then they say that nothing filters, whatever symbol the URL names
      if ('groupName' in to) next.set('group', to.groupName ?? '')
      if ('filters' in to) next.set('filter', formatSymbolParameter(to.filters ?? {}))
      if ('jobId' in to) set('jobId', to.jobId)
      const nextHash = to.tab === undefined ? now.hash : `#${tabs[to.tab]}`
      void navigate({ pathname, search: next.toString(), hash: nextHash }, { replace })
    },
  }
}

/** The symbols that a URL names, and by what it filters: its own filter, else the one symbol it names. */
export function symbolsIn(search: URLSearchParams): Pick<CreatorPlace, 'named' | 'groupName' | 'filters'> {
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
