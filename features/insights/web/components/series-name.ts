/** A symbol as people read it: the values of its keys. */
export function symbolName(symbols: Record<string, string>): string {
  return Object.values(symbols)
    .filter((value) => value !== '')
    .join(' ')
}
