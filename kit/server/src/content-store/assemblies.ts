import { constants, link, mkdir, open, readdir, rm, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isUuid } from '@headwater/contract'
import { ContentStoreError, type Assemblies } from './content-store.ts'
import { explainError } from './receive-file.ts'
import { createRunningHash, type RunningHash } from './running-hash.ts'

const bytesOfRead = 512 * 1024

/**
 * With O_DSYNC, a write resolves when its bytes are on the disk. `fdatasync` would also wait for the bytes of other parts
 * that are being written into the file, and takes three times as long.
 */
const durableWrites = constants.O_RDWR | constants.O_CREAT | constants.O_DSYNC

/** Maximum number of hashes in memory. The bytes of other assemblies are read again when they are published. */
const maxHashes = 200

/**
 * Opens the assemblies in a folder. They remain when the process ends.
 * @param publish adds a durable file to the content: calls `add` with its path
 */
export async function openAssemblies(
  folder: string,
  publish: (hash: string, add: (path: string) => Promise<void>) => Promise<void>,
  syncFolder: (folder: string) => Promise<void>,
): Promise<Assemblies> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  // An earlier process can have created files without syncing their entries.
  await syncFolder(folder)
  await syncFolder(dirname(folder))
  const hashes = new Map<string, RunningHash>()
  const pathOf = (id: string) => {
    if (!isUuid(id)) throw new ContentStoreError('not-found', `“${id}” is not the id of an assembly.`)
    return join(folder, id)
  }

  function hashOf(id: string): RunningHash {
    const known = hashes.get(id)
    if (known !== undefined) return known
    const [oldest] = hashes.keys()
    if (hashes.size >= maxHashes && oldest !== undefined) hashes.delete(oldest)
    const hash = createRunningHash((start, end, receive) => readBetween(pathOf(id), start, end, receive))
    hashes.set(id, hash)
    return hash
  }

  return {
    async write(id, position, bytes) {
      const handle = await open(pathOf(id), durableWrites, 0o600)
      try {
        const { size, nlink } = await handle.stat()
        if (nlink > 1) return false
        if (size === 0) await syncFolder(folder)
        await writeAll(handle, bytes, position)
      } catch (error) {
        throw explainError(error)
      } finally {
        await handle.close()
      }
      return true
    },
    settle: (id, position, bytes) => hashOf(id).add(position, bytes),
    async read(id, { start = 0, end } = {}) {
      const handle = await open(pathOf(id), 'r')
      return handle.createReadStream({
        highWaterMark: 512 * 1024,
        start,
        ...(end === undefined ? {} : { end }),
      })
    },
    hash: (id, sizeBytes) => hashOf(id).first(sizeBytes),
    async publish(id, { hash, sizeBytes }) {
      const path = pathOf(id)
      const handle = await open(path, 'r+')
      try {
        // The file can be longer, because it can contain a part that was never recorded.
        const { size, nlink } = await handle.stat()
        if (size > sizeBytes && nlink === 1) await handle.truncate(sizeBytes)
        await handle.sync()
      } finally {
        await handle.close()
      }
      await publish(hash, (to) => linkUnlessStored(path, to))
    },
    async remove(id) {
      hashes.delete(id)
      await rm(pathOf(id), { force: true })
    },
    list: async () => (await readdir(folder)).filter(isUuid),
  }
}

/**
 * Reads the bytes between two positions. Reuses the same memory, because a stream would allocate new memory for each chunk.
 */
async function readBetween(
  path: string,
  start: number,
  end: number,
  receive: (bytes: Buffer) => void,
): Promise<void> {
  const memory = Buffer.allocUnsafeSlow(Math.min(bytesOfRead, end - start))
  const handle = await open(path, 'r')
  try {
    for (let at = start; at < end;) {
      const { bytesRead } = await handle.read(memory, 0, Math.min(memory.length, end - at), at)
      if (bytesRead === 0) return
      receive(memory.subarray(0, bytesRead))
      at += bytesRead
    }
  } finally {
    await handle.close()
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let written = 0; written < bytes.length;)
    written += (await handle.write(bytes, written, bytes.length - written, position + written)).bytesWritten
}

async function linkUnlessStored(from: string, to: string): Promise<void> {
  try {
    await link(from, to)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}
