import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createDeflateRaw } from 'node:zlib'
import { createZipRecords, ZipTooLargeError, maxNarrowBytes } from './zip-records.ts'

/** A file to write into an archive. */
export interface ZipPart {
  /** Path in the archive. */
  path: string
  /** Time of the last modification. Default: none, so that the same content always gives the same archive. */
  modifiedAt?: Date
  /** Its content, in parts. */
  content: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>
}

/**
 * Yields a zip archive with these files. Only parts of the content are in memory.
 * @param isLarge whether sizes have 64 bits (ZIP64), so that files and the archive can exceed 4 GB. Default false,
 *   because some programs do not accept such workbooks
 */
export async function* zipOf(
  parts: AsyncIterable<ZipPart> | Iterable<ZipPart>,
  { isLarge = false }: { isLarge?: boolean } = {},
): AsyncGenerator<Buffer> {
  const records = createZipRecords({ isLarge })
  for await (const { content, ...entry } of parts) {
    yield records.begin(entry)
    const count = { sizeBytes: 0, checksum: 0 }
    let packedBytes = 0
    for await (const chunk of deflate(content, count, isLarge)) {
      packedBytes += chunk.length
      yield chunk
    }
    yield records.end({ ...count, packedBytes })
  }
  yield records.directory()
}

async function* deflate(
  content: ZipPart['content'],
  count: { sizeBytes: number; checksum: number },
  isLarge: boolean,
): AsyncGenerator<Buffer> {
  async function* counted() {
    for await (const part of content) {
      const bytes = typeof part === 'string' ? Buffer.from(part) : part
      count.sizeBytes += bytes.length
      count.checksum = crc32(bytes, count.checksum)
      if (!isLarge && count.sizeBytes > maxNarrowBytes) throw new ZipTooLargeError()
      yield bytes
    }
  }
  const stream = createDeflateRaw()
  // The loop below reports the error.
  pipeline(Readable.from(counted(), { objectMode: false }), stream).catch(() => undefined)
  for await (const chunk of stream) yield chunk as Buffer
}
