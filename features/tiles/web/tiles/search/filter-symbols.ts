import { maxPattern, maxSubject } from '@headwater/tile-data/core'
import type { SearchFilter } from './search-tile.ts'

/** Typed texts by symbol key; the empty key searches all values. */
export type TypedFilters = Readonly<Record<string, string>>

/** A filter that applies. */
export interface AppliedFilter {
  /** Symbol key; empty means all values. */
  key: string
  /** Regular expression. */
  pattern: string
}

/** Returns the default texts of the fields. */
export function defaultFilters(filters: readonly SearchFilter[]): TypedFilters {
  return Object.fromEntries(filters.map(({ filterKey, defaultValue }) => [filterKey, defaultValue]))
}

/** Returns the filters that apply: not empty, and not too long. */
export function appliedFilters(typed: TypedFilters): AppliedFilter[] {
  return Object.entries(typed).flatMap(([key, written]) => {
    const pattern = written.trim()
    return pattern === '' || pattern.length > maxPattern ? [] : [{ key, pattern }]
  })
}

/**
 * Returns whether a pattern has no repetition and no alternatives, so that the regular expressions of the browser are
 * safe.
 */
export function isQuick({ pattern }: AppliedFilter): boolean {
  return !/[*+?{}()|[\]\\]/.test(pattern)
}

/** Returns whether a value contains a match of a quick filter, ignoring case. */
export function matchesQuickly(value: string, pattern: string): boolean {
  return new RegExp(pattern, 'i').test(value.slice(0, maxSubject))
}

/**
 * Returns whether a symbol meets all filters. A filter without a key searches all values.
 * @param matches whether a value contains a match of a pattern
 */
export function meetsFilters(
  symbols: Record<string, string>,
  filters: readonly AppliedFilter[],
  matches: (value: string, pattern: string) => boolean,
): boolean {
  return filters.every(({ key, pattern }) => {
    const values = key === '' ? Object.values(symbols) : Object.hasOwn(symbols, key) ? [symbols[key]!] : ['']
    return values.some((value) => matches(value, pattern))
  })
}

/**
 * Returns a part of the typed text that every match contains (ignoring case), for filtering on the server; empty if
 * there is no such part.
 */
export function plainText(typed: TypedFilters): string {
  const plain = Object.values(typed)
    .map((text) => text.trim())
    .filter((text) => /^[\p{L}\p{N}_ -]+$/u.test(text))
  return plain.sort((a, b) => b.length - a.length)[0] ?? ''
}
