/**
 * A test whether a whole text fits a pattern in which `*` stands for any text. It takes no longer than a search for its parts, whatever
 * the pattern.
 * @param options.matchCase whether `A` and `a` are two letters; default false
 */
export function wildcardMatcher(
  pattern: string,
  { matchCase = false }: { matchCase?: boolean } = {},
): (text: string) => boolean {
  const read = (text: string) => (matchCase ? text : text.toLowerCase())
  const parts = read(pattern).split('*')
  const first = parts[0]!
  const last = parts.at(-1)!
  if (parts.length === 1) return (text) => read(text) === first
  return (given) => {
    const text = read(given)
    if (!text.startsWith(first) || !text.endsWith(last)) return false
    const end = text.length - last.length
    let at = first.length
    for (const part of parts.slice(1, -1)) {
      const found = text.indexOf(part, at)
      if (found === -1) return false
      at = found + part.length
    }
    return at <= end
  }
}
