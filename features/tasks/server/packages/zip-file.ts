import { crc32, inflateRawSync } from 'node:zlib'
import {
  findZipDirectory,
  localHeaderBytes,
  localHeaderSize,
  readZipDirectory,
  ZipError,
  type ZipRecord,
} from '@headwater/tables'

/** A file in a zip archive. */
export interface ZipEntry {
  /** Path as the archive states it. */
  path: string
  /** Size of the content in bytes. */
  sizeBytes: number
  /** Unix type and permissions; 0 if the archive has none. */
  mode: number
  /** Returns the content. Throws a `ZipError` if it is damaged. */
  read(): Buffer
}

/**
 * Returns the files of a zip archive, without its folders.
 * @param maxEntries maximum number of files and folders
 * @throws ZipError
 */
export function readZip(bytes: Buffer, maxEntries: number): ZipEntry[] {
  const { count, start, endAt } = findZipDirectory(bytes, maxEntries)
  return readZipDirectory(bytes.subarray(start, endAt), count)
    .filter(({ path }) => !path.endsWith('/'))
    .map((record) => entryOf(bytes, record))
}

function entryOf(bytes: Buffer, record: ZipRecord): ZipEntry {
  const { path, sizeBytes, mode, method, checksum, packedBytes, localOffset } = record
  return {
    path,
    sizeBytes,
    mode,
    read() {
      const header = bytes.subarray(localOffset, localOffset + localHeaderBytes)
      const start = localOffset + localHeaderSize(header, path)
      const packed = bytes.subarray(start, start + packedBytes)
      const content = method === 0 ? packed : inflate(packed, sizeBytes, path)
      if (content.length !== sizeBytes || crc32(content) !== checksum)
        throw new ZipError(`${path} is damaged`)
      return content
    },
  }
}

/** Decompresses content. The limit stops content that is larger than the archive states. */
function inflate(packed: Buffer, sizeBytes: number, path: string): Buffer {
  try {
    return inflateRawSync(packed, { maxOutputLength: Math.max(1, sizeBytes) })
  } catch {
    throw new ZipError(`${path} is damaged`)
  }
}
