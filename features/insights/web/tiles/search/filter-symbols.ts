import type { SearchFilter } from './search-tile.ts'

/** What was typed, by the key it is looked for in; the key is empty for the field that looks at everything. */
export type TypedFilters = Readonly<Record<string, string>>

/** A filter as it is applied. */
export interface AppliedFilter {
  key: string
  pattern: RegExp
}

/** The most characters of a pattern, and of a value it is tried on, so that a bad one stays cheap. */
const maxPattern = 200
const maxSubject = 500

/** What stands in the fields at first. */
export function defaultFilters(filters: readonly SearchFilter[]): TypedFilters {
  return Object.fromEntries(filters.map(({ filterKey, defaultValue }) => [filterKey, defaultValue]))
}

/** The filters that count: an empty one is dropped, one that is no pattern is ignored. */
export function appliedFilters(typed: TypedFilters): AppliedFilter[] {
  return Object.entries(typed).flatMap(([key, written]) => {
    const text = written.trim()
    if (text === '' || text.length > maxPattern) return []
    try {
      return [{ key, pattern: new RegExp(text, 'i') }]
    } catch {
      return []
    }
  })
}

/** Why what was typed is ignored, in words; undefined when it is not. */
export function patternProblem(written: string): string | undefined {
  const text = written.trim()
  if (text.length > maxPattern) return `A pattern has at most ${maxPattern} characters. This one is ignored.`
  return text === '' || appliedFilters({ '': text }).length > 0
    ? undefined
    : 'This is not a valid pattern and is ignored. Put a backslash before special characters.'
}

/** Whether a filter is tried in a moment on any value; others may take longer than anybody waits. */
export function isQuick({ pattern }: AppliedFilter): boolean {
  return !/[*+?{}()|[\]\\]/.test(pattern.source)
}

/** Whether a symbol meets all filters, in any letter case; a filter without a key looks at all values. */
export function meetsFilters(symbols: Record<string, string>, filters: readonly AppliedFilter[]): boolean {
  return filters.every(({ key, pattern }) => {
    const values = key === '' ? Object.values(symbols) : Object.hasOwn(symbols, key) ? [symbols[key]!] : ['']
    return values.some((value) => pattern.test(value.slice(0, maxSubject)))
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
