import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { bytesOf, type ByteSource } from '../table.ts'
import {
  findZipDirectory,
  localHeaderBytes,
  localHeaderSize,
  readZipDirectory,
  ZipError,
  zipTailBytes,
  type ZipRecord,
} from './zip-directory.ts'

/** A zip archive that is read in parts. */
export interface ZipSource {
  /** Returns whether the archive has a file. */
  has(path: string): boolean
  /**
   * Yields the content of a file.
   * @param maxBytes maximum size of the content; larger content causes an error
   * @throws ZipError
   */
  content(path: string, maxBytes: number): AsyncGenerator<Buffer>
}

const maxDirectoryBytes = 4 * 1024 * 1024

/**
 * Opens a zip archive.
 * @param maxEntries maximum number of files and folders
 * @throws ZipError
 */
export async function openZip(source: ByteSource, maxEntries: number): Promise<ZipSource> {
  const tailStart = Math.max(0, source.sizeBytes - zipTailBytes)
  const tail = bufferOf(await source.read(tailStart, source.sizeBytes))
  const { count, start, endAt } = findZipDirectory(tail, maxEntries)
  const end = tailStart + endAt
  if (start > end || end - start > maxDirectoryBytes) throw new ZipError('its list of files is damaged')
  const records = new Map<string, ZipRecord>()
  for (const record of readZipDirectory(bufferOf(await source.read(start, end)), count)) {
    if (records.has(record.path)) throw new ZipError(`it has the file ${record.path} twice`)
    records.set(record.path, record)
  }
  return {
    has: (path) => records.has(path),
    content(path, maxBytes) {
      const record = records.get(path)
      if (record === undefined) throw new ZipError(`it has no file ${path}`)
      return contentOf(source, record, maxBytes)
    },
  }
}

async function* contentOf(
  source: ByteSource,
  { path, method, checksum, packedBytes, sizeBytes, localOffset }: ZipRecord,
  maxBytes: number,
): AsyncGenerator<Buffer> {
  if (sizeBytes > maxBytes)
    throw new ZipError(
      `${path} has ${sizeBytes.toLocaleString('en')} bytes; at most ${maxBytes.toLocaleString('en')} are allowed`,
    )
  const header = bufferOf(await source.read(localOffset, localOffset + localHeaderBytes))
  const start = localOffset + localHeaderSize(header, path)
  const end = start + packedBytes
  if (end > source.sizeBytes) throw new ZipError(`${path} is damaged`)
  const packed = bytesOf(source, start, end)
  let size = 0
  let sum = 0
  for await (const chunk of method === 0 ? packed : inflated(packed, path)) {
    const bytes = bufferOf(chunk)
    size += bytes.length
    // The archive states the size; a bomb has more.
    if (size > sizeBytes) throw new ZipError(`${path} is larger than the archive states`)
    sum = crc32(bytes, sum)
    yield bytes
  }
  if (size !== sizeBytes || sum !== checksum) throw new ZipError(`${path} is damaged`)
}

async function* inflated(packed: AsyncIterable<Uint8Array>, path: string): AsyncGenerator<Uint8Array> {
  const inflate = createInflateRaw()
  const finished = pipeline(Readable.from(packed, { objectMode: false }), inflate)
  // The loop below reports the error.
  finished.catch(() => undefined)
  try {
    for await (const chunk of inflate) yield chunk as Buffer
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code?.startsWith('Z_')) throw new ZipError(`${path} is damaged`)
    throw error
  }
}

function bufferOf(bytes: Uint8Array): Buffer {
  return Buffer.isBuffer(bytes) ? bytes : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}
