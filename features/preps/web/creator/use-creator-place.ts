import { useLocation, useNavigate, useSearchParams } from 'react-router'
import { formatSymbolParameter, parseSymbolParameter, type SymbolMap } from '@headwater/symbols/contract'
import { routeNames as names, sameName } from '@headwater/web-kit'
import type { CreatorTab } from '../prep-links.ts'

const tabs = { Table: names.table, Basket: names.basket, Charts: names.charts } as const

/** What of the creator stands in its URL besides the data prep: tab, what is searched for, the job that is followed. */
export interface CreatorPlace {
  tab: CreatorTab
  query: string
  groupName: string | undefined
  /** Values that symbols are filtered by. */
  filters: SymbolMap
  jobId: string | undefined
  go: (to: Partial<Omit<CreatorPlace, 'go'>>) => void
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
    groupName: search.get('groupName') || undefined,
    filters: parseSymbolParameter(search.get('symbol') ?? ''),
    jobId: search.get('jobId') || undefined,
    go(to) {
      const next = new URLSearchParams(search)
      const set = (name: string, value: string | undefined) => {
        if (value === undefined || value === '') next.delete(name)
        else next.set(name, value)
      }
      if ('query' in to) set('query', to.query)
      if ('groupName' in to) set('groupName', to.groupName)
      if ('filters' in to) set('symbol', to.filters && formatSymbolParameter(to.filters))
      if ('jobId' in to) set('jobId', to.jobId)
      void navigate(
        { pathname, search: next.toString(), hash: to.tab === undefined ? hash : `#${tabs[to.tab]}` },
        { replace: to.tab === undefined || to.tab === tab },
      )
    },
  }
}
