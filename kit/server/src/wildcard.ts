/** A test whether a whole text fits a pattern in which `*` stands for any text; letter case does not count. */
export function wildcardMatcher(pattern: string): (text: string) => boolean {
  const parts = pattern.toLowerCase().split('*')
  const first = parts[0]!
  const last = parts.at(-1)!
  if (parts.length === 1) return (text) => text.toLowerCase() === first
  return (given) => {
    const text = given.toLowerCase()
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
