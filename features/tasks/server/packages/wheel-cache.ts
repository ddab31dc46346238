import { randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { WheelError } from './wheel-file.ts'
import { hashOf, type WheelOffer } from './wheel-sources.ts'

/** Cache of wheels on this machine, by SHA-256. */
export interface WheelCache {
  /**
   * Returns the content of a wheel, from the cache if the source states its hash and the cache contains it.
   * @throws WheelError if the content does not match the hash
   */
  read(offer: WheelOffer): Promise<{ bytes: Buffer; sha256: string }>
  /** Returns a stored wheel; undefined if it is not stored. */
  find(sha256: string): Promise<Buffer | undefined>
}

/** Creates the cache in a folder. */
export function createWheelCache(folder: string): WheelCache {
  const pathOf = (sha256: string) => join(folder, `${sha256}.whl`)

  async function find(sha256: string): Promise<Buffer | undefined> {
    const path = pathOf(sha256)
    const bytes = await readFile(path).catch(() => undefined)
    if (bytes === undefined) return undefined
    if (hashOf(bytes) !== sha256) {
      await rm(path, { force: true })
      return undefined
    }
    const now = new Date()
    await utimes(path, now, now).catch(() => {})
    return bytes
  }

  return {
    find,
    async read(offer) {
      const stored = offer.sha256 === undefined ? undefined : await find(offer.sha256)
      if (stored !== undefined) return { bytes: stored, sha256: offer.sha256! }
      const bytes = await offer.read()
      const sha256 = hashOf(bytes)
      if (offer.sha256 !== undefined && offer.sha256 !== sha256)
        throw new WheelError(`${offer.fileName} does not have the hash that the package index states.`)
      await mkdir(folder, { recursive: true, mode: 0o700 })
      const unfinished = `${pathOf(sha256)}.${randomUUID()}`
      await writeFile(unfinished, bytes, { mode: 0o600 })
      await rename(unfinished, pathOf(sha256))
      return { bytes, sha256 }
    },
  }
}
