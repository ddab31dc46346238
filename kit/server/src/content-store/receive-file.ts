import { createHash, type Hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { ContentStoreError, type StoredContent, type WriteOptions } from './content-store.ts'

/**
 * Receives a stream into a new file and checks it against the expectations. On an error the caller removes the file.
 * @param isDurable whether the bytes must be on the disk when the promise resolves
 */
export async function receiveFile(
  source: Readable,
  path: string,
  options: WriteOptions,
  isDurable: boolean,
): Promise<StoredContent> {
  const hash = createHash('sha256')
  const handle = await open(path, 'wx', 0o600)
  try {
    const sizeBytes = await pour(source, handle, hash, options)
    const stored = { hash: hash.digest('hex'), sizeBytes }
    requireExpected(stored, options)
    await Promise.all([isDurable ? handle.sync() : undefined, options.beforeStore?.(stored)])
    return stored
  } finally {
    await handle.close()
  }
}

/**
 * Receives a stream into memory of its expected size and checks it against the expectations.
 * @throws ContentStoreError `cut-off`, `size-mismatch` or `hash-mismatch`
 */
export async function receiveBytes(
  source: Readable,
  memory: Buffer,
  options: WriteOptions,
): Promise<StoredContent> {
  const hash = createHash('sha256')
  let sizeBytes = 0
  try {
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      chunk.copy(memory, sizeBytes)
      hash.update(chunk)
      sizeBytes += chunk.length
      await options.onChunk?.(chunk)
      if (options.ownsChunks) freeMemory(chunk)
    }
    requireComplete(source)
    const content = { hash: hash.digest('hex'), sizeBytes }
    requireExpected(content, { ...options, expectedSize: memory.length })
    await options.beforeStore?.(content)
    return content
  } catch (error) {
    source.resume()
    throw explainError(error)
  }
}

/**
 * Number of bytes that are written at a time. Chunks of a stream are smaller, and every write takes a round trip to the
 * thread pool.
 */
const bytesOfWrite = 512 * 1024

async function pour(
  source: Readable,
  handle: FileHandle,
  hash: Hash,
  { onChunk, ownsChunks = false }: WriteOptions,
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
    writing = writeAll(handle, chunks).then(() => {
      if (ownsChunks) chunks.forEach(freeMemory)
    })
    // The next flush reports the error.
    writing.catch(() => {})
  }
  try {
    // The source stays open on an error, so that the server can still respond to the request.
    for await (const chunk of source.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      sizeBytes += chunk.length
      hash.update(chunk)
      waiting.push(chunk)
      waitingBytes += chunk.length
      await onChunk?.(chunk)
      if (waitingBytes >= bytesOfWrite) await flush()
    }
    await flush()
  } finally {
    await writing
  }
  requireComplete(source)
  return sizeBytes
}

function requireComplete(source: Readable): void {
  if (!source.readableEnded || source.errored)
    throw new ContentStoreError('cut-off', 'The content is incomplete. Send all of it again.')
}

/**
 * Frees the memory of a chunk. Otherwise a full garbage collection would run after every 40 MB of chunks, which takes longer
 * than hashing them.
 */
function freeMemory({ buffer, byteLength }: Buffer): void {
  // Small chunks share their memory with other buffers.
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

async function writeAll(handle: FileHandle, chunks: readonly Buffer[]): Promise<void> {
  if (chunks.length === 0) return
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  const { bytesWritten } = await handle.writev(chunks)
  if (bytesWritten === size) return
  // A nearly full disk accepts only part of the data; the next write then reports the error.
  const rest = Buffer.concat(chunks).subarray(bytesWritten)
  for (let written = 0; written < rest.length;) written += (await handle.write(rest, written)).bytesWritten
}

/** Checks received content. Throws a ContentStoreError `size-mismatch` or `hash-mismatch`. */
export function requireExpected(received: StoredContent, { expectedHash, expectedSize }: WriteOptions): void {
  if (expectedSize !== undefined && expectedSize !== received.sizeBytes)
    throw new ContentStoreError(
      'size-mismatch',
      `${expectedSize} bytes were announced, but ${received.sizeBytes} arrived. Announce the size of the content that you send.`,
      { received },
    )
  if (expectedHash !== undefined && expectedHash !== received.hash)
    throw new ContentStoreError(
      'hash-mismatch',
      `The content has the SHA-256 hash ${received.hash}, but ${expectedHash} was announced. Send the announced content.`,
      { received },
    )
}

const codes: Record<string, ['storage-full' | 'cut-off', string]> = {
  ENOSPC: ['storage-full', 'The disk of the content store is full.'],
  EDQUOT: ['storage-full', 'The disk quota of the content store is used up.'],
  EFBIG: ['storage-full', 'The disk of the content store does not accept files of this size.'],
  ECONNRESET: ['cut-off', 'The connection broke before the content was complete.'],
  ERR_STREAM_PREMATURE_CLOSE: ['cut-off', 'The connection broke before the content was complete.'],
}

/**
 * Converts an error of the file system or of the source into an error of the content store. Returns any other error
 * unchanged.
 */
export function explainError(error: unknown): unknown {
  const known = codes[(error as NodeJS.ErrnoException).code ?? '']
  return known === undefined ? error : new ContentStoreError(known[0], known[1], { cause: error })
}
