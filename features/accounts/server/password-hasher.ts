import { randomBytes } from 'node:crypto'
import { hash, verify } from '@node-rs/argon2'
import { createWorkLimit } from '@headwater/server-kit'

/** Hashes and checks passwords. */
export interface PasswordHasher {
  /** Returns the hash in the PHC text form, with its parameters and salt. */
  hash(password: string): Promise<string>
  /** Returns whether a password matches a hash. Without a hash it does the same work and returns false. */
  verify(passwordHash: string | undefined, password: string): Promise<boolean>
}

/** The work of one argon2id hash. */
export interface HashCost {
  /** Memory in KiB. */
  memoryCost: number
  /** Number of passes over the memory. */
  timeCost: number
  /** Number of lanes. */
  parallelism: number
}

/** The parameters that OWASP recommends for argon2id. */
const recommendedCost: HashCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/**
 * Creates a hasher with argon2id.
 * @param concurrency maximum number of hashes computed concurrently; the others wait, so a burst of sign-ins uses at
 * most `concurrency` × 19 MiB and leaves threads for files and name look-ups
 * @param cost work of one hash; default as OWASP recommends
 */
export function createPasswordHasher({
  concurrency = 2,
  cost = recommendedCost,
}: { concurrency?: number; cost?: HashCost } = {}): PasswordHasher {
  const limit = createWorkLimit(concurrency)
  let decoy: Promise<string> | undefined
  return {
    hash: (password) => limit(() => hash(bytesOf(password), cost)),
    async verify(passwordHash, password) {
      decoy ??= limit(() => hash(randomBytes(16), cost))
      const stored = passwordHash ?? (await decoy)
      const matches = await limit(() => verify(stored, bytesOf(password)))
      return matches && passwordHash !== undefined
    },
  }
}

/** The same password typed on two systems may be composed differently; NFKC makes them one. */
function bytesOf(password: string): Buffer {
  return Buffer.from(password.normalize('NFKC'), 'utf8')
}
