import { formatNumber } from '@headwater/contract'
/** Returns the name of a symbol: the values of its keys, without duplicates. */
export function symbolName(symbols: Record<string, string>): string {
  return [...new Set(Object.values(symbols))].filter((value) => value !== '').join(' ')
}

/**
 * Returns the automatic names of a series in three forms: symbols, symbols with column, and `symbols · column`. A label that equals one of
 * them is automatic.
 */
export function givenNames(symbolList: readonly Record<string, string>[], column: string): string[] {
  const names = symbolList.map(symbolName)
  const joined = names.join(' + ').slice(0, 100)
  const listed = [names.join(', '), column].filter((text) => text !== '').join(' · ')
  return [joined, `${joined} ${column}`.trim(), listed]
}

/** Returns whether a value is a symbol: an object of texts. */
export function isSymbolMap(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => typeof text === 'string')
  )
}

/** Returns a string that identifies a symbol and its group, independent of the order of the keys. */
export function symbolSignature(groupName: string, symbols: Record<string, string>): string {
  const pairs = Object.entries(symbols).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([groupName, pairs])
}

/** Maximum number of listed names. */
const maxNames = 10

/** Lists the first names and counts the others. */
export function listedNames(names: readonly string[]): string {
  const others = names.length > maxNames ? ` and ${formatNumber(names.length - maxNames)} more` : ''
  return `${names.slice(0, maxNames).join(', ')}${others}`
}
