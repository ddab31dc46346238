/** Tags as the info field `tags` keeps them: URI-encoded words with spaces between them. Empty ones and repeats go. */
export function encodeTags(tags: readonly string[]): string {
  const words = tags.map((tag) => tag.trim().toWellFormed()).filter((tag) => tag !== '')
  return [...new Set(words)].map(encodeURIComponent).join(' ')
}

/** Tags out of the info field `tags`. A word that is not URI-encoded stands for itself. */
export function decodeTags(field: string | undefined): string[] {
  const words = (field ?? '').split(/\s+/).filter((word) => word !== '')
  return [...new Set(words.map(decodeWord))]
}

function decodeWord(word: string): string {
  try {
    return decodeURIComponent(word)
  } catch {
    return word
  }
}
