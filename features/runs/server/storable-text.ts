/**
 * Removes zero bytes and replaces unpaired surrogates, because PostgreSQL cannot store them.
 */
export function toStorable(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed()
}
