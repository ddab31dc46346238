/**
 * Returns a string without the characters that PostgreSQL does not store: zero bytes and unpaired surrogates.
 */
export function toStorable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}
