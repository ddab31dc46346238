import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'

/** SHA-256 hash of a file of which ranges arrive in any order. */
export interface RunningHash {
  /**
   * Hashes a range that has been written and will not change. If there is a gap before the range, it is read from the file
   * after the gap has been filled.
   */
  add(start: number, bytes: Buffer): Promise<void>
  /** Returns the hash of the first `sizeBytes` bytes. Reads the bytes that have not been hashed yet. */
  first(sizeBytes: number): Promise<string>
}

/** Number of bytes that are hashed before other work can run. */
const bytesAtOnce = 512 * 1024

/**
 * Creates the hash of an empty file.
 * @param read calls `receive` with the bytes between two positions, in order; the bytes are valid only during the call
 */
export function createRunningHash(
  read: (start: number, end: number, receive: (bytes: Buffer) => void) => Promise<void>,
): RunningHash {
  let hash = createHash('sha256')
  let hashedBytes = 0
  /** Ranges after a gap: end by start. */
  const waiting = new Map<number, number>()
  let working: Promise<unknown> = Promise.resolve()

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const own = working.then(work)
    working = own.catch(() => {})
    return own
  }

  function update(bytes: Buffer): void {
    hash.update(bytes)
    hashedBytes += bytes.length
  }

  async function readUpTo(end: number): Promise<void> {
    if (hashedBytes < end) await read(hashedBytes, end, update)
  }

  return {
    add: (start, bytes) =>
      inTurn(async () => {
        if (start !== hashedBytes) {
          waiting.set(start, start + bytes.length)
          return
        }
        for (let at = 0; at < bytes.length; at += bytesAtOnce) {
          update(bytes.subarray(at, at + bytesAtOnce))
          await nextTurn()
        }
        for (let end = waiting.get(hashedBytes); end !== undefined; end = waiting.get(hashedBytes)) {
          waiting.delete(hashedBytes)
          await readUpTo(end)
        }
      }),
    first: (sizeBytes) =>
      inTurn(async () => {
        if (hashedBytes > sizeBytes) {
          hash = createHash('sha256')
          hashedBytes = 0
        }
        await readUpTo(sizeBytes)
        if (hashedBytes !== sizeBytes) throw new Error('The assembly is shorter than its parts.')
        return hash.copy().digest('hex')
      }),
  }
}
