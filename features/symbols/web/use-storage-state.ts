import { useLocation, useNavigate, useParams } from 'react-router'
import { links } from '@headwater/web-kit'
import {
  formatSymbolParameter,
  parseSymbolParameter,
  type SymbolItem,
  type SymbolMap,
} from '../contract/index.ts'

/** A symbol and its group. */
export interface SymbolAddress {
  /** Name of the group. */
  groupName: string
  /** Complete keys and values. */
  symbols: SymbolMap
}

/** Sort order of a list of symbols. */
export interface SymbolSort {
  /** Field, for example `symbols.Code` or `lastDate`. */
  column: string
  /** Direction. */
  order: 'asc' | 'desc'
}

/** Search that selects the listed symbols. */
export interface SymbolSearch {
  /** Name of the group; undefined for all. */
  groupName: string | undefined
  /** Free text, and pairs such as `symbols.Code=BR*`. */
  text: string
  /** Branch of the tree: values of keys, the outermost first; an empty value matches symbols without the key. */
  branch: SymbolMap
  /** Values of other keys; `*` matches any text. */
  filters: SymbolMap
  /** Only symbols that this file names. */
  fileId: string | undefined
  /** Sort order; undefined for the default. */
  sort: SymbolSort | undefined
}

type SearchChange = Partial<Omit<SymbolSearch, 'groupName'>>

/** State of the storage page in its URL. */
export interface StorageState {
  /** Search that selects the listed symbols. */
  search: SymbolSearch
  /** Symbol with an open preview. */
  opened: SymbolAddress | undefined
  /** Changes the search; a function receives the search of the URL, which can be newer than the rendered one. */
  change: (change: SearchChange | ((search: SymbolSearch) => SearchChange)) => void
  /** Opens or closes the preview. */
  open: (symbol: SymbolAddress | undefined) => void
}

/** Reads and changes the state in the URL of the storage page, so that reload, back and links restore it. */
export function useStorageState(): StorageState {
  const { groupName } = useParams()
  const location = useLocation()
  const navigate = useNavigate()
  const parameters = new URLSearchParams(location.search)
  const search = readSearch(groupName, parameters)
  const symbol = parameters.get('symbol')
  const symbolGroup = groupName ?? parameters.get('groupName')
  const go = (next: URLSearchParams, replace: boolean) =>
    void navigate(
      { pathname: location.pathname, search: next.toString() },
      { replace, preventScrollReset: true },
    )
  return {
    search,
    opened:
      symbol === null || symbolGroup === null
        ? undefined
        : { groupName: symbolGroup, symbols: parseSymbolParameter(symbol) },
    change(change) {
      // On a slow machine, the user continues before the last change is rendered.
      const next = new URLSearchParams(window.location.search)
      const current = readSearch(groupName, next)
      writeSearch(next, { ...current, ...(typeof change === 'function' ? change(current) : change) })
      go(next, true)
    },
    open(address) {
      const next = new URLSearchParams(location.search)
      set(next, 'symbol', address && formatSymbolParameter(address.symbols))
      set(next, 'groupName', groupName === undefined ? address?.groupName : undefined)
      go(next, false)
    },
  }
}

/** Returns the URL of the storage page with this search. */
export function storageHref(path: string, search: Omit<SymbolSearch, 'groupName'>): string {
  const parameters = new URLSearchParams()
  writeSearch(parameters, search)
  return parameters.size === 0 ? path : `${path}?${parameters.toString()}`
}

/** Returns the URL of the storage page with the preview of a symbol. */
export function addressHref({ groupName, symbols }: SymbolAddress): string {
  return `${links.symbols(groupName)}?${new URLSearchParams({ symbol: formatSymbolParameter(symbols) }).toString()}`
}

/** Returns the URL of the page that creates a symbol beside another one: with its group and keys, and with it as an input of a formula. */
export function newSymbolHref({ groupName, symbols }: SymbolAddress): string {
  return `${links.newSymbol(groupName)}?${new URLSearchParams({ symbol: formatSymbolParameter(symbols) }).toString()}`
}

/** Returns the address of a symbol. */
export function addressOf({ groupName, symbols }: SymbolItem): SymbolAddress {
  return { groupName, symbols }
}

/** Returns the key of a symbol in a list. */
export function addressKey({ groupName, symbols }: SymbolAddress): string {
  return `${groupName}/${formatSymbolParameter(symbols)}`
}

function readSearch(groupName: string | undefined, parameters: URLSearchParams): SymbolSearch {
  const sort = parameters.get('sort')?.split('=')
  return {
    groupName,
    text: parameters.get('query') ?? '',
    branch: parseSymbolParameter(parameters.get('branch') ?? ''),
    filters: parseSymbolParameter(parameters.get('filter') ?? ''),
    fileId: parameters.get('fileId') ?? undefined,
    sort:
      sort === undefined
        ? undefined
        : { column: sort.slice(0, -1).join('='), order: sort.at(-1) === 'desc' ? 'desc' : 'asc' },
  }
}

function writeSearch(
  parameters: URLSearchParams,
  { text, branch, filters, fileId, sort }: Omit<SymbolSearch, 'groupName'>,
): void {
  set(parameters, 'query', text)
  set(parameters, 'branch', formatSymbolParameter(branch))
  set(parameters, 'filter', formatSymbolParameter(filters))
  set(parameters, 'fileId', fileId)
  set(parameters, 'sort', sort && `${sort.column}=${sort.order}`)
}

function set(parameters: URLSearchParams, name: string, value: string | undefined): void {
  if (value === undefined || value === '') parameters.delete(name)
  else parameters.set(name, value)
}
