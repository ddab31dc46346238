import { useLocation, useNavigate, useParams } from 'react-router'
import { links } from '@headwater/web-kit'
import {
  formatSymbolParameter,
  parseSymbolParameter,
  type SymbolItem,
  type SymbolMap,
} from '../contract/index.ts'

/** A symbol and the group it lies in. */
export interface SymbolAddress {
  groupName: string
  symbols: SymbolMap
}

/** What the storage page keeps in its URL: group, search, and the symbol whose preview is open. */
export interface StorageState {
  groupName: string | undefined
  text: string
  opened: SymbolAddress | undefined
  setText: (text: string) => void
  open: (symbol: SymbolItem | undefined) => void
}

/** Reads and changes the state of the storage page, so that reload, back and a pasted link show the same. */
export function useStorageState(): StorageState {
  const { groupName } = useParams()
  const { pathname, search } = useLocation()
  const navigate = useNavigate()
  const parameters = new URLSearchParams(search)
  const symbol = parameters.get('symbol')
  const symbolGroup = groupName ?? parameters.get('groupName')
  const change = (values: Record<string, string | undefined>, replace: boolean) => {
    const next = new URLSearchParams(search)
    for (const [name, value] of Object.entries(values)) {
      if (value === undefined || value === '') next.delete(name)
      else next.set(name, value)
    }
    void navigate({ pathname, search: next.toString() }, { replace, preventScrollReset: true })
  }
  return {
    groupName,
    text: parameters.get('query') ?? '',
    opened:
      symbol === null || symbolGroup === null
        ? undefined
        : { groupName: symbolGroup, symbols: parseSymbolParameter(symbol) },
    setText: (text) => change({ query: text }, true),
    open: (item) =>
      change(
        {
          symbol: item && formatSymbolParameter(item.symbols),
          groupName: groupName === undefined ? item?.groupName : undefined,
        },
        false,
      ),
  }
}

/** The storage page of a group, or of all; the search stays. */
export function groupHref(groupName: string | undefined, text: string): string {
  return links.symbols(groupName, text === '' ? {} : { query: text })
}
