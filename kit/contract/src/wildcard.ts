/**
 * Returns a function that tests whether a whole string matches a pattern in which `*` stands for any text. The test takes
 * linear time.
 * @param options.matchCase whether the match is case-sensitive; default false
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
      const index = text.indexOf(part, at)
      if (index === -1) return false
      at = index + part.length
    }
    return at <= end
  }
}
