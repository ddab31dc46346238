import type { AccessScope } from '@headwater/groups/server'
import { parseSearchQuery } from '@headwater/server-kit'

/** Which symbols are meant; all conditions must hold. */
export interface SymbolFilter {
  /** The groups whose symbols can be found. */
  scope: AccessScope
  /** Patterns of the group name; with `isExact` the very name. */
  groupNames: { pattern: string; isExact: boolean }[]
  /**
   * Conditions on the value of a key, whose name is in lower case. With `isLiteral` a star is a star; an empty pattern means
   * that there is no such key.
   */
  values: { kind: 'symbol' | 'metadata'; name: string; pattern: string; isLiteral?: boolean }[]
  /** Only symbols with so many keys. */
  keyCount?: number
  /** Patterns of the names of value columns. */
  columns: string[]
  /** Words that stand in keys, values, metadata or names of columns. */
  words: string[]
  /** All of the free text; symbols of a group with just this name are found as well. */
  text?: string
  /** Where the words are looked for; default everywhere. */
  textPlaces?: 'everywhere' | 'values'
  /** The free text has to be this whole value, in any letter case. */
  wholeValue?: string
}

/** What to sort symbols by. */
export interface SymbolOrder {
  field: { kind: 'symbol' | 'metadata'; name: string } | { kind: 'groupName' | 'firstDate' | 'lastDate' }
  direction: 'asc' | 'desc'
}

type Stray = Record<string, unknown>

const strayPair = /^(symbols?\.|metadatas?\.|groupName(\.keyword)?$)/i

/**
 * Reads the search grammar. Clients that do not encode `query` send its later pairs as URL parameters of their own; those
 * count as part of it.
 */
export function parseSymbolFilter(query: string, stray: Stray, scope: AccessScope): SymbolFilter {
  const { pairs, freeText } = parseSearchQuery(query)
  const filter: SymbolFilter = { scope, groupNames: [], values: [], columns: [], words: [] }
  for (const { key, value } of [...pairs, ...strayPairs(stray)]) addPair(filter, key, value)
  filter.words = freeText.split(/\s+/).filter((word) => word.replaceAll('*', '') !== '')
  filter.text = freeText.replace(/^\*+|\*+$/g, '')
  return filter
}

/** Makes every condition one on the whole, without wildcards. `freeText` is the query less its pairs. */
export function toExactFilter(filter: SymbolFilter, freeText: string): SymbolFilter {
  return {
    ...filter,
    ...(freeText === '' ? {} : { words: [freeText], wholeValue: freeText }),
    values: filter.values.map((value) => ({ ...value, isLiteral: true })),
    groupNames: filter.groupNames.map((group) => ({ ...group, isExact: true })),
  }
}

/** Reads `field=asc` pairs joined by `&`, and those that became URL parameters of their own. Unknown fields count as symbol keys. */
export function parseSymbolOrder(sortBy: string, stray: Stray): SymbolOrder[] {
  const { pairs, freeText } = parseSearchQuery(sortBy)
  const given = [...pairs, ...(freeText === '' ? [] : [{ key: freeText, value: 'asc' }])]
  if (given.length > 0) given.push(...strayPairs(stray).filter(({ value }) => isDirection(value)))
  return given.map(({ key, value }) => ({
    field: fieldOf(key),
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

/** The field that a name in a search means; other names count as symbol keys. */
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
