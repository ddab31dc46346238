import { createHash } from 'node:crypto'

/** Returns the digest that identifies a symbol within its group: SHA-256 of its keys and values, sorted by key. */
export function symbolDigest(symbols: Record<string, string>): Buffer {
  const pairs = Object.keys(symbols)
    .toSorted()
    .map((key) => [key, symbols[key]])
  return createHash('sha256').update(JSON.stringify(pairs)).digest()
}
