import type { AccessScope } from '@headwater/groups/server'
import { maxPatternKeys, maxPatternStars, symbolErrors, type DataKey } from '../contract/index.ts'
import type { SymbolFilter } from './symbol-filter.ts'

/** Returns whether a key can match several symbols: it has `pattern` set, or has no symbols. */
export function isOpenKey(key: Pick<DataKey, 'pattern' | 'symbols'>): boolean {
  return key.pattern || Object.keys(key.symbols).length === 0
}

/**
 * Limits the work for open keys, each of which needs its own lookup.
 * @throws AppError `tooManyPatterns`, `tooManyStars`
 */
export function checkPatterns(keys: readonly Pick<DataKey, 'symbols' | 'symbolValuesExactMatch'>[]): void {
  if (keys.length > maxPatternKeys) throw symbolErrors.tooManyPatterns({ limit: maxPatternKeys })
  const values = keys.flatMap(({ symbols, symbolValuesExactMatch }) =>
    symbolValuesExactMatch ? [] : Object.values(symbols),
  )
  const count = values.reduce((sum, value) => sum + (value.match(/\*+/g)?.length ?? 0), 0)
  if (count > maxPatternStars) throw symbolErrors.tooManyStars({ count, limit: maxPatternStars })
}

/** Returns the filter for the symbols of an open key. */
export function filterOfKey(key: Parameters<typeof conditionsOfKey>[0], scope: AccessScope): SymbolFilter {
  return { scope, ...conditionsOfKey(key) }
}

/** Returns the filter without its scope. */
export function conditionsOfKey(
  key: Pick<DataKey, 'symbols' | 'patternExactMatch' | 'symbolValuesExactMatch'>,
): Omit<SymbolFilter, 'scope'> {
  const values = Object.entries(key.symbols).map(([name, pattern]) => ({
    kind: 'symbol' as const,
    name: name.toLowerCase(),
    pattern,
    isLiteral: key.symbolValuesExactMatch,
  }))
  return {
    groupNames: [],
    values,
    columns: [],
    terms: [],
    ...(key.patternExactMatch && values.length > 0 ? { keyCount: values.length } : {}),
  }
}

/** Returns a function that tests whether a key selects a column. A key without column names selects all columns. */
export function columnMatcher(key: Pick<DataKey, 'columns' | 'pattern'>): (name: string) => boolean {
  if (key.columns.length === 0) return () => true
  const names = new Set(key.columns)
  const patterns = key.pattern ? key.columns.filter((name) => name.includes('*')) : []
  return (name) => names.has(name) || patterns.some((pattern) => matchesPattern(name, pattern))
}

// Does not use a regular expression, because many stars would cause catastrophic backtracking.
function matchesPattern(name: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop() ?? ''
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const part of parts) {
    const position = name.indexOf(part, at)
    if (position < 0) return false
    at = position + part.length
  }
  return at <= name.length - last.length
}
