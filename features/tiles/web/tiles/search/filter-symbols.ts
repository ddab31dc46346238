import { maxPattern, maxSubject } from '../../../core/conditions/patterns.ts'
import type { SearchFilter } from './search-tile.ts'

/** What was typed, by the key it is looked for in; the key is empty for the field that looks at everything. */
export type TypedFilters = Readonly<Record<string, string>>

/** A filter as it is applied. */
export interface AppliedFilter {
  key: string
  pattern: string
}

/** What stands in the fields at first. */
export function defaultFilters(filters: readonly SearchFilter[]): TypedFilters {
  return Object.fromEntries(filters.map(({ filterKey, defaultValue }) => [filterKey, defaultValue]))
}

/** The filters that count: an empty one is dropped, one that is too long is ignored. */
export function appliedFilters(typed: TypedFilters): AppliedFilter[] {
  return Object.entries(typed).flatMap(([key, written]) => {
    const pattern = written.trim()
    return pattern === '' || pattern.length > maxPattern ? [] : [{ key, pattern }]
  })
}

/** Whether a filter has nothing that repeats or branches: the browser's own matcher takes no time for it. */
export function isQuick({ pattern }: AppliedFilter): boolean {
  return !/[*+?{}()|[\]\\]/.test(pattern)
}

/** Whether a value contains a match of a quick filter, in any letter case. */
export function matchesQuickly(value: string, pattern: string): boolean {
  return new RegExp(pattern, 'i').test(value.slice(0, maxSubject))
}

/**
 * Whether a symbol meets all filters; a filter without a key looks at all values.
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
 * A part of the typed text that every symbol found must hold, letter for letter but in any case, so that storage can
 * leave out others; empty when there is none.
 */
export function plainText(typed: TypedFilters): string {
  const plain = Object.values(typed)
    .map((text) => text.trim())
    .filter((text) => /^[\p{L}\p{N}_ -]+$/u.test(text))
  return plain.sort((a, b) => b.length - a.length)[0] ?? ''
}
