import { decodeText } from '@headwater/contract'
/** Formats tags for the info field `tags`: URI-encoded, separated by spaces, without empty tags and duplicates. */
export function encodeTags(tags: readonly string[]): string {
  const texts = tags.map((tag) => tag.trim().toWellFormed()).filter((tag) => tag !== '')
  return [...new Set(texts)].map(encodeURIComponent).join(' ')
}

/** Parses the info field `tags`. A text that is not URI-encoded becomes a single tag. */
export function decodeTags(field: string | undefined): string[] {
  const encoded = (field ?? '').split(/\s+/).filter((text) => text !== '')
  return [...new Set(encoded.map(decodeText))]
}
