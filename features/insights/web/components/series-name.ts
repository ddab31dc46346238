/** A symbol as people read it: the values of its keys. */
export function symbolName(symbols: Record<string, string>): string {
  return Object.values(symbols)
    .filter((value) => value !== '')
    .join(' ')
}

/** A text that is the same for the same symbol of the same group, whatever the order of its keys. */
export function symbolSignature(groupName: string, symbols: Record<string, string>): string {
  const pairs = Object.entries(symbols).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify([groupName, pairs])
}
