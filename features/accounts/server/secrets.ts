import { createHash, randomBytes } from 'node:crypto'

/** Returns a secret of 256 random bits, safe in URLs: 43 characters. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Returns the SHA-256 hash to store. A plain hash suffices, because the secret is random and long. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret, 'utf8').digest()
}
