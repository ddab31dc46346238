import { randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { ContentStoreError, type ContentStore } from './content-store.ts'
import { explainedError, receiveFile } from './receive-file.ts'

/**
 * Opens the content store in a local folder: each content is a file `ab/cd/<hash>`. It removes half-written files of an
 * earlier process, so only one process at a time can use the folder.
 */
export async function openFolderContentStore(folder: string): Promise<ContentStore> {
  const unfinished = join(folder, 'unfinished')
  await mkdir(unfinished, { recursive: true, mode: 0o700 })
  for (const name of await readdir(unfinished)) await rm(join(unfinished, name), { force: true })

  return {
    async write(source, options = {}) {
      const path = join(unfinished, randomUUID())
      try {
        const stored = await receiveFile(source, path, options, true)
        await publish(path, pathOf(folder, stored.hash))
        return stored
      } catch (error) {
        await rm(path, { force: true })
        // The rest of the stream is read, or the sender would see a broken connection instead of the reason.
        source.resume()
        throw explainedError(error)
      }
    },
    async read(hash, { start, end } = {}) {
      const handle = await openToRead(pathOf(folder, hash), hash)
      return handle.createReadStream({
        highWaterMark: 256 * 1024,
        ...(start === undefined ? {} : { start }),
        ...(end === undefined ? {} : { end }),
      })
    },
    has: (hash) => exists(pathOf(folder, hash)),
    remove: (hash) => rm(pathOf(folder, hash), { force: true }),
    async freeBytes() {
      const { bavail, bsize } = await statfs(folder)
      return bavail * bsize
    },
    async close() {},
  }
}

function pathOf(folder: string, hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new ContentStoreError('not-found', `“${hash}” is not a SHA-256.`)
  return join(folder, hash.slice(0, 2), hash.slice(2, 4), hash)
}

/** Moves a complete file to its final path. Folder entries are synced too, or a power cut could lose the file. */
async function publish(from: string, to: string): Promise<void> {
  const inner = dirname(to)
  const outer = dirname(inner)
  const made = await mkdir(inner, { recursive: true, mode: 0o700 })
  await rename(from, to)
  await syncFolder(inner)
  if (made === undefined) return
  await syncFolder(outer)
  await syncFolder(dirname(outer))
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function openToRead(path: string, hash: string): Promise<FileHandle> {
  try {
    return await open(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT')
      throw new ContentStoreError('not-found', `There is no content ${hash}.`, { cause: error })
    throw error
  }
}

async function exists(path: string): Promise<boolean> {
  return stat(path).then(
    () => true,
    () => false,
  )
}
