import type { AccessScope } from '@headwater/groups/server'
import { parseSearchQuery } from '@headwater/server-kit'
import type { LimitedSymbols } from './visible-symbols.ts'

/** Conditions on symbols; all of them must hold. */
export interface SymbolFilter {
  /** Groups whose symbols can match. */
  scope: AccessScope
  /**
   * Groups of the scope that have a range. Only their symbols with a point in the range match. Absent if there are
   * none.
   */
  limited?: LimitedSymbols
  /** Patterns of the group name; with `isExact` the name must be equal. */
  groupNames: { pattern: string; isExact: boolean }[]
  /**
   * Conditions on the value of a key, with the name in lower case. With `isLiteral` a `*` is an ordinary character. An empty pattern
   * matches symbols without the key.
   */
  values: { kind: 'symbol' | 'metadata'; name: string; pattern: string; isLiteral?: boolean }[]
  /** Number of keys that the symbols must have. */
  keyCount?: number
  /** Patterns of the names of value columns. */
  columns: string[]
  /** Terms to find in keys, values, metadata or column names. */
  terms: string[]
  /** The whole free text; also matches all symbols of a group with this name. */
  text?: string
  /** Field in which terms are searched; default all fields. */
  textScope?: 'everywhere' | 'values'
  /** Value that must equal the free text, regardless of case. */
  wholeValue?: string
}

/** Sort order of symbols. */
export interface SymbolOrder {
  /** Field to sort by. */
  field: { kind: 'symbol' | 'metadata'; name: string } | { kind: 'groupName' | 'firstDate' | 'lastDate' }
  /** Direction. */
  direction: 'asc' | 'desc'
}

type Stray = Record<string, unknown>

const strayPair = /^(symbols?\.|metadatas?\.|groupName(\.keyword)?$)/i

/**
 * Parses the search grammar. Clients that do not encode `query` send its later pairs as separate URL parameters; these count as part
 * of it.
 */
export function parseSymbolFilter(query: string, stray: Stray, scope: AccessScope): SymbolFilter {
  const { pairs, freeText } = parseSearchQuery(query)
  const filter: SymbolFilter = { scope, groupNames: [], values: [], columns: [], terms: [] }
  for (const { key, value } of [...pairs, ...strayPairs(stray)]) addPair(filter, key, value)
  filter.terms = freeText.split(/\s+/).filter((term) => term.replaceAll('*', '') !== '')
  filter.text = freeText.replace(/^\*+|\*+$/g, '')
  return filter
}

/** Makes every condition exact, without wildcards. `freeText` is the query without its pairs. */
export function toExactFilter(filter: SymbolFilter, freeText: string): SymbolFilter {
  return {
    ...filter,
    ...(freeText === '' ? {} : { terms: [freeText], wholeValue: freeText }),
    values: filter.values.map((value) => ({ ...value, isLiteral: true })),
    groupNames: filter.groupNames.map((group) => ({ ...group, isExact: true })),
  }
}

/** Parses `field=asc` pairs joined by `&`, and pairs that became separate URL parameters. Unknown fields count as symbol keys. */
export function parseSymbolOrder(sortBy: string, stray: Stray): SymbolOrder[] {
  const { pairs, freeText } = parseSearchQuery(sortBy)
  const given = [...pairs, ...(freeText === '' ? [] : [{ key: freeText, value: 'asc' }])]
  if (given.length > 0) given.push(...strayPairs(stray).filter(({ value }) => isDirection(value)))
  return given.map(({ key, value }) => ({
    field: fieldOf(key),
    /** Direction. */
    direction: value.toLowerCase() === 'desc' ? 'desc' : 'asc',
  }))
}

function strayPairs(stray: Stray): { key: string; value: string }[] {
  return Object.entries(stray)
    .filter(([key]) => strayPair.test(key))
    .flatMap(([key, value]) => [value].flat().map((each) => ({ key, value: String(each) })))
}

function isDirection(value: string): boolean {
  return /^(asc|desc)$/i.test(value)
}

function addPair(filter: SymbolFilter, key: string, value: string): void {
  const lower = key.toLowerCase()
  if (lower === 'groupname.keyword') filter.groupNames.push({ pattern: value, isExact: !value.includes('*') })
  else if (lower === 'groupname') filter.groupNames.push({ pattern: value, isExact: false })
  else if (lower === 'column' || lower === 'columns') filter.columns.push(value)
  else {
    filter.values.push({ ...keyOf(key), pattern: value })
  }
}

/** Returns the field of a name in a search; unknown names count as symbol keys. */
export function fieldOf(key: string): SymbolOrder['field'] {
  const lower = key.toLowerCase()
  if (lower === 'groupname' || lower === 'groupname.keyword') return { kind: 'groupName' }
  if (lower === 'firstdate') return { kind: 'firstDate' }
  if (lower === 'lastdate') return { kind: 'lastDate' }
  return keyOf(key)
}

function keyOf(key: string): { kind: 'symbol' | 'metadata'; name: string } {
  const lower = key.toLowerCase()
  const match = /^(symbol|metadata)s?\.(.+)$/s.exec(lower)
  const name = (match?.[2] ?? lower).replace(/\.keyword$/, '')
  return { kind: match?.[1] === 'metadata' ? 'metadata' : 'symbol', name }
}
