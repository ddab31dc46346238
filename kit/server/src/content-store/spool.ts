import { randomUUID } from 'node:crypto'
import { mkdir, readdir, rm, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ContentStoreError, type StoredContent, type WriteOptions } from './content-store.ts'
import { explainError, receiveFile } from './receive-file.ts'

/** Folder for uploads in progress. */
export interface Spool {
  /**
   * Receives a stream into a file and passes the file to `store`. Removes the file afterwards, unless `store` has moved
   * it.
   * @param isDurable whether the bytes must be on the disk before `store` is called
   */
  receive(
    source: Readable,
    options: WriteOptions & { isDurable: boolean },
    store: (path: string, content: StoredContent) => Promise<void>,
  ): Promise<StoredContent>
  /** Returns the free space in bytes. */
  freeBytes(): Promise<number>
}

/** Opens a folder of this process, and removes files that a killed process left in it. */
export async function openSpool(folder: string): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  for (const name of await readdir(folder)) await rm(join(folder, name), { force: true })
  return {
    async receive(source, { isDurable, ...options }, store) {
      const path = join(folder, randomUUID())
      try {
        const content = await receiveFile(source, path, options, isDurable).catch((error: unknown) => {
          // Reads the rest of the stream. Otherwise the sender would see a broken connection instead of the error
          // message.
          source.resume()
          throw explainError(error)
        })
        await store(path, content)
        return content
      } finally {
        await rm(path, { force: true })
      }
    },
    async freeBytes() {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
  }
}

/**
 * Returns the relative path of content, `ab/cd/<hash>`.
 * @throws ContentStoreError `not-found` for text that is not a SHA-256 hash
 */
export function contentPath(hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new ContentStoreError('not-found', `“${hash}” is not a SHA-256.`)
  return `${hash.slice(0, 2)}/${hash.slice(2, 4)}/${hash}`
}
