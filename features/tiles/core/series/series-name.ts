/** A symbol as people read it: the values of its keys. */
export function symbolName(symbols: Record<string, string>): string {
  return Object.values(symbols)
    .filter((value) => value !== '')
    .join(' ')
}

/**
 * The names that a series gets from its symbols and column where nobody types one, in the forms that are in use. One of
 * them as the label of a series was not typed; the same place of another list is the name in the same form.
 */
export function givenNames(symbolList: readonly Record<string, string>[], column: string): string[] {
  const names = symbolList.map(symbolName)
  const joined = names.join(' + ').slice(0, 100)
  const listed = [names.join(', '), column].filter((text) => text !== '').join(' · ')
  return [joined, `${joined} ${column}`.trim(), listed]
}

/** Whether a value is a symbol: a text for each of its keys. */
export function isSymbolMap(value: unknown): value is Record<string, string> {
  return (
    typeof value === 'object' &&
    value !== null &&
    Object.values(value).every((text) => typeof text === 'string')
  )
}

/** A text that is the same for the same symbol of the same group, whatever the order of its keys. */
export function symbolSignature(groupName: string, symbols: Record<string, string>): string {
  const pairs = Object.entries(symbols).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([groupName, pairs])
}
