import { createHash, randomUUID, type Hash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, statfs, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import {
  ContentStoreError,
  type ContentStore,
  type StoredContent,
  type WriteOptions,
} from './content-store.ts'

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
        const stored = await writeFile(source, path, options)
        await publish(path, pathOf(folder, stored.hash))
        return stored
      } catch (error) {
        await rm(path, { force: true })
        // The rest of the stream is read, or the sender would see a broken connection instead of the reason.
        source.resume()
        throw explained(error)
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
  }
}

function pathOf(folder: string, hash: string): string {
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new ContentStoreError('not-found', `“${hash}” is not a SHA-256.`)
  return join(folder, hash.slice(0, 2), hash.slice(2, 4), hash)
}

async function writeFile(source: Readable, path: string, options: WriteOptions): Promise<StoredContent> {
  const hash = createHash('sha256')
  const handle = await open(path, 'wx', 0o600)
  try {
    const sizeBytes = await pour(source, handle, hash, options.also)
    const stored = { hash: hash.digest('hex'), sizeBytes }
    demandExpected(stored, options)
    await Promise.all([handle.sync(), options.beforeStore?.(stored)])
    return stored
  } finally {
    await handle.close()
  }
}

/** Chunks of a stream are small, and every write costs a round trip to the thread pool. */
const bytesOfWrite = 512 * 1024

async function pour(
  source: Readable,
  handle: FileHandle,
  hash: Hash,
  also: WriteOptions['also'],
): Promise<number> {
  let sizeBytes = 0
  let waiting: Buffer[] = []
  let waitingBytes = 0
  let writing = Promise.resolve()
  async function flush(): Promise<void> {
    const chunks = waiting
    waiting = []
    waitingBytes = 0
    await writing
    writing = writeAll(handle, chunks)
    // The next flush reports an error.
    writing.catch(() => {})
  }
  try {
    // The source stays open on an error, so that the server can still respond to the request.
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length
      hash.update(chunk)
      waiting.push(chunk)
      waitingBytes += chunk.length
      if (waitingBytes >= bytesOfWrite) await flush()
      await also?.(chunk)
    }
    await flush()
  } finally {
    await writing
  }
  if (!source.readableEnded || source.errored)
    throw new ContentStoreError('cut-off', 'The content ended too early.')
  return sizeBytes
}

async function writeAll(handle: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  if (chunks.length === 0) return
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const { bytesWritten } = await handle.writev(chunks)
  if (bytesWritten === size) return
  // A disk that is nearly full accepts a part; the next write then reports the error.
  const rest = Buffer.concat(chunks).subarray(bytesWritten)
  for (let written = 0; written < rest.length;) written += (await handle.write(rest, written)).bytesWritten
}

function demandExpected(received: StoredContent, { expectedHash, expectedSize }: WriteOptions): void {
  if (expectedSize !== undefined && expectedSize !== received.sizeBytes)
    throw new ContentStoreError(
      'size-mismatch',
      `${expectedSize} bytes were announced and ${received.sizeBytes} came.`,
      { received },
    )
  if (expectedHash !== undefined && expectedHash !== received.hash)
    throw new ContentStoreError(
      'hash-mismatch',
      `The content has the SHA-256 ${received.hash} and not ${expectedHash}.`,
      { received },
    )
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

const codes: Record<string, ['storage-full' | 'cut-off', string]> = {
  ENOSPC: ['storage-full', 'The disk of the content store is full.'],
  EDQUOT: ['storage-full', 'The disk quota of the content store is used up.'],
  EFBIG: ['storage-full', 'The disk of the content store does not accept files of this size.'],
  ECONNRESET: ['cut-off', 'The connection broke before the content was complete.'],
  ERR_STREAM_PREMATURE_CLOSE: ['cut-off', 'The connection broke before the content was complete.'],
}

function explained(error: unknown): unknown {
  const known = codes[(error as NodeJS.ErrnoException).code ?? '']
  return known === undefined ? error : new ContentStoreError(known[0], known[1], { cause: error })
}
