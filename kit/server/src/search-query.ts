/** A search text taken apart: `key=value` pairs in their order, and what is left as free text. */
export interface SearchQuery {
  pairs: { key: string; value: string }[]
  freeText: string
}

const pairStart = /^([A-Za-z_][A-Za-z0-9_. -]*)=/

/**
 * Takes a search text apart. Pairs are joined by `&`; since values are not escaped, the text is split at an `&` only
 * where `key=` follows, and a pair at its first `=`. A part without a key is free text.
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

/** A LIKE pattern in which `*` stands for any text and everything else for itself. */
export function wildcardPattern(text: string): string {
  return literalPattern(text).replace(/\*+/g, '%')
}

/** A text as part of a LIKE pattern, where all of its characters stand for themselves. */
export function literalPattern(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** A LIKE pattern that finds the text anywhere; a `*` in it still stands for any text. */
export function containsPattern(text: string): string {
  return `%${wildcardPattern(text.replace(/^\*+|\*+$/g, ''))}%`
}
