import { mkdir, open, rename, rm, stat, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { openAssemblies } from './assemblies.ts'
import { ContentStoreError, type ContentStore } from './content-store.ts'
import { explainError } from './receive-file.ts'
import { contentPath, openSpool } from './spool.ts'

/**
 * Opens the content store in a local folder: each piece of content is a file `ab/cd/<hash>`. It removes half-written
 * files of an earlier process, so only one process at a time can use the folder.
 */
export async function openFolderContentStore(folder: string): Promise<ContentStore> {
  const spool = await openSpool(join(folder, 'unfinished'))
  const pathOf = (hash: string) => join(folder, contentPath(hash))
  const assemblies = await openAssemblies(
    join(folder, 'assemblies'),
    (hash, add) => publish(pathOf(hash), add),
    syncFolder,
  )

  return {
    write: (source, options = {}) =>
      spool.receive(source, { ...options, isDurable: true }, async (path, { hash }) => {
        try {
          await publish(pathOf(hash), (to) => rename(path, to))
        } catch (error) {
          throw explainError(error)
        }
      }),
    async read(hash, { start, end } = {}) {
      const handle = await openToRead(pathOf(hash), hash)
      return handle.createReadStream({
        highWaterMark: 256 * 1024,
        ...(start === undefined ? {} : { start }),
        ...(end === undefined ? {} : { end }),
      })
    },
    has: async (hash) => exists(pathOf(hash)),
    remove: async (hash) => rm(pathOf(hash), { force: true }),
    freeBytes: () => spool.freeBytes(),
    assemblies,
    async close() {},
  }
}

/**
 * Adds a complete file at its final path. Also syncs the folder entries, because a power failure could otherwise lose
 * the file.
 */
async function publish(to: string, add: (to: string) => Promise<void>): Promise<void> {
  const inner = dirname(to)
  const outer = dirname(inner)
  const made = await mkdir(inner, { recursive: true, mode: 0o700 })
  await add(to)
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
