import type { AccessScope } from '@headwater/groups/server'
import { maxPatternKeys, maxPatternStars, symbolErrors, type DataKey } from '../contract/index.ts'
import type { SymbolFilter } from './symbol-filter.ts'

/** Whether a key may mean more than one symbol: it has `pattern`, or names no symbol. */
export function isOpenKey(key: Pick<DataKey, 'pattern' | 'symbols'>): boolean {
  return key.pattern || Object.keys(key.symbols).length === 0
}

/**
 * Bounds the work of open keys, each of which is looked up by itself.
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

/** The filter that finds the symbols of an open key. */
export function filterOfKey(key: Parameters<typeof conditionsOfKey>[0], scope: AccessScope): SymbolFilter {
  return { scope, ...conditionsOfKey(key) }
}

/** The same without its group. */
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
    words: [],
    ...(key.patternExactMatch && values.length > 0 ? { keyCount: values.length } : {}),
  }
}

/** A test whether a key asks for a column of this name; without named columns it asks for all. */
export function columnMatcher(key: Pick<DataKey, 'columns' | 'pattern'>): (name: string) => boolean {
  if (key.columns.length === 0) return () => true
  const names = new Set(key.columns)
  const patterns = key.pattern ? key.columns.filter((name) => name.includes('*')) : []
  return (name) => names.has(name) || patterns.some((pattern) => matchesPattern(name, pattern))
}

// No regular expression: one of many stars would try every way to split a long name.
function matchesPattern(name: string, pattern: string): boolean {
  const [first = '', ...parts] = pattern.split('*')
  const last = parts.pop() ?? ''
  if (!name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const part of parts) {
    const found = name.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return at <= name.length - last.length
}
