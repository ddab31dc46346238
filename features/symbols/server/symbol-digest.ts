import { createHash } from 'node:crypto'

/** The identity of a symbol within its group: SHA-256 of its keys and values in the order of the key names. */
export function symbolDigest(symbols: Record<string, string>): Buffer {
  const pairs = Object.keys(symbols)
    .toSorted()
    .map((key) => [key, symbols[key]])
  return createHash('sha256').update(JSON.stringify(pairs)).digest()
}
