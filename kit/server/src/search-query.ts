/** A parsed search text. */
export interface SearchQuery {
  /** The `key=value` pairs in the order of the text. */
  pairs: { key: string; value: string }[]
  /** The remaining text. */
  freeText: string
}

const pairStart = /^([A-Za-z_][A-Za-z0-9_. -]*)=/

/**
 * Parses a search text. `&` joins the pairs. Values are not escaped, so an `&` separates pairs only if `key=` follows, and
 * the first `=` of a pair ends its key. Text without a key is free text.
 */
export function parseSearchQuery(text: string): SearchQuery {
  const parts = text.split(/&(?=[A-Za-z_][A-Za-z0-9_. -]*=)/)
  const pairs: SearchQuery['pairs'] = []
  const free: string[] = []
  for (const part of parts) {
    const start = pairStart.exec(part)
    if (start === null) free.push(part)
    else pairs.push({ key: start[1]!.trim(), value: part.slice(start[0].length) })
  }
  return { pairs, freeText: free.join('&').trim() }
}

/** Returns a LIKE pattern in which `*` matches any text and every other character matches itself. */
export function wildcardPattern(text: string): string {
  return literalPattern(text).replace(/\*+/g, '%')
}

/** Escapes a string for a LIKE pattern. */
export function literalPattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** Returns a LIKE pattern that matches the text anywhere; a `*` in it matches any text. */
export function containsPattern(text: string): string {
  return `%${wildcardPattern(text.replace(/^\*+|\*+$/g, ''))}%`
}
